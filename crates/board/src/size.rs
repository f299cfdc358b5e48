//! The three board sizes.
//!
//! A smaller board is the top left part of the 8×8 one. Squares outside it are never occupied, so
//! no line of discs runs through them and the same kernels serve every size; only the squares where
//! a disc may be *placed* must be masked with [`Size::squares`].

use std::fmt;

use crate::{Bitboard, Square};

/// The side length of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Size {
    /// 4×4, the smallest interesting board.
    Four,
    /// 6×6, solved by Feinstein in 1993.
    Six,
    /// 8×8, Othello.
    Eight,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Size; 3] = [Size::Four, Size::Six, Size::Eight];

    /// The number of columns, which is the number of rows.
    #[inline]
    pub const fn side(self) -> u8 {
        match self {
            Size::Four => 4,
            Size::Six => 6,
            Size::Eight => 8,
        }
    }

    /// The number of squares.
    #[inline]
    pub const fn area(self) -> u8 {
        self.side() * self.side()
    }

    /// The size with this side length, if there is one.
    pub const fn from_side(side: usize) -> Option<Size> {
        match side {
            4 => Some(Size::Four),
            6 => Some(Size::Six),
            8 => Some(Size::Eight),
            _ => None,
        }
    }

    /// The size with this many squares, if there is one.
    pub const fn from_area(area: usize) -> Option<Size> {
        match area {
            16 => Some(Size::Four),
            36 => Some(Size::Six),
            64 => Some(Size::Eight),
            _ => None,
        }
    }

    /// The playable squares.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        match self {
            Size::Four => Bitboard(0x0f0f_0f0f),
            Size::Six => Bitboard(0x3f3f_3f3f_3f3f),
            Size::Eight => Bitboard::ALL,
        }
    }

    /// The four squares in the middle, which every game starts with.
    pub const fn center(self) -> Bitboard {
        let first = (self.side() / 2 - 1) * 9;
        Bitboard(0x0303 << first)
    }

    /// The square in this column and row, both counted from 0, if it is on this board.
    pub const fn square(self, column: u8, row: u8) -> Option<Square> {
        if column < self.side() && row < self.side() { Square::at(column, row) } else { None }
    }

    /// The square's place in reading order on this board, from 0: row × side + column.
    ///
    /// On 8×8 this is [`Square::index`].
    pub const fn reading_index(self, square: Square) -> u8 {
        square.row() * self.side() + square.column()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_masks_are_the_top_left_corner() {
        for size in Size::ALL {
            let expected: Bitboard = Square::ALL
                .into_iter()
                .filter(|square| square.row() < size.side() && square.column() < size.side())
                .collect();
            assert_eq!(size.squares(), expected);
            assert_eq!(size.squares().count(), u32::from(size.area()));
            for (i, square) in size.squares().into_iter().enumerate() {
                assert_eq!(usize::from(size.reading_index(square)), i);
            }
        }
    }

    #[test]
    fn the_center_is_four_squares_in_the_middle() {
        let center = |size: Size| size.center().into_iter().collect::<Vec<_>>();
        assert_eq!(center(Size::Four), [Square::B2, Square::C2, Square::B3, Square::C3]);
        assert_eq!(center(Size::Six), [Square::C3, Square::D3, Square::C4, Square::D4]);
        assert_eq!(center(Size::Eight), [Square::D4, Square::E4, Square::D5, Square::E5]);
    }
}
