//! A player's name as people type it.
//!
//! `alphabeta:depth=5,eval=positional` is a kind of player, a colon, and settings. A setting that is
//! left out has its default, which is the first one named below; printing leaves those out again.
//!
//! | Player | Settings |
//! |---|---|
//! | `random` | `seed=N` (whoever makes the player chooses one) |
//! | `minimax` | `depth=1…60` (required), `eval=discs`/`positional`, `pass=ply`/`free`; with `eval=positional` also `parity=W` and `mobility=W` |
//! | `alphabeta` | those of `minimax`, `order=reading`/`positional`, `table=off`/`on` |

use std::fmt;
use std::str::FromStr;

use obverse_board::perft::Passes;

use super::{AlphaBeta, Depth, Eval, Lookahead, Minimax, Order, Player, Random, Weights};

/// The settings each player knows, in the order they are printed.
const RANDOM_KEYS: &[&str] = &["seed"];
const MINIMAX_KEYS: &[&str] = &["depth", "eval", "pass", "parity", "mobility"];
const ALPHABETA_KEYS: &[&str] = &["depth", "eval", "pass", "parity", "mobility", "order", "table"];

/// The largest weight that can be typed. Beyond it a sum could lose the square values to rounding.
const WEIGHT_MAX: f64 = 1e6;

/// A kind of player and its settings; what a player is called.
///
/// ```
/// use obverse_engine::classic::Spec;
/// let spec: Spec = "alphabeta:eval=positional,depth=5,pass=ply".parse().unwrap();
/// assert_eq!(spec.to_string(), "alphabeta:depth=5,eval=positional");
/// let error = "minimax:depth=5,evil=discs".parse::<Spec>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "minimax has no setting \"evil\": expected depth, eval, pass, parity or mobility"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spec {
    /// Any legal move.
    Random {
        /// Where the randomness starts, or `None` to leave that to whoever makes the player.
        seed: Option<u64>,
    },
    /// The full search.
    Minimax(Lookahead),
    /// The search with cuts.
    AlphaBeta {
        /// What is searched for.
        lookahead: Lookahead,
        /// The order in which moves are tried.
        order: Order,
        /// Whether there is a transposition table.
        table: bool,
    },
}

impl Spec {
    /// The names of the players.
    pub const PLAYERS: [&str; 3] = ["random", "minimax", "alphabeta"];

    /// The player of this name; a random one without a seed takes `default_seed`.
    pub fn player(self, default_seed: u64) -> Player {
        match self {
            Spec::Random { seed } => Random::new(seed.unwrap_or(default_seed)).into(),
            Spec::Minimax(lookahead) => Minimax::new(lookahead).into(),
            Spec::AlphaBeta { lookahead, order, table } => {
                let search = AlphaBeta::new(lookahead).with_order(order);
                if table { search.with_table().into() } else { search.into() }
            }
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Random { seed: None } => f.write_str("random"),
            Spec::Random { seed: Some(seed) } => write!(f, "random:seed={seed}"),
            Spec::Minimax(lookahead) => {
                f.write_str("minimax:")?;
                write_lookahead(f, lookahead)
            }
            Spec::AlphaBeta { lookahead, order, table } => {
                f.write_str("alphabeta:")?;
                write_lookahead(f, lookahead)?;
                if *order != Order::default() {
                    write!(f, ",order={order}")?;
                }
                f.write_str(if *table { ",table=on" } else { "" })
            }
        }
    }
}

fn write_lookahead(f: &mut fmt::Formatter<'_>, lookahead: &Lookahead) -> fmt::Result {
    write!(f, "depth={}", lookahead.depth)?;
    if matches!(lookahead.eval, Eval::Positional(_)) {
        f.write_str(",eval=positional")?;
    }
    if lookahead.passes == Passes::Free {
        f.write_str(",pass=free")?;
    }
    if let Eval::Positional(Weights { parity, mobility }) = lookahead.eval {
        let default = Weights::default();
        if parity.to_bits() != default.parity.to_bits() {
            write!(f, ",parity={parity}")?;
        }
        if mobility.to_bits() != default.mobility.to_bits() {
            write!(f, ",mobility={mobility}")?;
        }
    }
    Ok(())
}

impl FromStr for Spec {
    type Err = ParseSpecError;

    fn from_str(text: &str) -> Result<Spec, ParseSpecError> {
        let (player, settings) = match text.split_once(':') {
            Some((player, settings)) => (player, Some(settings)),
            None => (text, None),
        };
        match player {
            "random" => {
                let settings = Settings::read("random", RANDOM_KEYS, settings)?;
                let seed = settings.parse("seed", "a whole number from 0 to 2^64 - 1")?;
                Ok(Spec::Random { seed })
            }
            "minimax" => {
                Settings::read("minimax", MINIMAX_KEYS, settings)?.lookahead().map(Spec::Minimax)
            }
            "alphabeta" => {
                let settings = Settings::read("alphabeta", ALPHABETA_KEYS, settings)?;
                Ok(Spec::AlphaBeta {
                    lookahead: settings.lookahead()?,
                    order: settings.order()?,
                    table: settings.is_second("table", ["off", "on"], "off or on")?,
                })
            }
            _ => Err(ParseSpecError::UnknownPlayer(shorten(player))),
        }
    }
}

/// The settings of one name, each key known and given once.
struct Settings<'a> {
    player: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Settings<'a> {
    fn read(
        player: &'static str,
        known: &'static [&'static str],
        text: Option<&'a str>,
    ) -> Result<Settings<'a>, ParseSpecError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for setting in text.into_iter().flat_map(|text| text.split(',')) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(ParseSpecError::NoSetting(shorten(setting)));
            };
            if !known.contains(&key) {
                return Err(ParseSpecError::UnknownKey { player, key: shorten(key), known });
            }
            if pairs.iter().any(|&(earlier, _)| earlier == key) {
                return Err(ParseSpecError::Duplicate(key.to_owned()));
            }
            pairs.push((key, value));
        }
        Ok(Settings { player, pairs })
    }

    fn find(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|&&(found, _)| found == key).map(|&(_, value)| value)
    }

    /// The value of `key`, if it is given.
    fn parse<T: FromStr>(
        &self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<Option<T>, ParseSpecError> {
        let Some(text) = self.find(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| bad_value(key, text, expected))
    }

    /// Whether `key` has the second of two values; the first is its default.
    fn is_second(
        &self,
        key: &'static str,
        [first, second]: [&str; 2],
        expected: &'static str,
    ) -> Result<bool, ParseSpecError> {
        match self.find(key) {
            None => Ok(false),
            Some(text) if text == first => Ok(false),
            Some(text) if text == second => Ok(true),
            Some(text) => Err(bad_value(key, text, expected)),
        }
    }

    fn lookahead(&self) -> Result<Lookahead, ParseSpecError> {
        let depth: Option<Depth> = self.parse("depth", "a number from 1 to 60")?;
        let depth = depth.ok_or(ParseSpecError::NoDepth { player: self.player })?;
        let positional = self.is_second("eval", ["discs", "positional"], "discs or positional")?;
        let eval = if positional {
            let Weights { parity, mobility } = Weights::default();
            Eval::Positional(Weights {
                parity: self.weight("parity")?.unwrap_or(parity),
                mobility: self.weight("mobility")?.unwrap_or(mobility),
            })
        } else if let Some(key) =
            ["parity", "mobility"].into_iter().find(|k| self.find(k).is_some())
        {
            return Err(ParseSpecError::OnlyPositional { key });
        } else {
            Eval::Discs
        };
        let free = self.is_second("pass", ["ply", "free"], "ply or free")?;
        let passes = if free { Passes::Free } else { Passes::Ply };
        Ok(Lookahead { depth, eval, passes })
    }

    fn order(&self) -> Result<Order, ParseSpecError> {
        let positional =
            self.is_second("order", ["reading", "positional"], "reading or positional")?;
        Ok(if positional { Order::Positional } else { Order::Reading })
    }

    fn weight(&self, key: &'static str) -> Result<Option<f64>, ParseSpecError> {
        const EXPECTED: &str = "a number from -1000000 to 1000000";
        let weight: Option<f64> = self.parse(key, EXPECTED)?;
        if weight.is_none_or(|weight| (-WEIGHT_MAX..=WEIGHT_MAX).contains(&weight)) {
            return Ok(weight);
        }
        Err(bad_value(key, self.find(key).unwrap_or_default(), EXPECTED))
    }
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseSpecError {
    /// No player is called this.
    UnknownPlayer(String),
    /// The player has no such setting.
    UnknownKey {
        /// The player.
        player: &'static str,
        /// What was found.
        key: String,
        /// The settings it has.
        known: &'static [&'static str],
    },
    /// What stood in the place of a setting is not `key=value`.
    NoSetting(String),
    /// This setting is given twice.
    Duplicate(String),
    /// The setting cannot have this value.
    BadValue {
        /// The setting.
        key: &'static str,
        /// Its value.
        found: String,
        /// The values it can have, in words.
        expected: &'static str,
    },
    /// The player needs a depth.
    NoDepth {
        /// The player.
        player: &'static str,
    },
    /// The setting is one of the positional evaluation, which is not asked for.
    OnlyPositional {
        /// The setting.
        key: &'static str,
    },
}

impl fmt::Display for ParseSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseSpecError::UnknownPlayer(found) => {
                write!(f, "unknown player {found:?}: expected {}", one_of(&Spec::PLAYERS))
            }
            ParseSpecError::UnknownKey { player, key, known } => {
                write!(f, "{player} has no setting {key:?}: expected {}", one_of(known))
            }
            ParseSpecError::NoSetting(found) => {
                write!(f, "found {found:?}, expected a setting of the form key=value")
            }
            ParseSpecError::Duplicate(key) => write!(f, "{key} is given twice, expected once"),
            ParseSpecError::BadValue { key, found, expected } => {
                write!(f, "found {key}={found}, expected {expected}")
            }
            ParseSpecError::NoDepth { player } => {
                write!(f, "{player} needs a depth: expected for example {player}:depth=3")
            }
            ParseSpecError::OnlyPositional { key } => {
                write!(f, "found {key} with eval=discs, expected it only with eval=positional")
            }
        }
    }
}

impl std::error::Error for ParseSpecError {}

fn bad_value(key: &'static str, found: &str, expected: &'static str) -> ParseSpecError {
    ParseSpecError::BadValue { key, found: shorten(found), expected }
}

/// `a, b or c`.
fn one_of(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The beginning of a text that goes into an error message.
fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}
