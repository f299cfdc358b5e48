//! `obverse batch label`: training data.

use std::io::Write;

use anyhow::{Result, bail};
use obverse_board::{Counting, Position};
use obverse_cluster::{Limits, Task};

use super::ledger::Paths;
use super::lines::Shard;
use super::solve::{Ask, Batch};
use super::task::Means;
use crate::Answer;

/// Label many positions, as training data.
///
/// The score of a position with at most --exact-from empty squares is proven; others get the value of a
/// search of --depth moves. IN is read as by `obverse batch solve`; files whose names end in .rec are read
/// as records of `obverse lab selfplay`. Of files of games (.wtb, .ggf, .sgf, .pgn; with --games whatever
/// their names, transcripts one a line too) every position of every game is labelled. The output is that
/// of `obverse batch solve`, and so are --resume, --shard and the rest; `obverse batch export --as records`
/// makes a file for `obverse lab fit` of it.
///
/// Examples:
///   obverse batch label games.rec --out labelled.jsonl --exact-from 18 --depth 10
///   obverse batch label archive.ggf --out labelled.jsonl --exact-from 18 --depth 10
///   obverse batch export labelled.jsonl --as records --out train.rec
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("how").args(["exact_from", "depth"]).required(true).multiple(true)))]
pub(super) struct Args {
    /// Files with positions; - for standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    /// Read all files as games, and label every position of them
    #[arg(long)]
    games: bool,

    #[command(flatten)]
    paths: Paths,

    /// Prove the score with at most so many empty squares
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_from: Option<u32>,

    /// Search the others so many moves deep
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,

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
        let (exact_from, depth) = (self.exact_from.unwrap_or(0), self.depth);
        let Some(far) = depth.map(Task::Depth).or((exact_from >= 60).then_some(Task::Exact)) else {
            bail!("positions with more than {exact_from} empty squares need --depth D");
        };
        let ask = Ask {
            tasks: vec![Task::Exact.to_string(), far.to_string()],
            task: Box::new(move |position: Position| {
                if position.empties().count() <= exact_from { Task::Exact } else { far }
            }),
            counting: Counting::WinnerTakesEmpties,
            limits: Limits::default(),
            is_proof: false,
        };
        if self.games && self.inputs.iter().any(|path| path == "-") {
            bail!("games are read from files, not from standard input");
        }
        let Args { inputs, games: all_games, paths, shard, means, .. } = self;
        Batch { inputs, all_games, paths, shard, means, ask }.run(out, self.json)
    }
}
