//! How good the engine's judgement is on positions whose scores are known.

use std::ops::AddAssign;

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

impl AddAssign for Accuracy {
    fn add_assign(&mut self, other: Accuracy) {
        self.count += other.count;
        self.absolute_error += other.absolute_error;
        self.best_moves += other.best_moves;
        self.within_3 += other.within_3;
    }
}

impl Accuracy {
    /// The mean absolute error in discs, and of all problems the share whose move was one of the best
    /// and the share whose error was at most three discs; `None` without any.
    pub fn rates(&self) -> Option<(f64, f64, f64)> {
        let share = |sum: f64| sum / self.count as f64;
        (self.count > 0).then(|| {
            let (best, within) = (self.best_moves as f64, self.within_3 as f64);
            (share(self.absolute_error), share(best), share(within))
        })
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_engine::Config;

    #[test]
    fn proven_scores_are_without_error() {
        // One empty square: a1 takes the last disc.
        let won = "-OX".to_owned() + &"X".repeat(61) + " X;";
        let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
        let mut judge = |fields: &str| {
            let problem = Problem::parse(&format!("{won}{fields}")).unwrap();
            let mut accuracy = Accuracy::default();
            accuracy.add(&mut engine, &problem, Limits::NONE, &Monitor::default());
            accuracy
        };
        let right = judge(" A1:+64;");
        assert_eq!(right.rates(), Some((0.0, 1.0, 1.0)));
        let mut both = judge(" +60;");
        assert_eq!(both.rates(), Some((4.0, 0.0, 0.0)));
        both += right;
        assert_eq!(both.rates(), Some((2.0, 0.5, 0.5)));
        assert_eq!(judge("").rates(), None, "nothing is known of it");
    }
}
