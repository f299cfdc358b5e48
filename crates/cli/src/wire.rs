//! The JSON that commands print with `--json`: version 1.
//!
//! Fields may be added within a version; none changes its meaning or goes away.

use obverse_board::notation::Form;
use obverse_board::{Color, Counting, Game, Move, Position};
use serde::Serialize;

/// A position and what can be done in it.
#[derive(Serialize)]
pub(crate) struct PositionWire {
    size: u8,
    side: &'static str,
    srn: String,
    obf: String,
    black: u32,
    white: u32,
    empties: u32,
    over: bool,
    must_pass: bool,
    moves: Vec<String>,
    /// Black's result under both countings, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultWire>,
    /// The moves that led here, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
}

/// Black's disc difference in a finished game.
#[derive(Serialize)]
pub(crate) struct ResultWire {
    discs: i8,
    #[serde(rename = "winner-takes-empties")]
    winner_takes_empties: i8,
}

/// The lower-case name of a color.
pub(crate) const fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn result(position: Position) -> ResultWire {
    let score = |counting| position.score_for(Color::Black, counting).0;
    ResultWire {
        discs: score(Counting::Discs),
        winner_takes_empties: score(Counting::WinnerTakesEmpties),
    }
}

pub(crate) fn position(game: &Game) -> PositionWire {
    let position = game.position();
    let print = |form: Form| form.print(game).expect("every position has this form");
    PositionWire {
        size: position.size().side(),
        side: color(position.turn()),
        srn: print(Form::Srn),
        obf: print(Form::Obf),
        black: position.discs(Color::Black).count(),
        white: position.discs(Color::White).count(),
        empties: position.empties().count(),
        over: position.is_over(),
        must_pass: position.must_pass(),
        moves: legal(position).into_iter().map(|mv| mv.to_string()).collect(),
        result: position.is_over().then(|| result(position)),
        transcript: Form::Transcript.print(game).ok(),
    }
}

/// What the side to move may do: its moves, a pass, or nothing.
pub(crate) fn legal(position: Position) -> Vec<Move> {
    if position.must_pass() {
        return vec![Move::Pass];
    }
    position.moves().into_iter().map(Move::Place).collect()
}

/// Prints a value as one line of JSON.
pub(crate) fn print(out: &mut dyn std::io::Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
