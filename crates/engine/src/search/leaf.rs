//! The last four empty squares, each number by a function of its own.
//!
//! All are null-window searches: asked whether the player's score exceeds `alpha`, they return a
//! score above it that the player can reach, or one not above it that the opponent can hold it to.
//! Moves are tried in the order of the squares given, which the caller sorts by parity; with three left they
//! are sorted once more.

#![expect(
    clippy::inline_always,
    reason = "solve_2 inside moves_3 saves 12 % of the time of a solve"
)]
#![expect(clippy::too_many_arguments, reason = "each square in a register of its own: 3 %")]

use std::hint::select_unpredictable;

use obverse_board::kernel;

use super::NONE;
use super::arena::Arena;

#[inline]
fn flips(p: u64, o: u64, s: u32) -> u64 {
    kernel::flips(p, o, s as u8)
}

impl<const FULL: bool, const TAKES: bool> Arena<FULL, TAKES> {
    #[inline(always)]
    pub(super) fn solve_2(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32) -> i32 {
        let f1 = flips(p, o, s1);
        let f2 = flips(p, o, s2);
        if f1 != 0 {
            let score = -self.score_1(o ^ f1, s2);
            if score > alpha || f2 == 0 {
                return score;
            }
            return score.max(-self.score_1(o ^ f2, s1));
        }
        if f2 != 0 {
            return -self.score_1(o ^ f2, s1);
        }
        self.solve_2_passed(p, o, alpha, s1, s2)
    }

    /// The player has no move; scores are still the player's.
    #[inline(never)]
    fn solve_2_passed(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32) -> i32 {
        let f1 = flips(o, p, s1);
        let f2 = flips(o, p, s2);
        if f1 != 0 {
            let score = self.score_1(p ^ f1, s2);
            if score <= alpha || f2 == 0 {
                return score;
            }
            return score.min(self.score_1(p ^ f2, s1));
        }
        if f2 != 0 { self.score_1(p ^ f2, s1) } else { self.score(p, o) }
    }

    #[inline]
    pub(super) fn solve_3(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32, s3: u32) -> i32 {
        let best = self.moves_3(p, o, alpha, s1, s2, s3);
        if best == NONE { self.solve_3_passed(p, o, alpha, s1, s2, s3) } else { best }
    }

    #[cold]
    fn solve_3_passed(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32, s3: u32) -> i32 {
        let best = self.moves_3(o, p, -alpha - 1, s1, s2, s3);
        if best == NONE { self.score(p, o) } else { -best }
    }

    #[inline(never)]
    fn moves_3(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32, s3: u32) -> i32 {
        let mut best = NONE;
        let f = flips(p, o, s1);
        if f != 0 {
            best = -self.solve_2(o ^ f, p | f | 1 << s1, -alpha - 1, s2, s3);
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s2);
        if f != 0 {
            best = best.max(-self.solve_2(o ^ f, p | f | 1 << s2, -alpha - 1, s1, s3));
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s3);
        if f != 0 {
            best = best.max(-self.solve_2(o ^ f, p | f | 1 << s3, -alpha - 1, s1, s2));
        }
        best
    }

    #[inline]
    pub(super) fn solve_4(self, p: u64, o: u64, alpha: i32, [s1, s2, s3, s4]: [u32; 4]) -> i32 {
        let best = self.moves_4(p, o, alpha, s1, s2, s3, s4);
        if best == NONE { self.solve_4_passed(p, o, alpha, s1, s2, s3, s4) } else { best }
    }

    #[cold]
    fn solve_4_passed(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32, s3: u32, s4: u32) -> i32 {
        let best = self.moves_4(o, p, -alpha - 1, s1, s2, s3, s4);
        if best == NONE { self.score(p, o) } else { -best }
    }

    #[inline(never)]
    fn moves_4(self, p: u64, o: u64, alpha: i32, s1: u32, s2: u32, s3: u32, s4: u32) -> i32 {
        let mut best = NONE;
        let f = flips(p, o, s1);
        if f != 0 {
            let (a, b, c) = odd_first(s2, s3, s4);
            best = -self.solve_3(o ^ f, p | f | 1 << s1, -alpha - 1, a, b, c);
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s2);
        if f != 0 {
            let (a, b, c) = odd_first(s1, s3, s4);
            best = best.max(-self.solve_3(o ^ f, p | f | 1 << s2, -alpha - 1, a, b, c));
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s3);
        if f != 0 {
            let (a, b, c) = odd_first(s1, s2, s4);
            best = best.max(-self.solve_3(o ^ f, p | f | 1 << s3, -alpha - 1, a, b, c));
            if best > alpha {
                return best;
            }
        }
        let f = flips(p, o, s4);
        if f != 0 {
            let (a, b, c) = odd_first(s1, s2, s3);
            best = best.max(-self.solve_3(o ^ f, p | f | 1 << s4, -alpha - 1, a, b, c));
        }
        best
    }
}

/// Three squares, one that is alone in its quadrant before two that share theirs: whoever moves there
/// has the last move.
#[inline(always)]
fn odd_first(a: u32, b: u32, c: u32) -> (u32, u32, u32) {
    let share = |a: u32, b: u32| (a ^ b) & 0b100_100 == 0;
    let (ab, ac) = (share(a, b), share(a, c));
    let first = select_unpredictable(ab, c, select_unpredictable(ac, b, a));
    let second = select_unpredictable(ab || ac, a, b);
    let third = select_unpredictable(ab, b, c);
    (first, second, third)
}
