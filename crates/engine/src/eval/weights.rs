//! The weights, and the file that holds them.
//!
//! The game is divided by anchors, each a number of empty squares with a full set of weights; between
//! two anchors the weights change evenly. A file is
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OBVEVAL7` |
//! | 4 | the number of anchors, N |
//! | 4 × N | the number of empty squares of each, rising |
//! | 2 × 65 | a weight for each number of empty squares |
//! | 2 × N × `n_weights()` | the weights of each anchor |
//! | 4 | the number of stretches, S, which may be 0; what follows is there only if it is not |
//! | 4 | by which power of two the values of vectors are divided |
//! | 4 × S | the fewest empty squares of each stretch, rising |
//! | S × ⌈`n_weights()` / 8⌉ | a bit for each weight that has a vector in each stretch, the lowest first |
//! | `N_FACTORS` each | the vectors of each stretch; others are zero |
//! | 65 × 2 × (`N_STILL` + `N_GAINS`) | for each number of empty squares the shifts, then the gains |
//! | S × 2 × `N_HIDDEN` × `N_INPUTS` | the hidden layer of each stretch, unit by unit |
//! | 65 × 8 × `N_HIDDEN` | for each number of empty squares the biases of the units, then what they count |
//! | 8 | a checksum of all before it |
//!
//! with all numbers little-endian, weights as `i16` in units of 1/128 disc; vectors are `i8`, shifts, gains and
//! the hidden layers `i16`, biases and what units count `i32`.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Windows;
use super::factors::{
    self, Factors, Head, N_FACTORS, N_GAINS, POWER_MAX, Stretch, Vector, Whole, WholeHead,
};
use super::hidden::{N_HIDDEN, N_INPUTS, WholeLayer, WholeUnits};
use super::shape::{self, N_PATTERNS, N_TIED, Ties};
use super::turn::N_STILL;

const MAGIC: &[u8; 8] = b"OBVEVAL7";

/// The parts that make a disc.
pub const UNIT: i32 = 128;

/// The most anchors a file may have.
const ANCHORS_MAX: usize = 61;

const N_BASES: usize = 65;

/// How many bytes say which weights have a vector in a stretch.
const BITS_BYTES: usize = N_TIED.div_ceil(8);

/// How many numbers a head has.
const HEAD: usize = N_STILL + N_GAINS;

/// How many bytes a hidden layer has, and what belongs to its units with one number of empty squares.
const LAYER_BYTES: usize = 2 * N_HIDDEN * N_INPUTS;
const UNITS_BYTES: usize = 2 * 4 * N_HIDDEN;

/// A set of weights in discs, for one number of empty squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The number of empty squares.
    pub n_empties: u32,
    /// The weights, [`n_weights`] of them, as [`tied`] numbers them.
    pub weights: Vec<f32>,
}

/// The weights of the evaluation.
pub struct Weights {
    anchors: Vec<(u32, Vec<i16>)>,
    bases: Vec<i16>,
    stretches: Vec<WholeStretch>,
    heads: Vec<WholeHead>,
    power: u32,
    checksum: u64,
    /// For each number of empty squares the weights by pattern, made when first asked for.
    phases: [OnceLock<Phase>; N_BASES],
}

/// The vectors for at least so many empty squares, up to the next stretch.
struct WholeStretch {
    n_empties: u32,
    /// By the number of the weight.
    vectors: Vec<Vector<i8>>,
    layer: Arc<WholeLayer>,
    /// By pattern, made when first asked for.
    by_pattern: OnceLock<Arc<Factors>>,
}

/// The weights for one number of empty squares.
pub(crate) struct Phase {
    /// By pattern.
    weights: Box<[i16; N_PATTERNS]>,
    base: i32,
    factors: Option<PhaseFactors>,
}

/// What patterns say together with one number of empty squares.
struct PhaseFactors {
    factors: Arc<Factors>,
    head: Box<WholeHead>,
    /// By which power of two it is divided.
    power: u32,
    /// If any of its units counts.
    layer: Option<Arc<WholeLayer>>,
}

impl Phase {
    #[inline]
    pub(super) fn weights(&self) -> &[i16; N_PATTERNS] {
        &self.weights
    }

    #[inline]
    pub(super) const fn base(&self) -> i32 {
        self.base
    }

    /// What the windows of a board say: their weights, and in the same units what their vectors say together.
    #[inline]
    pub(super) fn sum(&self, windows: &Windows) -> Option<i32> {
        let PhaseFactors { factors, head, power, layer } = self.factors.as_ref()?;
        let layer = layer.as_deref();
        let (sum, value) = factors::sum(windows, &self.weights, factors.rows(), head, layer);
        Some(sum + (value >> power))
    }
}

/// How many weights a set has.
pub const fn n_weights() -> usize {
    N_TIED
}

fn ties() -> &'static Ties {
    static TIES: OnceLock<Ties> = OnceLock::new();
    TIES.get_or_init(shape::ties)
}

/// The number of the weight that stands for a pattern.
pub fn tied(pattern: u32) -> u32 {
    ties().weights[pattern as usize]
}

/// Whether a pattern is the second of the two mirror images that share a weight.
pub fn is_second(pattern: u32) -> bool {
    ties().is_second[pattern as usize]
}

/// The lanes in which the vector of a weight is zero, because a symmetry that changes their signs leaves the
/// pattern as it is.
pub fn silent_lanes(weight: usize) -> [bool; 4] {
    ties().silent[weight]
}

/// Why bytes are not weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// They do not begin as a file of weights does.
    Magic,
    /// There are so many bytes, but so many were expected.
    Size {
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// They were damaged: the checksum is wrong.
    Checksum,
    /// The anchors are not in order, or there are none.
    Anchors,
    /// The stretches are too many or not in order, or the power is too great.
    Stretches,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Magic => {
                write!(f, "not a file of weights: expected it to begin with OBVEVAL7")
            }
            WeightsError::Size { found, expected } => {
                write!(f, "found {found} bytes of weights, expected {expected}")
            }
            WeightsError::Checksum => write!(f, "the weights are damaged: wrong checksum"),
            WeightsError::Anchors => {
                write!(f, "the anchors of the weights are out of order: expected them to rise")
            }
            WeightsError::Stretches => {
                write!(f, "the stretches of the weights are out of order: expected them to rise")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// The weights that come with the program.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn built_in() -> Arc<Weights> {
        static BUILT_IN: OnceLock<Arc<Weights>> = OnceLock::new();
        // The checksum is for files that travel; that of the built-in one is checked by a test.
        let weights = BUILT_IN.get_or_init(|| {
            let bytes = include_bytes!("../../weights/weights.bin");
            Arc::new(Weights::read(bytes, false).expect("the built-in weights are well formed"))
        });
        Arc::clone(weights)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If it is not a file of weights, of another version, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        Weights::read(bytes, true)
    }

    fn read(bytes: &[u8], is_checked: bool) -> Result<Weights, WeightsError> {
        if bytes.len() < 12 || &bytes[..8] != MAGIC {
            return Err(WeightsError::Magic);
        }
        let word = |at: usize| {
            bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        };
        let n_anchors = word(8) as usize;
        if n_anchors == 0 || n_anchors > ANCHORS_MAX {
            return Err(WeightsError::Anchors);
        }
        let start = 12 + 4 * n_anchors;
        let weights_end = start + 2 * N_BASES + 2 * n_weights() * n_anchors;
        let n_stretches = word(weights_end) as usize;
        if n_stretches > ANCHORS_MAX {
            return Err(WeightsError::Stretches);
        }
        let bits_start = weights_end + 8 + 4 * n_stretches;
        let vectors_start = bits_start + n_stretches * BITS_BYTES;
        let bits = bytes.get(bits_start..vectors_start).unwrap_or(&[]);
        let n_vectors: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
        let heads_start = vectors_start + n_vectors as usize * N_FACTORS;
        let layers_start = heads_start + N_BASES * 2 * HEAD;
        let units_start = layers_start + n_stretches * LAYER_BYTES;
        let end =
            if n_stretches == 0 { weights_end + 4 } else { units_start + N_BASES * UNITS_BYTES };
        let expected = end + 8;
        if bytes.len() != expected {
            return Err(WeightsError::Size { found: bytes.len(), expected });
        }
        if is_checked && checksum(&bytes[..end]).to_le_bytes() != bytes[end..] {
            return Err(WeightsError::Checksum);
        }
        let rises = |numbers: &[u32]| numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let empties: Vec<u32> = (0..n_anchors).map(|i| word(12 + 4 * i)).collect();
        if !rises(&empties) {
            return Err(WeightsError::Anchors);
        }
        let numbers = |part: &[u8]| -> Vec<i16> {
            part.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect()
        };
        let weights = numbers(&bytes[start..weights_end]);
        let (bases, sets) = weights.split_at(N_BASES);
        let sets = sets.chunks_exact(n_weights()).map(<[i16]>::to_vec);
        let mut weights = Weights {
            anchors: empties.into_iter().zip(sets).collect(),
            bases: bases.to_vec(),
            stretches: Vec::new(),
            heads: Vec::new(),
            power: 0,
            checksum: u64::from_le_bytes(bytes[end..].try_into().expect("eight are left")),
            phases: [const { OnceLock::new() }; N_BASES],
        };
        if n_stretches > 0 {
            weights.power = word(weights_end + 4);
            let froms: Vec<u32> = (0..n_stretches).map(|i| word(weights_end + 8 + 4 * i)).collect();
            if !rises(&froms) || weights.power > POWER_MAX {
                return Err(WeightsError::Stretches);
            }
            let vector = |part: &[u8]| std::array::from_fn(|k| part[k] as i8);
            let mut rows = bytes[vectors_start..heads_start].chunks_exact(N_FACTORS).map(vector);
            let layers = bytes[layers_start..units_start].chunks_exact(LAYER_BYTES);
            let stretches = froms.into_iter().zip(bits.chunks_exact(BITS_BYTES)).zip(layers);
            for ((n_empties, bits), layer) in stretches {
                // A bit too many takes a vector, too, and is found by the checksum.
                let has_vector = |weight: usize| bits[weight / 8] >> (weight % 8) & 1 != 0;
                let vector = |weight| has_vector(weight).then(|| rows.next()).flatten();
                let vectors = (0..n_weights()).map(vector);
                let vectors = vectors.map(|vector| vector.unwrap_or([0; N_FACTORS])).collect();
                let by_pattern = OnceLock::new();
                let layer = numbers(layer);
                let unit = |unit: usize| std::array::from_fn(|i| layer[unit * N_INPUTS + i]);
                let layer = Arc::new(WholeLayer::new(&std::array::from_fn(unit)));
                weights.stretches.push(WholeStretch { n_empties, vectors, layer, by_pattern });
            }
            let heads = numbers(&bytes[heads_start..layers_start]);
            let units = bytes[units_start..end].chunks_exact(UNITS_BYTES);
            let head = |(part, units): (&[i16], &[u8])| {
                let gain = std::array::from_fn(|k| part[N_STILL + k]);
                WholeHead::new(std::array::from_fn(|k| part[k]), &gain, WholeUnits::of(units))
            };
            weights.heads = heads.chunks_exact(HEAD).zip(units).map(head).collect();
        }
        Ok(weights)
    }

    /// The bytes of a file with these weights: the base of each number of empty squares from 0 to 64, the anchors
    /// and the stretches, both in rising order, and a head for each number of empty squares if there are
    /// stretches.
    ///
    /// # Panics
    /// If there are not 65 bases and heads, or there are not [`n_weights`] weights of an anchor or vectors of a
    /// stretch.
    pub fn print(
        bases: &[f32],
        anchors: &[Anchor],
        stretches: &[Stretch],
        heads: &[Head],
    ) -> Vec<u8> {
        assert_eq!(bases.len(), N_BASES);
        let mut bytes = MAGIC.to_vec();
        bytes.extend((anchors.len() as u32).to_le_bytes());
        for anchor in anchors {
            bytes.extend(anchor.n_empties.to_le_bytes());
        }
        bytes.extend(bases.iter().copied().flat_map(quantised));
        for anchor in anchors {
            assert_eq!(anchor.weights.len(), n_weights());
            bytes.extend(anchor.weights.iter().copied().flat_map(quantised));
        }
        bytes.extend((stretches.len() as u32).to_le_bytes());
        if !stretches.is_empty() {
            assert_eq!(heads.len(), N_BASES);
            let whole = Whole::new(stretches, heads, UNIT as f32);
            bytes.extend(whole.power.to_le_bytes());
            bytes.extend(stretches.iter().flat_map(|stretch| stretch.n_empties.to_le_bytes()));
            for vectors in &whole.stretches {
                assert_eq!(vectors.len(), n_weights());
                let mut bits = vec![0; BITS_BYTES];
                for (weight, vector) in vectors.iter().enumerate() {
                    bits[weight / 8] |= u8::from(is_something(vector)) << (weight % 8);
                }
                bytes.append(&mut bits);
            }
            for vector in whole.stretches.iter().flatten().filter(|v| is_something(v)) {
                bytes.extend(vector.map(i8::cast_unsigned));
            }
            for WholeHead { shift, gain, .. } in &whole.heads {
                let numbers = shift.iter().chain(&gain[..N_GAINS]);
                bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
            }
            for layer in &whole.layers {
                let weights = layer.weights();
                bytes.extend(weights.as_flattened().iter().flat_map(|w| w.to_le_bytes()));
            }
            for WholeHead { units: WholeUnits { bias, count }, .. } in &whole.heads {
                bytes.extend(bias.iter().chain(count).flat_map(|number| number.to_le_bytes()));
            }
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The bytes of a file with the weights of another one, but these bases.
    ///
    /// # Errors
    /// If the bytes are not those of a file of weights.
    ///
    /// # Panics
    /// If there are not 65 bases.
    pub fn rebased(bytes: &[u8], bases: &[f32]) -> Result<Vec<u8>, WeightsError> {
        assert_eq!(bases.len(), N_BASES);
        let n_anchors = Weights::parse(bytes)?.anchors.len();
        let start = 12 + 4 * n_anchors;
        let mut bytes = bytes[..bytes.len() - 8].to_vec();
        let numbers: Vec<u8> = bases.iter().copied().flat_map(quantised).collect();
        bytes[start..start + 2 * N_BASES].copy_from_slice(&numbers);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        Ok(bytes)
    }

    /// What tells these weights from others: the checksum in their file.
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The numbers of empty squares that have weights of their own, rising.
    pub fn anchors(&self) -> impl Iterator<Item = u32> {
        self.anchors.iter().map(|(n_empties, _)| *n_empties)
    }

    /// The weight of a number of empty squares itself, in discs.
    ///
    /// # Panics
    /// If there are more than 64.
    pub fn base(&self, n_empties: u32) -> f32 {
        f32::from(self.bases[n_empties as usize]) / UNIT as f32
    }

    /// The set of weights for a number of empty squares: that of an anchor, or what two come to
    /// between them.
    pub fn set(&self, n_empties: u32) -> Anchor {
        let [(low_at, low), (high_at, high)] = self.sides(n_empties);
        let span = high_at.saturating_sub(*low_at).max(1) as f32;
        let part = (n_empties.clamp(*low_at, *high_at) - low_at) as f32 / span;
        let mixed = |(low, high): (&i16, &i16)| {
            let (low, high) = (f32::from(*low), f32::from(*high));
            (low + part * (high - low)) / UNIT as f32
        };
        Anchor { n_empties, weights: low.iter().zip(high).map(mixed).collect() }
    }

    /// The vectors, and how their sum counts for each number of empty squares; nothing if there are none.
    ///
    /// Only the product of a gain and the squares of vectors has a meaning. The vectors are measured so
    /// that the gains of a stretch are one in the mean.
    pub fn vectors(&self) -> (Vec<Stretch>, Vec<Head>) {
        let mut heads = Vec::with_capacity(N_BASES);
        let mut stretches = Vec::with_capacity(self.stretches.len());
        for (i, WholeStretch { n_empties, vectors, layer, .. }) in self.stretches.iter().enumerate()
        {
            let next = self.stretches.get(i + 1).map_or(N_BASES, |next| next.n_empties as usize);
            let whole = &self.heads[heads.len()..next];
            let scales = factors::scales_of(whole, self.power, UNIT as f32);
            let divided = |v: &Vector<i8>| std::array::from_fn(|k| f32::from(v[k]) / scales[k]);
            let (layer, units) = layer.parts(&scales);
            let (n_empties, vectors) = (*n_empties, vectors.iter().map(divided).collect());
            stretches.push(Stretch { n_empties, vectors, layer });
            let parts = |head: &WholeHead| head.parts(&scales, &units, self.power, UNIT as f32);
            heads.extend(whole.iter().map(parts));
        }
        (stretches, heads)
    }

    /// The anchors on either side of a number of empty squares, which may be the same.
    fn sides(&self, n_empties: u32) -> [&(u32, Vec<i16>); 2] {
        let above = self.anchors.partition_point(|anchor| anchor.0 < n_empties);
        [&self.anchors[above.saturating_sub(1)], &self.anchors[above.min(self.anchors.len() - 1)]]
    }

    /// The weights for a number of empty squares.
    #[inline]
    pub(crate) fn phase(&self, n_empties: u32) -> &Phase {
        let n = (n_empties as usize).min(N_BASES - 1);
        self.phases[n].get_or_init(|| self.blend(n as u32))
    }

    /// Mixes the weights of the anchors on either side.
    #[cold]
    fn blend(&self, n_empties: u32) -> Phase {
        let [(low_at, low), (high_at, high)] = self.sides(n_empties);
        let span = high_at.saturating_sub(*low_at).max(1) as i32;
        let part = (n_empties.clamp(*low_at, *high_at) - low_at) as i32;
        let mixed = |i: usize| {
            let (low, high) = (i32::from(low[i]), i32::from(high[i]));
            (low + ((high - low) * part + span / 2).div_euclid(span)) as i16
        };
        let weights: Vec<i16> =
            (0..N_PATTERNS as u32).map(|pattern| mixed(tied(pattern) as usize)).collect();
        let Ok(weights) = weights.into_boxed_slice().try_into() else {
            unreachable!("there is one for every pattern")
        };
        let base = i32::from(self.bases[n_empties as usize]);
        Phase { weights, base, factors: self.factors(n_empties) }
    }

    /// What patterns say together with a number of empty squares, if the weights have vectors.
    fn factors(&self, n_empties: u32) -> Option<PhaseFactors> {
        let after = self.stretches.partition_point(|stretch| stretch.n_empties <= n_empties);
        let WholeStretch { vectors, layer, by_pattern, .. } =
            self.stretches.get(after.saturating_sub(1))?;
        let factors = by_pattern.get_or_init(|| Arc::new(Factors::new(vectors)));
        let head = Box::new(self.heads[n_empties as usize]);
        Some(PhaseFactors {
            factors: Arc::clone(factors),
            layer: head.has_units().then(|| Arc::clone(layer)),
            head,
            power: self.power,
        })
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights of {} anchors", self.anchors.len())
    }
}

/// A weight or base in whole units.
fn quantised(weight: f32) -> [u8; 2] {
    let units = (weight * UNIT as f32).round();
    (units.clamp(f32::from(-i16::MAX), f32::from(i16::MAX)) as i16).to_le_bytes()
}

/// Whether a vector is worth its place in a file.
fn is_something(vector: &Vector<i8>) -> bool {
    *vector != [0; N_FACTORS]
}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
