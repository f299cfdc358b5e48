//! `obverse batch`: many positions or games at once.

mod analyze;
mod check;
mod cost;
mod export;
pub(crate) mod file;
mod games;
mod label;
pub(crate) mod ledger;
pub(crate) mod lines;
pub(crate) mod memory;
mod merge;
pub(crate) mod progress;
pub(crate) mod record;
mod solve;
mod source;
pub(crate) mod task;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use crate::Answer;

/// Solve, analyze and label many positions or games.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one value, made once")]
enum Command {
    Solve(solve::Args),
    Analyze(analyze::Args),
    Label(label::Args),
    Merge(merge::Args),
    Export(export::Args),
    Check(check::Args),
    Cost(cost::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        match self.command {
            Command::Solve(args) => args.run(out),
            Command::Analyze(args) => args.run(out),
            Command::Label(args) => args.run(out),
            Command::Merge(args) => args.run(out),
            Command::Export(args) => args.run(out),
            Command::Check(args) => args.run(out),
            Command::Cost(args) => args.run(out),
        }
    }
}
