//! The last four empty squares, each number by a function of its own.
//!
//! All are null-window searches: asked whether the player's score exceeds `alpha`, they return a
//! score above it that the player can reach, or one not above it that the opponent can hold it to.
//! Moves are tried in the order of the squares given, which the caller sorts by parity.

use obverse_board::kernel;

use super::arena::Arena;

#[inline]
fn flips(p: u64, o: u64, s: u32) -> u64 {
    kernel::flips(p, o, s as u8)
}

/// Below every score.
pub(super) const NONE: i32 = -127;

impl<const FULL: bool, const TAKES: bool> Arena<FULL, TAKES> {
    #[inline]
    pub(super) fn solve_2(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32) -> i32 {
        let mut best = NONE;
        let f = flips(p, o, s1);
        if f != 0 {
            best = -self.score_1(o ^ f, s2);
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s2);
        if f != 0 {
            best = best.max(-self.score_1(o ^ f, s1));
        }
        if best == NONE { self.solve_2_passed(p, o, alpha, s1, s2) } else { best }
    }

    /// The player has no move; scores are still the player's.
    #[inline(never)]
    fn solve_2_passed(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32) -> i32 {
        let mut best = -NONE;
        let f = flips(o, p, s1);
        if f != 0 {
            best = self.score_1(p ^ f, s2);
            if best <= alpha {
                return best;
            }
        }
        let f = flips(o, p, s2);
        if f != 0 {
            best = best.min(self.score_1(p ^ f, s1));
        }
        if best == -NONE { self.score(p, o) } else { best }
    }

    #[inline]
    pub(super) fn solve_3(self, p: u64, o: u64, alpha: i32, [s1, s2, s3]: [u32; 3]) -> i32 {
        let best = self.moves_3(p, o, alpha, [s1, s2, s3]);
        if best != NONE {
            return best;
        }
        let best = self.moves_3(o, p, -alpha - 1, [s1, s2, s3]);
        if best == NONE { self.score(p, o) } else { -best }
    }

    #[inline]
    fn moves_3(self, p: u64, o: u64, alpha: i32, [s1, s2, s3]: [u32; 3]) -> i32 {
        let mut best = NONE;
        for [s, t1, t2] in [[s1, s2, s3], [s2, s1, s3], [s3, s1, s2]] {
            let f = flips(p, o, s);
            if f != 0 {
                best = best.max(-self.solve_2(o ^ f, p | f | 1 << s, -alpha - 1, t1, t2));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    #[inline]
    pub(super) fn solve_4(self, p: u64, o: u64, alpha: i32, squares: [u32; 4]) -> i32 {
        let best = self.moves_4(p, o, alpha, squares);
        if best != NONE {
            return best;
        }
        let best = self.moves_4(o, p, -alpha - 1, squares);
        if best == NONE { self.score(p, o) } else { -best }
    }

    #[inline]
    fn moves_4(self, p: u64, o: u64, alpha: i32, [s1, s2, s3, s4]: [u32; 4]) -> i32 {
        let mut best = NONE;
        let orders = [[s1, s2, s3, s4], [s2, s1, s3, s4], [s3, s1, s2, s4], [s4, s1, s2, s3]];
        for [s, t1, t2, t3] in orders {
            let f = flips(p, o, s);
            if f != 0 {
                best = best.max(-self.solve_3(o ^ f, p | f | 1 << s, -alpha - 1, [t1, t2, t3]));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }
}
