//! `obverse cluster status`: what is in the queue, and who works on it.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use obverse_cluster::nats::{Campaign, Census, Nats};
use serde::{Deserialize, Serialize};

use super::connect::{CampaignArg, Server};
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Show what is in the queue, and who works on it.
///
/// Examples:
///   obverse cluster status
///   obverse cluster status --watch --server nats://queue:4222
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Show it again every two seconds, until Ctrl-C
    #[arg(long)]
    watch: bool,

    #[command(flatten)]
    campaign: CampaignArg,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a worker says of itself.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct WorkerWire {
    pub(crate) name: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    pub(crate) jobs: u64,
    pub(crate) chunks: u64,
    pub(crate) seconds: f64,
    pub(crate) leaving: bool,
}

#[derive(Serialize)]
struct StatusWire {
    waiting: u64,
    leased: u64,
    handed_out_again: u64,
    results: u64,
    bytes: u64,
    campaigns: Vec<Campaign>,
    workers: Vec<WorkerWire>,
}

/// How long workers have to answer.
const WAIT: Duration = Duration::from_millis(500);

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let interrupt = Interrupt::listen()?;
        let nats = self.server.connect(&self.campaign.campaign, "obverse status")?;
        loop {
            let wire = status(&nats)?;
            if self.json {
                wire::print(out, &wire)?;
            } else {
                print(out, &wire)?;
            }
            out.flush()?;
            if !self.watch || interrupt.is_asked() {
                return Ok(Answer::Yes);
            }
            for _ in 0..15 {
                std::thread::sleep(Duration::from_millis(100));
                if interrupt.is_asked() {
                    return Ok(Answer::Yes);
                }
            }
            if !self.json {
                writeln!(out)?;
            }
        }
    }
}

fn status(nats: &Nats) -> Result<StatusWire> {
    let Census { waiting, leased, again, results, bytes } = nats.census(None)?;
    // What is no worker of ours is left out.
    let mut workers: Vec<WorkerWire> =
        nats.ping(WAIT)?.iter().filter_map(|bytes| serde_json::from_slice(bytes).ok()).collect();
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    let campaigns = nats.campaigns()?;
    Ok(StatusWire { waiting, leased, handed_out_again: again, results, bytes, campaigns, workers })
}

fn print(out: &mut dyn Write, wire: &StatusWire) -> Result<()> {
    let StatusWire { waiting, leased, handed_out_again, results, bytes, .. } = wire;
    writeln!(
        out,
        "queue     {waiting} chunks wait, {leased} are being done, {handed_out_again} of them again"
    )?;
    writeln!(out, "results   {results} messages; {:.1} MB in all", *bytes as f64 / 1e6)?;
    for campaign in &wire.campaigns {
        let Campaign { name, task, tickets, questions, bad, complete, cancelled } = campaign;
        let state = match (complete, cancelled) {
            (_, true) => "cancelled",
            (true, _) => "submitted",
            _ => "being submitted",
        };
        writeln!(
            out,
            "campaign  {name}: {task}, {tickets} positions, {questions} questions, {bad} bad, {state}"
        )?;
    }
    for worker in &wire.workers {
        let WorkerWire { name, engine, threads, jobs, chunks, seconds, leaving } = worker;
        let state = if *leaving { ", leaving" } else { "" };
        writeln!(
            out,
            "worker    {name}: {engine}, {threads} threads, {jobs} positions in {chunks} chunks, \
             {seconds:.0} s{state}"
        )?;
    }
    if wire.workers.is_empty() {
        writeln!(out, "worker    none")?;
    }
    Ok(())
}
