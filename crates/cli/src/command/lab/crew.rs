//! Engines that work side by side.
//!
//! Tasks are numbered. Each engine takes the next one when it has done its last, and the results are
//! handed over in the order of the numbers: what comes of them does not depend on the number of
//! threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use anyhow::Result;
use obverse_engine::eval::Weights;
use obverse_engine::{Config, Engine};

use crate::command::solve::all_threads;
use crate::weights;

/// What the engines are; the same for several commands.
#[derive(clap::Args, Debug)]
pub(crate) struct Means {
    /// The evaluation (default: the built-in one)
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,

    #[command(flatten)]
    threads: Threads,
}

#[derive(clap::Args, Debug)]
pub(crate) struct Threads {
    /// Threads that work side by side (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(all_threads, usize::from)
    }
}

impl Means {
    /// Puts together engines of one thread each.
    ///
    /// # Errors
    /// If the weights cannot be read.
    pub(crate) fn crew(&self, table_mib: usize) -> Result<Crew> {
        let weights = weights::read_or_built_in(self.weights.as_deref())?;
        Ok(Crew::new(weights, &self.threads, table_mib))
    }
}

pub(crate) struct Crew {
    pub(crate) weights: Arc<Weights>,
    n_threads: usize,
    table_mib: usize,
}

impl Crew {
    /// Engines of one thread each.
    pub(crate) fn new(weights: Arc<Weights>, threads: &Threads, table_mib: usize) -> Crew {
        Crew { weights, n_threads: threads.count(), table_mib }
    }

    /// Does the tasks of these numbers until `is_stopped`, and hands over what comes of each in order.
    /// Tasks that have been begun are finished, so that no number before the last is missing.
    ///
    /// # Errors
    /// If `take` fails.
    pub(crate) fn work<T: Send>(
        &self,
        numbers: Range<u64>,
        is_stopped: &(dyn Fn() -> bool + Sync),
        task: &(dyn Fn(&mut Engine, u64) -> T + Sync),
        take: &mut dyn FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let next = AtomicU64::new(numbers.start);
        let n_threads = self.n_threads.min((numbers.end - numbers.start) as usize);
        let config = Config { threads: 1, table_mib: self.table_mib };
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(2 * self.n_threads);
            for _ in 0..n_threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut engine = Engine::with_weights(config, Arc::clone(&self.weights));
                    while !is_stopped() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= numbers.end {
                            break;
                        }
                        // Nobody listens any more if something has failed.
                        if sender.send((number, task(&mut engine, number))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut due = numbers.start;
            for (number, result) in receiver {
                early.insert(number, result);
                while let Some(result) = early.remove(&due) {
                    take(result)?;
                    due += 1;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn crew() -> Crew {
        Crew { weights: Weights::built_in(), n_threads: 3, table_mib: 1 }
    }

    #[test]
    fn results_come_in_order_and_without_gaps() {
        let stop = AtomicBool::new(false);
        let mut results = Vec::new();
        // The lower of two numbers takes longer.
        let task = |_: &mut Engine, number: u64| {
            (0..(number % 2) * 10_000).for_each(|_| std::thread::yield_now());
            number
        };
        let mut take = |number| {
            results.push(number);
            stop.store(number >= 30, Ordering::Relaxed);
            Ok(())
        };
        // It ends because it is stopped; how many were begun by then is the scheduler's business.
        crew().work(5..u64::MAX, &|| stop.load(Ordering::Relaxed), &task, &mut take).unwrap();
        assert!(results.len() >= 26, "{}", results.len());
        assert!((5..).zip(&results).all(|(number, result)| number == *result));
    }

    #[test]
    fn a_failure_ends_the_work() {
        let mut take = |number| if number < 20 { Ok(()) } else { anyhow::bail!("full") };
        let error = crew().work(0..u64::MAX, &|| false, &|_, number| number, &mut take);
        assert_eq!(error.unwrap_err().to_string(), "full");
    }
}
