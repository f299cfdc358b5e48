//! Who plays whom in which game of a tournament: everybody against everybody, from the same openings.

use obverse_board::Color;

/// The games of a tournament, by their numbers from 1.
///
/// All pairings play the first opening, then all play the next, so that a tournament that is stopped
/// is fair as far as it went. The games 1 and 2 are a pair, from one opening with the colors
/// exchanged, and so on.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pairings: Vec<[usize; 2]>,
}

/// One game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fixture {
    pub(super) number: usize,
    pub(super) i_pairing: usize,
    pub(super) i_opening: usize,
    /// The first has black in games of odd number.
    pub(super) players: [usize; 2],
}

impl Schedule {
    /// The largest number of a game.
    pub(super) const NUMBER_MAX: usize = 2_000_000;

    pub(super) fn new(n_players: usize) -> Schedule {
        let pairings = (0..n_players).flat_map(|i| (i + 1..n_players).map(move |j| [i, j]));
        Schedule { pairings: pairings.collect() }
    }

    pub(super) fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games if each pairing plays `n_openings`.
    pub(super) fn n_games(&self, n_openings: usize) -> usize {
        2 * n_openings * self.pairings.len()
    }

    pub(super) fn fixture(&self, number: usize) -> Fixture {
        let i_pair = (number - 1) / 2;
        let (i_opening, i_pairing) = (i_pair / self.pairings.len(), i_pair % self.pairings.len());
        Fixture { number, i_pairing, i_opening, players: self.pairings[i_pairing] }
    }
}

impl Fixture {
    pub(super) fn color_of_first(self) -> Color {
        if self.number % 2 == 1 { Color::Black } else { Color::White }
    }

    /// Black and white.
    pub(super) fn by_color(self) -> [usize; 2] {
        let [first, second] = self.players;
        if self.color_of_first() == Color::Black { [first, second] } else { [second, first] }
    }

    /// The other game of the pair.
    pub(super) fn twin(self) -> usize {
        if self.number % 2 == 1 { self.number + 1 } else { self.number - 1 }
    }

    /// Which pair it belongs to, from 0.
    pub(super) fn i_pair(self) -> usize {
        (self.number - 1) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_everybody_with_both_colors_from_every_opening() {
        let schedule = Schedule::new(4);
        assert_eq!(schedule.n_games(3), 36);
        let mut seen = std::collections::HashSet::new();
        for number in 1..=36 {
            let fixture = schedule.fixture(number);
            let [black, white] = fixture.by_color();
            assert!(black != white && fixture.i_opening < 3);
            assert!(seen.insert((fixture.i_opening, black, white)), "{fixture:?}");
            assert_eq!(schedule.fixture(fixture.twin()).by_color(), [white, black]);
        }
        assert_eq!(schedule.fixture(12).i_opening, 0);
        assert_eq!(schedule.fixture(13).i_opening, 1);
    }
}
