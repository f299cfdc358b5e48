//! What a tournament has come to.

use std::io::Write;

use anyhow::Result;
use obverse_lab::{Elo, Pairs, Sprt, Verdict};
use serde::Serialize;

use super::crosstable;
use super::saved::Saved;
use super::schedule::{Fixture, Schedule};
use super::tally::{Score, Tally};
use crate::duel::{Effort, Played};
use crate::wire;

pub(super) struct Results {
    pub(super) names: Vec<String>,
    pub(super) schedule: Schedule,
    /// Only for two players.
    sprt: Option<Sprt>,
    /// One for each pairing.
    pub(super) tallies: Vec<Tally>,
    pub(super) resumed: usize,
}

/// The keys are documented in the manual of the command.
#[derive(Serialize)]
struct ResultsWire<'a> {
    players: &'a [String],
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    discs: Option<f64>,
    pentanomial: [u64; 5],
    forfeits: [u32; 2],
    seconds_per_move: [Option<f64>; 2],
    resumed: usize,
    llr: Option<f64>,
    bounds: Option<(f64, f64)>,
    verdict: Option<String>,
}

/// What a player is called in tables: A, B, …, and numbers when the letters run out.
pub(super) fn label(i: usize) -> String {
    u8::try_from(i)
        .ok()
        .filter(|i| *i < 26)
        .map_or_else(|| (i + 1).to_string(), |i| char::from(b'A' + i).to_string())
}

impl Results {
    pub(super) fn new(names: Vec<String>, sprt: Option<Sprt>) -> Results {
        let schedule = Schedule::new(names.len());
        let tallies = vec![Tally::default(); schedule.pairings().len()];
        Results { names, schedule, sprt, tallies, resumed: 0 }
    }

    /// Counts a game that was saved before; one that was saved twice counts once.
    pub(super) fn resume(&mut self, saved: &Saved) {
        let fixture = self.schedule.fixture(saved.number);
        self.resumed += usize::from(self.tallies[fixture.i_pairing].add(fixture, saved));
    }

    /// Counts a game that has ended now.
    pub(super) fn add(&mut self, fixture: Fixture, saved: &Saved, played: &Played) {
        let tally = &mut self.tallies[fixture.i_pairing];
        if tally.add(fixture, saved) {
            tally.add_effort(fixture, played.effort);
        }
    }

    /// What there is to tell about a forfeited game.
    pub(super) fn complaint(fixture: Fixture, played: &Played) -> Option<String> {
        let (side, how) = played.forfeit.as_ref()?;
        let i = fixture.by_color()[usize::from(*side == obverse_board::Color::White)];
        Some(format!("game {}: {} ({side}) forfeits: {how}", fixture.number, label(i)))
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.tallies[self.schedule.fixture(number).i_pairing].has(number)
    }

    pub(super) fn n_games(&self) -> usize {
        self.tallies.iter().map(|tally| tally.score().n_games()).sum()
    }

    /// How the test has ended, if there is one and it has.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.sprt.and_then(|sprt| sprt.verdict(&self.tallies[0].pairs))
    }

    /// In a few words.
    pub(super) fn brief(&self) -> String {
        let [tally] = &self.tallies[..] else { return self.brief_of_many() };
        let Score { wins, draws, losses, .. } = tally.score();
        let llr = self.sprt.map(|sprt| format!("  LLR {:.2}", sprt.llr(&tally.pairs)));
        format!("+{wins} ={draws} -{losses}{}", llr.unwrap_or_default())
    }

    fn brief_of_many(&self) -> String {
        let points = |i: usize| format!("{} {}", label(i), self.score_of(i).points());
        (0..self.names.len()).map(points).collect::<Vec<_>>().join("  ")
    }

    /// A player's games against everybody.
    pub(super) fn score_of(&self, player: usize) -> Score {
        let mut sum = Score::default();
        for ([first, second], tally) in self.schedule.pairings().iter().zip(&self.tallies) {
            if *first == player {
                sum = sum.plus(tally.score());
            } else if *second == player {
                sum = sum.plus(tally.score().turned());
            }
        }
        sum
    }

    fn wire(&self) -> ResultsWire<'_> {
        let tally = &self.tallies[0];
        let score = tally.score();
        let elo = tally.pairs.elo();
        let verdict = self.verdict().map_or("undecided".to_owned(), |verdict| verdict.to_string());
        ResultsWire {
            players: &self.names,
            games: score.n_games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            score: score.per_game(score.points()),
            elo: elo.map(|elo| elo.value),
            elo_error: elo.map(|elo| elo.error),
            discs: score.per_game(f64::from(score.discs)),
            pentanomial: tally.pairs.counts(),
            forfeits: tally.forfeits,
            seconds_per_move: tally.effort.map(Effort::seconds_per_move),
            resumed: self.resumed,
            llr: self.sprt.map(|sprt| sprt.llr(&tally.pairs)),
            bounds: self.sprt.map(|sprt| sprt.bounds()),
            verdict: self.sprt.map(|_| verdict),
        }
    }

    pub(super) fn print_json(&self, out: &mut dyn Write) -> Result<()> {
        if self.names.len() > 2 {
            return crosstable::print_json(self, out);
        }
        wire::print(out, &self.wire())
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> Result<()> {
        if self.names.len() > 2 {
            return crosstable::print(self, out);
        }
        let wire = self.wire();
        let ResultsWire { games, wins, draws, losses, .. } = wire;
        writeln!(out, "A: {}\nB: {}\n", self.names[0], self.names[1])?;
        writeln!(out, "games   {games}: A wins {wins}, draws {draws}, loses {losses}")?;
        let (Some(score), Some(discs)) = (wire.score, wire.discs) else { return Ok(()) };
        writeln!(out, "score   {:.1} %", 100.0 * score)?;
        writeln!(out, "discs   {discs:+.2}")?;
        let pairs: Vec<String> = wire.pentanomial.iter().map(u64::to_string).collect();
        writeln!(out, "pairs   {} (with 0, 1/2, 1, 3/2, 2 points for A)", pairs.join(" "))?;
        writeln!(out, "Elo     {}", elo(&self.tallies[0].pairs))?;
        if let (Some(llr), Some((lower, upper)), Some(verdict)) =
            (wire.llr, wire.bounds, &wire.verdict)
        {
            let meaning = match self.verdict() {
                Some(Verdict::Accepted) => ", A is better",
                Some(Verdict::Rejected) => ", A is not better",
                None => "",
            };
            writeln!(out, "LLR     {llr:+.2} ({lower:+.2} to {upper:+.2}): {verdict}{meaning}")?;
        }
        if let [Some(first), Some(second)] = wire.seconds_per_move {
            writeln!(out, "time    A {first:.3} s, B {second:.3} s a move")?;
        }
        if wire.forfeits != [0, 0] {
            writeln!(out, "forfeit A {}, B {} games", wire.forfeits[0], wire.forfeits[1])?;
        }
        self.print_resumed(out)
    }

    pub(super) fn print_resumed(&self, out: &mut dyn Write) -> Result<()> {
        if self.resumed > 0 {
            writeln!(out, "before  {} of the games were there already", self.resumed)?;
        }
        Ok(())
    }
}

fn elo(pairs: &Pairs) -> String {
    match pairs.elo() {
        None if pairs.is_empty() => "not known: no pair of games was finished".to_owned(),
        None if pairs.score() > Some(0.5) => "not known: A won every pair twice".to_owned(),
        None => "not known: A lost every pair twice".to_owned(),
        Some(Elo { value, error }) if error.is_finite() => format!("{value:+.1} +/- {error:.1}"),
        Some(Elo { value, .. }) => format!("{value:+.1}, but too few games to tell how sure"),
    }
}
