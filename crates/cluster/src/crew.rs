//! Threads that answer questions.
//!
//! Each thread takes chunks of easy jobs, one after the other. When there are none, one of them takes a
//! hard job, waits until the others have finished theirs, and does it with the strength of all. Another
//! thread, the heart, renews the leases and stops what takes longer than it may.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use obverse_engine::Monitor;

use crate::assignment::{End, Failure};
use crate::{
    Assignment, Begin, Class, Error, Lease, Limits, Outcome, Results, Shop, Solver, Token,
    Transport,
};

/// How long a thread waits for a chunk before it looks for a hard one.
const WAIT: Duration = Duration::from_millis(200);

/// How long to wait before a queue that is away is tried again: at first, and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// How long the last results of a crew that is leaving are offered to a queue that is away.
const FAREWELL: Duration = Duration::from_secs(20);

/// By which others tell a crew to stop.
#[derive(Default, Debug)]
#[allow(clippy::struct_field_names, reason = "they are questions")]
pub struct Control {
    is_leaving: AtomicBool,
    is_aborting: AtomicBool,
    is_home: AtomicBool,
}

impl Control {
    /// Has every thread finish the job in hand and go home.
    pub fn leave(&self) {
        self.is_leaving.store(true, Ordering::SeqCst);
    }

    /// Has every thread give back the job in hand and go home at once.
    pub fn abort(&self) {
        self.is_aborting.store(true, Ordering::SeqCst);
        self.leave();
    }

    /// Whether it was told to stop.
    pub fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::SeqCst)
    }

    fn is_aborting(&self) -> bool {
        self.is_aborting.load(Ordering::SeqCst)
    }

    /// Whether all threads have gone home.
    pub fn is_home(&self) -> bool {
        self.is_home.load(Ordering::SeqCst)
    }
}

/// Something worth telling.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A chunk was taken.
    Taken,
    /// A chunk that was taken is done, or given back.
    Left,
    /// A chunk was finished: so many jobs, and the microseconds spent on them.
    Finished(usize, u64),
    /// The queue is away, or refuses; a thread tries again.
    Trouble(Error),
    /// The queue is back.
    Back,
    /// A job failed, for this reason.
    Failed(String),
}

/// What a crew has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Jobs answered.
    pub jobs: u64,
    /// Chunks finished.
    pub chunks: u64,
    /// Jobs set aside.
    pub failed: u64,
}

/// Threads that answer questions.
pub struct Crew<'a> {
    /// Where the questions come from and the answers go.
    pub transport: &'a dyn Transport,
    /// What solves.
    pub shop: &'a dyn Shop,
    /// How many threads there are.
    pub n_threads: usize,
    /// What no job may exceed, whatever it asks for.
    pub limits: Limits,
    /// What the crew is called in results.
    pub name: Arc<str>,
    /// Hears of everything.
    pub tell: &'a (dyn Fn(Event) + Sync),
}

/// A job that is being done.
struct Active {
    token: Token,
    renewed: Instant,
    watch: Option<Watch>,
}

struct Watch {
    monitor: Monitor,
    limits: Limits,
    start: Instant,
}

#[derive(Default)]
struct Shared {
    active: Mutex<Vec<Active>>,
    /// Easy jobs are done side by side, a hard one alone.
    gate: RwLock<()>,
    /// Who has it may look for a hard job; it keeps the solver for it.
    hard: Mutex<Option<Box<dyn Solver>>>,
    jobs: AtomicU64,
    chunks: AtomicU64,
    failed: AtomicU64,
    is_done: AtomicBool,
}

impl Crew<'_> {
    /// Works until it is told to leave.
    pub fn run(&self, control: &Control) -> Tally {
        let shared = Shared::default();
        std::thread::scope(|scope| {
            scope.spawn(|| self.beat(&shared, control));
            std::thread::scope(|scope| {
                for _ in 0..self.n_threads.max(1) {
                    scope.spawn(|| self.work(&shared, control));
                }
            });
            shared.is_done.store(true, Ordering::SeqCst);
        });
        control.is_home.store(true, Ordering::SeqCst);
        Tally {
            jobs: shared.jobs.into_inner(),
            chunks: shared.chunks.into_inner(),
            failed: shared.failed.into_inner(),
        }
    }

    /// One thread.
    fn work(&self, shared: &Shared, control: &Control) {
        let mut solver = None;
        let mut pause = RETRY.0;
        while !control.is_leaving() {
            let worked = self.find(shared, control, &mut solver);
            match worked {
                Ok(()) if pause > RETRY.0 => {
                    pause = RETRY.0;
                    (self.tell)(Event::Back);
                }
                Ok(()) => {}
                Err(error) => {
                    (self.tell)(Event::Trouble(error));
                    sleep(pause, control);
                    pause = (2 * pause).min(RETRY.1);
                }
            }
        }
    }

    /// Looks for a chunk and does it.
    fn find(
        &self,
        shared: &Shared,
        control: &Control,
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(), Error> {
        if self.find_easy(shared, control, solver, Duration::ZERO)? {
            return Ok(());
        }
        if let Ok(mut hard) = shared.hard.try_lock()
            && let Some(lease) = self.transport.lease(Class::Hard, Duration::ZERO)?
        {
            let _active = shared.enter(&lease.token);
            let _alone = shared.gate.write().unwrap_or_else(PoisonError::into_inner);
            self.attend(shared, control, &mut hard, self.n_threads, lease);
            return Ok(());
        }
        self.find_easy(shared, control, solver, WAIT).map(|_| ())
    }

    /// Looks for an easy chunk and does it; tells whether there was one.
    fn find_easy(
        &self,
        shared: &Shared,
        control: &Control,
        solver: &mut Option<Box<dyn Solver>>,
        wait: Duration,
    ) -> Result<bool, Error> {
        // The gate first: nothing is leased that would have to wait for a hard job to end.
        let _beside = shared.gate.read().unwrap_or_else(PoisonError::into_inner);
        let Some(lease) = self.transport.lease(Class::Easy, wait)? else { return Ok(false) };
        let _active = shared.enter(&lease.token);
        self.attend(shared, control, solver, 1, lease);
        Ok(true)
    }

    /// Does a chunk, and tells of it.
    fn attend(
        &self,
        shared: &Shared,
        control: &Control,
        solver: &mut Option<Box<dyn Solver>>,
        n_threads: usize,
        lease: Lease,
    ) {
        (self.tell)(Event::Taken);
        self.work_on(shared, control, solver, n_threads, lease);
        (self.tell)(Event::Left);
    }

    /// Does the jobs of a chunk and hands over the results.
    fn work_on(
        &self,
        shared: &Shared,
        control: &Control,
        solver: &mut Option<Box<dyn Solver>>,
        n_threads: usize,
        lease: Lease,
    ) {
        let Lease { token, chunk, n_tries } = lease;
        // Another thread may have given it back just now, because it is time to leave: that was no try
        // that failed, and it is not taken apart for it.
        if control.is_leaving() {
            self.insist(control, || self.transport.release(&token));
            return;
        }
        let assignment = match Assignment::begin(chunk, n_tries, Arc::clone(&self.name)) {
            Begin::Work(assignment) => assignment,
            Begin::Split(parts) => {
                let nothing = Assignment::nothing(&parts, &self.name);
                self.hand_over(shared, control, &token, &End { results: nothing, rest: parts });
                return;
            }
            Begin::SetAside(results) => {
                self.hand_over(shared, control, &token, &End { results, rest: Vec::new() });
                return;
            }
        };
        match self.answer(shared, control, solver, n_threads, &token, assignment) {
            Ok(end) => self.hand_over(shared, control, &token, &end),
            Err(()) => self.insist(control, || self.transport.release(&token)),
        }
    }

    /// Does jobs until all are done or it is time to leave; an error if the chunk is to be given back.
    fn answer(
        &self,
        shared: &Shared,
        control: &Control,
        solver: &mut Option<Box<dyn Solver>>,
        n_threads: usize,
        token: &Token,
        mut assignment: Assignment,
    ) -> Result<End, ()> {
        let engine = solver.get_or_insert_with(|| self.shop.solver(n_threads));
        engine.begin(assignment.jobs());
        while let Some(job) = assignment.next() {
            if control.is_leaving() {
                break;
            }
            let monitor = Monitor::default();
            let limits = self.limits.and(job.question.limits);
            shared.watch(
                token,
                Some(Watch { monitor: monitor.clone(), limits, start: Instant::now() }),
            );
            let solved = catch_unwind(AssertUnwindSafe(|| engine.solve(job, &monitor)));
            shared.watch(token, None);
            if control.is_aborting() {
                return Err(());
            }
            match solved {
                Ok(answer) => assignment.done(Outcome::Answer(answer)),
                Err(panic) => {
                    // Who knows in what state it is.
                    *solver = None;
                    let reason = reason(&*panic);
                    (self.tell)(Event::Failed(reason.clone()));
                    return match assignment.fail(&reason) {
                        Failure::Release => Err(()),
                        Failure::End(end) => Ok(end),
                    };
                }
            }
        }
        // A chunk of which nothing is done is not another chunk.
        if assignment.is_untouched() { Err(()) } else { Ok(assignment.end()) }
    }

    /// Hands over results, whatever it takes.
    fn hand_over(&self, shared: &Shared, control: &Control, token: &Token, end: &End) {
        self.insist(control, || self.transport.finish(token, &end.results, &end.rest));
        let Results { outcomes, .. } = &end.results;
        let micros = outcomes.iter().map(|(_, outcome)| match outcome {
            Outcome::Answer(answer) => answer.micros,
            Outcome::Failed(_) => 0,
        });
        let n_failed =
            outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))).count();
        shared.jobs.fetch_add(outcomes.len() as u64, Ordering::Relaxed);
        shared.failed.fetch_add(n_failed as u64, Ordering::Relaxed);
        shared.chunks.fetch_add(1, Ordering::Relaxed);
        (self.tell)(Event::Finished(outcomes.len(), micros.sum()));
    }

    /// Does something to the queue until it succeeds, or is refused, or it is time to leave for long.
    fn insist(&self, control: &Control, mut act: impl FnMut() -> Result<(), Error>) {
        let mut pause = RETRY.0;
        let mut farewell = None;
        loop {
            let error = match act() {
                Ok(()) => return,
                Err(error) => error,
            };
            let is_final = matches!(error, Error::Refused(_));
            (self.tell)(Event::Trouble(error));
            if is_final {
                return;
            }
            if control.is_aborting() {
                return;
            }
            if control.is_leaving() {
                let end = *farewell.get_or_insert_with(|| Instant::now() + FAREWELL);
                if Instant::now() >= end {
                    return;
                }
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(RETRY.1);
        }
    }

    /// The heart: renews leases and stops what has reached its limits.
    fn beat(&self, shared: &Shared, control: &Control) {
        let every = self.transport.renewal();
        while !shared.is_done.load(Ordering::SeqCst) {
            let mut due = Vec::new();
            let mut has_limits = false;
            let now = Instant::now();
            for active in shared.active().iter_mut() {
                if every.is_some_and(|every| now - active.renewed >= every) {
                    active.renewed = now;
                    due.push(active.token.clone());
                }
                if let Some(Watch { monitor, limits, start }) = &active.watch {
                    has_limits |= *limits != Limits::default();
                    let time = Duration::from_millis(limits.time_ms.map_or(u64::MAX, u64::from));
                    let is_late = now - *start >= time || control.is_aborting();
                    if is_late || monitor.nodes() >= limits.nodes.unwrap_or(u64::MAX) {
                        monitor.stop();
                    }
                }
            }
            for token in due {
                if let Err(error) = self.transport.renew(&token) {
                    (self.tell)(Event::Trouble(error));
                }
            }
            std::thread::sleep(Duration::from_millis(if has_limits { 1 } else { 10 }));
        }
    }
}

/// As long as it lives, a lease is renewed.
struct Entered<'s> {
    shared: &'s Shared,
    token: Token,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.shared.active().retain(|active| active.token != self.token);
    }
}

impl Shared {
    fn enter(&self, token: &Token) -> Entered<'_> {
        let active = Active { token: token.clone(), renewed: Instant::now(), watch: None };
        self.active().push(active);
        Entered { shared: self, token: token.clone() }
    }

    fn active(&self) -> MutexGuard<'_, Vec<Active>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self, token: &Token, watch: Option<Watch>) {
        if let Some(active) = self.active().iter_mut().find(|active| active.token == *token) {
            active.watch = watch;
        }
    }
}

fn sleep(time: Duration, control: &Control) {
    let end = Instant::now() + time;
    while Instant::now() < end && !control.is_leaving() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What a thread said when it panicked.
fn reason(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the solver panicked: {}", text.as_deref().unwrap_or("no reason given"))
}
