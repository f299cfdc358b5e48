//! `obverse lab accuracy`: how good the engine's judgement is.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use obverse_board::notation::obf::Problem;
use obverse_engine::{Caution, Engine, Level, Limits, Monitor};
use obverse_lab::accuracy::{Accuracy, Rates};
use obverse_studio::clock;
use serde::Serialize;

use super::{bar, crew};
use crate::watch::Interrupt;
use crate::{Answer, suite, watch, wire};

/// Compare the engine's judgement with known scores.
///
/// Each position of the suite is judged by one thread that knows nothing of the others; --threads are
/// positions judged side by side. Positions whose score is not known are left out. A move counts as
/// best if the suite says so; ffo names only one best move each.
///
/// Ctrl-C prints what there is, and the exit status is 1; twice, it ends at once.
///
/// --json prints: count, mae (the mean absolute error in discs), best_move_rate and within_3 (the
/// shares, 0 to 1, of positions with a best move and with an error of at most 3 discs), loss (how many
/// discs worse than the best the move chosen is in the mean, null if the suite never tells), seconds
/// and nodes.
///
/// Examples:
///   obverse lab accuracy ffo --depth 8
///   obverse lab accuracy problems.obf --level 12 --weights new.bin --limit 1000
///   obverse lab accuracy problems.obf --time 100ms --threads 1 --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("pace").args(["depth", "level", "time"]).required(true)))]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The suite: an OBF file, or ffo for the built-in FFO 40-59
    suite: String,

    /// Look exactly so many moves ahead, at last 99 % sure of what is left out, however near the end is;
    /// the last four depths decide together
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Think as at this level
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(1..=i64::from(Level::MAX)))]
    level: Option<u8>,

    /// Think so long about each position, for example 100ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,

    /// Judge only the first N positions
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    #[command(flatten)]
    crew: crew::Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Tables are emptied before every position: small ones, which do for short searches, much faster.
const TABLE_MIB: (usize, usize) = (8, 64);
const SMALL_TABLE_DEPTH_MAX: u32 = 12;

fn time(text: &str) -> Result<Duration, String> {
    let time = clock::read(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("found {text:?}, expected a time such as 1s or 100ms"))
}

#[derive(Serialize)]
struct AccuracyWire {
    count: usize,
    mae: f64,
    best_move_rate: f64,
    within_3: f64,
    loss: Option<f64>,
    seconds: f64,
    nodes: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let limits = self.limits();
        let is_small = self.time.is_none() && limits.depth <= SMALL_TABLE_DEPTH_MAX;
        let crew = self.crew.crew(if is_small { TABLE_MIB.0 } else { TABLE_MIB.1 })?;
        let mut problems = suite::read(&self.suite)?;
        problems.truncate(self.limit.unwrap_or(usize::MAX));
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        let bar = bar(problems.len() as u64, "positions");
        let (mut accuracy, mut nodes, mut n_judged) = (Accuracy::default(), 0, 0);
        crew.work(
            0..problems.len() as u64,
            &|| interrupt.is_asked(),
            &|engine, number| self.judge(engine, limits, &problems[number as usize]),
            &mut |(its, its_nodes)| {
                accuracy += its;
                nodes += its_nodes;
                n_judged += 1;
                bar.inc(1);
                if let Some(rates) = accuracy.rates() {
                    bar.set_message(format!("error {:.2}", rates.error));
                }
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        let Rates { error, best_move, within_3, loss } = accuracy.rates().with_context(|| {
            format!("{}: found no score in {n_judged} positions, expected some", self.suite)
        })?;
        let (count, seconds) = (accuracy.count, start.elapsed().as_secs_f64());
        if self.json {
            let (mae, best_move_rate) = (error, best_move);
            let wire = AccuracyWire { count, mae, best_move_rate, within_3, loss, seconds, nodes };
            wire::print(out, &wire)?;
        } else {
            writeln!(out, "positions   {count}")?;
            writeln!(out, "mean error  {error:.3} discs")?;
            writeln!(out, "best move   {:.1} %", 100.0 * best_move)?;
            writeln!(out, "within 3    {:.1} %", 100.0 * within_3)?;
            if let Some(loss) = loss {
                writeln!(out, "loss        {loss:.3} discs")?;
            }
            let effort = watch::effort(nodes, start.elapsed());
            writeln!(out, "effort      {effort}")?;
        }
        Ok(if n_judged == problems.len() { Answer::Yes } else { Answer::No })
    }

    fn limits(&self) -> Limits {
        match (self.depth, self.level.and_then(Level::new), self.time) {
            (Some(depth), ..) => {
                let caution = Caution::Careful;
                Limits { depth, end_from: 0, proof_from: 0, caution, ..Limits::NONE }
            }
            (_, Some(level), _) => level.into(),
            (.., time) => time.map_or(Limits::NONE, clock::limits),
        }
    }

    /// What comes of one position, and how many nodes it took.
    fn judge(&self, engine: &mut Engine, limits: Limits, problem: &Problem) -> (Accuracy, u64) {
        engine.forget();
        let (monitor, mut accuracy) = (Monitor::default(), Accuracy::default());
        watch::within(self.time, &monitor, || {
            accuracy.add(engine, problem, limits, &monitor);
        });
        (accuracy, monitor.nodes())
    }
}
