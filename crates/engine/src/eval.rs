//! The evaluation: by how many discs the side to move will win, estimated.
//!
//! The board is looked at through 46 windows of 4 to 10 squares each, which are the images of 12
//! shapes under the symmetries of the board. Every way the squares of a window can be filled has a
//! weight, shared by all windows of the same shape and by mirror images; the sum of the 46 weights and
//! of one for the number of empty squares is a first estimate. Each way also has a vector, and the
//! sum of the 46 vectors, squared, corrects it for what windows mean together (`factors`) and how they lie
//! (`turn`); a small hidden layer sees more in that sum than its squares (`hidden`). Weights and vectors change with the phase of the game.
//!
//! Windows cover the 8×8 board. Smaller boards have a generic one.

mod factors;
pub(crate) mod generic;
mod hidden;
mod shape;
mod turn;
mod weights;

use obverse_board::Board;

pub use self::factors::{Head, N_FACTORS, N_GAINS, Stretch, gain_of};
pub use self::hidden::{LEAK, Layer, N_HIDDEN, N_INPUTS};
pub use self::shape::N_WINDOWS;
use self::shape::{DIGITS, N_LANES, ORIGIN};
pub use self::turn::{LANE, Lanes, N_GROUPS, N_STILL, join, part};
pub(crate) use self::weights::Phase;
pub use self::weights::{
    Anchor, UNIT, Weights, WeightsError, is_second, n_weights, silent_lanes, tied,
};

/// The numbers of a board's windows, as the side to move sees them.
///
/// Each is that of a pattern of the window's shape; code that reads tables by it relies on this.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Windows([i16; N_LANES]);

impl Windows {
    /// Of no board.
    pub(crate) const NONE: Windows = Windows([0; N_LANES]);

    /// The windows of a board, each disc added.
    pub(crate) fn new(p: u64, o: u64) -> Windows {
        let mut numbers = [0; N_LANES];
        add(&mut numbers, p);
        for number in &mut numbers {
            *number = -*number;
        }
        add(&mut numbers, o);
        for number in &mut numbers {
            *number = -*number;
        }
        Windows(numbers)
    }

    /// The windows after the player's move, as the opponent sees them.
    #[inline]
    pub(crate) fn play(&self, square: u8, flips: u64) -> Windows {
        let mut turned = [0_i16; N_LANES];
        add(&mut turned, flips);
        let placed = &DIGITS[usize::from(square & 63)];
        let mut numbers = [0; N_LANES];
        for i in 0..N_LANES {
            // On the way a number may leave its range, and is back when all is added.
            let sum = self.0[i].wrapping_add(turned[i].wrapping_mul(2)).wrapping_add(placed[i]);
            numbers[i] = sum.wrapping_neg();
        }
        Windows(numbers)
    }

    /// The windows as the other side sees them.
    #[inline]
    pub(crate) fn pass(&self) -> Windows {
        Windows(self.0.map(i16::wrapping_neg))
    }

    /// The pattern in each window.
    #[inline]
    pub(crate) fn patterns(&self) -> [u32; N_WINDOWS] {
        let mut patterns = [0; N_WINDOWS];
        for (pattern, (origin, number)) in patterns.iter_mut().zip(ORIGIN.iter().zip(&self.0)) {
            *pattern = origin.wrapping_add_signed(i32::from(*number));
        }
        patterns
    }

    /// The estimate for the side to move in units of 1/[`UNIT`] disc.
    #[inline]
    pub(crate) fn estimate(&self, phase: &Phase) -> i32 {
        let sum = phase.sum(self).unwrap_or_else(|| {
            let weight = |pattern: &u32| i32::from(phase.weights()[*pattern as usize]);
            self.patterns().iter().map(weight).sum::<i32>()
        });
        phase.base() + sum
    }
}

#[inline]
fn add(numbers: &mut [i16; N_LANES], mut discs: u64) {
    while discs != 0 {
        let digits = &DIGITS[discs.trailing_zeros() as usize & 63];
        discs &= discs - 1;
        for i in 0..N_LANES {
            numbers[i] += digits[i];
        }
    }
}

/// The windows that lie in the same way, group after group, as [`join`] expects them.
pub fn groups() -> impl Iterator<Item = std::ops::Range<usize>> {
    shape::GROUPS.windows(2).map(|pair| pair[0]..pair[1])
}

/// Which lanes of the vector change their signs if the pattern in a window is the second of two mirror images.
///
/// # Panics
/// If there is no such window.
pub fn mirrored_lanes(window: usize) -> [bool; 4] {
    shape::MIRRORED[window]
}

/// The pattern in each window of a board, as the side to move sees it.
pub fn patterns(board: Board) -> [u32; N_WINDOWS] {
    Windows::new(board.player().0, board.opponent().0).patterns()
}

impl Weights {
    /// The estimate for the side to move in discs.
    pub fn discs(&self, board: Board) -> f64 {
        let windows = Windows::new(board.player().0, board.opponent().0);
        let n_empties = 64 - board.occupied().count();
        f64::from(windows.estimate(self.phase(n_empties))) / f64::from(UNIT)
    }
}
