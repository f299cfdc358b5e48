//! Proving a claim about a position by a tree of moves.
//!
//! To prove that the side to move scores at least so much, one good move is enough; to prove that it
//! scores at most so much, every move must be looked at. The tree grows down to positions with few
//! enough empty squares, its leaves, which are solved by null windows. Where one move is enough, the one
//! is followed that promises to cost least: by what the evaluation thinks of it, and by what the proof of
//! all that follows is going to cost. When a leaf turns out otherwise than expected, the costs above it
//! change, and perhaps the move.
//!
//! Where it can be afforded, a node is solved beforehand, and the move that was found is followed: then
//! nothing turns out otherwise. What was found so guides the proof and is no part of it: the leaves are
//! solved all the same.
//!
//! [`Prover`] has no thread and no clock: it says which leaves to solve, and is told what came of them.

mod estimate;
mod tree;

pub use estimate::{Forecast, forecast};
pub use tree::{Prover, Size};

use obverse_board::{Counting, Position, Score, Square};

/// A bound on the score of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// It is this or more.
    AtLeast(i8),
    /// It is this or less.
    AtMost(i8),
}

impl Claim {
    /// The same, said of the other side's score.
    #[must_use = "this returns the other claim"]
    pub const fn turned(self) -> Claim {
        match self {
            Claim::AtLeast(bound) => Claim::AtMost(-bound),
            Claim::AtMost(bound) => Claim::AtLeast(-bound),
        }
    }

    /// Whether it is true or false, if bounds on the score tell.
    pub fn is_settled_by(self, lower: Score, upper: Score) -> Option<bool> {
        let (yes, no) = match self {
            Claim::AtLeast(bound) => (lower.0 >= bound, upper.0 < bound),
            Claim::AtMost(bound) => (upper.0 <= bound, lower.0 > bound),
        };
        (yes || no).then_some(yes)
    }

    /// The null window that settles it.
    pub const fn window(self) -> (i8, i8) {
        match self {
            Claim::AtLeast(bound) => (bound - 1, bound),
            Claim::AtMost(bound) => (bound, bound + 1),
        }
    }

    /// By how much a value speaks for it, in discs.
    pub fn margin(self, value: f32) -> f32 {
        match self {
            Claim::AtLeast(bound) => value - f32::from(bound),
            Claim::AtMost(bound) => f32::from(bound) - value,
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Claim::AtLeast(bound) => write!(f, ">= {bound}"),
            Claim::AtMost(bound) => write!(f, "<= {bound}"),
        }
    }
}

/// Whom a prover asks what is quickly found out.
pub trait Oracle {
    /// What the evaluation thinks of a position, in discs for the side to move, after a look so many
    /// moves ahead.
    fn value(&mut self, position: Position, depth: u32) -> f32;

    /// Bounds on the score of a leaf that are known already.
    fn known(&mut self, position: Position) -> Option<(Score, Score)>;

    /// Whether a lower bound is true, and the move that reaches it; `None` if it would cost too much to
    /// find out.
    fn settle(&mut self, position: Position, claim: Claim) -> Option<Settled> {
        let _ = (position, claim);
        None
    }
}

/// What a solver found of a lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// It is true, for this move reaches it.
    By(Square),
    /// It is false.
    False,
}

/// What is to be proven, and how far down the tree goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The position.
    pub position: Position,
    /// What is claimed of it.
    pub claim: Claim,
    /// How a finished game is counted.
    pub counting: Counting,
    /// Positions with this many empty squares or fewer are solved.
    pub split: u32,
}
