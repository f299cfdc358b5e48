//! `obverse moves`: the legal moves of a position.

use std::io::Write;

use anyhow::Result;
use obverse_board::notation::Coords;
use serde::Serialize;

use super::show::name;
use crate::{Answer, input, wire};

/// List the legal moves of a position, one a line, in reading order.
///
/// A side that must pass has the one move `pass`; a finished game has none.
///
/// Examples:
///   obverse moves start
///   obverse moves f5d6 --flips
///   obverse moves start:4x4 --coords number --json
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// Also list the discs each move turns over
    #[arg(long)]
    flips: bool,

    /// Name squares as: letters (f5), row-col ((4, 5)), xy (54), index (37) or number (38)
    #[arg(long, value_name = "COORDS", default_value = "letters")]
    coords: Coords,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MovesWire {
    side: &'static str,
    over: bool,
    moves: Vec<MoveWire>,
}

#[derive(Serialize)]
struct MoveWire {
    #[serde(rename = "move")]
    mv: String,
    flips: Vec<String>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = input::game(&self.position)?.position();
        let square_name = |square| self.coords.print(square, position.size());
        let moves: Vec<MoveWire> = wire::legal(position)
            .into_iter()
            .map(|mv| MoveWire {
                mv: name(mv, position, self.coords),
                flips: mv.square().map_or(Vec::new(), |square| {
                    position.board().flips(square).into_iter().map(square_name).collect()
                }),
            })
            .collect();
        if self.json {
            let side = wire::color(position.turn());
            wire::print(out, &MovesWire { side, over: position.is_over(), moves })?;
            return Ok(Answer::Yes);
        }
        for MoveWire { mv, flips } in moves {
            if self.flips && !flips.is_empty() {
                writeln!(out, "{mv}  flips {}", flips.join(" "))?;
            } else {
                writeln!(out, "{mv}")?;
            }
        }
        Ok(Answer::Yes)
    }
}
