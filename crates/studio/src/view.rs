//! Positions, moves and values as the page is sent them.

use obverse_board::{Bitboard, Color, Counting, Move, Position, Square};
use obverse_engine::{Candidate, Certainty, Value};

use crate::wire::{
    BothSides, CountingWire, LegalMove, LineWire, ScoreWire, Side, ValueKind, ValueWire, View,
};

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

impl From<Counting> for CountingWire {
    fn from(counting: Counting) -> CountingWire {
        match counting {
            Counting::Discs => CountingWire::Discs,
            Counting::WinnerTakesEmpties => CountingWire::WinnerTakesEmpties,
        }
    }
}

impl From<CountingWire> for Counting {
    fn from(counting: CountingWire) -> Counting {
        match counting {
            CountingWire::Discs => Counting::Discs,
            CountingWire::WinnerTakesEmpties => Counting::WinnerTakesEmpties,
        }
    }
}

impl From<Certainty> for ValueKind {
    fn from(certainty: Certainty) -> ValueKind {
        match certainty {
            Certainty::Proven => ValueKind::Proven,
            Certainty::Selective(percent) => ValueKind::Selective { percent },
            Certainty::Estimate(depth) => ValueKind::Estimate { depth },
        }
    }
}

impl From<Value> for ValueWire {
    fn from(value: Value) -> ValueWire {
        ValueWire { discs: tenths(value.discs), kind: value.certainty.into() }
    }
}

impl From<&Candidate> for LineWire {
    fn from(candidate: &Candidate) -> LineWire {
        LineWire { value: candidate.value.into(), moves: moves(&candidate.line) }
    }
}

/// Rounded as it is shown, so that what is shown adds up.
pub fn tenths(discs: f32) -> f32 {
    // Adding zero turns minus zero into zero.
    (discs * 10.0).round() / 10.0 + 0.0
}

/// The value for the other side.
pub fn turned(value: Value) -> Value {
    Value { discs: tenths(-value.discs), ..value }
}

/// A value for the side to move as one for Black.
pub(crate) fn for_black(value: Value, turn: Color) -> ValueWire {
    (if turn == Color::Black { value } else { turned(value) }).into()
}

pub(crate) fn moves(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// One character a square, in reading order.
pub(crate) fn squares(position: Position) -> String {
    let letter = |square| position.color_at(square).map_or('-', Color::letter);
    position.size().squares().into_iter().map(letter).collect()
}

/// A position as it is drawn.
pub(crate) fn view(position: Position) -> View {
    let legal = position
        .moves()
        .into_iter()
        .map(|square| LegalMove { square: square.to_string(), flips: flips(position, square) });
    View {
        size: position.size().side(),
        squares: squares(position),
        turn: position.turn().into(),
        legal: legal.collect(),
        must_pass: position.must_pass(),
        over: position.is_over(),
        discs: discs(position),
        empties: position.empties().count(),
        score: position.is_over().then(|| score(position)),
    }
}

/// What a move flips, the nearest first.
pub(crate) fn flips(position: Position, square: Square) -> Vec<String> {
    let distance = |other: Square| {
        square.row().abs_diff(other.row()).max(square.column().abs_diff(other.column()))
    };
    let mut flips: Vec<Square> = position.board().flips(square).into_iter().collect();
    flips.sort_by_key(|&other| distance(other));
    flips.iter().map(Square::to_string).collect()
}

pub(crate) fn discs(position: Position) -> BothSides<u32> {
    let count = |color| position.discs(color).count();
    BothSides { black: count(Color::Black), white: count(Color::White) }
}

/// Black's disc difference, as if the game ended here.
pub(crate) fn score(position: Position) -> ScoreWire {
    let score = |counting| position.score_for(Color::Black, counting).0;
    ScoreWire {
        discs: score(Counting::Discs),
        winner_takes_empties: score(Counting::WinnerTakesEmpties),
    }
}

/// The position with these squares; `None` if they are not as many as they should be, or not all
/// `X`, `O` and `-`.
pub(crate) fn position(size: u8, squares: &str, turn: Side) -> Option<Position> {
    let size = obverse_board::Size::from_side(size.into())?;
    if squares.chars().count() != usize::from(size.area()) {
        return None;
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (square, letter) in size.squares().into_iter().zip(squares.chars()) {
        match letter {
            'X' => black = black.with(square),
            'O' => white = white.with(square),
            '-' => {}
            _ => return None,
        }
    }
    Position::new(size, black, white, turn.into()).ok()
}
