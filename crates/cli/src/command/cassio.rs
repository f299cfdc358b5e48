//! `obverse cassio`: the engine for Cassio.

use std::io::Write;

use anyhow::Result;

use super::talk::EngineArgs;
use crate::Answer;
use crate::protocol::cassio::Engine;

/// Be an engine that speaks Cassio's engine protocol on standard input and output.
///
/// midgame-search looks as many moves ahead as it is asked to, endgame-search to the end of the game.
/// A precision of 100 % is a proof, of which bounds are told as soon as they are known; below that the
/// search leaves out what it is so sure of. Nothing else is searched than what was asked for.
///
/// Examples:
///   obverse cassio
///   obverse cassio --threads 4 --table-mib 1024
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        self.engine.talk(&mut Engine::default(), None, out)
    }
}
