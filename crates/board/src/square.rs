//! A square of the board, from a1 (top left) to h8 (bottom right).
//!
//! Rows are numbered downwards, as Othello players do: a1 is the top left corner and index 0, h1
//! the top right and index 7, a8 the bottom left and index 56. A 4×4 or 6×6 board uses the top left
//! part of the same squares, so `c2` is the same `Square` on every board.

use std::fmt;
use std::str::FromStr;

macro_rules! squares {
    ($($name:ident = $index:literal),* $(,)?) => {
        /// A square, named by its column letter and row number.
        ///
        /// ```
        /// use obverse_board::Square;
        /// assert_eq!(Square::F5.index(), 37);
        /// assert_eq!("f5".parse(), Ok(Square::F5));
        /// assert_eq!(Square::F5.to_string(), "f5");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each variant is its own name")]
        pub enum Square { $($name = $index),* }

        impl Square {
            /// Every square in reading order, so that `ALL[i].index() == i`.
            pub const ALL: [Square; 64] = [$(Square::$name),*];

            /// The square at `index & 63`.
            ///
            /// The match compiles to nothing: the index is the discriminant.
            #[inline]
            pub(crate) const fn wrapping_from(index: u8) -> Square {
                match index & 63 { $($index => Square::$name,)* _ => unreachable!() }
            }
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

// `Option<Square>` costs nothing, so no square needs a "none" variant.
const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// The square with this index (row × 8 + column), if there is one.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square::wrapping_from(index)) } else { None }
    }

    /// The square in this column and row, both counted from 0, if there is one.
    #[inline]
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square::wrapping_from(row * 8 + column)) } else { None }
    }

    /// Row × 8 + column, from 0 for a1 to 63 for h8.
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The column, 0 for a to 7 for h.
    #[inline]
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// The row, 0 at the top.
    #[inline]
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }

    /// The neighbour one step away in `direction`, if it is on the 8×8 board.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Square> {
        let (dx, dy) = direction.offset();
        let (column, row) = (self.column() as i8 + dx, self.row() as i8 + dy);
        if column < 0 || row < 0 { None } else { Square::at(column as u8, row as u8) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

/// What stood where a square such as `f5` was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSquareError(String);

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected a square from a1 to h8", self.0)
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `f5`, in either case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [letter, digit @ b'1'..=b'8'] if matches!(letter.to_ascii_lowercase(), b'a'..=b'h') => {
                Ok(Square::wrapping_from((digit - b'1') * 8 + letter.to_ascii_lowercase() - b'a'))
            }
            _ => Err(ParseSquareError(text.chars().take(20).collect())),
        }
    }
}

/// One of the eight directions in which a move can flip discs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the points of the compass, north being towards row 1")]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// The change of column and row of one step.
    #[inline]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_name_are_inverse_for_every_square() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(square.index()), index);
            assert_eq!(Square::new(index as u8), Some(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
        }
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "5f", "a1 ", "aa1", "é1"] {
            let error = text.parse::<Square>().unwrap_err();
            assert!(error.to_string().contains("expected a square from a1 to h8"), "{text}");
        }
    }

    #[test]
    fn a_step_leaves_the_board_only_at_its_rim() {
        assert_eq!(Square::D4.step(Direction::NorthEast), Some(Square::E3));
        assert_eq!(Square::D4.step(Direction::South), Some(Square::D5));
        assert_eq!(Square::A4.step(Direction::West), None);
        assert_eq!(Square::H1.step(Direction::NorthEast), None);
        assert_eq!(Square::H8.step(Direction::South), None);
    }
}
