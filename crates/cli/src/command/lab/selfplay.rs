//! `obverse lab selfplay`: games of the engine against itself, as records.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_board::Game;
use obverse_lab::selfplay::{self, Plan};
use serde::Serialize;

use super::block::Block;
use super::crew;
use super::ledger::{Ledger, Settings, fingerprint, settings};
use crate::watch::Interrupt;
use crate::{Answer, input, wire};

/// Let the engine play against itself and save what it learns.
///
/// Every game begins with moves the engine did not choose: random ones, or half the time those of a
/// game in --openings and up to three random ones. From there it looks --depth moves ahead, and with
/// --exact-from empty squares or fewer the game is solved. Each position becomes a record of 20 bytes
/// with the value of the search and the score of the game, or the proven score. So do --beside
/// positions beside each one of the game, which tell what becomes of bad moves: up to --ahead moves
/// farther, where each side moves at random never, or one, two or four times of four, and well otherwise.
/// With many moves ahead these are positions as searches meet them.
///
/// Records are added to FILE in blocks of whole games, every 260000 records or five minutes, and in a
/// random order within a block, so that those of one game do not stand together. FILE.state tells how
/// many games are in FILE and how they were played. The same command again goes on from there; other
/// settings are refused. What a killed run left behind is cut off and played again. Ctrl-C finishes
/// the games being played and saves everything; twice, it ends at once.
///
/// A game depends on the settings and its number only: the records are the same on any number of
/// threads, and however often a run is interrupted.
///
/// --json prints: games and records (in FILE), resumed (games that were there before), seconds,
/// games_per_second and records_per_second (of this run).
///
/// Examples:
///   obverse lab selfplay --out games.rec --games 10000
///   obverse lab selfplay --out games.rec --openings wthor.txt --depth 8 --exact-from 16 --time 2h
///   obverse lab selfplay --out second.rec --weights first.bin --seed 2
///   obverse lab selfplay --out late.rec --depth 4 --exact-from 16 --record-from 16 --beside 6
///   obverse lab selfplay --out leaves.rec --depth 4 --record-from 24 --beside 20 --ahead 14
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// Add the records to this file
    #[arg(long, value_name = "FILE")]
    out: String,

    /// How many games FILE shall hold (default: 1000, with --time as many as there is time for)
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Begin half the games like those of this file: the moves of one a line, more columns ignored
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,

    /// How many moves to look ahead
    #[arg(long, value_name = "D", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// From how many empty squares on games are solved
    #[arg(long, value_name = "E", default_value_t = 14, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_from: u32,

    /// How many positions beside the game to look at each turn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    beside: u32,

    /// How many moves those are from the game at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=60))]
    ahead: u32,

    /// From how many empty squares on positions are recorded: fewer than 60 make many late records
    #[arg(long, value_name = "E", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=60))]
    record_from: u32,

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

/// A table is emptied before every game, and small ones faster.
const TABLE_MIB: usize = 4;

const GAMES_DEFAULT: u64 = 1000;

#[derive(Serialize)]
struct SelfPlayWire {
    games: u64,
    records: u64,
    resumed: u64,
    seconds: f64,
    games_per_second: f64,
    records_per_second: f64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let crew = self.crew.crew(TABLE_MIB)?;
        let (openings, openings_name) = self.openings()?;
        let settings = self.settings(crew.weights.checksum(), openings_name);
        let mut ledger = Ledger::open(&self.out, settings)?;
        let (resumed, records_before) = (ledger.games(), ledger.records());
        let games = match (self.games, self.time) {
            (Some(games), _) => games,
            (None, Some(_)) => u64::MAX,
            (None, None) => GAMES_DEFAULT,
        };
        let interrupt = Interrupt::listen()?;
        let plan = Plan {
            depth: self.depth,
            exact_from: self.exact_from,
            beside: self.beside,
            ahead: self.ahead,
            record_from: self.record_from,
        };
        let start = Instant::now();
        let is_stopped =
            || interrupt.is_asked() || self.time.is_some_and(|time| start.elapsed() >= time);
        let bar = bar(games, resumed);
        let mut n_records = 0;
        let mut block = Block::new(&mut ledger, self.seed);
        crew.work(
            resumed..games.max(resumed),
            &is_stopped,
            &|engine, number| selfplay::game(engine, plan, &openings, self.seed, number),
            &mut |records| {
                n_records += records.len();
                bar.inc(1);
                let seconds = start.elapsed().as_secs_f64().max(1e-9);
                let rate = (bar.position() - resumed) as f64 / seconds;
                let records_rate = n_records as f64 / seconds;
                bar.set_message(format!("{rate:.1} games/s, {records_rate:.0} records/s"));
                block.add(&records)
            },
        )?;
        block.save()?;
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let rate = |count: u64| count as f64 / seconds.max(1e-9);
        let wire = SelfPlayWire {
            games: ledger.games(),
            records: ledger.records(),
            resumed,
            seconds,
            games_per_second: rate(ledger.games() - resumed),
            records_per_second: rate(ledger.records() - records_before),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            self.print(out, &wire)?;
        }
        Ok(Answer::Yes)
    }

    fn openings(&self) -> Result<(Vec<Game>, String)> {
        let Some(path) = &self.openings else { return Ok((Vec::new(), "none".to_owned())) };
        let text = input::openings(path)?;
        let games = selfplay::games(&text).with_context(|| path.clone())?;
        Ok((games, fingerprint(text.as_bytes())))
    }

    fn settings(&self, weights: u64, openings: String) -> Settings {
        settings([
            ("seed", self.seed.to_string()),
            ("depth", self.depth.to_string()),
            ("exact-from", self.exact_from.to_string()),
            ("beside", self.beside.to_string()),
            ("ahead", self.ahead.to_string()),
            ("record-from", self.record_from.to_string()),
            ("openings", openings),
            ("weights", format!("{weights:016x}")),
        ])
    }

    fn print(&self, out: &mut dyn Write, wire: &SelfPlayWire) -> Result<()> {
        let SelfPlayWire { games, records, resumed, .. } = wire;
        writeln!(out, "games    {games} in {}, {resumed} of them before", self.out)?;
        writeln!(out, "records  {records}")?;
        writeln!(
            out,
            "time     {:.1} s: {:.1} games/s, {:.0} records/s",
            wire.seconds, wire.games_per_second, wire.records_per_second
        )?;
        Ok(())
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn bar(games: u64, resumed: u64) -> ProgressBar {
    let (bar, style) = if games == u64::MAX {
        (ProgressBar::no_length(), "{spinner} {pos} games, {elapsed}  {msg}")
    } else {
        (ProgressBar::new(games), "{bar:30} {pos}/{len} games, {elapsed}, {eta} left  {msg}")
    };
    bar.set_style(ProgressStyle::with_template(style).expect("a template"));
    bar.set_position(resumed);
    bar.reset_eta();
    bar
}
