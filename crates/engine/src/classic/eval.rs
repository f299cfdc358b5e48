//! How a position is judged where the search stops looking.
//!
//! The value is for the side to move and exactly the negative for the other side: what one wins the
//! other loses. That is what lets one function maximize for both sides in turn.

use obverse_board::{Board, Position, Size};

use super::cell;

/// A disc of a finished game weighs this much beside the estimate of [`Eval::Positional`].
const DECIDED: f64 = 1000.0;

/// What a position is worth without looking further.
///
/// ```
/// use obverse_board::{Position, Size, Square};
/// use obverse_engine::classic::{Eval, Weights};
///
/// let position = Position::start(Size::Eight).play(Square::F5)?;
/// assert_eq!(Eval::Discs.value(position), -3.0, "white has 1 disc, black 4");
/// // d4 e4 d5 e5 f5 are worth -6 -6 -6 -6 2, so far 10 for white; black has 4 discs of 5; each
/// // side has 3 moves.
/// let eval = Eval::Positional(Weights { parity: 10.0, mobility: 50.0 });
/// assert_eq!(eval.value(position), 10.0 - 10.0 * 3.0 / 5.0 + 50.0 * 0.0);
/// # Ok::<(), obverse_board::IllegalMove>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Eval {
    /// Own discs minus the opponent's.
    Discs,
    /// The [square values](super::square_value) of own discs minus those of the opponent's, plus
    /// two weighted quotients, each from -1 to 1 and 0 where it would divide by 0:
    ///
    /// - parity: own discs minus the opponent's, over all discs;
    /// - mobility: own moves minus the opponent's, over all moves.
    ///
    /// When the game is over it is 1000 times the disc difference instead, so that a game that is
    /// decided outweighs any estimate (as long as the weights add up to less than 500).
    Positional(Weights),
}

impl Eval {
    /// The value of `position` for the side to move.
    pub fn value(self, position: Position) -> f64 {
        self.of(position.board(), position.size())
    }

    /// The value of `board` for the player.
    #[inline]
    pub(super) fn of(self, board: Board, size: Size) -> f64 {
        let (own, other) = (board.player().count(), board.opponent().count());
        match self {
            Eval::Discs => difference(own, other),
            Eval::Positional(weights) => {
                let own_moves = (board.moves() & size.squares()).count();
                let other_moves = (board.pass().moves() & size.squares()).count();
                if own_moves + other_moves == 0 {
                    return DECIDED * difference(own, other);
                }
                f64::from(cell::balance(board, size))
                    + weights.parity * quotient(own, other)
                    + weights.mobility * quotient(own_moves, other_moves)
            }
        }
    }
}

#[inline]
fn difference(own: u32, other: u32) -> f64 {
    f64::from(own) - f64::from(other)
}

/// The difference as a part of the sum.
#[inline]
fn quotient(own: u32, other: u32) -> f64 {
    if own + other == 0 { 0.0 } else { difference(own, other) / f64::from(own + other) }
}

/// The weights of [`Eval::Positional`] beside the square values, which need none.
///
/// Both must be finite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// What it is worth to own all discs; negative to prefer few.
    pub parity: f64,
    /// What it is worth to have all the moves.
    pub mobility: f64,
}

impl Default for Weights {
    /// The winner of a tournament of 51 pairs of weights: see `docs/log/positional-weights.md`.
    fn default() -> Weights {
        Weights { parity: -20.0, mobility: 125.0 }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "the values are small integers")]

    use super::*;
    use obverse_board::{Bitboard, Color, Square};

    const POSITIONAL: Eval = Eval::Positional(Weights { parity: 16.0, mobility: 32.0 });

    #[test]
    fn the_start_is_worth_nothing_to_anyone() {
        for size in Size::ALL {
            assert_eq!(Eval::Discs.value(Position::start(size)), 0.0);
            assert_eq!(POSITIONAL.value(Position::start(size)), 0.0);
        }
    }

    #[test]
    fn each_term_counts_with_its_weight() {
        let discs = |black: &[Square], white: &[Square], size| {
            let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
            Position::new(size, set(black), set(white), Color::Black).unwrap()
        };
        // Black a1, white b1 c1 d1; black can play e1, white nothing.
        let white = [Square::B1, Square::C1, Square::D1];
        let position = discs(&[Square::A1], &white, Size::Eight);
        assert_eq!(POSITIONAL.value(position), (25 + 5 - 14 - 10 - 8 + 32).into());
        // On 4×4 there is no e1: the game is over, two discs to the bad.
        let position = discs(&[Square::A1], &white, Size::Four);
        assert_eq!(POSITIONAL.value(position), -2000.0);
        assert_eq!(Eval::Discs.value(position), -2.0);
        // Nothing at all: no quotient divides by 0.
        assert_eq!(POSITIONAL.value(discs(&[], &[], Size::Eight)), 0.0);
    }
}
