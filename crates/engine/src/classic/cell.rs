//! What a disc is worth by the square it lies on.
//!
//! Corners can never be turned and are worth most; the squares beside an empty corner give it away
//! and are worth less than nothing. The table is symmetric, so one quarter says it all, read by the
//! distance from the nearest edges; the smaller boards use the outer part of the same quarter.
//!
//! The quarter has ten different values, one for each kind of square. Ten masks therefore do what a
//! table of 64 entries would: a sum over discs is ten population counts, and walking the masks from
//! the dearest down visits moves in order of value without sorting or storing them.

use obverse_board::{Bitboard, Board, Size, Square};

/// The values by row and column distance from the nearest edge.
const QUARTER: [[i8; 4]; 4] = [[25, -5, 14, 10], [-5, -7, -4, 1], [14, -4, 3, 2], [10, 1, 2, -6]];

/// The ten values, dearest first.
const VALUES: [i8; 10] = [25, 14, 10, 3, 2, 1, -4, -5, -6, -7];

/// For each size the squares of each value, in the order of [`VALUES`].
static KINDS: [[Bitboard; 10]; 3] = [kinds(Size::Four), kinds(Size::Six), kinds(Size::Eight)];

/// The value of a disc on `square` of a board of `size`; 0 outside the board.
///
/// ```text
///  25  -5  14  10  10  14  -5  25
///  -5  -7  -4   1   1  -4  -7  -5
///  14  -4   3   2   2   3  -4  14
///  10   1   2  -6  -6   2   1  10
///  10   1   2  -6  -6   2   1  10
///  14  -4   3   2   2   3  -4  14
///  -5  -7  -4   1   1  -4  -7  -5
///  25  -5  14  10  10  14  -5  25
/// ```
pub const fn square_value(size: Size, square: Square) -> i32 {
    let last = size.side() - 1;
    if square.row() > last || square.column() > last {
        return 0;
    }
    QUARTER[from_edge(square.row(), last)][from_edge(square.column(), last)] as i32
}

const fn from_edge(line: u8, last: u8) -> usize {
    (if line < last - line { line } else { last - line }) as usize
}

const fn kinds(size: Size) -> [Bitboard; 10] {
    let mut kinds = [Bitboard::EMPTY; 10];
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let mut kind = 0;
        while size.squares().contains(square) && kind < 10 {
            if VALUES[kind] as i32 == square_value(size, square) {
                kinds[kind] = kinds[kind].with(square);
            }
            kind += 1;
        }
        index += 1;
    }
    kinds
}

/// The squares of a board of `size` in ten sets of equal value, the dearest set first.
#[inline]
pub(super) fn by_value(size: Size) -> &'static [Bitboard; 10] {
    match size {
        Size::Four => &KINDS[0],
        Size::Six => &KINDS[1],
        Size::Eight => &KINDS[2],
    }
}

/// The values of the player's discs minus those of the opponent's.
#[inline]
pub(super) fn balance(board: Board, size: Size) -> i32 {
    let count = |discs: Bitboard, kind: Bitboard| (discs & kind).count() as i32;
    VALUES
        .iter()
        .zip(by_value(size))
        .map(|(&value, &kind)| {
            i32::from(value) * (count(board.player(), kind) - count(board.opponent(), kind))
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Symmetry;

    #[test]
    fn the_rows_of_the_large_board_are_those_of_the_table() {
        let row = |size: Size, row: u8| {
            (0..size.side())
                .map(|column| square_value(size, size.square(column, row).unwrap()))
                .collect::<Vec<_>>()
        };
        assert_eq!(row(Size::Eight, 0), [25, -5, 14, 10, 10, 14, -5, 25]);
        assert_eq!(row(Size::Eight, 1), [-5, -7, -4, 1, 1, -4, -7, -5]);
        assert_eq!(row(Size::Eight, 2), [14, -4, 3, 2, 2, 3, -4, 14]);
        assert_eq!(row(Size::Eight, 4), [10, 1, 2, -6, -6, 2, 1, 10]);
        assert_eq!(row(Size::Six, 5), [25, -5, 14, 14, -5, 25]);
        assert_eq!(row(Size::Four, 0), [25, -5, -5, 25]);
        assert_eq!(row(Size::Four, 2), [-5, -7, -7, -5]);
        assert_eq!(square_value(Size::Four, Square::E1), 0);
    }

    #[test]
    fn the_kinds_divide_the_board_and_no_symmetry_changes_them() {
        for size in Size::ALL {
            let all = by_value(size).iter().fold(Bitboard::EMPTY, |all, &kind| all | kind);
            let sum: u32 = by_value(size).iter().map(|kind| kind.count()).sum();
            assert_eq!((all, sum), (size.squares(), u32::from(size.area())));
            for (value, &kind) in VALUES.into_iter().zip(by_value(size)) {
                assert!(kind.into_iter().all(|s| square_value(size, s) == i32::from(value)));
                assert!(Symmetry::ALL.iter().all(|s| s.apply(kind, size) == kind));
            }
        }
        assert!(VALUES.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn the_balance_sums_the_values_of_the_discs() {
        let board = Board::new(
            Bitboard::from_iter([Square::A1, Square::B2, Square::D4]),
            Bitboard::of(Square::C3),
        );
        assert_eq!(balance(board, Size::Eight), 25 - 7 - 6 - 3);
        assert_eq!(balance(board, Size::Four), 25 - 7 + 25 + 7);
        assert_eq!(balance(board.pass(), Size::Eight), -balance(board, Size::Eight));
    }
}
