//! The k-ply program of the exercise books: the best move by looking `k` plies ahead, and a whole
//! game played that way.
//!
//! Leaves are judged by the discs of the side at the root minus the other's. Both algorithms answer
//! alike, down to the values of all moves: for these alpha-beta searches each move at the root with
//! a full window, because a bound would be no answer.

use std::cmp::Ordering;

use obverse_board::perft::Passes;
use obverse_board::{Color, Move, Position, Square};

use super::{Algorithm, Depth, Eval, Lookahead};

/// What the program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kply {
    /// How many plies to look ahead: the k.
    pub depth: Depth,
    /// Whether a pass uses up a ply.
    pub passes: Passes,
    /// How to search.
    pub algorithm: Algorithm,
}

/// The values of all moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    /// Each legal move and the disc difference it leads to, by square index.
    pub moves: Vec<(Square, i32)>,
    /// The best of them, the first one if several are; `None` if there is no move.
    pub best: Option<Square>,
    /// The positions visited to find them, the root included.
    pub nodes: u64,
}

/// A game both sides of which were played by the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FullGame {
    /// The squares played, in order; passes are not listed.
    pub squares: Vec<Square>,
    /// The side with more discs at the end, if any.
    pub winner: Option<Color>,
    /// Black's discs at the end.
    pub black: u32,
    /// White's discs at the end.
    pub white: u32,
}

impl Kply {
    /// The best move, the first one if several are; `None` if the side to move has none.
    pub fn best(self, position: Position) -> Option<Square> {
        if position.moves().is_empty() {
            return None;
        }
        self.algorithm.search(self.lookahead(), position).best.and_then(Move::square)
    }

    /// The exact value of every move.
    pub fn values(self, position: Position) -> Values {
        if position.moves().is_empty() {
            return Values { moves: Vec::new(), best: None, nodes: 1 };
        }
        let report = self.algorithm.search_exact(self.lookahead(), position);
        let moves = report.moves.iter();
        Values {
            moves: moves.filter_map(|m| Some((m.mv.square()?, m.value as i32))).collect(),
            best: report.best.and_then(Move::square),
            nodes: report.nodes,
        }
    }

    /// Plays both sides from `start` to the end of the game.
    pub fn full_game(self, start: Position) -> FullGame {
        let mut squares = Vec::new();
        let mut position = start;
        while !position.is_over() {
            position = match self.best(position) {
                None => position.pass_unchecked(),
                Some(square) => {
                    squares.push(square);
                    position.play_unchecked(square)
                }
            };
        }
        let [black, white] = [Color::Black, Color::White].map(|c| position.discs(c).count());
        FullGame {
            squares,
            winner: match black.cmp(&white) {
                Ordering::Greater => Some(Color::Black),
                Ordering::Less => Some(Color::White),
                Ordering::Equal => None,
            },
            black,
            white,
        }
    }

    fn lookahead(self) -> Lookahead {
        Lookahead { depth: self.depth, eval: Eval::Discs, passes: self.passes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Game, Size};

    fn kply(depth: u8, algorithm: Algorithm) -> Kply {
        Kply { depth: Depth::new(depth).unwrap(), passes: Passes::Ply, algorithm }
    }

    #[test]
    fn at_one_ply_the_move_that_flips_most_wins() {
        // Black a1 and h8; b1 flips nothing, d1 takes two and e8 three.
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        let black = set(&[Square::A1, Square::H8]);
        let white = set(&[Square::B1, Square::C1, Square::E8, Square::F8, Square::G8]);
        let position = Position::new(Size::Eight, black, white, Color::Black).unwrap();
        for algorithm in Algorithm::ALL {
            let values = kply(1, algorithm).values(position);
            assert_eq!(values.moves, [(Square::D1, 2), (Square::D8, 4)]);
            assert_eq!((values.best, values.nodes), (Some(Square::D8), 3));
        }
    }

    #[test]
    fn a_side_without_a_move_has_no_best_one() {
        let (black, white) = (Bitboard::of(Square::B1), Bitboard::of(Square::A1));
        let stuck = Position::new(Size::Eight, black, white, Color::Black).unwrap();
        for algorithm in Algorithm::ALL {
            let kply = kply(3, algorithm);
            assert_eq!(kply.best(stuck), None);
            assert_eq!(kply.values(stuck), Values { moves: Vec::new(), best: None, nodes: 1 });
            let game = kply.full_game(stuck);
            let expected = FullGame {
                squares: vec![Square::C1],
                winner: Some(Color::White),
                black: 0,
                white: 3,
            };
            assert_eq!(game, expected, "white plays on after the pass");
        }
    }

    #[test]
    fn both_algorithms_play_the_same_game() {
        for size in Size::ALL {
            let start = Position::start(size);
            let [one, other] = Algorithm::ALL.map(|a| kply(3, a).full_game(start));
            assert_eq!(one, other, "{size}");
            let mut game = Game::new(start);
            for &square in &one.squares {
                game.play(square).unwrap();
            }
            assert!(game.is_over());
        }
    }

    #[test]
    fn looking_to_the_end_plays_the_perfect_game() {
        let game = kply(16, Algorithm::AlphaBeta).full_game(Position::start(Size::Four));
        assert_eq!((game.black, game.white, game.winner), (3, 11, Some(Color::White)));
    }
}
