//! The ways to name a square.

use std::fmt;
use std::str::FromStr;

use crate::{Size, Square};

/// A way to name a square.
///
/// ```
/// use obverse_board::notation::Coords;
/// use obverse_board::{Size, Square};
/// let names: Vec<String> = Coords::ALL.iter().map(|c| c.print(Square::F5, Size::Eight)).collect();
/// assert_eq!(names, ["f5", "(4, 5)", "54", "37", "38"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coords {
    /// `f5`: the column's letter and the row's number from 1.
    Letters,
    /// `(4, 5)`: row and column from 0.
    RowCol,
    /// `54`: column and row from 0, without anything between.
    Xy,
    /// `37`: row × side + column.
    Index,
    /// `38`: the place in reading order, from 1.
    Number,
}

impl Coords {
    /// Every way.
    pub const ALL: [Coords; 5] =
        [Coords::Letters, Coords::RowCol, Coords::Xy, Coords::Index, Coords::Number];

    /// Its name as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Coords::Letters => "letters",
            Coords::RowCol => "row-col",
            Coords::Xy => "xy",
            Coords::Index => "index",
            Coords::Number => "number",
        }
    }

    /// The square's name on a board of `size`.
    pub fn print(self, square: Square, size: Size) -> String {
        match self {
            Coords::Letters => square.to_string(),
            Coords::RowCol => format!("({}, {})", square.row(), square.column()),
            Coords::Xy => format!("{}{}", square.column(), square.row()),
            Coords::Index => size.reading_index(square).to_string(),
            Coords::Number => (size.reading_index(square) + 1).to_string(),
        }
    }

    /// The square of this name on a board of `size`.
    ///
    /// # Errors
    /// If it is no name of this kind, or of no square of this board.
    pub fn parse(self, text: &str, size: Size) -> Result<Square, CoordsError> {
        let text = text.trim();
        let malformed = || CoordsError::Malformed { found: excerpt(text), coords: self, size };
        let (column, row) = match self {
            Coords::Letters => letters(text),
            Coords::RowCol => row_col(text).map(|(row, column)| (column, row)),
            Coords::Xy => xy(text),
            Coords::Index => number(text).map(|n| (n % size.side(), n / size.side())),
            Coords::Number => match number(text) {
                Some(0) => return Err(CoordsError::OffBoard { found: excerpt(text), size }),
                n => n.map(|n| ((n - 1) % size.side(), (n - 1) / size.side())),
            },
        }
        .ok_or_else(malformed)?;
        size.square(column, row).ok_or_else(|| CoordsError::OffBoard { found: excerpt(text), size })
    }

    /// The square named in any way that cannot be mistaken: letters and row-col always, a bare number
    /// as `numbers` says.
    ///
    /// # Errors
    /// If it is no name, of no square of this board, or a bare number and `numbers` does not say what
    /// it means.
    pub fn read(text: &str, size: Size, numbers: Option<Coords>) -> Result<Square, CoordsError> {
        let text = text.trim();
        if !text.bytes().all(|b| b.is_ascii_digit()) || text.is_empty() {
            let coords = if row_col(text).is_some() { Coords::RowCol } else { Coords::Letters };
            return coords.parse(text, size);
        }
        match numbers {
            Some(numbers @ (Coords::Xy | Coords::Index | Coords::Number)) => {
                numbers.parse(text, size)
            }
            _ => Err(CoordsError::Ambiguous { found: excerpt(text) }),
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Column and row of `f5`; also of squares beyond 8×8, such as `i10`, to say they are off the board.
fn letters(text: &str) -> Option<(u8, u8)> {
    let letter = *text.as_bytes().first().filter(|b| b.is_ascii_alphabetic())?;
    let row = number(&text[1..])?;
    Some((letter.to_ascii_lowercase() - b'a', row.checked_sub(1).unwrap_or(u8::MAX)))
}

/// Row and column of `(4, 5)`, with or without the parentheses.
fn row_col(text: &str) -> Option<(u8, u8)> {
    let inner = match text.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => text,
    };
    let (row, column) = inner.split_once(',')?;
    Some((number(row.trim())?, number(column.trim())?))
}

fn xy(text: &str) -> Option<(u8, u8)> {
    match text.as_bytes() {
        [x @ b'0'..=b'9', y @ b'0'..=b'9'] => Some((x - b'0', y - b'0')),
        _ => None,
    }
}

/// A number in decimal digits, those above 255 as 255, which is on no board either.
fn number(text: &str) -> Option<u8> {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u8::MAX))
}

impl fmt::Display for Coords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Coords {
    type Err = String;

    fn from_str(text: &str) -> Result<Coords, String> {
        Coords::ALL.into_iter().find(|coords| coords.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Coords::ALL.iter().map(|coords| coords.name()).collect();
            format!("found {text:?}, expected one of {}", names.join(", "))
        })
    }
}

/// Why a text names no square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoordsError {
    /// It is not written as such a name is.
    Malformed {
        /// What was written.
        found: String,
        /// How it was read.
        coords: Coords,
        /// The board's size.
        size: Size,
    },
    /// It names a square outside the board.
    OffBoard {
        /// What was written.
        found: String,
        /// The board's size.
        size: Size,
    },
    /// A bare number could mean several squares.
    Ambiguous {
        /// What was written.
        found: String,
    },
}

impl fmt::Display for CoordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoordsError::OffBoard { found, size } => write!(f, "{found} is off the {size} board"),
            CoordsError::Ambiguous { found } => {
                write!(
                    f,
                    "found {found:?}, expected a square such as f5: a bare number can be xy, index or number, say which"
                )
            }
            CoordsError::Malformed { found, coords, size } => {
                let last = size.squares().into_iter().last().expect("a board has squares");
                let (low, high) = (coords.print(Square::A1, *size), coords.print(last, *size));
                write!(f, "found {found:?}, expected a square from {low} to {high}")
            }
        }
    }
}

impl std::error::Error for CoordsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_every_square_is_read_back() {
        for size in Size::ALL {
            for square in size.squares() {
                for coords in Coords::ALL {
                    let text = coords.print(square, size);
                    assert_eq!(coords.parse(&text, size), Ok(square), "{coords} {text}");
                    assert_eq!(
                        Coords::read(&text, size, Some(coords)),
                        Ok(square),
                        "{coords} {text}"
                    );
                }
            }
        }
    }

    #[track_caller]
    fn check(coords: Coords, text: &str, size: Size, expected: &str) {
        assert_eq!(coords.parse(text, size).unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_wrong_name_is_explained() {
        check(Coords::Letters, "e1", Size::Four, "e1 is off the 4x4 board");
        check(Coords::Letters, "a0", Size::Four, "a0 is off the 4x4 board");
        check(Coords::Letters, "i99999", Size::Eight, "i99999 is off the 8x8 board");
        check(Coords::Letters, "5f", Size::Eight, "found \"5f\", expected a square from a1 to h8");
        check(
            Coords::RowCol,
            "(4; 5)",
            Size::Eight,
            "found \"(4; 5)\", expected a square from (0, 0) to (7, 7)",
        );
        check(Coords::RowCol, "(4, 9)", Size::Eight, "(4, 9) is off the 8x8 board");
        check(Coords::Xy, "123", Size::Eight, "found \"123\", expected a square from 00 to 77");
        check(Coords::Number, "0", Size::Four, "0 is off the 4x4 board");
        check(Coords::Number, "17", Size::Four, "17 is off the 4x4 board");
        check(Coords::Index, "-1", Size::Six, "found \"-1\", expected a square from 0 to 35");
        assert!(matches!(
            Coords::read("37", Size::Eight, None),
            Err(CoordsError::Ambiguous { .. })
        ));
    }
}
