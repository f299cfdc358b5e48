//! `obverse lab probcut`: what the search may leave out.

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use obverse_board::Position;
use obverse_lab::probcut::{Cell, EMPTIES, Model, Pair, Trial};
use obverse_lab::record::Record;
use serde::Serialize;

use super::{bar, crew};
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Measure what short searches tell about long ones.
///
/// Positions spread over the files are searched to every depth up to --depth without leaving anything
/// out, and to the end with at most --solve-from empty squares. The error of a short search, the value
/// of a long one less its own, is modelled by a mean that is linear in the two depths and the number
/// of empty squares, and a spread whose logarithm is: MID for searches of the same parity, the short
/// one about half as long at most, and END for searches of up to 6 moves and the score.
///
/// The constants are printed as crates/engine/src/search/probcut.rs holds them, with the factors of 1,
/// the short depth, the long depth and the empty squares. The table below tells how well they fit:
/// what was measured, and in brackets what the model says, in discs. Rows of fewer than 20 pairs are
/// left out.
///
/// Ctrl-C prints what there is, and the exit status is 1; twice, it ends at once.
///
/// --json prints: trials, seconds, and mid and end (null if there are too few pairs) with pairs, mean,
/// log_spread, and cells with long (0 for the end), short, empties (the fewest and the most), count,
/// mean, model_mean, spread and model_spread each.
///
/// Examples:
///   obverse lab probcut games.rec
///   obverse lab probcut games.rec more.rec --count 20000 --depth 11 --solve-from 20 --weights new.bin
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The files with the records
    #[arg(value_name = "RECORDS", required = true)]
    files: Vec<String>,

    /// How many positions to search
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// How many moves to look ahead at most
    #[arg(long, value_name = "D", default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=30))]
    depth: u32,

    /// From how many empty squares on positions are solved, too
    #[arg(long, value_name = "E", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=60))]
    solve_from: u32,

    #[command(flatten)]
    crew: crew::Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A row of the table has at least so many pairs; fewer tell nothing about a spread.
const PAIRS_MIN: usize = 20;

const TABLE_MIB: usize = 16;

#[derive(Serialize)]
struct ProbCutWire {
    trials: usize,
    seconds: f64,
    mid: Option<ModelWire>,
    end: Option<ModelWire>,
}

#[derive(Serialize)]
struct ModelWire {
    pairs: usize,
    mean: [f64; 4],
    log_spread: [f64; 4],
    cells: Vec<CellWire>,
}

#[derive(Serialize)]
struct CellWire {
    long: u32,
    short: u32,
    empties: (u32, u32),
    count: usize,
    mean: f64,
    model_mean: f64,
    spread: f64,
    model_spread: f64,
}

impl ModelWire {
    fn fit(pairs: &[Pair]) -> Option<ModelWire> {
        let model = Model::fit(pairs)?;
        let cells = Cell::of(pairs, &model).into_iter().map(|cell| CellWire {
            long: cell.long,
            short: cell.short,
            empties: cell.empties,
            count: cell.count,
            mean: cell.mean.0,
            model_mean: cell.mean.1,
            spread: cell.spread.0,
            model_spread: cell.spread.1,
        });
        let Model { mean, log_spread } = model;
        Some(ModelWire { pairs: pairs.len(), mean, log_spread, cells: cells.collect() })
    }

    /// As the engine's source holds it.
    fn print_source(&self, out: &mut dyn Write, name: &str) -> Result<()> {
        let list = |factors: [f64; 4]| {
            // The last digits of a factor mean less than a hundredth of a disc. Zero has no sign.
            factors.map(|factor| format!("{:?}", (factor * 1e4).round() / 1e4 + 0.0)).join(", ")
        };
        writeln!(out, "const {name}: Model = Model {{")?;
        writeln!(out, "    mean: [{}],", list(self.mean))?;
        writeln!(out, "    log_spread: [{}],", list(self.log_spread))?;
        writeln!(out, "}};")?;
        Ok(())
    }

    fn print_cells(&self, out: &mut dyn Write) -> Result<()> {
        for cell in self.cells.iter().filter(|cell| cell.count >= PAIRS_MIN) {
            let CellWire { short, count, mean, model_mean, spread, model_spread, .. } = cell;
            let long = if cell.long == 0 { "end".to_owned() } else { cell.long.to_string() };
            let empties = format!("{}-{}", cell.empties.0, cell.empties.1);
            writeln!(
                out,
                "{long:>4} {short:>6} {empties:>8} {count:>8}  {mean:6.2} ({model_mean:5.2})  \
                 {spread:6.2} ({model_spread:5.2})"
            )?;
        }
        Ok(())
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let crew = self.crew.crew(TABLE_MIB)?;
        let positions = self.positions()?;
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        let bar = bar(positions.len() as u64, "positions");
        let (mut trials, mut mid, mut end) = (0, Vec::new(), Vec::new());
        crew.work(
            0..positions.len() as u64,
            &|| interrupt.is_asked(),
            &|engine, number| {
                Trial::new(engine, positions[number as usize], self.depth, self.solve_from)
            },
            &mut |trial| {
                trials += 1;
                mid.extend(trial.mid_pairs());
                end.extend(trial.end_pairs());
                bar.inc(1);
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        let wire = ProbCutWire {
            trials,
            seconds: start.elapsed().as_secs_f64(),
            mid: ModelWire::fit(&mid),
            end: ModelWire::fit(&end),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            Args::print(out, &wire)?;
        }
        Ok(if trials == positions.len() { Answer::Yes } else { Answer::No })
    }

    /// So many positions, evenly spread over all that will do.
    fn positions(&self) -> Result<Vec<Position>> {
        let mut total = 0;
        self.for_each(&mut |_| total += 1)?;
        if total == 0 {
            bail!(
                "{}: found no position with {} to {} empty squares, expected some",
                self.files.join(", "),
                EMPTIES.start(),
                EMPTIES.end()
            );
        }
        let count = self.count.min(total);
        let (mut i, mut positions) = (0, Vec::with_capacity(count as usize));
        self.for_each(&mut |record| {
            // The first record at or after each even part.
            if i * count / total >= positions.len() as u64 {
                positions.push(record.position());
            }
            i += 1;
        })?;
        Ok(positions)
    }

    fn for_each(&self, take: &mut dyn FnMut(Record)) -> Result<()> {
        for path in &self.files {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            for record in Record::stream(file) {
                let record = record.with_context(|| path.clone())?;
                if EMPTIES.contains(&record.n_empties()) && record.board.moves().any() {
                    take(record);
                }
            }
        }
        Ok(())
    }

    fn print(out: &mut dyn Write, wire: &ProbCutWire) -> Result<()> {
        let ProbCutWire { trials, seconds, .. } = wire;
        writeln!(out, "{trials} positions, {seconds:.1} s\n")?;
        let models = [("MID", &wire.mid), ("END", &wire.end)];
        for (name, model) in models {
            match model {
                Some(model) => model.print_source(out, name)?,
                None => writeln!(out, "// {name}: too few pairs for a model")?,
            }
        }
        if models.iter().all(|(_, model)| model.is_none()) {
            return Ok(());
        }
        writeln!(out, "\nlong  short  empties    pairs            mean          spread")?;
        for model in models.iter().filter_map(|(_, model)| model.as_ref()) {
            model.print_cells(out)?;
        }
        Ok(())
    }
}
