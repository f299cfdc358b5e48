//! The tree of a proof.

use std::collections::{HashMap, HashSet, VecDeque};

use obverse_board::{Board, Counting, Position, Score, Square};

use super::{Claim, Goal, Oracle, Settled};
use crate::{Limits, Question, Task, cost};

/// How a tree has come along.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Positions in the tree.
    pub positions: usize,
    /// Leaves of the proof as it is planned now, and how many of these are proven.
    pub leaves: usize,
    /// Of the leaves, those that are proven.
    pub proven: usize,
}

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    True,
    False,
}

struct Node {
    position: Position,
    claim: Claim,
    state: State,
    /// What the proof is expected to cost from here on.
    cost: f64,
    guess: Guess,
    /// The moves and what they lead to, if the node has been expanded.
    children: Option<Vec<(Square, Child)>>,
    parents: Vec<usize>,
    /// Whether it is a leaf that has been asked for.
    is_asked: bool,
    /// Whether a solver found it true: it has only to be shown.
    is_promised: bool,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Child {
    /// To another node.
    Node(usize),
    /// To the end of the game, and the claim is true or false there.
    Over(bool),
}

/// What is expected of a claim.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Guess {
    /// How likely it is true.
    pub(super) chance: f64,
    /// What it costs to find out.
    pub(super) nodes: f64,
}

impl Guess {
    /// What its proof costs, and what is lost if it fails.
    pub(super) fn cost(self) -> f64 {
        self.nodes / self.chance.max(1e-9)
    }
}

/// A position in which somebody can move, or a claim that is settled because nobody can.
pub(super) enum Start {
    Settled(bool),
    Open(Position, Claim),
}

/// Passes where a side must, and counts where the game is over.
pub(super) fn start(position: Position, claim: Claim, counting: Counting) -> Start {
    if position.is_over() {
        let score = position.score_for(position.turn(), counting);
        return Start::Settled(claim.is_settled_by(score, score).expect("the score is known"));
    }
    if position.must_pass() {
        return Start::Open(position.pass_unchecked(), claim.turned());
    }
    Start::Open(position, claim)
}

/// Under what board a position is filed, so that transpositions are found: as the side to move sees it,
/// turned and mirrored.
fn filed(position: Position) -> Board {
    position.board().canonical(position.size()).0
}

/// So many nodes are expanded before the plan is looked at again.
const EXPANDED_MAX: usize = 256;

/// By how many discs the evaluation is wrong, typically.
const DOUBT: f32 = 6.0;

/// What is expected of a claim, by evaluation and predicted cost.
pub(super) fn guess(
    position: Position,
    claim: Claim,
    goal: Goal,
    oracle: &mut dyn Oracle,
) -> Guess {
    // A look farther ahead is worth it where more depends on it.
    let above = position.empties().count().saturating_sub(goal.split);
    let depth = 3 + (above / 2).min(5);
    let margin = claim.margin(oracle.value(position, depth));
    let chance = 1.0 / (1.0 + f64::from(-1.7 * margin / DOUBT).exp());
    let (low, high) = claim.window();
    let question =
        Question::new(position, goal.counting, Task::Window(low, high), Limits::default()).0;
    Guess { chance, nodes: cost::nodes(&question) * cost::by_margin(f64::from(margin)) }
}

/// Grows a tree until its root is proven or refuted.
pub struct Prover {
    goal: Goal,
    nodes: Vec<Node>,
    /// By the least of the symmetric boards.
    ids: HashMap<(Board, Claim), usize>,
    root: Child,
}

impl Prover {
    /// Begins with the root alone.
    pub fn new(goal: Goal, oracle: &mut dyn Oracle) -> Prover {
        let mut prover =
            Prover { goal, nodes: Vec::new(), ids: HashMap::new(), root: Child::Over(false) };
        prover.root = prover.child(goal.position, goal.claim, None, false, oracle);
        prover
    }

    /// Whether the claim is proven or refuted, if that is known.
    pub fn verdict(&self) -> Option<bool> {
        match self.root {
            Child::Over(is_true) => Some(is_true),
            Child::Node(id) => match self.nodes[id].state {
                State::Open => None,
                State::True => Some(true),
                State::False => Some(false),
            },
        }
    }

    /// Grows the tree as planned, and returns up to so many leaves that must be solved for it and have
    /// not been asked for; none if all have been.
    pub fn next(&mut self, n_max: usize, oracle: &mut dyn Oracle) -> Vec<Question> {
        let mut questions = Vec::new();
        while questions.len() < n_max && self.verdict().is_none() {
            // What is expanded may change the plan above it, so it is followed anew from the root.
            let bare = self.walk(n_max, &mut questions);
            if bare.is_empty() {
                break;
            }
            for id in bare {
                self.expand(id, oracle);
            }
        }
        questions
    }

    /// Follows the plan: collects leaves that are not asked for, and returns nodes that must be expanded.
    fn walk(&mut self, n_max: usize, questions: &mut Vec<Question>) -> Vec<usize> {
        let mut bare = Vec::new();
        let Child::Node(root) = self.root else { return bare };
        let mut seen = HashSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if self.nodes[id].state != State::Open || !seen.insert(id) {
                continue;
            }
            if self.is_leaf(id) {
                if !self.nodes[id].is_asked {
                    self.nodes[id].is_asked = true;
                    questions.push(self.question(id));
                    if questions.len() >= n_max {
                        break;
                    }
                }
                continue;
            }
            let node = &self.nodes[id];
            let Some(children) = &node.children else {
                bare.push(id);
                if bare.len() >= EXPANDED_MAX {
                    break;
                }
                continue;
            };
            match node.claim {
                Claim::AtLeast(_) => open.extend(self.cheapest(children)),
                Claim::AtMost(_) => {
                    // The most doubtful last, to be taken up first: if it fails, the rest is saved.
                    let mut nodes: Vec<usize> = children.iter().filter_map(Child::of).collect();
                    let chance = |id: &usize| self.nodes[*id].guess.chance;
                    nodes.sort_by(|a, b| chance(b).total_cmp(&chance(a)));
                    open.extend(nodes);
                }
            }
        }
        bare
    }

    /// The child whose proof is expected to cost least.
    fn cheapest(&self, children: &[(Square, Child)]) -> Option<usize> {
        let open = children.iter().filter_map(Child::of);
        let open = open.filter(|id| self.nodes[*id].state != State::False);
        open.min_by(|a, b| self.nodes[*a].cost.total_cmp(&self.nodes[*b].cost))
    }

    fn is_leaf(&self, id: usize) -> bool {
        self.nodes[id].position.empties().count() <= self.goal.split
    }

    fn question(&self, id: usize) -> Question {
        let Node { position, claim, .. } = self.nodes[id];
        let (low, high) = claim.window();
        Question::new(position, self.goal.counting, Task::Window(low, high), Limits::default()).0
    }

    /// What a position with a claim is in the tree; it is added if it is new.
    fn child(
        &mut self,
        position: Position,
        claim: Claim,
        parent: Option<usize>,
        is_promised: bool,
        oracle: &mut dyn Oracle,
    ) -> Child {
        let (position, claim) = match start(position, claim, self.goal.counting) {
            Start::Settled(is_true) => return Child::Over(is_true),
            Start::Open(position, claim) => (position, claim),
        };
        let board = filed(position);
        let position = Position::new(
            position.size(),
            board.player(),
            board.opponent(),
            obverse_board::Color::Black,
        )
        .expect("turned and mirrored it is still a position");
        let id = *self.ids.entry((board, claim)).or_insert(self.nodes.len());
        if id == self.nodes.len() {
            let is_leaf = position.empties().count() <= self.goal.split;
            let known = if is_leaf { oracle.known(position) } else { None };
            let settled = known.and_then(|(lower, upper)| claim.is_settled_by(lower, upper));
            let guess = match settled {
                Some(is_true) => Guess { chance: f64::from(u8::from(is_true)), nodes: 0.0 },
                // What is going to be shown anyhow needs no weighing.
                None if is_promised => Guess { chance: 1.0, nodes: 1.0 },
                None => guess(position, claim, self.goal, oracle),
            };
            let state = match settled {
                None => State::Open,
                Some(true) => State::True,
                Some(false) => State::False,
            };
            self.nodes.push(Node {
                position,
                claim,
                state,
                cost: guess.cost(),
                guess,
                children: None,
                parents: Vec::new(),
                is_asked: false,
                is_promised,
            });
        }
        self.nodes[id].is_promised |= is_promised;
        if let Some(parent) = parent.filter(|parent| !self.nodes[id].parents.contains(parent)) {
            self.nodes[id].parents.push(parent);
        }
        Child::Node(id)
    }

    fn expand(&mut self, id: usize, oracle: &mut dyn Oracle) {
        let Node { position, claim, mut is_promised, .. } = self.nodes[id];
        let mut moves: Vec<Square> = position.moves().into_iter().collect();
        if let Claim::AtLeast(_) = claim {
            // Another way to what must be shown already costs nothing.
            let settled = self.shared_move(id).map(Settled::By);
            match settled.or_else(|| oracle.settle(position, claim)) {
                Some(Settled::By(mv)) => {
                    is_promised = true;
                    moves = vec![mv];
                }
                Some(Settled::False) => moves.clear(),
                // A promise that nobody can tell the move of is none.
                None => is_promised = false,
            }
        }
        let children = moves
            .into_iter()
            .map(|mv| {
                let next = position.play_unchecked(mv);
                (mv, self.child(next, claim.turned(), Some(id), is_promised, oracle))
            })
            .collect();
        let node = &mut self.nodes[id];
        node.is_promised = is_promised;
        node.children = Some(children);
        self.update(id);
    }

    /// A move to a position that is promised or proven to be good enough, if one is in the tree already.
    fn shared_move(&self, id: usize) -> Option<Square> {
        let Node { position, claim, .. } = self.nodes[id];
        let is_good = |mv: &Square| {
            let next = position.play_unchecked(*mv);
            match start(next, claim.turned(), self.goal.counting) {
                Start::Settled(is_true) => is_true,
                Start::Open(next, claim) => {
                    self.ids.get(&(filed(next), claim)).is_some_and(|&id| {
                        let Node { state, is_promised, .. } = self.nodes[id];
                        state == State::True || state == State::Open && is_promised
                    })
                }
            }
        };
        position.moves().into_iter().find(is_good)
    }

    /// Takes what was found out about the score of a leaf.
    pub fn answer(&mut self, question: &Question, lower: Score, upper: Score) {
        let Task::Window(low, high) = question.task else { return };
        for claim in [Claim::AtLeast(high), Claim::AtMost(low)] {
            let Some(&id) = self.ids.get(&(question.board(), claim)) else { continue };
            let Some(is_true) = claim.is_settled_by(lower, upper) else {
                // Stopped before its time: it may be asked again.
                self.nodes[id].is_asked = false;
                continue;
            };
            let node = &mut self.nodes[id];
            node.state = if is_true { State::True } else { State::False };
            node.cost = if is_true { 0.0 } else { f64::INFINITY };
            let parents = node.parents.clone();
            for parent in parents {
                self.update(parent);
            }
        }
    }

    /// Counts a node's cost anew, and those above it if it has changed.
    fn update(&mut self, id: usize) {
        let mut open = VecDeque::from([id]);
        while let Some(id) = open.pop_front() {
            let node = &self.nodes[id];
            let Some(children) = &node.children else { continue };
            let (cost, state) = match node.claim {
                Claim::AtLeast(_) => self.one_of(children),
                Claim::AtMost(_) => self.all_of(children),
            };
            let node = &mut self.nodes[id];
            let is_same = node.state == state && (node.cost - cost).abs() <= 1e-9 * cost.abs();
            let was = std::mem::replace(&mut node.state, state);
            node.cost = cost;
            // What a promised node costs, nobody weighs.
            let is_same = is_same || node.is_promised && was == state;
            if !is_same {
                open.extend(&node.parents);
            }
        }
    }

    fn one_of(&self, children: &[(Square, Child)]) -> (f64, State) {
        let mut best = (f64::INFINITY, State::False);
        for (_, child) in children {
            let (cost, state) = self.stands(*child);
            match state {
                State::True => return (0.0, State::True),
                State::Open if cost < best.0 || best.1 == State::False => {
                    best = (cost, State::Open);
                }
                State::Open | State::False => {}
            }
        }
        best
    }

    fn all_of(&self, children: &[(Square, Child)]) -> (f64, State) {
        let mut sum = (0.0, State::True);
        for (_, child) in children {
            let (cost, state) = self.stands(*child);
            match state {
                State::False => return (f64::INFINITY, State::False),
                State::Open => sum = (sum.0 + cost, State::Open),
                State::True => {}
            }
        }
        sum
    }

    fn stands(&self, child: Child) -> (f64, State) {
        match child {
            Child::Over(true) => (0.0, State::True),
            Child::Over(false) => (f64::INFINITY, State::False),
            Child::Node(id) => (self.nodes[id].cost, self.nodes[id].state),
        }
    }

    /// How large the tree and the proof are, as planned now.
    pub fn size(&self) -> Size {
        let mut size = Size { positions: self.nodes.len(), ..Size::default() };
        self.each_planned(&mut |id| {
            if self.is_leaf(id) {
                size.leaves += 1;
                size.proven += usize::from(self.nodes[id].state == State::True);
            }
        });
        size
    }

    /// Every line of the certificate, if the root is proven: the position, the claim, and the move that
    /// proves it; no move for those that are solved or need all moves.
    pub fn each_line(&self, each: &mut dyn FnMut(Position, Claim, Option<Square>, bool)) {
        self.each_planned(&mut |id| {
            let node = &self.nodes[id];
            let is_leaf = self.is_leaf(id);
            let mv = match node.claim {
                Claim::AtLeast(_) if !is_leaf => self.planned_move(id).map(|(mv, _)| mv),
                _ => None,
            };
            each(node.position, node.claim, mv, is_leaf);
        });
    }

    /// The move to follow where one is enough.
    fn planned_move(&self, id: usize) -> Option<(Square, Child)> {
        let children = self.nodes[id].children.as_deref()?;
        let is_true = |child: &&(Square, Child)| self.stands(child.1).1 == State::True;
        let proven = children.iter().find(is_true);
        proven.copied().or_else(|| {
            let cheapest = self.cheapest(children)?;
            children.iter().find(|(_, child)| *child == Child::Node(cheapest)).copied()
        })
    }

    fn each_planned(&self, each: &mut dyn FnMut(usize)) {
        let Child::Node(root) = self.root else { return };
        let mut seen = HashSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            each(id);
            if self.is_leaf(id) {
                continue;
            }
            match self.nodes[id].claim {
                Claim::AtLeast(_) => {
                    open.extend(self.planned_move(id).and_then(|pair| Child::of(&pair)));
                }
                Claim::AtMost(_) => {
                    open.extend(self.nodes[id].children.iter().flatten().filter_map(Child::of));
                }
            }
        }
    }
}

impl Child {
    fn of(pair: &(Square, Child)) -> Option<usize> {
        match pair.1 {
            Child::Node(id) => Some(id),
            Child::Over(_) => None,
        }
    }
}
