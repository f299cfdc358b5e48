//! `obverse lab fit`: weights for the evaluation.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_lab::fit::{FactorsRecipe, Fit, Quality, Recipe};
use obverse_lab::record::Record;
use serde::Serialize;

use super::bar;
use super::crew::Threads;
use super::leaves::parse_empties;
use crate::watch::Interrupt;
use crate::{Answer, output, weights, wire};

/// Fit the weights of the evaluation to records.
///
/// The weights are those whose estimates are nearest to the labels by least squares, with a penalty
/// on large ones. A label is the score where that is proven; elsewhere --trust of it is the value of
/// the search, and the rest the score of the game. Each anchor, a number of empty squares, has weights
/// of its own; between two anchors they change evenly.
///
/// Then every pattern gets a vector. The vectors of a board are added up, and the squares of the sum
/// are part of the estimate: so it learns what windows mean together. Each of --stretches has vectors
/// of its own; --epochs is how often they go through the records. --stretches none leaves them out.
/// At last the weights are fitted once more, to what the vectors leave of the labels.
///
/// One record in --hold-out is not fitted to and tells how good the weights are: the mean absolute and
/// the root mean square error in discs, by the number of empty squares.
///
/// The weights are saved every 10 steps and at the end, whole or not at all. Ctrl-C stops after the
/// step, saves and prints what there is; twice, it ends at once. --from goes on from saved weights, but
/// learns the vectors anew.
///
/// With --keep the vectors of --from are kept, too, and new records are added to what they know: it counts
/// as if K times the records given had been fitted before. Stretches without records stay as they are; one
/// that has records should have them for all its numbers of empty squares, or those without are spoilt.
/// --stretches may divide those of --from, but not put them together.
///
/// Threads learn vectors side by side and take the mean of what they learnt from time to time, so the
/// weights depend a little on how many there are.
///
/// --json prints: fitted, held_out, mae, rmse, steps, gradient (what is left of it), seconds, and
/// phases with from, to, fitted, held_out, mae, rmse each. What cannot be told is null.
///
/// Examples:
///   obverse lab fit games.rec exact.rec --out weights.bin
///   obverse lab fit games.rec --out better.bin --from weights.bin --iterations 20
///   obverse lab fit new.rec --out better.bin --from weights.bin --keep 1 --epochs 4
///   obverse lab fit new.rec --out better.bin --from weights.bin --keep 1 --iterations 0 --polish 6
///   obverse lab fit games.rec --out few.bin --anchors 10,30,50 --penalty 8
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The files with the records
    #[arg(value_name = "FILES", required = true)]
    files: Vec<String>,

    /// Write the weights to this file
    #[arg(long, value_name = "WEIGHTS")]
    out: String,

    /// The numbers of empty squares that have weights of their own
    #[arg(long, value_name = "N,N,…", default_value = "2,6,10,14,18,22,26,30,35,40,46,52,58")]
    anchors: Anchors,

    /// How often a weight must be seen to count half
    #[arg(long, value_name = "P", default_value = "4", value_parser = positive)]
    penalty: f32,

    /// How much of a label that is not proven is the value of the search, from 0 to 1
    #[arg(long, value_name = "T", default_value = "0.7", value_parser = trust)]
    trust: f32,

    /// How many steps to make before the vectors are fitted
    #[arg(long, value_name = "N", default_value_t = 60)]
    iterations: usize,

    /// How many steps to make after that, to what the vectors leave (default: a third of --iterations)
    #[arg(long, value_name = "N")]
    polish: Option<usize>,

    /// The fewest empty squares of each part of the game that has vectors of its own; "none" for none
    #[arg(long, value_name = "N,N,…", default_value = "0,13,18,30")]
    stretches: Stretches,

    /// How many vectors each of these parts keeps at most, those that learnt most
    #[arg(long, value_name = "N", default_value_t = FactorsRecipe::default().vectors)]
    vectors: usize,

    /// How often the vectors go through the records
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    epochs: u16,

    /// How much a vector shrinks whenever a record moves it: more for few records
    #[arg(long, value_name = "D", default_value_t = FactorsRecipe::default().decay, value_parser = positive)]
    decay: f32,

    /// Take only the records with so many empty squares: a number, or the least and the most
    #[arg(long, value_name = "A-B", value_parser = parse_empties)]
    empties: Option<(u32, u32)>,

    /// One record in so many is held out
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,

    /// Start from these weights instead of from zero
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<String>,

    /// Keep what the weights of --from know, as much as from K times the records
    #[arg(long, value_name = "K", requires = "from", value_parser = positive)]
    keep: Option<f32>,

    #[command(flatten)]
    threads: Threads,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The weights are saved after every so many steps.
const STEPS_SAVED: usize = 10;

/// How many numbers of empty squares are put together in the table.
const PHASE: usize = 6;

#[derive(Clone, Debug)]
struct Anchors(Vec<u32>);

impl FromStr for Anchors {
    type Err = String;

    fn from_str(text: &str) -> Result<Anchors, String> {
        rising(text).map(Anchors)
    }
}

#[derive(Clone, Debug)]
struct Stretches(Vec<u32>);

impl FromStr for Stretches {
    type Err = String;

    fn from_str(text: &str) -> Result<Stretches, String> {
        if text == "none" { Ok(Stretches(Vec::new())) } else { rising(text).map(Stretches) }
    }
}

pub(super) fn rising(text: &str) -> Result<Vec<u32>, String> {
    let numbers: Option<Vec<u32>> =
        text.split(',').map(|n| n.trim().parse().ok().filter(|n| *n <= 60)).collect();
    let rises = |numbers: &Vec<u32>| numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let rising = numbers.filter(rises);
    rising.ok_or_else(|| format!("found {text:?}, expected rising numbers up to 60: 10,30,50"))
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && *number < f32::INFINITY);
    number.ok_or_else(|| format!("found {text:?}, expected a number greater than 0"))
}

fn trust(text: &str) -> Result<f32, String> {
    let trust = text.parse().ok().filter(|trust| (0.0..=1.0).contains(trust));
    trust.ok_or_else(|| format!("found {text:?}, expected a number from 0 to 1"))
}

const fn go_on(shall: bool) -> ControlFlow<()> {
    if shall { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

#[derive(Serialize)]
struct FitWire {
    #[serde(flatten)]
    all: QualityWire,
    steps: usize,
    gradient: Option<f64>,
    seconds: f64,
    phases: Vec<PhaseWire>,
}

#[derive(Serialize)]
struct PhaseWire {
    from: usize,
    to: usize,
    #[serde(flatten)]
    quality: QualityWire,
}

#[derive(Serialize)]
struct QualityWire {
    fitted: usize,
    held_out: usize,
    mae: Option<f64>,
    rmse: Option<f64>,
}

impl QualityWire {
    /// Of all the records of some numbers of empty squares.
    fn of(qualities: &[Quality]) -> QualityWire {
        let held_out = qualities.iter().map(|quality| quality.held_out).sum();
        let mean = |error: fn(&Quality) -> f64| {
            let sum: f64 = qualities.iter().map(|q| error(q) * q.held_out as f64).sum();
            (held_out > 0).then(|| sum / held_out as f64)
        };
        QualityWire {
            fitted: qualities.iter().map(|quality| quality.fitted).sum(),
            held_out,
            mae: mean(|quality| quality.absolute_error),
            rmse: mean(|quality| quality.squared_error).map(f64::sqrt),
        }
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let mut fit = Fit::new(Recipe {
            anchors: self.anchors.0.clone(),
            penalty: self.penalty,
            trust: self.trust,
            hold_out: self.hold_out as usize,
            keep: self.keep.unwrap_or(0.0),
            factors: FactorsRecipe {
                stretches: self.stretches.0.clone(),
                epochs: self.epochs.into(),
                decay: self.decay,
                vectors: self.vectors,
                ..FactorsRecipe::default()
            },
            threads: self.threads.count(),
        });
        if let Some(path) = &self.from
            && !fit.start_from(&*weights::read(path)?)
        {
            bail!("{path}: found stretches that --stretches would put together, expected none");
        }
        output::check(&self.out)?;
        let start = Instant::now();
        self.read(&mut fit)?;
        let interrupt = Interrupt::listen()?;
        let (mut steps, mut last) = self.fit_weights(&mut fit, self.iterations, &interrupt)?;
        if !self.stretches.0.is_empty() && !interrupt.is_asked() {
            self.fit_vectors(&mut fit, &interrupt);
            let polish = self.polish.unwrap_or(self.iterations / 3);
            let (more, gradient) = self.fit_weights(&mut fit, polish, &interrupt)?;
            (steps, last) = (steps + more, gradient.or(last));
        }
        output::replace(&self.out, &fit.print())?;
        let qualities = fit.quality();
        let phase = |from: usize| {
            let to = qualities.len().min(from + PHASE);
            PhaseWire { from, to: to - 1, quality: QualityWire::of(&qualities[from..to]) }
        };
        let phases = (0..qualities.len()).step_by(PHASE).map(phase);
        let wire = FitWire {
            all: QualityWire::of(&qualities),
            steps,
            gradient: last,
            seconds: start.elapsed().as_secs_f64(),
            phases: phases
                .filter(|phase| phase.quality.fitted + phase.quality.held_out > 0)
                .collect(),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            self.print(out, &wire)?;
        }
        Ok(Answer::Yes)
    }

    /// Fits the weights; how many steps it took and what is left of the gradient.
    fn fit_weights(
        &self,
        fit: &mut Fit,
        iterations: usize,
        interrupt: &Interrupt,
    ) -> Result<(usize, Option<f64>)> {
        let bar = bar(iterations as u64, "steps");
        let (mut steps, mut last, mut saved) = (0, None, Ok(()));
        fit.run(iterations, &mut |fit, step, gradient| {
            bar.inc(1);
            bar.set_message(format!("gradient {gradient:.3e}"));
            (steps, last) = (step, Some(gradient));
            if step.is_multiple_of(STEPS_SAVED) {
                saved = output::replace(&self.out, &fit.print());
            }
            go_on(saved.is_ok() && !interrupt.is_asked())
        });
        bar.finish_and_clear();
        saved?;
        Ok((steps, last))
    }

    fn fit_vectors(&self, fit: &mut Fit, interrupt: &Interrupt) {
        let times = u64::from(self.epochs) * self.stretches.0.len() as u64;
        let bar = bar(times, "times through the records");
        fit.run_factors(&mut |_| {
            bar.inc(1);
            go_on(!interrupt.is_asked())
        });
        bar.finish_and_clear();
    }

    fn read(&self, fit: &mut Fit) -> Result<()> {
        let line = ProgressBar::new_spinner();
        line.set_style(
            ProgressStyle::with_template("{spinner} {human_pos} records").expect("a template"),
        );
        for path in &self.files {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            for record in Record::stream(file) {
                let record = record.with_context(|| path.clone())?;
                if self.takes(&record) {
                    fit.add(&record);
                    line.inc(1);
                }
            }
            fit.end_file();
        }
        line.finish_and_clear();
        if line.position() == 0 {
            let kind = match self.empties {
                Some((least, most)) => format!(" with {least} to {most} empty squares"),
                None => String::new(),
            };
            bail!("{}: found no records{kind}, expected some", self.files.join(", "));
        }
        Ok(())
    }

    fn takes(&self, record: &Record) -> bool {
        self.empties.is_none_or(|(least, most)| (least..=most).contains(&record.n_empties()))
    }

    fn print(&self, out: &mut dyn Write, wire: &FitWire) -> Result<()> {
        writeln!(out, "empties      fitted    held out    MAE   RMSE")?;
        let mut row = |name: &str, quality: &QualityWire| {
            let discs = |error: Option<f64>| error.map_or("-".to_owned(), |e| format!("{e:.3}"));
            let QualityWire { fitted, held_out, mae, rmse } = quality;
            let (mae, rmse) = (discs(*mae), discs(*rmse));
            writeln!(out, "{name:<7} {fitted:>11} {held_out:>11} {mae:>6} {rmse:>6}")
        };
        for PhaseWire { from, to, quality } in &wire.phases {
            row(&format!("{from}-{to}"), quality)?;
        }
        row("all", &wire.all)?;
        let gradient = wire.gradient.map_or("not known".to_owned(), |g| format!("{g:.3e}"));
        writeln!(
            out,
            "\nsteps    {}, gradient left {gradient}, {:.1} s",
            wire.steps, wire.seconds
        )?;
        writeln!(out, "weights  {}", self.out)?;
        Ok(())
    }
}
