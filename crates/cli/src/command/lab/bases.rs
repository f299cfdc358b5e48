//! `obverse lab bases`: what having the move is worth.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use obverse_board::Position;
use obverse_engine::eval::Weights;
use obverse_lab::bases::{self, Setting};
use obverse_lab::record::{Record, Source};
use serde::Serialize;

use super::bar;
use super::crew::{Crew, Threads};
use crate::watch::Interrupt;
use crate::{Answer, output, wire};

/// Set the bases of weights so that searches of all depths agree.
///
/// A base is what having the move is worth with a number of empty squares. One that is too high or too
/// low makes searches swing: those that end with one side's turn come out higher than those a move
/// longer. Positions with --solve-from empty squares are solved, and the bases of fewer are set so that
/// the searches that end there come to the scores in the mean. Those of more are set so that searches
/// of 3 moves agree with the mean of 7 and 8.
///
/// All else in WEIGHTS stays as it is. Of each number of empty squares the first --count records are
/// taken; those that are proven need not be solved. Bases without records stay as they are.
///
/// Ctrl-C stops without writing anything, and the exit status is 1.
///
/// --json prints: seconds, and bases with empties, positions, before, after (in discs) each.
///
/// Examples:
///   obverse lab bases weights.bin games.rec --out even.bin
///   obverse lab bases weights.bin games.rec --out even.bin --solve-from 18 --to 30 --count 1000
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The file with the weights
    #[arg(value_name = "WEIGHTS")]
    weights: String,

    /// The files with the records
    #[arg(value_name = "RECORDS", required = true)]
    files: Vec<String>,

    /// Write the weights with their new bases to this file
    #[arg(long, value_name = "FILE")]
    out: String,

    /// The fewest empty squares whose base is set
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=50))]
    from: u32,

    /// The most empty squares whose base is set
    #[arg(long, value_name = "N", default_value_t = 46, value_parser = clap::value_parser!(u32).range(1..=50))]
    to: u32,

    /// With how many empty squares positions are solved
    #[arg(long, value_name = "E", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=30))]
    solve_from: u32,

    /// How many positions to search for each base
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const TABLE_MIB: usize = 16;

/// How often all bases are set: searches for cuts end with other numbers of empty squares than the search itself.
const ROUNDS: u32 = 2;

#[derive(Serialize)]
struct BasesWire {
    seconds: f64,
    bases: Vec<BaseWire>,
}

#[derive(Serialize)]
struct BaseWire {
    empties: u32,
    positions: usize,
    before: f32,
    after: f32,
}

/// Positions of one number of empty squares, with their scores where they are known.
type Group = Vec<(Position, Option<f64>)>;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        if self.from > self.to {
            bail!("found --from {} and --to {}, expected them to rise", self.from, self.to);
        }
        let path = &self.weights;
        let mut bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
        let weights = Weights::parse(&bytes).with_context(|| path.clone())?;
        output::check(&self.out)?;
        let mut groups = self.groups()?;
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        self.solve(&mut groups[self.solve_from as usize], Arc::new(weights), &interrupt)?;
        let before = bases_of(&bytes)?;
        let bar = bar(u64::from(ROUNDS * (self.to - self.from + 1)), "bases");
        for n_empties in (0..ROUNDS).flat_map(|_| self.from..=self.to) {
            let setting = Setting::new(n_empties, self.solve_from);
            let group = &groups[setting.start() as usize];
            bytes = self.set(setting, group, &bytes, &interrupt)?;
            if interrupt.is_asked() {
                bar.finish_and_clear();
                writeln!(out, "stopped: {} was not written", self.out)?;
                return Ok(Answer::No);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        output::replace(&self.out, &bytes)?;
        let after = bases_of(&bytes)?;
        let base = |empties: u32| {
            let n = empties as usize;
            let start = Setting::new(empties, self.solve_from).start();
            let positions = groups[start as usize].len();
            BaseWire { empties, positions, before: before[n], after: after[n] }
        };
        let bases = (self.from..=self.to).map(base).collect();
        let wire = BasesWire { seconds: start.elapsed().as_secs_f64(), bases };
        if self.json {
            wire::print(out, &wire)?;
            return Ok(Answer::Yes);
        }
        writeln!(out, "empties  positions   before    after")?;
        for BaseWire { empties, positions, before, after } in &wire.bases {
            writeln!(out, "{empties:>7} {positions:>10} {before:>8.2} {after:>8.2}")?;
        }
        writeln!(out, "\nweights  {}, {:.1} s", self.out, wire.seconds)?;
        Ok(Answer::Yes)
    }

    /// The first records of each number of empty squares.
    fn groups(&self) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = (0..=64).map(|_| Group::new()).collect();
        for path in &self.files {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            for record in Record::stream(file) {
                let record = record.with_context(|| path.clone())?;
                let group = &mut groups[record.n_empties() as usize];
                if group.len() < self.count as usize && record.board.moves().any() {
                    let is_proven = record.source == Source::Proof;
                    let score = is_proven.then(|| f64::from(record.score.0));
                    group.push((record.position(), score));
                }
            }
        }
        let needed = |n: u32| Setting::new(n, self.solve_from).start() as usize;
        if (self.from..=self.to).all(|n| groups[needed(n)].is_empty()) {
            bail!(
                "{}: found no position for any base, expected some with {} or more empty squares",
                self.files.join(", "),
                needed(self.from)
            );
        }
        Ok(groups)
    }

    fn crew(&self, weights: Arc<Weights>) -> Crew {
        Crew::new(weights, &self.threads, TABLE_MIB)
    }

    /// Finds the scores that are not known.
    fn solve(&self, group: &mut Group, weights: Arc<Weights>, interrupt: &Interrupt) -> Result<()> {
        let bar = bar(group.len() as u64, "positions solved");
        let mut scores = Vec::new();
        self.crew(weights).work(
            0..group.len() as u64,
            &|| interrupt.is_asked(),
            &|engine, number| {
                let (position, score) = group[number as usize];
                score.or_else(|| bases::score(engine, position))
            },
            &mut |score| {
                scores.push(score);
                bar.inc(1);
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        for ((_, known), score) in group.iter_mut().zip(scores) {
            *known = score;
        }
        Ok(())
    }

    /// The bytes of the weights with one base set.
    fn set(
        &self,
        setting: Setting,
        group: &Group,
        bytes: &[u8],
        interrupt: &Interrupt,
    ) -> Result<Vec<u8>> {
        let (mut sum, mut count) = (0.0, 0.0);
        self.crew(Arc::new(Weights::parse(bytes)?)).work(
            0..group.len() as u64,
            &|| interrupt.is_asked(),
            &|engine, number| {
                let (position, score) = group[number as usize];
                let score = if setting.is_scored { score? } else { 0.0 };
                setting.error(engine, position, score)
            },
            &mut |error: Option<f64>| {
                sum += error.unwrap_or(0.0);
                count += f64::from(u8::from(error.is_some()));
                Ok(())
            },
        )?;
        let mut bases = bases_of(bytes)?;
        bases[setting.n_empties as usize] += setting.correction(sum / f64::max(count, 1.0));
        Ok(Weights::rebased(bytes, &bases)?)
    }
}

fn bases_of(bytes: &[u8]) -> Result<Vec<f32>> {
    let weights = Weights::parse(bytes)?;
    Ok((0..=64).map(|n_empties| weights.base(n_empties)).collect())
}
