//! Players by the names people type.

mod engine;

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result};
use obverse_board::{Game, Move};
use obverse_engine::classic::{Player, Spec};
use obverse_engine::{Monitor, Value};

use crate::protocol::guest;

/// Who sits at one side of the board.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Seat {
    /// A person at the terminal.
    Human,
    /// One of the textbook players.
    Classic(Spec),
    /// Obverse's own engine.
    Engine(engine::Spec),
    /// Another program, spoken to in a protocol of the field.
    Guest(guest::Spec),
}

/// A program that chooses moves.
///
/// It is made once and plays many games, because some are programs of their own and take a while to
/// start.
pub(crate) trait Mover: Send {
    /// Forgets the games before. Whatever chance there is in the next one comes from `seed`.
    fn begin(&mut self, seed: u64);

    /// The move it plays now. It is asked only where there is one to play: forced passes are not its
    /// business. It may be wrong, so whoever asks checks the move.
    ///
    /// # Errors
    /// If it has no answer; then it must not be asked again.
    fn choose(&mut self, game: &Game) -> Result<Move>;

    /// What it thinks the move it chose last is worth.
    fn value(&self) -> Option<Value> {
        None
    }

    /// The same in discs, also from a program that does not say how it knows.
    fn eval(&self) -> Option<f64> {
        self.value().map(|value| value.discs.into())
    }

    /// Whether it wants to think while its opponent does.
    fn ponders(&self) -> bool {
        false
    }

    /// Thinks while its opponent does, until `monitor` is stopped.
    fn ponder(&mut self, _game: &Game, _monitor: &Monitor) {}
}

impl Seat {
    /// The program at this seat, ready to play; `None` for a person.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn mover(&self) -> Result<Option<Box<dyn Mover>>> {
        Ok(Some(match self {
            Seat::Human => return Ok(None),
            Seat::Classic(spec) => Box::new(Classic { spec: *spec, player: spec.player(0) }),
            Seat::Engine(spec) => Box::new(engine::Thinker::new(spec)),
            Seat::Guest(spec) => spec.start()?,
        }))
    }
}

/// A textbook player, made anew for every game.
struct Classic {
    spec: Spec,
    player: Player,
}

impl Mover for Classic {
    fn begin(&mut self, seed: u64) {
        self.player = self.spec.player(seed);
    }

    fn choose(&mut self, game: &Game) -> Result<Move> {
        self.player.choose(game.position()).context("the game is over")
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Classic(spec) => spec.fmt(f),
            Seat::Engine(spec) => spec.fmt(f),
            Seat::Guest(spec) => spec.fmt(f),
        }
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        let name = text.split(':').next().unwrap_or_default();
        match name {
            "engine" => text.parse().map(Seat::Engine),
            "human" if text == "human" => Ok(Seat::Human),
            "human" => Err(format!("found {text:?}, but human has no settings")),
            "nboard" | "gtp" => text.parse().map(Seat::Guest),
            name if Spec::PLAYERS.contains(&name) => {
                text.parse().map(Seat::Classic).map_err(|error| error.to_string())
            }
            _ => Err(format!(
                "found {name:?}, expected a player: human, {}, engine, nboard, gtp",
                Spec::PLAYERS.join(", ")
            )),
        }
    }
}

/// Reads a player that is a program.
pub(crate) fn program(text: &str) -> Result<Seat, String> {
    match text.parse()? {
        Seat::Human => Err("a person cannot play here, expected a program".to_owned()),
        seat => Ok(seat),
    }
}

/// A seed that differs from run to run, for random players without one.
pub(crate) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
