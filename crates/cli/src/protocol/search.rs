//! The engine in a thread of its own, as a protocol sees it: it is given a task, tells what it finds
//! on the way, and can be stopped.
//!
//! Nothing stale is ever said: every search has a number, and [`Searches::admit`] passes on only what
//! the last one begun has found.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use obverse_board::Position;
use obverse_engine::solve::{Proof, Request};
use obverse_engine::{Answer, Certainty, Config, Engine, Limits, Monitor, Question};
use obverse_studio::clock::Budget;

use super::{Act, Acts};
use crate::watch;

/// A task with a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Search {
    pub(crate) id: u64,
    pub(crate) task: Task,
}

/// What is searched for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Task {
    /// The best moves.
    Think {
        question: Question,
        /// How long, if a clock runs.
        budget: Option<Budget>,
        /// Enough when the best move is known so well.
        until: Option<Certainty>,
    },
    /// A proof.
    Prove(Request),
}

impl Task {
    /// The `top` best moves of a position.
    pub(crate) fn think(position: Position, limits: Limits, top: usize) -> Task {
        let counting = obverse_board::Counting::WinnerTakesEmpties;
        let question = Question { position, counting, limits, top };
        Task::Think { question, budget: None, until: None }
    }

    /// The same within a budget.
    pub(crate) fn within(mut self, time: Option<Budget>) -> Task {
        if let Task::Think { budget, .. } = &mut self {
            *budget = time;
        }
        self
    }
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Found {
    pub(crate) id: u64,
    pub(crate) what: What,
    /// Since the search began.
    pub(crate) time: Duration,
    /// Whether the search is over.
    pub(crate) is_last: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum What {
    Thought(Answer),
    Proof(Proof),
}

impl Found {
    pub(crate) fn nodes(&self) -> u64 {
        match &self.what {
            What::Thought(answer) => answer.nodes,
            What::Proof(proof) => proof.nodes,
        }
    }
}

/// The searches of a dialogue, of which at most one is of interest.
#[derive(Default, Debug)]
pub(crate) struct Searches {
    last: u64,
    current: Option<u64>,
}

impl Searches {
    pub(crate) fn begin(&mut self, task: Task, acts: &mut Acts) {
        self.last += 1;
        self.current = Some(self.last);
        acts.push(Act::Begin(Search { id: self.last, task }));
    }

    /// Stops the search, and what it has found is of no interest any more; tells whether there was
    /// one.
    pub(crate) fn abandon(&mut self, acts: &mut Acts) -> bool {
        let was_running = self.current.take().is_some();
        if was_running {
            acts.push(Act::Stop);
        }
        was_running
    }

    /// What was found, if it was found by the current search.
    pub(crate) fn admit(&mut self, found: Found) -> Option<Found> {
        if self.current != Some(found.id) {
            return None;
        }
        if found.is_last {
            self.current = None;
        }
        Some(found)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.current.is_some()
    }
}

/// What an engine is made of.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) weights: std::sync::Arc<obverse_engine::eval::Weights>,
    /// No search takes longer.
    pub(crate) time_max: Option<Duration>,
}

/// The thread that searches.
pub(crate) struct Searcher {
    jobs: Sender<Job>,
    /// That of the last search.
    monitor: Monitor,
    since: Instant,
}

enum Job {
    Search(Search, Monitor),
    Forget,
    Resize(Config),
}

impl Searcher {
    /// Starts the thread; it ends when this is dropped.
    pub(crate) fn start(setup: Setup) -> (Searcher, Receiver<Found>) {
        let (jobs, inbox) = unbounded();
        let (outbox, found) = unbounded();
        std::thread::spawn(move || work(&setup, &inbox, &outbox));
        (Searcher { jobs, monitor: Monitor::default(), since: Instant::now() }, found)
    }

    /// Stops the search before and begins this one.
    pub(crate) fn begin(&mut self, search: Search) {
        self.monitor.stop();
        self.monitor = Monitor::default();
        self.since = Instant::now();
        self.send(Job::Search(search, self.monitor.clone()));
    }

    pub(crate) fn stop(&self) {
        self.monitor.stop();
    }

    pub(crate) fn forget(&self) {
        self.send(Job::Forget);
    }

    pub(crate) fn resize(&self, config: Config) {
        self.send(Job::Resize(config));
    }

    /// How many positions the last search has visited, and how long ago it began.
    pub(crate) fn effort(&self) -> (u64, Duration) {
        (self.monitor.nodes(), self.since.elapsed())
    }

    fn send(&self, job: Job) {
        self.jobs.send(job).expect("the thread listens as long as there is somebody to send");
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.monitor.stop();
    }
}

fn work(setup: &Setup, jobs: &Receiver<Job>, found: &Sender<Found>) {
    let make = |config| Engine::with_weights(config, setup.weights.clone());
    let mut engine = make(setup.config);
    for job in jobs {
        match job {
            Job::Forget => engine.forget(),
            Job::Resize(config) => engine = make(config),
            Job::Search(Search { id, task }, monitor) => {
                let start = Instant::now();
                let tell = |what, is_last| {
                    // If nobody listens any more the jobs end soon, too.
                    let _ = found.send(Found { id, what, time: start.elapsed(), is_last });
                };
                let what = watch::within(setup.time_max, &monitor, || {
                    perform(&mut engine, task, &monitor, &|what| tell(what, false))
                });
                tell(what, true);
            }
        }
    }
}

fn perform(engine: &mut Engine, task: Task, monitor: &Monitor, tell: &dyn Fn(What)) -> What {
    match task {
        Task::Think { question, budget, until } => {
            let progress = &mut |answer: &Answer| {
                tell(What::Thought(answer.clone()));
                let is_known = |until| answer.best().is_some_and(|b| b.value.certainty >= until);
                if until.is_some_and(is_known) {
                    monitor.stop();
                }
            };
            What::Thought(watch::think(engine, question, budget, monitor, progress))
        }
        Task::Prove(request) => {
            let proof = engine.solve(request, monitor, &mut |progress| {
                let line = progress.best.into_iter().collect();
                tell(What::Proof(Proof {
                    lower: progress.lower,
                    upper: progress.upper,
                    best: progress.best,
                    line,
                    nodes: progress.nodes,
                    stopped: false,
                }));
            });
            What::Proof(proof)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;
    use obverse_engine::eval::Weights;

    fn start() -> (Searcher, Receiver<Found>) {
        let config = Config { threads: 1, table_mib: 1 };
        Searcher::start(Setup { config, weights: Weights::built_in(), time_max: None })
    }

    fn think(id: u64, depth: u32) -> Search {
        let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
        Search { id, task: Task::think(Position::start(Size::Eight), limits, 1) }
    }

    #[test]
    fn a_search_tells_what_it_finds_and_then_that_it_is_over() {
        let (mut searcher, found) = start();
        searcher.begin(think(7, 4));
        let all: Vec<Found> =
            std::iter::from_fn(|| found.recv().ok().filter(|found| !found.is_last)).collect();
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|found| found.id == 7));
    }

    #[test]
    fn a_new_search_ends_the_one_before() {
        let (mut searcher, found) = start();
        // Nobody lives to see the end of this one.
        searcher.begin(think(1, 60));
        searcher.begin(think(2, 2));
        let last: Vec<u64> =
            found.iter().filter(|found| found.is_last).map(|f| f.id).take(2).collect();
        assert_eq!(last, [1, 2]);
        searcher.begin(think(3, 60));
        searcher.stop();
        assert!(found.iter().any(|found| found.is_last && found.id == 3));
    }

    #[test]
    fn only_the_current_search_is_listened_to() {
        let mut searches = Searches::default();
        let mut acts = Acts::default();
        let answer = Answer { candidates: Vec::new(), nodes: 0, stopped: false };
        let found = |id, is_last| Found {
            id,
            what: What::Thought(answer.clone()),
            time: Duration::ZERO,
            is_last,
        };
        let task = think(0, 1).task;
        searches.begin(task, &mut acts);
        searches.begin(task, &mut acts);
        assert!(searches.admit(found(1, true)).is_none());
        assert!(searches.admit(found(2, false)).is_some());
        assert!(searches.is_running());
        assert!(searches.abandon(&mut acts));
        assert!(searches.admit(found(2, true)).is_none());
        assert!(!searches.abandon(&mut acts));
        assert!(matches!(acts.take()[..], [Act::Begin(_), Act::Begin(_), Act::Stop]));
    }
}
