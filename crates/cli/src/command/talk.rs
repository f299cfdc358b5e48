//! What the commands share by which Obverse is the engine of another program.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use obverse_engine::{Config, Level};
use obverse_studio::clock;

use super::solve::all_threads;
use crate::protocol::Dialogue;
use crate::protocol::pump::Pump;
use crate::protocol::search::Setup;
use crate::{Answer, weights};

/// The engine and how much of the machine it may use.
#[derive(clap::Args, Debug)]
pub(crate) struct EngineArgs {
    /// Threads that search together (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The size of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    table_mib: u32,

    /// The evaluation (default: the built-in one)
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,

    /// Never think longer than this at a time, for example 10s, whatever the other side allows
    #[arg(long, value_name = "TIME", value_parser = time)]
    time_max: Option<Duration>,
}

/// Reads a time.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = clock::read(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("found {text:?}, expected a time such as 10s or 500ms"))
}

/// Reads a level.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| format!("found {text:?}, expected a level from 1 to {}", Level::MAX))
}

impl EngineArgs {
    pub(crate) fn n_threads(&self) -> u32 {
        self.threads.unwrap_or_else(|| all_threads() as u32)
    }

    pub(crate) fn config(&self) -> Config {
        Config { threads: self.n_threads() as usize, table_mib: self.table_mib as usize }
    }

    pub(crate) fn setup(&self) -> Result<Setup> {
        Ok(Setup {
            config: self.config(),
            weights: weights::read_or_built_in(self.weights.as_deref())?,
            time_max: self.time_max,
        })
    }

    /// Lets a dialogue talk over standard input and output.
    pub(crate) fn talk(
        &self,
        dialogue: &mut dyn Dialogue,
        learned: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<Answer> {
        let pump = Pump { setup: self.setup()?, learned, out };
        pump.run(std::io::stdin(), dialogue)?;
        Ok(Answer::Yes)
    }
}
