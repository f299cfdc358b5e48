//! `obverse worker`: solves what is in the queue.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use obverse_cluster::{Control, Crew, EngineShop, Event, Limits, engine_name};
use serde::Serialize;

use crate::command::batch::task::Means;
use crate::command::cluster::connect::{Server, say};
use crate::command::cluster::status::WorkerWire;
use crate::watch::Interrupt;
use crate::{Answer, weights, wire};

/// Solve positions from the queue of a cluster.
///
/// It solves what is submitted by `obverse cluster submit`, and nothing else: no program is run and no
/// file touched on anybody's behalf. Start as many as there are machines, whenever you like. Ctrl-C and
/// SIGTERM finish the position in hand, give back the rest and leave; after --grace it is given back too.
/// A second Ctrl-C stops at once; then another worker gets the work when the lease has run out.
///
/// --time-max and --nodes-max bound what one position may cost here, whatever was asked for: what is then
/// known is the answer.
///
/// Examples:
///   obverse worker --server nats://queue:4222
///   obverse worker --threads 8 --time-max 1h --exit-when-idle 10m
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    server: Server,

    #[command(flatten)]
    means: Means,

    /// What it is called [default: the name of the machine, and the number of the process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Give no position more time than this
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_max: Option<Duration>,

    /// Visit no more than about so many positions for one
    #[arg(long, value_name = "N")]
    nodes_max: Option<u64>,

    /// When leaving, give back the position in hand after this long
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    grace: Option<Duration>,

    /// Leave when there was nothing to do for so long
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    exit_when_idle: Option<Duration>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct LeftWire {
    name: String,
    positions: u64,
    chunks: u64,
    failed: u64,
    seconds: f64,
}

/// What others may know of the worker while it works.
struct Shared {
    jobs: AtomicU64,
    chunks: AtomicU64,
    /// How many chunks it has in hand, and since when.
    in_hand: Mutex<(u32, Instant)>,
    control: Control,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let interrupt = Interrupt::listen()?;
        let weights = weights::read_or_built_in(self.means.weights.as_deref())?;
        let name = self.name.clone().unwrap_or_else(default_name);
        let start = Instant::now();
        let Some(nats) = self.server.insist(&format!("obverse worker {name}"), &interrupt)? else {
            return Ok(Answer::Yes);
        };
        let shared = Arc::new(Shared {
            jobs: AtomicU64::new(0),
            chunks: AtomicU64::new(0),
            in_hand: Mutex::new((0, Instant::now())),
            control: Control::default(),
        });
        let engine = engine_name(&weights);
        let n_threads = self.means.n_threads();
        {
            let (shared, name, engine) = (Arc::clone(&shared), name.clone(), engine.clone());
            nats.answer_pings(move || {
                let wire = WorkerWire {
                    name: name.clone(),
                    engine: engine.clone(),
                    threads: n_threads,
                    jobs: shared.jobs.load(Ordering::Relaxed),
                    chunks: shared.chunks.load(Ordering::Relaxed),
                    seconds: start.elapsed().as_secs_f64(),
                    leaving: shared.control.is_leaving(),
                };
                serde_json::to_vec(&wire).unwrap_or_default()
            });
        }
        say(&format!("{name}: {engine}, {n_threads} threads, waiting for positions"));
        let shop = EngineShop { weights, table_mib: self.means.table_mib() };
        let troubled = Mutex::new(None::<Instant>);
        let crew = Crew {
            transport: &nats,
            shop: &shop,
            n_threads,
            limits: Limits {
                time_ms: self.time_max.map(|time| time.as_millis().min(u32::MAX.into()) as u32),
                nodes: self.nodes_max,
            },
            name: name.as_str().into(),
            tell: &|event| hear(&shared, &troubled, &event),
        };
        let tally = std::thread::scope(|scope| {
            scope.spawn(|| self.watch(&interrupt, &shared));
            crew.run(&shared.control)
        });
        // Acknowledgements may still be on their way.
        if let Err(error) = nats.flush() {
            say(&format!("warning: {error}"));
        }
        let wire = LeftWire {
            name,
            positions: tally.jobs,
            chunks: tally.chunks,
            failed: tally.failed,
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            let LeftWire { name, positions, chunks, failed, seconds } = &wire;
            writeln!(
                out,
                "{name}: left after {positions} positions in {chunks} chunks, {failed} failed, \
                 {seconds:.1} s"
            )?;
        }
        Ok(Answer::Yes)
    }

    /// Has the crew leave when it is time.
    fn watch(&self, interrupt: &Interrupt, shared: &Shared) {
        let control = &shared.control;
        let mut leaving = None;
        while !control.is_home() {
            let (n, since) = *shared.in_hand.lock().unwrap_or_else(PoisonError::into_inner);
            let is_idle = self.exit_when_idle.is_some_and(|idle| n == 0 && since.elapsed() >= idle);
            if (interrupt.is_asked() || is_idle) && leaving.is_none() {
                control.leave();
                leaving = Some(Instant::now());
            }
            let grace = self.grace.unwrap_or(Duration::MAX);
            if leaving.is_some_and(|since| since.elapsed() >= grace) {
                control.abort();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Tells of trouble, but not of every try.
fn hear(shared: &Shared, troubled: &Mutex<Option<Instant>>, event: &Event) {
    let mut troubled = troubled.lock().unwrap_or_else(PoisonError::into_inner);
    let add = |n: i32| {
        let mut in_hand = shared.in_hand.lock().unwrap_or_else(PoisonError::into_inner);
        *in_hand = (in_hand.0.saturating_add_signed(n), Instant::now());
    };
    match event {
        Event::Taken => add(1),
        Event::Left => add(-1),
        Event::Finished(n_jobs, _) => {
            shared.jobs.fetch_add(*n_jobs as u64, Ordering::Relaxed);
            shared.chunks.fetch_add(1, Ordering::Relaxed);
        }
        Event::Trouble(error) => {
            if troubled.is_none_or(|told| told.elapsed() >= Duration::from_secs(30)) {
                *troubled = Some(Instant::now());
                say(&format!("warning: {error}"));
            }
        }
        Event::Back => {
            if troubled.take().is_some() {
                say("the queue is back");
            }
        }
        Event::Failed(reason) => say(&format!("warning: {reason}")),
    }
}

fn default_name() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .unwrap_or_else(|| "worker".to_owned());
    format!("{}-{}", machine.trim(), std::process::id())
}
