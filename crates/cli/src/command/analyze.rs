//! `obverse analyze`: what every move of a game was worth.

mod graph;
mod judge;
mod report;
mod svg;
mod wire;

use std::fmt;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_board::Game;
use obverse_engine::{Engine, Level, Limits};

pub(crate) use self::judge::Judge;
pub(crate) use self::wire::{ReviewWire, review as review_wire};
use super::batch::task::CountingArg;
use super::solve::{Resources, all_threads};
use crate::watch::Interrupt;
use crate::{Answer, input};

/// Tell what every move of a game was worth, and which would have been better.
///
/// Each move is compared with the best one the engine finds: what it loses against that, in discs,
/// and how this is known. A value is proven, selective (a search to the end that left out what it was
/// so many per cent sure of) or an estimate (looking so many moves ahead). A mistake (?) loses 4
/// discs or more, a blunder (??) 10 or more. Accuracy is the share of the moves with a choice that
/// lose less than 1 disc.
///
/// A position without moves is analyzed by itself: its best moves and what should follow.
///
/// The game is analyzed from its end. Ctrl-C stops that and prints what there is; the exit status is
/// then 1.
///
/// Examples:
///   obverse analyze f5d6c3d3c4f4f6
///   obverse analyze @game.ggf --level 16 --svg game.svg
///   obverse analyze - --time 2s --top 3 < game.txt
///   obverse analyze POSITION --top 10
///   obverse analyze @game.ggf --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game, in any notation, or a position; - for standard input, @FILE for a file, @FILE#3 for its
    /// third game
    #[arg(allow_hyphen_values = true)]
    game: String,

    #[command(flatten)]
    effort: EffortArgs,

    /// List this many of the best moves of each position [default for a single position: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    top: Option<u8>,

    /// How to count a finished game
    #[arg(long, value_enum, default_value = "winner-takes-empties")]
    counting: CountingArg,

    #[command(flatten)]
    resources: Resources,

    /// Also draw the game here: its course, and where it was lost
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// Draw with plain ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How far to think about each position; shared with `batch analyze`.
#[derive(clap::Args, Debug)]
pub(crate) struct EffortArgs {
    /// Think about each position as the engine does at this level, 1 to 30 [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=Level::MAX.into()))]
    level: Option<u8>,

    /// Think this many moves ahead instead, and prove the score of so many empty squares
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Think this long about each position instead, for example 1s or 500ms
    #[arg(long, value_name = "TIME", conflicts_with_all = ["level", "depth"], value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

const LEVEL_DEFAULT: u8 = 12;

/// How many moves of a single position are listed.
const TOP_DEFAULT: u8 = 5;

/// Most positions of a game are far from the end and need no table for a long proof: one for this
/// many empty squares will do.
const TABLE_EMPTIES_MAX: u32 = 25;

/// How far to think about each position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    Level(Level),
    Depth(u32),
    Time(Duration),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Level(level) => write!(f, "level {}", level.get()),
            Effort::Depth(depth) => write!(f, "depth {depth}"),
            Effort::Time(time) => write!(f, "{} a position", humantime::format_duration(*time)),
        }
    }
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let game = input::game(&self.game)?;
        let is_position = game.moves().is_empty();
        if let Some(path) = self.svg.as_ref().filter(|_| is_position) {
            bail!("found a position without moves, expected a game to draw in {path}");
        }
        let mut engine = self.engine(&game);
        let mut judge = self.judge(&mut engine, is_position)?;
        if is_position {
            return self.best_moves(out, &game, &mut judge);
        }
        let review = {
            let line = progress_line(&game);
            let review = judge.review(&game, &mut |n_done| line.set_position(n_done));
            line.finish_and_clear();
            review
        };
        if self.json {
            wire::print_review(out, &review, &game, &judge)?;
        } else {
            let is_plain = self.ascii || !input::is_utf8_locale();
            report::print(out, &review, &judge, &game, is_plain, self.top.is_some())?;
        }
        // Last, so that the report is there even if this fails.
        if let Some(path) = &self.svg {
            std::fs::write(path, svg::draw(&review, &judge))
                .with_context(|| format!("cannot write {path}"))?;
        }
        Ok(if review.is_complete() { Answer::Yes } else { Answer::No })
    }

    fn engine(&self, game: &Game) -> Engine {
        let n_empties = game.start().empties().count().min(TABLE_EMPTIES_MAX);
        self.resources.solver(n_empties, all_threads())
    }

    fn judge<'a>(&self, engine: &'a mut Engine, is_position: bool) -> Result<Judge<'a>> {
        let effort = self.effort.effort()?;
        let counting = self.counting.into();
        Ok(Judge {
            engine,
            n_threads: self.resources.n_threads(all_threads()) as u32,
            interrupt: Interrupt::listen()?,
            effort,
            counting,
            top: self.top.unwrap_or(if is_position { TOP_DEFAULT } else { 1 }).into(),
        })
    }

    /// The best moves of a position.
    fn best_moves(
        &self,
        out: &mut dyn Write,
        game: &Game,
        judge: &mut Judge<'_>,
    ) -> Result<Answer> {
        let position = game.position();
        let answer = judge.think(position);
        // A limit of time is there to be reached.
        let is_complete = !judge.interrupt.is_asked();
        if self.json {
            wire::print_position(out, game, judge, &answer, is_complete)?;
        } else {
            report::print_position(out, position, judge, &answer, is_complete)?;
        }
        Ok(if is_complete { Answer::Yes } else { Answer::No })
    }
}

impl EffortArgs {
    pub(crate) fn effort(&self) -> Result<Effort> {
        let level =
            Level::new(self.level.unwrap_or(LEVEL_DEFAULT)).context("there is no such level")?;
        Ok(match (self.depth, self.time) {
            (Some(depth), _) => Effort::Depth(depth),
            (_, Some(time)) => Effort::Time(time),
            _ => Effort::Level(level),
        })
    }
}

impl Effort {
    fn limits(self, threads: u32) -> Limits {
        match self {
            Effort::Level(level) => level.into(),
            Effort::Depth(depth) => {
                Limits { depth, end_from: depth, proof_from: depth, ..Limits::NONE }
            }
            Effort::Time(time) => obverse_studio::clock::limits(time.saturating_mul(threads)),
        }
    }

    const fn time(self) -> Option<Duration> {
        match self {
            Effort::Time(time) => Some(time),
            _ => None,
        }
    }
}

/// Drawn on standard error, and only if that is a terminal.
fn progress_line(game: &Game) -> ProgressBar {
    let n_moves = game.moves().iter().filter(|mv| mv.square().is_some()).count();
    let line = ProgressBar::new(n_moves as u64);
    let template = "{bar:40} {pos}/{len} moves, {elapsed} (Ctrl-C shows what there is)";
    line.set_style(ProgressStyle::with_template(template).expect("a template"));
    line.enable_steady_tick(Duration::from_millis(200));
    line
}
