//! What windows say together: the part of the estimate that is no sum.
//!
//! Every pattern has a vector of small whole numbers. The vectors of the windows are added up, half of their
//! coordinates turned as the windows lie (`turn`), and each coordinate of the sum counts by its square times a
//! *gain* that belongs to the number of empty squares; to those that do not turn a *shift* of the same kind is
//! added before. Multiplied out, that is a value for every pair of windows: a factorisation machine, which costs
//! no more than one vector addition a window.
//!
//! The game is divided into stretches with vectors of their own, because those for all phases together
//! take up too much of the processor's cache.

mod sum;

use crate::pages::Pages;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
use super::hidden;
use super::hidden::{Layer, N_HIDDEN, WholeLayer, WholeUnits};
use super::shape::{self, N_PATTERNS};
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
use super::turn::Lanes;
use super::turn::{LANE, N_STILL};
use super::weights::{is_second, silent_lanes, tied};

pub(super) use self::sum::sum;

/// How many coordinates a vector has: those that do not turn, then four lanes of those that do.
pub const N_FACTORS: usize = N_STILL + 4 * LANE;

/// How many gains there are: one for each coordinate, but the last two lanes share theirs.
pub const N_GAINS: usize = N_FACTORS - LANE;

/// Which gain counts for a coordinate.
pub const fn gain_of(coordinate: usize) -> usize {
    if coordinate < N_GAINS { coordinate } else { coordinate - LANE }
}

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
    /// The hidden layer.
    pub layer: Layer,
}

/// How the sum of the vectors counts with one number of empty squares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Head {
    /// What is added to the coordinates that do not turn.
    pub shift: [f32; N_STILL],
    /// By what the squares are multiplied: see [`gain_of`].
    pub gain: [f32; N_GAINS],
    /// What is added to what the units of the hidden layer see.
    pub bias: [f32; N_HIDDEN],
    /// What they count, in discs.
    pub count: [f32; N_HIDDEN],
}

impl Head {
    /// Under which no unit of the hidden layer counts.
    pub const fn without_units(shift: [f32; N_STILL], gain: [f32; N_GAINS]) -> Head {
        Head { shift, gain, bias: [0.0; N_HIDDEN], count: [0.0; N_HIDDEN] }
    }

    /// Whether any unit counts.
    pub fn has_units(&self) -> bool {
        self.count.iter().any(|count| *count != 0.0)
    }
}

/// The vector of a pattern, which fills a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row(
    #[allow(dead_code, reason = "vector instructions read it through a pointer")]
    pub(super)  Vector<i8>,
);

/// The vectors of all patterns, each as it is added where the pattern is seen: mirrored, if it is the second of two
/// mirror images. An estimate reads all over them, so they lie on huge pages.
pub(crate) struct Factors(Pages<Row>);

impl Factors {
    /// The vectors of weights as those of patterns.
    pub(super) fn new(vectors: &[Vector<i8>]) -> Factors {
        let mut pages = Pages::new(N_PATTERNS);
        let mut rows = pages.iter_mut();
        for (patterns, mirrored) in shape::patterns_by_shape().zip(shape::mirrored_by_shape()) {
            for (pattern, row) in patterns.zip(&mut rows) {
                let vector = &vectors[tied(pattern) as usize];
                let is_second = is_second(pattern);
                *row = Row(std::array::from_fn(|k| match k.checked_sub(N_STILL) {
                    Some(nth) if is_second && mirrored[nth / LANE] => vector[k].saturating_neg(),
                    _ => vector[k],
                }));
            }
        }
        Factors(pages)
    }

    /// By pattern.
    #[inline]
    pub(super) fn rows(&self) -> &[Row; N_PATTERNS] {
        self.0.first_chunk().expect("there is one for every pattern")
    }
}

/// A head in whole numbers.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct WholeHead {
    pub(super) shift: [i16; N_STILL],
    /// By coordinate.
    pub(super) gain: Vector<i16>,
    /// The shifts and the gains again, as vector instructions need them: the even eights of coordinates, then the odd
    /// ones. Where coordinates turn the shift is zero.
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "avx2")),
        expect(dead_code, reason = "read by vector instructions")
    )]
    eights: [[i16; N_FACTORS / 2]; 4],
    pub(super) units: WholeUnits,
}

/// Sums are multiplied by this to use more of 16 bits.
pub(super) const SPREAD: i16 = 4;

/// What the sum of the vectors counts in units of the estimate, but for a power of two: what does not turn, and
/// what does.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn value(
    still: &[i16; N_STILL],
    turning: &Lanes<i16>,
    head: &WholeHead,
    layer: Option<&WholeLayer>,
) -> i32 {
    let still: [i16; N_STILL] = std::array::from_fn(|k| still[k].wrapping_add(head.shift[k]));
    // Symmetric boards differ by signs, which rounding must not see.
    let turning = turning.map(|lane| lane.map(i16::wrapping_abs));
    let sums = still.iter().chain(turning.as_flattened());
    let squares = sums.zip(&head.gain).map(|(sum, gain)| square(*sum, *gain)).sum::<i32>();
    let count = |layer| hidden::count(&hidden::inputs(&still, &turning), layer, &head.units);
    squares.wrapping_add(layer.map_or(0, count))
}

/// Two multiplications of 16 bits, which vector units have, and no rounding on the way.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn square(sum: i16, gain: i16) -> i32 {
    let scaled = (i32::from(sum.wrapping_mul(SPREAD)) * i32::from(gain)) >> 16;
    i32::from(sum) * i32::from(scaled as i16)
}

/// By what a gain was multiplied to make it whole, but for the scale of its coordinate.
fn gain_unit(power: u32, unit: f32) -> f32 {
    unit * f32::from(i16::MAX) * 2.0 / f32::from(SPREAD) * (1_u32 << power) as f32
}

/// By what a count is multiplied to make it whole.
fn count_unit(power: u32, unit: f32) -> f32 {
    unit * (1_u32 << power) as f32
}

impl WholeHead {
    /// A head with these shifts and gains, as a file has them.
    pub(super) fn new(
        shift: [i16; N_STILL],
        gain: &[i16; N_GAINS],
        units: WholeUnits,
    ) -> WholeHead {
        let gain: Vector<i16> = std::array::from_fn(|k| gain[gain_of(k)]);
        let coordinate = |odd: usize, i: usize| (2 * (i / LANE) + odd) * LANE + i % LANE;
        let shifts =
            |odd| std::array::from_fn(|i| shift.get(coordinate(odd, i)).copied().unwrap_or(0));
        let gains = |odd| std::array::from_fn(|i| gain[coordinate(odd, i)]);
        let eights = [shifts(0), shifts(1), gains(0), gains(1)];
        WholeHead { shift, gain, eights, units }
    }

    /// Whether any unit of the hidden layer counts.
    pub(super) fn has_units(&self) -> bool {
        self.units.count != [0; N_HIDDEN]
    }

    /// The head in discs, of vectors and units that were multiplied by `scales` and `units`.
    pub(super) fn parts(
        &self,
        scales: &Vector<f32>,
        units: &[f32; N_HIDDEN],
        power: u32,
        unit: f32,
    ) -> Head {
        let (bias, count) = self.units.parts(units, count_unit(power, unit));
        Head {
            bias,
            count,
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
    pub(super) layers: Vec<WholeLayer>,
    pub(super) heads: Vec<WholeHead>,
}

impl Whole {
    /// The nearest whole numbers, with `unit` parts to a disc. Each coordinate of a stretch has a scale
    /// of its own, but for those that a turn exchanges.
    pub(super) fn new(stretches: &[Stretch], heads: &[Head], unit: f32) -> Whole {
        let scales: Vec<Vector<f32>> = stretches.iter().map(scales).collect();
        let stretch_of = |n_empties: usize| {
            let after = stretches.iter().rposition(|s| s.n_empties as usize <= n_empties);
            after.unwrap_or(0)
        };
        let scale_of = |n_empties: usize| &scales[stretch_of(n_empties)];
        let mut layers = Vec::new();
        for (i, (stretch, scales)) in stretches.iter().zip(&scales).enumerate() {
            let mut biases = [0.0_f32; N_HIDDEN];
            let own = heads.iter().enumerate().filter(|(n, _)| stretch_of(*n) == i);
            for (_, head) in own {
                biases = std::array::from_fn(|unit| biases[unit].max(head.bias[unit].abs()));
            }
            layers.push(WholeLayer::nearest(&stretch.layer, &biases, scales));
        }
        let gain = |n: usize, k: usize, power: u32| {
            heads[n].gain[k] / scale_of(n)[k].powi(2) * gain_unit(power, unit)
        };
        let fits = |power: u32| {
            let mut all = (0..heads.len()).flat_map(|n| (0..N_GAINS).map(move |k| (n, k)));
            all.all(|(n, k)| gain(n, k, power).abs() < f32::from(i16::MAX))
        };
        let power = (0..POWER_MAX).rev().find(|&power| fits(power)).unwrap_or(0);
        let whole = |x: f32, most: f32| x.round().clamp(-most, most);
        let stretches = { stretches.iter().zip(&scales) }
            .map(|(stretch, scale)| {
                { stretch.vectors.iter().enumerate() }
                    .map(|(weight, v)| {
                        let silent = silent_lanes(weight);
                        std::array::from_fn(|k| {
                            let is_silent = k >= N_STILL && silent[(k - N_STILL) / LANE];
                            let v = if is_silent { 0.0 } else { v[k] };
                            whole(v * scale[k], most(k)) as i8
                        })
                    })
                    .collect()
            })
            .collect();
        let heads = { heads.iter().enumerate() }
            .map(|(n, head)| {
                let shift = |k: usize| whole(head.shift[k] * scale_of(n)[k], SHIFT_MAX) as i16;
                let gain = |k: usize| whole(gain(n, k, power), f32::from(i16::MAX)) as i16;
                let (_, scales) = &layers[stretch_of(n)];
                let count_unit = count_unit(power, unit);
                let units = WholeUnits::nearest(&head.bias, &head.count, scales, count_unit);
                WholeHead::new(std::array::from_fn(shift), &std::array::from_fn(gain), units)
            })
            .collect();
        let layers = layers.into_iter().map(|(layer, _)| layer).collect();
        Whole { power, stretches, layers, heads }
    }
}

/// The greatest power of two that values are divided by.
pub(super) const POWER_MAX: u32 = 24;

/// With 46 vectors of at most 127 a sum stays below a quarter of 16 bits.
const SHIFT_MAX: f32 = 2048.0;

/// The greatest number in a vector: where numbers turn, those of slanted shapes count twice, and the sum must
/// stay below a quarter of 16 bits too.
const fn most(coordinate: usize) -> f32 {
    if coordinate < N_STILL { 127.0 } else { 112.0 }
}

/// For each coordinate the factor that makes almost all of its numbers fit into 8 bits. A few that
/// stick out are cut off, so that the others are not rounded away.
fn scales(stretch: &Stretch) -> Vector<f32> {
    let own: Vector<f32> = std::array::from_fn(|k| {
        let mut sizes: Vec<f32> = stretch.vectors.iter().map(|v| v[k].abs()).collect();
        let nth = (sizes.len() - 1) - sizes.len() / 5000;
        let (_, size, _) = sizes.select_nth_unstable_by(nth, f32::total_cmp);
        most(k) / size.max(1e-6)
    });
    // A turn exchanges the last two lanes, so these have the same scales.
    std::array::from_fn(|k| match gain_of(k) {
        x if x >= N_GAINS - LANE => own[x].min(own[x + LANE]),
        _ => own[k],
    })
}
