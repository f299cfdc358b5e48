//! `obverse kply`: the k-ply program of the exercise books.

use std::io::Write;

use anyhow::{Context, Result};
use obverse_board::notation::Form;
use obverse_board::perft::Passes;
use obverse_board::{Color, Square};
use obverse_engine::classic::kply::Kply;
use obverse_engine::classic::{Algorithm, Depth};
use serde::Serialize;

use crate::{Answer, input, wire};

/// Read a board file and name the best move by looking K plies ahead.
///
/// The file holds the side to move (0 black, 1 white) and 64 integers in reading order: 0 black,
/// 1 white, -1 empty. The answer is the index of the best move (row x 8 + column), or -1 where
/// there is none. Of equally good moves it is the lowest.
///
/// A position is judged by the discs of the side at the root minus the other's, K plies ahead or
/// where neither side can move. A pass uses up a ply unless --free-pass is given.
///
/// With --full-game both sides are played to the end: line 1 the moves, line 2 `winner 0|1|-1`,
/// line 3 `black N white M`.
///
/// Examples:
///   obverse kply board.txt -k 3
///   obverse kply board.txt -k 4 --player alphabeta --full-game
///   obverse show start --as kply | obverse kply - -k 3 --verbose
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The board file; - for standard input
    file: String,

    /// How many plies to look ahead, from 1 to 60
    #[arg(short, value_name = "K")]
    k: Depth,

    /// Play both sides to the end of the game
    #[arg(long)]
    full_game: bool,

    /// A pass does not use up a ply
    #[arg(long)]
    free_pass: bool,

    /// First print `index value` for each move
    #[arg(long)]
    verbose: bool,

    /// How to search; both give the same answer
    #[arg(long, value_enum, default_value = "alphabeta")]
    player: AlgorithmArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An algorithm, as typed.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(crate) enum AlgorithmArg {
    /// Look at everything
    Minimax,
    /// The same answer from fewer positions
    #[value(name = "alphabeta")]
    AlphaBeta,
}

impl From<AlgorithmArg> for Algorithm {
    fn from(algorithm: AlgorithmArg) -> Algorithm {
        match algorithm {
            AlgorithmArg::Minimax => Algorithm::Minimax,
            AlgorithmArg::AlphaBeta => Algorithm::AlphaBeta,
        }
    }
}

#[derive(Serialize)]
struct KplyWire {
    best: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<ValueWire>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<GameWire>,
}

#[derive(Serialize)]
struct ValueWire {
    index: u8,
    value: i32,
}

#[derive(Serialize)]
struct GameWire {
    moves: Vec<u8>,
    winner: i32,
    black: u32,
    white: u32,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let text = input::text(&self.file)?;
        let place = if self.file == "-" { "standard input" } else { &self.file };
        let position = Form::Kply.parse(&text).with_context(|| place.to_owned())?.position();
        let passes = if self.free_pass { Passes::Free } else { Passes::Ply };
        let kply = Kply { depth: self.k, passes, algorithm: self.player.into() };
        let values = self.verbose.then(|| kply.values(position));
        let best = match &values {
            Some(values) => values.best,
            None => kply.best(position),
        };
        let wire = KplyWire {
            best: best.map_or(-1, |square| i32::from(square.index())),
            values: values.map(|values| {
                let value =
                    |(square, value): (Square, i32)| ValueWire { index: square.index(), value };
                values.moves.into_iter().map(value).collect()
            }),
            game: self.full_game.then(|| {
                let game = kply.full_game(position);
                GameWire {
                    moves: game.squares.iter().map(|square| square.index()).collect(),
                    winner: game.winner.map_or(-1, |color| i32::from(color == Color::White)),
                    black: game.black,
                    white: game.white,
                }
            }),
        };
        if self.json {
            wire::print(out, &wire)?;
        } else {
            print(out, &wire)?;
        }
        Ok(Answer::Yes)
    }
}

fn print(out: &mut dyn Write, wire: &KplyWire) -> Result<()> {
    for ValueWire { index, value } in wire.values.iter().flatten() {
        writeln!(out, "{index} {value}")?;
    }
    let Some(GameWire { moves, winner, black, white }) = &wire.game else {
        writeln!(out, "{}", wire.best)?;
        return Ok(());
    };
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    writeln!(out, "{}\nwinner {winner}\nblack {black} white {white}", moves.join(" "))?;
    Ok(())
}
