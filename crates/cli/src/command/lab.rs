//! `obverse lab`: what makes players stronger.

mod accuracy;
mod bases;
mod block;
pub(crate) mod crew;
mod crosstable;
mod fit;
mod hall;
mod label;
mod leaves;
mod ledger;
mod matches;
mod probcut;
mod prune;
mod results;
mod saved;
mod schedule;
mod selfplay;
mod tally;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Answer;

/// Make the engine stronger, and measure whether it is.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one value, made once")]
enum Command {
    Match(matches::Args),
    Selfplay(selfplay::Args),
    Leaves(leaves::Args),
    Label(label::Args),
    Fit(fit::Args),
    Bases(bases::Args),
    Prune(prune::Args),
    Probcut(probcut::Args),
    Accuracy(accuracy::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        match self.command {
            Command::Match(args) => args.run(out),
            Command::Selfplay(args) => args.run(out),
            Command::Leaves(args) => args.run(out),
            Command::Label(args) => args.run(out),
            Command::Fit(args) => args.run(out),
            Command::Bases(args) => args.run(out),
            Command::Prune(args) => args.run(out),
            Command::Probcut(args) => args.run(out),
            Command::Accuracy(args) => args.run(out),
        }
    }
}

/// A bar that shows how many of so many things are done.
fn bar(length: u64, what: &str) -> ProgressBar {
    let style = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} left  {{msg}}");
    let style = ProgressStyle::with_template(&style).expect("a template");
    ProgressBar::new(length).with_style(style)
}
