//! How good the engine's judgement is on positions whose scores are known.

use obverse_board::notation::obf::Problem;
use obverse_board::{Counting, Move, Score};
use obverse_engine::{Engine, Limits, Monitor, Question};

/// What came of a set of problems.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    /// How many problems there were.
    pub count: usize,
    /// The sum of the absolute errors in discs.
    pub absolute_error: f64,
    /// How often the move chosen was one of the best.
    pub best_moves: usize,
    /// How often the error was at most three discs.
    pub within_3: usize,
}

impl Accuracy {
    /// Has the engine judge a problem and adds what came of it; a problem whose score is not known is
    /// left out.
    pub fn add(
        &mut self,
        engine: &mut Engine,
        problem: &Problem,
        limits: Limits,
        monitor: &Monitor,
    ) {
        let Some(score) = problem.moves.iter().map(|(_, score)| *score).max().or(problem.score)
        else {
            return;
        };
        let question = Question {
            position: problem.position,
            counting: Counting::WinnerTakesEmpties,
            limits,
            top: 1,
        };
        let answer = engine.think(question, monitor, &mut |_| {});
        let Some(best) = answer.best() else { return };
        let error = (f64::from(best.value.discs) - f64::from(score.0)).abs();
        self.count += 1;
        self.absolute_error += error;
        self.within_3 += usize::from(error <= 3.0);
        let is_best = |(mv, its): &(Move, Score)| *mv == best.mv && *its == score;
        self.best_moves += usize::from(problem.moves.iter().any(is_best));
    }
}
