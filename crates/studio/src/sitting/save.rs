//! A sitting as a text that a page keeps.
//!
//! The text is JSON with a version of its own: the start, the tree of moves, and what belongs to it.
//! The tree is written as players write variations, `f5d6(f6e6)c3`: what stands in parentheses is
//! another way to go on from the same place. Nodes are called by their place in that text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use obverse_board::{Counting, Move, Position};
use obverse_engine::{Candidate, Certainty, Value};
use serde::{Deserialize, Serialize};

use super::play::{Table, Timer};
use super::review::{Mistake, Reviewing};
use super::{Refusal, Setup, Sitting};
use crate::clock::Clock;
use crate::judge::Verdict;
use crate::seat::Seat;
use crate::tree::{NodeId, Tree};
use crate::view;
use crate::wire::{
    CountingWire, EffortWire, EndedBy, ErrorCode, GameStatus, LimitWire, ReviewStatus, Side,
};

const VERSION: u32 = 1;

/// A pass in the text of a tree.
const PASS: &str = "--";

/// How long changes that are easily made again wait to be saved.
const SOON: Duration = Duration::from_millis(500);

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    start: SavedPosition,
    tree: String,
    at: usize,
    game: SavedGame,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<(usize, String)>,
    analysis: SavedAnalysis,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<SavedReview>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mistakes: Vec<SavedMistake>,
}

#[derive(Serialize, Deserialize)]
struct SavedPosition {
    size: u8,
    squares: String,
    turn: Side,
}

#[derive(Serialize, Deserialize)]
struct SavedGame {
    status: GameStatus,
    seats: [String; 2],
    names: [Option<String>; 2],
    tip: usize,
    begun_at: usize,
    counting: CountingWire,
    clocks: [Option<SavedTimer>; 2],
    ended: Option<(EndedBy, Side)>,
    header: Vec<(String, String)>,
}

/// In milliseconds.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedTimer {
    time: u64,
    increment: u64,
    left: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedAnalysis {
    on: bool,
    lines: u32,
    limit: LimitWire,
}

#[derive(Serialize, Deserialize)]
struct SavedReview {
    effort: EffortWire,
    status: ReviewStatus,
    line: Vec<usize>,
    verdicts: Vec<SavedVerdict>,
}

#[derive(Serialize, Deserialize)]
struct SavedVerdict {
    node: usize,
    value: SavedValue,
    best: SavedValue,
    line: String,
}

/// Discs, and one of `p`, `s95`, `e12`: proven, selective, an estimate.
type SavedValue = (f32, String);

#[derive(Serialize, Deserialize)]
struct SavedMistake {
    position: SavedPosition,
    played: String,
    counting: CountingWire,
}

impl Sitting {
    /// Everything worth keeping, as a text for [`Sitting::restore`].
    ///
    /// # Panics
    /// Never: plain data can be written.
    pub fn saved(&self) -> String {
        let (tree, places) = write_tree(&self.tree);
        let place = |id: &NodeId| places.get(id).copied().unwrap_or(0);
        let table = &self.table;
        let saved = Saved {
            version: VERSION,
            start: write_position(self.tree.node(Tree::ROOT).position),
            tree,
            at: place(&self.at),
            game: SavedGame {
                status: table.status,
                seats: table.seats.map(|seat| seat.to_string()),
                names: table.names.clone(),
                tip: place(&table.tip),
                begun_at: place(&table.begun_at),
                counting: table.counting.into(),
                clocks: self.timers().map(|timer| timer.map(write_timer)),
                ended: table.ended.map(|(by, winner)| (by, winner.into())),
                header: table.header.clone(),
            },
            comments: self
                .tree
                .nodes()
                .filter_map(|(id, node)| Some((place(&id), node.comment.clone()?)))
                .collect(),
            analysis: SavedAnalysis {
                on: self.analysis.is_on,
                lines: self.analysis.lines,
                limit: self.analysis.limit,
            },
            review: self.reviewing.as_ref().map(|reviewing| SavedReview {
                effort: reviewing.effort,
                status: reviewing.status,
                line: reviewing.line.iter().map(place).collect(),
                verdicts: reviewing
                    .line
                    .iter()
                    .filter_map(|id| Some((id, reviewing.verdicts.get(id)?)))
                    .map(|(id, verdict)| write_verdict(place(id), verdict))
                    .collect(),
            }),
            mistakes: self.mistakes.iter().map(write_mistake).collect(),
        };
        serde_json::to_string(&saved).expect("it is made of plain data")
    }

    /// The sitting that was saved as a text.
    ///
    /// # Errors
    /// If it is no such text.
    pub fn restore(text: &str, setup: Setup) -> Result<Sitting, Refusal> {
        let bad = |text: String| Refusal::new(ErrorCode::BadSaved, text);
        let saved: Saved = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if saved.version != VERSION {
            let found = saved.version;
            return Err(bad(format!("found version {found}, expected {VERSION}")));
        }
        let mut sitting = Sitting::new(setup);
        sitting
            .fill(saved)
            .ok_or_else(|| bad("found a text that contradicts itself".to_owned()))?;
        Ok(sitting)
    }

    fn fill(&mut self, saved: Saved) -> Option<()> {
        let (mut tree, nodes) = read_tree(read_position(&saved.start)?, &saved.tree)?;
        let node = |place: usize| nodes.get(place).copied();
        for (place, comment) in saved.comments {
            tree.set_comment(node(place)?, comment);
        }
        let rests = |id: NodeId| !tree.node(id).position.must_pass();
        let SavedGame { status, seats, names, tip, begun_at, counting, clocks, ended, header } =
            saved.game;
        let [black, white] = seats;
        let size = tree.node(Tree::ROOT).position.size();
        let seats: [Seat; 2] = [black.parse().ok()?, white.parse().ok()?];
        if seats.iter().any(|seat| seat.is_too_slow(size)) {
            return None;
        }
        self.table = Table {
            status,
            seats,
            names,
            tip: node(tip).filter(|&id| rests(id))?,
            begun_at: node(begun_at)?,
            clocks: clocks.map(|timer| timer.map(read_timer)),
            ended: ended.map(|(by, side)| (by, side.into())),
            header,
            ..Table::free(counting.into())
        };
        self.at = node(saved.at).filter(|&id| rests(id))?;
        self.analysis.is_on = saved.analysis.on;
        self.analysis.lines = saved.analysis.lines.min(super::LINES_MAX);
        self.analysis.limit = saved.analysis.limit;
        if let Some(review) = saved.review {
            let line: Option<Vec<NodeId>> = review.line.into_iter().map(node).collect();
            let mut reviewing = Reviewing::new(review.effort, line?);
            reviewing.status = review.status;
            for saved in review.verdicts {
                let (id, verdict) = (node(saved.node)?, read_verdict(&tree, &nodes, &saved)?);
                reviewing.verdicts.insert(id, verdict);
            }
            self.reviewing = Some(reviewing);
        }
        self.mistakes =
            saved.mistakes.iter().map(read_mistake).collect::<Option<Vec<Mistake>>>()?;
        tree.walk_to(self.at);
        self.tree = tree;
        Some(())
    }

    /// Has the sitting saved before long.
    pub(super) fn save_soon(&mut self) {
        self.save_due.get_or_insert(self.now + SOON);
    }

    /// Has it saved if it is time.
    pub(super) fn check_save(&mut self) {
        if self.save_due.is_some_and(|due| due <= self.now) {
            self.changes.saved = true;
        }
    }
}

/// The tree as a text, and the places of its nodes in it.
fn write_tree(tree: &Tree) -> (String, HashMap<NodeId, usize>) {
    enum Step {
        Node(NodeId),
        Close,
    }
    let mut text = String::new();
    let mut places = HashMap::new();
    let mut steps = vec![Step::Node(Tree::ROOT)];
    let mut is_variation = std::collections::HashSet::new();
    while let Some(step) = steps.pop() {
        let Step::Node(id) = step else {
            text.push(')');
            continue;
        };
        if is_variation.contains(&id) {
            text.push('(');
        }
        places.insert(id, places.len());
        let node = tree.node(id);
        match node.mv {
            Some(Move::Place(square)) => {
                write!(text, "{square}").expect("a string takes everything");
            }
            Some(Move::Pass) => text.push_str(PASS),
            None => {}
        }
        // The last step pushed comes first: variations before the main line.
        if let Some((&main, variations)) = node.children.split_first() {
            steps.push(Step::Node(main));
            for &child in variations.iter().rev() {
                is_variation.insert(child);
                steps.push(Step::Close);
                steps.push(Step::Node(child));
            }
        }
    }
    (text, places)
}

/// The tree of a text, and its nodes by their places.
fn read_tree(start: Position, text: &str) -> Option<(Tree, Vec<NodeId>)> {
    let mut tree = Tree::new(start);
    let mut nodes = vec![Tree::ROOT];
    let mut id = Tree::ROOT;
    let mut branches = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('(') {
            branches.push(id);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(')') {
            id = branches.pop()?;
            rest = after;
        } else {
            let (word, after) = rest.split_at_checked(2)?;
            let mv = if word == PASS { Move::Pass } else { Move::Place(word.parse().ok()?) };
            let is_variation = text[..text.len() - rest.len()].ends_with('(');
            id = tree.add(id, mv).ok()?;
            if !is_variation {
                // The variations of a node stand before its main move.
                tree.put_first(id);
            }
            nodes.push(id);
            rest = after;
        }
    }
    branches.is_empty().then_some((tree, nodes))
}

fn write_position(position: Position) -> SavedPosition {
    SavedPosition {
        size: position.size().side(),
        squares: view::squares(position),
        turn: position.turn().into(),
    }
}

fn read_position(saved: &SavedPosition) -> Option<Position> {
    view::position(saved.size, &saved.squares, saved.turn)
}

fn write_timer(timer: Timer) -> SavedTimer {
    let ms = |time: Duration| time.as_millis() as u64;
    SavedTimer {
        time: ms(timer.clock.time),
        increment: ms(timer.clock.increment),
        left: ms(timer.left),
    }
}

fn read_timer(saved: SavedTimer) -> Timer {
    let clock = Clock {
        time: Duration::from_millis(saved.time),
        increment: Duration::from_millis(saved.increment),
    };
    Timer { clock, left: Duration::from_millis(saved.left) }
}

fn write_value(value: Value) -> SavedValue {
    let certainty = match value.certainty {
        Certainty::Proven => "p".to_owned(),
        Certainty::Selective(percent) => format!("s{percent}"),
        Certainty::Estimate(depth) => format!("e{depth}"),
    };
    (value.discs, certainty)
}

fn read_value((discs, certainty): &SavedValue) -> Option<Value> {
    let certainty = match certainty.split_at_checked(1)? {
        ("p", "") => Certainty::Proven,
        ("s", percent) => Certainty::Selective(percent.parse().ok()?),
        ("e", depth) => Certainty::Estimate(depth.parse().ok()?),
        _ => return None,
    };
    discs.is_finite().then_some(Value { discs: *discs, certainty })
}

fn write_verdict(node: usize, verdict: &Verdict) -> SavedVerdict {
    let best = verdict.best();
    let line = best.line.iter().map(|mv| mv.square().map_or(PASS.to_owned(), |s| s.to_string()));
    SavedVerdict {
        node,
        value: write_value(verdict.value),
        best: write_value(best.value),
        line: line.collect(),
    }
}

fn read_verdict(tree: &Tree, nodes: &[NodeId], saved: &SavedVerdict) -> Option<Verdict> {
    let node = tree.node(*nodes.get(saved.node)?);
    let (_, best) = read_tree(tree.node(node.parent?).position, &saved.line).map(|(line, _)| {
        let moves = line.game(*line.main_line().last().unwrap_or(&Tree::ROOT)).moves().to_vec();
        (line, moves)
    })?;
    let candidate =
        Candidate { mv: *best.first()?, value: read_value(&saved.best)?, line: best.clone() };
    Some(Verdict { value: read_value(&saved.value)?, top: vec![candidate] })
}

fn write_mistake(mistake: &Mistake) -> SavedMistake {
    SavedMistake {
        position: write_position(mistake.position),
        played: mistake.played.to_string(),
        counting: mistake.counting.into(),
    }
}

fn read_mistake(saved: &SavedMistake) -> Option<Mistake> {
    let position = read_position(&saved.position)?;
    let played = Move::Place(saved.played.parse().ok()?);
    position.apply(played).ok()?;
    Some(Mistake { position, played, counting: Counting::from(saved.counting) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Game;

    #[test]
    fn a_tree_is_written_and_read_again() {
        let (mut tree, tip) = Tree::from_game(&Game::parse("f5d6c3d3").unwrap());
        let path = tree.path(tip);
        let place = |text: &str| Move::Place(text.parse().unwrap());
        let f6 = tree.add(path[1], place("f6")).unwrap();
        let e6 = tree.add(f6, place("e6")).unwrap();
        tree.add(f6, place("c4")).unwrap();
        tree.add(path[1], place("f4")).unwrap();
        tree.add(e6, place("d6")).unwrap();
        let (text, places) = write_tree(&tree);
        assert_eq!(text, "f5(f6(c4)e6d6)(f4)d6c3d3");
        let (again, nodes) = read_tree(tree.node(Tree::ROOT).position, &text).unwrap();
        assert_eq!(write_tree(&again).0, text);
        for (id, place) in places {
            assert_eq!(again.game(nodes[place]), tree.game(id));
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let start = Position::start(obverse_board::Size::Eight);
        for text in ["f", "f5(", "f5)", "a1", "f5é", "--", "f5(d6"] {
            assert!(read_tree(start, text).is_none(), "{text}");
        }
    }
}
