//! Fitting the vectors of the evaluation by stochastic gradient descent.
//!
//! One stretch of the game at a time: the vectors, and for each number of empty squares a head, learn
//! what the weights leave of the labels. Steps are shortened by how much a vector has been moved before
//! (`AdaGrad`, one number a vector), so that rare patterns learn as fast as common ones; a vector that is
//! moved also shrinks a little, which keeps rare ones from learning by heart.

use obverse_engine::classic::Rng;
use obverse_engine::eval::{Head, N_FACTORS, N_WINDOWS, n_weights};

/// How to fit vectors.
#[derive(Clone, Debug)]
pub struct FactorsRecipe {
    /// The fewest empty squares of each stretch of the game, rising; none for no vectors at all.
    pub stretches: Vec<u32>,
    /// How often to go through the records.
    pub epochs: usize,
    /// The length of the first steps; they become shorter evenly.
    pub rate: f32,
    /// How much a vector shrinks when it is moved.
    pub decay: f32,
}

impl Default for FactorsRecipe {
    fn default() -> FactorsRecipe {
        FactorsRecipe { stretches: vec![0, 18, 30], epochs: 12, rate: 0.05, decay: 0.1 }
    }
}

type Vector = [f32; N_FACTORS];

/// What a record has to say: its windows, its number of empty squares, and what is left of its label.
pub(super) struct Lesson<'a> {
    pub(super) row: &'a [u32; N_WINDOWS],
    pub(super) n_empties: usize,
    pub(super) label: f32,
}

/// How the squared error of a lesson changes with the gains and with the sum of the vectors.
struct Slope {
    by_gain: Vector,
    by_sum: Vector,
}

fn size(v: &Vector) -> f32 {
    v.iter().map(|x| x * x).sum::<f32>() / N_FACTORS as f32
}

/// Vectors with their heads.
#[derive(Clone)]
pub(super) struct Learner {
    pub(super) vectors: Vec<Vector>,
    pub(super) heads: Vec<Head>,
    /// How much each vector, shift and gain has been moved.
    moved: Vec<f32>,
    shifted: Vec<f32>,
    gained: Vec<f32>,
}

/// Errors are counted in so many discs, to keep steps short.
const DISCS: f32 = 10.0;

/// Steps never become shorter than this part of the first ones.
const RATE_LEAST: f32 = 0.1;

const N_HEADS: usize = 65;

impl Learner {
    pub(super) fn new(rng: &mut Rng) -> Learner {
        let small = |rng: &mut Rng| (rng.below(2_000_001) as f32 / 1e6 - 1.0) * 0.05;
        let vectors = (0..n_weights()).map(|_| std::array::from_fn(|_| small(rng))).collect();
        // Half of the squares count for the player, half against.
        let gain = std::array::from_fn(|k| if k % 2 == 0 { 1.0 } else { -1.0 });
        Learner::with(vectors, vec![Head { shift: [0.3; N_FACTORS], gain }; N_HEADS])
    }

    /// These vectors and heads, as if they had never been moved.
    pub(super) fn with(vectors: Vec<Vector>, heads: Vec<Head>) -> Learner {
        let nothing = 1e-3;
        Learner {
            vectors,
            heads,
            moved: vec![nothing; n_weights()],
            shifted: vec![nothing; N_HEADS],
            gained: vec![nothing; N_HEADS],
        }
    }

    /// The sum of the vectors, shifted.
    fn sum(&self, row: &[u32; N_WINDOWS], n_empties: usize) -> Vector {
        let mut sum = self.heads[n_empties].shift;
        for &i in row {
            for (s, v) in sum.iter_mut().zip(&self.vectors[i as usize]) {
                *s += v;
            }
        }
        sum
    }

    pub(super) fn value(&self, row: &[u32; N_WINDOWS], n_empties: usize) -> f32 {
        let sum = self.sum(row, n_empties);
        self.heads[n_empties].gain.iter().zip(sum).map(|(gain, s)| gain * s * s).sum()
    }

    /// Makes the steps as short as if what it knows came from going through the lessons `times` times.
    pub(super) fn recall<'a>(&mut self, times: f32, lessons: impl Iterator<Item = Lesson<'a>>) {
        for lesson in lessons {
            let slope = self.slope(&lesson);
            self.gained[lesson.n_empties] += times * size(&slope.by_gain);
            let size = times * size(&slope.by_sum);
            self.shifted[lesson.n_empties] += size;
            for &i in lesson.row {
                self.moved[i as usize] += size;
            }
        }
    }

    /// Goes through the lessons once.
    pub(super) fn learn<'a>(
        &mut self,
        recipe: &FactorsRecipe,
        epoch: usize,
        lessons: impl Iterator<Item = Lesson<'a>>,
    ) {
        let rate = recipe.rate * (1.0 - epoch as f32 / recipe.epochs as f32).max(RATE_LEAST);
        for lesson in lessons {
            self.step(rate, recipe.decay, &lesson);
        }
    }

    fn slope(&self, lesson: &Lesson<'_>) -> Slope {
        let sum = self.sum(lesson.row, lesson.n_empties);
        let gain = &self.heads[lesson.n_empties].gain;
        let value: f32 = gain.iter().zip(&sum).map(|(gain, s)| gain * s * s).sum();
        let error = (value - lesson.label) / DISCS;
        Slope {
            by_gain: std::array::from_fn(|k| error * sum[k] * sum[k]),
            by_sum: std::array::from_fn(|k| 2.0 * error * gain[k] * sum[k]),
        }
    }

    fn step(&mut self, rate: f32, decay: f32, lesson: &Lesson<'_>) {
        let n = lesson.n_empties;
        let Slope { by_gain, by_sum } = self.slope(lesson);
        self.gained[n] += size(&by_gain);
        self.shifted[n] += size(&by_sum);
        let (gain_rate, shift_rate) = (rate / self.gained[n].sqrt(), rate / self.shifted[n].sqrt());
        let head = &mut self.heads[n];
        for k in 0..N_FACTORS {
            head.gain[k] -= gain_rate * by_gain[k];
            head.shift[k] -= shift_rate * by_sum[k];
        }
        let size = size(&by_sum);
        for &i in lesson.row {
            let i = i as usize;
            self.moved[i] += size;
            let rate = rate / self.moved[i].sqrt();
            for (v, by) in self.vectors[i].iter_mut().zip(&by_sum) {
                *v -= rate * (by + decay * *v);
            }
        }
    }
}
