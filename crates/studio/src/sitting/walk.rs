//! Walking through the game and its variations.

use obverse_board::{Move, Position};

use super::{Refusal, Sitting, square};
use crate::tree::{AddError, NodeId, Tree};
use crate::view;
use crate::wire::{ErrorCode, Event, GameStatus, ToPage, WalkTo};

/// How a pass is said.
const PASS: &str = "pass";

/// So many discs are placed or taken off one by one; taking back takes two.
const STEPS_MAX: usize = 2;

impl Sitting {
    pub(super) fn check_node(&self, id: NodeId) -> Result<NodeId, Refusal> {
        if self.tree.get(id).is_some() {
            return Ok(id);
        }
        Err(Refusal::new(ErrorCode::NoNode, format!("there is no node {id}")).found(&id))
    }

    /// Notes that nodes have come, gone or moved.
    pub(super) fn tree_changed(&mut self) {
        self.changes.tree = true;
        self.changes.state = true;
        self.changes.saved = true;
    }

    /// Another tree is on the board, at `end` or after the pass that is forced there.
    pub(super) fn announce_board(&mut self, end: NodeId) {
        self.changes.events.push(Event::Jumped);
        if self.at != end {
            self.changes.events.extend(self.step_event(self.at));
        }
        self.tree_changed();
    }

    /// Goes to a child of the node on the board.
    pub(super) fn step_to(&mut self, child: NodeId) {
        self.changes.events.extend(self.step_event(child));
        self.at = child;
        self.tree.walk_to(child);
        self.save_soon();
    }

    /// What happens on the way to `child`.
    fn step_event(&self, child: NodeId) -> Option<Event> {
        let node = self.tree.node(child);
        let before = self.tree.node(node.parent?).position;
        let side = before.turn().into();
        Some(match node.mv? {
            Move::Pass => Event::Passed { side },
            Move::Place(square) => Event::Moved {
                side,
                square: square.to_string(),
                flips: view::flips(before, square),
            },
        })
    }

    /// Shows a node: move by move if it is near, else at once.
    pub(super) fn show(&mut self, id: NodeId) {
        if self.tree.node(id).position.must_pass() && self.tree.child(id, Move::Pass).is_none() {
            self.tree_changed();
        }
        let id = self.tree.settle(id).unwrap_or(id);
        let placed = |from: NodeId, to: NodeId| {
            let path = self.tree.path(to);
            let i = path.iter().position(|&id| id == from)?;
            let way = path[i + 1..].to_vec();
            let n_discs =
                way.iter().filter(|&&id| self.tree.node(id).mv != Some(Move::Pass)).count();
            (n_discs <= STEPS_MAX).then_some(way)
        };
        if id == self.at {
            self.changes.state = true;
            return;
        }
        if let Some(way) = placed(self.at, id) {
            for child in way {
                self.step_to(child);
            }
            return;
        }
        match placed(id, self.at) {
            Some(way) => {
                for &child in way.iter().rev() {
                    if let Some(Event::Moved { side, square, mut flips }) = self.step_event(child) {
                        flips.reverse();
                        self.changes.events.push(Event::Unmoved { side, square, flips });
                    }
                }
            }
            None => self.changes.events.push(Event::Jumped),
        }
        self.at = id;
        self.tree.walk_to(id);
        self.changes.state = true;
        self.save_soon();
    }

    pub(super) fn goto(&mut self, id: NodeId) -> Result<(), Refusal> {
        self.check_node(id)?;
        self.show(id);
        Ok(())
    }

    pub(super) fn walk(&mut self, to: WalkTo) {
        let id = match to {
            WalkTo::First => self.rest(Tree::ROOT),
            WalkTo::Tip => self.table.tip,
            WalkTo::Back => self.before(self.at),
            WalkTo::Forward => self.after(self.at),
            WalkTo::Last => std::iter::successors(Some(self.at), |&id| self.tree.next(id))
                .last()
                .unwrap_or(self.at),
            WalkTo::PreviousMistake => self.mistake(-1).unwrap_or(self.at),
            WalkTo::NextMistake => self.mistake(1).unwrap_or(self.at),
        };
        self.show(id);
    }

    /// The node where a board rests: the one after a forced pass, if that is there.
    fn rest(&self, id: NodeId) -> NodeId {
        self.tree.child(id, Move::Pass).unwrap_or(id)
    }

    /// The node one disc before.
    fn before(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let Some(parent) = self.tree.node(id).parent {
            let is_pass = self.tree.node(id).mv == Some(Move::Pass);
            id = parent;
            if !is_pass {
                return id;
            }
        }
        self.rest(id)
    }

    /// The node one disc after.
    fn after(&self, id: NodeId) -> NodeId {
        let next = self.tree.next(id).unwrap_or(id);
        self.rest(next)
    }

    pub(super) fn enter(&mut self, node: NodeId, moves: &[String]) -> Result<(), Refusal> {
        self.check_node(node)?;
        // Nothing is added unless all of it can be.
        follow(self.tree.node(node).position, moves)?;
        let mut id = node;
        for text in moves {
            id = self.tree.settle(id)?;
            if text != PASS {
                id = self.tree.add(id, Move::Place(square(text)?))?;
            }
        }
        let id = self.tree.settle(id)?;
        self.tree_changed();
        self.show(id);
        Ok(())
    }

    pub(super) fn preview(
        &mut self,
        to: Option<u32>,
        node: Option<NodeId>,
        is_puzzle: bool,
        moves: &[String],
    ) -> Result<(), Refusal> {
        let start = if is_puzzle {
            let none = || Refusal::new(ErrorCode::NoPuzzle, "there is no puzzle");
            self.puzzle_position().ok_or_else(none)?
        } else {
            self.tree.node(self.check_node(node.unwrap_or(self.at))?).position
        };
        let position = follow(start, moves)?;
        let last = moves.iter().rfind(|text| *text != PASS).cloned();
        self.out.messages.push(ToPage::Preview { to, position: view::view(position), last });
        Ok(())
    }

    pub(super) fn promote(&mut self, node: NodeId) -> Result<(), Refusal> {
        self.check_node(node)?;
        self.tree.promote(node);
        if self.is_in_play() {
            // The game itself is the main line.
            self.tree.promote(self.table.tip);
        }
        self.tree_changed();
        Ok(())
    }

    pub(super) fn delete(&mut self, node: NodeId) -> Result<(), Refusal> {
        self.check_node(node)?;
        let forbidden = || {
            let text = "the start and the moves of the game cannot be deleted";
            Refusal::new(ErrorCode::NoNode, text)
        };
        // A pass belongs to the move before it.
        let is_pass = self.tree.node(node).mv == Some(Move::Pass);
        let parent = self.tree.node(node).parent.ok_or_else(forbidden)?;
        let (node, parent) = if is_pass {
            (parent, self.tree.node(parent).parent.ok_or_else(forbidden)?)
        } else {
            (node, parent)
        };
        let is_free = self.table.status == GameStatus::Free;
        if !is_free && self.tree.leads_to(node, self.table.tip) {
            return Err(forbidden());
        }
        if self.tree.leads_to(node, self.at) {
            self.show(parent);
        }
        self.remove(node);
        Ok(())
    }

    /// Removes a node, which is not on the way to the board or to the tip of a game.
    pub(super) fn remove(&mut self, node: NodeId) {
        // Where there is no game these are nothing but bookmarks.
        for id in [&mut self.table.tip, &mut self.table.begun_at] {
            if self.tree.leads_to(node, *id) {
                *id = self.at;
            }
        }
        self.tree.remove(node);
        self.prune_review();
        self.tree_changed();
    }

    pub(super) fn is_in_play(&self) -> bool {
        matches!(self.table.status, GameStatus::Going | GameStatus::Paused)
    }
}

/// The position that moves lead to; passes may be said or not.
fn follow(start: Position, moves: &[String]) -> Result<Position, Refusal> {
    let settled = |position: Position| {
        if position.must_pass() { position.pass_unchecked() } else { position }
    };
    let mut position = settled(start);
    for text in moves.iter().filter(|text| *text != PASS) {
        position = settled(position.play(square(text)?).map_err(AddError::Illegal)?);
    }
    Ok(position)
}
