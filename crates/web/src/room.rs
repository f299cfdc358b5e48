//! The engines, and how their time is divided among the sittings.
//!
//! There is one engine for each board size, because an engine that changes size forgets what it knows,
//! and one of them works at a time, with all its threads. Its time is cut into slices:
//!
//! - Whoever comes first with a new question gets a short slice at once, so that a click is answered
//!   however many others are at work.
//! - After that the sittings take turns; whoever is alone is not interrupted.
//! - A slice that brought nothing new was too short: the next one is twice as long, up to a limit.
//!
//! A question that is no longer of interest is stopped at once.

use std::collections::{HashMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use obverse_board::Size;
use obverse_engine::{Config, Engine, Monitor};
use obverse_studio::sitting::Report;
use obverse_studio::work::{Bench, Ended, Job, JobId, Patience, Work};

/// The first slice of a question, while others wait.
const FIRST: Duration = Duration::from_millis(15);
/// The slices after it.
const SLICE: Duration = Duration::from_millis(100);
/// A slice that brings nothing new is followed by longer ones, up to this.
const SLICE_MAX: Duration = Duration::from_millis(1600);
/// How often it is told how far a search has come when there is nothing new.
const TICK: Duration = Duration::from_millis(250);

/// Textbook players cannot be interrupted, so they have threads of their own, this many.
const N_CLASSIC: usize = 2;

/// Tells a sitting about its jobs.
pub(crate) type Teller = Arc<dyn Fn(Report) + Send + Sync>;

/// The engines at work.
pub(crate) struct Room {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// Something is to be done, or somebody is to be stopped.
    changed: Condvar,
    n_threads: usize,
    table_mib: usize,
}

#[derive(Default)]
struct State {
    /// For the engines.
    waiting: VecDeque<Entry>,
    /// For the textbook players.
    classic: VecDeque<Entry>,
    /// What an engine works on, and the textbook players.
    current: Option<Current>,
    /// Who was served when, by sitting.
    turns: HashMap<u64, u64>,
    n_turns: u64,
    is_closed: bool,
}

/// Which job of which sitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    sitting: u64,
    job: JobId,
}

/// A job that waits.
struct Entry {
    key: Key,
    work: Work,
    tell: Teller,
    ordered: Instant,
    worked: Duration,
    /// `None` before the first slice.
    turn: Option<u64>,
    slice: Duration,
    /// When it must answer with what it has.
    due: Option<Instant>,
    is_hurried: bool,
}

/// The job an engine works on.
struct Current {
    key: Key,
    monitor: Monitor,
    tell: Teller,
    ordered: Instant,
    began: Instant,
    ticked: Instant,
    worked: Duration,
    nodes: u64,
    patience: Patience,
    slice: Duration,
    is_last: Arc<AtomicBool>,
    is_stopped: bool,
}

impl Room {
    pub(crate) fn new(n_threads: usize, table_mib: usize) -> Room {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            n_threads: n_threads.max(1),
            table_mib: table_mib.max(1),
        });
        let spawn = |name: &str, run: fn(&Shared)| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || run(&shared))
                .expect("the system has a thread for us")
        };
        let mut threads = vec![spawn("engine", Shared::work), spawn("steward", Shared::watch)];
        threads.extend((0..N_CLASSIC).map(|_| spawn("textbook", Shared::work_by_the_book)));
        Room { shared, threads }
    }

    /// How many threads an engine has.
    pub(crate) fn n_threads(&self) -> usize {
        self.shared.n_threads
    }

    /// Begins a job of a sitting; `tell` hears of it.
    pub(crate) fn start(&self, sitting: u64, job: JobId, what: &Job, tell: Teller) {
        let work = Work::new(what);
        let is_classic = work.is_classic();
        let slice = if work.is_urgent() { FIRST } else { SLICE };
        let ordered = Instant::now();
        let due = match work.patience(self.n_threads() as u32) {
            Patience::Elapsed(time) => ordered.checked_add(time),
            Patience::Forever | Patience::Worked(_) => None,
        };
        let entry = Entry {
            key: Key { sitting, job },
            work,
            tell,
            ordered,
            worked: Duration::ZERO,
            turn: None,
            slice,
            due,
            is_hurried: false,
        };
        let mut state = self.shared.state();
        if is_classic {
            state.classic.push_back(entry);
        } else {
            state.waiting.push_back(entry);
        }
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Forgets a job.
    pub(crate) fn stop(&self, sitting: u64, job: JobId) {
        let key = Key { sitting, job };
        let mut state = self.shared.state();
        state.waiting.retain(|entry| entry.key != key);
        state.classic.retain(|entry| entry.key != key);
        if let Some(current) = state.current.as_mut().filter(|current| current.key == key) {
            current.is_stopped = true;
            current.monitor.stop();
        }
    }

    /// Makes a job answer with what it has.
    pub(crate) fn hurry(&self, sitting: u64, job: JobId) {
        let key = Key { sitting, job };
        let mut state = self.shared.state();
        for entry in state.waiting.iter_mut().filter(|entry| entry.key == key) {
            entry.is_hurried = true;
        }
        if let Some(current) = state.current.as_ref().filter(|current| current.key == key) {
            current.is_last.store(true, Ordering::Relaxed);
            current.monitor.stop();
        }
    }

    /// How many jobs there are.
    pub(crate) fn n_jobs(&self) -> usize {
        let state = self.shared.state();
        state.waiting.len() + state.classic.len() + usize::from(state.current.is_some())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_closed = true;
        state.waiting.clear();
        state.classic.clear();
        if let Some(current) = &mut state.current {
            current.is_stopped = true;
            current.monitor.stop();
        }
        drop(state);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // If it panicked that has been reported already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread of the engines.
    fn work(&self) {
        be_nice();
        // The first click must not wait for the table to be made.
        let mut engines = [None, None, Some(self.engine(Size::Eight))];
        while let Some((mut entry, monitor, is_last)) = self.next() {
            let size = entry.work.size();
            let engine = engines[size as usize].get_or_insert_with(|| self.engine(size));
            let (began, worked, ordered) = (Instant::now(), entry.worked, entry.ordered);
            let nodes = entry.work.nodes();
            let mut has_news = false;
            let (tell, job) = (Arc::clone(&entry.tell), entry.key.job);
            let mut bench = Bench {
                engine,
                threads: self.n_threads as u32,
                monitor: &monitor,
                elapsed: &|| ordered.elapsed(),
                worked: &|| worked + began.elapsed(),
                is_last: &|| is_last.load(Ordering::Relaxed),
            };
            let mut tell_news = |news| {
                has_news = true;
                tell(Report {
                    job,
                    news: Some(news),
                    is_done: false,
                    nodes: nodes + monitor.nodes(),
                    worked: worked + began.elapsed(),
                });
            };
            let run = AssertUnwindSafe(|| entry.work.run(&mut bench, &mut tell_news));
            let ended = panic::catch_unwind(run).unwrap_or_else(|_| {
                // A bug costs one job, not the engine of all: the next one gets a new engine.
                engines[size as usize] = None;
                Ended::Done
            });
            entry.worked += began.elapsed();
            entry.slice = if has_news { SLICE } else { (entry.slice * 2).clamp(SLICE, SLICE_MAX) };
            self.put_back(entry, ended);
        }
    }

    fn engine(&self, size: Size) -> Engine {
        let table_mib = match size {
            Size::Four => 1,
            Size::Six => (self.table_mib / 4).max(1),
            Size::Eight => self.table_mib,
        };
        Engine::new(Config { threads: self.n_threads, table_mib })
    }

    /// Waits for a job and begins its slice; `None` when all is over.
    fn next(&self) -> Option<(Entry, Monitor, Arc<AtomicBool>)> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(mut entry) = state.take(Instant::now()) {
                state.n_turns += 1;
                let turn = state.n_turns;
                state.turns.insert(entry.key.sitting, turn);
                entry.turn = Some(turn);
                let monitor = Monitor::default();
                let is_last = Arc::new(AtomicBool::new(entry.is_hurried));
                if entry.is_hurried {
                    monitor.stop();
                }
                let now = Instant::now();
                state.current = Some(Current {
                    key: entry.key,
                    monitor: monitor.clone(),
                    tell: Arc::clone(&entry.tell),
                    ordered: entry.ordered,
                    began: now,
                    ticked: now,
                    worked: entry.worked,
                    nodes: entry.work.nodes(),
                    patience: entry.work.patience(self.n_threads as u32),
                    slice: entry.slice,
                    is_last: Arc::clone(&is_last),
                    is_stopped: false,
                });
                drop(state);
                // The steward has somebody to watch.
                self.changed.notify_all();
                return Some((entry, monitor, is_last));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends a slice.
    fn put_back(&self, entry: Entry, ended: Ended) {
        let mut state = self.state();
        let current = state.current.take();
        let is_stopped = current.is_none_or(|current| current.is_stopped);
        if is_stopped || state.is_closed {
            return;
        }
        if ended == Ended::Interrupted {
            state.waiting.push_back(entry);
            return;
        }
        drop(state);
        entry.tell_done();
    }

    /// The thread that ends slices.
    fn watch(&self) {
        let mut state = self.state();
        while !state.is_closed {
            let Some(end) = state.look_after(Instant::now()) else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = end.saturating_duration_since(Instant::now());
            state =
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The threads of the textbook players.
    fn work_by_the_book(&self) {
        be_nice();
        // They need none, but a bench has one.
        let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
        loop {
            let mut state = self.state();
            let mut entry = loop {
                if state.is_closed {
                    return;
                }
                match state.classic.pop_front() {
                    Some(entry) => break entry,
                    None => {
                        state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(state);
            let monitor = Monitor::default();
            let (tell, job, ordered) = (Arc::clone(&entry.tell), entry.key.job, entry.ordered);
            let mut bench = Bench {
                engine: &mut engine,
                threads: 1,
                monitor: &monitor,
                elapsed: &|| ordered.elapsed(),
                worked: &|| ordered.elapsed(),
                is_last: &|| true,
            };
            let mut tell_news = |news| {
                let worked = ordered.elapsed();
                tell(Report { job, news: Some(news), is_done: false, nodes: 0, worked });
            };
            let run = AssertUnwindSafe(|| entry.work.run(&mut bench, &mut tell_news));
            // If it panicked there is no news.
            let _ = panic::catch_unwind(run);
            entry.tell_done();
        }
    }
}

impl Entry {
    /// Whether it must answer now.
    fn is_due(&self, now: Instant) -> bool {
        self.is_hurried || self.due.is_some_and(|due| due <= now)
    }

    /// Whether somebody waits for its first news.
    fn is_new(&self) -> bool {
        self.turn.is_none() && self.work.is_urgent()
    }

    fn tell_done(&self) {
        (self.tell)(Report {
            job: self.key.job,
            news: None,
            is_done: true,
            nodes: self.work.nodes(),
            worked: self.worked,
        });
    }
}

impl State {
    /// Whose turn it is: who must answer, then who is new, then who has waited longest.
    fn take(&mut self, now: Instant) -> Option<Entry> {
        let turns = &self.turns;
        let rank = |entry: &Entry| {
            let sitting = turns.get(&entry.key.sitting).copied().unwrap_or(0);
            (!entry.is_due(now), !entry.is_new(), sitting, entry.turn)
        };
        let i = (0..self.waiting.len()).min_by_key(|&i| rank(&self.waiting[i]))?;
        self.waiting.remove(i)
    }

    /// Stops whoever has worked long enough; tells when to look again.
    fn look_after(&mut self, now: Instant) -> Option<Instant> {
        let is_first = |entry: &Entry| entry.is_new() || entry.is_due(now);
        let is_first_waiting = self.waiting.iter().any(is_first);
        let next_due = self.waiting.iter().filter_map(|entry| entry.due).min();
        let is_waiting = !self.waiting.is_empty();
        let current = self.current.as_mut()?;
        if current.monitor.is_stopped() {
            return None;
        }
        let patience_ends = match current.patience {
            Patience::Forever => None,
            Patience::Elapsed(time) => current.ordered.checked_add(time),
            Patience::Worked(time) => {
                current.began.checked_add(time.saturating_sub(current.worked))
            }
        };
        if patience_ends.is_some_and(|end| end <= now) {
            current.is_last.store(true, Ordering::Relaxed);
            current.monitor.stop();
            return None;
        }
        let slice = if is_first_waiting { current.slice.min(FIRST) } else { current.slice };
        let slice_ends = is_waiting.then_some(current.began + slice);
        if slice_ends.is_some_and(|end| end <= now) {
            current.monitor.stop();
            return None;
        }
        if current.ticked + TICK <= now {
            current.ticked = now;
            (current.tell)(Report {
                job: current.key.job,
                news: None,
                is_done: false,
                nodes: current.nodes + current.monitor.nodes(),
                worked: current.worked + (now - current.began),
            });
        }
        let tick = current.ticked + TICK;
        [patience_ends, slice_ends, next_due].into_iter().flatten().chain([tick]).min()
    }
}

/// Lets everything else on the machine go first: the browser that shows the values draws them too.
fn be_nice() {
    #[cfg(target_os = "linux")]
    {
        // The threads of a search are started by this one and are as nice. If the system does not
        // want it so, that is no harm.
        let _ = rustix::process::nice(5);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Counting, Move, Position, Square};
    use obverse_engine::{Level, Limits};
    use obverse_studio::pace::Pace;
    use obverse_studio::seat::Seat;
    use obverse_studio::work::{Choose, Effort, JudgeMove, Think};

    const POSITION: Position = Position::start(Size::Eight);
    const COUNTING: Counting = Counting::WinnerTakesEmpties;

    fn think() -> Job {
        let (position, counting) = (POSITION, COUNTING);
        Job::Think(Think { position, counting, limits: Limits::NONE, time: None, top: 4 })
    }

    fn judge() -> Job {
        let (position, counting) = (POSITION, COUNTING);
        let effort = Effort::Level(Level::new(1).unwrap());
        Job::Judge(JudgeMove { position, mv: Move::Place(Square::F5), counting, effort })
    }

    fn choose(time: Duration) -> Job {
        let seat = Seat::Engine(Pace::Time(time));
        Job::Choose(Choose { seat, position: POSITION, counting: COUNTING, clock: None, seed: 1 })
    }

    /// A room without threads: its state is looked at by hand.
    fn room() -> Room {
        let shared =
            Shared { state: Mutex::default(), changed: Condvar::new(), n_threads: 1, table_mib: 1 };
        Room { shared: Arc::new(shared), threads: Vec::new() }
    }

    fn nobody() -> Teller {
        Arc::new(|_| {})
    }

    /// Gives the next slice; tells to whom, and puts it back.
    fn serve(room: &Room) -> (u64, JobId) {
        let (entry, ..) = room.shared.next().unwrap();
        let Key { sitting, job } = entry.key;
        room.shared.put_back(entry, Ended::Interrupted);
        (sitting, job)
    }

    #[test]
    fn sittings_take_turns_however_many_jobs_they_have() {
        let room = room();
        for job in 1..=3 {
            room.start(1, job, &think(), nobody());
        }
        room.start(2, 1, &think(), nobody());
        // First everybody is new.
        for _ in 0..4 {
            serve(&room);
        }
        let turns: Vec<u64> = (0..6).map(|_| serve(&room).0).collect();
        assert!(turns.windows(2).all(|pair| pair[0] != pair[1]), "{turns:?}");
        let of_first: Vec<JobId> =
            (0..6).map(|_| serve(&room)).filter(|turn| turn.0 == 1).map(|turn| turn.1).collect();
        assert_eq!(of_first.iter().collect::<std::collections::HashSet<_>>().len(), 3);
    }

    #[test]
    fn a_new_question_comes_before_old_ones_and_a_due_answer_before_all() {
        let room = room();
        room.start(1, 1, &think(), nobody());
        assert_eq!(serve(&room), (1, 1));
        room.start(1, 2, &judge(), nobody());
        room.start(2, 1, &think(), nobody());
        assert_eq!(serve(&room), (2, 1), "nobody waits for a judgement");
        room.start(3, 1, &think(), nobody());
        room.start(4, 1, &choose(Duration::ZERO), nobody());
        assert_eq!(serve(&room), (4, 1));
        room.stop(4, 1);
        room.hurry(2, 1);
        assert_eq!(serve(&room), (2, 1));
    }

    #[test]
    fn a_slice_ends_only_if_somebody_waits() {
        let room = room();
        room.start(1, 1, &think(), nobody());
        let (entry, monitor, is_last) = room.shared.next().unwrap();
        let start = room.shared.state().current.as_ref().unwrap().began;
        let look = |after: Duration| room.shared.state().look_after(start + after);
        assert_eq!(look(SLICE_MAX * 10), Some(start + SLICE_MAX * 10 + TICK));
        assert!(!monitor.is_stopped());
        // Somebody new is served at once.
        room.start(2, 1, &think(), nobody());
        assert_eq!(look(FIRST / 2), Some(start + FIRST));
        assert_eq!(look(FIRST), None);
        assert!(monitor.is_stopped() && !is_last.load(Ordering::Relaxed));
        room.shared.put_back(entry, Ended::Interrupted);
        assert_eq!(room.n_jobs(), 2);
    }

    #[test]
    fn an_answer_that_is_due_is_the_last() {
        let room = room();
        let time = Duration::from_secs(1);
        room.start(1, 1, &choose(time), nobody());
        let (_entry, monitor, is_last) = room.shared.next().unwrap();
        let ordered = room.shared.state().current.as_ref().unwrap().ordered;
        let look = |after: Duration| room.shared.state().look_after(ordered + after);
        look(time / 2);
        assert!(!monitor.is_stopped());
        assert_eq!(look(time), None);
        assert!(monitor.is_stopped() && is_last.load(Ordering::Relaxed));
    }

    #[test]
    fn a_job_that_is_stopped_is_forgotten() {
        let room = room();
        room.start(1, 1, &think(), nobody());
        room.start(1, 2, &think(), nobody());
        let (entry, monitor, _) = room.shared.next().unwrap();
        room.stop(1, entry.key.job);
        assert!(monitor.is_stopped());
        room.shared.put_back(entry, Ended::Interrupted);
        assert_eq!(room.n_jobs(), 1);
        room.stop(1, 2);
        assert_eq!(room.n_jobs(), 0);
    }
}
