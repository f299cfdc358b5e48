//! What several test files share.
#![allow(dead_code, unused_macros, unused_imports, reason = "each test file uses its own part")]

pub(crate) mod games;
pub(crate) mod oracle;

use obverse_board::{Bitboard, Board, Position, Size};

/// Calls a function, generic over the back-end, for every back-end this CPU can run.
macro_rules! for_each_kernel {
    ($check:ident($($argument:expr),*)) => {{
        use obverse_board::kernel::Kernel;
        $check(obverse_board::kernel::Portable $(, $argument)*);
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = obverse_board::kernel::Avx2::detect() {
            $check(kernel $(, $argument)*);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = obverse_board::kernel::Avx512::detect() {
            $check(kernel $(, $argument)*);
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(kernel) = obverse_board::kernel::Neon::detect() {
            $check(kernel $(, $argument)*);
        }
    }};
}
pub(crate) use for_each_kernel;

/// `SplitMix64` (Steele, Lea and Flood, 2014): the same numbers everywhere, from any seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// Discs of both sides scattered over a board: from few to all squares, even or one-sided.
    pub(crate) fn board(&mut self, size: Size) -> Board {
        let density = [2, 5, 8, 9, 10][self.below(5)];
        let share = [2, 5, 8][self.below(3)];
        let mut subset = |tenths| -> Bitboard {
            size.squares().into_iter().filter(|_| self.below(10) < tenths).collect()
        };
        let (occupied, own) = (subset(density), subset(share));
        Board::new(occupied & own, occupied - own)
    }

    /// A random game from the standard start to its end: all positions, the last included.
    pub(crate) fn game(&mut self, size: Size) -> Vec<Position> {
        let mut position = Position::start(size);
        let mut positions = vec![position];
        while !position.is_over() {
            position = match position.moves() {
                Bitboard::EMPTY => position.pass_unchecked(),
                moves => {
                    let choice = self.below(moves.count() as usize);
                    position.play_unchecked(moves.into_iter().nth(choice).unwrap())
                }
            };
            positions.push(position);
        }
        positions
    }
}
