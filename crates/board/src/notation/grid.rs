//! A board as drawn in a terminal.
//!
//! ```text
//!    0 1 2 3 4 5 6 7
//! 0| - - - - - - - -
//! 1| - - - - - - - -
//! …
//! ```
//!
//! Each character of the header is followed by the combining low line U+0332, which draws the rule
//! under it. A grid without a word about the side has X to move; where O is to move a last line
//! `O to move` says so, which keeps printing and reading inverse to each other.

use super::scan::{Cell, Cells, Scanner, cell, rows};
use super::{Form, ParseError};
use crate::{Color, Position, Size};

/// Draws a line under the character before it.
const LOW_LINE: char = '\u{332}';

/// Whether some line of the text is a row of cells.
pub(super) fn looks_like(text: &str) -> bool {
    text.lines().filter(|line| row_cells(line).is_some_and(|cells| cells.len() > 1)).count() > 1
}

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Grid, text);
    let (mut cells, mut n_rows, mut width) = (Cells::default(), 0, 0);
    let mut turn = None;
    while !scanner.rest().is_empty() {
        let place = scanner.clone();
        let line = scanner.take_while(|c| c != '\n');
        scanner.eat('\n');
        if let Some(color) = side(line).filter(|_| width > 1) {
            turn = Some(color);
        } else if let Some(row) = row_cells(line).filter(|row| !row.is_empty() && turn.is_none()) {
            if n_rows > 0 && row.len() != width {
                let n = row.len();
                return Err(
                    place.error(format_args!("found {n} squares in a row, expected {width}"))
                );
            }
            (n_rows, width) = (n_rows + 1, row.len());
            for cell in row {
                cells.push(cell);
            }
        } else if !is_header(line) {
            return Err(place.expected("a row of X, O and -, or X to move, or O to move"));
        }
    }
    if Size::from_side(n_rows).is_none() || n_rows != width {
        let found =
            format_args!("found {n_rows} rows of {width} squares, expected 4x4, 6x6 or 8x8");
        return Err(scanner.error(found));
    }
    Ok(cells.position(turn.unwrap_or(Color::Black)).expect("the rows were counted"))
}

/// The cells of a line such as `3| - X O -`; `None` if it is not a row.
fn row_cells(line: &str) -> Option<Vec<Cell>> {
    let line = line.trim();
    let label = |c: char| c.is_ascii_digit();
    let inner = line.trim_start_matches(label).trim_start().trim_start_matches('|');
    let inner = inner.trim_end_matches(label).trim_end().trim_end_matches('|');
    inner.chars().filter(|&c| !c.is_whitespace() && c != '|').map(cell).collect()
}

/// The side of a line such as `X to move`, `X (black) to move: d3 c4`, a lone `O`, or `white`.
fn side(line: &str) -> Option<Color> {
    let mut words = line.split_whitespace();
    let color = match words.next()? {
        "X" | "x" | "black" | "Black" => Color::Black,
        "O" | "o" | "white" | "White" => Color::White,
        _ => return None,
    };
    match words.find(|word| !word.starts_with('(')) {
        None => Some(color),
        Some("to") => words.next().filter(|word| word.starts_with("move")).and(Some(color)),
        Some(_) => None,
    }
}

/// Whether the line is blank, numbers or letters the columns, or tells that the game is over.
fn is_header(line: &str) -> bool {
    if line.trim_start().starts_with("game over") {
        return true;
    }
    line.chars().all(|c| {
        c.is_whitespace()
            || c == LOW_LINE
            || c.is_ascii_digit()
            || matches!(c.to_ascii_lowercase(), 'a'..='h')
    })
}

pub(super) fn print(position: Position) -> String {
    draw(position, |header| header.chars().flat_map(|c| [c, LOW_LINE]).collect())
}

impl Position {
    /// The grid without the combining low lines under its header.
    pub fn to_ascii_grid(self) -> String {
        draw(self, str::to_owned)
    }
}

fn draw(position: Position, header: impl Fn(&str) -> String) -> String {
    let columns: String = (0..position.size().side()).map(|column| format!(" {column}")).collect();
    let mut text = header(&format!("  {columns}"));
    for (i, row) in rows(position).enumerate() {
        let cells: String =
            row.into_iter().map(|cell| format!(" {}", cell.map_or('-', Color::letter))).collect();
        text.push_str(&format!("\n{i}|{cells}"));
    }
    if position.turn() == Color::White {
        text.push_str("\nO to move");
    }
    text
}
