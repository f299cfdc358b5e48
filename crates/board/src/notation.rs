//! Every way people write a position down, and one parser that tells them apart.
//!
//! A position may be written by itself or as the moves that led to it; both are a [`Game`], the
//! former one without moves. [`Form::print`] and [`Form::parse`] are inverse to each other.
//!
//! ```
//! use obverse_board::notation::Form;
//! use obverse_board::{Game, Position};
//!
//! let position = Position::parse("8/8/8/3wb3/3bw3/8/8/8 b")?;
//! assert_eq!(position, Position::parse("start")?);
//! let game = Game::parse("f5d6c3")?;
//! assert_eq!(game.moves().len(), 3);
//! assert_eq!(Form::Srn.print(&game).unwrap(), "8/8/2b5/3bb3/3wbb2/3w4/8/8 w");
//! # Ok::<(), obverse_board::notation::ParseError>(())
//! ```

mod coords;
mod digits;
mod fen;
mod file;
mod ggf;
mod grid;
mod kply;
mod list;
mod name;
pub mod obf;
mod pgn;
pub mod record;
mod scan;
mod sgf;
mod srn;
mod transcript;
pub mod wthor;

use std::fmt;
use std::str::FromStr;

pub use coords::{Coords, CoordsError};
pub use file::{Damaged, Format, Records};
pub use record::Record;
pub use scan::ParseError;

use crate::{Game, Position};

/// A way to write a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `start`, `start:4x4`, `start:6x6`, `start:mirrored`.
    Name,
    /// `8/8/8/3wb3/3bw3/8/8/8 b`: rows from the top, digits count empties, then the side.
    Srn,
    /// As `XBoard` writes it: `8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1`, rows from the bottom.
    Fen,
    /// Rows of `X`, `O` and `-` as drawn in a terminal.
    Grid,
    /// 16, 36 or 64 digits, 0 empty, 1 dark, 2 light; then the side.
    Digits,
    /// A list of lists of the same digits, then the side.
    List,
    /// The side (0 black, 1 white), then 64 integers: 0 black, 1 white, −1 empty.
    Kply,
    /// Othello board file: 64 of `X`, `O`, `-` and the side, perhaps with the scores of moves.
    Obf,
    /// The moves since the start: `f5d6c3`.
    Transcript,
    /// Generic game format: `(;GM[Othello]…;)`.
    Ggf,
    /// Smart game format: `(;GM[2]…;B[f5];W[d6])`.
    Sgf,
    /// As Othello sites write it: tags, then `1. f5 d6 2. c3 d3`.
    Pgn,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 12] = [
        Form::Name,
        Form::Srn,
        Form::Fen,
        Form::Grid,
        Form::Digits,
        Form::List,
        Form::Kply,
        Form::Obf,
        Form::Transcript,
        Form::Ggf,
        Form::Sgf,
        Form::Pgn,
    ];

    /// The form's name in lower case, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Name => "name",
            Form::Srn => "srn",
            Form::Fen => "fen",
            Form::Grid => "grid",
            Form::Digits => "digits",
            Form::List => "list",
            Form::Kply => "kply",
            Form::Obf => "obf",
            Form::Transcript => "transcript",
            Form::Ggf => "ggf",
            Form::Sgf => "sgf",
            Form::Pgn => "pgn",
        }
    }

    /// Whether a record's variations and the marks on its moves are written.
    pub const fn has_variations(self) -> bool {
        matches!(self, Form::Sgf | Form::Pgn)
    }

    /// What stands between two games or positions of a file.
    pub const fn separator(self) -> &'static str {
        match self {
            // Without a blank line two grids would be one.
            Form::Grid | Form::Kply | Form::Pgn => "\n\n",
            _ => "\n",
        }
    }

    /// The form a text looks like; whether it is well formed only parsing tells.
    ///
    /// `None` if the text is blank.
    pub fn detect(text: &str) -> Option<Form> {
        let text = text.trim();
        let word = text.split_whitespace().next()?;
        let n_words = text.split_whitespace().count();
        let is_integer = |word: &str| word.parse::<i64>().is_ok();
        let form = if name::starts(text) {
            // A name followed by moves is a transcript from that start.
            if n_words == 1 { Form::Name } else { Form::Transcript }
        } else if pgn::looks_like(text) {
            Form::Pgn
        } else if let Some(at) = text.find("(;") {
            if sgf::looks_like(&text[at..]) { Form::Sgf } else { Form::Ggf }
        } else if word.starts_with('[') {
            Form::List
        } else if word.contains('/') {
            if fen::looks_like(text) { Form::Fen } else { Form::Srn }
        } else if is_integer(word) && n_words > 4 && text.split_whitespace().skip(1).all(is_integer)
        {
            Form::Kply
        } else if word.len() >= 9 && word.bytes().all(|b| b.is_ascii_digit()) {
            Form::Digits
        } else if obf::looks_like(text) {
            Form::Obf
        } else if grid::looks_like(text) {
            Form::Grid
        } else {
            Form::Transcript
        };
        Some(form)
    }

    /// Reads a text of this form.
    ///
    /// # Errors
    /// If it is not well formed, or a move in it is illegal: where, what was found and what was
    /// expected.
    pub fn parse(self, text: &str) -> Result<Game, ParseError> {
        match self {
            Form::Name => name::parse(text).map(Game::new),
            Form::Srn => srn::parse(text).map(Game::new),
            Form::Fen => fen::parse(text).map(Game::new),
            Form::Grid => grid::parse(text).map(Game::new),
            Form::Digits => digits::parse(text).map(Game::new),
            Form::List => list::parse(text).map(Game::new),
            Form::Kply => kply::parse(text).map(Game::new),
            Form::Obf => obf::Problem::parse(text).map(|problem| Game::new(problem.position)),
            Form::Transcript => transcript::parse(text),
            Form::Ggf => ggf::parse(text).map(|record| record.line.game),
            Form::Sgf => sgf::parse(text).map(|record| record.line.game),
            Form::Pgn => pgn::parse(text).map(|record| record.line.game),
        }
    }

    /// Writes the position the game has reached; as a transcript, GGF, SGF or PGN also how it got
    /// there.
    ///
    /// # Errors
    /// If this form has no way to say it.
    pub fn print(self, game: &Game) -> Result<String, Inexpressible> {
        let position = game.position();
        match self {
            Form::Name => name::print(position),
            Form::Srn => Ok(srn::print(position)),
            Form::Fen => Ok(fen::print(position)),
            Form::Grid => Ok(grid::print(position)),
            Form::Digits => Ok(digits::print(position)),
            Form::List => Ok(list::print(position)),
            Form::Kply => kply::print(position),
            Form::Obf => Ok(obf::print(position)),
            Form::Transcript => transcript::print(game),
            Form::Ggf | Form::Sgf | Form::Pgn => {
                let mut record = Record::new(game.clone());
                "Obverse".clone_into(&mut record.site);
                self.print_record(&record)
            }
        }
    }

    /// Writes a record: all of it in GGF, SGF and PGN, as far as they can say it; otherwise the same as
    /// [`Form::print`].
    ///
    /// # Errors
    /// If this form has no way to say it.
    pub fn print_record(self, record: &Record) -> Result<String, Inexpressible> {
        match self {
            Form::Ggf => Ok(ggf::print(record)),
            Form::Sgf => Ok(sgf::print(record)),
            Form::Pgn => Ok(pgn::print(record)),
            Form::Obf => Ok(obf::print_record(record)),
            form => form.print(record.game()),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        Form::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
            format!("found {text:?}, expected one of {}", names.join(", "))
        })
    }
}

/// Why a form cannot say a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible(pub(crate) &'static str);

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Inexpressible {}

impl Position {
    /// Reads a position in any form.
    ///
    /// # Errors
    /// If it is not well formed: where, what was found and what was expected.
    pub fn parse(text: &str) -> Result<Position, ParseError> {
        Game::parse(text).map(|game| game.position())
    }
}

impl Game {
    /// Reads a position in any form with the moves that led to it, if the form has them.
    ///
    /// # Errors
    /// If it is not well formed: where, what was found and what was expected.
    pub fn parse(text: &str) -> Result<Game, ParseError> {
        match Form::detect(text) {
            Some(form) => form.parse(text),
            None => Err(ParseError::blank()),
        }
    }
}
