//! `obverse cluster`: the same questions, answered by workers on many machines.

mod cancel;
mod collect;
pub(crate) mod connect;
mod purge;
pub(crate) mod status;
mod submit;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use crate::Answer;

/// Hand out positions to workers on many machines, through NATS JetStream.
///
/// Start `nats-server -js` somewhere, `obverse worker --server nats://HOST:4222` on every machine that
/// is to help, and submit positions from anywhere. Workers may come and go; what one does not finish,
/// another does. docs/scale.md tells how a cluster is laid out.
///
/// Examples:
///   obverse cluster submit positions.obf --wld
///   obverse cluster status --watch
///   obverse cluster collect --out outcomes.jsonl --wait
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one value, made once")]
enum Command {
    Submit(submit::Args),
    Status(status::Args),
    Collect(collect::Args),
    Cancel(cancel::Args),
    Purge(purge::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        match self.command {
            Command::Submit(args) => args.run(out),
            Command::Status(args) => args.run(out),
            Command::Collect(args) => args.run(out),
            Command::Cancel(args) => args.run(out),
            Command::Purge(args) => args.run(out),
        }
    }
}
