//! `nboard:COMMAND` and `gtp:COMMAND`: another program as a player, named by the protocol it speaks and
//! the command that starts it.
//!
//! | Setting | |
//! |---|---|
//! | `depth=N` | `nboard`: the depth it is told to search (default: 12, with `time=` 60) |
//! | `level=N` | `gtp`: the level it is told to play at, if it knows `set_level` |
//! | `time=S` | so many seconds for each of its moves |
//! | `wait=S` | it is given up when it does not answer for so long (default: 60) |
//!
//! Settings stand before the command: `nboard:depth=12:ntest x`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;
use obverse_board::{Color, Game, Move};

use super::{gtp, nboard};
use crate::player::Mover;

/// No game is longer.
pub(super) const DEPTH_MAX: u32 = 60;

/// How long a program may take to start, which includes loading what it knows, and to move.
const WAIT_DEFAULT: Duration = Duration::from_mins(1);

/// A day; more is a slip of the keyboard.
const SECONDS_MAX: f64 = 86_400.0;

/// A program and its limits; what a player is called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Spec {
    protocol: Protocol,
    /// The depth or level it is told.
    pub(super) limit: Option<u32>,
    /// Seconds for each move.
    pub(super) time: Option<f64>,
    /// Seconds after which an answer is no longer waited for.
    wait: Option<f64>,
    command: String,
    words: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    NBoard,
    Gtp,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::NBoard => "nboard",
            Protocol::Gtp => "gtp",
        }
    }

    /// What the limit is called that is no time.
    fn limit(self) -> &'static str {
        match self {
            Protocol::NBoard => "depth",
            Protocol::Gtp => "level",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Protocol::NBoard => "nboard:depth=12:ntest",
            Protocol::Gtp => "gtp:time=1:gtp-rhino",
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> = [
            self.limit.map(|limit| format!("{}={limit}", self.protocol.limit())),
            self.time.map(|time| format!("time={time}")),
            self.wait.map(|wait| format!("wait={wait}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        write!(f, "{}:", self.protocol.name())?;
        match settings.join(",").as_str() {
            "" if begins_with_settings(&self.command) => f.write_str(":")?,
            "" => {}
            settings => write!(f, "{settings}:")?,
        }
        f.write_str(&self.command)
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let protocol = match name {
            "gtp" => Protocol::Gtp,
            _ => Protocol::NBoard,
        };
        let (settings, command) = match rest.split_once(':') {
            Some((settings, command)) if settings.is_empty() || begins_with_settings(settings) => {
                (settings, command)
            }
            None if begins_with_settings(rest) => (rest, ""),
            _ => ("", rest),
        };
        let words = shlex::split(command)
            .ok_or_else(|| format!("found {command:?}, expected a quotation mark at its end"))?;
        if words.is_empty() || words[0].is_empty() {
            let example = protocol.example();
            return Err(format!("{name} needs a command: expected for example {example}"));
        }
        let (limit, time, wait) = (None, None, None);
        let mut spec = Spec { protocol, limit, time, wait, command: command.to_owned(), words };
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            spec.set(setting)?;
        }
        Ok(spec)
    }
}

/// Whether a text begins as settings do: `key=`.
fn begins_with_settings(text: &str) -> bool {
    let key = text.split('=').next().unwrap_or_default();
    key.len() < text.len() && !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase())
}

impl Spec {
    fn set(&mut self, setting: &str) -> Result<(), String> {
        let (name, limit) = (self.protocol.name(), self.protocol.limit());
        let Some((key, value)) = setting.split_once('=') else {
            return Err(format!("found {setting:?}, expected a setting such as {limit}=12"));
        };
        let seconds = || {
            let seconds = value.parse().ok().filter(|s| (0.001..=SECONDS_MAX).contains(s));
            seconds.ok_or_else(|| format!("found {setting}, expected seconds such as {key}=0.5"))
        };
        let is_new = match key {
            "time" => self.time.replace(seconds()?).is_none(),
            "wait" => self.wait.replace(seconds()?).is_none(),
            key if key == limit => {
                let number = value.parse().ok().filter(|n| (1..=DEPTH_MAX).contains(n));
                let number = number.ok_or_else(|| {
                    format!("found {setting}, expected a number from 1 to {DEPTH_MAX}")
                })?;
                self.limit.replace(number).is_none()
            }
            _ => {
                return Err(format!(
                    "{name} has no setting {key:?}: expected {limit}, time or wait"
                ));
            }
        };
        if is_new { Ok(()) } else { Err(format!("{name} has {key} twice, expected it once")) }
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// How long an answer is waited for.
    pub(super) fn wait(&self) -> Duration {
        self.wait.map_or(WAIT_DEFAULT, Duration::from_secs_f64)
    }

    /// Starts the program.
    pub(crate) fn start(&self) -> Result<Box<dyn Mover>> {
        Ok(match self.protocol {
            Protocol::NBoard => Box::new(nboard::host::Engine::start(self)?),
            Protocol::Gtp => Box::new(gtp::host::Engine::start(self)?),
        })
    }
}

/// The moves that were added to `known` to make `game`, with who made them; `None` if it is another
/// game.
pub(super) fn added(known: &Game, game: &Game) -> Option<Vec<(Color, Move)>> {
    let n_known = known.moves().len();
    let is_same = known.start() == game.start() && game.moves().get(..n_known)? == known.moves();
    let steps = game.steps().skip(n_known);
    is_same.then(|| steps.map(|(position, mv)| (position.turn(), mv)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(Option<u32>, Option<f64>, &str), &str>) {
        let spec = text.parse::<Spec>();
        let read = spec.as_ref().map(|spec| (spec.limit, spec.time, spec.command.as_str()));
        assert_eq!(read, expected.map_err(str::to_owned).as_ref().map(|&e| e), "{text}");
        if let Ok(spec) = &spec {
            assert_eq!(spec.to_string().parse(), Ok(spec.clone()), "{spec}");
        }
    }

    #[test]
    fn settings_stand_before_the_command() {
        check("nboard:ntest", Ok((None, None, "ntest")));
        check("nboard:ntest x:y -z", Ok((None, None, "ntest x:y -z")));
        check("nboard:C:/ntest.exe x", Ok((None, None, "C:/ntest.exe x")));
        check("nboard:depth=12:./ntest x", Ok((Some(12), None, "./ntest x")));
        check("nboard:time=0.1,depth=9:sh -c 'a:b'", Ok((Some(9), Some(0.1), "sh -c 'a:b'")));
        check("nboard::depth=3:x", Ok((None, None, "depth=3:x")));
        check("gtp:level=3,time=2:edax -gtp", Ok((Some(3), Some(2.0), "edax -gtp")));
        check("gtp:gtp-rhino", Ok((None, None, "gtp-rhino")));
    }

    #[test]
    fn wrong_settings_are_explained() {
        let no_command = "nboard needs a command: expected for example nboard:depth=12:ntest";
        check("nboard", Err(no_command));
        check("nboard:", Err(no_command));
        check("nboard:depth=3", Err(no_command));
        check("gtp:", Err("gtp needs a command: expected for example gtp:time=1:gtp-rhino"));
        check(
            "nboard:deep=3:x",
            Err("nboard has no setting \"deep\": expected depth, time or wait"),
        );
        check("gtp:depth=3:x", Err("gtp has no setting \"depth\": expected level, time or wait"));
        check("nboard:depth=99:x", Err("found depth=99, expected a number from 1 to 60"));
        check("nboard:time=-1:x", Err("found time=-1, expected seconds such as time=0.5"));
        check("nboard:time=nan:x", Err("found time=nan, expected seconds such as time=0.5"));
        check("nboard:depth=1,depth=2:x", Err("nboard has depth twice, expected it once"));
        check("nboard:a 'b", Err("found \"a 'b\", expected a quotation mark at its end"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Spec>();
            let _ = format!("nboard:{text}").parse::<Spec>();
            let _ = format!("gtp:{text}").parse::<Spec>();
        }
    }
}
