//! Start positions by name: `start`, `start:6x6`, `start:mirrored`, `start:4x4:mirrored`.

use super::scan::Scanner;
use super::{Form, Inexpressible, ParseError};
use crate::{Position, Size};

pub(super) fn starts(text: &str) -> bool {
    text.starts_with("start")
}

pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let mut scanner = Scanner::new(Form::Name, text);
    scanner.skip_blanks();
    let position = prefix(&mut scanner)?;
    scanner.end()?;
    Ok(position)
}

/// Reads a name and leaves what follows it.
pub(super) fn prefix(scanner: &mut Scanner<'_>) -> Result<Position, ParseError> {
    let mut word = scanner.clone();
    if word.take_while(|c| c.is_ascii_alphanumeric()) != "start" {
        return Err(scanner.expected("start"));
    }
    let (mut size, mut mirrored) = (Size::Eight, false);
    while word.peek() == Some(':') {
        let place = word.clone();
        word.next();
        match word.take_while(|c| c.is_ascii_alphanumeric()) {
            "4x4" => size = Size::Four,
            "6x6" => size = Size::Six,
            "8x8" => size = Size::Eight,
            "mirrored" => mirrored = true,
            _ => return Err(place.expected(":4x4, :6x6, :8x8 or :mirrored")),
        }
    }
    *scanner = word;
    Ok(if mirrored { Position::mirrored(size) } else { Position::start(size) })
}

pub(super) fn print(position: Position) -> Result<String, Inexpressible> {
    let size = position.size();
    let suffix = match size {
        Size::Eight => String::new(),
        size => format!(":{size}"),
    };
    if position == Position::start(size) {
        Ok(format!("start{suffix}"))
    } else if position == Position::mirrored(size) {
        Ok(format!("start{suffix}:mirrored"))
    } else {
        Err(Inexpressible("only a start position has a name"))
    }
}
