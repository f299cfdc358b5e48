//! `obverse nboard`: the engine for NBoard and other programs that speak its protocol.

use std::fs::OpenOptions;
use std::io::Write;

use anyhow::{Context, Result};

use super::talk::EngineArgs;
use crate::Answer;
use crate::protocol::nboard::engine::Engine;

/// Be an engine that speaks the NBoard protocol, version 2, on standard input and output.
///
/// Every command of the protocol is understood, also as hosts of version 1 say them. Values are in
/// discs for the side to move. The depth of a hint says how its value is known: 12 an estimate 12 moves
/// ahead, 22@99% a search to the end that left out what it was 99 % sure of, 100% the proven score,
/// 100%W a proven win, draw or loss. `go` keeps to the depth and to the clock of the game, `hint` to
/// the depth. Boards of 4x4 and 6x6 are played, too.
///
/// Whatever changes the game ends the search that is running, and nothing more is said about it. The
/// end of the input ends the program when what was asked is answered, after a minute at the latest.
///
/// Examples:
///   obverse nboard
///   obverse nboard --threads 4 --table-mib 1024 --learned games.ggf
///   obverse lab match nboard:depth=12:'obverse nboard' nboard:depth=12:'ntest x'
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,

    /// Add the games of the command `learn` to this file, one GGF a line
    #[arg(long, value_name = "FILE")]
    learned: Option<String>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        if let Some(path) = &self.learned {
            // Better now than when the first game is learned.
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("cannot write {path}"))?;
        }
        let mut dialogue = Engine::new(self.engine.n_threads());
        self.engine.talk(&mut dialogue, self.learned.as_deref(), out)
    }
}
