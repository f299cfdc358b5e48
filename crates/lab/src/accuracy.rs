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
    /// How often the score of the move chosen is known.
    pub known_moves: usize,
    /// How many discs these moves lose in all.
    pub lost: f64,
}

/// What came of a problem in the mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// The mean absolute error in discs.
    pub error: f64,
    /// The share of problems whose move was one of the best.
    pub best_move: f64,
    /// The share of problems whose error was at most three discs.
    pub within_3: f64,
    /// How many discs a move chosen loses, where its score is known; `None` if it never is.
    pub loss: Option<f64>,
}

impl AddAssign for Accuracy {
    fn add_assign(&mut self, other: Accuracy) {
        self.count += other.count;
        self.absolute_error += other.absolute_error;
        self.best_moves += other.best_moves;
        self.within_3 += other.within_3;
        self.known_moves += other.known_moves;
        self.lost += other.lost;
    }
}

impl Accuracy {
    /// The means over all problems; `None` without any.
    pub fn rates(&self) -> Option<Rates> {
        let share = |sum: f64| sum / self.count as f64;
        (self.count > 0).then(|| Rates {
            error: share(self.absolute_error),
            best_move: share(self.best_moves as f64),
            within_3: share(self.within_3 as f64),
            loss: (self.known_moves > 0).then(|| self.lost / self.known_moves as f64),
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
        let is_chosen = |(mv, _): &&(Move, Score)| *mv == best.mv;
        if let Some((_, its)) = problem.moves.iter().find(is_chosen) {
            self.best_moves += usize::from(*its == score);
            self.known_moves += 1;
            self.lost += f64::from(score.0 - its.0);
        }
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
        let rates = |error: f64, share: f64, loss: Option<f64>| {
            Some(Rates { error, best_move: share, within_3: share, loss })
        };
        let right = judge(" A1:+64;");
        assert_eq!(right.rates(), rates(0.0, 1.0, Some(0.0)));
        let mut both = judge(" +60;");
        assert_eq!(both.rates(), rates(4.0, 0.0, None));
        both += right;
        assert_eq!(both.rates(), rates(2.0, 0.5, Some(0.0)));
        assert_eq!(judge("").rates(), None, "nothing is known of it");
    }
}
