//! `obverse batch analyze`: what every move of many games was worth.

use std::fs;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvError, sync_channel};
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_board::notation::Record;
use obverse_engine::Engine;
use serde::{Deserialize, Serialize};

use super::file::{Done, Growing};
use super::games;
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
    reason: &'a str,
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

/// What the reader hands over: a game, or a damaged one.
type Read = Result<Result<Task, Harm>>;

/// A game that cannot be analyzed.
struct Harm {
    file: String,
    number: u64,
    reason: String,
}

/// Games that are read before somebody has time for them.
const N_WAITING: usize = 64;

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
        let bad = Mutex::new(BadGames { path: format!("{}.bad", self.out), file: None, n: 0 });
        let games = Mutex::new(self.reader(done));
        let is_over = AtomicBool::new(false);
        let n_analyzed = AtomicU64::new(0);
        crew.work(
            0..u64::MAX,
            &|| interrupt.is_asked() || is_over.load(Ordering::SeqCst),
            &|engine: &mut Engine, _| {
                let next = games.lock().expect("nobody panics with it").recv();
                let task = match next {
                    Ok(Ok(Ok(task))) => task,
                    Ok(Ok(Err(harm))) => {
                        bad.lock().expect("nobody panics with it").add(&harm)?;
                        return Ok(None);
                    }
                    // The reader has gone: that was all.
                    Err(RecvError) => {
                        is_over.store(true, Ordering::SeqCst);
                        return Ok(None);
                    }
                    Ok(Err(error)) => {
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
        let mut bad = bad.into_inner().expect("nobody panics with it");
        if let Some(file) = &mut bad.file {
            file.sync()?;
        }
        let wire = AnalyzeWire {
            analyzed: n_analyzed.into_inner(),
            resumed,
            bad: bad.n,
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

impl Args {
    /// Reads the games in a thread of its own, which ends when nobody listens any more.
    fn reader(&self, done: Done) -> Receiver<Read> {
        let (sender, receiver) = sync_channel(N_WAITING);
        let (inputs, shard) = (self.inputs.clone(), self.shard);
        std::thread::spawn(move || {
            for path in &inputs {
                let read = games::each(path, &mut |number, record| {
                    let is_ours = shard.is_none_or(|shard| shard.takes(number));
                    if !is_ours || done.contains(Some(path), number) {
                        return true;
                    }
                    let file = path.clone();
                    let game = match record {
                        Ok(record) => Ok(Task { file, number, record }),
                        Err(damaged) => Err(Harm { file, number, reason: damaged.to_string() }),
                    };
                    sender.send(Ok(game)).is_ok()
                });
                match read {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        break;
                    }
                }
            }
        });
        receiver
    }
}

/// The side file of damaged games.
struct BadGames {
    path: String,
    file: Option<Growing>,
    n: u64,
}

impl BadGames {
    fn add(&mut self, harm: &Harm) -> Result<()> {
        self.n += 1;
        if self.file.is_none() {
            let _ = fs::remove_file(&self.path);
            self.file = Some(Growing::open(&self.path, true, &mut |_, _| Ok(()))?);
        }
        let Harm { file, number, reason } = harm;
        let bad = BadGame { file, game: *number, reason };
        self.file.as_mut().expect("just opened").add(&bad)
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {pos} games, {elapsed}, {per_sec}");
    bar.set_style(style.expect("a template"));
    bar
}
