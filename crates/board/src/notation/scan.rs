//! Reading a text piece by piece, with errors that say where.

use std::fmt;

use super::Form;
use crate::{Bitboard, Color, Position, Size, Square};

/// Why a text is not what it should be, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    form: Option<Form>,
    offset: usize,
    /// From 1, within the text.
    line: usize,
    /// From 1, in characters.
    column: usize,
    message: String,
}

impl ParseError {
    /// The form the text was read as.
    pub fn form(&self) -> Option<Form> {
        self.form
    }

    /// The byte in the text at which reading stopped.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The line at which reading stopped, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character of that line, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What was found and what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn blank() -> ParseError {
        let message = "found nothing, expected a position such as start, f5d6c3 or \
                       8/8/8/3wb3/3bw3/8/8/8 b";
        ParseError { form: None, offset: 0, line: 1, column: 1, message: message.to_owned() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(form) = self.form {
            write!(f, "read as {form}, ")?;
            if self.line > 1 {
                write!(f, "line {}, ", self.line)?;
            }
            write!(f, "character {}: ", self.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// A place in a text that is being read as some form.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    form: Form,
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(form: Form, text: &'a str) -> Scanner<'a> {
        Scanner { form, text, at: 0 }
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Goes on if the next character is `c`; tells whether it was.
    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Goes on past so many bytes, which end between two characters.
    pub(super) fn skip(&mut self, n_bytes: usize) {
        self.at += n_bytes;
        debug_assert!(self.text.is_char_boundary(self.at));
    }

    /// How many bytes have been read.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Goes on past the characters that satisfy `f` and returns them.
    pub(super) fn take_while(&mut self, f: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let n = rest.find(|c| !f(c)).unwrap_or(rest.len());
        self.at += n;
        &rest[..n]
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The error that the next word is not what was expected.
    pub(super) fn expected(&self, expected: impl fmt::Display) -> ParseError {
        let found: String =
            self.rest().chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        let message = match (self.peek(), found.as_str()) {
            (None, _) => format!("found the end, expected {expected}"),
            (Some('\n'), "") => format!("found the end of the line, expected {expected}"),
            (Some(_), "") => format!("found a blank, expected {expected}"),
            (Some(_), word) => format!("found {word:?}, expected {expected}"),
        };
        self.error(message)
    }

    /// An error at this place.
    pub(super) fn error(&self, message: impl fmt::Display) -> ParseError {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            form: Some(self.form),
            offset: self.at,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.to_string(),
        }
    }

    /// An error unless nothing but blanks is left.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        self.skip_blanks();
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("nothing more")) }
    }

    /// The side to move, after blanks: one of `black` or `white` letters, or the form's own digits.
    pub(super) fn side(&mut self, black: char, white: char) -> Result<Color, ParseError> {
        self.skip_blanks();
        let color = match self.peek() {
            Some(c) if c == black => Some(Color::Black),
            Some(c) if c == white => Some(Color::White),
            Some(c) => disc(c),
            None => None,
        };
        let Some(color) = color else {
            return Err(self.expected(format_args!("the side to move, {black} or {white}")));
        };
        self.next();
        Ok(color)
    }
}

/// The color of a disc as a letter, in any of the alphabets of the field.
pub(super) fn disc(c: char) -> Option<Color> {
    match c {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}

/// A number that is one.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// What stands on a square.
pub(super) type Cell = Option<Color>;

/// A square as a character: a disc's letter, or one of the marks for an empty square.
pub(super) fn cell(c: char) -> Option<Cell> {
    match c {
        '-' | '.' | '_' | '+' | '·' => Some(None),
        c => disc(c).map(Some),
    }
}

/// Discs collected in reading order.
#[derive(Default)]
pub(super) struct Cells(Vec<Cell>);

impl Cells {
    pub(super) fn push(&mut self, cell: Cell) {
        self.0.push(cell);
    }

    pub(super) fn extend_empty(&mut self, n: usize) {
        self.0.resize(self.0.len() + n, None);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The position, if there are 16, 36 or 64 cells.
    pub(super) fn position(&self, turn: Color) -> Option<Position> {
        let size = Size::from_area(self.0.len())?;
        let discs = |color: Color| -> Bitboard {
            size.squares()
                .into_iter()
                .zip(&self.0)
                .filter(|c| *c.1 == Some(color))
                .map(|c| c.0)
                .collect()
        };
        Position::new(size, discs(Color::Black), discs(Color::White), turn).ok()
    }
}

/// The cells of a position row by row.
pub(super) fn rows(position: Position) -> impl Iterator<Item = Vec<Cell>> {
    let size = position.size();
    (0..size.side()).map(move |row| {
        let squares = (0..size.side()).filter_map(|column| Square::at(column, row));
        squares.map(|square| position.color_at(square)).collect()
    })
}
