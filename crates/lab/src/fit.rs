//! Fitting the weights of the evaluation by least squares.
//!
//! The score is modelled as a base for the number of empty squares and the sum of the weights of the
//! board's windows, those of two anchors blended. Least squares with a penalty on large weights is
//! solved by conjugate gradients over all anchors at once, preconditioned by how often each weight
//! occurs: rare patterns are learnt as fast as common ones, and the penalty keeps those hardly ever
//! seen near zero.
//!
//! Then the vectors and the hidden layer learn what the weights leave (`factors.rs`, `units.rs`), and the weights are
//! fitted once more to what these leave.

mod factors;
mod units;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use obverse_board::Board;
use obverse_engine::classic::Rng;
use obverse_engine::eval::{
    Anchor, Head, N_WINDOWS, Stretch, UNIT, Weights, is_second, n_weights, patterns, tied,
};

pub use self::factors::FactorsRecipe;
use self::factors::{Learner, Learners, Lesson};
use crate::record::{Record, Source};
use crate::shuffle;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The numbers of empty squares that have weights of their own, rising.
    pub anchors: Vec<u32>,
    /// The penalty on a weight, in records: one seen this often is halved.
    pub penalty: f32,
    /// How much of a label is the search's value where the score is not proven, from 0 to 1.
    pub trust: f32,
    /// Every so many records one is held out, and only tests the weights.
    pub hold_out: usize,
    /// How much the weights it starts from count, as if so many times the records had been fitted before;
    /// with 0 they are only a start, and vectors are learnt anew.
    pub keep: f32,
    /// How to fit the vectors.
    pub factors: FactorsRecipe,
    /// How many threads to use.
    pub threads: usize,
}

/// How well weights predict the records held out, for one number of empty squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct Quality {
    /// How many records were fitted.
    pub fitted: usize,
    /// How many records were held out.
    pub held_out: usize,
    /// The mean absolute error on those, in discs.
    pub absolute_error: f64,
    /// The mean squared error on those.
    pub squared_error: f64,
}

const N_BASES: usize = 65;

/// After so many lessons learners that learn side by side agree: a second or two.
const ROUND: usize = 1 << 19;

/// The pattern in a window: the number of its weight, and whether it is the second of the two mirror images that
/// share it.
#[derive(Clone, Copy)]
struct Sight(u32);

const SECOND: u32 = 1 << 31;

impl Sight {
    fn of(pattern: u32) -> Sight {
        Sight(tied(pattern) | if is_second(pattern) { SECOND } else { 0 })
    }

    const fn weight(self) -> usize {
        (self.0 & !SECOND) as usize
    }

    const fn is_second(self) -> bool {
        self.0 & SECOND != 0
    }
}

/// The patterns of a board. They are found anew whenever they are needed: kept, they would take ten times the
/// memory of the board.
type Row = [Sight; N_WINDOWS];

fn row_of(board: &Board) -> Row {
    patterns(*board).map(Sight::of)
}

/// The records of one number of empty squares.
#[derive(Default)]
struct Group {
    boards: Vec<Board>,
    labels: Vec<f32>,
    /// What the vectors say of each record.
    extras: Vec<f32>,
    test_boards: Vec<Board>,
    test_labels: Vec<f32>,
    /// Of the file that is being added: which labels rest on a search's value (held out or not, and
    /// where), how many, and by how much all those values exceed the scores.
    guesses: Vec<(bool, usize)>,
    bias: (f64, f64),
}

/// Records made ready, and the weights as far as they are fitted.
pub struct Fit {
    recipe: Recipe,
    groups: Vec<Group>,
    /// The bases, then the weights of each anchor.
    parameters: Vec<f32>,
    /// What the penalty draws the parameters to.
    origin: Vec<f32>,
    counts: Vec<f32>,
    /// The vectors of each stretch.
    learners: Vec<Learner>,
}

impl Fit {
    /// Without records, and with all weights zero.
    ///
    /// # Panics
    /// If the recipe has no anchors.
    pub fn new(recipe: Recipe) -> Fit {
        assert!(!recipe.anchors.is_empty(), "weights need an anchor");
        let n = N_BASES + recipe.anchors.len() * n_weights();
        let groups = (0..N_BASES).map(|_| Group::default()).collect();
        Fit {
            recipe,
            groups,
            parameters: vec![0.0; n],
            origin: vec![0.0; n],
            counts: Vec::new(),
            learners: Vec::new(),
        }
    }

    /// Starts from weights, of the same or other anchors, instead of from zero. Vectors are to be kept only if none
    /// of the stretches lies across two of theirs; whether that is so.
    pub fn start_from(&mut self, weights: &Weights) -> bool {
        let (bases, sets) = self.parameters.split_at_mut(N_BASES);
        for (n, base) in bases.iter_mut().enumerate() {
            *base = weights.base(n as u32);
        }
        for (set, &n_empties) in sets.chunks_exact_mut(n_weights()).zip(&self.recipe.anchors) {
            set.copy_from_slice(&weights.set(n_empties).weights);
        }
        if self.recipe.keep == 0.0 {
            return true;
        }
        self.origin.clone_from(&self.parameters);
        let learners = self.start_vectors_from(weights);
        let fits = learners.is_some();
        self.learners = learners.unwrap_or_default();
        fits
    }

    /// Learners that know the vectors of these weights, if each stretch lies within one of theirs; none if they
    /// have no vectors.
    fn start_vectors_from(&self, weights: &Weights) -> Option<Vec<Learner>> {
        let (theirs, heads) = weights.vectors();
        if theirs.is_empty() {
            return Some(Vec::new());
        }
        let own = &self.recipe.factors.stretches;
        let learner = |&from: &u32| {
            let range = self.stretch(from);
            let after = theirs.partition_point(|stretch| stretch.n_empties <= from);
            let at = after.saturating_sub(1);
            let ends = theirs.get(at + 1).map_or(N_BASES, |next| next.n_empties as usize);
            let Stretch { vectors, layer, .. } = theirs.get(at).filter(|_| range.end <= ends)?;
            let mut rng = Rng::new(u64::from(from));
            Some(Learner::with(vectors.clone(), layer, heads.clone(), range, &mut rng))
        };
        own.iter().map(learner).collect()
    }

    /// Adds a record.
    pub fn add(&mut self, record: &Record) {
        let group = &mut self.groups[record.n_empties() as usize];
        let label = label(record, self.recipe.trust);
        if let (Source::Game, Some(value)) = (record.source, record.value) {
            group.bias.0 += 1.0;
            group.bias.1 += f64::from(value) / f64::from(UNIT) - f64::from(record.score.0);
        }
        // A hash of the board decides, so that copies of a record are never on both sides.
        let hash = (record.board.player().0 ^ record.board.opponent().0.rotate_left(32))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> 33;
        let is_guess = record.source == Source::Game && record.value.is_some();
        if hash.is_multiple_of(self.recipe.hold_out as u64) {
            group.guesses.extend(is_guess.then_some((true, group.test_boards.len())));
            group.test_boards.push(record.board);
            group.test_labels.push(label);
        } else {
            group.guesses.extend(is_guess.then_some((false, group.boards.len())));
            group.boards.push(record.board);
            group.labels.push(label);
        }
    }

    /// Ends a file of records, which one evaluation made.
    ///
    /// Its searches all ended on the same side's turn and so share the evaluation's bias for the side
    /// to move, which would grow from generation to generation. The scores do not: in the mean over
    /// each number of empty squares, the values are made to agree with them.
    pub fn end_file(&mut self) {
        for group in &mut self.groups {
            let (n, sum) = std::mem::take(&mut group.bias);
            let shift = self.recipe.trust * (sum / f64::max(n, 1.0)) as f32;
            for (is_test, i) in group.guesses.drain(..) {
                let labels = if is_test { &mut group.test_labels } else { &mut group.labels };
                labels[i] -= shift;
            }
        }
    }

    /// Fits the weights by so many steps. `progress` is told after every step of the weights so far, its
    /// number from 1 and what is left of the gradient, and may end it.
    pub fn run(
        &mut self,
        iterations: usize,
        progress: &mut dyn FnMut(&Fit, usize, f64) -> ControlFlow<()>,
    ) {
        self.counts = self.spread(
            &|group, sums| {
                for sight in group.boards.iter().flat_map(row_of) {
                    sums[sight.weight()] += 1.0;
                }
                group.boards.len() as f32
            },
            true,
        );
        self.extend();
        // The residual of the normal equations at the weights so far.
        let mut residual = self.gradient(&self.parameters, true);
        for (i, r) in residual.iter_mut().enumerate() {
            *r -= self.pull(i) * (self.parameters[i] - self.origin[i]);
        }
        let mut scaled = self.precondition(&residual);
        let mut direction = scaled.clone();
        let mut slope = dot(&residual, &scaled);
        for step in 0..iterations {
            let mut image = self.gradient(&direction, false);
            for (i, (image, d)) in image.iter_mut().zip(&direction).enumerate() {
                *image += self.pull(i) * d;
            }
            let length = (slope / dot(&direction, &image).max(f64::MIN_POSITIVE)) as f32;
            for i in 0..self.parameters.len() {
                self.parameters[i] += length * direction[i];
                residual[i] -= length * image[i];
            }
            scaled = self.precondition(&residual);
            let next = dot(&residual, &scaled);
            let turn = (next / slope.max(f64::MIN_POSITIVE)) as f32;
            for (d, s) in direction.iter_mut().zip(&scaled) {
                *d = s + turn * *d;
            }
            slope = next;
            if progress(self, step + 1, slope).is_break() {
                return;
            }
        }
    }

    /// Fits the vectors to what the weights leave of the labels. `progress` is told the number of each
    /// time through the records, from 1, and may end it.
    ///
    /// Several threads give another result than one, as good and each time the same.
    pub fn run_factors(&mut self, progress: &mut dyn FnMut(usize) -> ControlFlow<()>) {
        let mut finished = 0;
        let mut learners = Vec::new();
        for &from in &self.recipe.factors.stretches {
            learners.push(self.teach(from, &mut || {
                finished += 1;
                progress(finished)
            }));
        }
        self.learners = learners;
        self.extend();
    }

    /// Has the vectors of a stretch learn, as many learners side by side as there are threads.
    fn teach(&self, from: u32, progress: &mut dyn FnMut() -> ControlFlow<()>) -> Learner {
        let recipe = &self.recipe.factors;
        let mut rng = Rng::new(u64::from(from));
        let known = self.learner(from as usize).cloned();
        let is_known = known.is_some();
        let first = known.unwrap_or_else(|| Learner::new(&mut rng));
        let left: Vec<Vec<f32>> = (0..N_BASES)
            .map(|n| if self.stretch(from).contains(&n) { self.left(n) } else { Vec::new() })
            .collect();
        let mut order: Vec<(u8, u32)> = { self.stretch(from) }
            .flat_map(|n| (0..self.groups[n].boards.len() as u32).map(move |i| (n as u8, i)))
            .collect();
        shuffle(&mut order, &mut rng);
        let lesson = |&(n, i): &(u8, u32)| {
            let n_empties = usize::from(n);
            let row = row_of(&self.groups[n_empties].boards[i as usize]);
            Lesson { row, n_empties, label: left[n_empties][i as usize] }
        };
        let n_learners = self.recipe.threads.max(1);
        let mut learners = Learners::new(first, n_learners);
        if is_known && !order.is_empty() {
            // Each recalls a part, and they agree on the mean.
            let times = self.recipe.keep * (recipe.epochs * n_learners) as f32;
            learners.each(&order, &|learner, part| learner.recall(times, part.iter().map(lesson)));
        }
        for epoch in 0..recipe.epochs {
            for (round, part) in order.chunks(ROUND * n_learners).enumerate() {
                let done = (epoch * order.len() + round * ROUND * n_learners) as f32;
                let rate = recipe.rate(done / (recipe.epochs * order.len()) as f32);
                learners.each(part, &|learner, part| {
                    learner.learn(rate, recipe.decay, part.iter().map(lesson));
                });
            }
            if progress().is_break() {
                break;
            }
        }
        learners.into_one()
    }

    /// Asks the vectors about every record.
    fn extend(&mut self) {
        for n in 0..N_BASES {
            let Some(learner) = self.learner(n) else { continue };
            let value = |board: &Board| learner.value(&row_of(board), n);
            self.groups[n].extras = self.spread_out(&self.groups[n].boards, &value);
        }
    }

    /// The numbers of empty squares of the stretch that begins with this one.
    fn stretch(&self, from: u32) -> std::ops::Range<usize> {
        let stretches = &self.recipe.factors.stretches;
        let first = if Some(&from) == stretches.first() { 0 } else { from as usize };
        let next = stretches.iter().find(|next| **next > from);
        first..next.map_or(N_BASES, |next| *next as usize)
    }

    /// The vectors for a number of empty squares.
    fn learner(&self, n_empties: usize) -> Option<&Learner> {
        let stretches = &self.recipe.factors.stretches;
        let after = stretches.partition_point(|from| *from as usize <= n_empties);
        self.learners.get(after.saturating_sub(1))
    }

    /// What the weights leave of the labels of a group.
    fn left(&self, n_empties: usize) -> Vec<f32> {
        let group = &self.groups[n_empties];
        let (base, weights) = self.blended(&self.parameters, n_empties);
        let predicted =
            self.spread_out(&group.boards, &|board| predict(base, &weights, &row_of(board)));
        predicted.iter().zip(&group.labels).map(|(predicted, label)| label - predicted).collect()
    }

    /// The quality for each number of empty squares.
    pub fn quality(&self) -> Vec<Quality> {
        (0..N_BASES)
            .map(|n| {
                let group = &self.groups[n];
                let (base, weights) = self.blended(&self.parameters, n);
                let (mut absolute, mut squared) = (0.0, 0.0);
                let learner = self.learner(n);
                for (board, label) in group.test_boards.iter().zip(&group.test_labels) {
                    let row = row_of(board);
                    let extra = learner.map_or(0.0, |learner| learner.value(&row, n));
                    let error = f64::from(predict(base, &weights, &row) + extra - label);
                    absolute += error.abs();
                    squared += error * error;
                }
                let count = group.test_boards.len().max(1) as f64;
                Quality {
                    fitted: group.boards.len(),
                    held_out: group.test_boards.len(),
                    absolute_error: absolute / count,
                    squared_error: squared / count,
                }
            })
            .collect()
    }

    /// The weights as a file holds them.
    pub fn print(&self) -> Vec<u8> {
        let (bases, weights) = self.parameters.split_at(N_BASES);
        let sets = weights.chunks_exact(n_weights());
        let anchors: Vec<Anchor> = { self.recipe.anchors.iter().zip(sets) }
            .map(|(&n_empties, set)| Anchor { n_empties, weights: set.to_vec() })
            .collect();
        let recipe = &self.recipe.factors;
        let stretches: Vec<Stretch> = { recipe.stretches.iter().zip(&self.learners) }
            .map(|(&n_empties, learner)| Stretch {
                n_empties,
                vectors: learner.known(recipe.vectors),
                layer: learner.layer(),
            })
            .collect();
        let heads: Vec<Head> =
            (0..N_BASES).filter_map(|n| self.learner(n).map(|learner| learner.head(n))).collect();
        Weights::print(bases, &anchors, &stretches, &heads)
    }

    /// The two anchors of a number of empty squares, and how much the second counts.
    fn place(&self, n_empties: usize) -> (usize, usize, f32) {
        let anchors = &self.recipe.anchors;
        let n = n_empties as u32;
        let above = anchors.partition_point(|anchor| *anchor < n);
        let (low, high) = (above.saturating_sub(1), above.min(anchors.len() - 1));
        let span = anchors[high].saturating_sub(anchors[low]).max(1);
        let part = n.clamp(anchors[low], anchors[high]) - anchors[low];
        (low, high, part as f32 / span as f32)
    }

    /// The base and weights for a number of empty squares.
    fn blended(&self, parameters: &[f32], n_empties: usize) -> (f32, Vec<f32>) {
        let (low, high, part) = self.place(n_empties);
        let set = |i: usize| &parameters[N_BASES + i * n_weights()..][..n_weights()];
        let weights = { set(low).iter().zip(set(high)) }.map(|(l, h)| l + part * (h - l)).collect();
        (parameters[n_empties], weights)
    }

    /// What `value` makes of each board, by all threads.
    fn spread_out(&self, boards: &[Board], value: &(dyn Fn(&Board) -> f32 + Sync)) -> Vec<f32> {
        let part = boards.len().div_ceil(self.recipe.threads.max(1)).max(1);
        let mut values = vec![0.0; boards.len()];
        std::thread::scope(|scope| {
            for (boards, values) in boards.chunks(part).zip(values.chunks_mut(part)) {
                scope.spawn(move || {
                    for (board, its) in boards.iter().zip(values) {
                        *its = value(board);
                    }
                });
            }
        });
        values
    }

    /// The sums over all records that `group_sums` makes of each group, spread over the anchors; the
    /// parts are squared for a diagonal of the normal equations.
    fn spread(
        &self,
        group_sums: &(dyn Fn(&Group, &mut [f32]) -> f32 + Sync),
        squared: bool,
    ) -> Vec<f32> {
        self.spread_by(&|n, sums| group_sums(&self.groups[n], sums), squared)
    }

    fn spread_by(
        &self,
        sums_of: &(dyn Fn(usize, &mut [f32]) -> f32 + Sync),
        squared: bool,
    ) -> Vec<f32> {
        // The largest groups first, so that threads end together.
        let mut order: Vec<usize> =
            (0..N_BASES).filter(|&n| !self.groups[n].boards.is_empty()).collect();
        order.sort_by_key(|&n| std::cmp::Reverse(self.groups[n].boards.len()));
        let next = AtomicUsize::new(0);
        let work = || {
            let mut total = vec![0.0; self.parameters.len()];
            while let Some(&n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut sums = vec![0.0; n_weights()];
                total[n] += sums_of(n, &mut sums);
                let (low, high, part) = self.place(n);
                for (anchor, part) in [(low, 1.0 - part), (high, part)] {
                    let part = if squared { part * part } else { part };
                    let set = &mut total[N_BASES + anchor * n_weights()..][..n_weights()];
                    for (t, s) in set.iter_mut().zip(&sums) {
                        *t += part * s;
                    }
                }
            }
            total
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.recipe.threads).map(|_| scope.spawn(work)).collect();
            let mut total = work();
            for helper in helpers {
                let other = helper.join().expect("adding numbers does not panic");
                for (t, o) in total.iter_mut().zip(&other) {
                    *t += o;
                }
            }
            total
        })
    }

    /// Through the records and back: for each parameter the sum over its records of what the
    /// parameters predict, or with `residual` of what they leave of the label.
    fn gradient(&self, parameters: &[f32], residual: bool) -> Vec<f32> {
        self.spread_by(
            &|n, sums| {
                let group = &self.groups[n];
                let (base, weights) = self.blended(parameters, n);
                let mut total = 0.0;
                for (i, (board, label)) in group.boards.iter().zip(&group.labels).enumerate() {
                    let row = row_of(board);
                    let value = predict(base, &weights, &row);
                    let extra = group.extras.get(i).unwrap_or(&0.0);
                    let value = if residual { label - extra - value } else { value };
                    total += f64::from(value);
                    for sight in row {
                        sums[sight.weight()] += value;
                    }
                }
                total as f32
            },
            false,
        )
    }

    fn precondition(&self, residual: &[f32]) -> Vec<f32> {
        let scaled = |(i, r): (usize, &f32)| r / (self.counts[i] + self.pull(i));
        residual.iter().enumerate().map(scaled).collect()
    }

    /// How strongly a parameter is drawn to its origin. One that was zero was never seen before.
    fn pull(&self, i: usize) -> f32 {
        let kept = if self.origin[i] == 0.0 { 0.0 } else { self.recipe.keep * self.counts[i] };
        self.recipe.penalty + kept
    }
}

/// What the evaluation should say of a record, in discs.
fn label(record: &Record, trust: f32) -> f32 {
    let score = f32::from(record.score.0);
    match (record.source, record.value) {
        (Source::Game, Some(value)) => score + trust * (f32::from(value) / UNIT as f32 - score),
        (Source::Search, Some(value)) => f32::from(value) / UNIT as f32,
        _ => score,
    }
}

fn predict(base: f32, weights: &[f32], row: &Row) -> f32 {
    base + row.iter().map(|sight| weights[sight.weight()]).sum::<f32>()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
