//! What windows say together: the part of the estimate that is no sum.
//!
//! Every pattern has a vector of small whole numbers. The vectors of the windows are added up, and each
//! coordinate of the sum counts by its square times a *gain* that belongs to the number of empty
//! squares, after a *shift* of the same kind. Multiplied out, that is a value for every pair of windows:
//! a factorisation machine, which costs no more than one vector addition a window.
//!
//! The game is divided into stretches with vectors of their own, because those for all phases together
//! take up too much of the processor's cache.

mod sum;

use super::places::N_PLACES;

pub(super) use self::sum::sum;

/// How many coordinates a vector has.
pub const N_FACTORS: usize = 32;

/// A vector, sum of vectors, or one number for each coordinate.
pub(super) type Vector<T> = [T; N_FACTORS];

/// A vector of numbers for each weight, in discs to the power of one half; for the game with at least so
/// many empty squares, up to the next stretch.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretch {
    /// The fewest empty squares.
    pub n_empties: u32,
    /// The vectors, [`n_weights`](super::n_weights) of them, as [`tied`](super::tied) numbers them.
    pub vectors: Vec<[f32; N_FACTORS]>,
}

/// How the sum of the vectors counts with one number of empty squares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Head {
    /// What is added to the sum.
    pub shift: [f32; N_FACTORS],
    /// By what the squares are multiplied.
    pub gain: [f32; N_FACTORS],
}

/// The vector of a pattern, which never lies across two lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Row(
    #[allow(dead_code, reason = "vector instructions read it through a pointer")]
    pub(super)  Vector<i8>,
);

/// The vectors of all patterns, each in its place.
pub(crate) struct Factors(pub(super) Box<[Row; N_PLACES]>);

/// A head in whole numbers.
#[derive(Clone, Copy)]
pub(crate) struct WholeHead {
    pub(super) shift: Vector<i16>,
    pub(super) gain: Vector<i16>,
}

/// Sums are multiplied by this to use more of 16 bits.
const SPREAD: i16 = 4;

/// The bits lost when the upper half of a product of 16 bits is taken.
const HALF: u32 = 16;

/// What is left of the sum of the vectors in units of the estimate, but for a power of two.
#[inline]
pub(super) fn value(sum: &Vector<i16>, head: &WholeHead) -> i32 {
    let mut value = 0;
    for k in 0..N_FACTORS {
        let sum = sum[k].wrapping_add(head.shift[k]);
        // Two multiplications of 16 bits, which vector units have, and no rounding on the way.
        let scaled = (i32::from(sum.wrapping_mul(SPREAD)) * i32::from(head.gain[k])) >> HALF;
        value += i32::from(sum) * i32::from(scaled as i16);
    }
    value
}

/// By what a gain was multiplied to make it whole, but for the scale of its coordinate.
fn gain_unit(power: u32, unit: f32) -> f32 {
    unit * f32::from(i16::MAX) * 2.0 / f32::from(SPREAD) * (1_u32 << power) as f32
}

impl WholeHead {
    /// The head in discs, of vectors that were multiplied by `scales`.
    pub(super) fn parts(&self, scales: &Vector<f32>, power: u32, unit: f32) -> Head {
        Head {
            shift: std::array::from_fn(|k| f32::from(self.shift[k]) / scales[k]),
            gain: std::array::from_fn(|k| {
                f32::from(self.gain[k]) / gain_unit(power, unit) * scales[k].powi(2)
            }),
        }
    }
}

/// The scales with which the gains of a stretch are one in the mean.
pub(super) fn scales_of(heads: &[WholeHead], power: u32, unit: f32) -> Vector<f32> {
    std::array::from_fn(|k| {
        let sum: f32 = heads.iter().map(|head| f32::from(head.gain[k]).abs()).sum();
        (gain_unit(power, unit) * heads.len() as f32 / sum.max(1.0)).sqrt()
    })
}

/// Vectors and heads as a file holds them.
pub(super) struct Whole {
    pub(super) power: u32,
    pub(super) stretches: Vec<Vec<Vector<i8>>>,
    pub(super) heads: Vec<WholeHead>,
}

impl Whole {
    /// The nearest whole numbers, with `unit` parts to a disc. Each coordinate of a stretch has a scale
    /// of its own.
    pub(super) fn new(stretches: &[Stretch], heads: &[Head], unit: f32) -> Whole {
        let scales: Vec<Vector<f32>> = stretches.iter().map(scales).collect();
        let scale_of = |n_empties: usize| {
            let after = stretches.iter().rposition(|s| s.n_empties as usize <= n_empties);
            &scales[after.unwrap_or(0)]
        };
        let gain = |n: usize, k: usize, power: u32| {
            heads[n].gain[k] / scale_of(n)[k].powi(2) * gain_unit(power, unit)
        };
        let fits = |power: u32| {
            let mut all = (0..heads.len()).flat_map(|n| (0..N_FACTORS).map(move |k| (n, k)));
            all.all(|(n, k)| gain(n, k, power).abs() < f32::from(i16::MAX))
        };
        let power = (0..POWER_MAX).rev().find(|&power| fits(power)).unwrap_or(0);
        let whole = |x: f32, most: f32| x.round().clamp(-most, most);
        let stretches = { stretches.iter().zip(&scales) }
            .map(|(stretch, scale)| {
                { stretch.vectors.iter() }
                    .map(|v| std::array::from_fn(|k| whole(v[k] * scale[k], 127.0) as i8))
                    .collect()
            })
            .collect();
        let heads = { heads.iter().enumerate() }
            .map(|(n, head)| WholeHead {
                shift: std::array::from_fn(|k| {
                    whole(head.shift[k] * scale_of(n)[k], SHIFT_MAX) as i16
                }),
                gain: std::array::from_fn(|k| whole(gain(n, k, power), f32::from(i16::MAX)) as i16),
            })
            .collect();
        Whole { power, stretches, heads }
    }
}

/// The greatest power of two that values are divided by.
pub(super) const POWER_MAX: u32 = 24;

/// With 46 vectors of at most 127 a sum stays below a quarter of 16 bits.
const SHIFT_MAX: f32 = 2048.0;

/// For each coordinate the factor that makes almost all of its numbers fit into 8 bits. A few that
/// stick out are cut off, so that the others are not rounded away.
fn scales(stretch: &Stretch) -> Vector<f32> {
    std::array::from_fn(|k| {
        let mut sizes: Vec<f32> = stretch.vectors.iter().map(|v| v[k].abs()).collect();
        let nth = (sizes.len() - 1) - sizes.len() / 5000;
        let (_, size, _) = sizes.select_nth_unstable_by(nth, f32::total_cmp);
        127.0 / size.max(1e-6)
    })
}
