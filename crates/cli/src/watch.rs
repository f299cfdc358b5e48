//! Watching a long search: a line on the terminal, a time limit, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_engine::{Answer, Engine, Monitor, Question};
use obverse_studio::clock::{Budget, Pacer};

/// Runs `work` under a monitor that is stopped after `limit`, with a progress line on a terminal.
///
/// `work` gets the monitor and the line, whose message it may set. Returns what it returns and how
/// long it took.
pub(crate) fn run<T>(
    limit: Option<Duration>,
    work: impl FnOnce(&Monitor, &ProgressBar) -> T,
) -> (T, Duration) {
    let monitor = Monitor::default();
    // Drawn on standard error, and only if that is a terminal.
    let line = ProgressBar::new_spinner();
    line.set_style(ProgressStyle::with_template("{spinner} {prefix} {msg}").expect("a template"));
    let start = Instant::now();
    let (done, is_done) = channel::<()>();
    let timed = std::thread::scope(|scope| {
        let (monitor, line) = (&monitor, &line);
        scope.spawn(move || {
            loop {
                let left =
                    limit.map_or(Duration::MAX, |limit| limit.saturating_sub(start.elapsed()));
                if left.is_zero() {
                    monitor.stop();
                    return;
                }
                // Until the work is done and its end of the channel gone.
                let tick = left.min(Duration::from_millis(100));
                if is_done.recv_timeout(tick) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                line.set_prefix(effort(monitor.nodes(), start.elapsed()));
                line.tick();
            }
        });
        let result = work(monitor, line);
        // Not how long it takes to send the watcher home.
        let time = start.elapsed();
        drop(done);
        (result, time)
    });
    line.finish_and_clear();
    timed
}

/// Runs `work`, which thinks under `monitor`, and stops that after `limit`.
pub(crate) fn within<T>(limit: Option<Duration>, monitor: &Monitor, work: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else { return work() };
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Until the work is done and its end of the channel gone.
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                monitor.stop();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Thinks about a question for as long as `budget` allows and `monitor` is not stopped.
pub(crate) fn think(
    engine: &mut Engine,
    question: Question,
    budget: Option<Budget>,
    monitor: &Monitor,
    progress: &mut dyn FnMut(&Answer),
) -> Answer {
    let start = Instant::now();
    let mut pacer = budget.filter(|budget| budget.soft < Duration::MAX).map(Pacer::new);
    within(budget.map(|budget| budget.hard), monitor, || {
        engine.think(question, monitor, &mut |answer| {
            progress(answer);
            let Some((pacer, best)) = pacer.as_mut().zip(answer.best()) else { return };
            if pacer.is_enough(start.elapsed(), best.mv, best.value.discs) {
                monitor.stop();
            }
        })
    })
}

/// Ctrl-C as a wish to stop and see what there is; the second time it ends the program at once.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    is_asked: Arc<AtomicBool>,
    current: Arc<Mutex<Monitor>>,
}

impl Interrupt {
    /// Begins to listen; once in a program.
    pub(crate) fn listen() -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        let listener = interrupt.clone();
        ctrlc::set_handler(move || {
            if listener.is_asked.swap(true, Ordering::SeqCst) {
                #[allow(clippy::exit, reason = "nobody else can end it while the engine thinks")]
                std::process::exit(2);
            }
            listener.current.lock().unwrap_or_else(PoisonError::into_inner).stop();
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    /// As if Ctrl-C had been typed.
    #[cfg(test)]
    pub(crate) fn asked() -> Interrupt {
        Interrupt { is_asked: Arc::new(AtomicBool::new(true)), ..Interrupt::default() }
    }

    /// Whether Ctrl-C has been typed.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::SeqCst)
    }

    /// A new monitor, which Ctrl-C will stop.
    pub(crate) fn monitor(&self) -> Monitor {
        let monitor = Monitor::default();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = monitor.clone();
        // It may have been typed just before.
        if self.is_asked() {
            monitor.stop();
        }
        monitor
    }
}

/// `12.3 M nodes, 1.2 s, 10.1 M/s`.
pub(crate) fn effort(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{} nodes, {seconds:.2} s, {speed:.1} M/s", count(nodes))
}

/// A number with as many digits as people read: `950`, `12.3 k`, `4.56 G`.
fn count(n: u64) -> String {
    let (value, unit) = match n {
        0..10_000 => return n.to_string(),
        10_000..10_000_000 => (n as f64 / 1e3, "k"),
        10_000_000..10_000_000_000 => (n as f64 / 1e6, "M"),
        _ => (n as f64 / 1e9, "G"),
    };
    format!("{value:.1} {unit}")
}
