//! `obverse prove`: a claim about a position, proven by a tree of moves, with a certificate.

mod certificate;
mod claim;
mod guide;
mod oracle;
mod plan;

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_board::{Counting, Position};
use obverse_cluster::prove::{Claim, Goal, Prover};
use obverse_cluster::{
    Coordinator, Error, MemoryDesk, MemoryTransport, Offer, Outcome, Question, Transport,
    engine_name,
};
use serde::Serialize;

use self::claim::ClaimArg;
use self::guide::GuideArgs;
use self::oracle::Thinker;
use crate::command::batch::memory::{Known, Memory, is_sound};
use crate::command::batch::task::{CountingArg, Means};
use crate::command::cluster::connect::{CampaignArg, Server};
use crate::watch::Interrupt;
use crate::{Answer, input, weights, wire};

/// Prove a claim about the score of a position, and write a certificate.
///
/// The claim is about the score of the side to move: ">= 0", "<= -4" or "= 10". It is proven by a tree
/// of moves: where one move is enough, the one that promises to cost least is followed; where all must be
/// looked at, all are. The tree goes down to positions with --split empty squares, which are solved on
/// all threads, or by the workers of a cluster with --server. When one turns out otherwise than expected,
/// the tree is planned anew.
///
/// Which move is enough is found out beforehand, by solving the position, where that is expected to cost
/// 10^10 nodes at most; then the tree is small. Elsewhere, and with --cluster, the evaluation is asked.
/// --guide has it one way throughout.
///
/// The certificate lists the tree, so that `obverse verify` can check it without trusting any of this.
/// What was solved is kept in a store: after an interruption the same command goes on.
///
/// --plan tells what the proof is going to cost, and begins nothing.
///
/// The exit status is 1 if the claim is false, or it was interrupted.
///
/// Examples:
///   obverse prove start:4x4 --claim "= -10" --split 8 --out tiny.cert
///   obverse prove POSITION --claim ">= 0" --split 18 --out win.cert
///   obverse prove start --claim ">= 0" --split 36 --plan
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// What is claimed of the score of the side to move: ">= N", "<= N" or "= N"
    #[arg(long, value_name = "CLAIM", allow_hyphen_values = true)]
    claim: ClaimArg,

    /// Solve positions with so many empty squares [default: 8 fewer than the position has, at most 20]
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    split: Option<u32>,

    /// Write the certificate here
    #[arg(long, value_name = "FILE", required_unless_present = "plan")]
    out: Option<String>,

    /// Keep what is solved in this store, and use what it knows [default: FILE.store]
    #[arg(long, value_name = "FILE")]
    store: Option<String>,

    #[command(flatten)]
    guide: GuideArgs,

    /// Only tell what it is going to cost
    #[arg(long)]
    plan: bool,

    /// How many walks through the tree a plan is made of
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    walks: u32,

    /// How to count a finished game
    #[arg(long, value_enum, default_value = "winner-takes-empties")]
    counting: CountingArg,

    #[command(flatten)]
    means: Means,

    /// Have the workers of a cluster solve the positions
    #[arg(long)]
    cluster: bool,

    #[command(flatten)]
    campaign: CampaignArg,

    #[command(flatten)]
    server: Server,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ProveWire {
    claim: String,
    /// `proven`, `refuted` or `interrupted`.
    verdict: &'static str,
    split: u32,
    /// Lines of the certificate, and how many of these are leaves.
    lines: u64,
    leaves: u64,
    /// Leaves that were solved now, and what that took.
    solved: u64,
    nodes: u64,
    solver_seconds: f64,
    /// Positions that were solved to find the way, and what that took.
    guided: u64,
    guide_nodes: u64,
    guide_seconds: f64,
    seconds: f64,
}

/// Leaves that are asked for at the same time, at most: for each thread here, and in a cluster. The more
/// there are, the more are solved in vain when the plan changes.
const OPEN_PER_THREAD: u64 = 64;
const OPEN_IN_CLUSTER: u64 = 4096;

/// How long the queue may be away.
const AWAY_MAX: Duration = Duration::from_mins(10);

/// How often what was found out is made to last.
const SYNC_EVERY: Duration = Duration::from_secs(2);

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = input::game(&self.position)?.position();
        let claims = self.claim.claims(position.size())?;
        let n_empties = position.empties().count();
        let split = self.split.unwrap_or_else(|| n_empties.saturating_sub(8).min(20));
        if self.plan {
            return self.print_plan(out, position, &claims, split);
        }
        let path = self.out.as_deref().context("expected --out FILE")?;
        crate::output::check(path)?;
        let weights = weights::read_or_built_in(self.means.weights.as_deref())?;
        let store = self.store.clone().unwrap_or_else(|| format!("{path}.store"));
        let engine: Arc<str> = engine_name(&weights).into();
        let memory = Memory::open(Some(&store), Arc::clone(&engine))?;
        let interrupt = Interrupt::listen()?;
        let n_threads = self.means.n_threads();
        let guide = self.guide.guide(self.cluster, n_threads, n_empties, &weights, &interrupt);
        let mut office = Office {
            oracle: Thinker::new(weights, self.counting.into(), memory, guide),
            interrupt: &interrupt,
            bar: bar(),
            n_open_max: if self.cluster {
                OPEN_IN_CLUSTER
            } else {
                OPEN_PER_THREAD * n_threads as u64
            },
            solved: 0,
            nodes: 0,
            micros: 0,
            synced: Instant::now(),
            away: None,
        };
        let start = Instant::now();
        let goals = claims.iter().map(|claim| Goal {
            position,
            claim: *claim,
            counting: self.counting.into(),
            split,
        });
        let provers = if self.cluster {
            let name = &self.campaign.campaign;
            let nats = self.server.connect(name, "obverse prove")?;
            office.prove_all(goals, &nats, name)
        } else {
            self.prove_here(&mut office, goals)
        };
        office.bar.finish_and_clear();
        office.oracle.memory.commit()?;
        let provers = provers?;
        let verdict = match &provers[..] {
            all if all.iter().any(|prover| prover.verdict() == Some(false)) => "refuted",
            all if all.iter().all(|prover| prover.verdict() == Some(true)) => "proven",
            _ => "interrupted",
        };
        let mut written = certificate::Written::default();
        if verdict == "proven" {
            let claim = self.claim.to_string();
            written = certificate::write(path, position, self.counting.into(), &claim, &provers)?;
        }
        let guided = office.oracle.effort();
        let wire = ProveWire {
            claim: self.claim.to_string(),
            verdict,
            split,
            lines: written.lines,
            leaves: written.leaves,
            solved: office.solved,
            nodes: office.nodes,
            solver_seconds: office.micros as f64 / 1e6,
            guided: guided.n_solved,
            guide_nodes: guided.nodes,
            guide_seconds: guided.time.as_secs_f64(),
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire, path)?;
        }
        Ok(if verdict == "proven" { Answer::Yes } else { Answer::No })
    }

    /// Solves the leaves on this machine.
    fn prove_here(
        &self,
        office: &mut Office<'_>,
        goals: impl Iterator<Item = Goal>,
    ) -> Result<Vec<Prover>> {
        let transport = MemoryTransport::new(2 * self.means.n_threads() + 2);
        let weights = weights::read_or_built_in(self.means.weights.as_deref())?;
        let bar = office.bar.clone();
        let say = |reason: &str| bar.suspend(|| crate::command::cluster::connect::say(reason));
        self.means.with_crew(weights, &transport, &say, |control| {
            let provers = office.prove_all(goals, &transport, "local");
            // What is still being solved is not needed any more.
            control.abort();
            provers
        })
    }

    fn print_plan(
        &self,
        out: &mut dyn Write,
        position: Position,
        claims: &[Claim],
        split: u32,
    ) -> Result<Answer> {
        let weights = weights::read_or_built_in(self.means.weights.as_deref())?;
        let engine: Arc<str> = engine_name(&weights).into();
        // What is known already costs nothing.
        let memory = Memory::open(self.store.as_deref(), engine)?;
        let counting: Counting = self.counting.into();
        let mut oracle = Thinker::new(weights, counting, memory, None);
        let goals = claims.iter().map(|claim| Goal { position, claim: *claim, counting, split });
        plan::print(out, goals, &mut oracle, self.walks, self.json)
    }
}

/// Proves one claim after the other.
struct Office<'a> {
    oracle: Thinker,
    interrupt: &'a Interrupt,
    bar: ProgressBar,
    n_open_max: u64,
    solved: u64,
    nodes: u64,
    micros: u64,
    synced: Instant,
    /// Since when the queue is away.
    away: Option<Instant>,
}

impl Office<'_> {
    fn prove_all(
        &mut self,
        goals: impl Iterator<Item = Goal>,
        transport: &dyn Transport,
        campaign: &str,
    ) -> Result<Vec<Prover>> {
        let mut provers = Vec::new();
        for goal in goals {
            let prover = self.prove(goal, transport, campaign)?;
            let verdict = prover.verdict();
            provers.push(prover);
            if verdict != Some(true) {
                break;
            }
        }
        Ok(provers)
    }

    fn prove(&mut self, goal: Goal, transport: &dyn Transport, campaign: &str) -> Result<Prover> {
        let mut prover = Prover::new(goal, &mut self.oracle);
        let mut coordinator = Coordinator::new(campaign.into(), MemoryDesk::default());
        // The same position may be asked about by two claims.
        let mut open = HashSet::new();
        while prover.verdict().is_none() && !self.interrupt.is_asked() {
            let room = self.n_open_max.saturating_sub(coordinator.n_open());
            if room >= self.n_open_max / 2 && coordinator.front().is_none() {
                let questions = prover.next(room as usize, &mut self.oracle);
                self.oracle.check()?;
                for question in questions {
                    self.ask(question, &mut prover, &mut coordinator, &mut open)?;
                }
                // There may be no more to fill the last chunk until these are answered.
                coordinator.flush();
            }
            while let Some(chunk) = coordinator.front() {
                match self.forgive(transport.offer(chunk))? {
                    None | Some(Offer::Full) => break,
                    Some(Offer::Taken | Offer::Known) => coordinator.offered(),
                }
            }
            let mut wait = Duration::from_millis(50);
            while let Some(results) =
                self.forgive(transport.results(std::mem::take(&mut wait)))?.flatten()
            {
                for (job, outcome) in &results.outcomes {
                    let Ok(_) = coordinator.take(&job.question);
                    if open.remove(&job.question) {
                        self.settle(&job.question, outcome, &mut prover)?;
                    }
                }
            }
            self.tick(&prover, goal.claim)?;
        }
        Ok(prover)
    }

    /// Nothing, if the queue is away but may come back; an error if it has been away for too long.
    fn forgive<T>(&mut self, outcome: Result<T, Error>) -> Result<Option<T>> {
        match outcome {
            Ok(done) => {
                self.away = None;
                Ok(Some(done))
            }
            Err(Error::Away(why)) => {
                let since = *self.away.get_or_insert_with(Instant::now);
                if since.elapsed() >= AWAY_MAX {
                    return Err(Error::Away(why).into());
                }
                std::thread::sleep(Duration::from_millis(200));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn ask(
        &mut self,
        question: Question,
        prover: &mut Prover,
        coordinator: &mut Coordinator<(), MemoryDesk<()>>,
        open: &mut HashSet<Question>,
    ) -> Result<()> {
        match self.oracle.memory.known(&question)? {
            Known::Answer(answer) => prover.answer(&question, answer.lower, answer.upper),
            Known::Bounds(lower, upper) => {
                open.insert(question);
                let Ok(()) = coordinator.ask(question, (lower, upper), ());
            }
        }
        Ok(())
    }

    fn settle(
        &mut self,
        question: &Question,
        outcome: &Outcome,
        prover: &mut Prover,
    ) -> Result<()> {
        let answer = match outcome {
            Outcome::Answer(answer) => answer,
            Outcome::Failed(reason) => bail!("a position could not be solved: {reason}"),
        };
        is_sound(question, answer).map_err(|why| anyhow::anyhow!("a worker's answer: {why}"))?;
        if let Some(told) = self.oracle.memory.learn(question, answer)? {
            bail!("contradiction: {told}");
        }
        self.solved += 1;
        self.nodes += answer.nodes;
        self.micros += answer.micros;
        prover.answer(question, answer.lower, answer.upper);
        Ok(())
    }

    fn tick(&mut self, prover: &Prover, claim: Claim) -> Result<()> {
        if self.synced.elapsed() < SYNC_EVERY {
            return Ok(());
        }
        self.oracle.memory.commit()?;
        self.synced = Instant::now();
        if !self.bar.is_hidden() {
            let size = prover.size();
            self.bar.set_message(format!(
                "{claim}: {} of {} leaves proven as planned, {} solved, {} positions in the tree",
                size.proven, size.leaves, self.solved, size.positions
            ));
            self.bar.tick();
        }
        Ok(())
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    bar.set_style(style.expect("a template"));
    bar
}

fn print(out: &mut dyn Write, wire: &ProveWire, path: &str) -> Result<()> {
    let ProveWire { claim, verdict, split, lines, leaves, solved, .. } = wire;
    match *verdict {
        "proven" => {
            writeln!(out, "proven    {claim}")?;
            writeln!(
                out,
                "written   {path}: {lines} lines, {leaves} leaves of at most {split} empties"
            )?;
        }
        "refuted" => writeln!(out, "refuted   it is not {claim}")?,
        _ => writeln!(out, "stopped   the same command goes on from here")?,
    }
    if wire.guided > 0 {
        let time = Duration::from_secs_f64(wire.guide_seconds);
        let effort = crate::watch::effort(wire.guide_nodes, time);
        writeln!(out, "guided    by {} solutions: {effort}", wire.guided)?;
    }
    let effort = crate::watch::effort(wire.nodes, Duration::from_secs_f64(wire.solver_seconds));
    writeln!(out, "solved    {solved} positions in {:.1} s", wire.seconds)?;
    writeln!(out, "effort    {effort} of each thread")?;
    Ok(())
}
