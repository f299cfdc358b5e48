//! A transposition table: positions already searched, for when another order of moves leads to them
//! again.
//!
//! A slot is found by a hash, but a hit compares the whole board and the depth left: then, and only
//! then, is the stored value one that searching again would find. A slot holds the last position
//! stored there.

use obverse_board::Board;

use super::Bound;

/// 2¹⁶ slots of 32 bytes: 2 MiB.
const N_SLOTS_LOG2: u32 = 16;

const _: () = assert!(size_of::<Slot>() == 32);

/// A fixed number of slots, all allocated at once.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Box<[Slot]>,
    /// Which search is under way; what others stored is as good as empty.
    search: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    board: Board,
    value: f64,
    /// The search that stored this; 0 where nothing was.
    search: u32,
    depth: u8,
    bound: Bound,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { slots: vec![Slot::EMPTY; 1 << N_SLOTS_LOG2].into(), search: 1 }
    }

    /// Forgets everything, so that each search costs the same nodes whatever came before it.
    pub(super) fn forget(&mut self) {
        match self.search.checked_add(1) {
            Some(search) => self.search = search,
            None => *self = Table::new(),
        }
    }

    /// What is stored of `board` with exactly `depth` left.
    #[inline]
    pub(super) fn find(&self, board: Board, depth: u8) -> Option<(f64, Bound)> {
        let slot = &self.slots[index(board, depth)];
        let hit = slot.search == self.search && slot.depth == depth && slot.board == board;
        hit.then_some((slot.value, slot.bound))
    }

    /// Stores what a search of `board` with `depth` left found.
    #[inline]
    pub(super) fn store(&mut self, board: Board, depth: u8, value: f64, bound: Bound) {
        let search = self.search;
        self.slots[index(board, depth)] = Slot { board, value, search, depth, bound };
    }
}

impl Slot {
    const EMPTY: Slot = Slot {
        board: Board::start(obverse_board::Size::Eight),
        value: 0.0,
        search: 0,
        depth: 0,
        bound: Bound::Exact,
    };
}

/// The slot of a board: the top bits of a product, on which all its bits have some influence.
#[inline]
fn index(board: Board, depth: u8) -> usize {
    let player = board.player().0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let opponent = board.opponent().0.wrapping_add(u64::from(depth)).rotate_left(32);
    let mixed = (player ^ player >> 32 ^ opponent).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ mixed << 32) >> (64 - N_SLOTS_LOG2)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Size};

    #[test]
    fn only_the_same_board_at_the_same_depth_in_the_same_search_is_found() {
        let mut table = Table::new();
        let board = Board::start(Size::Six);
        assert_eq!(table.find(board, 3), None);
        table.store(board, 3, 1.5, Bound::AtLeast);
        assert_eq!(table.find(board, 3), Some((1.5, Bound::AtLeast)));
        assert_eq!(table.find(board, 4), None);
        assert_eq!(table.find(board.pass(), 3), None);
        table.forget();
        assert_eq!(table.find(board, 3), None);
    }

    #[test]
    fn boards_that_share_a_slot_are_not_confused() {
        let mut table = Table::new();
        let boards = || (0..1 << 18).map(|bits| Board::new(Bitboard(bits), Bitboard(!bits)));
        for board in boards() {
            table.store(board, 3, board.player().0 as f64, Bound::Exact);
        }
        let mut n_found = 0;
        for board in boards() {
            if let Some((value, _)) = table.find(board, 3) {
                assert!(value.to_bits() == (board.player().0 as f64).to_bits());
                n_found += 1;
            }
        }
        assert!(n_found <= 1 << 16, "there are no more slots");
        assert!(n_found > 1 << 15, "the hash uses most of them: {n_found}");
    }

    #[test]
    fn an_empty_table_finds_nothing_even_when_the_count_of_searches_overflows() {
        let mut table = Table::new();
        table.search = u32::MAX;
        table.forget();
        assert_eq!((table.search, table.find(Board::start(Size::Eight), 0)), (1, None));
    }
}
