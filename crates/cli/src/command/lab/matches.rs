//! `obverse lab match`: which of two or more players are better, and by how much.

use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_lab::{Openings, Sprt, Verdict};

use super::hall::Hall;
use super::results::Results;
use super::saved::Saved;
use super::schedule::Schedule;
use crate::player::{Seat, program};
use crate::{Answer, input};

/// Find out which of two or more players are better, and by how much.
///
/// Everybody plays everybody. Each opening is played twice with the colors exchanged, and the results
/// are counted by such pairs. Of two players the Elo difference is told, of more the Elo of each (the
/// average is 0) with a table of who won how much against whom; all errors are for a confidence of 95 %.
/// --sprt, for two players, stops as soon as it is clear whether A is better than B by ELO1 or only by
/// ELO0; exit status 1 tells that it is not.
///
/// With --out every game is saved when it ends, one GGF a line, with the value and time of each move. The
/// same command again goes on where that file ends. Ctrl-C stops, and prints what there is; twice, at
/// once.
///
/// Players are those of `obverse play`. Other programs are nboard:COMMAND and gtp:COMMAND, by the protocol
/// they speak, with settings before the command: nboard:depth=12:COMMAND, gtp:time=0.5:COMMAND.
///   depth=N   nboard: the depth it is told to search (default: 12, with time= 60)
///   level=N   gtp: the level it is told to play at, if it knows the command `set_level`
///   time=S    S seconds for each of its moves, which it gets as a clock for the whole game
///   wait=S    it is given up when it does not answer for so long (default: 60)
/// A program that ends, does not answer or breaks the rules loses the game and is started again.
///
/// --json prints of two players: players, games, wins, draws, losses (of A), score (0 to 1), elo,
/// elo_error, discs (A's average), pentanomial (pairs with 0, 1/2, 1, 3/2 and 2 points for A), forfeits and
/// seconds_per_move (of A and B), resumed (games read from --out), and with --sprt llr, bounds and
/// verdict (accepted, rejected or undecided). Of more it prints: players (for each: player, games, wins,
/// draws, losses, score, discs, elo, elo_error, forfeits, seconds_per_move), pairings (first, second, wins,
/// draws, losses, pentanomial, elo, elo_error), assumed_draws (whether a drawn pair was added to each
/// pairing because somebody won or lost all) and resumed. What cannot be told is null.
///
/// Examples:
///   obverse lab match alphabeta:depth=4,eval=positional alphabeta:depth=4 --games 200
///   obverse lab match nboard:depth=6:'ntest x' alphabeta:depth=4 --openings xot.txt --out games.ggf
///   obverse lab match minimax:depth=3 minimax:depth=2 --games 2000 --sprt 0,10 --concurrency 8
///   obverse lab match engine:level=8 gtp:gtp-rhino nboard:depth=8:'ntest x' --games 50
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The players, two or more
    #[arg(value_name = "PLAYER", num_args = 2.., required = true, value_parser = program)]
    players: Vec<Seat>,

    /// How many games each two play, at most with --sprt; rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=Schedule::NUMBER_MAX as u64))]
    games: u64,

    /// A file with an opening a line, or of games in GGF, SGF, PGN or WTHOR, or random:PLIES
    #[arg(long, value_name = "FILE", default_value = "random:8")]
    openings: OpeningsArg,

    /// Where the randomness starts: the order of the openings, and random players
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games that are played side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Stop when it is clear whether A is better by ELO1 or by ELO0
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        value_delimiter = ',',
        num_args = 1,
        allow_negative_numbers = true
    )]
    sprt: Option<Vec<f64>>,

    /// How often --sprt may wrongly say that A is better by ELO1
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// How often --sprt may wrongly say that it is not
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// Save the games here, and do not play again what is there
    #[arg(long, value_name = "FILE")]
    out: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where openings come from.
#[derive(Clone, Debug)]
enum OpeningsArg {
    Random(u32),
    File(String),
}

impl FromStr for OpeningsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningsArg, String> {
        let Some(plies) = text.strip_prefix("random:") else {
            return Ok(OpeningsArg::File(text.to_owned()));
        };
        let plies = plies.parse().ok().filter(|plies| *plies <= 50).map(OpeningsArg::Random);
        plies.ok_or_else(|| format!("found {text:?}, expected random: and a number up to 50"))
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let sprt = self.sprt()?;
        let openings = self.openings()?;
        let names: Vec<String> = self.players.iter().map(Seat::to_string).collect();
        let mut results = Results::new(names, sprt);
        let n_openings = self.games.div_ceil(2) as usize;
        let n_games = results.schedule.n_games(n_openings);
        if n_games > Schedule::NUMBER_MAX {
            bail!("found {n_games} games in all, expected at most {}", Schedule::NUMBER_MAX);
        }
        if let Some(n) = openings.n_different().filter(|n| *n < n_openings) {
            let mut stderr = anstream::stderr();
            writeln!(stderr, "note: {n_openings} pairs of {n} openings: some are played again")?;
        }
        let (saved, mut file) = match &self.out {
            Some(path) => {
                let (saved, file) = Saved::open(path)?;
                (saved, Some(file))
            }
            None => (Vec::new(), None),
        };
        let last = saved.iter().map(|saved| results.schedule.fixture(saved.number).i_opening).max();
        let openings = openings.take(n_openings.max(last.map_or(0, |last| last + 1)));
        for saved in &saved {
            saved
                .check(&results.schedule, &results.names, &openings)
                .context(self.out.clone().unwrap_or_default())?;
            results.resume(saved);
        }
        let todo = (1..=n_games).filter(|number| !results.has(*number)).collect();
        let schedule = results.schedule.clone();
        let (seats, seed) = (&self.players[..], self.seed);
        let hall = Hall { seats, schedule: &schedule, openings, seed, todo };
        let stop = stop_at_interrupt()?;
        let bar = bar(n_games, &results);
        if results.verdict().is_none() {
            hall.play(usize::from(self.concurrency), &stop, |fixture, played| {
                let saved = Saved::new(fixture, &results.names, &played);
                if let Some(file) = &mut file {
                    // One write a game, so that an interrupted one is not half a line.
                    file.write_all(saved.line().as_bytes()).context("cannot save the game")?;
                }
                if let Some(complaint) = Results::complaint(fixture, &played) {
                    bar.suspend(|| writeln!(anstream::stderr(), "{complaint}"))?;
                }
                results.add(fixture, &saved, &played);
                bar.inc(1);
                bar.set_message(results.brief());
                if results.verdict().is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(())
            })?;
        }
        bar.finish_and_clear();
        if self.json {
            results.print_json(out)?;
        } else {
            results.print(out)?;
        }
        Ok(if results.verdict() == Some(Verdict::Rejected) { Answer::No } else { Answer::Yes })
    }

    fn sprt(&self) -> Result<Option<Sprt>> {
        let Some(elo) = &self.sprt else { return Ok(None) };
        let [elo0, elo1] = elo[..] else {
            return Err(anyhow!("--sprt: found {} numbers, expected two: 0,5", elo.len()));
        };
        if self.players.len() > 2 {
            bail!("--sprt: found {} players, expected two", self.players.len());
        }
        Ok(Some(Sprt::new(elo0, elo1, self.alpha, self.beta).context("--sprt")?))
    }

    fn openings(&self) -> Result<Openings> {
        match &self.openings {
            OpeningsArg::Random(plies) => Ok(Openings::random(*plies, self.seed)),
            OpeningsArg::File(path) => {
                let text = input::openings(path)?;
                Openings::parse(&text, self.seed).with_context(|| path.clone())
            }
        }
    }
}

/// A flag that Ctrl-C sets. The second time it ends the program: somebody has lost patience.
fn stop_at_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            #[allow(clippy::exit, reason = "nobody else can end it while a player thinks")]
            std::process::exit(2);
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// Drawn on standard error, and only if that is a terminal.
fn bar(n_games: usize, results: &Results) -> ProgressBar {
    let style = "{bar:30} {pos}/{len} games, {elapsed}, {eta} left  {msg}";
    let bar = ProgressBar::new(n_games as u64);
    bar.set_style(ProgressStyle::with_template(style).expect("a template"));
    bar.set_position(results.n_games() as u64);
    bar.reset_eta();
    bar.set_message(results.brief());
    bar
}
