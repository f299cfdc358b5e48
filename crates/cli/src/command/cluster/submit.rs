//! `obverse cluster submit`: positions for the workers.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use obverse_cluster::nats::{Campaign, Nats};
use obverse_cluster::wire::{TicketWire, Tickets};
use obverse_cluster::{
    Chunk, Class, Coordinator, Desk, Job, Offer, Outcome, Question, Results, Transport, engine_name,
};
use obverse_engine::eval::Weights;
use obverse_store::{Knowledge, Waiting};
use serde::Serialize;

use super::connect::{CampaignArg, Patience, Server};
use crate::command::batch::file::Growing;
use crate::command::batch::ledger::Counts;
use crate::command::batch::lines::{self, Asked, Line, Meter, Shard};
use crate::command::batch::memory::{Known, Memory};
use crate::command::batch::progress::Progress;
use crate::command::batch::record::obf;
use crate::command::batch::task::TaskArgs;
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Put positions into the queue, for workers to solve.
///
/// IN is read as by `obverse batch solve`. Symmetric positions are queued once. Submitting the same again,
/// because it was interrupted or by mistake, changes nothing: what is in the queue or solved stays so.
/// If the queue is full, it waits until there is room.
///
/// The exit status is 1 if a line was bad, or it was interrupted.
///
/// Examples:
///   obverse cluster submit positions.obf
///   obverse cluster submit positions.obf --campaign openings --window -1,1 --server nats://queue:4222
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files with positions; - for standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    campaign: CampaignArg,

    #[command(flatten)]
    task: TaskArgs,

    /// Take only the lines of this part of the input, such as 3/16
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Do not queue what this store knows; it goes straight to the results
    #[arg(long, value_name = "FILE")]
    store: Option<String>,

    /// Write bad lines here [default: CAMPAIGN.bad]
    #[arg(long, value_name = "FILE")]
    bad: Option<String>,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SubmitWire {
    campaign: String,
    lines: u64,
    /// Positions, and how many different ones of these were queued.
    positions: u64,
    questions: u64,
    /// Chunks that were queued, and those that were there or done already.
    chunks: u64,
    chunks_known: u64,
    /// Positions that the store knew.
    known: u64,
    bad: u64,
    complete: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct BadLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u64,
    reason: &'a str,
    text: &'a str,
}

/// Which questions have been asked: on disk, because there may be more than fit in memory, and anew each
/// time, so that the same input gives the same chunks.
struct Asking(Knowledge);

impl Desk<()> for Asking {
    type Error = obverse_store::Error;

    fn wait(&mut self, question: &Question, (): ()) -> Result<bool, Self::Error> {
        Waiting(&mut self.0).add_once(&question.to_bytes())
    }

    fn take(&mut self, _: &Question) -> Result<Vec<()>, Self::Error> {
        Ok(Vec::new())
    }
}

/// Tickets of one message.
const TICKETS: usize = 500;

struct Submission<'a> {
    nats: &'a Nats,
    patience: Patience<'a>,
    coordinator: Coordinator<(), Asking>,
    tickets: Tickets,
    known: Vec<(Job, Outcome)>,
    memory: Option<Memory>,
    wire: SubmitWire,
    bad: Option<Growing>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        lines::check(&self.inputs)?;
        let start = Instant::now();
        let interrupt = Interrupt::listen()?;
        let campaign = &self.campaign.campaign;
        let nats = self.server.connect(campaign, "obverse submit")?;
        let engine: Arc<str> = engine_name(&Weights::built_in()).into();
        let memory =
            self.store.as_deref().map(|path| Memory::open(Some(path), engine)).transpose()?;
        let desk = Asking(Knowledge::temporary().context("cannot make a temporary file")?);
        let mut submission = Submission {
            nats: &nats,
            patience: self.server.patience(&interrupt),
            coordinator: Coordinator::new(campaign.as_str().into(), desk),
            tickets: Tickets::new(None),
            known: Vec::new(),
            memory,
            wire: SubmitWire {
                campaign: campaign.clone(),
                lines: 0,
                positions: 0,
                questions: 0,
                chunks: 0,
                chunks_known: 0,
                known: 0,
                bad: 0,
                complete: false,
                seconds: 0.0,
            },
            bad: None,
        };
        submission.describe(&self.task.task().to_string())?;
        let meter = Arc::new(Meter::default());
        let counts = Arc::new(Counts::default());
        let progress = Progress::new(&meter, &counts, lines::total_bytes(&self.inputs), 0);
        let mut outcome = Ok(());
        let read = lines::read(&self.inputs, false, self.shard, &meter, &mut |line| {
            counts.solved.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            outcome = self.take(&mut submission, line);
            outcome.is_ok() && !interrupt.is_asked()
        });
        progress.finish();
        outcome?;
        read?;
        submission.coordinator.flush();
        submission.send()?;
        submission.wire.complete = !interrupt.is_asked();
        submission.wire.lines = Counts::get(&meter.lines);
        submission.describe(&self.task.task().to_string())?;
        nats.flush()?;
        let mut wire = submission.wire;
        wire.seconds = start.elapsed().as_secs_f64();
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        Ok(if wire.complete && wire.bad == 0 { Answer::Yes } else { Answer::No })
    }

    fn take(&self, submission: &mut Submission<'_>, line: Line) -> Result<()> {
        let Line { file, number, content } = line;
        let Asked { id, position } = match content {
            Ok(asked) => asked,
            Err(bad) => {
                submission.wire.bad += 1;
                let default = format!("{}.bad", self.campaign.campaign);
                let path = self.bad.as_ref().unwrap_or(&default);
                if submission.bad.is_none() {
                    // Of an earlier try, perhaps.
                    let _ = std::fs::remove_file(path);
                    submission.bad = Some(Growing::open(path, true, &mut |_, _| Ok(()))?);
                }
                let file = file.as_deref();
                let line = BadLine { file, line: number, reason: &bad.reason, text: &bad.text };
                return submission.bad.as_mut().expect("just opened").add(&line);
            }
        };
        let (question, _) =
            Question::new(position, self.task.counting(), self.task.task(), self.task.limits());
        if submission.tickets.file.as_deref() != file.as_deref() {
            submission.send()?;
            submission.tickets.file = file.as_deref().map(str::to_owned);
        }
        submission.wire.positions += 1;
        submission.tickets.tickets.push(TicketWire::new(number, id, obf(position), &question));
        let mut bounds = Job::new(question).known;
        if let Some(memory) = &submission.memory {
            match memory.known(&question)? {
                Known::Answer(answer) => {
                    submission.wire.known += 1;
                    submission.known.push((Job::new(question), Outcome::Answer(*answer)));
                    return submission.send_if_many();
                }
                Known::Bounds(lower, upper) => bounds = (lower, upper),
            }
        }
        let asked = submission.coordinator.ask(question, bounds, ());
        asked.context("cannot write a temporary file")?;
        submission.send_if_many()
    }
}

impl Submission<'_> {
    fn describe(&self, task: &str) -> Result<()> {
        let SubmitWire { campaign, positions, bad, complete, .. } = &self.wire;
        let campaign = Campaign {
            name: campaign.clone(),
            task: task.to_owned(),
            tickets: *positions,
            questions: self.coordinator.n_open(),
            bad: *bad,
            complete: *complete,
            cancelled: false,
        };
        self.patience.persist(|| self.nats.describe(&campaign))
    }

    fn send_if_many(&mut self) -> Result<()> {
        if self.tickets.tickets.len() >= TICKETS { self.send() } else { Ok(()) }
    }

    /// Sends tickets, then what is known, then chunks: results never come before their tickets.
    fn send(&mut self) -> Result<()> {
        if !self.tickets.tickets.is_empty() {
            self.patience.persist(|| self.nats.publish_tickets(&self.tickets))?;
            self.tickets.tickets.clear();
        }
        if !self.known.is_empty() {
            let outcomes = std::mem::take(&mut self.known);
            let campaign: Arc<str> = self.wire.campaign.as_str().into();
            let jobs = outcomes.iter().map(|(job, _)| *job).collect();
            let chunk = Chunk { campaign: Arc::clone(&campaign), class: Class::Easy, jobs };
            let results = Results { campaign, id: chunk.id(), worker: "store".into(), outcomes };
            self.patience.persist(|| self.nats.publish_results(&results))?;
        }
        while let Some(chunk) = self.coordinator.front() {
            let offered = self.patience.persist(|| self.nats.offer(chunk))?;
            match offered {
                Offer::Full if self.patience.is_interrupted() => break,
                Offer::Full => {
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
                Offer::Taken => self.wire.chunks += 1,
                Offer::Known => self.wire.chunks_known += 1,
            }
            self.coordinator.offered();
        }
        if let Some(bad) = &mut self.bad {
            bad.sync()?;
        }
        self.wire.questions = self.coordinator.n_open();
        Ok(())
    }
}

fn print(out: &mut dyn Write, wire: &SubmitWire) -> Result<()> {
    let SubmitWire { campaign, lines, positions, questions, chunks, chunks_known, .. } = wire;
    writeln!(out, "campaign  {campaign}")?;
    writeln!(out, "lines     {lines} read: {positions} positions, {} bad", wire.bad)?;
    writeln!(out, "asked     {questions} different questions, {} known", wire.known)?;
    writeln!(out, "queued    {chunks} chunks; {chunks_known} were there or done already")?;
    if !wire.complete {
        writeln!(out, "stopped   submitting the same again goes on from here")?;
    }
    Ok(())
}
