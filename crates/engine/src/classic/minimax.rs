//! Minimax: look at every position within the depth.
//!
//! The two sides are one function: since a value for one side is the negative of the value for the
//! other, both maximize, and each reply is negated on the way up ("negamax"). For max and min
//! written out as two functions see [`tiny`](super::tiny).

use obverse_board::{Bitboard, Board, Move, Position, Size};

use super::{Bound, Lookahead, Report, RootMove};

/// The plain full search.
///
/// ```
/// use obverse_board::{Position, Size, perft::Passes};
/// use obverse_engine::classic::{Depth, Eval, Lookahead, Minimax};
///
/// let lookahead = Lookahead { depth: Depth::MIN, eval: Eval::Discs, passes: Passes::Ply };
/// let report = Minimax::new(lookahead).search(Position::start(Size::Eight));
/// assert_eq!((report.value, report.nodes), (3.0, 5), "4 discs against 1, seen 5 positions");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Minimax {
    lookahead: Lookahead,
}

impl Minimax {
    /// The search for what `lookahead` asks.
    pub const fn new(lookahead: Lookahead) -> Minimax {
        Minimax { lookahead }
    }

    /// Searches `position`; the value of every move at the root is exact.
    pub fn search(&self, position: Position) -> Report {
        let Lookahead { depth, eval, .. } = self.lookahead;
        let depth = depth.plies();
        let board = position.board();
        let mut search = Search::new(self.lookahead, position.size());
        search.nodes = 1;
        let moves: Vec<RootMove> = if position.must_pass() {
            let reply = search.value(board.pass(), self.lookahead.after_pass(depth));
            vec![RootMove::new(Move::Pass, reply, Bound::Exact)]
        } else {
            let moves = position.moves().into_iter();
            moves
                .map(|square| {
                    let reply = search.value(board.play_unchecked(square), depth - 1);
                    RootMove::new(Move::Place(square), reply, Bound::Exact)
                })
                .collect()
        };
        if moves.is_empty() {
            return Report::of_end(eval.value(position));
        }
        Report::of_moves(moves, search.nodes)
    }
}

/// The number of positions that minimax visits, counted without judging any.
pub fn count_nodes(lookahead: Lookahead, position: Position) -> u64 {
    Search::new(lookahead, position.size()).count(position.board(), lookahead.depth.plies())
}

/// A search under way.
struct Search {
    lookahead: Lookahead,
    size: Size,
    squares: Bitboard,
    nodes: u64,
}

impl Search {
    fn new(lookahead: Lookahead, size: Size) -> Search {
        Search { lookahead, size, squares: size.squares(), nodes: 0 }
    }

    /// The value of `board` for the player with `depth` left.
    fn value(&mut self, board: Board, depth: u8) -> f64 {
        self.nodes += 1;
        if depth == 0 {
            return self.lookahead.eval.of(board, self.size);
        }
        let moves = board.moves() & self.squares;
        if moves.is_empty() {
            let passed = board.pass();
            if (passed.moves() & self.squares).is_empty() {
                return self.lookahead.eval.of(board, self.size);
            }
            return -self.value(passed, self.lookahead.after_pass(depth));
        }
        let mut best = f64::NEG_INFINITY;
        for square in moves {
            best = best.max(-self.value(board.play_unchecked(square), depth - 1));
        }
        best
    }

    /// The number of positions `value` would visit.
    fn count(&self, board: Board, depth: u8) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = board.moves() & self.squares;
        if moves.is_empty() {
            let passed = board.pass();
            if (passed.moves() & self.squares).is_empty() {
                return 1;
            }
            return 1 + self.count(passed, self.lookahead.after_pass(depth));
        }
        if depth == 1 {
            // Each move leads to a leaf; there is no need to make it.
            return 1 + u64::from(moves.count());
        }
        let successors = moves.into_iter().map(|square| board.play_unchecked(square));
        1 + successors.map(|next| self.count(next, depth - 1)).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "disc counts are integers")]

    use super::*;
    use crate::classic::{Depth, Eval};
    use obverse_board::perft::{Passes, perft};
    use obverse_board::{Color, Square};

    fn search(position: Position, depth: u8, passes: Passes) -> Report {
        let depth = Depth::new(depth).expect("a depth");
        Minimax::new(Lookahead { depth, eval: Eval::Discs, passes }).search(position)
    }

    #[test]
    fn the_nodes_are_those_of_perft_at_all_depths() {
        let start = Position::start(Size::Eight);
        for depth in 1..=6 {
            // No game ends and nobody passes this early, so each depth is one more layer.
            let layers: u64 = (0..=depth).map(|d| perft(start, d, Passes::Ply)).sum();
            assert_eq!(search(start, depth as u8, Passes::Ply).nodes, layers);
        }
    }

    #[test]
    fn a_whole_game_on_the_smallest_board_is_lost_by_eight() {
        let report = search(Position::start(Size::Four), 60, Passes::Ply);
        assert_eq!((report.value, report.nodes), (-8.0, 224821));
        assert_eq!(report.best, Some(Move::Place(Square::B1)));
        assert!(report.moves.iter().all(|root| root.value == -8.0), "the four are symmetric");
    }

    #[test]
    fn a_pass_uses_up_a_ply_or_does_not() {
        // Black must pass; white takes b1 on c1, and the game is over.
        let (black, white) = (Bitboard::of(Square::B1), Bitboard::of(Square::A1));
        let stuck = Position::new(Size::Eight, black, white, Color::Black).unwrap();
        let report = search(stuck, 1, Passes::Ply);
        assert_eq!((report.value, report.best, report.nodes), (0.0, Some(Move::Pass), 2));
        let report = search(stuck, 1, Passes::Free);
        assert_eq!((report.value, report.best, report.nodes), (-3.0, Some(Move::Pass), 3));
    }

    #[test]
    fn a_finished_game_has_a_value_but_no_move() {
        let a1 = Bitboard::of(Square::A1);
        let over = Position::new(Size::Four, a1, Bitboard::EMPTY, Color::White).unwrap();
        let report = search(over, 3, Passes::Ply);
        assert_eq!(report, Report { value: -1.0, best: None, nodes: 1, moves: Vec::new() });
    }
}
