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
mod ggf;
mod grid;
mod kply;
mod list;
mod name;
pub mod obf;
mod scan;
mod srn;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use coords::{Coords, CoordsError};
pub use scan::ParseError;

use crate::{Game, Position};

/// A way to write a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `start`, `start:4x4`, `start:6x6`, `start:mirrored`.
    Name,
    /// `8/8/8/3wb3/3bw3/8/8/8 b`: rows from the top, digits count empties, then the side.
    Srn,
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
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 9] = [
        Form::Name,
        Form::Srn,
        Form::Grid,
        Form::Digits,
        Form::List,
        Form::Kply,
        Form::Obf,
        Form::Transcript,
        Form::Ggf,
    ];

    /// The form's name in lower case, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Name => "name",
            Form::Srn => "srn",
            Form::Grid => "grid",
            Form::Digits => "digits",
            Form::List => "list",
            Form::Kply => "kply",
            Form::Obf => "obf",
            Form::Transcript => "transcript",
            Form::Ggf => "ggf",
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
        } else if text.contains("(;") {
            Form::Ggf
        } else if word.starts_with('[') {
            Form::List
        } else if word.contains('/') {
            Form::Srn
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
            Form::Grid => grid::parse(text).map(Game::new),
            Form::Digits => digits::parse(text).map(Game::new),
            Form::List => list::parse(text).map(Game::new),
            Form::Kply => kply::parse(text).map(Game::new),
            Form::Obf => obf::Problem::parse(text).map(|problem| Game::new(problem.position)),
            Form::Transcript => transcript::parse(text),
            Form::Ggf => ggf::parse(text),
        }
    }

    /// Writes the position the game has reached; as a transcript or GGF also how it got there.
    ///
    /// # Errors
    /// If this form has no way to say it.
    pub fn print(self, game: &Game) -> Result<String, Inexpressible> {
        let position = game.position();
        match self {
            Form::Name => name::print(position),
            Form::Srn => Ok(srn::print(position)),
            Form::Grid => Ok(grid::print(position)),
            Form::Digits => Ok(digits::print(position)),
            Form::List => Ok(list::print(position)),
            Form::Kply => kply::print(position),
            Form::Obf => Ok(obf::print(position)),
            Form::Transcript => transcript::print(game),
            Form::Ggf => Ok(ggf::print(game)),
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
