//! How far short searches are from long ones: what the search may leave out.
//!
//! Positions are searched to every depth without leaving anything out, and to the end where it is
//! near. The difference between the value of a long search and that of a short one is modelled by a
//! mean that is linear in the two depths and the number of empty squares, and by a spread whose
//! logarithm is.

use obverse_board::{Board, Color, Counting, Position, Size};
use obverse_engine::solve::Request;
use obverse_engine::{Engine, Limits, Monitor, Question};

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
    /// Searches a board to every depth up to `depth`, and to the end with at most `solve_from` empty
    /// squares.
    ///
    /// # Panics
    /// If the board holds two discs on a square.
    pub fn new(engine: &mut Engine, board: Board, depth: u32, solve_from: u32) -> Trial {
        let (black, white) = (board.player(), board.opponent());
        let position = Position::new(Size::Eight, black, white, Color::Black)
            .expect("records hold sound boards");
        let counting = Counting::WinnerTakesEmpties;
        let n_empties = position.empties().count();
        let depth = depth.min(n_empties.saturating_sub(1));
        let limits = Limits { depth, end_from: 0, proof_from: 0, selective: false, ..Limits::NONE };
        let monitor = Monitor::default();
        let mut values = vec![engine.weights().discs(board) as f32];
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
}

/// A short and a long search of the same position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// 1, the depth of the short search, that of the long one, the number of empty squares.
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
    /// the size of what is left, cell by cell.
    pub fn fit(pairs: &[Pair]) -> Model {
        let rows: Vec<([f64; 4], f64, f64)> =
            pairs.iter().map(|pair| (pair.terms, pair.error, 1.0)).collect();
        let mean = least_squares(&rows);
        // Cells of equal terms.
        let mut cells: std::collections::BTreeMap<[u64; 4], (f64, f64)> =
            std::collections::BTreeMap::default();
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
        Model { mean, log_spread: least_squares(&rows) }
    }

    /// The mean and spread of the error for a set of terms.
    pub fn error(&self, terms: [f64; 4]) -> (f64, f64) {
        (dot(&self.mean, &terms), dot(&self.log_spread, &terms).exp())
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
