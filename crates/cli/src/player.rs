//! Players by the names people type.

use std::fmt;
use std::str::FromStr;

use obverse_engine::classic::Spec;

/// Who sits at one side of the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Seat {
    /// A person at the terminal.
    Human,
    /// One of the textbook players.
    Classic(Spec),
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Classic(spec) => spec.fmt(f),
        }
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        let name = text.split(':').next().unwrap_or_default();
        match name {
            "human" if text == "human" => Ok(Seat::Human),
            "human" => Err(format!("found {text:?}, but human has no settings")),
            name if Spec::PLAYERS.contains(&name) => {
                text.parse().map(Seat::Classic).map_err(|error| error.to_string())
            }
            _ => Err(format!(
                "found {name:?}, expected a player: human, {}",
                Spec::PLAYERS.join(", ")
            )),
        }
    }
}

/// A seed that differs from run to run, for random players without one.
pub(crate) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
