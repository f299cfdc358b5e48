//! Counting the games of a given length: the standard test of a move generator.

use crate::{Bitboard, Board, Move, Position};

/// Whether a pass uses up one ply of depth. Published tables differ in just this.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passes {
    /// A pass is a ply like any other.
    Ply,
    /// A pass costs nothing: depth counts discs.
    Free,
}

/// The number of games of `depth` plies from `position`; a game that ends earlier counts once.
pub fn perft(position: Position, depth: u32, passes: Passes) -> u64 {
    Counter { squares: position.size().squares(), passes }.count(position.board(), depth)
}

/// The same number split by the first move, in reading order.
///
/// Empty at depth 0 and in a finished game.
pub fn divide(position: Position, depth: u32, passes: Passes) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let counter = Counter { squares: position.size().squares(), passes };
    let board = position.board();
    if position.must_pass() {
        return vec![(Move::Pass, counter.count(board, depth))];
    }
    let moves = position.moves().into_iter();
    moves.map(|m| (Move::Place(m), counter.count(board.play_unchecked(m), depth - 1))).collect()
}

struct Counter {
    squares: Bitboard,
    passes: Passes,
}

impl Counter {
    fn count(&self, board: Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = board.moves() & self.squares;
        if moves.is_empty() {
            return self.count_passed(board, depth);
        }
        if depth == 1 {
            // Each move is one game; there is no need to make it.
            return u64::from(moves.count());
        }
        moves.into_iter().map(|square| self.count(board.play_unchecked(square), depth - 1)).sum()
    }

    #[cold]
    fn count_passed(&self, board: Board, depth: u32) -> u64 {
        let passed = board.pass();
        if (passed.moves() & self.squares).is_empty() {
            return 1;
        }
        match self.passes {
            Passes::Ply => self.count(passed, depth - 1),
            Passes::Free => self.count(passed, depth),
        }
    }
}
