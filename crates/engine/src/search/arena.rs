//! What the search must know of the board's size and of how a finished game is counted.
//!
//! Both are fixed for a whole search, so they are compiled into it: `FULL` is the 8×8 board, where
//! every bit is a square and the last move can be counted from tables; `TAKES` says that the winner
//! takes the empty squares.

use std::hint::select_unpredictable;

use obverse_board::{Counting, Size, kernel};

#[derive(Clone, Copy)]
pub(crate) struct Arena<const FULL: bool, const TAKES: bool> {
    squares: u64,
    size: Size,
}

impl<const FULL: bool, const TAKES: bool> Arena<FULL, TAKES> {
    pub(crate) fn new(size: Size, counting: Counting) -> Arena<FULL, TAKES> {
        debug_assert!(FULL == (size == Size::Eight));
        debug_assert!(TAKES == (counting == Counting::WinnerTakesEmpties));
        Arena { squares: size.squares().0, size }
    }

    /// The playable squares.
    #[inline]
    pub(super) fn squares(self) -> u64 {
        if FULL { !0 } else { self.squares }
    }

    #[inline]
    pub(super) fn area(self) -> i32 {
        self.squares().count_ones() as i32
    }

    #[inline]
    pub(super) fn empties(self, p: u64, o: u64) -> u64 {
        self.squares() & !(p | o)
    }

    /// The player's moves.
    #[inline]
    pub(super) fn moves(self, p: u64, o: u64) -> u64 {
        kernel::moves(p, o) & self.squares()
    }

    /// Some of the player's discs that can never be flipped.
    #[inline]
    pub(super) fn stable(self, p: u64, o: u64) -> u64 {
        if FULL { kernel::stable(p, o) } else { kernel::stable_on(p, o, self.size) }
    }

    /// The player's score when neither side can move.
    #[inline]
    pub(super) fn score(self, p: u64, o: u64) -> i32 {
        let (own, other) = (p.count_ones() as i32, o.count_ones() as i32);
        let difference = own - other;
        if TAKES {
            difference + difference.signum() * (self.area() - own - other)
        } else {
            difference
        }
    }

    /// The player's score with one empty square left, `s`.
    #[inline]
    pub(super) fn score_1(self, p: u64, s: u32) -> i32 {
        // As if the last square went to the opponent.
        let base = 2 * p.count_ones() as i32 - self.area();
        let (own, other) = self.last_flips(p, s);
        let none = if TAKES { select_unpredictable(base >= 0, 2, 0) } else { 1 };
        let passed = select_unpredictable(other != 0, -2 * other, none);
        base + select_unpredictable(own != 0, 2 * own + 2, passed)
    }

    /// How many discs the player's and the opponent's disc on the last empty square would flip.
    #[inline]
    fn last_flips(self, p: u64, s: u32) -> (i32, i32) {
        let (own, other) = if FULL {
            kernel::last_flips(p, s as u8)
        } else {
            kernel::flip_counts(p, self.squares() & !p & !(1 << s), s as u8)
        };
        (own as i32, other as i32)
    }
}
