//! `obverse stats`: how long games are and how far trees branch, measured.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use obverse_board::perft::Passes;
use obverse_board::{Position, Size};
use obverse_engine::classic::stats::{Effort, GameStats, sample};
use obverse_engine::classic::{Algorithm, Depth, Eval, Lookahead, Rng, Spec};
use serde::Serialize;

use crate::{Answer, wire};

/// Measure game length and branching factors over self-play.
///
/// The player plays both sides of N games after a few random opening plies, which make the games
/// differ. Then positions sampled from random games are searched by minimax and by alpha-beta: the
/// effective branching factor at depth d is the d-th root of the average number of nodes.
///
/// Examples:
///   obverse stats --games 1000 --player random
///   obverse stats --games 100 --player alphabeta:depth=3,eval=positional --depth 6
///   obverse stats --board 6 --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Who plays both sides
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    player: Spec,

    /// Random plies at the beginning of each game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    opening_plies: u32,

    /// Search sampled positions at every depth up to this
    #[arg(long, value_name = "DEPTH", default_value = "6")]
    depth: Depth,

    /// How many positions to sample
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: usize,

    /// The board's side: 4, 6 or 8
    #[arg(long, value_name = "SIDE", default_value = "8", value_parser = ["4", "6", "8"])]
    board: String,

    /// Where the randomness starts
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct StatsWire {
    player: String,
    games: u64,
    discs_per_game: f64,
    plies_per_game: f64,
    passes_per_game: f64,
    branching_factor: f64,
    positions: usize,
    search: Vec<EffortWire>,
}

#[derive(Serialize)]
struct EffortWire {
    depth: u8,
    algorithm: String,
    nodes_per_move: f64,
    effective_branching_factor: f64,
    microseconds_per_move: f64,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let size = self.board.parse().ok().and_then(Size::from_side);
        let start = Position::start(size.expect("the parser admits 4, 6 and 8 only"));
        let mut rng = Rng::new(self.seed);
        let mut player = self.player.player(self.seed);
        let games =
            GameStats::measure(start, &mut player, self.opening_plies, self.games, &mut rng);
        let positions = sample(start, self.positions, &mut rng);
        let search = self
            .depth
            .up_to()
            .flat_map(|depth| Algorithm::ALL.map(|algorithm| effort(&positions, depth, algorithm)))
            .collect();
        let wire = StatsWire {
            player: self.player.to_string(),
            games: games.games(),
            discs_per_game: games.discs_per_game(),
            plies_per_game: games.plies_per_game(),
            passes_per_game: games.passes_per_game(),
            branching_factor: games.branching_factor(),
            positions: positions.len(),
            search,
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        Ok(Answer::Yes)
    }
}

fn effort(positions: &[Position], depth: Depth, algorithm: Algorithm) -> EffortWire {
    let lookahead = Lookahead { depth, eval: Eval::Discs, passes: Passes::Ply };
    let (mut effort, mut time) = (Effort::new(depth, algorithm), Duration::ZERO);
    for &position in positions {
        let start = Instant::now();
        let report = algorithm.search(lookahead, position);
        time += start.elapsed();
        effort.add(report.nodes);
    }
    EffortWire {
        depth: depth.plies(),
        algorithm: algorithm.to_string(),
        nodes_per_move: effort.nodes_per_search(),
        effective_branching_factor: effort.branching_factor(),
        microseconds_per_move: time.as_secs_f64() * 1e6 / effort.searches.max(1) as f64,
    }
}

fn print(out: &mut dyn Write, wire: &StatsWire) -> Result<()> {
    writeln!(out, "{} games of {}", wire.games, wire.player)?;
    writeln!(out, "  discs placed per game  {:8.2}", wire.discs_per_game)?;
    writeln!(out, "  plies with passes      {:8.2}", wire.plies_per_game)?;
    writeln!(out, "  passes per game        {:8.2}", wire.passes_per_game)?;
    writeln!(out, "  branching factor       {:8.2}", wire.branching_factor)?;
    writeln!(
        out,
        "\n{} positions of random games, searched (discs counted at the leaves)",
        wire.positions
    )?;
    writeln!(out, "  depth  algorithm     nodes/move  effective factor     time/move")?;
    for effort in &wire.search {
        let time = effort.microseconds_per_move;
        let time =
            if time < 1000.0 { format!("{time:.1} us") } else { format!("{:.2} ms", time / 1e3) };
        writeln!(
            out,
            "  {:5}  {:10} {:13.1} {:17.2} {time:>13}",
            effort.depth,
            effort.algorithm,
            effort.nodes_per_move,
            effort.effective_branching_factor
        )?;
    }
    Ok(())
}
