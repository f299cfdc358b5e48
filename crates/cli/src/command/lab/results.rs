//! What a match has come to, and how it is printed.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;
use obverse_lab::{Elo, Pairs, Sprt, Verdict};
use serde::Serialize;

use super::hall::color_of_first;
use super::record::Record;
use crate::duel::{Effort, Played};
use crate::wire;

pub(super) struct Results {
    pub(super) names: [String; 2],
    sprt: Option<Sprt>,
    /// The disc difference for the first player of each game.
    discs: HashMap<usize, i32>,
    pairs: Pairs,
    forfeits: [u32; 2],
    /// Of the games played now; those read from a file do not tell.
    effort: [Effort; 2],
    resumed: usize,
}

/// The keys are documented in the manual of the command.
#[derive(Serialize)]
struct ResultsWire<'a> {
    players: &'a [String; 2],
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

impl Results {
    pub(super) fn new(names: [String; 2], sprt: Option<Sprt>) -> Results {
        Results {
            names,
            sprt,
            discs: HashMap::new(),
            pairs: Pairs::default(),
            forfeits: [0; 2],
            effort: [Effort::default(); 2],
            resumed: 0,
        }
    }

    /// Counts a game that was saved before; one that was saved twice counts once.
    pub(super) fn resume(&mut self, record: &Record) {
        self.resumed += usize::from(self.count(record));
    }

    /// Counts a game that has ended now.
    pub(super) fn add(&mut self, record: &Record, played: &Played) {
        if self.count(record) {
            let [black, white] = played.effort;
            let is_black = color_of_first(record.number) == obverse_board::Color::Black;
            let [first, second] = if is_black { [black, white] } else { [white, black] };
            self.effort[0].add(first);
            self.effort[1].add(second);
        }
    }

    fn count(&mut self, record: &Record) -> bool {
        if self.discs.contains_key(&record.number) {
            return false;
        }
        self.discs.insert(record.number, record.discs);
        if let Some(i) = record.forfeit {
            self.forfeits[i] += 1;
        }
        // The games 1 and 2 are a pair, 3 and 4 the next.
        let twin = if record.number % 2 == 1 { record.number + 1 } else { record.number - 1 };
        if let Some(&discs) = self.discs.get(&twin) {
            self.pairs.add([record.discs, discs]);
        }
        true
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.discs.contains_key(&number)
    }

    pub(super) fn n_games(&self) -> usize {
        self.discs.len()
    }

    /// How the test has ended, if there is one and it has.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.sprt.and_then(|sprt| sprt.verdict(&self.pairs))
    }

    /// In a few words.
    pub(super) fn brief(&self) -> String {
        let [wins, draws, losses] = self.outcomes();
        let llr = self.sprt.map(|sprt| format!("  LLR {:.2}", sprt.llr(&self.pairs)));
        format!("+{wins} ={draws} -{losses}{}", llr.unwrap_or_default())
    }

    fn outcomes(&self) -> [usize; 3] {
        [1, 0, -1].map(|sign| self.discs.values().filter(|discs| discs.signum() == sign).count())
    }

    fn wire(&self) -> ResultsWire<'_> {
        let [wins, draws, losses] = self.outcomes();
        let games = self.n_games();
        let per_game = |sum: f64| (games > 0).then(|| sum / games as f64);
        let elo = self.pairs.elo();
        let verdict = self.verdict().map_or("undecided".to_owned(), |verdict| verdict.to_string());
        ResultsWire {
            players: &self.names,
            games,
            wins,
            draws,
            losses,
            score: per_game(wins as f64 + 0.5 * draws as f64),
            elo: elo.map(|elo| elo.value),
            elo_error: elo.map(|elo| elo.error),
            discs: per_game(f64::from(self.discs.values().sum::<i32>())),
            pentanomial: self.pairs.counts(),
            forfeits: self.forfeits,
            seconds_per_move: self.effort.map(Effort::seconds_per_move),
            resumed: self.resumed,
            llr: self.sprt.map(|sprt| sprt.llr(&self.pairs)),
            bounds: self.sprt.map(|sprt| sprt.bounds()),
            verdict: self.sprt.map(|_| verdict),
        }
    }

    pub(super) fn print_json(&self, out: &mut dyn Write) -> Result<()> {
        wire::print(out, &self.wire())
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> Result<()> {
        let wire = self.wire();
        let ResultsWire { games, wins, draws, losses, .. } = wire;
        writeln!(out, "A: {}\nB: {}\n", self.names[0], self.names[1])?;
        writeln!(out, "games   {games}: A wins {wins}, draws {draws}, loses {losses}")?;
        let (Some(score), Some(discs)) = (wire.score, wire.discs) else { return Ok(()) };
        writeln!(out, "score   {:.1} %", 100.0 * score)?;
        writeln!(out, "discs   {discs:+.2}")?;
        let pairs: Vec<String> = wire.pentanomial.iter().map(u64::to_string).collect();
        writeln!(out, "pairs   {} (with 0, 1/2, 1, 3/2, 2 points for A)", pairs.join(" "))?;
        writeln!(out, "Elo     {}", elo(&self.pairs))?;
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
        if self.forfeits != [0, 0] {
            writeln!(out, "forfeit A {}, B {} games", self.forfeits[0], self.forfeits[1])?;
        }
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
