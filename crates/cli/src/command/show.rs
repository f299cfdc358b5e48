//! `obverse show`: a position, drawn or in another notation.

use std::io::Write;

use anyhow::Result;
use obverse_board::notation::{Coords, Form};
use obverse_board::{Color, Counting, Game, Move, Position};

use crate::{Answer, draw, input, wire};

/// Draw a position, or write it in another notation.
///
/// Without --as, the board is drawn with its coordinates, the side to move and its legal moves
/// (marked +). What is drawn can be read back.
///
/// Examples:
///   obverse show start
///   obverse show f5d6c3 --as srn
///   obverse show '8/8/8/3wb3/3bw3/8/8/8 b' --as grid
///   obverse show start:4x4 --coords number
///   obverse show @game.ggf --as transcript
///   obverse show @games.pgn#17
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file, @FILE#3 for its third game
    #[arg(allow_hyphen_values = true)]
    position: String,

    #[command(flatten)]
    output: Output,
}

/// How a position is printed; shared with `apply`.
#[derive(clap::Args, Debug)]
pub(crate) struct Output {
    /// Write it as: name, srn, fen, grid, digits, list, kply, obf, transcript, ggf, sgf or pgn
    #[arg(long = "as", value_name = "FORM", conflicts_with = "json")]
    form: Option<Form>,

    /// Name squares as: letters (f5), row-col ((4, 5)), xy (54), index (37) or number (38)
    #[arg(long, value_name = "COORDS", default_value = "letters")]
    pub(crate) coords: Coords,

    /// Draw with plain ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        self.output.print(out, &input::game(&self.position)?)
    }
}

impl Output {
    pub(crate) fn print(&self, out: &mut dyn Write, game: &Game) -> Result<Answer> {
        let position = game.position();
        if self.json {
            wire::print(out, &wire::position(game))?;
        } else if let Some(form) = self.form {
            let is_plain = self.ascii || !input::is_utf8_locale();
            let text = match form {
                Form::Grid if is_plain => position.to_ascii_grid(),
                form => form.print(game)?,
            };
            writeln!(out, "{text}")?;
        } else {
            let last = game.moves().iter().rev().find_map(|mv| mv.square());
            write!(out, "{}", draw::board(position, position.moves(), last))?;
            writeln!(out, "\n{}", summary(position, self.coords))?;
        }
        Ok(Answer::Yes)
    }
}

/// Who is to move and what it may do, or how the game ended.
pub(crate) fn summary(position: Position, coords: Coords) -> String {
    let tally = draw::tally(position);
    if position.is_over() {
        return format!("game over, {}", outcome(position));
    }
    let side = draw::side(position.turn());
    if position.must_pass() {
        return format!("{side} to move, no legal move: must pass ({tally})");
    }
    let moves: Vec<String> =
        position.moves().into_iter().map(|square| coords.print(square, position.size())).collect();
    format!("{side} to move: {} ({tally})", moves.join(" "))
}

/// The result of a finished game, under both countings where they differ.
pub(crate) fn outcome(position: Position) -> String {
    let score = |counting| position.score_for(Color::Black, counting);
    let (discs, with_empties) = (score(Counting::Discs), score(Counting::WinnerTakesEmpties));
    let tally = draw::tally(position);
    let winner = match discs.0 {
        0 => return format!("draw ({tally})"),
        1.. => Color::Black,
        _ => Color::White,
    };
    let by = |score: obverse_board::Score| score.0.unsigned_abs();
    let mut text = format!("{} wins by {} ({tally})", draw::side(winner), by(discs));
    if discs != with_empties {
        text.push_str(&format!(", by {} with the empties to the winner", by(with_empties)));
    }
    text
}

/// A move as `coords` names it.
pub(crate) fn name(mv: Move, position: Position, coords: Coords) -> String {
    match mv {
        Move::Place(square) => coords.print(square, position.size()),
        Move::Pass => "pass".to_owned(),
    }
}
