//! FEN as `XBoard` writes it for Reversi: `8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1`.
//!
//! Rows run from the last to the first, as ranks do in chess; `p` is a black disc and `P` a white one;
//! then the side to move and four fields that say nothing here. `XBoard` lets white begin: its start is
//! `8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1`, which is the usual one with the colors exchanged.

use super::scan::Scanner;
use super::{Form, ParseError, srn};
use crate::{Color, Position};

/// Whether a board in rows is FEN and not SRN: the discs are pawns, or nobody may castle.
pub(super) fn looks_like(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|board| board.contains(['p', 'P'])) || words.nth(1) == Some("-")
}

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Fen, text);
    let cells = srn::rows(&mut scanner, |c| match c {
        'p' => Some(Color::Black),
        'P' => Some(Color::White),
        _ => None,
    })?;
    let turn = scanner.side('b', 'w')?;
    // Castling, en passant and two counters, all of which may be missing.
    for _ in 0..4 {
        scanner.skip_blanks();
        scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '-');
    }
    scanner.end()?;
    let position = cells.position(turn).expect("the rows were counted");
    Ok(upside_down(position))
}

pub(super) fn print(position: Position) -> String {
    let letter = |color| if color == Color::Black { 'p' } else { 'P' };
    let board = srn::print_rows(upside_down(position), letter);
    let turn = if position.turn() == Color::Black { 'b' } else { 'w' };
    format!("{board} {turn} - - 0 1")
}

/// The position with its rows in the opposite order.
fn upside_down(position: Position) -> Position {
    let size = position.size();
    let flip = |color| {
        position
            .discs(color)
            .into_iter()
            .filter_map(|square| size.square(square.column(), size.side() - 1 - square.row()))
            .collect()
    };
    Position::new(size, flip(Color::Black), flip(Color::White), position.turn())
        .expect("the same discs on the same board")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn the_start_is_the_one_of_xboard_with_the_colors_exchanged() {
        let start = Position::start(Size::Eight);
        assert_eq!(print(start), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
        let exchanged = parse("8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1").unwrap();
        assert_eq!(exchanged.board(), start.board());
        assert_eq!(exchanged.turn(), Color::White);
    }

    #[test]
    fn the_first_row_is_the_lowest() {
        let corner = parse("p7/8/8/8/8/8/8/8 b").unwrap();
        assert_eq!(corner.color_at(crate::Square::A8), Some(Color::Black));
    }
}
