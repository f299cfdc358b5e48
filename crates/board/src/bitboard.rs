//! A set of squares, one bit each.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::Square;

/// A set of squares: bit `i` stands for the square of index `i`.
///
/// The operators are those of sets: `|` union, `&` intersection, `-` difference, `^` symmetric
/// difference, `!` complement (within 8×8).
///
/// ```
/// use obverse_board::{Bitboard, Square};
/// let corners = Bitboard::from_iter([Square::A1, Square::H1, Square::A8, Square::H8]);
/// let top = Bitboard(0xff);
/// assert_eq!((corners & top).into_iter().collect::<Vec<_>>(), [Square::A1, Square::H1]);
/// assert_eq!((top - corners).count(), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 64 squares.
    pub const ALL: Bitboard = Bitboard(!0);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether some square is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether every square of `other` is in the set.
    #[inline]
    pub const fn contains_all(self, other: Bitboard) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set and `square`.
    #[inline]
    #[must_use = "this returns a new set"]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// The set without `square`.
    #[inline]
    #[must_use = "this returns a new set"]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// The first square in reading order.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping_from(self.0.trailing_zeros() as u8)) }
    }

    /// The squares of the set and all their neighbours, diagonal ones included.
    ///
    /// ```
    /// use obverse_board::{Bitboard, Square};
    /// assert_eq!(Bitboard::of(Square::D4).grown().count(), 9);
    /// assert_eq!(Bitboard::of(Square::A1).grown().count(), 4);
    /// ```
    #[inline]
    #[must_use = "this returns a new set"]
    pub const fn grown(self) -> Bitboard {
        const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
        const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let row = self.0 | self.0 << 1 & NOT_A | self.0 >> 1 & NOT_H;
        Bitboard(row | row << 8 | row >> 8)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a set in reading order.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

/// Draws the set as eight rows of `#` and `.`, a1 at the top left.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Bitboard({:#018x})", self.0)?;
        for row in self.0.to_le_bytes() {
            for column in 0..8 {
                f.write_str(if row >> column & 1 != 0 { "#" } else { "." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operators_are_those_of_sets() {
        let (a, b) = (Bitboard(0b1100), Bitboard(0b1010));
        assert_eq!(a | b, Bitboard(0b1110));
        assert_eq!(a & b, Bitboard(0b1000));
        assert_eq!(a - b, Bitboard(0b0100));
        assert_eq!(a ^ b, Bitboard(0b0110));
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert!((a | b).contains_all(a) && !a.contains_all(b));
    }

    #[test]
    fn iteration_gives_the_squares_in_reading_order() {
        let set = Bitboard::from_iter([Square::H8, Square::A1, Square::D4]);
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::D4, Square::H8]);
        assert_eq!(set.into_iter().len(), 3);
        assert_eq!(set.without(Square::D4).with(Square::B1).first(), Some(Square::A1));
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn growth_does_not_wrap_around_the_rim() {
        for square in Square::ALL {
            let expected: Bitboard = Square::ALL
                .into_iter()
                .filter(|other| {
                    other.row().abs_diff(square.row()) <= 1
                        && other.column().abs_diff(square.column()) <= 1
                })
                .collect();
            assert_eq!(Bitboard::of(square).grown(), expected, "{square}");
        }
    }
}
