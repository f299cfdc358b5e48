//! Which move to try first.
//!
//! In a null-window search a good guess saves nearly the whole of the other moves. Near the end the
//! best guess is the move that leaves the opponent the fewest answers, corners counting twice.

use super::arena::Arena;
use super::params::PROMISE_ENOUGH;

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// More moves than any position has: 33 is the proven maximum on 8×8.
pub(super) const MOVES_MAX: usize = 34;

/// A position after a move, seen by the side to move there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child {
    pub(crate) p: u64,
    pub(crate) o: u64,
    pub(crate) square: u8,
    /// The greater, the sooner it is tried.
    pub(crate) key: i32,
}

/// The children of a position.
#[derive(Clone)]
pub(crate) struct Children {
    items: [Child; MOVES_MAX],
    len: usize,
}

impl Children {
    pub(crate) const fn new() -> Children {
        Children { items: [Child { p: 0, o: 0, square: 0, key: 0 }; MOVES_MAX], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, child: Child) {
        self.items[self.len] = child;
        self.len += 1;
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Child] {
        &self.items[..self.len]
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Child] {
        &mut self.items[..self.len]
    }

    /// Takes the child of a move out.
    pub(crate) fn remove(&mut self, square: u8) {
        if let Some(at) = self.as_slice().iter().position(|child| child.square == square) {
            self.items[at..self.len].rotate_left(1);
            self.len -= 1;
        }
    }

    /// Puts a child before all others.
    pub(crate) fn insert_first(&mut self, child: Child) {
        self.push(child);
        self.items[..self.len].rotate_right(1);
    }

    /// Brings the child of a move before all others, if it is there.
    pub(crate) fn bring_first(&mut self, square: u8) -> Option<Child> {
        let at = self.as_slice().iter().position(|child| child.square == square)?;
        self.items[..=at].rotate_right(1);
        Some(self.items[0])
    }

    /// Sorts all children, best first.
    pub(crate) fn sort(&mut self) {
        self.items[..self.len].sort_by_key(|child| -child.key);
    }
}

/// Moves that nothing else is known of, in the order to try them: to corners, to most squares, and
/// next to corners.
#[inline]
pub(super) const fn by_square(moves: u64) -> [u64; 3] {
    const NEXT: u64 = 0x42c3_0000_0000_c342;
    [moves & CORNERS, moves & !(CORNERS | NEXT), moves & NEXT]
}

/// What a square is worth by itself, in the units of the keys.
pub(super) static SQUARE_VALUE: [u8; 64] = square_values();

const fn square_values() -> [u8; 64] {
    // A quarter of the board by distance from the edges: corners first, X-squares and C-squares last.
    const QUARTER: [[u8; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (x, y) = (i % 8, i / 8);
        let (x, y) = (if x < 4 { x } else { 7 - x }, if y < 4 { y } else { 7 - y });
        table[i] = QUARTER[y][x];
        i += 1;
    }
    table
}

impl<const FULL: bool, const TAKES: bool> Arena<FULL, TAKES> {
    /// The squares of quadrants with an odd number of empties: the player who moves there first also
    /// moves there last.
    #[inline]
    pub(super) fn odd_quadrants(self, empties: u64) -> u64 {
        // A smaller board is moved to the middle, where its quadrants are those of the 8×8 one.
        let shift = if FULL { 0 } else { 9 * (8 - (self.squares() & 0xff).count_ones()) / 2 };
        let mut e = empties << shift;
        e ^= e >> 1;
        e ^= e >> 2;
        e ^= e >> 8;
        e ^= e >> 16;
        ((e & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)) >> shift
    }

    /// How many answers a move leaves the opponent (`p`, to move now), corners counting twice.
    #[inline]
    pub(super) fn mobility(self, p: u64, o: u64) -> i32 {
        let moves = self.moves(p, o);
        (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
    }

    /// The empty squares next to discs of the side not to move: where moves may arise.
    #[inline]
    pub(super) fn potential_mobility(self, p: u64, o: u64) -> i32 {
        let near = obverse_board::Bitboard(o).grown().0 & self.empties(p, o);
        (near.count_ones() + (near & CORNERS).count_ones()) as i32
    }
}

/// How many moves to look ahead in order to sort moves of a search to the end: the larger the tree
/// below, the more a good guess saves.
pub(super) const fn look_ahead_depth(n_empties: u32) -> u32 {
    match n_empties {
        0..19 => 0,
        19..26 => 1,
        26..30 => 2,
        30.. => 3,
    }
}

/// The same for a search of a number of moves.
pub(super) const fn mid_look_ahead_depth(depth: u32) -> u32 {
    match depth {
        0..8 => 0,
        8..13 => 1,
        13.. => 2,
    }
}

/// What it is worth, in sorting moves of a search to the end, that a move is expected to exceed the bound by
/// `margin`: the more, the smaller the tree below, but far beyond the bound that hardly matters.
#[inline]
pub(super) fn promise(margin: i32) -> i32 {
    let near = margin.min(PROMISE_ENOUGH);
    near + near / 2 + (margin - near) / 2
}

/// How many moves less to look ahead at first below the `i`th move of a search, of which `depth` remain.
pub(super) const fn late_move_reduction(i: usize, depth: u32) -> u32 {
    match (i, depth) {
        (7.., 8..) => 4,
        (3.., 5..) => 2,
        _ => 0,
    }
}

/// How many corners and discs next to them on the edge the player has, see [`corners_held`].
#[inline]
pub(super) fn corner_stability(p: u64) -> i32 {
    corners_held(p).count_ones() as i32
}

/// The player's corners and the discs next to them on the edge, which are stable.
#[inline]
pub(super) fn corners_held(p: u64) -> u64 {
    let next = (p & 0x0100_0000_0000_0001) << 1
        | (p & 0x8000_0000_0000_0080) >> 1
        | (p & 0x0000_0000_0000_0081) << 8
        | (p & 0x8100_0000_0000_0000) >> 8;
    p & (next | CORNERS)
}
