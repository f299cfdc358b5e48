//! An evaluation for boards of any size, from what every player knows: be mobile, take corners, and
//! keep what cannot be turned.

use obverse_board::{Bitboard, kernel};

use super::UNIT;

/// The estimate for the side to move in 1/128 disc, on the board of these squares.
pub(crate) fn estimate(p: u64, o: u64, squares: u64) -> i32 {
    let corners = corners(squares);
    let empties = squares & !(p | o);
    let mobility = |p: u64, o: u64| (kernel::moves(p, o) & squares).count_ones() as i32;
    let potential = |o: u64| (Bitboard(o).grown().0 & empties).count_ones() as i32;
    let count = |p: u64| (p & corners).count_ones() as i32;
    // Discs beside an empty corner, which help the other side to it.
    let risk = |p: u64| (Bitboard(corners & empties).grown().0 & p).count_ones() as i32;
    let discs = (mobility(p, o) - mobility(o, p)) * UNIT
        + (potential(o) - potential(p)) * UNIT / 3
        + (count(p) - count(o)) * 5 * UNIT
        - (risk(p) - risk(o)) * UNIT;
    // The fewer squares are left, the less mobility can still win.
    discs * (empties.count_ones() as i32 + 16) / 32
}

/// The corners of a board that fills its square.
fn corners(squares: u64) -> u64 {
    let side = (squares & 0xff).count_ones();
    let row = 1 | 1 << (side - 1);
    row | row << (8 * (side - 1))
}
