//! `obverse bench`: how fast the solver is, and whether it is still right.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use obverse_board::notation::obf::Problem;
use obverse_board::{Counting, Game, Move, notation::Form};
use obverse_engine::solve::{Proof, Request};
use serde::Serialize;

use super::solve::{Resources, score};
use crate::{Answer, suite, watch, wire};

/// Solve positions with known scores and measure it.
///
/// Without --suite, fixed positions are solved by one thread: the number of nodes is the same on
/// every machine and tells whether a change altered the search. With --suite, the positions of an
/// OBF file (or ffo: the built-in FFO 40-59) are solved. A wrong score or a losing move is printed
/// in full, and the exit status is 1.
///
/// Examples:
///   obverse bench
///   obverse bench --suite ffo --threads 2
///   obverse bench --suite problems.obf --limit 10 --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Solve this suite: ffo, or an OBF file
    #[arg(long, value_name = "FILE")]
    suite: Option<String>,

    /// Solve only the first N positions
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Stop each position after this long, for example 10s
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,

    #[command(flatten)]
    resources: Resources,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct BenchWire {
    positions: Vec<SolvedWire>,
    total: TotalWire,
}

#[derive(Serialize)]
struct SolvedWire {
    number: usize,
    obf: String,
    empties: u32,
    score: Option<i8>,
    lower: i8,
    upper: i8,
    known: Option<i8>,
    #[serde(rename = "move")]
    best: Option<String>,
    nodes: u64,
    seconds: f64,
    right: bool,
}

#[derive(Serialize)]
struct TotalWire {
    count: usize,
    wrong: usize,
    nodes: u64,
    seconds: f64,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let mut problems = match &self.suite {
            Some(name) => suite::read(name)?,
            None => suite::standard(),
        };
        problems.truncate(self.limit.unwrap_or(usize::MAX));
        let n_empties = problems.iter().map(|problem| problem.position.empties().count()).max();
        let mut solver = self.resources.solver(n_empties.unwrap_or(0), 1);
        if !self.json {
            writeln!(out, "  #  empties  score  known  move         nodes     time     speed")?;
        }
        let mut positions = Vec::new();
        for (i, problem) in problems.iter().enumerate() {
            let request = Request::exact(problem.position, Counting::WinnerTakesEmpties);
            let (proof, time) = watch::run(self.time, |monitor, line| {
                line.set_message(format!("position {}", i + 1));
                solver.solve(request, monitor, &mut |_| {})
            });
            let solved = solved(i + 1, problem, &proof, time);
            if !self.json {
                print(out, &solved, problem, &proof)?;
            }
            positions.push(solved);
        }
        let total = TotalWire {
            count: positions.len(),
            wrong: positions.iter().filter(|solved| !solved.right).count(),
            nodes: positions.iter().map(|solved| solved.nodes).sum(),
            seconds: positions.iter().map(|solved| solved.seconds).sum(),
        };
        let all_right = total.wrong == 0;
        let n_unsolved = positions.iter().filter(|solved| solved.score.is_none()).count();
        if self.json {
            wire::print(out, &BenchWire { positions, total })?;
        } else {
            let time = Duration::from_secs_f64(total.seconds);
            if n_unsolved > 0 {
                writeln!(out, "{n_unsolved} not solved in the time given")?;
            }
            let effort = watch::effort(total.nodes, time);
            writeln!(out, "{} positions, {} wrong, {effort}", total.count, total.wrong)?;
            writeln!(out, "Bench: {}", total.nodes)?;
        }
        Ok(if all_right { Answer::Yes } else { Answer::No })
    }
}

fn solved(number: usize, problem: &Problem, proof: &Proof, time: Duration) -> SolvedWire {
    let known = problem.score;
    // The known score of the move found, where the problem lists it.
    let of_move = |mv: Move| problem.moves.iter().find(|known| known.0 == mv).map(|known| known.1);
    let losing = proof.best.and_then(of_move).is_some_and(|score| Some(score) != known);
    let right = match proof.score() {
        Some(score) => known.is_none_or(|known| known == score) && !losing,
        // Bounds are right if the known score is within them, but the position is not solved.
        None => known.is_none_or(|known| proof.lower <= known && known <= proof.upper),
    };
    SolvedWire {
        number,
        obf: Form::Obf.print(&Game::new(problem.position)).expect("every position has an OBF"),
        empties: problem.position.empties().count(),
        score: proof.score().map(|score| score.0),
        lower: proof.lower.0,
        upper: proof.upper.0,
        known: known.map(|score| score.0),
        best: proof.best.map(|mv| mv.to_string()),
        nodes: proof.nodes,
        seconds: time.as_secs_f64(),
        right,
    }
}

fn print(out: &mut dyn Write, solved: &SolvedWire, problem: &Problem, proof: &Proof) -> Result<()> {
    let known = problem.score.map_or("-".to_owned(), |score| score.to_string());
    let best = solved.best.clone().unwrap_or_default();
    let speed = solved.nodes as f64 / solved.seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{:3}  {:7}  {:>5}  {known:>5}  {best:4} {:13} {:8.3} {speed:7.1} M/s",
        solved.number,
        solved.empties,
        score(proof, problem.position.size().area()),
        solved.nodes,
        solved.seconds
    )?;
    if !solved.right {
        let moves: Vec<String> =
            problem.moves.iter().map(|(mv, score)| format!("{mv}:{score}")).collect();
        writeln!(
            out,
            "     WRONG: {} found {} with {best}, known {known} {}",
            solved.obf,
            score(proof, problem.position.size().area()),
            moves.join(" ")
        )?;
    }
    Ok(())
}
