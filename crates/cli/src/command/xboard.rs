//! `obverse xboard`: the engine for XBoard and WinBoard.

use std::io::Write;

use anyhow::Result;

use super::talk::EngineArgs;
use crate::Answer;
use crate::protocol::xboard::Engine;

/// Be an engine that speaks the XBoard protocol, version 2, on standard input and output.
///
/// It plays the variant reversi. A disc is dropped like a pawn, P@f5, and a pass is the null move @@@@.
/// White begins, and a1 is at the bottom left. Scores are in hundredths of a disc; after the line a note
/// in braces tells whether the value is proven or how sure it is, and without one it is an estimate.
///
/// XBoard itself knows the name of the variant but does not turn discs over; it can run matches.
///
/// Examples:
///   obverse xboard --threads 2
///   xboard -variant reversi -testLegality false -mode TwoMachines -mg 2
///          -fcp 'obverse xboard' -scp 'edax -xboard'
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        self.engine.talk(&mut Engine::new(self.engine.config()), None, out)
    }
}
