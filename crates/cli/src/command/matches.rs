//! `obverse match`: players against each other.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use obverse_board::notation::Form;
use obverse_board::{Color, Game, Position, Size};
use obverse_engine::classic::Rng;
use obverse_engine::classic::duel::random_opening;
use serde::Serialize;

use crate::player::{Mover, Seat, program};
use crate::{Answer, duel, wire};

/// Let players play each other, everybody against everybody.
///
/// Each pair of games starts from a random opening and is played twice with the colors exchanged,
/// so that neither player gains from it. The same seed gives the same games, unless a player thinks
/// by the clock or with several threads. A program that ends, does not answer or breaks the rules loses
/// the game by all discs and is started again. `obverse play --help` lists the players, and
/// `obverse lab match` compares them thoroughly.
///
/// Examples:
///   obverse match minimax:depth=3 random
///   obverse match alphabeta:depth=4,eval=positional alphabeta:depth=4 minimax:depth=2 --games 200
///   obverse match engine:level=5 engine:time=10ms --games 20 --threads 1
///   obverse match random minimax:depth=1 --board 4 --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The players, two or more
    #[arg(value_name = "PLAYER", num_args = 2.., required = true, value_parser = program)]
    players: Vec<Seat>,

    /// Games of each pairing; rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Random plies at the beginning of each pair of games
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    opening_plies: u32,

    /// The board's side: 4, 6 or 8
    #[arg(long, value_name = "SIDE", default_value = "8", value_parser = ["4", "6", "8"])]
    board: String,

    /// Where the randomness starts
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads that play games side by side (default: one for each processor)
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Save all games here, one GGF a line
    #[arg(long, value_name = "FILE")]
    save: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MatchWire {
    players: Vec<StandingWire>,
    pairings: Vec<PairingWire>,
}

/// One player's games against everybody.
#[derive(Serialize, Clone)]
struct StandingWire {
    player: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Wins and half the draws, of all games.
    score: f64,
    /// The average disc difference, the empties to the winner.
    discs: f64,
    /// Games lost by breaking off or breaking the rules.
    forfeits: u32,
}

#[derive(Serialize)]
struct PairingWire {
    first: usize,
    second: usize,
    wins: u32,
    draws: u32,
    losses: u32,
}

/// A game of a pairing, the first player's result in it.
struct Played {
    pairing: usize,
    discs: i32,
    game: Game,
    /// The player who forfeited it.
    forfeit: Option<usize>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let n = self.players.len();
        let pairings: Vec<(usize, usize)> =
            (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
        if let Some(i) = (1..n).find(|&i| self.players[..i].contains(&self.players[i])) {
            bail!("{} is named twice, expected different players", self.players[i]);
        }
        let played = self.play_all(&pairings)?;
        if let Some(path) = &self.save {
            let mut text = String::new();
            for played in &played {
                text.push_str(&Form::Ggf.print(&played.game)?);
                text.push('\n');
            }
            std::fs::write(path, text).with_context(|| format!("cannot write {path}"))?;
        }
        let wire = self.tally(&pairings, &played);
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        Ok(Answer::Yes)
    }

    /// Plays every pair of games of every pairing on all threads, and puts them in order.
    fn play_all(&self, pairings: &[(usize, usize)]) -> Result<Vec<Played>> {
        let n_pairs = self.games.div_ceil(2) as usize;
        let n_tasks = n_pairs * pairings.len();
        let n_threads = self.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, [Played; 2])>> {
            let mut movers = Vec::new();
            for player in &self.players {
                movers.push(player.mover()?.expect("the parser admits programs only"));
            }
            let mut done = Vec::new();
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= n_tasks {
                    return Ok(done);
                }
                let (pairing, opening) = (task / n_pairs, task % n_pairs);
                let pair = self.play_pair(&mut movers, pairings[pairing], pairing, opening);
                // After a failure nobody begins another pair.
                done.push((task, pair.inspect_err(|_| next.store(n_tasks, Ordering::Relaxed))?));
            }
        };
        let outcomes: Vec<Result<_>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..n_threads.clamp(1, n_tasks)).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|t| t.join().expect("players do not panic")).collect()
        });
        let mut tasks = Vec::new();
        for outcome in outcomes {
            tasks.extend(outcome?);
        }
        tasks.sort_by_key(|(task, _)| *task);
        Ok(tasks.into_iter().flat_map(|(_, pair)| pair).collect())
    }

    /// One opening, played twice with the colors exchanged.
    fn play_pair(
        &self,
        movers: &mut [Box<dyn Mover>],
        (first, second): (usize, usize),
        pairing: usize,
        i_opening: usize,
    ) -> Result<[Played; 2]> {
        let size = self.board.parse().ok().and_then(Size::from_side);
        let start = Position::start(size.expect("the parser admits 4, 6 and 8 only"));
        // The same openings for every pairing.
        let seed = self.seed.wrapping_add(0x9e37_79b9 * i_opening as u64);
        let opening = random_opening(start, self.opening_plies, &mut Rng::new(seed));
        let mut play = |color: Color| -> Result<Played> {
            let [one, other] =
                movers.get_disjoint_mut([first, second]).expect("a player does not play itself");
            one.begin(seed);
            other.begin(seed.wrapping_add(1));
            let (black, white) = if color == Color::Black {
                (&mut *one, &mut *other)
            } else {
                (&mut *other, &mut *one)
            };
            let played = duel::play(opening.clone(), [&mut **black, &mut **white], || false);
            let played = played.expect("nobody stops it");
            let discs = played.discs(color);
            let mut forfeit = None;
            if let Some((side, how)) = played.forfeit {
                let i = if side == color { first } else { second };
                let name = &self.players[i];
                writeln!(anstream::stderr(), "{name} ({side}) forfeits a game: {how}")?;
                movers[i] = name.mover()?.expect("the parser admits programs only");
                forfeit = Some(i);
            }
            Ok(Played { pairing, discs, game: played.game, forfeit })
        };
        Ok([play(Color::Black)?, play(Color::White)?])
    }

    fn tally(&self, pairings: &[(usize, usize)], played: &[Played]) -> MatchWire {
        let standing = |player: &Seat| StandingWire {
            player: player.to_string(),
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            score: 0.0,
            discs: 0.0,
            forfeits: 0,
        };
        let mut players: Vec<StandingWire> = self.players.iter().map(standing).collect();
        let pairing = |&(first, second): &(usize, usize)| PairingWire {
            first,
            second,
            wins: 0,
            draws: 0,
            losses: 0,
        };
        let mut table: Vec<PairingWire> = pairings.iter().map(pairing).collect();
        for game in played {
            let (first, second) = pairings[game.pairing];
            players[first].add(game.discs);
            players[second].add(-game.discs);
            if let Some(i) = game.forfeit {
                players[i].forfeits += 1;
            }
            match game.discs {
                1.. => table[game.pairing].wins += 1,
                0 => table[game.pairing].draws += 1,
                _ => table[game.pairing].losses += 1,
            }
        }
        for player in &mut players {
            let n = f64::from(player.games.max(1));
            player.score = (f64::from(player.wins) + 0.5 * f64::from(player.draws)) / n;
            player.discs /= n;
        }
        MatchWire { players, pairings: table }
    }
}

impl StandingWire {
    fn add(&mut self, discs: i32) {
        self.games += 1;
        self.discs += f64::from(discs);
        match discs {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

fn print(out: &mut dyn Write, wire: &MatchWire) -> Result<()> {
    let width = wire.players.iter().map(|p| p.player.len()).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..wire.players.len()).collect();
    order.sort_by(|&a, &b| wire.players[b].score.total_cmp(&wire.players[a].score));
    writeln!(
        out,
        " #  {:width$}  {:>6} {:>6} {:>6} {:>6} {:>8} {:>7}",
        "player", "games", "wins", "draws", "losses", "score", "discs"
    )?;
    for (rank, &i) in order.iter().enumerate() {
        let StandingWire { player, games, wins, draws, losses, score, discs, .. } =
            &wire.players[i];
        let score = 100.0 * score;
        writeln!(
            out,
            "{:2}  {player:width$}  {games:6} {wins:6} {draws:6} {losses:6} {score:7.1}% {discs:+7.2}",
            rank + 1
        )?;
    }
    if wire.pairings.len() > 1 {
        writeln!(out)?;
        for pairing in &wire.pairings {
            let (first, second) = (&wire.players[pairing.first], &wire.players[pairing.second]);
            writeln!(
                out,
                "{} - {}: +{} ={} -{}",
                first.player, second.player, pairing.wins, pairing.draws, pairing.losses
            )?;
        }
    }
    Ok(())
}
