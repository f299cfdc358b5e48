//! `obverse batch solve`: what is proven of every position of a stream.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use obverse_board::{Counting, Position};
use obverse_cluster::{
    Control, Coordinator, Limits, MemoryDesk, MemoryTransport, Offer, Question, Task, Transport,
    engine_name,
};
use serde::Serialize;

use super::ledger::{Counts, Ledger, Paths};
use super::lines::{self, Asked, Line, Meter, Shard};
use super::memory::Known;
use super::progress::Progress;
use super::record::Ticket;
use super::task::{Means, TaskArgs};
use crate::watch::Interrupt;
use crate::{Answer, weights, wire};

/// Prove the scores of many positions.
///
/// IN are files, or - for standard input, with a position a line: in any notation, as JSON
/// {"position": …, "id": …}, or as CSV with a first line that names the columns position and id. They
/// are read as they are needed; files of any length will do. What is found out is written to OUT.jsonl,
/// one JSON record a line, in the order it is found out; docs/batch-format.md has the fields. Of files of
/// games (.wtb, .ggf, .sgf, .pgn) every position of every game is a line.
///
/// Positions that are symmetric to each other are solved once. What is known from the store is not
/// solved again. Easy positions are solved one a thread, hard ones by all threads together.
///
/// A line that is no position goes to OUT.bad with the reason, and the rest goes on. After Ctrl-C, or if
/// it is killed, the same command with --resume goes on: nothing that was written is lost or written
/// twice. Ctrl-C finishes the position in hand; a second one stops at once.
///
/// With --time or --nodes a position gets that much; what is then known of it is written as bounds.
///
/// The exit status is 1 if a line was bad, a position is not proven, or it was interrupted.
///
/// Examples:
///   obverse batch solve positions.obf --out scores.jsonl
///   obverse batch solve *.txt --out scores.jsonl --resume --store known.store
///   zcat huge.csv.gz | obverse batch solve - --wld --out outcomes.jsonl
///   obverse batch solve huge.obf --shard 3/16 --out part3.jsonl --time 10s
///   obverse batch solve positions.txt --level 16 --out estimates.jsonl
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files with positions; - for standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    #[command(flatten)]
    paths: Paths,

    #[command(flatten)]
    task: TaskArgs,

    /// Take only the lines of this part of the input, such as 3/16
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    #[command(flatten)]
    means: Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let ask = Ask {
            tasks: vec![self.task.task().to_string()],
            counting: self.task.counting(),
            limits: self.task.limits(),
            is_proof: !matches!(self.task.task(), Task::Level(_)),
            task: {
                let task = self.task.task();
                Box::new(move |_| task)
            },
        };
        let batch = Batch {
            inputs: self.inputs,
            all_games: false,
            paths: self.paths,
            shard: self.shard,
            means: self.means,
            ask,
        };
        batch.run(out, self.json)
    }
}

/// What is asked of every position.
pub(super) struct Ask {
    /// All that may be asked, as text.
    pub(super) tasks: Vec<String>,
    pub(super) task: Box<dyn Fn(Position) -> Task>,
    pub(super) counting: Counting,
    pub(super) limits: Limits,
    /// Whether what is not proven is not what was asked for.
    pub(super) is_proof: bool,
}

/// A batch on this machine.
pub(super) struct Batch {
    pub(super) inputs: Vec<String>,
    /// Whether all of them are files of games, whatever their names.
    pub(super) all_games: bool,
    pub(super) paths: Paths,
    pub(super) shard: Option<Shard>,
    pub(super) means: Means,
    pub(super) ask: Ask,
}

#[derive(Serialize)]
struct BatchWire {
    lines: u64,
    /// Of these, done when the batch was begun.
    resumed: u64,
    solved: u64,
    known: u64,
    unproven: u64,
    bad: u64,
    failed: u64,
    contradictions: u64,
    skipped: u64,
    other_shards: u64,
    complete: bool,
    nodes: u64,
    solver_seconds: f64,
    seconds: f64,
}

/// Lines that are handed over together by the reader.
const LINES: usize = 64;

/// How long the reader may have nothing before the last, unfilled chunk goes out.
const LULL: Duration = Duration::from_millis(200);

impl Batch {
    pub(super) fn run(self, out: &mut dyn Write, json: bool) -> Result<Answer> {
        lines::check(&self.inputs)?;
        let weights = weights::read_or_built_in(self.means.weights.as_deref())?;
        let engine: Arc<str> = engine_name(&weights).into();
        let counting = self.ask.counting.to_string();
        let mut ledger =
            Ledger::open(&self.paths, Arc::clone(&engine), Some((&self.ask.tasks, &counting)))?;
        let resumed = ledger.n_resumed();
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        let meter = Arc::new(Meter::default());
        let transport = MemoryTransport::new(4 * self.means.n_threads() + 4);
        let progress =
            Progress::new(&meter, &ledger.counts, lines::total_bytes(&self.inputs), resumed);
        let lines = self.reader(&meter);
        let say = |reason: &str| progress.say(&format!("warning: {reason}"));
        let complete = self.means.with_crew(weights, &transport, &say, |control| {
            let complete = self.coordinate(&lines, &transport, &mut ledger, &interrupt, control);
            // If the books cannot be kept, there is no use in finishing the jobs in hand.
            if complete.is_err() {
                control.abort();
            }
            complete
        });
        progress.finish();
        let complete = complete.context(
            "the batch was stopped; what was written is safe, and --resume goes on from there",
        )?;
        let get = Counts::get;
        let counts = &ledger.counts;
        let wire = BatchWire {
            lines: get(&meter.lines),
            resumed,
            solved: get(&counts.solved),
            known: get(&counts.known),
            unproven: get(&counts.unproven),
            bad: get(&counts.bad),
            failed: get(&counts.failed),
            contradictions: get(&counts.contradictions),
            skipped: get(&meter.skipped),
            other_shards: get(&meter.others),
            complete,
            nodes: get(&counts.nodes),
            solver_seconds: get(&counts.micros) as f64 / 1e6,
            seconds: start.elapsed().as_secs_f64(),
        };
        // With the results on standard output, what there is to say goes elsewhere.
        let mut err = anstream::stderr();
        let out: &mut dyn Write = if self.paths.out == "-" { &mut err } else { out };
        if json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        // Whoever asks for estimates gets what was asked for.
        let n_unproven = if self.ask.is_proof { wire.unproven } else { 0 };
        let is_all = wire.complete && n_unproven + wire.bad + wire.failed == 0;
        Ok(if is_all { Answer::Yes } else { Answer::No })
    }

    /// Reads the input in a thread of its own, which ends when nobody listens any more.
    ///
    /// It is not waited for: it may be waiting for somebody to type.
    fn reader(&self, meter: &Arc<Meter>) -> Receiver<Result<Vec<Line>>> {
        let (sender, receiver) = sync_channel(16);
        let (inputs, all_games) = (self.inputs.clone(), self.all_games);
        let (shard, meter) = (self.shard, Arc::clone(meter));
        std::thread::spawn(move || {
            let mut batch = Vec::with_capacity(LINES);
            let send = |batch: &mut Vec<Line>, sender: &SyncSender<_>| {
                batch.is_empty() || sender.send(Ok(std::mem::take(batch))).is_ok()
            };
            let is_slow = inputs.iter().any(|path| path == "-");
            let read = lines::read(&inputs, all_games, shard, &meter, &mut |line| {
                batch.push(line);
                // Somebody may be typing.
                (batch.len() < LINES && !is_slow) || send(&mut batch, &sender)
            });
            send(&mut batch, &sender);
            if let Err(error) = read {
                let _ = sender.send(Err(error));
            }
        });
        receiver
    }

    /// Asks about every line and writes the answers; whether all were answered.
    fn coordinate(
        &self,
        lines: &Receiver<Result<Vec<Line>>>,
        transport: &dyn Transport,
        ledger: &mut Ledger,
        interrupt: &Interrupt,
        control: &Control,
    ) -> Result<bool> {
        let mut coordinator = Coordinator::new("local".into(), MemoryDesk::default());
        let mut is_open = true;
        let mut heard = Instant::now();
        while is_open || coordinator.n_open() > 0 {
            if interrupt.is_asked() {
                return wind_up(coordinator, transport, ledger, control);
            }
            offer(&mut coordinator, transport)?;
            let mut is_idle = true;
            // More is read only if there is room for it.
            if is_open && coordinator.front().is_none() {
                let wait = if coordinator.n_open() == 0 { LULL } else { Duration::ZERO };
                match receive(lines, wait) {
                    Ok(batch) => {
                        (heard, is_idle) = (Instant::now(), false);
                        for line in batch? {
                            self.ask(line, &mut coordinator, ledger)?;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) if heard.elapsed() >= LULL => {
                        coordinator.flush();
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        is_open = false;
                        coordinator.flush();
                    }
                }
            }
            let wait = Duration::from_millis(if is_idle { 20 } else { 0 });
            take(&mut coordinator, transport, ledger, wait)?;
            ledger.tick()?;
        }
        ledger.sync()?;
        Ok(true)
    }

    fn ask(
        &self,
        line: Line,
        coordinator: &mut Coordinator<Ticket, MemoryDesk<Ticket>>,
        ledger: &mut Ledger,
    ) -> Result<()> {
        let Line { file, number, content } = line;
        if ledger.is_done(file.as_deref(), number) {
            return Ok(());
        }
        let Asked { id, position } = match content {
            Ok(asked) => asked,
            Err(bad) => return ledger.add_bad(file.as_deref(), number, &bad),
        };
        let task = (self.ask.task)(position);
        let (question, _) = Question::new(position, self.ask.counting, task, self.ask.limits);
        let ticket = Ticket { file, line: number, id, position };
        match ledger.memory.known(&question)? {
            Known::Answer(answer) => ledger.write(ticket, &question, &answer, true),
            Known::Bounds(lower, upper) => {
                let Ok(()) = coordinator.ask(question, (lower, upper), ticket);
                Ok(())
            }
        }
    }
}

/// Waits for what is in hand, and writes it; that is not all.
fn wind_up(
    mut coordinator: Coordinator<Ticket, MemoryDesk<Ticket>>,
    transport: &dyn Transport,
    ledger: &mut Ledger,
    control: &Control,
) -> Result<bool> {
    control.leave();
    while !control.is_home() {
        take(&mut coordinator, transport, ledger, Duration::from_millis(20))?;
        ledger.tick()?;
    }
    take(&mut coordinator, transport, ledger, Duration::ZERO)?;
    ledger.sync()?;
    Ok(false)
}

fn receive(
    lines: &Receiver<Result<Vec<Line>>>,
    wait: Duration,
) -> Result<Result<Vec<Line>>, RecvTimeoutError> {
    if wait.is_zero() {
        return lines.try_recv().map_err(|error| match error {
            TryRecvError::Empty => RecvTimeoutError::Timeout,
            TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        });
    }
    lines.recv_timeout(wait)
}

/// Offers chunks as long as there is room.
fn offer(
    coordinator: &mut Coordinator<Ticket, MemoryDesk<Ticket>>,
    transport: &dyn Transport,
) -> Result<()> {
    while let Some(chunk) = coordinator.front() {
        match transport.offer(chunk)? {
            Offer::Full => break,
            Offer::Taken | Offer::Known => coordinator.offered(),
        }
    }
    Ok(())
}

/// Takes the results there are, and waits so long for the first.
fn take(
    coordinator: &mut Coordinator<Ticket, MemoryDesk<Ticket>>,
    transport: &dyn Transport,
    ledger: &mut Ledger,
    wait: Duration,
) -> Result<()> {
    let mut wait = wait;
    while let Some(results) = transport.results(std::mem::take(&mut wait))? {
        for (job, outcome) in &results.outcomes {
            let Ok(tickets) = coordinator.take(&job.question);
            ledger.settle(&job.question, outcome, tickets)?;
        }
    }
    Ok(())
}

fn print(out: &mut dyn Write, wire: &BatchWire) -> Result<()> {
    let BatchWire { lines, resumed, solved, known, unproven, bad, failed, skipped, .. } = wire;
    let n_done = resumed + solved + known + bad + failed;
    writeln!(out, "lines     {lines} read: {n_done} done, {skipped} blank or comments")?;
    if wire.other_shards > 0 {
        writeln!(out, "          {} of other shards", wire.other_shards)?;
    }
    if *resumed > 0 {
        writeln!(out, "          {resumed} were done before")?;
    }
    writeln!(out, "solved    {solved}, and {known} known; {unproven} not proven")?;
    if bad + failed > 0 {
        writeln!(out, "bad       {bad} lines, {failed} positions that could not be solved")?;
    }
    if wire.contradictions > 0 {
        writeln!(out, "ALARM     {} contradictions with what was known", wire.contradictions)?;
    }
    if !wire.complete {
        writeln!(out, "stopped   --resume goes on from here")?;
    }
    let rate = (solved + known) as f64 / wire.seconds.max(1e-9);
    let (seconds, solver) = (wire.seconds, wire.solver_seconds);
    let nodes = crate::watch::effort(wire.nodes, Duration::from_secs_f64(solver.max(0.0)));
    writeln!(out, "time      {seconds:.1} s, {rate:.0} positions/s")?;
    writeln!(out, "effort    {nodes} of each thread")?;
    Ok(())
}
