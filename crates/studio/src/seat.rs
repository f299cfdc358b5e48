//! Who may sit at a board of the web app, by the names people type.
//!
//! These are the names of the command line, without those that start programs: a page must not.

use std::fmt;
use std::str::FromStr;

use obverse_board::Size;
use obverse_engine::classic::Spec;

use crate::pace::Pace;
use crate::wire::PlayerEntry;

/// Who sits at one side of the board.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Seat {
    /// A person.
    #[default]
    Human,
    /// One of the textbook players.
    Classic(Spec),
    /// Obverse's own engine.
    Engine(Pace),
}

/// The opponents worth offering: the key of their texts, their name, and the boards they make sense
/// on. Weakest first.
const OFFERED: [(&str, &str, &[Size]); 12] = [
    ("random", "random", &Size::ALL),
    ("greedy", "minimax:depth=1", &Size::ALL),
    ("three-plies", "minimax:depth=3", &Size::ALL),
    ("positional", "minimax:depth=2,eval=positional", &Size::ALL),
    ("alpha-beta", "alphabeta:depth=6,eval=positional,order=positional", &Size::ALL),
    ("beginner", "engine:level=1", &Size::ALL),
    ("casual", "engine:level=2", &[Size::Six, Size::Eight]),
    ("club", "engine:level=4", &[Size::Six, Size::Eight]),
    ("expert", "engine:level=7", &[Size::Six, Size::Eight]),
    ("master", "engine:level=10", &[Size::Six, Size::Eight]),
    // It proves the score from 24 empty squares on.
    ("perfect-24", "engine:level=14", &Size::ALL),
    ("five-seconds", "engine:time=5s", &[Size::Eight]),
];

impl Seat {
    /// The key of a person's texts.
    pub const HUMAN: &str = "human";

    /// The opponents worth offering, weakest first.
    pub fn offered() -> Vec<PlayerEntry> {
        let sizes = |sizes: &[Size]| sizes.iter().map(|size| size.side()).collect();
        OFFERED
            .iter()
            .map(|&(key, spec, on)| PlayerEntry { key, spec: spec.to_owned(), sizes: sizes(on) })
            .collect()
    }

    /// The key of its texts, if it has one.
    pub fn key(self) -> Option<&'static str> {
        if self == Seat::Human {
            return Some(Seat::HUMAN);
        }
        OFFERED.iter().find(|(_, spec, _)| spec.parse() == Ok(self)).map(|&(key, ..)| key)
    }

    /// Whether a person sits here.
    pub fn is_human(self) -> bool {
        self == Seat::Human
    }

    /// Whether it might think for longer than anybody waits. The textbook searches look at
    /// everything up to their depth, and nothing stops them.
    pub fn is_too_slow(self, size: Size) -> bool {
        // A move takes a quarter of a second on average at most; one more ply, five times as long
        // (games against engine:level=3).
        let (minimax_max, alphabeta_max) = match size {
            Size::Four => (60, 60),
            Size::Six => (8, 12),
            Size::Eight => (7, 10),
        };
        match self {
            Seat::Classic(Spec::Minimax(lookahead)) => lookahead.depth.plies() > minimax_max,
            Seat::Classic(Spec::AlphaBeta { lookahead, .. }) => {
                lookahead.depth.plies() > alphabeta_max
            }
            Seat::Classic(Spec::Random { .. }) | Seat::Human | Seat::Engine(_) => false,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str(Seat::HUMAN),
            Seat::Classic(spec) => spec.fmt(f),
            Seat::Engine(pace) => write!(f, "engine:{pace}"),
        }
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) => (name, Some(settings)),
            None => (text, None),
        };
        match (name, settings) {
            ("human", None) => Ok(Seat::Human),
            ("engine", None) => Ok(Seat::Engine(Pace::default())),
            ("engine", Some(setting)) => match setting.split_once('=') {
                // A clock is the game's, not the player's.
                Some(("clock", _)) | None => {
                    Err(format!("found {setting:?}, expected level, depth, nodes or time"))
                }
                Some((key, value)) => Pace::read(key, value).map(Seat::Engine),
            },
            (name, _) if Spec::PLAYERS.contains(&name) => text
                .parse()
                .map(Seat::Classic)
                .map_err(|error: obverse_engine::classic::ParseSpecError| error.to_string()),
            _ => {
                let name: String = name.chars().take(20).collect();
                let players = Spec::PLAYERS.join(", ");
                Err(format!("found {name:?}, expected a player: human, {players}, engine"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_offered_has_a_name_and_is_fast_enough() {
        for (key, spec, sizes) in OFFERED {
            let seat: Seat = spec.parse().unwrap();
            assert_eq!(seat.to_string(), spec);
            assert_eq!(seat.key(), Some(key));
            assert!(sizes.iter().all(|&size| !seat.is_too_slow(size)), "{spec}");
        }
    }

    #[test]
    fn what_is_no_player_is_explained() {
        let error = |text: &str| text.parse::<Seat>().unwrap_err();
        assert_eq!(
            error("nboard:rm -rf /"),
            "found \"nboard\", expected a player: human, random, minimax, alphabeta, engine"
        );
        assert_eq!(error("engine:"), "found \"\", expected level, depth, nodes or time");
        assert_eq!(
            error("engine:clock=5m"),
            "found \"clock=5m\", expected level, depth, nodes or time"
        );
        assert_eq!(error("engine:level=99"), "found level=99, expected a number from 1 to 30");
        assert!(error("minimax").contains("depth"));
    }
}
