//! `obverse cluster collect`: the answers of the workers.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use obverse_board::Position;
use obverse_cluster::nats::Nats;
use obverse_cluster::wire::{TicketWire, Tickets};
use obverse_cluster::{Question, Transport, engine_name};
use obverse_engine::eval::Weights;
use obverse_store::{Knowledge, Waiting};
use serde::Serialize;

use super::connect::{CampaignArg, Patience, Server};
use crate::command::batch::ledger::{Counts, Ledger, Paths};
use crate::command::batch::memory::Known;
use crate::command::batch::record::Ticket;
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Write the answers of the workers to a file.
///
/// What has been answered by now is written to OUT.jsonl as `obverse batch solve` writes it, and added to
/// the store. The same command with --resume writes what has come since; with --wait it stays until
/// everything is answered. Nothing is lost or written twice, whenever it is killed; OUT.waiting knows
/// which lines are still waiting for their answer.
///
/// The exit status is 1 if not everything is answered, or a position is not proven.
///
/// Examples:
///   obverse cluster collect --out scores.jsonl
///   obverse cluster collect --out scores.jsonl --resume --wait
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,

    #[command(flatten)]
    campaign: CampaignArg,

    /// Stay until everything is answered
    #[arg(long)]
    wait: bool,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CollectWire {
    campaign: String,
    /// Records written now, and before.
    written: u64,
    resumed: u64,
    unproven: u64,
    failed: u64,
    contradictions: u64,
    /// Lines that are still waiting for their answer.
    waiting: u64,
    complete: bool,
}

/// Lines whose answer has not come: on disk, beside the output.
struct Lines {
    waiting: Knowledge,
    path: String,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let interrupt = Interrupt::listen()?;
        let campaign = &self.campaign.campaign;
        let nats = self.server.connect(campaign, "obverse collect")?;
        let engine: Arc<str> = engine_name(&Weights::built_in()).into();
        let mut ledger = Ledger::open(&self.paths, engine, None)?;
        let resumed = ledger.n_resumed();
        let mut lines = Lines::open(&self.paths.out, resumed == 0)?;
        nats.begin_after((lines.waiting().mark("tickets")?, lines.waiting().mark("results")?));
        let patience = self.server.patience(&interrupt);
        let is_complete = loop {
            let n_new = self.gather(&nats, &mut ledger, &mut lines, &patience)?;
            let known = patience.persist(|| nats.campaign())?;
            let is_submitted = known.is_some_and(|campaign| campaign.complete);
            if n_new == 0 && is_submitted && lines.waiting().is_empty()? {
                break true;
            }
            if interrupt.is_asked() || (n_new == 0 && !self.wait) {
                break false;
            }
        };
        let (get, counts) = (Counts::get, &ledger.counts);
        let wire = CollectWire {
            campaign: campaign.clone(),
            written: get(&counts.solved) + get(&counts.known),
            resumed,
            unproven: get(&counts.unproven),
            failed: get(&counts.failed),
            contradictions: get(&counts.contradictions),
            waiting: lines.waiting().len()?,
            complete: is_complete,
        };
        let mut err = anstream::stderr();
        let out: &mut dyn Write = if self.paths.out == "-" { &mut err } else { out };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            let CollectWire { written, waiting, failed, unproven, .. } = &wire;
            writeln!(out, "written   {written}, and {resumed} before; {unproven} not proven")?;
            writeln!(out, "waiting   {waiting} lines for their answer")?;
            if failed + wire.contradictions > 0 {
                writeln!(out, "failed    {failed}, {} by contradictions", wire.contradictions)?;
            }
        }
        let is_all = is_complete && wire.unproven + wire.failed == 0;
        Ok(if is_all { Answer::Yes } else { Answer::No })
    }

    /// Takes the tickets and results there are; tells how many messages there were.
    fn gather(
        &self,
        nats: &Nats,
        ledger: &mut Ledger,
        lines: &mut Lines,
        patience: &Patience<'_>,
    ) -> Result<u64> {
        let mut n_messages = 0_u64;
        while let Some(Tickets { file, tickets, .. }) = patience.persist(|| nats.tickets())? {
            n_messages += 1;
            for ticket in tickets {
                lines.take(ledger, file.as_deref(), ticket)?;
            }
            lines.waiting().set_mark("tickets", nats.taken().0)?;
            if n_messages.is_multiple_of(64) {
                lines.sync(ledger)?;
            }
        }
        // With --wait there is nothing else to do than to wait.
        let mut wait = Duration::from_millis(if self.wait { 500 } else { 0 });
        while let Some(results) = patience.persist(|| nats.results(std::mem::take(&mut wait)))? {
            n_messages += 1;
            for (job, outcome) in &results.outcomes {
                let tickets = lines.waiting().take(&job.question.to_bytes())?;
                let tickets: Vec<Ticket> = tickets
                    .iter()
                    .map(|text| stored_ticket(text))
                    .filter(|ticket| {
                        // Written just before it was killed.
                        !ticket.as_ref().is_ok_and(|t| ledger.is_done(t.file.as_deref(), t.line))
                    })
                    .collect::<Result<_>>()?;
                ledger.settle(&job.question, outcome, tickets)?;
            }
            lines.waiting().set_mark("results", nats.taken().1)?;
            if n_messages.is_multiple_of(64) {
                lines.sync(ledger)?;
            }
        }
        lines.sync(ledger)?;
        Ok(n_messages)
    }
}

impl Lines {
    fn open(out: &str, is_new: bool) -> Result<Lines> {
        if out == "-" || out.starts_with("/dev/") {
            let waiting = Knowledge::temporary().context("cannot make a temporary file")?;
            return Ok(Lines { waiting, path: "the temporary store".to_owned() });
        }
        let path = format!("{out}.waiting");
        if is_new {
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{path}{suffix}"));
            }
        }
        let waiting =
            Knowledge::open(Path::new(&path)).with_context(|| format!("cannot open {path}"))?;
        Ok(Lines { waiting, path })
    }

    fn waiting(&mut self) -> Waiting<'_> {
        Waiting(&mut self.waiting)
    }

    /// Writes the record of a line, or has it wait.
    fn take(&mut self, ledger: &mut Ledger, file: Option<&str>, wire: TicketWire) -> Result<()> {
        if ledger.is_done(file, wire.line) {
            return Ok(());
        }
        let question = wire.question().map_err(anyhow::Error::msg)?;
        if let Known::Answer(answer) = ledger.memory.known(&question)? {
            let ticket = ticket(file, wire)?;
            return ledger.write(ticket, &question, &answer, true);
        }
        let mut tickets = Tickets::new(file.map(str::to_owned));
        tickets.tickets.push(wire);
        let text = String::from_utf8(obverse_cluster::wire::write_tickets(&tickets))?;
        self.waiting().add(&question.to_bytes(), &text)?;
        Ok(())
    }

    /// The output first, then what is known, then who is waiting: whatever is lost is done again.
    fn sync(&mut self, ledger: &mut Ledger) -> Result<()> {
        ledger.sync()?;
        self.waiting.commit().with_context(|| format!("cannot write {}", self.path))
    }
}

fn ticket(file: Option<&str>, wire: TicketWire) -> Result<Ticket> {
    let position = Position::parse(&wire.position)?;
    Ok(Ticket { file: file.map(Into::into), line: wire.line, id: wire.id, position })
}

fn stored_ticket(text: &str) -> Result<Ticket> {
    let mut tickets =
        obverse_cluster::wire::read_tickets(text.as_bytes()).map_err(anyhow::Error::msg)?;
    let wire = tickets.tickets.pop().context("expected a ticket")?;
    let _: Question = wire.question().map_err(anyhow::Error::msg)?;
    ticket(tickets.file.as_deref(), wire)
}
