//! `obverse perft`: counting games, the standard test of a move generator.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use anyhow::Result;
use obverse_board::perft::{Passes, divide, perft};
use serde::Serialize;

use crate::{Answer, input};

/// Count the games of DEPTH plies from a position.
///
/// A game that ends earlier counts once. Published tables differ in whether a pass uses up a ply:
/// say which you mean.
///
/// Examples:
///   obverse perft 10
///   obverse perft 9 --passes free
///   obverse perft 5 f5d6 --divide
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,

    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(default_value = "start", allow_hyphen_values = true)]
    position: String,

    /// Whether a pass uses up a ply or is free
    #[arg(long, value_enum, default_value = "ply")]
    passes: PassesArg,

    /// List the count of each first move
    #[arg(long)]
    divide: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// `--passes`, as typed.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(crate) enum PassesArg {
    /// A pass is a ply like any other
    Ply,
    /// A pass costs nothing: depth counts discs
    Free,
}

impl From<PassesArg> for Passes {
    fn from(passes: PassesArg) -> Passes {
        match passes {
            PassesArg::Ply => Passes::Ply,
            PassesArg::Free => Passes::Free,
        }
    }
}

#[derive(Serialize)]
struct PerftWire {
    depth: u32,
    passes: &'static str,
    count: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<DivideWire>>,
}

#[derive(Serialize)]
struct DivideWire {
    #[serde(rename = "move")]
    mv: String,
    count: u64,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = input::game(&self.position)?.position();
        let passes = Passes::from(self.passes);
        let start = Instant::now();
        let divided = self.divide.then(|| divide(position, self.depth, passes));
        let count = match &divided {
            Some(parts) if !parts.is_empty() => parts.iter().map(|part| part.1).sum(),
            _ => perft(position, self.depth, passes),
        };
        let seconds = start.elapsed().as_secs_f64();
        let divide = divided.map(|parts| {
            let part =
                |(mv, count): (obverse_board::Move, u64)| DivideWire { mv: mv.to_string(), count };
            parts.into_iter().map(part).collect::<Vec<_>>()
        });
        if self.json {
            let passes = match self.passes {
                PassesArg::Ply => "ply",
                PassesArg::Free => "free",
            };
            crate::wire::print(
                out,
                &PerftWire { depth: self.depth, passes, count, seconds, divide },
            )?;
            return Ok(Answer::Yes);
        }
        for part in divide.unwrap_or_default() {
            writeln!(out, "{:5} {}", part.mv, part.count)?;
        }
        writeln!(out, "{count}")?;
        // The time is for people; what goes to standard output is the same on every machine.
        if std::io::stderr().is_terminal() {
            out.flush()?;
            let rate = count as f64 / seconds.max(1e-9) / 1e6;
            writeln!(anstream::stderr(), "{seconds:.3} s, {rate:.0} M games/s")?;
        }
        Ok(Answer::Yes)
    }
}
