//! A worker's chunk: which job is next, and what becomes of it if something goes wrong.
//!
//! A chunk that comes back because a worker vanished is taken apart, so that one bad job spoils no
//! others. A job that fails alone [`TRIES_MAX`] times is set aside with the reason.

use std::sync::Arc;

use crate::chunk::id;
use crate::{Chunk, Job, Outcome, Results};

/// So often a job is tried before it is set aside.
pub const TRIES_MAX: u64 = 3;

/// How to begin with a chunk.
#[derive(Debug)]
pub enum Begin {
    /// Do its jobs.
    Work(Assignment),
    /// Offer these chunks instead; it was more than one worker could do.
    Split(Vec<Chunk>),
    /// It has been tried too often: report this.
    SetAside(Results),
}

/// What is left of an assignment that ends.
#[derive(Debug)]
pub struct End {
    /// What was done.
    pub results: Results,
    /// What was not, to be offered again.
    pub rest: Vec<Chunk>,
}

/// What to do about a job that could not be done.
#[derive(Debug)]
pub enum Failure {
    /// Give the chunk back: somebody may try again.
    Release,
    /// Report this and offer the rest again.
    End(End),
}

/// A chunk that is being worked on.
#[derive(Debug)]
pub struct Assignment {
    chunk: Chunk,
    /// How often it has been handed out, this time included.
    n_tries: u64,
    worker: Arc<str>,
    outcomes: Vec<Outcome>,
}

impl Assignment {
    /// Takes up a chunk that has been handed out so many times, this time included.
    pub fn begin(chunk: Chunk, n_tries: u64, worker: Arc<str>) -> Begin {
        let assignment = Assignment { chunk, n_tries, worker, outcomes: Vec::new() };
        if n_tries > 1 && assignment.chunk.jobs.len() > 1 {
            return Begin::Split(assignment.chunk.singles().collect());
        }
        if n_tries > TRIES_MAX {
            let reason = format!("tried {TRIES_MAX} times, and each time the worker vanished");
            return Begin::SetAside(assignment.failed(reason).results);
        }
        Begin::Work(assignment)
    }

    /// No results, for a chunk that was taken apart into these.
    pub(crate) fn nothing(parts: &[Chunk], worker: &Arc<str>) -> Results {
        let campaign = parts.first().map_or_else(|| "".into(), |part| Arc::clone(&part.campaign));
        Results { campaign, id: id([].iter()), worker: Arc::clone(worker), outcomes: Vec::new() }
    }

    /// The job to do next; `None` if all are done.
    pub fn next(&self) -> Option<&Job> {
        self.chunk.jobs.get(self.outcomes.len())
    }

    /// Whether no job is done yet.
    pub fn is_untouched(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// All its jobs.
    pub fn jobs(&self) -> &[Job] {
        &self.chunk.jobs
    }

    /// Says what came of the next job.
    ///
    /// # Panics
    /// If there is no next job.
    pub fn done(&mut self, outcome: Outcome) {
        assert!(self.next().is_some(), "all jobs are done");
        self.outcomes.push(outcome);
    }

    /// Says that the next job failed.
    pub fn fail(self, reason: &str) -> Failure {
        if self.chunk.jobs.len() > 1 {
            // The one that failed and those after it get chunks of their own.
            let mut end = self.end();
            end.rest = end.rest.iter().flat_map(Chunk::singles).collect();
            return Failure::End(end);
        }
        if self.n_tries < TRIES_MAX {
            return Failure::Release;
        }
        let reason = format!("tried {TRIES_MAX} times: {reason}");
        Failure::End(self.failed(reason))
    }

    /// Ends the assignment, with all jobs done or not.
    pub fn end(self) -> End {
        let Assignment { mut chunk, outcomes, worker, .. } = self;
        let left = chunk.jobs.split_off(outcomes.len());
        let campaign = Arc::clone(&chunk.campaign);
        let id = id(chunk.jobs.iter());
        let outcomes = chunk.jobs.iter().copied().zip(outcomes).collect();
        let results = Results { campaign, id, worker, outcomes };
        let rest = (!left.is_empty()).then_some(Chunk { jobs: left, ..chunk });
        End { results, rest: rest.into_iter().collect() }
    }

    fn failed(mut self, reason: String) -> End {
        self.outcomes.push(Outcome::Failed(reason));
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Limits, Question, Task};
    use obverse_board::{Counting, Position};

    fn chunk(n_jobs: usize) -> Chunk {
        let texts = ["f5d6", "f5f6", "f5f4"];
        let job = |text: &&str| {
            let position = Position::parse(text).unwrap();
            Job::new(Question::new(position, Counting::Discs, Task::Exact, Limits::default()).0)
        };
        let jobs = texts.iter().take(n_jobs).map(job).collect();
        Chunk { campaign: "main".into(), class: Class::Easy, jobs }
    }

    fn work(chunk: Chunk, n_tries: u64) -> Assignment {
        match Assignment::begin(chunk, n_tries, "me".into()) {
            Begin::Work(assignment) => assignment,
            other => panic!("{other:?}"),
        }
    }

    fn answered() -> Outcome {
        Outcome::Failed("an outcome like others".to_owned())
    }

    #[test]
    fn jobs_are_done_in_order_and_what_is_left_is_offered_again() {
        let mut assignment = work(chunk(3), 1);
        assert_eq!(assignment.next(), chunk(3).jobs.first());
        assignment.done(answered());
        assert_eq!(assignment.next(), chunk(3).jobs.get(1));
        let End { results, rest } = assignment.end();
        assert_eq!(results.id, chunk(1).id());
        assert_eq!(results.outcomes, [(chunk(1).jobs[0], answered())]);
        assert_eq!(rest.len(), 1);
        assert_eq!(rest[0].jobs, chunk(3).jobs[1..]);
        let mut whole = work(chunk(1), 1);
        whole.done(answered());
        assert_eq!(whole.next(), None);
        assert!(whole.end().rest.is_empty());
    }

    #[test]
    fn a_chunk_that_comes_back_is_taken_apart() {
        let Begin::Split(parts) = Assignment::begin(chunk(3), 2, "me".into()) else { panic!() };
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().zip(chunk(3).jobs).all(|(part, job)| part.jobs == [job]));
    }

    #[test]
    fn a_job_that_fails_spoils_no_others() {
        let mut assignment = work(chunk(3), 1);
        assignment.done(answered());
        let Failure::End(End { results, rest }) = assignment.fail("it broke") else { panic!() };
        assert_eq!(results.outcomes.len(), 1);
        assert_eq!(rest.iter().map(|part| part.jobs.len()).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn a_bad_job_is_set_aside_with_the_reason() {
        for n_tries in 1..TRIES_MAX {
            assert!(matches!(work(chunk(1), n_tries).fail("it broke"), Failure::Release));
        }
        let Failure::End(end) = work(chunk(1), TRIES_MAX).fail("it broke") else { panic!() };
        let reason = Outcome::Failed("tried 3 times: it broke".to_owned());
        assert_eq!(end.results.outcomes, [(chunk(1).jobs[0], reason)]);
        let Begin::SetAside(results) = Assignment::begin(chunk(1), TRIES_MAX + 1, "me".into())
        else {
            panic!()
        };
        assert_eq!(results.id, chunk(1).id());
        assert!(matches!(&results.outcomes[0].1, Outcome::Failed(why) if why.contains("vanished")));
    }
}
