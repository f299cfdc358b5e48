//! `obverse verify`: whether a certificate proves what it claims.

use std::fs::File;
use std::io::{BufReader, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_engine::classic::Rng;
use obverse_proof::{Certificate, Leaf, Solver, verify};
use serde::Serialize;

use crate::command::batch::lines::Shard;
use crate::command::solve::all_threads;
use crate::watch::Interrupt;
use crate::{Answer, wire};

/// Check a certificate.
///
/// The tree is checked from its root: that a move is legal where one is enough, that no move is missing
/// where all must be looked at, that every bound is just the one that is needed, and that nothing is
/// there that is not. Then the bounds of its leaves are solved anew, by a plain solver that shares no
/// code with the one that proved them: all of them, or a random sample.
///
/// The exit status is 0 if it is verified, 1 if it is refused, with the reason, or not finished.
///
/// Examples:
///   obverse verify tiny.cert
///   obverse verify huge.cert --resolve 1000 --seed 7
///   obverse verify huge.cert --resolve 5%
///   obverse verify huge.cert --shard 3/16
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    path: String,

    /// Which leaves to solve anew: all, a number of them, or a percentage
    #[arg(long, value_name = "all|N|P%", default_value = "all")]
    resolve: Resolve,

    /// What the sample is drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Solve only the leaves of this part, such as 3/16; the tree is checked whole
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Threads that solve side by side (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Which of some positions to solve anew.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Resolve {
    All,
    Number(usize),
    Share(f64),
}

impl std::str::FromStr for Resolve {
    type Err = String;

    fn from_str(text: &str) -> Result<Resolve, String> {
        let share = text.strip_suffix('%').map(|share| share.trim().parse::<f64>());
        match (text, share) {
            ("all", _) => Ok(Resolve::All),
            (_, Some(Ok(share))) if (0.0..=100.0).contains(&share) => {
                Ok(Resolve::Share(share / 100.0))
            }
            (number, None) if number.parse::<usize>().is_ok() => {
                Ok(Resolve::Number(number.parse().unwrap_or(usize::MAX)))
            }
            _ => Err(format!("found {text:?}, expected all, a number, or a percentage such as 5%")),
        }
    }
}

impl Resolve {
    /// Keeps a sample of as many as are wanted, drawn by a seed.
    pub(crate) fn sample<T>(self, all: &mut Vec<T>, seed: u64) {
        let n = match self {
            Resolve::All => return,
            Resolve::Number(n) => n.min(all.len()),
            Resolve::Share(share) => (share * all.len() as f64).ceil() as usize,
        };
        let mut rng = Rng::new(seed);
        for i in 0..n.min(all.len()) {
            let j = i + rng.below((all.len() - i) as u64) as usize;
            all.swap(i, j);
        }
        all.truncate(n);
    }
}

#[derive(Serialize)]
struct VerifyWire {
    claim: String,
    /// Whether it is verified as far as it was looked at.
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    lines: usize,
    leaves: usize,
    /// Leaves that were solved anew.
    resolved: usize,
    nodes: u64,
    seconds: f64,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let start = Instant::now();
        let path = &self.path;
        let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
        let interrupt = Interrupt::listen()?;
        let mut wire = VerifyWire {
            claim: String::new(),
            verified: false,
            refused: None,
            lines: 0,
            leaves: 0,
            resolved: 0,
            nodes: 0,
            seconds: 0.0,
        };
        let checked = Certificate::read(BufReader::new(file)).and_then(|certificate| {
            let leaves = verify(&certificate)?;
            Ok((certificate, leaves))
        });
        match checked {
            Err(refusal) => wire.refused = Some(refusal.to_string()),
            Ok((certificate, mut leaves)) => {
                wire.lines = certificate.entries.len();
                wire.leaves = leaves.len();
                wire.claim = match &certificate.claims[..] {
                    [claim] => claim.to_string(),
                    claims => format!("= {}", claims[0].bound),
                };
                leaves.sort_by_key(|leaf| leaf.line);
                if let Some(shard) = self.shard {
                    leaves.retain(|leaf| shard.takes(leaf.line));
                }
                self.resolve.sample(&mut leaves, self.seed);
                self.solve(&certificate, &leaves, &interrupt, &mut wire);
            }
        }
        wire.seconds = start.elapsed().as_secs_f64();
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        Ok(if wire.verified { Answer::Yes } else { Answer::No })
    }

    /// Solves leaves side by side.
    fn solve(
        &self,
        certificate: &Certificate,
        leaves: &[Leaf],
        interrupt: &Interrupt,
        wire: &mut VerifyWire,
    ) {
        let bar = ProgressBar::new(leaves.len() as u64);
        let style = "{bar:40} {pos}/{len} leaves, {elapsed}, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).expect("a template"));
        let (next, n_solved, nodes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
        let is_refused = AtomicBool::new(false);
        let refused = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.map_or_else(all_threads, usize::from) {
                scope.spawn(|| {
                    let mut solver = Solver::new(certificate.field, certificate.counting);
                    while !is_refused.load(Ordering::Relaxed) && !interrupt.is_asked() {
                        let Some(leaf) = leaves.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        if !solver.holds(leaf.board, leaf.claim) {
                            is_refused.store(true, Ordering::Relaxed);
                            let why =
                                format!("line {}: the score is not {}", leaf.line, leaf.claim);
                            *refused.lock().expect("nobody panics with it") = Some(why);
                        }
                        n_solved.fetch_add(1, Ordering::Relaxed);
                        bar.inc(1);
                    }
                    nodes.fetch_add(solver.nodes, Ordering::Relaxed);
                });
            }
        });
        bar.finish_and_clear();
        wire.resolved = n_solved.into_inner();
        wire.nodes = nodes.into_inner();
        wire.refused = refused.into_inner().expect("nobody panics with it");
        wire.verified = wire.refused.is_none() && wire.resolved == leaves.len();
    }
}

fn print(out: &mut dyn Write, wire: &VerifyWire) -> Result<()> {
    let VerifyWire { claim, lines, leaves, resolved, .. } = wire;
    if let Some(why) = &wire.refused {
        writeln!(out, "REFUSED   {why}")?;
        return Ok(());
    }
    let word = if wire.verified { "verified" } else { "stopped " };
    writeln!(out, "{word}  {claim}")?;
    writeln!(out, "tree      {lines} lines, {leaves} of them leaves")?;
    let share = 100.0 * *resolved as f64 / (*leaves).max(1) as f64;
    writeln!(out, "solved    {resolved} leaves anew ({share:.1} %)")?;
    let time = std::time::Duration::from_secs_f64(wire.seconds);
    writeln!(out, "effort    {}", crate::watch::effort(wire.nodes, time))?;
    Ok(())
}
