//! Fitting the vectors of the evaluation by stochastic gradient descent.
//!
//! One stretch of the game at a time: the vectors, and for each number of empty squares a head, learn
//! what the weights leave of the labels. Steps are shortened by how much a vector has been moved before
//! (`AdaGrad`, one number a vector), so that rare patterns learn as fast as common ones; a vector that is
//! moved also shrinks a little, which keeps rare ones from learning by heart.

use std::ops::Range;

use obverse_engine::classic::Rng;
use obverse_engine::eval::{
    Head, LANE, Lanes, Layer, N_FACTORS, N_GAINS, N_GROUPS, N_INPUTS, N_STILL, N_WINDOWS, gain_of,
    groups, join, mirrored_lanes, n_weights, part, silent_lanes,
};

use super::Row;
use super::units::{Inputs, Units};

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
    /// How many vectors a stretch has at most: those that learnt most.
    pub vectors: usize,
}

impl Default for FactorsRecipe {
    fn default() -> FactorsRecipe {
        FactorsRecipe {
            stretches: vec![0, 13, 18, 30],
            epochs: 12,
            rate: 0.03,
            decay: 0.05,
            vectors: 50_000,
        }
    }
}

impl FactorsRecipe {
    /// The length of the steps when so much of the learning is done, from 0 to 1.
    pub(super) fn rate(&self, done: f32) -> f32 {
        self.rate * (1.0 - done).max(RATE_LEAST)
    }
}

type Vector = [f32; N_FACTORS];

/// What a record has to say: its windows, its number of empty squares, and what is left of its label.
pub(super) struct Lesson {
    pub(super) row: Row,
    pub(super) n_empties: usize,
    pub(super) label: f32,
}

/// How the squared error of a lesson changes with the gains and with the sum of the vectors.
struct Slope {
    /// In [`DISCS`].
    error: f32,
    inputs: Inputs,
    by_gain: [f32; N_GAINS],
    by_still: [f32; N_STILL],
    /// Turned as the windows of each group lie.
    by_turning: [Lanes<f32>; N_GROUPS],
    /// The mean square of what the sum changes it by.
    size: f32,
}

fn mean_square(v: &[f32]) -> f32 {
    v.iter().map(|x| x * x).sum::<f32>() / v.len() as f32
}

/// Vectors with their heads.
#[derive(Clone)]
pub(super) struct Learner {
    vectors: Vec<Vector>,
    /// Those of units are learnt by the units.
    heads: Vec<Head>,
    units: Units,
    /// How much each vector, shift and gain has been moved.
    moved: Vec<f32>,
    shifted: Vec<f32>,
    gained: Vec<f32>,
    /// For each weight and lane 1, or 0 where its vector must be zero.
    voices: Vec<[f32; 4]>,
    windows: [Window; N_WINDOWS],
    /// The windows that lie in the same way.
    groups: [Range<usize>; N_GROUPS],
    /// Whether the coordinates of a gain began with nothing but chance.
    is_new: [bool; N_GAINS],
}

/// How a window lies.
#[derive(Clone, Copy)]
struct Window {
    group: usize,
    /// What the lanes of a vector are multiplied by, and those of one that is the second of two mirror images.
    signs: [[f32; 4]; 2],
}

/// Errors are counted in so many discs, to keep steps short.
pub(super) const DISCS: f32 = 10.0;

/// Steps never become shorter than this part of the first ones.
const RATE_LEAST: f32 = 0.1;

/// How large the numbers of vectors that know nothing are at most.
const SMALL: f32 = 0.05;

/// What a vector, shift or gain counts as moved by that never was.
const UNMOVED: f32 = 1e-3;

pub(super) const N_HEADS: usize = 65;

impl Learner {
    pub(super) fn new(rng: &mut Rng) -> Learner {
        let head = Head::without_units([0.3; N_STILL], [0.0; N_GAINS]);
        let vectors = vec![[0.0; N_FACTORS]; n_weights()];
        Learner::with(vectors, &[[0.0; N_INPUTS]; _], vec![head; N_HEADS], 0..N_HEADS, rng)
    }

    /// These vectors, this layer and these heads, as if they had never been moved. Coordinates and a layer that
    /// count for nothing with any of these numbers of empty squares begin anew.
    pub(super) fn with(
        vectors: Vec<Vector>,
        layer: &Layer,
        heads: Vec<Head>,
        stretch: Range<usize>,
        rng: &mut Rng,
    ) -> Learner {
        let voice = |is_silent: bool| if is_silent { 0.0 } else { 1.0 };
        let mut windows = [Window { group: 0, signs: [[1.0; 4]; 2] }; N_WINDOWS];
        for (group, range) in groups().enumerate() {
            for window in range {
                windows[window].group = group;
                windows[window].signs[1] =
                    mirrored_lanes(window).map(|changes| if changes { -1.0 } else { 1.0 });
            }
        }
        let units = if heads[stretch.clone()].iter().any(Head::has_units) {
            Units::of(layer, &heads)
        } else {
            Units::new(rng)
        };
        let mut learner = Learner {
            vectors,
            heads,
            units,
            moved: vec![UNMOVED; n_weights()],
            shifted: vec![UNMOVED; N_HEADS],
            gained: vec![UNMOVED; N_HEADS],
            voices: (0..n_weights()).map(|weight| silent_lanes(weight).map(voice)).collect(),
            windows,
            groups: groups().collect::<Vec<_>>().try_into().expect("there are so many"),
            is_new: [false; N_GAINS],
        };
        for gain in 0..N_GAINS {
            learner.is_new[gain] =
                learner.heads[stretch.clone()].iter().all(|head| head.gain[gain] == 0.0);
            if learner.is_new[gain] {
                learner.begin(gain, rng);
            }
        }
        learner
    }

    /// Makes the coordinates of a gain ready to learn.
    fn begin(&mut self, gain: usize, rng: &mut Rng) {
        for head in &mut self.heads {
            // Half of the squares count for the player, half against.
            head.gain[gain] = if gain.is_multiple_of(2) { 1.0 } else { -1.0 };
        }
        for k in (0..N_FACTORS).filter(|&k| gain_of(k) == gain) {
            for (vector, voices) in self.vectors.iter_mut().zip(&self.voices) {
                let voice = if k < N_STILL { 1.0 } else { voices[(k - N_STILL) / LANE] };
                vector[k] = (rng.below(2_000_001) as f32 / 1e6 - 1.0) * SMALL * voice;
            }
        }
    }

    /// The vectors without what they never learnt: at most `most` of them if they were moved at all.
    pub(super) fn known(&self, most: usize) -> Vec<Vector> {
        let known = |(vector, moved): (&Vector, &f32)| match *moved {
            moved if moved > UNMOVED => *vector,
            _ => std::array::from_fn(|k| if self.is_new[gain_of(k)] { 0.0 } else { vector[k] }),
        };
        let mut vectors: Vec<Vector> = self.vectors.iter().zip(&self.moved).map(known).collect();
        if self.moved.iter().all(|moved| *moved <= UNMOVED) {
            return vectors;
        }
        let mut order: Vec<usize> = (0..vectors.len()).collect();
        order.sort_by(|&a, &b| self.moved[b].total_cmp(&self.moved[a]));
        for &least in order.iter().skip(most) {
            vectors[least] = [0.0; N_FACTORS];
        }
        vectors
    }

    pub(super) fn layer(&self) -> Layer {
        self.units.layer()
    }

    /// How the sum of the vectors counts with so many empty squares.
    pub(super) fn head(&self, n_empties: usize) -> Head {
        let (bias, count) = self.units.head(n_empties);
        Head { bias, count, ..self.heads[n_empties] }
    }

    /// All that is learnt.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let heads =
            self.heads.iter_mut().flat_map(|head| head.shift.iter_mut().chain(&mut head.gain));
        let moved = self.moved.iter_mut().chain(&mut self.shifted).chain(&mut self.gained);
        let units = self.units.numbers();
        self.vectors.as_flattened_mut().iter_mut().chain(heads).chain(moved).chain(units)
    }

    /// The sum of the vectors, shifted and turned.
    fn sum(&self, row: &Row, n_empties: usize) -> Vector {
        let mut still = self.heads[n_empties].shift;
        let mut groups = [[[0.0; LANE]; 4]; N_GROUPS];
        for (lanes, windows) in groups.iter_mut().zip(&self.groups) {
            // In variables of their own the sums stay in registers.
            let mut turning = [0.0; 4 * LANE];
            for (sight, window) in row[windows.clone()].iter().zip(&self.windows[windows.clone()]) {
                let vector = &self.vectors[sight.weight()];
                let signs = &window.signs[usize::from(sight.is_second())];
                for k in 0..N_STILL {
                    still[k] += vector[k];
                }
                for k in 0..4 * LANE {
                    turning[k] += signs[k / LANE] * vector[N_STILL + k];
                }
            }
            *lanes = std::array::from_fn(|lane| std::array::from_fn(|i| turning[lane * LANE + i]));
        }
        let turning = join(&groups);
        std::array::from_fn(|k| match k.checked_sub(N_STILL) {
            None => still[k],
            Some(k) => turning[k / LANE][k % LANE],
        })
    }

    pub(super) fn value(&self, row: &Row, n_empties: usize) -> f32 {
        let sum = self.sum(row, n_empties);
        squares(&sum, &self.heads[n_empties]) + self.units.value(&inputs(&sum), n_empties)
    }

    /// Makes the steps as short as if what it knows came from going through the lessons `times` times.
    pub(super) fn recall(&mut self, times: f32, lessons: impl Iterator<Item = Lesson>) {
        for lesson in lessons {
            let slope = self.slope(&lesson);
            self.gained[lesson.n_empties] += times * mean_square(&slope.by_gain);
            self.shifted[lesson.n_empties] += times * slope.size;
            for sight in &lesson.row {
                self.moved[sight.weight()] += times * slope.size;
            }
        }
    }

    /// Goes through the lessons once.
    pub(super) fn learn(&mut self, rate: f32, decay: f32, lessons: impl Iterator<Item = Lesson>) {
        for lesson in lessons {
            self.step(rate, decay, &lesson);
        }
    }

    fn slope(&self, lesson: &Lesson) -> Slope {
        let n = lesson.n_empties;
        let sum = self.sum(&lesson.row, n);
        let (head, inputs) = (&self.heads[n], inputs(&sum));
        let value = squares(&sum, head) + self.units.value(&inputs, n);
        let error = (value - lesson.label) / DISCS;
        let by_input = self.units.slope(&inputs, n);
        let by_sum: Vector = std::array::from_fn(|k| {
            let by_square = head.gain[gain_of(k)] + by_input[gain_of(k)];
            let by_itself = if k < N_STILL { by_input[N_GAINS + k] } else { 0.0 };
            error * (2.0 * by_square * sum[k] + by_itself)
        });
        let lanes: Lanes<f32> =
            std::array::from_fn(|lane| std::array::from_fn(|i| by_sum[N_STILL + lane * LANE + i]));
        Slope {
            error,
            inputs,
            by_gain: std::array::from_fn(|k| match sum.get(k + LANE) {
                // Two lanes share these gains.
                Some(y) if k >= N_GAINS - LANE => error * f32::midpoint(sum[k] * sum[k], y * y),
                _ => error * sum[k] * sum[k],
            }),
            by_still: std::array::from_fn(|k| by_sum[k]),
            by_turning: part(&lanes),
            size: mean_square(&by_sum),
        }
    }

    fn step(&mut self, rate: f32, decay: f32, lesson: &Lesson) {
        let n = lesson.n_empties;
        let Slope { error, inputs, by_gain, by_still, by_turning, size } = self.slope(lesson);
        self.units.learn(&inputs, n, error, rate);
        self.gained[n] += mean_square(&by_gain);
        self.shifted[n] += size;
        let (gain_rate, shift_rate) = (rate / self.gained[n].sqrt(), rate / self.shifted[n].sqrt());
        let head = &mut self.heads[n];
        for (gain, by) in head.gain.iter_mut().zip(&by_gain) {
            *gain -= gain_rate * by;
        }
        for (shift, by) in head.shift.iter_mut().zip(&by_still) {
            *shift -= shift_rate * by;
        }
        for (sight, window) in lesson.row.iter().zip(&self.windows) {
            let weight = sight.weight();
            self.moved[weight] += size;
            let rate = rate / self.moved[weight].sqrt();
            let (still, turning) = self.vectors[weight].split_at_mut(N_STILL);
            for (v, by) in still.iter_mut().zip(&by_still) {
                *v -= rate * (by + decay * *v);
            }
            let signs = &window.signs[usize::from(sight.is_second())];
            let by = &by_turning[window.group];
            for (lane, vector) in turning.chunks_exact_mut(LANE).enumerate() {
                let sign = signs[lane] * self.voices[weight][lane];
                for (v, by) in vector.iter_mut().zip(&by[lane]) {
                    *v -= rate * (sign * by + decay * *v);
                }
            }
        }
    }
}

/// Learners of the same stretch that go through parts of the lessons side by side, and then agree on the mean of
/// what they have learnt.
pub(super) struct Learners(Vec<Learner>);

impl Learners {
    pub(super) fn new(first: Learner, count: usize) -> Learners {
        Learners(vec![first; count.max(1)])
    }

    /// Has each learner work on its part of the lessons.
    pub(super) fn each<T: Sync>(
        &mut self,
        lessons: &[T],
        work: &(dyn Fn(&mut Learner, &[T]) + Sync),
    ) {
        let part = lessons.len().div_ceil(self.0.len()).max(1);
        std::thread::scope(|scope| {
            for (learner, lessons) in self.0.iter_mut().zip(lessons.chunks(part)) {
                scope.spawn(|| work(learner, lessons));
            }
        });
        self.agree();
    }

    fn agree(&mut self) {
        let share = 1.0 / self.0.len() as f32;
        let Some((first, others)) = self.0.split_first_mut() else { return };
        if others.is_empty() {
            return;
        }
        for other in &mut *others {
            for (own, its) in first.numbers().zip(other.numbers()) {
                *own += *its;
            }
        }
        first.numbers().for_each(|number| *number *= share);
        for other in others {
            other.clone_from(first);
        }
    }

    pub(super) fn into_one(self) -> Learner {
        self.0.into_iter().next().expect("there is at least one")
    }
}

/// What the squares of the sum of the vectors count.
fn squares(sum: &Vector, head: &Head) -> f32 {
    let counted = |(k, s): (usize, &f32)| head.gain[gain_of(k)] * s * s;
    sum.iter().enumerate().map(counted).sum()
}

/// What units see of the sum of the vectors.
fn inputs(sum: &Vector) -> Inputs {
    std::array::from_fn(|i| match i.checked_sub(N_GAINS) {
        Some(k) => sum[k],
        // x and y share a gain.
        None if i >= N_GAINS - LANE => sum[i] * sum[i] + sum[i + LANE] * sum[i + LANE],
        None => sum[i] * sum[i],
    })
}
