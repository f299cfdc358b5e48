//! What the games of one pairing have come to.

use std::collections::HashMap;

use obverse_board::Color;
use obverse_lab::Pairs;

use super::saved::Saved;
use super::schedule::Fixture;
use crate::duel::Effort;

/// The games of two players, as the first of them sees it.
#[derive(Clone, Default)]
pub(super) struct Tally {
    /// The disc difference of each game.
    discs: HashMap<usize, i32>,
    pub(super) pairs: Pairs,
    pub(super) forfeits: [u32; 2],
    /// Of the games played now; those read from a file do not tell.
    pub(super) effort: [Effort; 2],
}

/// Wins, draws and losses, and the discs of all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Score {
    pub(super) wins: usize,
    pub(super) draws: usize,
    pub(super) losses: usize,
    pub(super) discs: i32,
}

impl Tally {
    /// Counts a game; one that was counted before does not count again.
    pub(super) fn add(&mut self, fixture: Fixture, saved: &Saved) -> bool {
        if self.has(fixture.number) {
            return false;
        }
        let first = fixture.color_of_first();
        let discs = if first == Color::Black { saved.discs } else { -saved.discs };
        self.discs.insert(fixture.number, discs);
        if let Some(side) = saved.forfeit {
            self.forfeits[usize::from(side != first)] += 1;
        }
        if let Some(&twin) = self.discs.get(&fixture.twin()) {
            self.pairs.add([discs, twin]);
        }
        true
    }

    /// Adds how long black and white thought.
    pub(super) fn add_effort(&mut self, fixture: Fixture, [black, white]: [Effort; 2]) {
        let is_black = fixture.color_of_first() == Color::Black;
        let [first, second] = if is_black { [black, white] } else { [white, black] };
        self.effort[0].add(first);
        self.effort[1].add(second);
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.discs.contains_key(&number)
    }

    pub(super) fn score(&self) -> Score {
        let [wins, draws, losses] =
            [1, 0, -1].map(|sign| self.discs.values().filter(|d| d.signum() == sign).count());
        Score { wins, draws, losses, discs: self.discs.values().sum() }
    }
}

impl Score {
    pub(super) fn n_games(self) -> usize {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Per game; `None` without one.
    pub(super) fn per_game(self, sum: f64) -> Option<f64> {
        (self.n_games() > 0).then(|| sum / self.n_games() as f64)
    }

    /// As the other player sees it.
    pub(super) fn turned(self) -> Score {
        Score { wins: self.losses, losses: self.wins, discs: -self.discs, ..self }
    }

    pub(super) fn plus(self, other: Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            discs: self.discs + other.discs,
        }
    }
}
