//! `obverse gtp`: the engine for programs that speak GTP.

use std::io::Write;

use anyhow::Result;
use obverse_engine::Level;

use super::talk::{EngineArgs, level};
use crate::Answer;
use crate::protocol::gtp::engine::Engine;

/// Be an engine that speaks GTP, version 2, on standard input and output.
///
/// Squares are named as in Othello, a1 at the top left. GoGui, whose a1 is at the bottom left, shows the
/// board upside down, with every square under its own name. Black begins. Boards are 4x4, 6x6 and 8x8;
/// komi is accepted and has no effect. A pass may be said or left out. When the game is over `genmove`
/// answers pass, and `final_score` counts the empty squares for the winner.
///
/// Without a clock the level limits the thinking; with one the clock alone does, unless a level was set.
/// `time_settings MAIN PERIOD STONES` is as in Go: with 0 stones and a period there is no limit.
///
/// `list_commands` has all commands, also those of GoGui for rules and analysis. `# interrupt` ends the
/// thinking with the best move so far. The end of the input ends the program when all commands are
/// answered, after a minute at the latest.
///
/// Examples:
///   obverse gtp
///   obverse gtp --level 18 --threads 2
///   gogui-twogtp -black 'obverse gtp' -white 'gtp-rhino' -size 8
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The level of play, 1 to 30 (default: 12 where there is no clock)
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<Level>,

    #[command(flatten)]
    engine: EngineArgs,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let mut dialogue = Engine::new(self.engine.n_threads(), self.level);
        self.engine.talk(&mut dialogue, None, out)
    }
}
