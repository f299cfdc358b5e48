//! `obverse batch export`: results for other programs.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result};
use obverse_board::{Counting, Move, Score, Size};
use obverse_engine::eval::UNIT;
use obverse_lab::record::{Record as Labelled, Source as Origin};
use serde::Serialize;

use super::record::obf;
use super::source::{Item, Source};
use crate::{Answer, wire};

/// Write results for other programs.
///
/// IN is a store, or an output of `obverse batch solve` or `label`. Every position is written once, with
/// the side to move as X.
///
///   jsonl    one object a line: position, counting, lower, upper, best, nodes, seconds, engine
///   csv      the same as columns
///   obf      positions whose score is proven, with the best move and the score
///   records  training data for `obverse lab fit`: positions on 8x8 with a proven score, or with an
///            estimate if the output has one (then the score is that, rounded)
///
/// Examples:
///   obverse batch export all.store --as csv --out all.csv
///   obverse batch export labelled.jsonl --as records --out train.rec
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A store, or results
    #[arg(value_name = "IN")]
    input: String,

    /// What to write
    #[arg(long = "as", value_enum, value_name = "FORMAT", default_value = "jsonl")]
    format: Format,

    /// Write to this file; - for standard output
    #[arg(long, value_name = "FILE")]
    out: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Jsonl,
    Csv,
    Obf,
    Records,
}

#[derive(Serialize)]
struct Row {
    position: String,
    counting: String,
    lower: i8,
    upper: i8,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
    engine: String,
}

#[derive(Serialize)]
struct ExportWire {
    written: u64,
    /// Positions that cannot be said in this format.
    left_out: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let source = Source::open(&self.input)?;
        let cannot_write = || format!("cannot write {}", self.out);
        let sink: Box<dyn Write> = if self.out == "-" {
            Box::new(std::io::stdout().lock())
        } else {
            Box::new(File::create(&self.out).with_context(cannot_write)?)
        };
        let mut sink = BufWriter::new(sink);
        let mut wire = ExportWire { written: 0, left_out: 0 };
        if self.format == Format::Csv {
            writeln!(sink, "position,counting,lower,upper,best,nodes,seconds,engine")
                .with_context(cannot_write)?;
        }
        source.each(&mut |item| {
            let bytes = match self.format {
                Format::Jsonl => Some(serde_json::to_string(&row(&item))?.into_bytes()),
                Format::Csv => Some(csv(&row(&item))?),
                Format::Obf => solved(&item).map(String::into_bytes),
                Format::Records => labelled(&item).map(|record| record.to_bytes().to_vec()),
            };
            let Some(bytes) = bytes else {
                wire.left_out += 1;
                return Ok(());
            };
            wire.written += 1;
            sink.write_all(&bytes).with_context(cannot_write)?;
            if matches!(self.format, Format::Jsonl | Format::Obf) {
                sink.write_all(b"\n").with_context(cannot_write)?;
            }
            Ok(())
        })?;
        sink.flush().with_context(cannot_write)?;
        drop(sink);
        let mut err = anstream::stderr();
        let out: &mut dyn Write = if self.out == "-" { &mut err } else { out };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            writeln!(out, "written   {} positions; {} left out", wire.written, wire.left_out)?;
        }
        Ok(Answer::Yes)
    }
}

fn row(Item { key, finding, .. }: &Item) -> Row {
    Row {
        position: obf(key.position()),
        counting: key.counting().to_string(),
        lower: finding.lower.0,
        upper: finding.upper.0,
        best: finding.best.map(|mv| mv.to_string()),
        nodes: finding.nodes,
        seconds: finding.micros as f64 / 1e6,
        engine: finding.engine.to_string(),
    }
}

fn csv(row: &Row) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    Ok(writer.into_inner()?)
}

/// The position with its best move and score, if that is proven.
fn solved(Item { key, finding, .. }: &Item) -> Option<String> {
    let is_field = key.counting() == Counting::WinnerTakesEmpties;
    if finding.lower != finding.upper || !is_field {
        return None;
    }
    let score = finding.lower.0;
    let best = match finding.best {
        Some(Move::Place(square)) => format!("{}:{score:+};", square.to_string().to_uppercase()),
        Some(Move::Pass) => format!("PA:{score:+};"),
        None => format!("{score:+};"),
    };
    Some(format!("{} {best}", obf(key.position())))
}

/// The position as training data, if it is of that kind.
fn labelled(Item { key, finding, value }: &Item) -> Option<Labelled> {
    let position = key.position();
    let is_field = key.counting() == Counting::WinnerTakesEmpties && key.size() == Size::Eight;
    if !is_field || position.moves().is_empty() {
        return None;
    }
    let proven = (finding.lower == finding.upper).then_some(finding.lower);
    let value = value.map(|discs| (discs * UNIT as f32).round() as i16);
    let (score, source) = match (proven, value) {
        (Some(score), _) => (score, Origin::Proof),
        (None, Some(value)) => {
            let discs = (f32::from(value) / UNIT as f32).round().clamp(-64.0, 64.0);
            (Score(discs as i8), Origin::Game)
        }
        (None, None) => return None,
    };
    Some(Labelled { board: position.board(), value, score, source })
}
