//! The bit arithmetic under the rules: legal moves and flips of a pair of bitboards.
//!
//! Throughout, `p` is the set of the discs of the side to move (the player) and `o` that of the
//! opponent. Only [`Board`](crate::Board) calls these.

mod portable;

pub(crate) use portable::{flips, moves};
