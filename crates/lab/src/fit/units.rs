//! Fitting the hidden layer of the evaluation, by small batches of lessons (`Adam`).

use obverse_engine::classic::Rng;
use obverse_engine::eval::{Head, LEAK, Layer, N_HIDDEN, N_INPUTS};

use super::factors::{DISCS, N_HEADS};

/// The units of a stretch: how they weigh what they see, and for each number of empty squares their biases and what
/// they count.
#[derive(Clone)]
pub(super) struct Units {
    weights: Parameters,
    biases: Parameters,
    /// In [`DISCS`].
    counts: Parameters,
    /// How many lessons the batch at hand has.
    n_lessons: u32,
    n_batches: i32,
}

/// What units see.
pub(super) type Inputs = [f32; N_INPUTS];

/// Numbers that are learnt together.
#[derive(Clone)]
struct Parameters {
    values: Vec<f32>,
    /// The sum of the slopes of the batch at hand.
    slopes: Vec<f32>,
    /// The recent mean of the slopes, and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// How many lessons make a batch.
const BATCH: u32 = 128;

/// The steps of units, in those of vectors.
const RATE: f32 = 0.05;

/// How large the weights of units that know nothing are at most, and their biases.
const SMALL: f32 = 0.15;
const BIAS: f32 = 0.1;

impl Parameters {
    fn new(values: Vec<f32>) -> Parameters {
        let nothing = vec![0.0; values.len()];
        Parameters { values, slopes: nothing.clone(), means: nothing.clone(), squares: nothing }
    }

    /// Makes a step at the end of a batch, the first or a later one.
    fn step(&mut self, rate: f32, n_batches: i32) {
        const MEMORY: f32 = 0.9;
        const SQUARE_MEMORY: f32 = 0.999;
        // At first there is less to remember.
        let (mean_part, square_part) =
            (1.0 - MEMORY.powi(n_batches), 1.0 - SQUARE_MEMORY.powi(n_batches));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((value, slope), (mean, square)) in
            self.values.iter_mut().zip(&mut self.slopes).zip(moments)
        {
            *mean = MEMORY * *mean + (1.0 - MEMORY) * *slope;
            *square = SQUARE_MEMORY * *square + (1.0 - SQUARE_MEMORY) * *slope * *slope;
            *slope = 0.0;
            *value -= rate * (*mean / mean_part) / ((*square / square_part).sqrt() + 1e-8);
        }
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.values.iter_mut().chain(&mut self.means).chain(&mut self.squares)
    }
}

impl Units {
    /// Units that know nothing, and count for nothing yet.
    pub(super) fn new(rng: &mut Rng) -> Units {
        let mut number = || (rng.below(2_000_001) as f32 / 1e6 - 1.0) * SMALL;
        let layer: Layer = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        Units::with(&layer, &[([BIAS; N_HIDDEN], [0.0; N_HIDDEN]); N_HEADS])
    }

    /// The units of a layer and heads.
    pub(super) fn of(layer: &Layer, heads: &[Head]) -> Units {
        let heads: Vec<_> = heads.iter().map(|head| (head.bias, head.count)).collect();
        Units::with(layer, &heads)
    }

    fn with(layer: &Layer, heads: &[([f32; N_HIDDEN], [f32; N_HIDDEN])]) -> Units {
        let counts = heads.iter().flat_map(|(_, count)| count.map(|count| count / DISCS));
        Units {
            weights: Parameters::new(layer.as_flattened().to_vec()),
            biases: Parameters::new(heads.iter().flat_map(|(bias, _)| *bias).collect()),
            counts: Parameters::new(counts.collect()),
            n_lessons: 0,
            n_batches: 0,
        }
    }

    pub(super) fn layer(&self) -> Layer {
        std::array::from_fn(|unit| *self.weights_of(unit))
    }

    /// The biases and what the units count, for a number of empty squares.
    pub(super) fn head(&self, n_empties: usize) -> ([f32; N_HIDDEN], [f32; N_HIDDEN]) {
        let own = |parameters: &Parameters| {
            std::array::from_fn(|unit| parameters.values[n_empties * N_HIDDEN + unit])
        };
        (own(&self.biases), own(&self.counts).map(|count: f32| count * DISCS))
    }

    /// All that is learnt.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let Units { weights, biases, counts, .. } = self;
        weights.numbers().chain(biases.numbers()).chain(counts.numbers())
    }

    fn weights_of(&self, unit: usize) -> &Inputs {
        let weights = &self.weights.values[unit * N_INPUTS..][..N_INPUTS];
        weights.try_into().expect("there are so many")
    }

    /// What each unit comes to, before what is negative is made small.
    fn sums(&self, inputs: &Inputs, n_empties: usize) -> [f32; N_HIDDEN] {
        std::array::from_fn(|unit| {
            // Several sums, which the compiler keeps in a vector.
            let mut parts = [0.0; 8];
            let weights = self.weights_of(unit).chunks_exact(8);
            for (weights, inputs) in weights.zip(inputs.chunks_exact(8)) {
                for k in 0..8 {
                    parts[k] += weights[k] * inputs[k];
                }
            }
            self.biases.values[n_empties * N_HIDDEN + unit] + parts.iter().sum::<f32>()
        })
    }

    /// What the units count, in discs.
    pub(super) fn value(&self, inputs: &Inputs, n_empties: usize) -> f32 {
        let counts = &self.counts.values[n_empties * N_HIDDEN..];
        let sums = self.sums(inputs, n_empties);
        let count = |(sum, count): (&f32, &f32)| leaky(*sum) * count;
        sums.iter().zip(counts).map(count).sum::<f32>() * DISCS
    }

    /// How what they count, in discs, changes with what they see.
    pub(super) fn slope(&self, inputs: &Inputs, n_empties: usize) -> Inputs {
        let mut slope = [0.0; N_INPUTS];
        for (unit, sum) in self.sums(inputs, n_empties).into_iter().enumerate() {
            let count = self.counts.values[n_empties * N_HIDDEN + unit];
            let by = DISCS * count * leaky_slope(sum);
            for (slope, weight) in slope.iter_mut().zip(self.weights_of(unit)) {
                *slope += by * weight;
            }
        }
        slope
    }

    /// Learns from an error, in [`DISCS`].
    pub(super) fn learn(&mut self, inputs: &Inputs, n_empties: usize, error: f32, rate: f32) {
        for (unit, sum) in self.sums(inputs, n_empties).into_iter().enumerate() {
            let at = n_empties * N_HIDDEN + unit;
            self.counts.slopes[at] += error * leaky(sum);
            let by = error * self.counts.values[at] * leaky_slope(sum);
            self.biases.slopes[at] += by;
            let slopes = &mut self.weights.slopes[unit * N_INPUTS..][..N_INPUTS];
            for (slope, input) in slopes.iter_mut().zip(inputs) {
                *slope += by * input;
            }
        }
        self.n_lessons += 1;
        if self.n_lessons == BATCH {
            self.n_lessons = 0;
            self.n_batches += 1;
            for parameters in [&mut self.weights, &mut self.biases, &mut self.counts] {
                parameters.step(RATE * rate, self.n_batches);
            }
        }
    }
}

fn leaky(sum: f32) -> f32 {
    sum * leaky_slope(sum)
}

fn leaky_slope(sum: f32) -> f32 {
    if sum < 0.0 { 1.0 / (1_u32 << LEAK) as f32 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(rng: &mut Rng) -> Inputs {
        std::array::from_fn(|_| rng.below(2001) as f32 / 1000.0 - 1.0)
    }

    /// Goes through lessons whose label has a bend that no weighing of inputs can have; the mean squared error before
    /// and after.
    fn teach(units: &mut Units, rng: &mut Rng, n_lessons: usize) -> (f32, f32) {
        let label = |inputs: &Inputs| 8.0 * (inputs[3] - inputs[60]).abs();
        let tests: Vec<Inputs> = (0..500).map(|_| random(rng)).collect();
        let error = |units: &Units| {
            let squared = tests.iter().map(|i| (units.value(i, 9) - label(i)).powi(2));
            squared.sum::<f32>() / tests.len() as f32
        };
        let before = error(units);
        for _ in 0..n_lessons {
            let inputs = random(rng);
            let error = (units.value(&inputs, 9) - label(&inputs)) / DISCS;
            units.learn(&inputs, 9, error, 0.05);
        }
        (before, error(units))
    }

    #[test]
    fn units_learn_what_bends() {
        let mut rng = Rng::new(1);
        let mut units = Units::new(&mut rng);
        let (before, after) = teach(&mut units, &mut rng, 60_000);
        // The best that weights alone could do is the variance about the mean, 3.6 or so.
        assert!(before > 20.0 && after < 0.5, "{before} {after}");
        let (bias, count) = units.head(8);
        assert_eq!((bias, count), ([BIAS; N_HIDDEN], [0.0; N_HIDDEN]), "never asked");
    }

    #[test]
    fn the_slope_is_that_of_the_value() {
        let mut rng = Rng::new(2);
        let mut units = Units::new(&mut rng);
        teach(&mut units, &mut rng, 2000);
        let inputs = random(&mut rng);
        let slope = units.slope(&inputs, 9);
        for i in 0..N_INPUTS {
            let at = |step: f32| {
                let mut inputs = inputs;
                inputs[i] += step;
                units.value(&inputs, 9)
            };
            let found = (at(1e-2) - at(-1e-2)) / 2e-2;
            assert!((found - slope[i]).abs() < 0.05, "{i}: {found} {}", slope[i]);
        }
    }

    #[test]
    fn units_come_back_from_their_parts() {
        let mut rng = Rng::new(3);
        let mut units = Units::new(&mut rng);
        teach(&mut units, &mut rng, 1000);
        let head = |n| {
            let (bias, count) = units.head(n);
            Head { bias, count, ..Head::without_units([0.0; _], [0.0; _]) }
        };
        let heads: Vec<Head> = (0..N_HEADS).map(head).collect();
        let again = Units::of(&units.layer(), &heads);
        let inputs = random(&mut rng);
        assert!((again.value(&inputs, 9) - units.value(&inputs, 9)).abs() < 1e-3);
    }
}
