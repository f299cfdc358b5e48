//! Questions to an engine that may be interrupted.

use obverse_engine::{Answer, Candidate, Certainty, Question};

use super::Bench;

/// The questions of a work in their order: what has been answered is not asked again.
#[derive(Clone, Debug, Default)]
pub(super) struct Asker {
    answers: Vec<Answer>,
    /// The best answer so far to the question after those.
    best: Option<Answer>,
    /// Which question comes next in this slice.
    next: usize,
}

impl Asker {
    /// Begins a slice: the questions come again from the first.
    pub(super) fn begin(&mut self) {
        self.next = 0;
    }

    /// Whether the next question has never been asked.
    pub(super) fn is_new(&self) -> bool {
        self.next >= self.answers.len() && self.best.is_none()
    }

    /// The answer to the next question, or `None` if there was no time for it. `progress` hears
    /// whatever is better than all it heard before, and may say that it is enough.
    pub(super) fn ask(
        &mut self,
        bench: &mut Bench<'_>,
        question: Question,
        progress: &mut dyn FnMut(&Answer) -> bool,
    ) -> Option<Answer> {
        self.next += 1;
        if let Some(answer) = self.answers.get(self.next - 1) {
            return Some(answer.clone());
        }
        let monitor = bench.monitor;
        let mut is_enough = false;
        let best = &mut self.best;
        let answer = bench.engine.think(question, monitor, &mut |answer| {
            if is_better(answer, best.as_ref()) {
                *best = Some(answer.clone());
                if progress(answer) {
                    is_enough = true;
                    monitor.stop();
                }
            }
        });
        // An engine that stops by itself has reached its limits.
        let is_whole = !answer.stopped || !monitor.is_stopped();
        if !is_whole && !is_enough && !(bench.is_last)() {
            return None;
        }
        let best = self.best.take().filter(|best| !is_better(&answer, Some(best)));
        let answer = best.unwrap_or(answer);
        self.answers.push(answer.clone());
        Some(answer)
    }
}

/// Whether an answer is to be preferred to the one before: it is if it is at least as certain.
fn is_better(answer: &Answer, before: Option<&Answer>) -> bool {
    let certainty = |answer: &Answer| answer.best().map(|best| best.value.certainty);
    before.is_none_or(|before| certainty(answer) >= certainty(before))
}

/// How well all of some values are known: as the least certain one.
pub(crate) fn least_certain(candidates: &[Candidate]) -> Option<Certainty> {
    candidates.iter().map(|candidate| candidate.value.certainty).min()
}
