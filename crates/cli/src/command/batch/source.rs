//! Results from files: a store, or what `obverse batch solve` wrote.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use obverse_board::{Move, Score};
use obverse_store::{Finding, Key, Knowledge};

use super::record::{Record, VERSION};

/// What every SQLite file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A file of results.
pub(super) enum Source {
    Store(Knowledge),
    Records(String),
}

/// What is proven of a position, and an estimate if there is one.
pub(super) struct Item {
    pub(super) key: Key,
    pub(super) finding: Finding,
    /// What was thought of it, in discs.
    pub(super) value: Option<f32>,
}

impl Source {
    /// Opens a file, whatever it is.
    pub(super) fn open(path: &str) -> Result<Source> {
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
        file.take(MAGIC.len() as u64)
            .read_to_end(&mut head)
            .with_context(|| format!("cannot read {path}"))?;
        if head != MAGIC {
            return Ok(Source::Records(path.to_owned()));
        }
        let store =
            Knowledge::open(Path::new(path)).with_context(|| format!("cannot open {path}"))?;
        Ok(Source::Store(store))
    }

    /// Hands over everything there is, one by one.
    pub(super) fn each(&self, each: &mut dyn FnMut(Item) -> Result<()>) -> Result<()> {
        match self {
            Source::Store(store) => {
                store.each(&mut |key, finding| each(Item { key, finding, value: None }))
            }
            Source::Records(path) => {
                let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
                for (i, line) in BufReader::new(file).lines().enumerate() {
                    let place = || format!("{path}, line {}", i + 1);
                    let line = line.with_context(place)?;
                    for item in items(&line).with_context(place)? {
                        each(item)?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// What a record says of its position, and of those after its moves.
fn items(line: &str) -> Result<Vec<Item>> {
    let record: Record = serde_json::from_str(line).context("expected a result")?;
    if record.version != VERSION {
        bail!("found a result of version {}, expected {VERSION}", record.version);
    }
    let (question, answer) = record.answer().map_err(|why| anyhow!(why))?;
    super::memory::is_sound(&question, &answer).map_err(|why| anyhow!(why))?;
    let finding = |lower: Score, upper: Score, best: Option<Move>| Finding {
        lower,
        upper,
        best,
        nodes: answer.nodes,
        micros: answer.micros,
        engine: Arc::clone(&answer.engine),
    };
    let position = question.position();
    let (key, _) = Key::of(position, question.counting());
    let mut items = vec![Item {
        key,
        finding: finding(answer.lower, answer.upper, answer.best),
        value: record.estimate.map(|estimate| estimate.discs),
    }];
    for m in &answer.moves {
        let next = position.apply(m.mv)?;
        let (key, _) = Key::of(next, question.counting());
        let finding = Finding { nodes: 0, micros: 0, ..finding(-m.upper, -m.lower, None) };
        items.push(Item { key, finding, value: None });
    }
    Ok(items)
}
