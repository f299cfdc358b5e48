//! 16, 36 or 64 digits in reading order, 0 empty, 1 dark, 2 light; then the side, 1 or 2.

use super::scan::{Cells, Scanner, rows};
use super::{Form, ParseError};
use crate::{Color, Position};

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Digits, text);
    scanner.skip_blanks();
    let start = scanner.clone();
    let mut cells = Cells::default();
    while scanner.peek().is_some_and(|c| !c.is_whitespace()) {
        cells.push(cell(&mut scanner)?);
    }
    let n = cells.len();
    if crate::Size::from_area(n).is_none() {
        return Err(start.error(format_args!("found {n} digits, expected 16, 36 or 64")));
    }
    let turn = scanner.side('1', '2')?;
    scanner.end()?;
    Ok(cells.position(turn).expect("the digits were counted"))
}

/// One digit: 0 empty, 1 dark, 2 light.
pub(super) fn cell(scanner: &mut Scanner<'_>) -> Result<Option<Color>, ParseError> {
    let cell = match scanner.peek() {
        Some('0') => None,
        Some('1') => Some(Color::Black),
        Some('2') => Some(Color::White),
        _ => return Err(scanner.expected("0 (empty), 1 (dark) or 2 (light)")),
    };
    scanner.next();
    Ok(cell)
}

pub(super) fn print(position: Position) -> String {
    let cells: String = rows(position).flatten().map(digit).collect();
    format!("{cells} {}", digit(Some(position.turn())))
}

pub(super) const fn digit(cell: Option<Color>) -> char {
    match cell {
        None => '0',
        Some(Color::Black) => '1',
        Some(Color::White) => '2',
    }
}
