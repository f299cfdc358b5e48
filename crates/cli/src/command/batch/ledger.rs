//! The books of a batch: what is known, the output, the lines that are bad, and the counts of all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_cluster::{Answer, Outcome, Question};
use serde::{Deserialize, Serialize};

use super::file::{Done, Growing};
use super::lines::Bad;
use super::memory::{Memory, is_sound};
use super::record::{Record, Ticket, VERSION};

/// Where the books are kept.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct Paths {
    /// Write the results to this file, a line each; - for standard output
    #[arg(long, value_name = "OUT.jsonl")]
    pub(crate) out: String,

    /// Go on with OUT where it ends
    #[arg(long)]
    pub(crate) resume: bool,

    /// Write bad lines and positions that could not be solved here [default: OUT.bad]
    #[arg(long, value_name = "FILE")]
    pub(crate) bad: Option<String>,

    /// Read known positions from this store, and add what is found out [default: OUT.store]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<String>,
}

impl Paths {
    fn bad(&self) -> Option<String> {
        self.bad.clone().or_else(|| (self.out != "-").then(|| format!("{}.bad", self.out)))
    }

    fn store(&self) -> Option<String> {
        self.store.clone().or_else(|| {
            let is_file = self.out != "-" && !self.out.starts_with("/dev/");
            is_file.then(|| format!("{}.store", self.out))
        })
    }
}

/// A line that has no result.
#[derive(Serialize, Deserialize)]
struct BadRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u64,
    reason: String,
    text: String,
}

/// How many lines of each kind there were.
#[derive(Default, Debug)]
pub(crate) struct Counts {
    pub(crate) solved: AtomicU64,
    pub(crate) known: AtomicU64,
    pub(crate) unproven: AtomicU64,
    pub(crate) bad: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) contradictions: AtomicU64,
    pub(crate) nodes: AtomicU64,
    pub(crate) micros: AtomicU64,
}

impl Counts {
    pub(crate) fn get(counter: &AtomicU64) -> u64 {
        counter.load(Ordering::Relaxed)
    }

    fn add(counter: &AtomicU64, n: u64) {
        counter.fetch_add(n, Ordering::Relaxed);
    }
}

pub(crate) struct Ledger {
    pub(crate) memory: Memory,
    output: Growing,
    /// `None` until there is something to write.
    bad: Option<Growing>,
    bad_path: Option<String>,
    done: Done,
    pub(crate) counts: Arc<Counts>,
    synced: Instant,
}

/// How often what was found out is made to last.
const SYNC_EVERY: Duration = Duration::from_secs(1);

impl Ledger {
    /// Opens the books; `expected` is the task and counting that records must be of, if that is known.
    pub(crate) fn open(
        paths: &Paths,
        engine: Arc<str>,
        expected: Option<(&[String], &str)>,
    ) -> Result<Ledger> {
        let mut done = Done::default();
        let output = Growing::open(&paths.out, paths.resume, &mut |_, line| {
            let record: Record = serde_json::from_slice(line).context("expected a result")?;
            if record.version != VERSION {
                bail!("found a result of version {}, expected {VERSION}", record.version);
            }
            if let Some((tasks, counting)) = expected {
                let task = &record.task;
                if !tasks.contains(task) || record.counting != counting {
                    bail!(
                        "found a result of {task} by {}, expected {} by {counting}; \
                         go on with the same settings, or begin another file",
                        record.counting,
                        tasks.join(" or ")
                    );
                }
            }
            done.add(record.file.as_deref(), record.line);
            Ok(())
        })?;
        let bad_path = paths.bad();
        let mut ledger = Ledger {
            memory: Memory::open(paths.store().as_deref(), engine)?,
            output,
            bad: None,
            bad_path,
            done,
            counts: Arc::default(),
            synced: Instant::now(),
        };
        let path = ledger.bad_path.clone();
        if let Some(path) = path.filter(|path| std::fs::exists(path).unwrap_or(false)) {
            // What is in it is of this output: begin anew with a new one.
            if paths.resume {
                ledger.open_bad(&path)?;
            } else {
                std::fs::remove_file(&path).with_context(|| format!("cannot write {path}"))?;
            }
        }
        Ok(ledger)
    }

    fn open_bad(&mut self, path: &str) -> Result<()> {
        let done = &mut self.done;
        self.bad = Some(Growing::open(path, true, &mut |_, line| {
            let record: BadRecord = serde_json::from_slice(line).context("expected a bad line")?;
            done.add(record.file.as_deref(), record.line);
            Ok(())
        })?);
        Ok(())
    }

    /// How many lines were done when the books were opened.
    pub(crate) fn n_resumed(&self) -> u64 {
        self.done.len()
    }

    /// Whether a line is in the books.
    pub(crate) fn is_done(&self, file: Option<&str>, line: u64) -> bool {
        self.done.contains(file, line)
    }

    /// Writes what was found out for a line.
    pub(crate) fn write(
        &mut self,
        ticket: Ticket,
        question: &Question,
        answer: &Answer,
        known: bool,
    ) -> Result<()> {
        let counts = &self.counts;
        Counts::add(if known { &counts.known } else { &counts.solved }, 1);
        Counts::add(&counts.unproven, u64::from(!answer.proven));
        if !known {
            Counts::add(&counts.nodes, answer.nodes);
            Counts::add(&counts.micros, answer.micros);
        }
        self.output.add(&ticket.record(question, answer, known))
    }

    /// Takes what came of a question, for all lines that asked it.
    pub(crate) fn settle(
        &mut self,
        question: &Question,
        outcome: &Outcome,
        tickets: Vec<Ticket>,
    ) -> Result<()> {
        let reason = match outcome {
            Outcome::Failed(reason) => reason.clone(),
            Outcome::Answer(answer) => match self.accept(question, answer)? {
                None => {
                    for (i, ticket) in tickets.into_iter().enumerate() {
                        self.write(ticket, question, answer, i > 0)?;
                    }
                    return Ok(());
                }
                Some(reason) => reason,
            },
        };
        for ticket in tickets {
            let text = super::record::obf(ticket.position);
            let bad = Bad { reason: reason.clone(), text };
            Counts::add(&self.counts.failed, 1);
            self.set_aside(ticket.file.as_deref(), ticket.line, &bad)?;
        }
        Ok(())
    }

    /// Learns an answer, or tells why it cannot be true.
    fn accept(&mut self, question: &Question, answer: &Answer) -> Result<Option<String>> {
        if let Err(reason) = is_sound(question, answer) {
            return Ok(Some(format!("the answer makes no sense: {reason}")));
        }
        let told = self.memory.learn(question, answer)?;
        Ok(told.map(|told| {
            Counts::add(&self.counts.contradictions, 1);
            format!("contradiction: {told}")
        }))
    }

    /// Writes down a line that is bad.
    pub(crate) fn add_bad(&mut self, file: Option<&str>, line: u64, bad: &Bad) -> Result<()> {
        Counts::add(&self.counts.bad, 1);
        self.set_aside(file, line, bad)
    }

    fn set_aside(&mut self, file: Option<&str>, line: u64, bad: &Bad) -> Result<()> {
        let Bad { reason, text } = bad.clone();
        let Some(path) = self.bad_path.clone() else {
            let place = file.map_or(String::new(), |file| format!("{file}, "));
            let mut err = anstream::stderr();
            std::io::Write::write_fmt(&mut err, format_args!("{place}line {line}: {reason}\n"))?;
            return Ok(());
        };
        if self.bad.is_none() {
            self.open_bad(&path)?;
        }
        let record = BadRecord { file: file.map(str::to_owned), line, reason, text };
        self.bad.as_mut().expect("just opened").add(&record)
    }

    /// Makes what is in the books last, if it is time.
    pub(crate) fn tick(&mut self) -> Result<()> {
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Makes what is in the books last. The output comes first: what is in the store only is written
    /// when the batch goes on, and nothing is written twice.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.output.sync()?;
        if let Some(bad) = &mut self.bad {
            bad.sync()?;
        }
        self.memory.commit()?;
        self.synced = Instant::now();
        Ok(())
    }
}
