//! The results of a tournament of more than two players: who won how much against whom.

use std::io::Write;

use anyhow::Result;
use obverse_lab::{Elo, Ratings};
use serde::Serialize;

use super::results::{Results, label};
use super::tally::Score;
use crate::duel::Effort;
use crate::wire;

/// The keys are documented in the manual of the command.
#[derive(Serialize)]
struct TableWire {
    players: Vec<PlayerWire>,
    pairings: Vec<PairingWire>,
    assumed_draws: bool,
    resumed: usize,
}

#[derive(Serialize)]
struct PlayerWire {
    player: String,
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: Option<f64>,
    discs: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    forfeits: u32,
    seconds_per_move: Option<f64>,
}

#[derive(Serialize)]
struct PairingWire {
    first: usize,
    second: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    pentanomial: [u64; 5],
    elo: Option<f64>,
    elo_error: Option<f64>,
}

fn ratings(results: &Results) -> Option<Ratings> {
    let pairs = results.tallies.iter().map(|tally| tally.pairs);
    let played: Vec<_> = results.schedule.pairings().iter().copied().zip(pairs).collect();
    Ratings::new(results.names.len(), &played)
}

/// How many games a player forfeited, and how long it thought.
fn conduct(results: &Results, player: usize) -> (u32, Effort) {
    let (mut forfeits, mut effort) = (0, Effort::default());
    for (players, tally) in results.schedule.pairings().iter().zip(&results.tallies) {
        if let Some(side) = players.iter().position(|i| *i == player) {
            forfeits += tally.forfeits[side];
            effort.add(tally.effort[side]);
        }
    }
    (forfeits, effort)
}

pub(super) fn print_json(results: &Results, out: &mut dyn Write) -> Result<()> {
    let ratings = ratings(results);
    let players = results.names.iter().enumerate().map(|(i, name)| {
        let score = results.score_of(i);
        let (forfeits, effort) = conduct(results, i);
        let elo = ratings.as_ref().map(|ratings| ratings.players[i]);
        PlayerWire {
            player: name.clone(),
            games: score.n_games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            score: score.per_game(score.points()),
            discs: score.per_game(f64::from(score.discs)),
            elo: elo.map(|elo| elo.value),
            elo_error: elo.map(|elo| elo.error),
            forfeits,
            seconds_per_move: effort.seconds_per_move(),
        }
    });
    let pairings = results.schedule.pairings().iter().zip(&results.tallies);
    let pairings = pairings.map(|(&[first, second], tally)| {
        let Score { wins, draws, losses, .. } = tally.score();
        let elo = tally.pairs.elo();
        PairingWire {
            first,
            second,
            wins,
            draws,
            losses,
            pentanomial: tally.pairs.counts(),
            elo: elo.map(|elo| elo.value),
            elo_error: elo.map(|elo| elo.error),
        }
    });
    let table = TableWire {
        players: players.collect(),
        pairings: pairings.collect(),
        assumed_draws: ratings.as_ref().is_some_and(|ratings| ratings.is_assumed),
        resumed: results.resumed,
    };
    wire::print(out, &table)
}

pub(super) fn print(results: &Results, out: &mut dyn Write) -> Result<()> {
    let n = results.names.len();
    for (i, name) in results.names.iter().enumerate() {
        writeln!(out, "{}: {name}", label(i))?;
    }
    writeln!(out)?;
    let scores: Vec<Score> = (0..n).map(|i| results.score_of(i)).collect();
    let ratings = ratings(results);
    let rank = |i: usize| {
        let score = scores[i].per_game(scores[i].points()).unwrap_or_default();
        ratings.as_ref().map_or(score, |ratings| ratings.players[i].value)
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
    write!(out, " #     games   wins  draws losses    score   discs     Elo    +/-")?;
    for &i in &order {
        write!(out, "  {:>7}", label(i))?;
    }
    writeln!(out)?;
    for (place, &i) in order.iter().enumerate() {
        let Score { wins, draws, losses, .. } = scores[i];
        let games = scores[i].n_games();
        let percent = 100.0 * scores[i].per_game(scores[i].points()).unwrap_or_default();
        let discs = scores[i].per_game(f64::from(scores[i].discs)).unwrap_or_default();
        let elo = ratings.as_ref().map(|ratings| ratings.players[i]);
        write!(
            out,
            "{:2}  {:<2} {games:5} {wins:6} {draws:6} {losses:6}  {percent:5.1} % {discs:+7.2} {}",
            place + 1,
            label(i),
            elo_columns(elo)
        )?;
        for &j in &order {
            write!(out, "  {:>7}", cell(results, i, j))?;
        }
        writeln!(out)?;
    }
    if ratings.as_ref().is_some_and(|ratings| ratings.is_assumed) {
        writeln!(
            out,
            "\nElo     with a drawn pair added to each pairing: somebody won or lost all"
        )?;
    }
    print_conduct(results, &order, out)?;
    results.print_resumed(out)
}

fn elo_columns(elo: Option<Elo>) -> String {
    match elo {
        Some(Elo { value, error }) => format!("{value:+7.1} {error:6.1}"),
        None => format!("{:>7} {:>6}", "?", "?"),
    }
}

/// The points of one player against another: `13.5/20`.
fn cell(results: &Results, player: usize, opponent: usize) -> String {
    let pairings = results.schedule.pairings();
    for (players, tally) in pairings.iter().zip(&results.tallies) {
        let score = match *players {
            [first, second] if [first, second] == [player, opponent] => tally.score(),
            [first, second] if [second, first] == [player, opponent] => tally.score().turned(),
            _ => continue,
        };
        return format!("{}/{}", score.points(), score.n_games());
    }
    "-".to_owned()
}

fn print_conduct(results: &Results, order: &[usize], out: &mut dyn Write) -> Result<()> {
    let conducts = order.iter().map(|&i| (label(i), conduct(results, i)));
    let conducts: Vec<(String, (u32, Effort))> = conducts.collect();
    let times = conducts.iter().filter_map(|(label, (_, effort))| {
        effort.seconds_per_move().map(|seconds| format!("{label} {seconds:.3}"))
    });
    let times: Vec<String> = times.collect();
    if !times.is_empty() {
        writeln!(out, "\ntime    {} s a move", times.join(", "))?;
    }
    let forfeits = conducts.iter().filter(|(_, (forfeits, _))| *forfeits > 0);
    let forfeits: Vec<String> =
        forfeits.map(|(label, (forfeits, _))| format!("{label} {forfeits}")).collect();
    if !forfeits.is_empty() {
        writeln!(out, "forfeit {} games", forfeits.join(", "))?;
    }
    Ok(())
}
