//! SRN, the string notation: rows from the top, digits count empties, the side last.
//!
//! `8/8/8/3wb3/3bw3/8/8/8 b` is the start.

use super::scan::{self, Cells, Scanner, disc};
use super::{Form, ParseError};
use crate::{Color, Position, Size};

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Srn, text);
    let cells = rows(&mut scanner, disc)?;
    let turn = scanner.side('b', 'w')?;
    scanner.end()?;
    Ok(cells.position(turn).expect("the rows were counted"))
}

/// Reads rows between slashes, in which `disc` knows the discs and digits count empties.
pub(super) fn rows(
    scanner: &mut Scanner<'_>,
    disc: impl Fn(char) -> Option<Color>,
) -> Result<Cells, ParseError> {
    scanner.skip_blanks();
    // The number of rows tells the size, and so how long each row must be.
    let board = scanner.rest().split_whitespace().next().unwrap_or_default();
    let n_rows = board.split('/').count();
    let Some(size) = Size::from_side(n_rows) else {
        return Err(scanner.error(format_args!("found {n_rows} rows, expected 4, 6 or 8")));
    };
    let side = usize::from(size.side());
    let mut cells = Cells::default();
    for row in 1..=side {
        let start = scanner.clone();
        while let Some(c) = scanner.peek().filter(|&c| c != '/' && !c.is_whitespace()) {
            match c {
                '1'..='9' => cells.extend_empty(c as usize - '0' as usize),
                c if disc(c).is_some() => cells.push(disc(c)),
                _ => {
                    let discs = if scanner.form() == Form::Fen { "p, P" } else { "b, w" };
                    return Err(scanner
                        .expected(format_args!("{discs} or a number of empties from 1 to 8")));
                }
            }
            scanner.next();
        }
        let n = cells.len() - (row - 1) * side;
        if n != side {
            return Err(
                start.error(format_args!("found {n} squares in row {row}, expected {side}"))
            );
        }
        if row < side {
            scanner.next();
        }
    }
    Ok(cells)
}

pub(super) fn print(position: Position) -> String {
    format!("{} {}", print_rows(position, letter), letter(position.turn()))
}

/// The rows from the top with slashes between them.
pub(super) fn print_rows(position: Position, letter: impl Fn(Color) -> char) -> String {
    let mut text = String::new();
    for row in scan::rows(position) {
        if !text.is_empty() {
            text.push('/');
        }
        let mut n_empties = 0;
        for cell in row {
            if let Some(color) = cell {
                if n_empties > 0 {
                    text.push_str(&n_empties.to_string());
                    n_empties = 0;
                }
                text.push(letter(color));
            } else {
                n_empties += 1;
            }
        }
        if n_empties > 0 {
            text.push_str(&n_empties.to_string());
        }
    }
    text
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}
