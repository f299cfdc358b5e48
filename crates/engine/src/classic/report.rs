//! What a search found.

use std::fmt;

use obverse_board::Move;

/// The answer of a search and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The value of the position for the side to move.
    pub value: f64,
    /// The best move: a pass where it is forced, `None` when the game is over.
    pub best: Option<Move>,
    /// The number of positions visited, the root included; a position visited twice counts twice.
    pub nodes: u64,
    /// What is known of every move at the root, by square index.
    pub moves: Vec<RootMove>,
}

/// A move at the root and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it, or a bound on it.
    pub value: f64,
    /// Whether the value is exact.
    pub bound: Bound,
}

/// How a stated value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is as great or greater.
    AtLeast,
    /// The true value is as small or smaller.
    AtMost,
}

impl Bound {
    /// What `value`, found by searching the window from `alpha` to `beta`, says of the true value.
    ///
    /// This holds for a fail-soft search and for a fail-hard one.
    #[inline]
    pub(super) fn of(value: f64, alpha: f64, beta: f64) -> Bound {
        if value >= beta {
            Bound::AtLeast
        } else if value <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }
}

/// `=`, `>=` or `<=`, to be read before the value.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Bound::Exact => "=",
            Bound::AtLeast => ">=",
            Bound::AtMost => "<=",
        })
    }
}

impl Report {
    /// The report on a position where the game is over.
    pub(super) fn of_end(value: f64) -> Report {
        Report { value, best: None, nodes: 1, moves: Vec::new() }
    }

    /// The report on a position with these moves in any order, one of the best of which is exact.
    pub(super) fn of_moves(mut moves: Vec<RootMove>, nodes: u64) -> Report {
        moves.sort_by_key(|root| root.mv.square());
        let exact = moves.iter().filter(|root| root.bound == Bound::Exact);
        let best = exact.reduce(|best, root| if root.value > best.value { root } else { best });
        let RootMove { mv, value, .. } = *best.expect("the first move searched is exact");
        Report { value, best: Some(mv), nodes, moves }
    }
}

impl RootMove {
    /// The move that leads to a position worth `reply` to the other side.
    pub(super) fn new(mv: Move, reply: f64, bound: Bound) -> RootMove {
        // Unlike `-reply` this turns 0 into 0, not into a -0 that would print as such.
        RootMove { mv, value: 0.0 - reply, bound }
    }
}
