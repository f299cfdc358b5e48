//! A sitting with an engine beside it, run by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use obverse_engine::{Config, Engine, Monitor};
use obverse_studio::sitting::{Order, Output, Report, Setup, Sitting};
use obverse_studio::wire::{Resumed, ToPage};
use obverse_studio::work::{Bench, Ended, JobId, News, Work};

/// A sitting, its jobs and an engine for them.
pub(crate) struct Desk {
    pub(crate) sitting: Sitting,
    pub(crate) now: Duration,
    pub(crate) jobs: BTreeMap<JobId, Work>,
    pub(crate) wake: Option<Duration>,
    engine: Engine,
}

pub(crate) const SETUP: Setup = Setup { seed: 1, threads: 1 };

impl Desk {
    pub(crate) fn new(sitting: Sitting) -> Desk {
        let engine = Engine::new(Config { threads: 1, table_mib: 1 });
        Desk { sitting, now: Duration::ZERO, jobs: BTreeMap::new(), wake: None, engine }
    }

    pub(crate) fn attend(&mut self, resumed: Resumed) -> Vec<ToPage> {
        let output = self.sitting.attend(self.now, "the-sitting", resumed);
        self.take(output)
    }

    pub(crate) fn send(&mut self, text: &str) -> Vec<ToPage> {
        let output = self.sitting.receive(self.now, text);
        self.take(output)
    }

    pub(crate) fn wait(&mut self, ms: u64) -> Vec<ToPage> {
        self.now += Duration::from_millis(ms);
        let output = self.sitting.tick(self.now);
        self.take(output)
    }

    pub(crate) fn leave(&mut self) -> Vec<ToPage> {
        let output = self.sitting.leave(self.now);
        self.take(output)
    }

    /// Works on all jobs, and those that follow from them, until none is left or `n_max` are done.
    pub(crate) fn work(&mut self, n_max: usize) -> Vec<ToPage> {
        let mut messages = Vec::new();
        for _ in 0..n_max {
            let Some((id, mut work)) = self.jobs.pop_first() else { break };
            let monitor = Monitor::default();
            let mut all_news = Vec::new();
            let mut bench = Bench {
                engine: &mut self.engine,
                threads: 1,
                monitor: &monitor,
                elapsed: &|| Duration::ZERO,
                worked: &|| Duration::ZERO,
                is_last: &|| true,
            };
            let ended = work.run(&mut bench, &mut |news| {
                // An analysis without a limit would go on for ever.
                if matches!(news, News::Thought(_)) {
                    monitor.stop();
                }
                all_news.push(Some(news));
            });
            assert_eq!(ended, Ended::Done, "nobody interrupts it");
            all_news.push(None);
            for news in all_news {
                let is_done = news.is_none();
                let report = Report { job: id, news, is_done, nodes: 0, worked: Duration::ZERO };
                let output = self.sitting.hear(self.now, report);
                messages.extend(self.take(output));
            }
        }
        messages
    }

    fn take(&mut self, output: Output) -> Vec<ToPage> {
        for order in output.orders {
            match order {
                Order::Start(id, job) => {
                    self.jobs.insert(id, Work::new(&job));
                }
                Order::Stop(id) => {
                    self.jobs.remove(&id);
                }
                Order::Hurry(_) => {}
            }
        }
        self.wake = output.wake;
        output.messages
    }
}
