//! The k-ply board file: the side (0 black, 1 white), then 64 integers, 0 black, 1 white, −1 empty.

use super::scan::{Cells, Scanner, rows};
use super::{Form, Inexpressible, ParseError};
use crate::{Color, Position, Size};

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Kply, text);
    let place = blanks(&mut scanner);
    let turn = match scanner.take_while(|c| !c.is_whitespace()) {
        "0" => Color::Black,
        "1" => Color::White,
        _ => return Err(place.expected("the side to move, 0 (black) or 1 (white)")),
    };
    let mut cells = Cells::default();
    for n in 1..=64 {
        let place = blanks(&mut scanner);
        cells.push(match scanner.take_while(|c| !c.is_whitespace()) {
            "0" => Some(Color::Black),
            "1" => Some(Color::White),
            "-1" => None,
            _ => {
                let expected = "0 (black), 1 (white) or -1 (empty)";
                return Err(place.expected(format_args!("{expected} for square {n} of 64")));
            }
        });
    }
    let place = blanks(&mut scanner);
    if !scanner.rest().is_empty() {
        return Err(place.expected("nothing after 64 squares"));
    }
    Ok(cells.position(turn).expect("there are 64 cells"))
}

/// Goes on past blanks and returns that place, for errors.
fn blanks<'a>(scanner: &mut Scanner<'a>) -> Scanner<'a> {
    scanner.skip_blanks();
    scanner.clone()
}

pub(super) fn print(position: Position) -> Result<String, Inexpressible> {
    if position.size() != Size::Eight {
        return Err(Inexpressible("a kply file holds an 8x8 board only"));
    }
    let number = |cell: Option<Color>| match cell {
        None => "-1",
        Some(Color::Black) => "0",
        Some(Color::White) => "1",
    };
    let mut text = number(Some(position.turn())).to_owned();
    for row in rows(position) {
        text.push('\n');
        text.push_str(&row.into_iter().map(number).collect::<Vec<_>>().join(" "));
    }
    Ok(text)
}
