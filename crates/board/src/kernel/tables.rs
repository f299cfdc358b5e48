//! Tables that several back-ends share, all computed by the compiler.

/// For each square, the squares beyond it in the eight directions. One cache line each.
pub(super) static RAYS: [Rays; 64] = rays();

/// The squares beyond one square, in the order of [`STEPS`].
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Rays {
    /// Towards higher indices: east, south, south-east, south-west.
    pub(super) up: [u64; 4],
    /// Towards lower indices: west, north, north-west, north-east.
    pub(super) down: [u64; 4],
}

/// The four directions towards higher indices, as changes of column and row.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const fn rays() -> [Rays; 64] {
    let mut rays = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < 4 {
            let (dx, dy) = STEPS[i];
            rays[index].up[i] = ray(index, dx, dy);
            rays[index].down[i] = ray(index, -dx, -dy);
            i += 1;
        }
        index += 1;
    }
    rays
}

const fn ray(index: usize, dx: i32, dy: i32) -> u64 {
    let (mut x, mut y) = (index as i32 % 8 + dx, index as i32 / 8 + dy);
    let mut ray = 0;
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        ray |= 1 << (y * 8 + x);
        x += dx;
        y += dy;
    }
    ray
}

/// The number of discs flipped along a line by a disc on its last empty square: the player's in the
/// low byte, the opponent's (if it is the one to move there) in the high byte.
///
/// Below the square are `before` squares of the line, above it `after`; both together at most 7.
/// The entry is at [`line`]`(before, after)` + the player's discs on the line as a number, its first
/// square in bit 0. The bit of the empty square itself does not matter. Lines of different shape
/// need different entries: what lies past the end of a line is nobody's, whereas a clear bit within
/// it is an opponent's disc. 3,586 entries (7 KB) are used; the length lets an index be masked.
pub(super) static LINES: [u16; 4096] = lines();

/// Where the entries of [`LINES`] for a line of this shape begin.
pub(super) const fn line(before: usize, after: usize) -> usize {
    // Shorter lines come first; those of n + 1 squares have n + 1 shapes of 2^(n + 1) entries.
    let n = before + after;
    let mut start = 0;
    let mut k = 0;
    while k < n {
        start += (k + 1) << (k + 1);
        k += 1;
    }
    start + (before << (n + 1))
}

const fn lines() -> [u16; 4096] {
    let mut lines = [0; 4096];
    let mut before = 0;
    while before < 8 {
        let mut after = 0;
        while before + after < 8 {
            let mut discs = 0;
            while discs < 1 << (before + after + 1) {
                let own = flipped(discs, before, after);
                let other = flipped(!discs, before, after);
                lines[line(before, after) + discs] = own | other << 8;
                discs += 1;
            }
            after += 1;
        }
        before += 1;
    }
    lines
}

/// How many discs a disc on square `at` of a line flips if the mover has the set bits and the
/// opponent all others, and `after` squares follow.
const fn flipped(discs: usize, at: usize, after: usize) -> u16 {
    let mut count = 0;
    let mut i = 1;
    while i <= after {
        if discs >> (at + i) & 1 != 0 {
            count += i - 1;
            break;
        }
        i += 1;
    }
    i = 1;
    while i <= at {
        if discs >> (at - i) & 1 != 0 {
            count += i - 1;
            break;
        }
        i += 1;
    }
    count as u16
}

/// How the last flips of one square are looked up without PEXT.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct LastMultiply {
    /// The two diagonals: south-east and south-west.
    pub(super) diagonals: [u64; 2],
    /// Where in [`LINES`] the row, the column and the two diagonals are found.
    pub(super) lines: [u16; 4],
    /// How far to shift the gathered diagonals right so that they begin at bit 0.
    pub(super) shifts: [u8; 2],
}

/// [`LastMultiply`] of each square. A gathered diagonal is in the order of its columns.
pub(super) static LAST_MULTIPLY: [LastMultiply; 64] = {
    let mut table = [LastMultiply { diagonals: [0; 2], lines: [0; 4], shifts: [0; 2] }; 64];
    let rays = rays();
    let mut index = 0;
    while index < 64 {
        let (x, y) = (index % 8, index / 8);
        let Rays { up, down } = rays[index];
        table[index] = LastMultiply {
            diagonals: [up[2] | down[2], up[3] | down[3]],
            lines: [
                line(x, 7 - x) as u16,
                line(y, 7 - y) as u16,
                line(down[2].count_ones() as usize, up[2].count_ones() as usize) as u16,
                line(up[3].count_ones() as usize, down[3].count_ones() as usize) as u16,
            ],
            shifts: [
                56 + x as u8 - down[2].count_ones() as u8,
                56 + x as u8 - up[3].count_ones() as u8,
            ],
        };
        index += 1;
    }
    table
};

/// How the last flips of one square are looked up with PEXT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct LastExtract {
    /// The column, the square included.
    pub(super) column: u64,
    /// Both diagonals, the square excluded.
    pub(super) diagonals: u64,
    /// Where in [`DIAGONALS`] those of this square begin.
    pub(super) diagonals_start: u32,
    /// Where in [`LINES`] the row and the column are found.
    pub(super) lines: [u16; 2],
    /// How far to shift the row right so that it begins at bit 0.
    pub(super) row_shift: u8,
}

/// [`LastExtract`] of each square.
#[cfg(target_arch = "x86_64")]
pub(super) static LAST_EXTRACT: [LastExtract; 64] = {
    let mut table =
        [LastExtract { column: 0, diagonals: 0, diagonals_start: 0, lines: [0; 2], row_shift: 0 };
            64];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let (x, y) = (index % 8, index / 8);
        let Rays { up, down } = RAYS[index];
        let diagonals = up[2] | down[2] | up[3] | down[3];
        table[index] = LastExtract {
            column: 0x0101_0101_0101_0101 << x,
            diagonals,
            diagonals_start: start,
            lines: [line(x, 7 - x) as u16, line(y, 7 - y) as u16],
            row_shift: y as u8 * 8,
        };
        start += 1 << diagonals.count_ones();
        index += 1;
    }
    assert!(start as usize == N_DIAGONALS);
    table
};

/// 7 diagonal neighbours for each of 28 squares, 9 for 20, 11 for 12, 13 for 4.
#[cfg(target_arch = "x86_64")]
const N_DIAGONALS: usize = (28 << 7) + (20 << 9) + (12 << 11) + (4 << 13);

/// The flips along both diagonals of a square at once, as in [`LINES`], by the player's discs on
/// them.
///
/// 139 KB, but a game's last square is on the rim or next to a corner, so that some 15 KB are hot.
#[cfg(target_arch = "x86_64")]
pub(super) static DIAGONALS: [u16; N_DIAGONALS] = {
    let mut table = [0; N_DIAGONALS];
    let mut index = 0;
    while index < 64 {
        let Rays { up, down } = RAYS[index];
        let start = LAST_EXTRACT[index].diagonals_start as usize;
        let (falling, rising) = (up[2] | down[2], up[3] | down[3]);
        let (before_falling, before_rising) = (down[2].count_ones(), down[3].count_ones());
        // The sets of discs as PEXT numbers them, the falling diagonal's in the low byte and the
        // rising one's in the high byte. The sets with a square are those without, and the square.
        let mut sets = [0_u16; 1 << 13];
        let mut n_sets = 1;
        let mut rest = falling | rising;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            let disc = if falling & square != 0 {
                bit_in_line(falling, square, before_falling)
            } else {
                bit_in_line(rising, square, before_rising) << 8
            };
            let mut i = 0;
            while i < n_sets {
                sets[n_sets + i] = sets[i] | disc;
                i += 1;
            }
            n_sets *= 2;
        }
        let falling_start = line(before_falling as usize, up[2].count_ones() as usize);
        let rising_start = line(before_rising as usize, up[3].count_ones() as usize);
        let mut i = 0;
        while i < n_sets {
            table[start + i] = LINES[falling_start + (sets[i] & 0xff) as usize]
                + LINES[rising_start + (sets[i] >> 8) as usize];
            i += 1;
        }
        index += 1;
    }
    table
};

/// The bit in an index of [`LINES`] for a square of a line that, without its empty square, is
/// `line`; `before` squares precede the empty one, which has a bit of its own.
#[cfg(target_arch = "x86_64")]
const fn bit_in_line(line: u64, square: u64, before: u32) -> u16 {
    let place = (line & (square - 1)).count_ones();
    1 << if place < before { place } else { place + 1 }
}
