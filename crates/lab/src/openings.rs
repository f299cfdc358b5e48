//! The openings of a match, in the order they are played.

use std::fmt;

use obverse_board::{Game, Move, Position, Size};
use obverse_engine::classic::Rng;

use crate::shuffle::shuffle;

/// Games that have just begun, any number of them; the same seed gives the same ones.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    seed: u64,
}

#[derive(Clone, Debug)]
enum Source {
    /// These in a random order, and again in another one when all were played.
    List(Vec<Game>),
    /// So many random plies.
    Random(u32),
}

/// A line of a list that is no opening, or a list without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// The line of this number, counted from 1, is none, and why.
    Line(usize, String),
    /// There is no opening in the list.
    Empty,
}

impl Openings {
    /// Openings of `plies` random moves; fewer where the game would be over.
    pub fn random(plies: u32, seed: u64) -> Openings {
        Openings { source: Source::Random(plies), seed }
    }

    /// The openings of a list, in a random order: one a line, as the moves in the first column, in any
    /// notation of a position without blanks. Further columns, blank lines and those that begin with
    /// `#` or `%` are passed over.
    ///
    /// # Errors
    /// If a line is no opening, or the game is over in it, or there is none.
    pub fn parse(text: &str, seed: u64) -> Result<Openings, OpeningError> {
        let mut games = Vec::new();
        for (line, mut game) in games_of(text)? {
            if game.is_over() {
                let why = "the game is over, expected an opening".to_owned();
                return Err(OpeningError::Line(line, why));
            }
            game.settle();
            games.push(game);
        }
        Ok(Openings { source: Source::List(games), seed })
    }

    /// How many different openings there are, if that is known.
    pub fn n_different(&self) -> Option<usize> {
        match &self.source {
            Source::List(games) => Some(games.len()),
            Source::Random(_) => None,
        }
    }

    /// The first `n` openings.
    pub fn take(&self, n: usize) -> Vec<Game> {
        let mut rng = Rng::new(self.seed);
        match &self.source {
            Source::Random(plies) => (0..n).map(|_| random(*plies, &mut rng)).collect(),
            Source::List(games) => {
                let mut taken = Vec::with_capacity(n);
                while taken.len() < n {
                    let mut order: Vec<&Game> = games.iter().collect();
                    shuffle(&mut order, &mut rng);
                    order.truncate(n - taken.len());
                    taken.extend(order.into_iter().cloned());
                }
                taken
            }
        }
    }
}

fn random(plies: u32, rng: &mut Rng) -> Game {
    let mut game = Game::new(Position::start(Size::Eight));
    for _ in 0..plies {
        let moves = game.position().moves();
        let i = rng.below(u64::from(moves.count())) as usize;
        let mv = Move::Place(moves.into_iter().nth(i).expect("one of the moves"));
        if game.position().apply(mv).is_ok_and(Position::is_over) {
            break;
        }
        game.apply(mv).expect("a legal move");
        // A side that must pass does; so the position always has a move.
        game.settle();
    }
    game
}

/// The games of a list, each with the number of its line; at least one.
pub(crate) fn games_of(text: &str) -> Result<Vec<(usize, Game)>, OpeningError> {
    let mut games = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split([' ', '\t', ',', ';']);
        let Some(first) = words.find(|word| !word.is_empty()) else { continue };
        if first.starts_with(['#', '%']) {
            continue;
        }
        let game = Game::parse(first);
        games.push((i + 1, game.map_err(|e| OpeningError::Line(i + 1, e.to_string()))?));
    }
    if games.is_empty() { Err(OpeningError::Empty) } else { Ok(games) }
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Line(n, why) => write!(f, "line {n}: {why}"),
            OpeningError::Empty => f.write_str("found no opening, expected one a line: f5d6c4d3"),
        }
    }
}

impl std::error::Error for OpeningError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIST: &str = "# opening, value\nf5d6c4d3c2b3b4b5  -0.5\n\nf5f4g3, 12\nF5d6C3\n";

    fn error(text: &str) -> String {
        Openings::parse(text, 1).expect_err(text).to_string()
    }

    #[test]
    fn a_list_may_have_more_columns_and_comments() {
        let openings = Openings::parse(LIST, 1).unwrap();
        assert_eq!(openings.n_different(), Some(3));
        let mut lengths: Vec<usize> = openings.take(3).iter().map(|g| g.moves().len()).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [3, 3, 8]);
    }

    #[test]
    fn all_openings_of_a_list_are_played_before_one_comes_again() {
        let openings = Openings::parse(LIST, 5).unwrap();
        let taken = openings.take(9);
        for round in taken.chunks(3) {
            assert!(round[0] != round[1] && round[1] != round[2] && round[0] != round[2]);
        }
        assert_eq!(taken[..4], openings.take(4), "a longer match begins like a shorter one");
    }

    #[test]
    fn the_seed_alone_decides() {
        let moves = |seed| Openings::random(12, seed).take(5);
        assert_eq!(moves(3), moves(3));
        assert_ne!(moves(3), moves(4));
    }

    #[test]
    fn random_openings_are_never_over() {
        for plies in 0..70 {
            for game in Openings::random(plies, u64::from(plies)).take(20) {
                assert!(game.position().moves().any());
            }
        }
    }

    #[test]
    fn what_is_no_opening_is_named() {
        assert_eq!(error(""), "found no opening, expected one a line: f5d6c4d3");
        assert!(error("f5d6\nf5f5\n").starts_with("line 2: "), "{}", error("f5d6\nf5f5\n"));
        let over = "e6f4e3f6g5d6e7f5c5";
        assert_eq!(error(over), "line 1: the game is over, expected an opening");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[ -~\n]{0,80}") {
            let _ = Openings::parse(&text, 1);
        }
    }
}
