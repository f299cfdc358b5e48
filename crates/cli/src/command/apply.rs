//! `obverse apply`: a position after some moves.

use std::io::Write;

use anyhow::Result;
use obverse_board::{Game, Move};

use super::show::Output;
use crate::{Answer, input};

/// Make moves in a position and print the position they lead to.
///
/// Moves are squares such as f5 or (4, 5), numbers as --coords says, or pass. A pass between two
/// moves may be left out. An illegal move is refused with the reason, and nothing is printed.
///
/// Examples:
///   obverse apply start f5
///   obverse apply start f5d6c3 --as obf
///   obverse apply start:4x4 2 --coords number --as digits
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// The moves, in order
    #[arg(value_name = "MOVE", required = true)]
    moves: Vec<String>,

    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let mut game = input::game(&self.position)?;
        for (i, text) in self.moves.iter().enumerate() {
            for mv in input::moves(text, game.position().size(), Some(self.output.coords))? {
                // The given position is taken as it is: if its side must pass, that must be said.
                make(&mut game, mv, i == 0)?;
            }
        }
        self.output.print(out, &game)
    }
}

/// Makes a move; between moves a forced pass is implied.
fn make(game: &mut Game, mv: Move, is_first: bool) -> Result<()> {
    match mv {
        Move::Place(square) if !is_first => game.play(square)?,
        mv => game.apply(mv)?,
    }
    Ok(())
}
