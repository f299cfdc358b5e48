//! `obverse lab prune`: fewer vectors.

use std::fs::File;
use std::io::Write;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use obverse_lab::prune::{Census, PruneError, Pruned};
use obverse_lab::record::Record;
use serde::Serialize;

use super::fit::rising;
use crate::{Answer, output, weights, wire};

/// Divide the stretches of weights, and keep the vectors that are seen most.
///
/// How often the pattern of a vector is seen is counted in the records; all numbers of empty squares of
/// a stretch count alike. A file of weights with 13 anchors and 200,000 vectors has 16 MB.
///
/// --json prints: bytes (of FILE), and stretches with from, before, after (how many vectors) and lost
/// (the share, 0 to 1, of all that is seen whose vector is gone) each.
///
/// Examples:
///   obverse lab prune weights.bin leaves.rec --out small.bin --vectors 40000
///   obverse lab prune weights.bin leaves.rec --out small.bin --stretches 0,13,30 --vectors 50000,40000,40000
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

    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: String,

    /// The fewest empty squares of each stretch (default: as they are)
    #[arg(long, value_name = "N,N,…")]
    stretches: Option<String>,

    /// How many vectors a stretch keeps at most: one number for all, or one for each
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true)]
    vectors: Vec<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PruneWire {
    bytes: usize,
    stretches: Vec<StretchWire>,
}

#[derive(Serialize)]
struct StretchWire {
    from: u32,
    before: usize,
    after: usize,
    lost: f64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let weights = weights::read(&self.weights)?;
        let froms = match &self.stretches {
            Some(text) => rising(text).map_err(anyhow::Error::msg).context("--stretches")?,
            None => weights.vectors().0.iter().map(|stretch| stretch.n_empties).collect(),
        };
        if froms.is_empty() {
            bail!("{}: found no vectors, expected some", self.weights);
        }
        let most = match self.vectors[..] {
            [most] => vec![most; froms.len()],
            ref each if each.len() == froms.len() => each.to_vec(),
            ref each => bail!(
                "found {} numbers of --vectors for {} stretches, expected one or as many",
                each.len(),
                froms.len()
            ),
        };
        output::check(&self.out)?;
        let census = self.count()?;
        let stretches: Vec<(u32, usize)> = froms.into_iter().zip(most).collect();
        let (bytes, pruned) = census.prune(&weights, &stretches).map_err(|error| match error {
            PruneError::Unseen(n) => anyhow::anyhow!(
                "{}: found no record with {} to {} empty squares, expected some",
                self.files.join(", "),
                n.start,
                n.end - 1
            ),
            PruneError::Across(from) => anyhow::anyhow!(
                "{}: found a stretch that begins within that from {from} on, expected none",
                self.weights
            ),
        })?;
        output::replace(&self.out, &bytes)?;
        let wire = |Pruned { from, before, after, lost }| StretchWire { from, before, after, lost };
        let stretches = pruned.into_iter().map(wire).collect();
        let wire = PruneWire { bytes: bytes.len(), stretches };
        if self.json {
            wire::print(out, &wire)?;
            return Ok(Answer::Yes);
        }
        writeln!(out, "from  vectors before    after  lost of all seen")?;
        for StretchWire { from, before, after, lost } in &wire.stretches {
            let lost = 100.0 * lost;
            writeln!(out, "{from:>4} {before:>15} {after:>8} {lost:>16.3} %")?;
        }
        writeln!(out, "\nweights  {}, {} bytes", self.out, wire.bytes)?;
        Ok(Answer::Yes)
    }

    fn count(&self) -> Result<Census> {
        let (mut census, line) = (Census::default(), ProgressBar::new_spinner());
        for path in &self.files {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            for record in Record::stream(file) {
                census.add(&record.with_context(|| path.clone())?);
                line.inc(1);
            }
        }
        line.finish_and_clear();
        Ok(census)
    }
}
