//! Alpha-beta: minimax without the positions that cannot matter.
//!
//! Each position is searched with a window. A side that has already found a reply worth `alpha`
//! elsewhere does not care how bad this one is, and will not be let into it at all if it is worth
//! `beta` or more: then the remaining moves are cut off. The search is *fail-soft*: what it returns
//! inside the window is exact, at or below `alpha` an upper bound and at or above `beta` a lower
//! bound, each as tight as the visited positions allow.
//!
//! Neither the order of moves nor the transposition table changes the answer: the value *and* the
//! move are always those of [`Minimax`](super::Minimax), ties included.
//!
//! Reference: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6
//! (1975).

use std::fmt;

use obverse_board::{Bitboard, Board, Move, Position, Size, Square};

use super::table::Table;
use super::{Bound, Lookahead, Report, RootMove, cell};

/// The order in which moves are tried. A good one finds the cuts early.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// By square index: left to right, top to bottom.
    #[default]
    Reading,
    /// By [square value](super::square_value), dearest first; equal ones by square index.
    Positional,
}

impl Order {
    /// Sets of squares; moves in an earlier set come first, and within a set by index.
    fn sets(self, size: Size) -> &'static [Bitboard] {
        match self {
            Order::Reading => &[Bitboard::ALL],
            Order::Positional => cell::by_value(size),
        }
    }
}

/// The word used in player names.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Order::Reading => "reading",
            Order::Positional => "positional",
        })
    }
}

/// The search with cuts.
///
/// ```
/// use obverse_board::{Position, Size, perft::Passes};
/// use obverse_engine::classic::{AlphaBeta, Depth, Eval, Lookahead, Order};
///
/// let depth = Depth::new(6).unwrap();
/// let lookahead = Lookahead { depth, eval: Eval::Discs, passes: Passes::Ply };
/// let start = Position::start(Size::Eight);
/// let plain = AlphaBeta::new(lookahead).search(start);
/// let tuned =
///     AlphaBeta::new(lookahead).with_order(Order::Positional).with_table().search(start);
/// assert_eq!((plain.value, plain.best), (tuned.value, tuned.best));
/// ```
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    lookahead: Lookahead,
    order: Order,
    table: Option<Table>,
}

impl AlphaBeta {
    /// The search for what `lookahead` asks, in reading order and without a table.
    pub const fn new(lookahead: Lookahead) -> AlphaBeta {
        AlphaBeta { lookahead, order: Order::Reading, table: None }
    }

    /// The same search in another order of moves.
    #[must_use = "this returns the changed search"]
    pub fn with_order(self, order: Order) -> AlphaBeta {
        AlphaBeta { order, ..self }
    }

    /// The same search with a transposition table of 2 MiB, which is emptied before each search.
    #[must_use = "this returns the changed search"]
    pub fn with_table(self) -> AlphaBeta {
        AlphaBeta { table: Some(Table::new()), ..self }
    }

    /// Searches `position`.
    ///
    /// Of the moves at the root only those that were best when they were searched have an exact
    /// value; of the others it is known that they are worth at most as much as is said.
    pub fn search(&mut self, position: Position) -> Report {
        self.search_root(position, |square, best| match best {
            None => f64::NEG_INFINITY,
            // An equal value would win the tie by its lower index, so it must not fail low.
            Some((value, chosen)) if square < chosen => value.next_down(),
            Some((value, _)) => value,
        })
    }

    /// Searches `position` so that the value of every move at the root is exact.
    ///
    /// Each is searched with a full window, which costs more nodes.
    pub fn search_exact(&mut self, position: Position) -> Report {
        self.search_root(position, |_, _| f64::NEG_INFINITY)
    }

    /// Searches each move at the root with the alpha that `floor` gives it, from the move and the
    /// best so far.
    fn search_root(
        &mut self,
        position: Position,
        floor: impl Fn(Square, Option<(f64, Square)>) -> f64,
    ) -> Report {
        let Lookahead { depth, eval, .. } = self.lookahead;
        let (size, depth) = (position.size(), depth.plies());
        let board = position.board();
        if position.is_over() {
            return Report::of_end(eval.value(position));
        }
        let mut search = self.begin(size);
        if position.must_pass() {
            let depth = search.lookahead.after_pass(depth);
            let reply = search.value(board.pass(), depth, f64::NEG_INFINITY, f64::INFINITY);
            let pass = RootMove::new(Move::Pass, reply, Bound::Exact);
            return Report::of_moves(vec![pass], search.nodes);
        }
        let mut moves = Vec::new();
        let mut best = None;
        for &set in search.order {
            for square in position.moves() & set {
                let alpha = floor(square, best);
                let next = board.play_unchecked(square);
                let reply = search.value(next, depth - 1, f64::NEG_INFINITY, -alpha);
                let bound = Bound::of(-reply, alpha, f64::INFINITY);
                if bound == Bound::Exact {
                    best = Some((-reply, square));
                }
                moves.push(RootMove::new(Move::Place(square), reply, bound));
            }
        }
        Report::of_moves(moves, search.nodes)
    }

    fn begin(&mut self, size: Size) -> Search<'_> {
        if let Some(table) = &mut self.table {
            table.forget();
        }
        Search {
            lookahead: self.lookahead,
            size,
            squares: size.squares(),
            order: self.order.sets(size),
            table: self.table.as_mut(),
            nodes: 1,
        }
    }
}

/// A search under way; the root has been counted.
struct Search<'a> {
    lookahead: Lookahead,
    size: Size,
    squares: Bitboard,
    order: &'static [Bitboard],
    table: Option<&'a mut Table>,
    nodes: u64,
}

impl Search<'_> {
    /// The value of `board` for the player with `depth` left, or a bound on it that is not inside
    /// the window.
    fn value(&mut self, board: Board, depth: u8, alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        // 1. A leaf: no depth left, or nobody can move.
        if depth == 0 {
            return self.lookahead.eval.of(board, self.size);
        }
        let moves = board.moves() & self.squares;
        if moves.is_empty() {
            let passed = board.pass();
            if (passed.moves() & self.squares).is_empty() {
                return self.lookahead.eval.of(board, self.size);
            }
            // 2. A pass: the other side's value, from the other side.
            return -self.value(passed, self.lookahead.after_pass(depth), -beta, -alpha);
        }
        // 3. The table: this position has been searched before and the answer settles it.
        if let Some(value) = self.recall(board, depth, alpha, beta) {
            return value;
        }
        // 4. The moves, until one is so good that the other side will avoid this position.
        let best = self.best_of(board, moves, depth, alpha, beta);
        if let Some(table) = &mut self.table {
            table.store(board, depth, best, Bound::of(best, alpha, beta));
        }
        best
    }

    fn best_of(&mut self, board: Board, moves: Bitboard, depth: u8, alpha: f64, beta: f64) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for &set in self.order {
            for square in moves & set {
                let next = board.play_unchecked(square);
                best = best.max(-self.value(next, depth - 1, -beta, -alpha.max(best)));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// A stored value that is exact or lies outside the window.
    #[inline]
    fn recall(&self, board: Board, depth: u8, alpha: f64, beta: f64) -> Option<f64> {
        let (value, bound) = self.table.as_ref()?.find(board, depth)?;
        let settled = match bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        settled.then_some(value)
    }
}
