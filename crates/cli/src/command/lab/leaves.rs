//! `obverse lab leaves`: positions as searches meet them, as records.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_lab::leaves::{self, Plan};
use obverse_lab::selfplay;
use serde::Serialize;

use super::bar;
use super::block::Block;
use super::crew;
use super::ledger::{Ledger, Settings, fingerprint, settings};
use crate::watch::Interrupt;
use crate::{Answer, input, wire};

/// Make records of positions as searches meet them.
///
/// A leaf is up to --ahead moves from a position of one of the --games. On the way there each side
/// moves at random never, or one, two or four times of four, and otherwise makes the move that the
/// evaluation likes best at once. With --exact-from empty squares or fewer it is solved; with
/// --end-from or fewer it is searched to the end, 73 % sure of what is left out, which takes half of
/// the time with 15 empty squares and an eighth with 20; with more it is searched --depth moves
/// ahead. --follow positions of best play from there on are labelled in the same way: what is known
/// by then makes them cheap.
///
/// Records are added to FILE in blocks, as by `lab selfplay`: the same command again goes on from
/// where FILE.state says, other settings are refused, and Ctrl-C saves everything. They are the same
/// on any number of threads.
///
/// --json prints: records (in FILE), resumed (records that were there before), seconds and
/// records_per_second (of this run).
///
/// Examples:
///   obverse lab leaves --games wthor.txt --empties 8-12 --count 10M --out late.rec
///   obverse lab leaves --games wthor.txt --empties 18-29 --depth 8 --count 2M --out middle.rec
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// Add the records to this file
    #[arg(long, value_name = "FILE")]
    out: String,

    /// The games to start from: the moves of one a line, more columns ignored
    #[arg(long, value_name = "FILE")]
    games: String,

    /// How many empty squares leaves have: a number, or the least and the most
    #[arg(long, value_name = "A-B", value_parser = parse_empties)]
    empties: (u32, u32),

    /// How many records FILE shall hold at least
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "1M")]
    count: u64,

    /// How many moves leaves are from a game at most
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=60))]
    ahead: u32,

    /// From how many empty squares on leaves are solved
    #[arg(long, value_name = "E", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_from: u32,

    /// From how many empty squares on the others are searched to the end
    #[arg(long, value_name = "E", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=60))]
    end_from: u32,

    /// How many moves to look ahead from the rest
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// How many of the positions that follow each leaf, if both play their best, are recorded too
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=60))]
    follow: u32,

    /// Where the randomness starts
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Stop after this long, for example 10m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,

    #[command(flatten)]
    crew: crew::Means,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A table is emptied before every batch, and small ones faster.
const TABLE_MIB: usize = 4;

#[derive(Serialize)]
struct LeavesWire {
    records: u64,
    resumed: u64,
    seconds: f64,
    records_per_second: f64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let crew = self.crew.crew(TABLE_MIB)?;
        let (least, most) = self.empties;
        let plan = Plan {
            empties: least..=most,
            ahead: self.ahead,
            exact_from: self.exact_from,
            end_from: self.end_from,
            depth: self.depth,
            follow: self.follow,
        };
        let text = input::openings(&self.games)?;
        let mut games = selfplay::games(&text).with_context(|| self.games.clone())?;
        games.retain(|game| plan.reaches(game));
        if games.is_empty() {
            let far = most + self.ahead;
            bail!("{}: found no game that comes to {far} empty squares, expected some", self.games);
        }
        let settings = self.settings(crew.weights.checksum(), fingerprint(text.as_bytes()));
        let mut ledger = Ledger::open(&self.out, settings)?;
        let (n_batches, resumed) = (ledger.games(), ledger.records());
        let interrupt = Interrupt::listen()?;
        let start = Instant::now();
        let n_records = AtomicU64::new(resumed);
        let is_stopped = || {
            interrupt.is_asked()
                || self.time.is_some_and(|time| start.elapsed() >= time)
                || n_records.load(Ordering::Relaxed) >= self.count
        };
        let bar = bar(self.count, "records");
        bar.set_position(resumed);
        bar.reset_eta();
        let mut block = Block::new(&mut ledger, self.seed);
        crew.work(
            n_batches..u64::MAX,
            &is_stopped,
            &|engine, number| leaves::batch(engine, &plan, &games, self.seed, number),
            &mut |records| {
                // Batches that others were still busy with are too many: where the file ends must not depend on
                // how many they were.
                if n_records.load(Ordering::Relaxed) >= self.count {
                    return Ok(());
                }
                let n = records.len() as u64;
                n_records.fetch_add(n, Ordering::Relaxed);
                bar.inc(n);
                block.add(&records)
            },
        )?;
        block.save()?;
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let records = ledger.records();
        let records_per_second = (records - resumed) as f64 / seconds.max(1e-9);
        let wire = LeavesWire { records, resumed, seconds, records_per_second };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            writeln!(out, "records  {records} in {}, {resumed} of them before", self.out)?;
            writeln!(out, "time     {seconds:.1} s: {records_per_second:.0} records/s")?;
        }
        Ok(Answer::Yes)
    }

    fn settings(&self, weights: u64, games: String) -> Settings {
        settings([
            ("seed", self.seed.to_string()),
            ("empties", format!("{}-{}", self.empties.0, self.empties.1)),
            ("ahead", self.ahead.to_string()),
            ("exact-from", self.exact_from.to_string()),
            ("end-from", self.end_from.to_string()),
            ("follow", self.follow.to_string()),
            ("depth", self.depth.to_string()),
            ("games", games),
            ("weights", format!("{weights:016x}")),
        ])
    }
}

/// A number of records, in thousands with k and in millions with M behind it.
fn parse_count(text: &str) -> Result<u64> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k') => (&text[..text.len() - 1], 1_000),
        Some(b'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let count = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit));
    count.with_context(|| format!("found '{text}', expected a number such as 5000, 500k or 10M"))
}

/// One number of empty squares, or two with a dash between.
pub(super) fn parse_empties(text: &str) -> Result<(u32, u32)> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 59 => Ok((least, most)),
        _ => bail!("found '{text}', expected numbers from 1 to 59 such as 10 or 8-12"),
    }
}
