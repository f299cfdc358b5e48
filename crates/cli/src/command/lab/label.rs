//! `obverse lab label`: better labels for records.

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_engine::Engine;
use obverse_lab::label::{Plan, label};
use obverse_lab::record::{RECORD_BYTES, Record};
use serde::Serialize;

use super::crew;
use super::ledger::{Ledger, settings};
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Label the records of a file anew.
///
/// The score of a position with at most --exact-from empty squares is proven. Farther from the end a
/// position gets the value of a search of --depth moves and keeps the score of its game; without
/// --depth it stays as it is. So does what was proven before.
///
/// OUT holds the records of IN in the same order. The same command again goes on where OUT ends;
/// OUT.state knows the settings, and other ones are refused. Ctrl-C saves what is done, and the exit
/// status is 1; twice, it ends at once.
///
/// --json prints: records (in OUT), resumed (those that were there before), total (in IN), proven (of
/// those labelled now) and seconds.
///
/// Examples:
///   obverse lab label games.rec --out exact.rec --exact-from 20
///   obverse lab label games.rec --out deep.rec --exact-from 18 --depth 12 --weights second.bin
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("how").args(["exact_from", "depth"]).required(true).multiple(true)))]
pub(super) struct Args {
    /// The file with the records
    #[arg(value_name = "IN")]
    input: String,

    /// Write the labelled records to this file
    #[arg(long, value_name = "OUT")]
    out: String,

    /// Prove the score with at most so many empty squares
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_from: Option<u32>,

    /// Search the others so many moves deep
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    #[command(flatten)]
    crew: crew::Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Records that are labelled together: before the first of them the table is emptied, so that the
/// labels do not depend on who labelled what before.
const BATCH: usize = 64;

/// Records that are saved together.
const SAVED: usize = 1 << 14;

const TABLE_MIB: usize = 16;

#[derive(Serialize)]
struct LabelWire {
    records: u64,
    resumed: u64,
    total: u64,
    proven: u64,
    seconds: f64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let crew = self.crew.crew(TABLE_MIB)?;
        let plan = Plan { exact_from: self.exact_from.unwrap_or(0), depth: self.depth };
        let settings = settings([
            ("exact-from", plan.exact_from.to_string()),
            ("depth", plan.depth.map_or("none".to_owned(), |depth| depth.to_string())),
            ("weights", format!("{:016x}", crew.weights.checksum())),
        ]);
        let bytes =
            std::fs::read(&self.input).with_context(|| format!("cannot read {}", self.input))?;
        let (records, _) = bytes.as_chunks::<RECORD_BYTES>();
        let mut ledger = Ledger::open(&self.out, settings)?;
        let resumed = ledger.records();
        self.check_begun(records, resumed as usize)?;
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        let bar = bar(records.len() as u64, resumed);
        let (mut n_proven, mut labelled) = (0, Vec::new());
        let todo = &records[resumed as usize..];
        crew.work(
            0..todo.len().div_ceil(BATCH) as u64,
            &|| interrupt.is_asked(),
            &|engine, number| {
                let first = number as usize * BATCH;
                let batch = &todo[first..todo.len().min(first + BATCH)];
                self.label(engine, plan, batch, resumed as usize + first)
            },
            &mut |batch| {
                let (batch, n_new) = batch?;
                bar.inc(batch.len() as u64);
                n_proven += n_new;
                labelled.extend(batch);
                if labelled.len() >= SAVED {
                    ledger.add(&labelled, 0)?;
                    labelled.clear();
                }
                Ok(())
            },
        )?;
        ledger.add(&labelled, 0)?;
        bar.finish_and_clear();
        let wire = LabelWire {
            records: ledger.records(),
            resumed,
            total: records.len() as u64,
            proven: n_proven,
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            self.print(out, &wire)?;
        }
        Ok(if wire.records == wire.total { Answer::Yes } else { Answer::No })
    }

    /// The records of a batch with their new labels, and how many were proven.
    fn label(
        &self,
        engine: &mut Engine,
        plan: Plan,
        batch: &[[u8; RECORD_BYTES]],
        first: usize,
    ) -> Result<(Vec<Record>, u64)> {
        engine.forget();
        let (mut labelled, mut n_proven) = (Vec::with_capacity(batch.len()), 0);
        for (i, bytes) in batch.iter().enumerate() {
            let place = || format!("{}: record {}", self.input, first + i + 1);
            let record = Record::from_bytes(bytes).map_err(anyhow::Error::msg);
            let record = record.with_context(place)?;
            let new = label(engine, plan, record);
            n_proven += u64::from(new.source != record.source);
            labelled.push(new);
        }
        Ok((labelled, n_proven))
    }

    /// Checks that what is in the file already are the first records of the input.
    fn check_begun(&self, records: &[[u8; RECORD_BYTES]], n_begun: usize) -> Result<()> {
        let (input, path) = (&self.input, &self.out);
        if n_begun > records.len() {
            bail!(
                "{path}: found {n_begun} records, expected at most {} as in {input}",
                records.len()
            );
        }
        let file = File::open(path).with_context(|| format!("cannot read {path}"))?;
        for (i, (begun, record)) in Record::stream(file).zip(records).enumerate() {
            let board = begun.with_context(|| path.clone())?.to_bytes();
            if board[..16] != record[..16] {
                bail!("{path}: found another position in record {} than in {input}", i + 1);
            }
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write, wire: &LabelWire) -> Result<()> {
        let LabelWire { records, resumed, total, proven, seconds } = wire;
        writeln!(out, "records  {records} of {total} in {}, {resumed} of them before", self.out)?;
        writeln!(out, "proven   {proven}")?;
        let rate = (records - resumed) as f64 / seconds.max(1e-9);
        writeln!(out, "time     {seconds:.1} s: {rate:.0} records/s")?;
        Ok(())
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn bar(total: u64, resumed: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = "{bar:30} {pos}/{len} records, {elapsed}, {eta} left, {per_sec}";
    bar.set_style(ProgressStyle::with_template(style).expect("a template"));
    bar.set_position(resumed);
    bar.reset_eta();
    bar
}
