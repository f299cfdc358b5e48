//! `obverse lab match`: which of two players is better.

use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use obverse_lab::{Openings, Sprt, Verdict};

use super::hall::Hall;
use super::record::Record;
use super::results::Results;
use crate::player::{Seat, program};
use crate::{Answer, input};

/// Find out which of two players is better.
///
/// Each opening is played twice with the colors exchanged, and the results are counted by such
/// pairs: the Elo difference has an error for a confidence of 95 %. --sprt stops as soon as it is
/// clear whether A is better than B by ELO1 or only by ELO0; exit status 1 tells that it is not.
///
/// With --out every game is saved when it ends, one GGF a line. The same command again goes on
/// where that file ends. Ctrl-C stops, and prints what there is; twice, at once.
///
/// Players are those of `obverse play`. nboard:COMMAND is a program that speaks the NBoard protocol,
/// with settings before the command: nboard:depth=12:COMMAND, nboard:time=0.1:COMMAND.
///   depth=N   the depth it is told to search (default: 12, with time= 60)
///   time=S    S seconds for each of its moves, which it gets as a clock for the whole game
///   wait=S    it is given up when it does not answer for so long (default: 60)
/// A program that ends, does not answer or breaks the rules loses the game and is started again.
///
/// --json prints: players, games, wins, draws, losses (of A), score (0 to 1), elo, elo_error,
/// discs (A's average), pentanomial (pairs with 0, 1/2, 1, 3/2 and 2 points for A), forfeits and
/// seconds_per_move (of A and B), resumed (games read from --out), and with --sprt llr, bounds and
/// verdict (accepted, rejected or undecided). What cannot be told is null.
///
/// Examples:
///   obverse lab match alphabeta:depth=4,eval=positional alphabeta:depth=4 --games 200
///   obverse lab match nboard:depth=6:'ntest x' alphabeta:depth=4 --openings xot.txt --out games.ggf
///   obverse lab match minimax:depth=3 minimax:depth=2 --games 2000 --sprt 0,10 --concurrency 8
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(super) struct Args {
    /// The player that may be better
    #[arg(value_name = "A", value_parser = program)]
    first: Seat,

    /// The player it is compared with
    #[arg(value_name = "B", value_parser = program)]
    second: Seat,

    /// How many games, at most with --sprt; rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=Record::NUMBER_MAX as u64))]
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
        let n_games = 2 * self.games.div_ceil(2) as usize;
        if let Some(n) = openings.n_different().filter(|n| *n < n_games / 2) {
            let mut stderr = anstream::stderr();
            let n_pairs = n_games / 2;
            writeln!(stderr, "note: {n_pairs} pairs of {n} openings: some are played again")?;
        }
        let names = [self.first.to_string(), self.second.to_string()];
        let (saved, mut file) = match &self.out {
            Some(path) => {
                let (saved, file) = Record::open(path)?;
                (saved, Some(file))
            }
            None => (Vec::new(), None),
        };
        let last = saved.iter().map(|record| record.number).max().unwrap_or(0);
        let openings = openings.take(n_games.max(last).div_ceil(2));
        let mut results = Results::new(names, sprt);
        for record in &saved {
            record
                .check(&results.names, &openings)
                .context(self.out.clone().unwrap_or_default())?;
            results.resume(record);
        }
        let todo = (1..=n_games).filter(|number| !results.has(*number)).collect();
        let hall = Hall { seats: [&self.first, &self.second], openings, seed: self.seed, todo };
        let stop = stop_at_interrupt()?;
        let bar = bar(n_games, &results);
        if results.verdict().is_none() {
            hall.play(usize::from(self.concurrency), &stop, |number, played| {
                let record = Record::new(number, &results.names, &played);
                if let Some(file) = &mut file {
                    // One write a game, so that an interrupted one is not half a line.
                    file.write_all(record.line.as_bytes()).context("cannot save the game")?;
                }
                if let Some(complaint) = record.complaint(&played) {
                    bar.suspend(|| writeln!(anstream::stderr(), "{complaint}"))?;
                }
                results.add(&record, &played);
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
