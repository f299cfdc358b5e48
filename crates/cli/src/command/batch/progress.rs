//! The progress of a batch: on standard error, and only if that is a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::ledger::Counts;
use super::lines::Meter;

pub(crate) struct Progress {
    bar: ProgressBar,
    is_done: Arc<AtomicBool>,
    ticker: Option<JoinHandle<()>>,
}

impl Progress {
    /// Watches a batch of which so many bytes are to be read, if that is known.
    pub(crate) fn new(
        meter: &Arc<Meter>,
        counts: &Arc<Counts>,
        total_bytes: Option<u64>,
        resumed: u64,
    ) -> Progress {
        let bar = match total_bytes {
            Some(bytes) => ProgressBar::new(bytes),
            None => ProgressBar::new_spinner(),
        };
        let template = match total_bytes {
            Some(_) => "{bar:30} {percent} %, {msg}, {elapsed}, {eta} left",
            None => "{spinner} {msg}, {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a template"));
        let is_done = Arc::new(AtomicBool::new(false));
        let ticker = {
            let (bar, meter, counts) = (bar.clone(), Arc::clone(meter), Arc::clone(counts));
            let is_done = Arc::clone(&is_done);
            std::thread::spawn(move || {
                while !is_done.load(Ordering::Relaxed) {
                    bar.set_position(Counts::get(&meter.bytes));
                    let n = Counts::get(&counts.solved) + Counts::get(&counts.known);
                    let rate = n as f64 / bar.elapsed().as_secs_f64().max(1e-3);
                    let bad = match Counts::get(&counts.bad) + Counts::get(&counts.failed) {
                        0 => String::new(),
                        n => format!(", {n} bad"),
                    };
                    bar.set_message(format!("{} positions{bad}, {rate:.0}/s", n + resumed));
                    bar.tick();
                    std::thread::park_timeout(Duration::from_millis(200));
                }
            })
        };
        Progress { bar, is_done, ticker: Some(ticker) }
    }

    /// Prints a line above the progress.
    pub(crate) fn say(&self, text: &str) {
        self.bar.suspend(|| {
            let mut err = anstream::stderr();
            let _ = std::io::Write::write_fmt(&mut err, format_args!("{text}\n"));
        });
    }

    pub(crate) fn finish(mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        if let Some(ticker) = self.ticker.take() {
            ticker.thread().unpark();
            let _ = ticker.join();
        }
        self.bar.finish_and_clear();
    }
}
