//! The textbook players, written to be read.
//!
//! Read in this order:
//!
//! 1. [`Lookahead`]: how far to look ([`Depth`]), how to judge what is seen there ([`Eval`]), and
//!    whether a pass counts as a ply. It alone decides what a position is worth.
//! 2. [`Minimax`] computes that value by looking at everything; [`AlphaBeta`] computes the same
//!    value and the same move from fewer positions. Both answer with a [`Report`].
//! 3. [`Spec`] is a player's name as people type it, [`Player`] the player itself; [`Random`] is the
//!    weakest of them. [`duel`] lets two of them play.
//! 4. For teaching: [`tree`] keeps the whole search tree as data, [`tiny`] plays 4×4 Reversi to the
//!    end, [`kply`] is the k-ply program of the exercise books, and [`stats`] measures game length
//!    and branching factors.

mod algorithm;
mod alphabeta;
mod cell;
mod depth;
pub mod duel;
mod eval;
pub mod kply;
mod lookahead;
mod minimax;
mod player;
mod random;
mod report;
mod rng;
mod spec;
pub mod stats;
mod table;
pub mod tiny;
pub mod tree;

pub use algorithm::Algorithm;
pub use alphabeta::{AlphaBeta, Order};
pub use cell::square_value;
pub use depth::{Depth, ParseDepthError};
pub use eval::{Eval, Weights};
pub use lookahead::Lookahead;
pub use minimax::{Minimax, count_nodes};
pub use player::Player;
pub use random::Random;
pub use report::{Bound, Report, RootMove};
pub use rng::Rng;
pub use spec::{ParseSpecError, Spec};
