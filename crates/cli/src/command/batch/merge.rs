//! `obverse batch merge`: the results of many runs in one store.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use obverse_store::{Added, Knowledge};
use serde::Serialize;

use super::source::{Item, Source};
use crate::command::cluster::connect::say;
use crate::{Answer, wire};

/// Put the results of many runs into one store.
///
/// IN are stores, or outputs of `obverse batch solve`. Bounds of the same position are narrowed by each
/// other. If two results contradict each other, which no two true ones can, what was there first stays,
/// both are kept aside, and the exit status is 1; `obverse batch check` shows them.
///
/// Examples:
///   obverse batch merge part*.jsonl.store --into all.store
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Stores, or results of `obverse batch solve`
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    /// The store to add them to
    #[arg(long, value_name = "STORE")]
    into: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct MergeWire {
    /// Positions in the store in the end.
    positions: u64,
    new: u64,
    narrower: u64,
    same: u64,
    contradictions: u64,
}

/// So many additions are made to last together.
const TOGETHER: u64 = 10_000;

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let into = &self.into;
        let cannot_write = || format!("cannot write {into}");
        let mut store =
            Knowledge::open(Path::new(into)).with_context(|| format!("cannot open {into}"))?;
        let mut wire = MergeWire::default();
        for path in &self.inputs {
            let source = Source::open(path)?;
            let mut n = 0;
            source.each(&mut |Item { key, finding, .. }| {
                let area = key.size().area() as i8;
                if finding.lower.0 <= -area && finding.upper.0 >= area {
                    return Ok(());
                }
                match store.add(key, &finding).with_context(cannot_write)? {
                    Added::New => wire.new += 1,
                    Added::Narrower => wire.narrower += 1,
                    Added::Same => wire.same += 1,
                    Added::Contradiction(told) => {
                        wire.contradictions += 1;
                        say(&format!("{path}: contradiction: {told}"));
                    }
                }
                n += 1;
                if n % TOGETHER == 0 {
                    store.commit().with_context(cannot_write)?;
                }
                Ok(())
            })?;
            if let Source::Store(other) = source {
                other.each_answer(&mut |question, text| {
                    store.add_answer(question, text).with_context(cannot_write)
                })?;
            }
            store.commit().with_context(cannot_write)?;
        }
        wire.positions = store.len()?;
        if self.json {
            wire::print(out, &wire)?;
        } else {
            let MergeWire { positions, new, narrower, same, contradictions } = &wire;
            writeln!(out, "positions {positions} in {into}")?;
            writeln!(out, "added     {new} new, {narrower} narrower, {same} known")?;
            if *contradictions > 0 {
                writeln!(out, "ALARM     {contradictions} contradictions; what was known stays")?;
            }
        }
        Ok(if wire.contradictions == 0 { Answer::Yes } else { Answer::No })
    }
}
