//! `obverse lab`: what makes players stronger.

mod hall;
mod matches;
mod record;
mod results;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use crate::Answer;

/// Measure players against each other.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Match(matches::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        match self.command {
            Command::Match(args) => args.run(out),
        }
    }
}
