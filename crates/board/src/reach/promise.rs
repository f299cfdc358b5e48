//! How likely the way back from a position is open.
//!
//! Discs must go away from the outside inwards: a disc on the rim that is left over when there are
//! few others cannot be taken back any more. So what counts is how far out the discs lie, and how
//! many can be taken back at once. The weights were found by trial on positions of 40 to 64 discs
//! from games and random play (2026-11, `docs/log/reachability.md`).

use super::refute::is_pass_owed;
use super::retract::{may_follow_a_pass, retractable};
use crate::{Bitboard, Position, Size};

/// For each disc that its side may have placed last, counted up to [`ENOUGH`] for either side.
const RETRACTABLE: i32 = 10;
/// From here on one more does not help.
const ENOUGH: u32 = 8;
/// For each disc on the rim that cannot have been placed last.
const STUCK_ON_RIM: i32 = -10;
/// For each empty square next to a disc.
const FRONTIER: i32 = -8;
/// For each unit of [`spread`].
const SPREAD: i32 = -5;
/// For each move of the side that has fewer, if an odd number of passes is still to be found: a side
/// passes when it has none.
const MOBILITY_WHILE_OWED: i32 = -20;

/// The promise of a position with more than four discs: the higher the better, among positions of
/// equally many discs. `None` if no move can have led to it.
pub(super) fn promise(position: Position) -> Option<i32> {
    let (board, size) = (position.board(), position.size());
    let by_last_mover = retractable(board, size);
    let by_other = retractable(board.pass(), size);
    if by_last_mover.is_empty() && (by_other.is_empty() || !may_follow_a_pass(position)) {
        return None;
    }
    let occupied = board.occupied();
    let n_retractable = by_last_mover.count().min(ENOUGH) + by_other.count().min(ENOUGH);
    let stuck_on_rim = rim(size) & (occupied - by_last_mover - by_other);
    let frontier = (occupied.grown() & size.squares()) - occupied;
    let n_moves_while_owed = if is_pass_owed(position) {
        position.moves().count().min(position.pass_unchecked().moves().count())
    } else {
        0
    };
    Some(
        RETRACTABLE * n_retractable as i32
            + STUCK_ON_RIM * stuck_on_rim.count() as i32
            + FRONTIER * frontier.count() as i32
            + SPREAD * spread(occupied, size) as i32
            + MOBILITY_WHILE_OWED * n_moves_while_owed as i32,
    )
}

/// The outermost squares.
const fn rim(size: Size) -> Bitboard {
    let side = size.side() as u32;
    let inside = middle_columns(size, side / 2 - 1).0 & middle_rows(size, side / 2 - 1).0;
    Bitboard(size.squares().0 & !inside)
}

/// The sum of the squared distances of the discs from the middle of the board, but for a constant
/// offset and factor: a disc in the k-th column from the middle counts k(k + 1)/2, that is 0, 1, 3
/// or 6, and as much again by its row.
fn spread(occupied: Bitboard, size: Size) -> u32 {
    let outside = |k| {
        (occupied - middle_columns(size, k)).count() + (occupied - middle_rows(size, k)).count()
    };
    // On a smaller board the last terms are zero.
    outside(1) + 2 * outside(2) + 3 * outside(3)
}

/// The `2 * k` columns in the middle.
const fn middle_columns(size: Size, k: u32) -> Bitboard {
    let half = size.side() as u32 / 2;
    if k >= half {
        return size.squares();
    }
    let row = ((1 << (2 * k)) - 1) << (half - k);
    Bitboard((row * 0x0101_0101_0101_0101) & size.squares().0)
}

/// The `2 * k` rows in the middle.
const fn middle_rows(size: Size, k: u32) -> Bitboard {
    let half = size.side() as u32 / 2;
    if k >= half {
        return size.squares();
    }
    let rows = ((1 << (16 * k)) - 1) << (8 * (half - k));
    Bitboard(rows & size.squares().0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Square, Symmetry};

    #[test]
    fn the_rim_is_the_first_and_last_rows_and_columns() {
        for size in Size::ALL {
            for square in size.squares() {
                let last = size.side() - 1;
                let on_rim = [square.column(), square.row()].iter().any(|&x| x == 0 || x == last);
                assert_eq!(rim(size).contains(square), on_rim, "{square} on {size}");
            }
            assert!(size.squares().contains_all(rim(size)));
        }
    }

    #[test]
    fn the_spread_grows_with_the_squared_distance_from_the_middle() {
        for size in Size::ALL {
            for square in size.squares() {
                // Twice the distance from the middle, so that it is whole.
                let offset = |x: u8| (2 * i32::from(x) + 1 - i32::from(size.side())).pow(2);
                let squared = offset(square.column()) + offset(square.row());
                assert_eq!(8 * spread(Bitboard::of(square), size) as i32, squared - 2, "{square}");
            }
        }
    }

    #[test]
    fn symmetric_positions_promise_the_same() {
        for size in Size::ALL {
            let mut position = Position::start(size);
            while let Some(square) = position.moves().first() {
                position = position.play_unchecked(square);
                for symmetry in Symmetry::ALL {
                    assert_eq!(promise(position.transformed(symmetry)), promise(position));
                }
            }
        }
    }

    #[test]
    fn a_disc_that_encloses_nothing_promises_nothing() {
        let center = Size::Eight.center();
        let lonely = Bitboard::of(Square::C3);
        let position = Position::new(Size::Eight, center, lonely, Color::Black).unwrap();
        assert_eq!(promise(position), None, "white moved last, and can only have moved to c3");
    }
}
