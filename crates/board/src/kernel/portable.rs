//! Plain 64-bit arithmetic, for any CPU.

use super::tables::{LAST_MULTIPLY, LINES, RAYS};
use super::{Kernel, Replies, sealed, stability};
use crate::Size;

/// The back-end for any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl sealed::Sealed for Portable {}

impl Kernel for Portable {
    const NAME: &'static str = "portable";

    #[inline]
    fn detect() -> Option<Portable> {
        Some(Portable)
    }

    #[inline]
    fn moves(self, p: u64, o: u64) -> u64 {
        moves(p, o)
    }

    #[inline]
    fn moves_and_potential(self, p: u64, o: u64) -> (u64, u64) {
        (moves(p, o), potential(p, o))
    }

    #[inline]
    fn flips(self, p: u64, o: u64, index: u8) -> u64 {
        flips(p, o, index)
    }

    #[inline]
    fn last_flips(self, p: u64, index: u8) -> (u32, u32) {
        last_flips(p, index)
    }

    #[inline]
    fn replies(self, p: u64, o: u64, indices: [u8; 4]) -> Replies {
        replies(self, p, o, indices)
    }

    #[inline]
    fn stable(self, p: u64, o: u64) -> u64 {
        stability::stable(p, o, Size::Eight)
    }
}

/// The opponent's discs that have a square on both sides along a row, a column, a diagonal: only
/// those can be flipped along it.
const FLIPPABLE: [u64; 3] = [0x7e7e_7e7e_7e7e_7e7e, 0x00ff_ffff_ffff_ff00, 0x007e_7e7e_7e7e_7e00];

#[inline]
fn moves(p: u64, o: u64) -> u64 {
    let row = o & FLIPPABLE[0];
    // Adding a run's first disc carries to the square behind the run, eastwards and no further than
    // the end of the row; what else the sum contains is occupied.
    let east = row + (row & p << 1);
    let mut west = row & p >> 1;
    west |= row & west >> 1;
    let pairs = row & row >> 1;
    west |= pairs & west >> 2;
    west |= pairs & west >> 2;
    let diagonal = o & FLIPPABLE[2];
    (east | west >> 1 | along::<8>(p, o) | along::<7>(p, diagonal) | along::<9>(p, diagonal))
        & !(p | o)
}

/// The squares just beyond a run of `o` that starts next to `p`, both ways along one line.
#[inline]
fn along<const STEP: u32>(p: u64, o: u64) -> u64 {
    let mut up = o & p << STEP;
    let mut down = o & p >> STEP;
    // A run has at most six discs; each doubling extends what has been found by its own length.
    up |= o & up << STEP;
    down |= o & down >> STEP;
    let pairs_up = o & o << STEP;
    let pairs_down = pairs_up >> STEP;
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up << STEP | down >> STEP
}

#[inline]
pub(super) fn potential(p: u64, o: u64) -> u64 {
    let [row, column, diagonal] = FLIPPABLE.map(|flippable| o & flippable);
    let next = row << 1
        | row >> 1
        | column << 8
        | column >> 8
        | diagonal << 7
        | diagonal >> 7
        | diagonal << 9
        | diagonal >> 9;
    next & !(p | o)
}

#[inline]
fn flips(p: u64, o: u64, index: u8) -> u64 {
    let rays = &RAYS[usize::from(index & 63)];
    let mut flips = 0;
    for ray in rays.up {
        // The nearest square of the ray that is not the opponent's decides: ours, or no flips.
        let end = ray & !o;
        let bracket = end & end.wrapping_neg() & p;
        // Below the bracket; nothing if there is none.
        flips |= ray & bracket.wrapping_sub(u64::from(bracket != 0));
    }
    for ray in rays.down {
        let end = ray & !o;
        let bracket = (1_u64 << 63).checked_shr(end.leading_zeros()).unwrap_or(0) & p;
        // Above the bracket; nothing if there is none.
        flips |= ray & (bracket << 1).wrapping_neg();
    }
    flips
}

/// Gathers each line into the low bits of a number by a multiplication, and looks that up.
#[inline]
pub(super) fn last_flips(p: u64, index: u8) -> (u32, u32) {
    let last = &LAST_MULTIPLY[usize::from(index & 63)];
    let row = usize::from((p >> (index & 0b11_1000)) as u8);
    let column = gather_column(p >> (index & 0b111)) as usize;
    // The bytes' sum: no two squares of a diagonal are in one column.
    let diagonal = |i: usize| {
        let sum = (last.diagonals[i] & p).wrapping_mul(0x0101_0101_0101_0101);
        (sum >> (last.shifts[i] & 63)) as usize
    };
    let found = [row, column, diagonal(0), diagonal(1)];
    let both: u16 = (0..4).map(|i| LINES[(usize::from(last.lines[i]) + found[i]) & 4095]).sum();
    (u32::from(both & 0xff), u32::from(both >> 8))
}

/// The first column as a number, its top square in bit 0.
#[inline]
pub(super) const fn gather_column(bits: u64) -> u64 {
    (bits & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The replies one after the other, for back-ends with nothing better.
#[inline]
pub(super) fn replies<K: Kernel>(kernel: K, p: u64, o: u64, indices: [u8; 4]) -> Replies {
    let mut replies = Replies { player: [0; 4], opponent: [0; 4], moves: [0; 4] };
    for (i, index) in indices.into_iter().enumerate() {
        let flips = kernel.flips(p, o, index);
        replies.player[i] = o ^ flips;
        replies.opponent[i] = p | flips | 1 << (index & 63);
        replies.moves[i] = kernel.moves(replies.player[i], replies.opponent[i]);
    }
    replies
}
