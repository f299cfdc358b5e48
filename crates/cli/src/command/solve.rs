//! `obverse solve`: the proven score and best move of a position.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use indicatif::ProgressBar;
use obverse_board::{Counting, Move, Position, Score};
use obverse_cluster::{all_moves, table_mib};
use obverse_engine::solve::{Goal, Progress, Proof, Request};
use obverse_engine::{Config, Engine, Monitor};
use serde::Serialize;

use crate::{Answer, input, watch, wire};

/// Prove the score and best move of a position.
///
/// The score is the final disc difference for the side to move with best play by both sides. It is
/// given under both ways to count a finished game: winner-takes-empties (the convention of
/// tournaments) and discs (the plain difference). Every number printed is proven.
///
/// With --time the search stops after that long; what is then known is printed as bounds, and the
/// exit status is 1.
///
/// Examples:
///   obverse solve start:4x4
///   obverse solve @position.txt --threads 2 --time 60s
///   obverse solve POSITION --wld
///   obverse solve POSITION --window -4,4
///   obverse solve POSITION --all-moves --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// Prove only whether it is a win, a draw or a loss
    #[arg(long, conflicts_with = "window")]
    wld: bool,

    /// Prove the score only if it lies between A and B
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    window: Option<Window>,

    /// Prove the score of every move
    #[arg(long, conflicts_with_all = ["wld", "window"])]
    all_moves: bool,

    /// How to count a finished game
    #[arg(long, value_enum, default_value = "both")]
    counting: CountingArg,

    #[command(flatten)]
    resources: Resources,

    /// Stop after this long, for example 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How much of the machine to use; shared with `bench` and `analyze`.
#[derive(clap::Args, Debug)]
pub(crate) struct Resources {
    /// Threads that search together (default: one for each processor, for bench just one)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The size of the table in MiB (default: by the number of empty squares, at most 1024)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    table_mib: Option<u32>,
}

impl Resources {
    pub(crate) fn n_threads(&self, default: usize) -> usize {
        self.threads.map_or(default, |n| n as usize)
    }

    pub(crate) fn solver(&self, n_empties: u32, default_threads: usize) -> Engine {
        Engine::new(Config {
            threads: self.n_threads(default_threads),
            table_mib: self.table_mib.map_or(table_mib(n_empties), |mib| mib as usize),
        })
    }
}

/// One thread for each processor.
pub(crate) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum CountingArg {
    /// Both, one after the other
    Both,
    /// Own discs minus the opponent's
    Discs,
    /// The same, with the empty squares given to the winner
    WinnerTakesEmpties,
}

/// `A,B`, as typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window(pub(crate) Score, pub(crate) Score);

impl std::str::FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Window, String> {
        let parse = |part: &str| part.trim().parse::<i8>().ok().filter(|n| n.abs() <= 64);
        match text.split_once(',').map(|(a, b)| (parse(a), parse(b))) {
            Some((Some(a), Some(b))) if a < b => Ok(Window(Score(a), Score(b))),
            _ => Err(format!("found {text:?}, expected two scores A,B with -64 <= A < B <= 64")),
        }
    }
}

#[derive(Serialize)]
struct SolveWire {
    position: wire::PositionWire,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner_takes_empties: Option<ProofWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discs: Option<ProofWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveWire>>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct ProofWire {
    /// The score, if it is known exactly.
    score: Option<i8>,
    lower: i8,
    upper: i8,
    best: Option<String>,
    line: Vec<String>,
}

#[derive(Serialize)]
struct MoveWire {
    #[serde(rename = "move")]
    mv: String,
    score: Option<i8>,
    lower: i8,
    upper: i8,
}

/// What was proven, and what it cost.
struct Solved {
    takes: Option<Proof>,
    discs: Option<Proof>,
    moves: Option<Vec<(Move, Proof)>>,
}

impl Solved {
    fn is_stopped(&self) -> bool {
        let moves = self.moves.iter().flatten().map(|(_, proof)| proof);
        self.takes.iter().chain(&self.discs).chain(moves).any(|proof| proof.stopped)
    }
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let game = input::game(&self.position)?;
        let position = game.position();
        let mut solver = self.resources.solver(position.empties().count(), all_threads());
        let mut nodes = 0;
        let (solved, time) = watch::run(self.time, |monitor, line| {
            let solved = self.solve(&mut solver, position, monitor, line);
            nodes = monitor.nodes();
            solved
        });
        let stopped = solved.is_stopped();
        if self.json {
            let proof = |proof: Proof| ProofWire {
                score: proof.score().map(|score| score.0),
                lower: proof.lower.0,
                upper: proof.upper.0,
                best: proof.best.map(|mv| mv.to_string()),
                line: proof.line.iter().map(ToString::to_string).collect(),
            };
            let mv = |(mv, proof): (Move, Proof)| MoveWire {
                mv: mv.to_string(),
                score: proof.score().map(|score| score.0),
                lower: proof.lower.0,
                upper: proof.upper.0,
            };
            let wire = SolveWire {
                position: wire::position(&game),
                proven: !stopped,
                winner_takes_empties: solved.takes.map(proof),
                discs: solved.discs.map(proof),
                moves: solved.moves.map(|moves| moves.into_iter().map(mv).collect()),
                nodes,
                seconds: time.as_secs_f64(),
            };
            wire::print(out, &wire)?;
        } else {
            self.print(out, position, &solved)?;
            writeln!(out, "effort    {}", watch::effort(nodes, time))?;
        }
        Ok(if stopped { Answer::No } else { Answer::Yes })
    }

    fn solve(
        &self,
        solver: &mut Engine,
        position: Position,
        monitor: &Monitor,
        line: &ProgressBar,
    ) -> Solved {
        let goal = match (self.wld, self.window) {
            (true, _) => Goal::Outcome,
            (_, Some(Window(low, high))) => Goal::Window(low, high),
            _ => Goal::Exact,
        };
        let mut prove = |request: Request| {
            solver.solve(request, monitor, &mut |progress| line.set_message(state(progress)))
        };
        let mut solved = Solved { takes: None, discs: None, moves: None };
        let main = match self.counting {
            CountingArg::Discs => Counting::Discs,
            _ => Counting::WinnerTakesEmpties,
        };
        let proof = prove(Request { goal, ..Request::exact(position, main) });
        if self.all_moves {
            solved.moves = Some(all_moves(&mut prove, position, main, &proof));
        }
        if main == Counting::Discs {
            solved.discs = Some(proof);
            return solved;
        }
        // Who wins does not depend on the counting.
        if self.counting == CountingArg::Both && !self.wld && !proof.stopped {
            let request = Request { goal, ..Request::exact(position, Counting::Discs) };
            solved.discs = Some(prove(Request {
                known: discs_from_takes(proof.lower, proof.upper),
                guess: Some(proof.lower),
                ..request
            }));
        }
        solved.takes = Some(proof);
        solved
    }
}

/// What bounds on the score with the empties to the winner say of the plain disc difference.
///
/// Whoever wins under one counting wins under the other, and by no more discs than with the empties
/// added.
fn discs_from_takes(lower: Score, upper: Score) -> (Score, Score) {
    let least = if lower.0 > 0 { 1 } else { lower.0 };
    let most = if upper.0 < 0 { -1 } else { upper.0 };
    (Score(least), Score(most))
}

fn state(progress: Progress) -> String {
    let best = progress.best.map_or(String::new(), |mv| format!(", best {mv}"));
    format!("score from {} to {}{best}", progress.lower, progress.upper)
}

/// `+4`, or what is known of it on a board of so many squares.
pub(crate) fn score(proof: &Proof, area: u8) -> String {
    let is_least = proof.lower.0 <= -(area as i8);
    let is_most = proof.upper.0 >= area as i8;
    match (proof.lower, proof.upper) {
        (lower, upper) if lower == upper => lower.to_string(),
        _ if is_least && is_most => "unknown".to_owned(),
        (lower, _) if is_most => format!("at least {lower}"),
        (_, upper) if is_least => format!("at most {upper}"),
        (lower, upper) => format!("from {lower} to {upper}"),
    }
}

/// `win`, `draw` or `loss`, if it is known.
fn outcome(proof: &Proof) -> &'static str {
    match (proof.lower.0, proof.upper.0) {
        (1.., _) => "win",
        (_, ..0) => "loss",
        (0, 0) => "draw",
        (0, _) => "win or draw",
        (_, 0) => "draw or loss",
        _ => "unknown",
    }
}

impl Args {
    fn print(&self, out: &mut dyn Write, position: Position, solved: &Solved) -> Result<()> {
        let Some(main) = solved.takes.as_ref().or(solved.discs.as_ref()) else {
            bail!("nothing was solved");
        };
        let area = position.size().area();
        if self.wld {
            let label = if main.stopped { "stopped" } else { "proven" };
            writeln!(out, "outcome   {} ({label})", outcome(main))?;
        }
        for (name, proof) in [("winner-takes-empties", &solved.takes), ("discs", &solved.discs)] {
            if let Some(proof) = proof.as_ref().filter(|_| !self.wld) {
                let label = if proof.stopped { "stopped: not all is proven" } else { "proven" };
                writeln!(out, "score     {} ({name}; {label})", score(proof, area))?;
            }
        }
        let best = main.best.map_or("none, the game is over".to_owned(), |mv| mv.to_string());
        let label = match main {
            proof if proof.stopped => " (the best so far)",
            // No move was found to be better than another.
            proof if proof.score().is_none() && proof.lower.0 <= -(area as i8) => {
                " (no move reaches more)"
            }
            _ => "",
        };
        writeln!(out, "best      {best}{label}")?;
        if !main.line.is_empty() {
            let line: Vec<String> = main.line.iter().map(ToString::to_string).collect();
            writeln!(out, "line      {}", line.join(" "))?;
        }
        for (mv, proof) in solved.moves.iter().flatten() {
            writeln!(out, "move      {:5} {}", mv.to_string(), score(proof, area))?;
        }
        Ok(())
    }
}
