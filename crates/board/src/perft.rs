//! Counting the games of a given length: the standard test of a move generator.
//!
//! Every game is counted by generating its moves, without a table of positions already counted. Moves
//! are made four at a time, the last is not made but counted, and of first moves that lead to
//! symmetric positions only one is followed.

use crate::{Board, Move, Position, kernel};

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
    if depth == 0 || position.is_over() {
        return 1;
    }
    divide(position, depth, passes).into_iter().map(|(_, count)| count).sum()
}

/// The same number split by the first move, in reading order.
///
/// Empty at depth 0 and in a finished game.
pub fn divide(position: Position, depth: u32, passes: Passes) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let (size, board) = (position.size(), position.board());
    let counter = Counter { squares: size.squares().0, passes };
    if position.must_pass() {
        return vec![(Move::Pass, counter.count(board.player().0, board.opponent().0, depth))];
    }
    let mut known: Vec<(Board, u64)> = Vec::new();
    let mut count = |next: Board| {
        let canonical = next.canonical(size).0;
        if let Some(&(_, count)) = known.iter().find(|(board, _)| *board == canonical) {
            return count;
        }
        let count = counter.count(next.player().0, next.opponent().0, depth - 1);
        known.push((canonical, count));
        count
    };
    let moves = position.moves().into_iter();
    moves.map(|square| (Move::Place(square), count(board.play_unchecked(square)))).collect()
}

struct Counter {
    squares: u64,
    passes: Passes,
}

impl Counter {
    /// The number of games of `depth` plies if the player has the discs `p` and the opponent `o`.
    fn count(&self, p: u64, o: u64, depth: u32) -> u64 {
        if depth == 0 {
            1
        } else {
            self.count_known(p, o, kernel::moves(p, o) & self.squares, depth)
        }
    }

    /// The number of games of `depth` plies, at least two, that begin with one of `moves`.
    #[expect(clippy::needless_bitwise_bool, reason = "without branches 7 % faster")]
    fn count_from(&self, p: u64, o: u64, mut moves: u64, depth: u32) -> u64 {
        let mut count = 0;
        while moves != 0 {
            // The last of the four may be no moves; they are computed and left out. Branches for
            // groups of one, two and three are slower, being unpredictable.
            let is_move = [1, 2, 3, 4].map(|n| moves.count_ones() >= n);
            let indices = [pop(&mut moves), pop(&mut moves), pop(&mut moves), pop(&mut moves)];
            let replies = kernel::replies(p, o, indices);
            let replies_on_board = replies.moves.map(|moves| moves & self.squares);
            if depth == 2 {
                // Each reply is one game; there is no need to make it.
                let counts = replies_on_board.map(|moves| u64::from(moves.count_ones()));
                let has_pass = (0..4).fold(false, |any, i| any | is_move[i] & (counts[i] == 0));
                if !has_pass {
                    count += (0..4).map(|i| if is_move[i] { counts[i] } else { 0 }).sum::<u64>();
                    continue;
                }
            }
            for i in 0..4 {
                if is_move[i] {
                    let (p, o) = (replies.player[i], replies.opponent[i]);
                    count += self.count_known(p, o, replies_on_board[i], depth - 1);
                }
            }
        }
        count
    }

    /// The number of games of `depth` plies, at least one, if the player has these `moves`.
    #[inline]
    fn count_known(&self, p: u64, o: u64, moves: u64, depth: u32) -> u64 {
        match depth {
            _ if moves == 0 => self.count_passed(p, o, depth),
            1 => u64::from(moves.count_ones()),
            _ => self.count_from(p, o, moves, depth),
        }
    }

    /// The number of games if the player cannot move.
    #[cold]
    fn count_passed(&self, p: u64, o: u64, depth: u32) -> u64 {
        if kernel::moves(o, p) & self.squares == 0 {
            return 1;
        }
        match self.passes {
            Passes::Ply => self.count(o, p, depth - 1),
            Passes::Free => self.count(o, p, depth),
        }
    }
}

/// Removes the first square of a set and returns its index; 64 if there is none.
#[inline]
fn pop(squares: &mut u64) -> u8 {
    let index = squares.trailing_zeros();
    *squares &= squares.wrapping_sub(1);
    index as u8
}
