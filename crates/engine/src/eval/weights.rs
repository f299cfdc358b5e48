//! The weights, and the file that holds them.
//!
//! The game is divided by anchors, each a number of empty squares with a full set of weights; between
//! two anchors the weights change evenly. A file is
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OBVEVAL3` |
//! | 4 | the number of anchors, N |
//! | 4 × N | the number of empty squares of each, rising |
//! | 2 × 65 | a weight for each number of empty squares |
//! | 2 × N × `n_weights()` | the weights of each anchor |
//! | 4 | the number of stretches, S, which may be 0; what follows is there only if it is not |
//! | 4 | by which power of two the values of vectors are divided |
//! | 4 × S | the fewest empty squares of each stretch, rising |
//! | S × `n_weights()` × `N_FACTORS` | the vectors of each stretch |
//! | 65 × 2 × 2 × `N_FACTORS` | for each number of empty squares the shifts, then the gains |
//! | 8 | a checksum of all before it |
//!
//! with all numbers little-endian and weights as `i16` in units of 1/128 disc; vectors are `i8`, shifts
//! and gains `i16`.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::factors::{
    self, Factors, Head, N_FACTORS, POWER_MAX, Row, Stretch, Vector, Whole, WholeHead,
};
use super::shape::{self, N_PATTERNS};

const MAGIC: &[u8; 8] = b"OBVEVAL3";

/// The parts that make a disc.
pub const UNIT: i32 = 128;

/// The most anchors a file may have.
const ANCHORS_MAX: usize = 61;

const N_BASES: usize = 65;

const HEADS_BYTES: usize = N_BASES * 2 * 2 * N_FACTORS;

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
    /// For each number of empty squares the weights of every pattern, made when first asked for.
    phases: [OnceLock<Phase>; N_BASES],
}

/// The vectors for at least so many empty squares, up to the next stretch.
struct WholeStretch {
    n_empties: u32,
    /// By the number of the weight.
    vectors: Vec<Vector<i8>>,
    /// Of every pattern, made when first asked for.
    of_patterns: OnceLock<Arc<Factors>>,
}

/// The weights of all patterns for one number of empty squares.
pub(crate) struct Phase {
    weights: Box<[i16; N_PATTERNS]>,
    base: i32,
    factors: Option<(Arc<Factors>, WholeHead, u32)>,
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

    /// The vectors of all patterns, how their sum counts, and by which power of two it is divided.
    #[inline]
    pub(super) fn factors(&self) -> Option<(&[Row; N_PATTERNS], &WholeHead, u32)> {
        self.factors.as_ref().map(|(factors, head, power)| (&*factors.0, head, *power))
    }
}

/// How many weights a set has.
pub fn n_weights() -> usize {
    ties().1
}

/// The number of the weight that stands for a pattern.
pub fn tied(pattern: u32) -> u32 {
    ties().0[pattern as usize]
}

fn ties() -> &'static (Vec<u32>, usize) {
    static TIES: OnceLock<(Vec<u32>, usize)> = OnceLock::new();
    TIES.get_or_init(shape::ties)
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
                write!(f, "not a file of weights: expected it to begin with OBVEVAL3")
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
            Arc::new(Weights::parse_body(bytes).expect("the built-in weights are well formed"))
        });
        Arc::clone(weights)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If it is not a file of weights, of another version, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let weights = Weights::parse_body(bytes)?;
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err(WeightsError::Checksum);
        }
        Ok(weights)
    }

    fn parse_body(bytes: &[u8]) -> Result<Weights, WeightsError> {
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
        let vectors_start = weights_end + 8 + 4 * n_stretches;
        let heads_start = vectors_start + n_stretches * n_weights() * N_FACTORS;
        let end = if n_stretches == 0 { weights_end + 4 } else { heads_start + HEADS_BYTES };
        let expected = end + 8;
        if bytes.len() != expected {
            return Err(WeightsError::Size { found: bytes.len(), expected });
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
            let vectors = bytes[vectors_start..heads_start].chunks_exact(N_FACTORS).map(vector);
            let vectors: Vec<Vector<i8>> = vectors.collect();
            let sets = vectors.chunks_exact(n_weights()).map(<[Vector<i8>]>::to_vec);
            let stretch = |(n_empties, vectors)| WholeStretch {
                n_empties,
                vectors,
                of_patterns: OnceLock::new(),
            };
            weights.stretches = froms.into_iter().zip(sets).map(stretch).collect();
            let heads = numbers(&bytes[heads_start..end]);
            let head = |part: &[i16]| WholeHead {
                shift: std::array::from_fn(|k| part[k]),
                gain: std::array::from_fn(|k| part[N_FACTORS + k]),
            };
            weights.heads = heads.chunks_exact(2 * N_FACTORS).map(head).collect();
        }
        Ok(weights)
    }

    /// The bytes of a file with these weights: the base of each number of empty squares from 0 to 64,
    /// the anchors and the stretches, both in rising order, and a head for each number of empty squares
    /// if there are stretches.
    ///
    /// # Panics
    /// If there are not 65 bases and heads, or an anchor or stretch does not have [`n_weights`].
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
        let quantised = |weight: &f32| {
            let units = (weight * UNIT as f32).round();
            (units.clamp(f32::from(-i16::MAX), f32::from(i16::MAX)) as i16).to_le_bytes()
        };
        bytes.extend(bases.iter().flat_map(quantised));
        for anchor in anchors {
            assert_eq!(anchor.weights.len(), n_weights());
            bytes.extend(anchor.weights.iter().flat_map(quantised));
        }
        bytes.extend((stretches.len() as u32).to_le_bytes());
        if !stretches.is_empty() {
            assert_eq!(heads.len(), N_BASES);
            let whole = Whole::new(stretches, heads, UNIT as f32);
            bytes.extend(whole.power.to_le_bytes());
            bytes.extend(stretches.iter().flat_map(|stretch| stretch.n_empties.to_le_bytes()));
            for vectors in &whole.stretches {
                assert_eq!(vectors.len(), n_weights());
                bytes.extend(vectors.iter().flatten().map(|factor| *factor as u8));
            }
            for WholeHead { shift, gain } in &whole.heads {
                bytes.extend(shift.iter().chain(gain).flat_map(|number| number.to_le_bytes()));
            }
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// What tells these weights from others: the checksum in their file.
    pub const fn checksum(&self) -> u64 {
        self.checksum
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
        for (i, WholeStretch { n_empties, vectors, .. }) in self.stretches.iter().enumerate() {
            let next = self.stretches.get(i + 1).map_or(N_BASES, |next| next.n_empties as usize);
            let whole = &self.heads[heads.len()..next];
            let scales = factors::scales_of(whole, self.power, UNIT as f32);
            let divided = |v: &Vector<i8>| std::array::from_fn(|k| f32::from(v[k]) / scales[k]);
            stretches.push(Stretch {
                n_empties: *n_empties,
                vectors: vectors.iter().map(divided).collect(),
            });
            heads.extend(whole.iter().map(|head| head.parts(&scales, self.power, UNIT as f32)));
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

    /// Spreads the weights of the anchors on either side over the patterns.
    #[cold]
    fn blend(&self, n_empties: u32) -> Phase {
        let [(low_at, low), (high_at, high)] = self.sides(n_empties);
        let span = high_at.saturating_sub(*low_at).max(1) as i32;
        let part = (n_empties.clamp(*low_at, *high_at) - low_at) as i32;
        let mixed = |i: u32| {
            let (low, high) = (i32::from(low[i as usize]), i32::from(high[i as usize]));
            (low + ((high - low) * part + span / 2).div_euclid(span)) as i16
        };
        let weights: Vec<i16> = ties().0.iter().map(|&i| mixed(i)).collect();
        let weights = weights.try_into().expect("there is one weight for each pattern");
        let base = i32::from(self.bases[n_empties as usize]);
        Phase { weights, base, factors: self.factors(n_empties) }
    }

    /// The vectors for a number of empty squares, if the weights have any.
    fn factors(&self, n_empties: u32) -> Option<(Arc<Factors>, WholeHead, u32)> {
        let after = self.stretches.partition_point(|stretch| stretch.n_empties <= n_empties);
        let WholeStretch { vectors, of_patterns, .. } =
            self.stretches.get(after.saturating_sub(1))?;
        let spread = || {
            let all: Vec<Row> = ties().0.iter().map(|&i| Row(vectors[i as usize])).collect();
            Arc::new(Factors(all.try_into().expect("there is one vector for each pattern")))
        };
        let factors = of_patterns.get_or_init(spread);
        Some((Arc::clone(factors), self.heads[n_empties as usize], self.power))
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights of {} anchors", self.anchors.len())
    }
}

/// FNV-1a, 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
