//! `obverse batch analyze`: what every move of many games was worth.

use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_board::notation::{Record, Records};
use obverse_engine::Engine;
use serde::{Deserialize, Serialize};

use super::file::{Done, Growing};
use super::lines::Shard;
use crate::command::analyze::{EffortArgs, Judge, ReviewWire, review_wire};
use crate::command::batch::task::CountingArg;
use crate::command::lab::crew;
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Tell what every move of many games was worth.
///
/// IN are files of games: GGF, SGF, PGN, WTHOR, or transcripts one a line. OUT.jsonl gets one record a
/// game: the file, the number of the game, who played, and what `obverse analyze --json` prints. Games
/// are analyzed one a thread and written in the order they are finished.
///
/// A damaged game goes to OUT.bad with the reason, and the rest goes on. --resume goes on where OUT
/// ends. Ctrl-C finishes the games in hand; a second one stops at once.
///
/// Examples:
///   obverse batch analyze games.wtb --level 12 --out analysis.jsonl
///   obverse batch analyze *.ggf --shard 1/4 --out part1.jsonl
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files of games
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    /// Write the results to this file, a line each
    #[arg(long, value_name = "OUT.jsonl")]
    out: String,

    /// Go on with OUT where it ends
    #[arg(long)]
    resume: bool,

    #[command(flatten)]
    effort: EffortArgs,

    /// How to count a finished game
    #[arg(long, value_enum, default_value = "winner-takes-empties")]
    counting: CountingArg,

    /// Take only the games of this part of each file, such as 3/16
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    #[command(flatten)]
    means: crew::Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The record of a game, version 1.
#[derive(Serialize)]
struct GameRecord {
    version: u32,
    file: String,
    game: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    black_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    white_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    event: String,
    #[serde(flatten)]
    review: ReviewWire,
}

/// What is needed of it to go on.
#[derive(Deserialize)]
struct Begun {
    file: String,
    game: u64,
}

#[derive(Serialize)]
struct BadGame<'a> {
    file: &'a str,
    game: u64,
    reason: String,
}

#[derive(Serialize)]
struct AnalyzeWire {
    /// Games that were analyzed now, and before.
    analyzed: u64,
    resumed: u64,
    bad: u64,
    complete: bool,
    seconds: f64,
}

const TABLE_MIB: usize = 32;

/// A game to analyze.
struct Task {
    file: String,
    number: u64,
    record: Record,
}

/// The games of all files, one file in memory at a time.
struct Games<'a> {
    args: &'a Args,
    done: Done,
    files: std::slice::Iter<'a, String>,
    waiting: VecDeque<Task>,
    bad: Option<Growing>,
    n_bad: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        for path in &self.inputs {
            fs::File::open(path).with_context(|| format!("cannot open {path}"))?;
        }
        let start = Instant::now();
        let mut done = Done::default();
        let mut output = Growing::open(&self.out, self.resume, &mut |_, line| {
            let begun: Begun = serde_json::from_slice(line).context("expected an analysis")?;
            done.add(Some(&begun.file), begun.game);
            Ok(())
        })?;
        let resumed = done.len();
        let interrupt = Interrupt::listen()?;
        let effort = self.effort.effort()?;
        let crew = self.means.crew(TABLE_MIB)?;
        let bar = bar();
        let games = Mutex::new(Games {
            args: &self,
            done,
            files: self.inputs.iter(),
            waiting: VecDeque::new(),
            bad: None,
            n_bad: 0,
        });
        let is_over = AtomicBool::new(false);
        let n_analyzed = AtomicU64::new(0);
        crew.work(
            0..u64::MAX,
            &|| interrupt.is_asked() || is_over.load(Ordering::SeqCst),
            &|engine: &mut Engine, _| {
                let next = games.lock().expect("nobody panics with it").next();
                let task = match next {
                    Ok(Some(task)) => task,
                    Ok(None) => {
                        is_over.store(true, Ordering::SeqCst);
                        return Ok(None);
                    }
                    Err(error) => {
                        is_over.store(true, Ordering::SeqCst);
                        return Err(error);
                    }
                };
                // What one game taught does not change how the next is judged.
                engine.forget();
                let mut judge = Judge {
                    engine,
                    interrupt: Interrupt::default(),
                    effort,
                    counting: self.counting.into(),
                    top: 1,
                    n_threads: 1,
                };
                let review = judge.review(task.record.game(), &mut |_| {});
                Ok(Some(GameRecord {
                    version: 1,
                    review: review_wire(&review, task.record.game(), &judge),
                    file: task.file,
                    game: task.number,
                    black_name: task.record.black.name,
                    white_name: task.record.white.name,
                    event: task.record.event,
                }))
            },
            &mut |record| {
                if let Some(record) = record? {
                    output.add(&record)?;
                    output.sync()?;
                    n_analyzed.fetch_add(1, Ordering::Relaxed);
                    bar.inc(1);
                }
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        let mut games = games.into_inner().expect("nobody panics with it");
        if let Some(bad) = &mut games.bad {
            bad.sync()?;
        }
        let wire = AnalyzeWire {
            analyzed: n_analyzed.into_inner(),
            resumed,
            bad: games.n_bad,
            complete: is_over.into_inner(),
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            let AnalyzeWire { analyzed, resumed, bad, seconds, .. } = &wire;
            writeln!(out, "analyzed  {analyzed} games, and {resumed} before; {bad} damaged")?;
            writeln!(out, "time      {seconds:.1} s")?;
            if !wire.complete {
                writeln!(out, "stopped   --resume goes on from here")?;
            }
        }
        Ok(if wire.complete && wire.bad == 0 { Answer::Yes } else { Answer::No })
    }
}

impl Games<'_> {
    fn next(&mut self) -> Result<Option<Task>> {
        while self.waiting.is_empty() {
            let Some(path) = self.files.next() else { return Ok(None) };
            self.read(path)?;
        }
        Ok(self.waiting.pop_front())
    }

    fn read(&mut self, path: &str) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {path}"))?;
        for (number, record) in (1..).zip(Records::new(&bytes, Some(path))) {
            let is_ours = self.args.shard.is_none_or(|shard| shard.takes(number));
            if !is_ours || self.done.contains(Some(path), number) {
                continue;
            }
            match record {
                Ok(record) => {
                    self.waiting.push_back(Task { file: path.to_owned(), number, record });
                }
                Err(damaged) => {
                    self.n_bad += 1;
                    let side = format!("{}.bad", self.args.out);
                    if self.bad.is_none() {
                        let _ = fs::remove_file(&side);
                        self.bad = Some(Growing::open(&side, true, &mut |_, _| Ok(()))?);
                    }
                    let bad = BadGame { file: path, game: number, reason: damaged.to_string() };
                    self.bad.as_mut().expect("just opened").add(&bad)?;
                }
            }
        }
        Ok(())
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {pos} games, {elapsed}, {per_sec}");
    bar.set_style(style.expect("a template"));
    bar
}
