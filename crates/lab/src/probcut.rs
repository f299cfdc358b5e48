//! How far short searches are from long ones: what the search may leave out.
//!
//! Positions are searched to every depth without leaving anything out, and to the end where it is
//! near. The difference between the value of a long search and that of a short one is modelled by a
//! mean that is linear in the two depths and the number of empty squares, and by a spread whose
//! logarithm is.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use obverse_board::{Counting, Position};
use obverse_engine::solve::Request;
use obverse_engine::{Caution, Engine, Limits, Monitor, Question};

/// The numbers of empty squares that trials are made with: fewer are solved at once, and with more
/// there is little choice yet.
pub const EMPTIES: RangeInclusive<u32> = 11..=54;

/// The shortest search worth being spared.
const LONG_MIN: usize = 3;

/// The longest search that tells about the end.
const SHORT_MAX_END: usize = 6;

/// The values of a position after looking 0, 1, 2 … moves ahead, and its score if it was solved.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The number of empty squares.
    pub n_empties: u32,
    /// The value in discs by depth.
    pub values: Vec<f32>,
    /// The score in discs.
    pub score: Option<f32>,
}

impl Trial {
    /// Searches a position to every depth up to `depth`, and to the end with at most `solve_from` empty
    /// squares. What the engine knew before is forgotten.
    ///
    /// # Panics
    /// Never: the proof is not stopped.
    pub fn new(engine: &mut Engine, position: Position, depth: u32, solve_from: u32) -> Trial {
        engine.forget();
        let counting = Counting::WinnerTakesEmpties;
        let n_empties = position.empties().count();
        let depth = depth.min(n_empties.saturating_sub(1));
        let caution = Caution::Whole;
        let limits = Limits { depth, end_from: 0, proof_from: 0, caution, ..Limits::NONE };
        let monitor = Monitor::default();
        let mut values = vec![engine.weights().discs(position.board()) as f32];
        let question = Question { position, counting, limits, top: 1 };
        engine.think(question, &monitor, &mut |answer| {
            values.extend(answer.best().map(|best| best.value.discs));
        });
        let score = (n_empties <= solve_from).then(|| {
            let proof = engine.solve(Request::exact(position, counting), &monitor, &mut |_| {});
            f32::from(proof.score().expect("it was not stopped").0)
        });
        Trial { n_empties, values, score }
    }

    /// Searches of the position by pairs, as the search replaces a long one by a short one: of the same
    /// parity, because values go up and down with it, and the short one about half as long at most.
    pub fn mid_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        let shorts = move |long: usize| (long % 2..=long / 2 + 1).step_by(2);
        (LONG_MIN..self.values.len())
            .flat_map(move |long| shorts(long).map(move |short| (short, long)))
            .filter(|(short, long)| short < long)
            .map(|(short, long)| self.pair(short, long as f64, self.values[long]))
    }

    /// Short searches paired with the score; none if that is not known.
    pub fn end_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        let shorts = 0..self.values.len().min(SHORT_MAX_END + 1);
        self.score
            .into_iter()
            .flat_map(move |score| shorts.clone().map(move |short| self.pair(short, 0.0, score)))
    }

    fn pair(&self, short: usize, long: f64, value: f32) -> Pair {
        Pair {
            terms: [1.0, short as f64, long, f64::from(self.n_empties)],
            error: f64::from(value - self.values[short]),
        }
    }
}

/// A short and a long search of the same position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// 1, the depth of the short search, that of the long one (0 for one to the end), the number of
    /// empty squares.
    pub terms: [f64; 4],
    /// The value of the long search less that of the short one.
    pub error: f64,
}

/// The model of the error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Model {
    /// The factors of the terms in the mean.
    pub mean: [f64; 4],
    /// The factors of the terms in the logarithm of the spread.
    pub log_spread: [f64; 4],
}

impl Model {
    /// Fits a model to pairs: the mean by least squares, then the logarithm of the spread to that of
    /// the size of what is left, cell by cell. `None` if no cell has pairs enough to tell its spread.
    pub fn fit(pairs: &[Pair]) -> Option<Model> {
        let rows: Vec<([f64; 4], f64, f64)> =
            pairs.iter().map(|pair| (pair.terms, pair.error, 1.0)).collect();
        let mean = least_squares(&rows);
        // Cells of equal terms.
        let mut cells: BTreeMap<[u64; 4], (f64, f64)> = BTreeMap::new();
        for pair in pairs {
            let left = pair.error - dot(&mean, &pair.terms);
            let cell = cells.entry(pair.terms.map(f64::to_bits)).or_default();
            cell.0 += 1.0;
            cell.1 += left * left;
        }
        let rows: Vec<([f64; 4], f64, f64)> = cells
            .into_iter()
            .filter(|(_, (n, squares))| *n >= 10.0 && *squares > 0.0)
            .map(|(terms, (n, squares))| (terms.map(f64::from_bits), (squares / n).sqrt().ln(), n))
            .collect();
        (!rows.is_empty()).then(|| Model { mean, log_spread: least_squares(&rows) })
    }

    /// The mean and spread of the error for a set of terms.
    pub fn error(&self, terms: [f64; 4]) -> (f64, f64) {
        (dot(&self.mean, &terms), dot(&self.log_spread, &terms).exp())
    }
}

/// Pairs of the same depths and of about as many empty squares: what was measured of them, and what a
/// model says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// The depth of the long search; 0 for one to the end.
    pub long: u32,
    /// The depth of the short search.
    pub short: u32,
    /// The fewest and the most empty squares.
    pub empties: (u32, u32),
    /// How many pairs there are.
    pub count: usize,
    /// The mean of their errors, and the model's.
    pub mean: (f64, f64),
    /// The spread of their errors about the mean, and the model's.
    pub spread: (f64, f64),
}

impl Cell {
    /// Pairs are put together whose numbers of empty squares have the same quotient by this.
    const EMPTIES: u32 = 8;

    /// The pairs sorted into cells, by depth and number of empty squares.
    pub fn of(pairs: &[Pair], model: &Model) -> Vec<Cell> {
        let mut cells: BTreeMap<(u32, u32, u32), Vec<&Pair>> = BTreeMap::new();
        for pair in pairs {
            let [_, short, long, n_empties] = pair.terms.map(|term| term as u32);
            cells.entry((long, short, n_empties / Cell::EMPTIES)).or_default().push(pair);
        }
        let cell = |((long, short, band), pairs): ((u32, u32, u32), Vec<&Pair>)| {
            let average = |of: &dyn Fn(&Pair) -> f64| {
                pairs.iter().map(|pair| of(pair)).sum::<f64>() / pairs.len() as f64
            };
            let mean = average(&|pair| pair.error);
            let variance = average(&|pair| (pair.error - mean).powi(2));
            let typical = [0, 1, 2, 3].map(|i| average(&|pair| pair.terms[i]));
            let (model_mean, model_spread) = model.error(typical);
            let first = band * Cell::EMPTIES;
            Cell {
                long,
                short,
                empties: (first, first + Cell::EMPTIES - 1),
                count: pairs.len(),
                mean: (mean, model_mean),
                spread: (variance.sqrt(), model_spread),
            }
        };
        cells.into_iter().map(cell).collect()
    }
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The factors that predict the second of each row from the first, the third being its weight.
fn least_squares(rows: &[([f64; 4], f64, f64)]) -> [f64; 4] {
    // The normal equations, with a little on the diagonal for terms that never change.
    let mut m = [[0.0; 5]; 4];
    for (terms, value, weight) in rows {
        for i in 0..4 {
            for j in 0..4 {
                m[i][j] += weight * terms[i] * terms[j];
            }
            m[i][4] += weight * terms[i] * value;
        }
    }
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1e-6;
    }
    // Elimination.
    for i in 0..4 {
        let pivot = (i..4).max_by(|a, b| m[*a][i].abs().total_cmp(&m[*b][i].abs())).unwrap_or(i);
        m.swap(i, pivot);
        for j in 0..4 {
            if j != i {
                let factor = m[j][i] / m[i][i];
                let source = m[i];
                for (to, from) in m[j].iter_mut().zip(source) {
                    *to -= factor * from;
                }
            }
        }
    }
    [0, 1, 2, 3].map(|i| m[i][4] / m[i][i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;
    use obverse_engine::Config;

    #[test]
    fn a_known_model_is_found_again() {
        let model =
            Model { mean: [-0.4, 0.15, 0.01, -0.006], log_spread: [1.5, -0.15, 0.08, -0.018] };
        let mut pairs = Vec::new();
        for (short, long) in [(0, 4), (1, 5), (2, 6), (3, 7), (4, 10), (2, 12)] {
            for n_empties in 20..40 {
                let terms = [1.0, f64::from(short), f64::from(long), f64::from(n_empties)];
                let (mean, spread) = model.error(terms);
                // As many above the mean as below.
                let errors = [mean - spread, mean + spread].repeat(5);
                pairs.extend(errors.into_iter().map(|error| Pair { terms, error }));
            }
        }
        let fitted = Model::fit(&pairs).expect("there are enough");
        let factors = |model: &Model| [model.mean, model.log_spread].concat();
        assert_eq!(Model::fit(&pairs[..9]), None);
        for (found, known) in factors(&fitted).iter().zip(factors(&model)) {
            assert!((found - known).abs() < 1e-5, "{fitted:?}");
        }
        let cells = Cell::of(&pairs, &fitted);
        assert_eq!(cells.iter().map(|cell| cell.count).sum::<usize>(), pairs.len());
        assert_eq!((cells[0].long, cells[0].short, cells[0].empties), (4, 0, (16, 23)));
        for cell in &cells {
            assert!((cell.mean.0 - cell.mean.1).abs() < 1e-4, "{cell:?}");
            assert!((cell.spread.0 / cell.spread.1).ln().abs() < 1e-2, "{cell:?}");
        }
    }

    #[test]
    fn pairs_are_of_the_same_parity_and_the_end_is_the_score() {
        let values = vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let trial = Trial { n_empties: 12, values, score: Some(9.0) };
        let depths = |pair: Pair| (pair.terms[1] as u32, pair.terms[2] as u32, pair.error);
        let mid: Vec<_> = trial.mid_pairs().map(depths).collect();
        let expected =
            [(1, 3), (0, 4), (2, 4), (1, 5), (3, 5), (0, 6), (2, 6), (4, 6), (1, 7), (3, 7)];
        assert_eq!(mid, expected.map(|(s, l)| (s, l, f64::from(l) - f64::from(s))));
        let end: Vec<_> = trial.end_pairs().map(depths).collect();
        assert_eq!(end, [0, 1, 2, 3, 4, 5, 6].map(|s| (s, 0, 9.0 - f64::from(s))));
        assert_eq!(Trial { score: None, ..trial }.end_pairs().count(), 0);
    }

    #[test]
    fn a_trial_has_a_value_for_every_depth() {
        let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
        let trial = Trial::new(&mut engine, Position::start(Size::Eight), 4, 10);
        assert_eq!((trial.n_empties, trial.values.len(), trial.score), (60, 5, None));
    }
}
