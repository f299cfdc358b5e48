//! What a move of a game is worth.

use std::time::Duration;

use obverse_engine::{Level, Limits, Question};

use super::ask::Asker;
use super::{Bench, Ended, JudgeMove, News, Patience};
use crate::clock;
use crate::judge::{Reach, UNTIMED_EMPTIES_MAX, judge};

/// How far to think about each position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// As a level of play does.
    Level(Level),
    /// So long.
    Time(Duration),
}

#[derive(Clone, Debug)]
pub(super) struct Judging {
    pub(super) job: JudgeMove,
    asker: Asker,
    /// What had been worked when the present question was first asked.
    asked_at: Duration,
}

impl Judging {
    pub(super) fn new(job: JudgeMove) -> Judging {
        Judging { job, asker: Asker::default(), asked_at: Duration::ZERO }
    }

    pub(super) fn patience(&self) -> Patience {
        let is_near = self.job.position.empties().count() <= UNTIMED_EMPTIES_MAX;
        match self.job.effort {
            Effort::Time(time) if !is_near => Patience::Worked(self.asked_at.saturating_add(time)),
            _ => Patience::Forever,
        }
    }

    pub(super) fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        let JudgeMove { position, mv, counting, effort } = self.job;
        let usual = match effort {
            Effort::Level(level) => level.into(),
            Effort::Time(time) => clock::limits(time.saturating_mul(bench.threads)),
        };
        let (asker, asked_at) = (&mut self.asker, &mut self.asked_at);
        asker.begin();
        let mut ask = |position, reach, top| {
            let limits: Limits = match reach {
                Reach::Usual => usual,
                Reach::Limits(limits) => limits,
            };
            if asker.is_new() {
                // Its time begins now; if the slice is over it gets another.
                *asked_at = (bench.worked)();
                if bench.monitor.is_stopped() {
                    return None;
                }
            }
            asker.ask(bench, Question { position, counting, limits, top }, &mut |_| false)
        };
        match judge(position, mv, counting, 1, &mut ask) {
            Some(verdict) => {
                tell(News::Judged(verdict));
                Ended::Done
            }
            None => Ended::Interrupted,
        }
    }
}
