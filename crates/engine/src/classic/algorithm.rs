//! The two algorithms by name.

use std::fmt;

use obverse_board::Position;

use super::{AlphaBeta, Lookahead, Minimax, Report};

/// One of the two ways to search, for comparing them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// [`Minimax`].
    Minimax,
    /// [`AlphaBeta`] in reading order and without a table.
    AlphaBeta,
}

impl Algorithm {
    /// Both, the older first.
    pub const ALL: [Algorithm; 2] = [Algorithm::Minimax, Algorithm::AlphaBeta];

    /// Searches one position once; the caller may time it.
    pub fn search(self, lookahead: Lookahead, position: Position) -> Report {
        match self {
            Algorithm::Minimax => Minimax::new(lookahead).search(position),
            Algorithm::AlphaBeta => AlphaBeta::new(lookahead).search(position),
        }
    }

    /// The same with an exact value for every move at the root.
    pub fn search_exact(self, lookahead: Lookahead, position: Position) -> Report {
        match self {
            Algorithm::Minimax => Minimax::new(lookahead).search(position),
            Algorithm::AlphaBeta => AlphaBeta::new(lookahead).search_exact(position),
        }
    }
}

/// The word used in player names.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Algorithm::Minimax => "minimax",
            Algorithm::AlphaBeta => "alphabeta",
        })
    }
}
