//! The moves of a game with variations while they are being read.
//!
//! Nodes lie in one list, each with the number of the one before it, so that no input nests deeply.
//! The first node that follows another continues its line; any further one begins a branch.

use super::Record;
use super::comment::trim;
use super::line::{Branch, Line, Note};
use crate::{Color, Game, IllegalMove, Move, Position};

/// A node of the tree: the start, or the one made by a move.
pub(in crate::notation) type NodeId = usize;

pub(in crate::notation) struct Tree {
    nodes: Vec<Node>,
}

struct Node {
    /// The node before it, and the move that made it; the start has none.
    made: Option<(NodeId, Move)>,
    position: Position,
    note: Note,
    has_next: bool,
    /// The node after a pass, which is the only move where there is one.
    pass: Option<NodeId>,
}

/// Why a move cannot follow.
pub(in crate::notation) enum Refusal {
    Illegal(IllegalMove),
    NotInTurn(Color),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Illegal(illegal) => illegal.fmt(f),
            Refusal::NotInTurn(color) => {
                write!(f, "found a move of {color}, but it is the turn of {}", !*color)
            }
        }
    }
}

impl Tree {
    pub(in crate::notation) const START: NodeId = 0;

    pub(in crate::notation) fn new(start: Position) -> Tree {
        let mut nodes = Vec::with_capacity(64);
        nodes.push(Node {
            made: None,
            position: start,
            note: Note::default(),
            has_next: false,
            pass: None,
        });
        Tree { nodes }
    }

    pub(in crate::notation) fn position(&self, node: NodeId) -> Position {
        self.nodes[node].position
    }

    /// What is said of the move that made a node.
    pub(in crate::notation) fn note(&mut self, node: NodeId) -> &mut Note {
        &mut self.nodes[node].note
    }

    /// The node before one.
    pub(in crate::notation) fn before(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].made.map(|made| made.0)
    }

    /// The node after a move of `color`, or of whoever is to move.
    ///
    /// A pass that was left out is made; one that was made, or where the game is over, is not again.
    pub(in crate::notation) fn play(
        &mut self,
        node: NodeId,
        color: Option<Color>,
        mv: Move,
    ) -> Result<NodeId, Refusal> {
        let position = self.position(node);
        let turn = position.turn();
        let is_other = color.is_some_and(|color| color != turn);
        match mv {
            Move::Pass if is_other || position.is_over() => Ok(node),
            Move::Pass => {
                position.pass().map_err(Refusal::Illegal)?;
                Ok(self.pass(node))
            }
            Move::Place(square) => {
                let must_pass = position.must_pass();
                if is_other && !must_pass {
                    return Err(Refusal::NotInTurn(!turn));
                }
                let before = if must_pass { position.pass_unchecked() } else { position };
                if must_pass && color == Some(turn) {
                    // It cannot move there; say so in its name.
                    position.play(square).map_err(Refusal::Illegal)?;
                }
                let next = before.play(square).map_err(Refusal::Illegal)?;
                let node = if must_pass { self.pass(node) } else { node };
                Ok(self.add(node, mv, next))
            }
        }
    }

    fn pass(&mut self, node: NodeId) -> NodeId {
        if let Some(after) = self.nodes[node].pass {
            return after;
        }
        let after = self.add(node, Move::Pass, self.position(node).pass_unchecked());
        self.nodes[node].pass = Some(after);
        after
    }

    fn add(&mut self, before: NodeId, mv: Move, position: Position) -> NodeId {
        self.nodes.push(Node {
            made: Some((before, mv)),
            position,
            note: Note::default(),
            has_next: false,
            pass: None,
        });
        self.nodes.len() - 1
    }

    /// Completes a record with the line of the first node after each, and its branches.
    pub(in crate::notation) fn finish(self, record: &mut Record) {
        record.line = self.into_line();
        trim(&mut record.comment);
    }

    fn into_line(mut self) -> Line {
        struct Open {
            line: Line,
            /// The line it leaves, and after how many moves of it.
            from: Option<(usize, usize)>,
        }
        let begin = |position| Line::new(Game::new(position));
        let mut lines = vec![Open { line: begin(self.nodes[0].position), from: None }];
        // Where each node stands: its line, and how many moves of that line lead to it.
        let mut places = vec![(0, 0); self.nodes.len()];
        for i in 1..self.nodes.len() {
            let (before, mv) = self.nodes[i].made.expect("only the first node has none before it");
            let (mut line, mut ply) = places[before];
            if std::mem::replace(&mut self.nodes[before].has_next, true) {
                let from = Some((line, ply));
                (line, ply) = (lines.len(), 0);
                lines.push(Open { line: begin(self.nodes[before].position), from });
            }
            places[i] = (line, ply + 1);
            let node = &mut self.nodes[i];
            let line = &mut lines[line].line;
            line.game.push(mv, node.position);
            let mut note = std::mem::take(&mut node.note);
            trim(&mut note.comment);
            if note != Note::default() {
                line.notes.resize(ply, Note::default());
                line.notes.push(note);
            }
        }
        // A branch stands behind the line it leaves, so from the end each is complete when it is reached.
        while lines.len() > 1 {
            let Some(Open { mut line, from: Some((into, ply)) }) = lines.pop() else { break };
            sort(&mut line);
            lines[into].line.branches.push(Branch { ply, line });
        }
        let mut main = lines.swap_remove(0).line;
        sort(&mut main);
        main
    }
}

/// Puts branches, which were collected from the last to the first, in the order of their places.
fn sort(line: &mut Line) {
    line.branches.reverse();
    line.branches.sort_by_key(|branch| branch.ply);
}
