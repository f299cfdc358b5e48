//! Sharing: the position or the game in every notation, as a file, a picture or a link.
//!
//! A link holds everything in its fragment, which browsers send to nobody: `p=SRN` is a position and
//! `g=f5d6c3` a game, from another start `g=SRN.f5d6c3`; blanks are underscores.

use obverse_board::notation::record::{Branch, Ending, Line, Mark, Note, Outcome};
use obverse_board::notation::{Form, Record};
use obverse_board::{Color, Game, Position, Size};

use super::{Refusal, Sitting};
use crate::judge::{Fault, Verdict};
use crate::picture;
use crate::tree::{NodeId, Tree};
use crate::wire::{EndedBy, ErrorCode, FormEntry, GameStatus, Tells, ToPage};

const SVG: &str = "svg";
const LINK: &str = "link";

/// What can be written.
pub(super) fn forms() -> Vec<FormEntry> {
    let forms = Form::ALL.into_iter().map(|form| FormEntry {
        form: form.name().to_owned(),
        tells: if is_game(form) { Tells::Game } else { Tells::Position },
    });
    forms.chain([FormEntry { form: SVG.to_owned(), tells: Tells::Picture }]).collect()
}

const fn is_game(form: Form) -> bool {
    matches!(form, Form::Transcript | Form::Ggf | Form::Sgf | Form::Pgn)
}

/// The media type of a form and the ending of its files' names.
const fn media(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Ggf => ("text/plain", "ggf"),
        Form::Sgf => ("application/x-go-sgf", "sgf"),
        Form::Pgn => ("application/x-chess-pgn", "pgn"),
        Form::Obf => ("text/plain", "obf"),
        _ => ("text/plain", "txt"),
    }
}

impl Sitting {
    pub(super) fn export(
        &mut self,
        to: Option<u32>,
        form: &str,
        node: Option<NodeId>,
    ) -> Result<(), Refusal> {
        let node = node.map_or(Ok(self.at), |node| self.check_node(node))?;
        let (text, media, ending) = if form == SVG {
            let last = self
                .tree
                .path(node)
                .into_iter()
                .rev()
                .find_map(|id| self.tree.node(id).mv?.square());
            (picture::draw(self.tree.node(node).position, last), "image/svg+xml", SVG)
        } else {
            let form: Form = form.parse().map_err(|text: String| {
                let found: String = form.chars().take(20).collect();
                Refusal::new(ErrorCode::BadForm, text).found(&found)
            })?;
            let printed = match form {
                Form::Ggf | Form::Sgf | Form::Pgn => form.print_record(&self.record()),
                _ => form.print(&self.tree.game(node)),
            };
            let text = printed.map_err(|error| {
                Refusal::new(ErrorCode::Inexpressible, error.to_string()).found(&form)
            })?;
            let (media, ending) = media(form);
            (text, media, ending)
        };
        self.out.messages.push(ToPage::Exported {
            to,
            form: form.to_owned(),
            text,
            media: media.to_owned(),
            file_name: format!("obverse.{ending}"),
        });
        Ok(())
    }

    pub(super) fn share(&mut self, to: Option<u32>, is_game: bool) {
        let game = self.tree.game(self.at);
        self.out.messages.push(ToPage::Exported {
            to,
            form: LINK.to_owned(),
            text: if is_game { game_link(&game) } else { position_link(self.position()) },
            media: "text/plain".to_owned(),
            file_name: String::new(),
        });
    }

    /// The main line with all variations, and what is known about them.
    fn record(&self) -> Record {
        let mut record = Record::new(self.tree.game(Tree::ROOT));
        for (name, value) in &self.table.header {
            record.set_fact(name, value);
        }
        let name = |color| {
            let seat = self.table.seat(color);
            let own = (!seat.is_human()).then(|| format!("Obverse ({seat})"));
            self.table.name(color).or(own).unwrap_or_default()
        };
        record.black.name = name(Color::Black);
        record.white.name = name(Color::White);
        if let Some((by, winner)) =
            self.table.ended.filter(|_| self.table.status == GameStatus::Over)
        {
            let ending = match by {
                EndedBy::Discs => Ending::Played,
                EndedBy::Resignation => Ending::Resigned,
                EndedBy::Time => Ending::Timeout,
            };
            record.outcome = Some(Outcome { winner: Some(winner), discs: None, ending });
        }
        record.line = self.line(Tree::ROOT, None);
        record
    }

    /// The main line from a node on, with the variations that branch off after it; `first` is its
    /// first move where that is not the main one.
    fn line(&self, from: NodeId, first: Option<NodeId>) -> Line {
        let main = |&id: &NodeId| self.tree.node(id).children.first().copied();
        let nodes: Vec<NodeId> =
            std::iter::successors(first.or_else(|| main(&from)), main).collect();
        let mut game = Game::new(self.tree.node(from).position);
        for &id in &nodes {
            if let Some(mv) = self.tree.node(id).mv {
                game.apply(mv).expect("the moves of the tree are legal");
            }
        }
        let notes = nodes.iter().map(|&id| self.note(id)).collect();
        // What else can be played at `from` branches off from the line that this one leaves.
        let n_skipped = usize::from(first.is_some());
        let parents = std::iter::once(from).chain(nodes).enumerate().skip(n_skipped);
        let branches = parents.flat_map(|(ply, parent)| {
            let variations = self.tree.node(parent).children.iter().skip(1);
            variations.map(move |&child| Branch { ply, line: self.line(parent, Some(child)) })
        });
        Line { game, notes, branches: branches.collect() }
    }

    fn note(&self, id: NodeId) -> Note {
        let verdict = self.reviewing.as_ref().and_then(|reviewing| reviewing.verdicts.get(&id));
        Note {
            comment: self.tree.node(id).comment.clone().unwrap_or_default(),
            eval: verdict.map(|verdict| f64::from((verdict.value.discs * 10.0).round()) / 10.0),
            mark: verdict.and_then(Verdict::fault).map(|fault| match fault {
                Fault::Mistake => Mark::Mistake,
                Fault::Blunder => Mark::Blunder,
            }),
            ..Note::default()
        }
    }
}

fn position_link(position: Position) -> String {
    format!("p={}", srn(position))
}

fn game_link(game: &Game) -> String {
    let moves: String =
        game.moves().iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect();
    if game.start() == Position::start(Size::Eight) {
        return format!("g={moves}");
    }
    format!("g={}.{moves}", srn(game.start()))
}

fn srn(position: Position) -> String {
    let text = Form::Srn.print(&Game::new(position)).expect("every position has this form");
    text.replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use super::super::load::read_link;
    use super::*;
    use obverse_board::Move;

    #[test]
    fn links_hold_games_and_positions() {
        for text in ["start", "f5d6c3", "start:6x6", "start:4x4", "8/8/2b5/3bb3/3wbb2/3w4/8/8 w"] {
            let game = Game::parse(text).unwrap();
            assert_eq!(read_link(&game_link(&game)), Some(game.clone()), "{text}");
            let position = position_link(game.position());
            assert_eq!(read_link(&position).unwrap().position(), game.position());
            let is_safe = |c: char| c.is_ascii_alphanumeric() || "=/._".contains(c);
            assert!(position.chars().all(is_safe) && game_link(&game).chars().all(is_safe));
        }
        for text in ["", "g", "x=1", "g=f5f5", "g=é", "p=9", "g=start:4x4.f9"] {
            assert_eq!(read_link(text), None, "{text}");
        }
    }

    #[test]
    fn passes_need_not_be_in_a_link() {
        let stuck = Position::parse("wb6/8/8/8/8/8/8/8 b").unwrap();
        let mut game = Game::new(stuck);
        game.apply(Move::Pass).unwrap();
        game.play(obverse_board::Square::C1).unwrap();
        assert_eq!(read_link(&game_link(&game)), Some(game));
    }
}
