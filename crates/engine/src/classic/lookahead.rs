//! What a search computes, whichever algorithm does it.

use obverse_board::perft::Passes;

use super::{Depth, Eval};

/// How far to look, how to judge what is seen there, and what counts as a ply.
///
/// These three alone decide the value of a position and the best move. The algorithm, the order of
/// moves and the transposition table only decide how many positions must be looked at to find them.
///
/// The value is that of the minimax rule. A position is a leaf when no depth is left or neither side
/// can move; its value is [`Eval::value`]. Any other position is worth as much as its best successor
/// is to the side to move; a side without a move has one successor, the pass. Of equally good moves
/// the one with the lowest square index is best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lookahead {
    /// How many plies to look ahead.
    pub depth: Depth,
    /// How leaves are judged.
    pub eval: Eval,
    /// Whether a pass uses up one ply.
    pub passes: Passes,
}

impl Lookahead {
    /// The depth left after a pass where `depth`, at least 1, was left.
    #[inline]
    pub(super) const fn after_pass(self, depth: u8) -> u8 {
        match self.passes {
            Passes::Ply => depth - 1,
            Passes::Free => depth,
        }
    }
}
