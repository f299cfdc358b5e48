//! Whether any game leads to a position.
//!
//! There are three answers: a game that ends in the position, a reason why there is none, or neither
//! before the caller stopped the search. The first two are proofs.
//!
//! The search runs backwards, from the position to the start. Taking moves back looks harder than
//! making them, because the last move is unknown and with it the discs it turned over. But it is
//! much narrower: the discs of the position must go one by one until only the four in the center
//! are left, and most wrong turns come to a dead end within a few moves. So a position of few discs
//! is decided by trying everything, on 8×8 up to about 20 discs within a fraction of a second and on
//! 4×4 always; and for a position of many discs it matters to look first where the way back is
//! likely to be open.
use std::fmt;

use crate::{Bitboard, Direction, Game, Position};

mod promise;
mod refute;
mod retract;
mod search;

pub use refute::Refutation;

/// The answer to the question whether any game leads to a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This game does.
    ///
    /// It ends with the discs asked for and, unless the game is over, with the side to move asked
    /// for. After the end nobody moves, so there either side may be the one nominally to move.
    ///
    /// [`Game::start`] tells which start it has: [`Position::start`], or [`Position::mirrored`] if
    /// no game from the standard start was found.
    Reachable(Game),
    /// No game does, from neither start, for this reason.
    Unreachable(Refutation),
    /// The search was stopped before it found a game or had tried everything.
    NotRefuted(Tried),
}

/// What a search did before it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tried {
    /// How many earlier positions were looked at, some of them perhaps more than once.
    pub positions: u64,
    /// The number of discs of the earliest of them.
    pub discs_min: u32,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tried { positions, discs_min } = self;
        write!(f, "looked at {positions} earlier positions, back to {discs_min} discs")
    }
}

/// Whether any game from the start of its board size leads to `position`, with the side to move.
///
/// `keep_going` is asked about every thousand positions, which takes a millisecond or less, on
/// crowded boards up to a tenth of a second. When it says no, the search ends undecided. With few
/// discs it always ends by itself, with many it may not. It takes up to 160 MB.
///
/// ```
/// use obverse_board::reach::{self, Verdict};
/// use obverse_board::{Position, Size, Square};
///
/// let position = Position::start(Size::Eight).play(Square::F5)?.play(Square::D6)?;
/// let Verdict::Reachable(game) = reach::check(position, &mut || true) else { panic!() };
/// assert_eq!(game.position(), position);
///
/// // The same discs, but with white to move.
/// let position = position.pass_unchecked();
/// let Verdict::Unreachable(reason) = reach::check(position, &mut || true) else { panic!() };
/// assert_eq!(reason.name(), "parity");
/// # Ok::<(), obverse_board::IllegalMove>(())
/// ```
pub fn check(position: Position, keep_going: &mut dyn FnMut() -> bool) -> Verdict {
    if starts(position).contains(&position) {
        return Verdict::Reachable(Game::new(position));
    }
    if let Some(refutation) = refute::at_sight(position) {
        return Verdict::Unreachable(refutation);
    }
    search::search(position, keep_going)
}

/// The standard and the mirrored start of the board of `position`.
fn starts(position: Position) -> [Position; 2] {
    [Position::start(position.size()), Position::mirrored(position.size())]
}

/// The squares one step from those of `set`, as far as they are on the 8×8 board.
#[inline]
const fn step(set: Bitboard, direction: Direction) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bits = set.0;
    Bitboard(match direction {
        Direction::North => bits >> 8,
        Direction::NorthEast => bits >> 7 & NOT_A,
        Direction::East => bits << 1 & NOT_A,
        Direction::SouthEast => bits << 9 & NOT_A,
        Direction::South => bits << 8,
        Direction::SouthWest => bits << 7 & NOT_H,
        Direction::West => bits >> 1 & NOT_H,
        Direction::NorthWest => bits >> 9 & NOT_H,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn a_step_of_a_set_is_the_step_of_each_square() {
        for direction in Direction::ALL {
            for square in Square::ALL {
                let stepped = square.step(direction).map_or(Bitboard::EMPTY, Bitboard::of);
                assert_eq!(
                    step(Bitboard::of(square), direction),
                    stepped,
                    "{square} {direction:?}"
                );
            }
        }
    }
}
