//! The values of the best moves, ever better.

use obverse_engine::{Answer, Certainty, Question};

use super::ask::{Asker, least_certain};
use super::{Bench, Ended, News, Patience, Think};

#[derive(Clone, Debug)]
pub(super) struct Thinking {
    pub(super) job: Think,
    asker: Asker,
    /// How well the values are known that were told last.
    told: Option<Certainty>,
}

impl Thinking {
    pub(super) fn new(job: Think) -> Thinking {
        Thinking { job, asker: Asker::default(), told: None }
    }

    pub(super) fn patience(&self) -> Patience {
        self.job.time.map_or(Patience::Forever, Patience::Worked)
    }

    pub(super) fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        let Think { position, counting, limits, top, .. } = self.job;
        let question = Question { position, counting, limits, top };
        let told = &mut self.told;
        let mut tell_better = |answer: &Answer| {
            let certainty = least_certain(&answer.candidates);
            if certainty > *told && !answer.stopped {
                *told = certainty;
                tell(News::Thought(answer.candidates.clone()));
            }
            false
        };
        self.asker.begin();
        match self.asker.ask(bench, question, &mut tell_better) {
            Some(_) => Ended::Done,
            None => Ended::Interrupted,
        }
    }
}
