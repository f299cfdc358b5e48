//! The engine's name as people type it.
//!
//! | Setting | Default | |
//! |---|---|---|
//! | `level=1…30` | 10 | a level of play |
//! | `depth=1…60` | | so many moves ahead, proven from as many empty squares on |
//! | `nodes=N` | | so many positions a move |
//! | `time=1s` | | so long a move |
//! | `clock=5m+2s` | | so long a game, and so much more after every move |
//! | `threads=N` | 1 | threads that search together |
//! | `table=MIB` | by the limit | the size of the table |
//! | `weights=FILE` | the built-in ones | the evaluation |
//! | `ponder=off`/`on` | `off` | whether to think while a person does |
//!
//! Of the first five there can be one. With one thread and without a clock it plays the same moves
//! every time.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use obverse_engine::eval::Weights;
use obverse_engine::{Config, Engine};
use obverse_studio::pace::{Pace, number};

use crate::weights;

const SETTINGS: &str = "level, depth, nodes, time, clock, threads, table, weights or ponder";

/// Low levels visit few positions; a small table is emptied faster before the next game.
const TABLE_MIB: (u32, u32) = (8, 64);
const SMALL_TABLE_LEVEL_MAX: u32 = 12;

/// The engine's limits; what a player is called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Spec {
    pub(super) pace: Pace,
    pub(super) threads: u32,
    table_mib: Option<u32>,
    weights: Option<File>,
    pub(super) ponder: bool,
}

/// An evaluation from a file, read once however many sit down with it.
#[derive(Clone, Debug)]
struct File {
    path: String,
    weights: Arc<Weights>,
}

impl PartialEq for File {
    fn eq(&self, other: &File) -> bool {
        self.path == other.path
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine:{}", self.pace)?;
        if self.threads != 1 {
            write!(f, ",threads={}", self.threads)?;
        }
        if let Some(mib) = self.table_mib {
            write!(f, ",table={mib}")?;
        }
        if let Some(file) = &self.weights {
            write!(f, ",weights={}", file.path)?;
        }
        f.write_str(if self.ponder { ",ponder=on" } else { "" })
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let settings = match text.split_once(':') {
            Some((_, "")) => {
                return Err(format!("found {text:?}, expected a setting after the colon"));
            }
            Some((_, settings)) => settings,
            None => "",
        };
        let mut pace = None;
        let (mut threads, mut table_mib, mut weights, mut ponder) = (None, None, None, None);
        for setting in settings.split(',').filter(|_| !settings.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(format!("found {setting:?}, expected a setting such as level=10"));
            };
            let is_new = match key {
                key if Pace::KEYS.contains(&key) => {
                    let new = Pace::read(key, value)?;
                    if let Some(old) = pace.filter(|old: &Pace| old.key() != key) {
                        return Err(format!("found both {old} and {setting}, expected one limit"));
                    }
                    pace.replace(new).is_none()
                }
                "threads" => threads.replace(number(setting, value, 1024)?).is_none(),
                "table" => table_mib.replace(number(setting, value, 1 << 20)?).is_none(),
                "weights" => weights.replace(read_weights(value)?).is_none(),
                "ponder" => ponder.replace(is_on(setting, value)?).is_none(),
                _ => return Err(format!("engine has no setting {key:?}: expected {SETTINGS}")),
            };
            if !is_new {
                return Err(format!("{key} is set twice"));
            }
        }
        Ok(Spec {
            pace: pace.unwrap_or_default(),
            threads: threads.unwrap_or(1),
            table_mib,
            weights,
            ponder: ponder.unwrap_or(false),
        })
    }
}

fn is_on(setting: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("found {setting}, expected on or off")),
    }
}

fn read_weights(path: &str) -> Result<File, String> {
    let weights = weights::read(path).map_err(|error| format!("{error:#}"))?;
    Ok(File { path: path.to_owned(), weights })
}

impl Spec {
    /// An engine of this size, with these weights.
    pub(super) fn engine(&self) -> Engine {
        let is_small = match self.pace {
            Pace::Level(level) => level.depth() <= SMALL_TABLE_LEVEL_MAX,
            Pace::Depth(depth) => depth <= SMALL_TABLE_LEVEL_MAX,
            _ => false,
        };
        let default = if is_small { TABLE_MIB.0 } else { TABLE_MIB.1 };
        let table_mib = self.table_mib.unwrap_or(default) as usize;
        let config = Config { threads: self.threads as usize, table_mib };
        let weights = self.weights.as_ref().map(|file| Arc::clone(&file.weights));
        Engine::with_weights(config, weights.unwrap_or_else(Weights::built_in))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let printed = text.parse::<Spec>().map(|spec| spec.to_string());
        assert_eq!(printed, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
        if let Ok(printed) = printed {
            assert_eq!(printed.parse::<Spec>(), text.parse(), "{text}");
        }
    }

    #[test]
    fn names_are_read_and_printed() {
        check("engine", Ok("engine:level=10"));
        check("engine:level=30,threads=2,table=128", Ok("engine:level=30,threads=2,table=128"));
        check("engine:threads=1,depth=8", Ok("engine:depth=8"));
        check("engine:nodes=1000", Ok("engine:nodes=1000"));
        check("engine:time=0.1s", Ok("engine:time=100ms"));
        check("engine:time=1m 30s,ponder=on", Ok("engine:time=1m30s,ponder=on"));
        check("engine:clock=5m+2s,ponder=off", Ok("engine:clock=5m+2s"));
    }

    #[test]
    fn what_is_no_name_is_explained() {
        check("engine:", Err("found \"engine:\", expected a setting after the colon"));
        check("engine:level", Err("found \"level\", expected a setting such as level=10"));
        check("engine:level=31", Err("found level=31, expected a number from 1 to 30"));
        check("engine:depth=0", Err("found depth=0, expected a number from 1 to 60"));
        check("engine:nodes=0", Err("found nodes=0, expected a number such as 100000"));
        check("engine:time=1", Err("found time=1, expected a time such as 1s or 100ms"));
        check("engine:time=0s", Err("found time=0s, expected a time such as 1s or 100ms"));
        check("engine:clock=x", Err("found \"x\", expected a time such as 5m, or 5m+2s"));
        check("engine:ponder=yes", Err("found ponder=yes, expected on or off"));
        check("engine:threads=2,threads=2", Err("threads is set twice"));
        check("engine:level=3,level=4", Err("level is set twice"));
        check("engine:level=3,time=1s", Err("found both level=3 and time=1s, expected one limit"));
        check(
            "engine:speed=9",
            Err("engine has no setting \"speed\": expected level, depth, nodes, time, clock, \
                 threads, table, weights or ponder"),
        );
    }
}
