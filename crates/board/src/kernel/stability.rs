//! Discs that can never be flipped again.
//!
//! The edges first: an edge disc can only be flipped along its edge, and a table knows for every
//! state of an edge which discs survive every way to fill it. Then the discs all of whose lines are
//! full. From these the rest grows: along a line a disc is safe beside a stable one of its color.

use super::portable::gather_column;
use crate::Size;

/// Stability by plain arithmetic, on any board size.
#[inline]
pub(super) fn stable(p: u64, o: u64, size: Size) -> u64 {
    // Squares outside a smaller board count as occupied: a line ends where they begin.
    let open = lines_through(size.squares().0 & !(p | o));
    let rims = rims(size);
    grow(p, on_edges(p, o, size), [0, 1, 2, 3].map(|i| rims[i] | !open[i]))
}

/// The player's stable discs on the four edges.
#[inline]
pub(super) fn on_edges(p: u64, o: u64, size: Size) -> u64 {
    let right = u32::from(size.side()) - 1;
    let bottom = 8 * right;
    edge(p, o, size)
        | edge(p >> bottom, o >> bottom, size) << bottom
        | scatter_column(edge(gather_column(p), gather_column(o), size))
        | scatter_column(edge(gather_column(p >> right), gather_column(o >> right), size)) << right
}

/// The first column from a number, its top square from bit 0.
#[inline]
const fn scatter_column(number: u64) -> u64 {
    (number & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101 | number >> 7 << 56
}

/// For rows, columns, falling and rising diagonals: the squares where such a line ends, so that a
/// disc there cannot be outflanked along it.
pub(super) const fn rims(size: Size) -> [u64; 4] {
    let squares = size.squares().0;
    let column = squares & 0x0101_0101_0101_0101;
    let row = squares & 0xff;
    let last = size.side() - 1;
    let columns = column | column << last;
    let rows = row | row << (8 * last);
    [columns, rows, columns | rows, columns | rows]
}

pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
pub(super) const EFGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
pub(super) const ABCD: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// All squares of the rows, columns, falling and rising diagonals that go through `squares`.
#[inline]
fn lines_through(squares: u64) -> [u64; 4] {
    let mut row = squares | squares >> 4 & ABCD;
    row |= row >> 2;
    row |= row >> 1;
    let row = (row & 0x0101_0101_0101_0101) * 0xff;

    let mut column = squares | squares.rotate_right(32);
    column |= column.rotate_right(16);
    column |= column.rotate_right(8);

    let (mut up, mut down) = (squares, squares);
    up |= up << 9 & NOT_A;
    down |= down >> 9 & NOT_H;
    up |= up << 18 & NOT_AB;
    down |= down >> 18 & NOT_GH;
    up |= up << 36 & EFGH;
    down |= down >> 36 & ABCD;
    let falling = up | down;

    let (mut up, mut down) = (squares, squares);
    up |= up << 7 & NOT_H;
    down |= down >> 7 & NOT_A;
    up |= up << 14 & NOT_GH;
    down |= down >> 14 & NOT_AB;
    up |= up << 28 & ABCD;
    down |= down >> 28 & EFGH;
    [row, column, falling, up | down]
}

/// The player's discs that are safe along all four lines, given those that surely are (`seed`) and
/// where a line is safe in itself.
///
/// A shift may wrap around the rim, but only onto squares where that kind of line ends, or outside
/// the board.
#[inline]
pub(super) fn grow(p: u64, seed: u64, safe: [u64; 4]) -> u64 {
    let mut stable = seed | p & safe[0] & safe[1] & safe[2] & safe[3];
    if stable == 0 {
        return 0;
    }
    loop {
        let grown = stable
            | p & (safe[0] | stable << 1 | stable >> 1)
                & (safe[1] | stable << 8 | stable >> 8)
                & (safe[2] | stable << 9 | stable >> 9)
                & (safe[3] | stable << 7 | stable >> 7);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The player's stable discs on the edge of which the low bits of `p` and `o` are the two sides'
/// discs. What is above the edge's squares does not matter.
#[inline]
pub(super) fn edge(p: u64, o: u64, size: Size) -> u64 {
    let squares = size.squares().0 & 0xff;
    let p = usize::from(TERNARY[(p & squares) as usize]);
    let o = usize::from(TERNARY[(o & squares) as usize]);
    u64::from(match size {
        Size::Eight => EDGE_8[(p + 2 * o) & 8191],
        Size::Six => EDGE_6[p + 2 * o],
        Size::Four => EDGE_4[p + 2 * o],
    })
}

/// The bits of a byte as ternary digits.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = table[byte / 2] * 3 + byte as u16 % 2;
        byte += 1;
    }
    table
};

/// For every state of an edge (0 empty, 1 player, 2 opponent, as ternary digits) the player's discs
/// that survive every way to fill it. The 8×8 one is longer than 3^8 so that an index can be masked.
static EDGE_8: [u8; 8192] = edges(8);
static EDGE_6: [u8; 729] = edges(6);
static EDGE_4: [u8; 81] = edges(4);

const fn edges<const N: usize>(side: u32) -> [u8; N] {
    let mut table = [0; N];
    // Placing a disc leads to a state with more squares occupied, a larger number: those come first.
    let mut occupied = 1 << side;
    while occupied > 0 {
        occupied -= 1;
        let mut p = occupied;
        loop {
            table[state(p, occupied ^ p)] = survivors(&table, p, occupied ^ p, side);
            if p == 0 {
                break;
            }
            p = (p - 1) & occupied;
        }
    }
    table
}

const fn state(p: usize, o: usize) -> usize {
    TERNARY[p] as usize + 2 * TERNARY[o] as usize
}

/// The discs of `p` that survive whatever is placed next, and all that may follow.
///
/// Either side may place a disc on any empty square: flips off the edge may make it legal.
const fn survivors(table: &[u8], p: usize, o: usize, side: u32) -> u8 {
    let mut survivors = p as u8;
    let mut square = 0;
    while square < side && survivors != 0 {
        let placed = 1 << square;
        if (p | o) & placed == 0 {
            let flips = edge_flips(p, o, square, side);
            survivors &= table[state(p | flips | placed, o & !flips)];
            let flips = edge_flips(o, p, square, side);
            survivors &= table[state(p & !flips, o | flips | placed)];
        }
        square += 1;
    }
    survivors
}

/// What a disc of `p` placed on `square` flips along the edge.
const fn edge_flips(p: usize, o: usize, square: u32, side: u32) -> usize {
    let mut flips = 0;
    let mut run = 0;
    let mut i = square + 1;
    while i < side && o >> i & 1 != 0 {
        run |= 1 << i;
        i += 1;
    }
    if i < side && p >> i & 1 != 0 {
        flips |= run;
    }
    run = 0;
    i = square;
    while i > 0 && o >> (i - 1) & 1 != 0 {
        i -= 1;
        run |= 1 << i;
    }
    if i > 0 && p >> (i - 1) & 1 != 0 {
        flips |= run;
    }
    flips
}
