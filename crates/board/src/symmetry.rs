//! The eight symmetries of the square board.

use crate::{Bitboard, Board, Position, Size, Square};

/// One of the eight ways to turn and mirror a board onto itself.
///
/// Each is a transposition (rows become columns) or none, followed by mirroring the columns, the
/// rows, both or neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

const MIRROR_COLUMNS: u8 = 1;
const MIRROR_ROWS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// All eight; the first is the identity.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The set of squares moved by this symmetry of a board of `size`.
    #[inline]
    pub const fn apply(self, set: Bitboard, size: Size) -> Bitboard {
        let mut bits = set.0;
        // What mirroring moved to the right or bottom rim of 8×8 is moved back to the smaller board.
        let margin = 8 - size.side() as u32;
        if self.0 & TRANSPOSE != 0 {
            bits = transpose(bits);
        }
        if self.0 & MIRROR_COLUMNS != 0 {
            bits = bits.reverse_bits().swap_bytes() >> margin;
        }
        if self.0 & MIRROR_ROWS != 0 {
            bits = bits.swap_bytes() >> (8 * margin);
        }
        Bitboard(bits)
    }

    /// Where this symmetry of a board of `size` moves `square`.
    pub const fn apply_square(self, square: Square, size: Size) -> Square {
        let index = self.apply(Bitboard::of(square), size).0.trailing_zeros();
        Square::wrapping_from(index as u8)
    }

    /// The symmetry that undoes this one.
    #[must_use = "this returns the other symmetry"]
    pub const fn inverse(self) -> Symmetry {
        // With a transposition the two mirrorings change roles on the way back.
        if self.0 & TRANSPOSE == 0 {
            self
        } else {
            Symmetry(TRANSPOSE | (self.0 & MIRROR_COLUMNS) << 1 | (self.0 & MIRROR_ROWS) >> 1)
        }
    }
}

/// Mirrors on the diagonal from a1 to h8 by exchanging ever larger blocks.
const fn transpose(mut bits: u64) -> u64 {
    let swapped = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    bits ^= swapped ^ swapped << 7;
    let swapped = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    bits ^= swapped ^ swapped << 14;
    let swapped = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swapped ^ swapped << 28
}

impl Board {
    /// This board turned or mirrored.
    #[inline]
    #[must_use = "a board is a value: this returns the other one"]
    pub const fn transformed(self, symmetry: Symmetry, size: Size) -> Board {
        Board::new(symmetry.apply(self.player(), size), symmetry.apply(self.opponent(), size))
    }

    /// The least of the eight boards symmetric to this one, and the symmetry that leads to it.
    pub fn canonical(self, size: Size) -> (Board, Symmetry) {
        let images = Symmetry::ALL.map(|symmetry| (self.transformed(symmetry, size), symmetry));
        images
            .into_iter()
            .fold(images[0], |least, image| if image.0 < least.0 { image } else { least })
    }
}

impl Position {
    /// This position turned or mirrored.
    #[must_use = "a position is a value: this returns the other one"]
    pub fn transformed(self, symmetry: Symmetry) -> Position {
        self.with_board(self.board().transformed(symmetry, self.size()))
    }

    /// The position that stands for all symmetric to this one, with the same side to move.
    #[must_use = "a position is a value: this returns the other one"]
    pub fn canonical(self) -> Position {
        self.with_board(self.board().canonical(self.size()).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_symmetries_are_distinct_and_invertible_on_every_size() {
        for size in Size::ALL {
            for square in size.squares() {
                for symmetry in Symmetry::ALL {
                    let image = symmetry.apply_square(square, size);
                    assert!(size.squares().contains(image), "{square} {symmetry:?} {size}");
                    assert_eq!(symmetry.inverse().apply_square(image, size), square);
                }
            }
            // b1 lies on no axis of symmetry, so its eight images differ.
            let mut images: Vec<Square> =
                Symmetry::ALL.iter().map(|s| s.apply_square(Square::B1, size)).collect();
            images.sort();
            images.dedup();
            assert_eq!(images.len(), 8, "{size}");
        }
    }

    #[test]
    fn transposition_exchanges_rows_and_columns() {
        for square in Square::ALL {
            let image = Symmetry(TRANSPOSE).apply_square(square, Size::Eight);
            assert_eq!((image.column(), image.row()), (square.row(), square.column()));
        }
    }

    #[test]
    fn symmetric_boards_share_one_canonical_form() {
        for size in Size::ALL {
            let start = Board::start(size);
            let forms: Vec<Board> = start
                .moves()
                .into_iter()
                .map(|m| start.play_unchecked(m).canonical(size).0)
                .collect();
            assert!(forms.windows(2).all(|pair| pair[0] == pair[1]), "all first moves are alike");
        }
    }
}
