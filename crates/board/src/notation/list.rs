//! A list of lists, `[[0,0,…],…]`, 0 empty, 1 black, 2 white; then the side, 1 or 2.

use super::digits::{cell, digit};
use super::scan::{Cells, Scanner, rows};
use super::{Form, ParseError};
use crate::{Position, Size};

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::List, text);
    let (mut cells, mut row_lengths) = (Cells::default(), Vec::new());
    scanner.skip_blanks();
    let start = scanner.clone();
    items(&mut scanner, &mut |scanner| {
        let (row, before) = (scanner.clone(), cells.len());
        items(scanner, &mut |scanner| {
            cells.push(cell(scanner)?);
            Ok(())
        })?;
        row_lengths.push((cells.len() - before, row));
        Ok(())
    })?;
    let n_rows = row_lengths.len();
    let Some(size) = Size::from_side(n_rows) else {
        return Err(start.error(format_args!("found {n_rows} inner lists, expected 4, 6 or 8")));
    };
    for (n, row) in row_lengths {
        if n != usize::from(size.side()) {
            return Err(row.error(format_args!("found {n} numbers, expected {}", size.side())));
        }
    }
    scanner.skip_blanks();
    scanner.eat(',');
    let turn = scanner.side('1', '2')?;
    scanner.end()?;
    Ok(cells.position(turn).expect("the rows were counted"))
}

/// Reads `[item, item, …]`, a comma after the last item allowed.
fn items<'a>(
    scanner: &mut Scanner<'a>,
    item: &mut dyn FnMut(&mut Scanner<'a>) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    scanner.skip_blanks();
    if !scanner.eat('[') {
        return Err(scanner.expected("["));
    }
    loop {
        scanner.skip_blanks();
        if scanner.eat(']') {
            return Ok(());
        }
        item(scanner)?;
        scanner.skip_blanks();
        if !scanner.eat(',') && scanner.peek() != Some(']') {
            return Err(scanner.expected(", or ]"));
        }
    }
}

pub(super) fn print(position: Position) -> String {
    let rows: Vec<String> = rows(position)
        .map(|row| {
            let cells: Vec<String> = row.into_iter().map(|cell| digit(cell).to_string()).collect();
            format!("[{}]", cells.join(","))
        })
        .collect();
    format!("[{}] {}", rows.join(","), digit(Some(position.turn())))
}
