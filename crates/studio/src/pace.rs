//! What limits an engine's thinking about a move, as people type it: `level=12`, `time=1s`.

use std::fmt;
use std::time::Duration;

use obverse_board::Position;
use obverse_engine::{Caution, Level, Limits};

use crate::clock::{self, Budget, Clock};

/// Roughly what a thread visits in a second, for limits in positions.
const NODES_PER_SECOND: f64 = 1e7;

/// The greatest depth that can be typed; the game has no more moves.
const DEPTH_MAX: u32 = 60;

/// What limits the thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// A level of play.
    Level(Level),
    /// So many moves ahead, carefully, and proven from as many empty squares on.
    Depth(u32),
    /// So many positions a move.
    Nodes(u64),
    /// So long a move.
    Time(Duration),
    /// So long a game, and so much more after every move.
    Clock(Clock),
}

impl Default for Pace {
    fn default() -> Pace {
        Pace::Level(Level::new(10).expect("10 is a level"))
    }
}

impl Pace {
    /// The settings, of which an engine can have one.
    pub const KEYS: [&str; 5] = ["level", "depth", "nodes", "time", "clock"];

    /// Which of [`Pace::KEYS`] it is.
    pub const fn key(self) -> &'static str {
        match self {
            Pace::Level(_) => "level",
            Pace::Depth(_) => "depth",
            Pace::Nodes(_) => "nodes",
            Pace::Time(_) => "time",
            Pace::Clock(_) => "clock",
        }
    }

    /// The pace that a setting means.
    ///
    /// # Errors
    /// If the value is none, or the key not one of [`Pace::KEYS`]: what was found and expected.
    pub fn read(key: &str, value: &str) -> Result<Pace, String> {
        let setting = format!("{key}={value}");
        Ok(match key {
            "level" => {
                let level = number(&setting, value, Level::MAX.into())?;
                let error = || format!("found {setting}, expected a level");
                Pace::Level(Level::new(level as u8).ok_or_else(error)?)
            }
            "depth" => Pace::Depth(number(&setting, value, DEPTH_MAX)?),
            "nodes" => {
                let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                let error = || format!("found {setting}, expected a number such as 100000");
                Pace::Nodes(nodes.ok_or_else(error)?)
            }
            "time" => {
                let time = clock::read(value).filter(|time| !time.is_zero());
                let error = || format!("found {setting}, expected a time such as 1s or 100ms");
                Pace::Time(time.ok_or_else(error)?)
            }
            "clock" => Pace::Clock(value.parse()?),
            _ => return Err(format!("found {key:?}, expected {}", Pace::KEYS.join(", "))),
        })
    }

    /// How far to think about a move and how long, with so much left on the clock if there is one.
    pub fn plan(
        self,
        position: Position,
        left: Duration,
        threads: u32,
    ) -> (Limits, Option<Budget>) {
        // Two threads get as far in a second as one does in two, or almost.
        let within = |time: Duration| clock::limits(time.saturating_mul(threads));
        match self {
            Pace::Level(level) => (level.into(), None),
            // Whoever names a depth wants to know what can be seen from there.
            Pace::Depth(depth) => {
                let caution = Caution::Careful;
                (
                    Limits { depth, end_from: depth, proof_from: depth, caution, ..Limits::NONE },
                    None,
                )
            }
            Pace::Nodes(nodes) => {
                let time = Duration::from_secs_f64(nodes as f64 / NODES_PER_SECOND);
                (Limits { nodes, ..clock::limits(time) }, None)
            }
            // Time that is not used is lost.
            Pace::Time(time) => (within(time), Some(Budget::whole(time))),
            Pace::Clock(clock) => {
                let budget = clock.budget(left, position);
                (within(budget.soft), Some(budget))
            }
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.key())?;
        match self {
            Pace::Level(level) => write!(f, "{}", level.get()),
            Pace::Depth(depth) => write!(f, "{depth}"),
            Pace::Nodes(nodes) => write!(f, "{nodes}"),
            Pace::Time(time) => f.write_str(&clock::duration(*time)),
            Pace::Clock(clock) => write!(f, "{clock}"),
        }
    }
}

/// Reads the value of a setting that is a number from 1 to `max`.
///
/// # Errors
/// If it is not: what was found and expected.
pub fn number(setting: &str, value: &str, max: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| format!("found {setting}, expected a number from 1 to {max}"))
}
