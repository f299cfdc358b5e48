//! What came of a question.

use std::sync::Arc;

use obverse_board::{Move, Score, Symmetry};
use obverse_engine::Certainty;

use crate::{ChunkId, Job, Question, Task};

/// What was found out; moves are those of the board of the question, scores those of the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// The best move found; `None` if the game is over or nothing was found yet.
    pub best: Option<Move>,
    /// Whether all that was asked is proven.
    pub proven: bool,
    /// What is thought where nothing is proven.
    pub estimate: Option<Estimate>,
    /// The bounds of every move, if they were asked for: best first.
    pub moves: Vec<MoveBounds>,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Who found it out: the version of the engine with its evaluation.
    pub engine: Arc<str>,
}

/// A value that is not proven.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// In discs, for the side to move.
    pub discs: f32,
    /// How it is known.
    pub certainty: Certainty,
}

/// What is proven of a move, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    /// The move.
    pub mv: Move,
    /// Its score is at least this.
    pub lower: Score,
    /// Its score is at most this.
    pub upper: Score,
}

impl Answer {
    /// The same answer with its moves as on the board that `symmetry` leads from.
    #[must_use = "this returns the other answer"]
    pub fn turned_back(&self, question: &Question, symmetry: Symmetry) -> Answer {
        let back = symmetry.inverse();
        let turn = |mv: Move| match mv {
            Move::Place(square) => Move::Place(back.apply_square(square, question.size())),
            Move::Pass => Move::Pass,
        };
        Answer {
            best: self.best.map(turn),
            moves: self.moves.iter().map(|m| MoveBounds { mv: turn(m.mv), ..*m }).collect(),
            ..self.clone()
        }
    }
}

impl Question {
    /// Whether bounds on the score are all that was asked for.
    pub fn is_settled_by(&self, lower: Score, upper: Score) -> bool {
        match self.task {
            Task::Exact => lower == upper,
            Task::Outcome => lower == upper || lower.0 > 0 || upper.0 < 0,
            Task::Window(low, high) => lower == upper || upper.0 <= low || lower.0 >= high,
            Task::Moves | Task::Level(_) | Task::Depth(_) => false,
        }
    }
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// An answer.
    Answer(Answer),
    /// None, after several tries, for this reason.
    Failed(String),
}

/// What came of some jobs of a chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The list of questions they belong to.
    pub campaign: Arc<str>,
    /// The chunk of just these jobs.
    pub id: ChunkId,
    /// Who did it: a name, its version and CPU.
    pub worker: Arc<str>,
    /// The jobs with what came of them.
    pub outcomes: Vec<(Job, Outcome)>,
}
