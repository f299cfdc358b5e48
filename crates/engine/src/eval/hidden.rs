//! The hidden layer: what vectors say beyond their squares.
//!
//! A few *units* see the sum of the vectors: its squares, as the gains weigh them, and the coordinates that do not turn
//! as they are. Each unit weighs what it sees and adds a bias; what comes to less than nothing counts a sixteenth.
//! The units of a stretch weigh alike with any number of empty squares; their biases and what they count belong to
//! each number.
//!
//! In whole numbers a square is divided by 2¹², and a unit has a scale of its own, the greatest with which it fits
//! into 32 bits whatever it sees.

use super::factors::{N_GAINS, SPREAD, Vector};
use super::turn::N_STILL;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
use super::turn::{LANE, Lanes};

/// How many units there are.
pub const N_HIDDEN: usize = 16;

/// How many numbers a unit sees: the squares in the order of their gains, those of x and y added up, then the
/// coordinates that do not turn.
pub const N_INPUTS: usize = N_GAINS + N_STILL;

/// How each unit weighs what it sees, in discs to the power of one half and discs.
pub type Layer = [[f32; N_INPUTS]; N_HIDDEN];

/// By which power of two a negative sum is divided.
pub const LEAK: u32 = 4;

/// Squares are divided by this power of two, with which they fit into 16 bits.
const SQUARE_SHIFT: u32 = 16 - 2 * SPREAD.trailing_zeros();

/// What a unit comes to is divided by this power of two before it is counted.
pub(super) const UNIT_SHIFT: u32 = 12;

/// The bits of the greatest sum of a unit.
const SUM_BITS: i32 = 30;

/// Inputs as vector instructions leave them, and fillers.
pub(super) const N_SLOTS: usize = 96;

/// The pairs of slots that are not all fillers.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx512bw"))))]
pub(super) const PAIRS: [std::ops::Range<usize>; 2] = [0..28, 32..48];

/// Which input lies in a slot: the even eights of squares, with those of x and y in the last, the odd ones, whose
/// last is filled up, and the even and odd eights of what does not turn.
const fn input_of(slot: usize) -> Option<usize> {
    let (eight, i) = (slot / 8, slot % 8);
    match eight {
        0..4 => Some(16 * eight + i),
        4..7 => Some(16 * (eight - 4) + 8 + i),
        7 => None,
        8..10 => Some(N_GAINS + 16 * (eight - 8) + i),
        _ => Some(N_GAINS + 16 * (eight - 10) + 8 + i),
    }
}

/// What the units see.
#[repr(align(64))]
pub(super) struct Inputs(pub(super) [i16; N_SLOTS]);

/// How the units of a stretch weigh what they see, in whole numbers: for each pair of slots, both weights of each unit.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct WholeLayer(pub(super) [[[i16; 2]; N_HIDDEN]; N_SLOTS / 2]);

/// What belongs to units with one number of empty squares.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct WholeUnits {
    pub(super) bias: [i32; N_HIDDEN],
    pub(super) count: [i32; N_HIDDEN],
}

impl WholeLayer {
    /// A layer with these weights, as a file has them.
    pub(super) fn new(weights: &[[i16; N_INPUTS]; N_HIDDEN]) -> WholeLayer {
        let weight = |slot: usize, unit: usize| input_of(slot).map_or(0, |i| weights[unit][i]);
        WholeLayer(std::array::from_fn(|pair| {
            std::array::from_fn(|unit| [weight(2 * pair, unit), weight(2 * pair + 1, unit)])
        }))
    }

    /// The weights as a file has them.
    pub(super) fn weights(&self) -> [[i16; N_INPUTS]; N_HIDDEN] {
        let mut weights = [[0; N_INPUTS]; N_HIDDEN];
        for slot in 0..N_SLOTS {
            let Some(input) = input_of(slot) else { continue };
            for (unit, weights) in weights.iter_mut().enumerate() {
                weights[input] = self.0[slot / 2][unit][slot % 2];
            }
        }
        weights
    }

    /// The nearest whole numbers, and the scale of each unit. The biases of a unit are at most so great.
    pub(super) fn nearest(
        layer: &Layer,
        biases: &[f32; N_HIDDEN],
        scales: &Vector<f32>,
    ) -> (WholeLayer, [f32; N_HIDDEN]) {
        let mut units = [1.0; N_HIDDEN];
        let mut weights = [[0; N_INPUTS]; N_HIDDEN];
        for unit in 0..N_HIDDEN {
            let scaled: [f32; N_INPUTS] =
                std::array::from_fn(|i| layer[unit][i] / input_scale(i, scales));
            let largest = scaled.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
            let most: f32 =
                scaled.iter().enumerate().map(|(i, w)| w.abs() * greatest(i)).sum::<f32>()
                    + biases[unit].abs();
            if most == 0.0 {
                continue;
            }
            units[unit] = (2_f32.powi(SUM_BITS) / most).min(f32::from(i16::MAX) / largest);
            weights[unit] = scaled.map(|w| (w * units[unit]).round() as i16);
        }
        (WholeLayer::new(&weights), units)
    }

    /// The layer in discs, of vectors that were multiplied by `scales`, and the scale of each unit. Only the
    /// product of both has a meaning: a unit's weights are measured so that their root mean square is a tenth.
    pub(super) fn parts(&self, scales: &Vector<f32>) -> (Layer, [f32; N_HIDDEN]) {
        let mut units = [1.0; N_HIDDEN];
        let weights = self.weights();
        let layer = std::array::from_fn(|unit| {
            let own: [f32; N_INPUTS] =
                std::array::from_fn(|i| f32::from(weights[unit][i]) * input_scale(i, scales));
            let mean_square = own.iter().map(|w| w * w).sum::<f32>() / N_INPUTS as f32;
            if mean_square > 0.0 {
                units[unit] = 10.0 * mean_square.sqrt();
            }
            own.map(|w| w / units[unit])
        });
        (layer, units)
    }
}

impl WholeUnits {
    /// As a file has them: the biases, then what the units count.
    pub(super) fn of(bytes: &[u8]) -> WholeUnits {
        let number = |i: usize| i32::from_le_bytes(std::array::from_fn(|k| bytes[4 * i + k]));
        WholeUnits {
            bias: std::array::from_fn(number),
            count: std::array::from_fn(|i| number(N_HIDDEN + i)),
        }
    }

    /// The nearest whole numbers for units with these scales; what they count is in parts of `count_unit` to a disc.
    pub(super) fn nearest(
        bias: &[f32; N_HIDDEN],
        count: &[f32; N_HIDDEN],
        units: &[f32; N_HIDDEN],
        count_unit: f32,
    ) -> WholeUnits {
        let count_unit = count_unit * (1_u32 << UNIT_SHIFT) as f32;
        WholeUnits {
            bias: std::array::from_fn(|unit| (bias[unit] * units[unit]).round() as i32),
            count: std::array::from_fn(|unit| (count[unit] / units[unit] * count_unit) as i32),
        }
    }

    /// The biases and what the units count, the way back from [`WholeUnits::nearest`].
    pub(super) fn parts(
        &self,
        units: &[f32; N_HIDDEN],
        count_unit: f32,
    ) -> ([f32; N_HIDDEN], [f32; N_HIDDEN]) {
        let count_unit = count_unit * (1_u32 << UNIT_SHIFT) as f32;
        (
            std::array::from_fn(|unit| self.bias[unit] as f32 / units[unit]),
            std::array::from_fn(|unit| self.count[unit] as f32 * units[unit] / count_unit),
        )
    }
}

/// By what an input is multiplied to make it whole, with these scales of the coordinates.
fn input_scale(input: usize, scales: &Vector<f32>) -> f32 {
    match input.checked_sub(N_GAINS) {
        // A gain has the number of its first coordinate.
        None => scales[input].powi(2) / (1_u32 << SQUARE_SHIFT) as f32,
        Some(k) => scales[k],
    }
}

/// The greatest input: sums are below a quarter of 16 bits, and x and y are added up.
const fn greatest(input: usize) -> f32 {
    match input {
        i if i >= N_GAINS => 8192.0,
        i if i >= N_GAINS - super::turn::LANE => 32768.0,
        _ => 16384.0,
    }
}

/// What the units see of a sum: what does not turn, shifted, and what does, without signs.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(super) fn inputs(still: &[i16; N_STILL], turning: &Lanes<i16>) -> Inputs {
    // As vector instructions do it: multiplied, the upper half.
    let square = |sum: i16| {
        let spread = i32::from(sum.wrapping_mul(SPREAD));
        ((spread * spread) >> 16) as i16
    };
    let turned = |k: usize| square(turning[k / LANE][k % LANE]);
    Inputs(std::array::from_fn(|slot| match input_of(slot) {
        None => 0,
        Some(input) if input >= N_GAINS => still[input - N_GAINS],
        Some(input) if input < N_STILL => square(still[input]),
        Some(input) if input < N_GAINS - LANE => turned(input - N_STILL),
        Some(input) => turned(input - N_STILL).wrapping_add(turned(input + LANE - N_STILL)),
    }))
}

/// What the units count together.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(super) fn count(inputs: &Inputs, layer: &WholeLayer, units: &WholeUnits) -> i32 {
    let mut sums = units.bias;
    for pair in PAIRS.into_iter().flatten() {
        for (sum, [a, b]) in sums.iter_mut().zip(&layer.0[pair]) {
            let [x, y] = [inputs.0[2 * pair], inputs.0[2 * pair + 1]];
            let both = i32::from(x) * i32::from(*a) + i32::from(y) * i32::from(*b);
            *sum = sum.wrapping_add(both);
        }
    }
    sums.iter().zip(&units.count).fold(0_i32, |total, (sum, count)| {
        let active = (*sum).max(sum >> LEAK) >> UNIT_SHIFT;
        total.wrapping_add(active.wrapping_mul(*count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_has_one_slot() {
        let mut slots: Vec<usize> = (0..N_SLOTS).filter_map(input_of).collect();
        slots.sort_unstable();
        assert!(slots.into_iter().eq(0..N_INPUTS));
        let used = |slot: usize| PAIRS.iter().any(|pairs| pairs.contains(&(slot / 2)));
        assert!((0..N_SLOTS).all(|slot| used(slot) == input_of(slot).is_some()));
    }
}
