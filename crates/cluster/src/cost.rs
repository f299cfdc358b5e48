//! What an answer is going to cost.
//!
//! The logarithm of the nodes of a proof grows with the number of empty squares, and by how many moves
//! there are to choose from. The numbers come from `obverse batch cost`; `docs/scale.md` compares them
//! with measurements.

use obverse_board::Size;

use crate::{Question, Task};

/// Visited a second by one thread, as measured on FFO 40–59 (`docs/bench`).
pub const NODES_PER_SECOND: f64 = 9.5e6;

/// The logarithm (base 10) of the nodes of a proof of the score: a number, so much an empty square, and
/// so much for each doubling of the number of moves of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// With no empty squares.
    pub base: f64,
    /// For each empty square.
    pub per_empty: f64,
    /// For each move of either side, on the average.
    pub per_move: f64,
}

/// As measured on positions of games on 8×8.
pub const EIGHT: Model = Model { base: -0.94, per_empty: 0.315, per_move: 0.049 };

/// On a smaller board: fitted to 296 positions of random 6×6 games with 10 to 26 empty squares.
pub const SMALL: Model = Model { base: -1.01, per_empty: 0.309, per_move: 0.044 };

impl Model {
    /// The logarithm of the nodes it takes to prove the score.
    pub fn log_nodes(&self, n_empties: u32, n_moves: u32) -> f64 {
        self.base + self.per_empty * f64::from(n_empties) + self.per_move * f64::from(n_moves)
    }

    /// For boards of this size.
    pub const fn of(size: Size) -> Model {
        match size {
            Size::Eight => EIGHT,
            Size::Six | Size::Four => SMALL,
        }
    }
}

/// Moves of both sides.
pub fn n_moves(question: &Question) -> u32 {
    let position = question.position();
    position.moves().count() + position.pass_unchecked().moves().count()
}

/// The nodes it takes to answer a question.
pub fn nodes(question: &Question) -> f64 {
    let proof =
        10_f64.powf(Model::of(question.size()).log_nodes(question.n_empties(), n_moves(question)));
    let n_empties = question.n_empties();
    let nodes = match question.task {
        Task::Exact => proof,
        // Every move that is not the best has a score of its own to be found.
        Task::Moves => 6.0 * proof,
        Task::Outcome | Task::Window(..) => 0.6 * proof,
        Task::Level(level) => {
            let level = u32::from(level);
            let proof_from = if level <= 10 { 2 * level } else { 10 + level };
            if n_empties <= proof_from { proof } else { by_depth(level) }
        }
        Task::Depth(depth) => by_depth(depth.into()),
    };
    nodes.min(question.limits.nodes.map_or(f64::MAX, |n| n as f64))
}

/// The nodes of a selective search of so many moves.
fn by_depth(depth: u32) -> f64 {
    100.0 * 1.9_f64.powi(depth as i32)
}

/// The microseconds it takes one thread to answer a question.
pub fn micros(question: &Question) -> f64 {
    // Whatever it is, it takes a few microseconds to begin.
    let micros = 3.0 + nodes(question) / NODES_PER_SECOND * 1e6;
    micros.min(question.limits.time_ms.map_or(f64::MAX, |ms| f64::from(ms) * 1e3))
}

/// How much less a claim costs to settle that the evaluation is sure of, by how many discs it is.
pub fn by_margin(margin: f64) -> f64 {
    10_f64.powf(-0.02 * margin.abs())
}
