//! Under what a position is filed: one key for all that are symmetric to each other.

use obverse_board::{Bitboard, Board, Color, Counting, Position, Size, Symmetry};

/// A position as the side to move sees it, the same for all eight symmetric ones and for both
/// colors, and how a finished game is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    board: Board,
    size: Size,
    counting_is_discs: bool,
}

impl Key {
    /// The key of a position, and the symmetry that leads from it to the key's board.
    pub fn of(position: Position, counting: Counting) -> (Key, Symmetry) {
        let size = position.size();
        let (board, symmetry) = position.board().canonical(size);
        (Key { board, size, counting_is_discs: counting == Counting::Discs }, symmetry)
    }

    /// The position that stands for all with this key, black to move.
    ///
    /// # Panics
    /// Never: keys are made of positions.
    pub fn position(self) -> Position {
        let (player, opponent) = (self.board.player(), self.board.opponent());
        Position::new(self.size, player, opponent, Color::Black).expect("a key is of a position")
    }

    /// How a finished game is counted.
    pub const fn counting(self) -> Counting {
        if self.counting_is_discs { Counting::Discs } else { Counting::WinnerTakesEmpties }
    }

    /// The size of the board.
    pub const fn size(self) -> Size {
        self.size
    }

    /// The numbers of the row: size, counting, player, opponent.
    pub(crate) const fn columns(self) -> (u8, bool, i64, i64) {
        let (player, opponent) = (self.board.player().0 as i64, self.board.opponent().0 as i64);
        (self.size.side(), self.counting_is_discs, player, opponent)
    }

    /// The key of a row, if it is one.
    pub(crate) fn from_columns(row: (u8, bool, i64, i64)) -> Option<Key> {
        let (side, counting_is_discs, player, opponent) = row;
        let size = Size::from_side(side.into())?;
        let (player, opponent) = (Bitboard(player as u64), Bitboard(opponent as u64));
        let position = Position::new(size, player, opponent, Color::Black).ok()?;
        Some(Key { board: position.board(), size, counting_is_discs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_positions_and_both_colors_have_one_key() {
        let after = |moves: &str| {
            let position = Position::parse(moves).unwrap();
            Key::of(position, Counting::WinnerTakesEmpties).0
        };
        assert_eq!(after("f5d6"), after("c4e3"));
        assert_eq!(after("f5d6"), after("d3c5"));
        let black = Position::parse("8/8/8/3wb3/3bw3/8/8/8 b").unwrap();
        let white = Position::parse("8/8/8/3bw3/3wb3/8/8/8 w").unwrap();
        let key = |position| Key::of(position, Counting::Discs).0;
        assert_eq!(key(black), key(white));
        assert_ne!(key(black), Key::of(black, Counting::WinnerTakesEmpties).0);
    }

    #[test]
    fn a_row_holds_a_key() {
        for text in ["start:4x4", "start:6x6 c2", "f5d6c3d3c4"] {
            let (key, _) = Key::of(Position::parse(text).unwrap(), Counting::Discs);
            assert_eq!(Key::from_columns(key.columns()), Some(key));
            assert_eq!(Key::of(key.position(), Counting::Discs).0, key);
        }
        assert_eq!(Key::from_columns((5, false, 1, 2)), None);
        assert_eq!(Key::from_columns((8, false, 3, 2)), None);
        assert_eq!(Key::from_columns((4, false, 1 << 63, 2)), None);
    }
}
