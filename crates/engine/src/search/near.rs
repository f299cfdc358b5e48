//! Five to eleven empty squares: where nearly all the time goes.
//!
//! With five, moves into quadrants with an odd number of empties go first; from six on, moves are
//! sorted by the opponent's mobility and results are kept in the thread's own cache.

use std::hint::select_unpredictable;

use obverse_board::kernel;

use super::order::{CORNERS, SQUARE_VALUE, corners_held};
use super::params::{NEAR_MAX, STABILITY_ALPHA};
use super::{NONE, Worker, cache};
use crate::table::NO_MOVE;

impl<const FULL: bool, const TAKES: bool> Worker<'_, FULL, TAKES> {
    /// Asks whether the player's score exceeds `alpha`, with at most eleven empties.
    pub(super) fn near(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        debug_assert!(n_empties <= NEAR_MAX);
        let empties = self.arena.empties(p, o);
        match n_empties {
            0 => self.arena.score(p, o),
            1 => self.arena.score_1(p, empties.trailing_zeros()),
            2 => {
                let [s1, s2] = squares(empties);
                self.arena.solve_2(p, o, alpha, s1, s2)
            }
            3 => {
                let [s1, s2, s3] = squares(empties);
                self.arena.solve_3(p, o, alpha, s1, s2, s3)
            }
            4 => self.four(p, o, alpha, empties),
            _ => self.next(p, o, alpha, n_empties),
        }
    }

    #[inline]
    fn four(&mut self, p: u64, o: u64, alpha: i32, empties: u64) -> i32 {
        self.nodes += 1;
        let odd = empties & self.arena.odd_quadrants(empties);
        self.arena.solve_4(p, o, alpha, squares_of(odd, empties & !odd))
    }

    fn five(&mut self, p: u64, o: u64, moves: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(p, o, alpha, 5) {
            return score;
        }
        if moves == 0 {
            return self.pass_near(p, o, alpha, 5);
        }
        let empties = self.arena.empties(p, o);
        let odd = self.arena.odd_quadrants(empties);
        let mut best = NONE;
        for set in [moves & odd, moves & !odd] {
            let mut set = set;
            while set != 0 {
                let s = set.trailing_zeros();
                set &= set - 1;
                let f = kernel::flips(p, o, s as u8);
                let score = -self.four(o ^ f, p | f | 1 << s, -alpha - 1, empties & !(1 << s));
                if score > best {
                    if score > alpha {
                        return score;
                    }
                    best = score;
                }
            }
        }
        best
    }

    /// Six to eleven empties.
    fn cached(
        &mut self,
        p: u64,
        o: u64,
        mut moves: u64,
        index: u32,
        alpha: i32,
        n_empties: u32,
    ) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(p, o, alpha, n_empties) {
            return score;
        }
        let slot = self.memory.near.get_at(index, p, o);
        if let Some(score) = slot.cut(alpha) {
            return score;
        }
        if moves == 0 {
            return self.pass_near(p, o, alpha, n_empties);
        }
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        // The move that was best before needs no comparison with the others.
        if slot.best < 64 && moves >> slot.best & 1 != 0 {
            let f = kernel::flips(p, o, slot.best);
            best = -self.next(o ^ f, p | f | 1 << slot.best, -alpha - 1, n_empties - 1);
            best_square = slot.best;
            moves &= !(1 << slot.best);
        }
        if best <= alpha && moves.is_power_of_two() {
            // An only move is not compared with others.
            let s = moves.trailing_zeros() as u8;
            let f = kernel::flips(p, o, s);
            let (cp, co) = (o ^ f, p | f | 1 << s);
            if TAKES && cp == 0 {
                return self.arena.area();
            }
            let score = -self.next(cp, co, -alpha - 1, n_empties - 1);
            if score > best {
                (best, best_square) = (score, s);
            }
        } else if best <= alpha && moves != 0 {
            let level = n_empties as usize % LEVELS;
            let (n_litters, known) = self.breed(p, o, moves, level);
            if known > alpha {
                return known;
            }
            while let Some(child) = take(&mut self.memory.broods[level], n_litters) {
                let Child { p: cp, o: co, moves, index } = child;
                let score = -self.next_known(cp, co, moves, index, -alpha - 1, n_empties - 1);
                if score > best {
                    (best, best_square) = (score, ((cp | co) & !(p | o)).trailing_zeros() as u8);
                    if score > alpha {
                        break;
                    }
                }
            }
        }
        self.memory.near.put(p, o, slot, alpha, best, best_square);
        best
    }

    /// Makes all moves and says how promising each is. How many litters there are, and the best that
    /// a child is known to give.
    #[inline]
    fn breed(&mut self, p: u64, o: u64, mut moves: u64, level: usize) -> (usize, i32) {
        let empties = self.arena.empties(p, o);
        let odd = self.arena.odd_quadrants(empties);
        let brood = &mut self.memory.broods[level];
        let cache = &self.memory.near;
        // With five empties they are not.
        let are_cached = level > 6;
        let mut known = -64;
        let mut n = 0;
        while moves != 0 && n < LITTERS {
            // Four at a time, without branches; the rest of fewer is filled up with no square, whose
            // result is not used.
            let n_left = moves.count_ones() as usize;
            let at = [(); 4].map(|()| {
                let square = moves.trailing_zeros() as u8;
                moves &= moves.wrapping_sub(1);
                square
            });
            let litter = &mut brood[n];
            bear(p, o, at, n_left, odd, self.arena.squares(), litter);
            // All places first, so that they are fetched at the same time.
            if are_cached {
                litter.index.iter().for_each(|&index| cache.fetch(index));
            }
            if TAKES && litter.p.contains(&0) {
                return (0, self.arena.area());
            }
            if are_cached {
                for i in 0..4 {
                    let upper = cache.upper_at(litter.index[i], litter.p[i], litter.o[i]);
                    known = known.max(-i32::from(upper));
                }
            }
            n += 1;
        }
        (n, known)
    }

    #[inline]
    fn next(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        let index = self.memory.near.find(p, o);
        self.next_known(p, o, self.arena.moves(p, o), index, alpha, n_empties)
    }

    /// As [`Worker::next`], with moves and place in the cache known.
    #[inline]
    fn next_known(
        &mut self,
        p: u64,
        o: u64,
        moves: u64,
        index: u32,
        alpha: i32,
        n_empties: u32,
    ) -> i32 {
        if n_empties == 5 {
            self.five(p, o, moves, alpha)
        } else {
            self.cached(p, o, moves, index, alpha, n_empties)
        }
    }

    #[cold]
    fn pass_near(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        if self.arena.moves(o, p) == 0 {
            self.arena.score(p, o)
        } else {
            -self.next(o, p, -alpha - 1, n_empties)
        }
    }

    /// The most the player can reach given the opponent's stable discs, if that is not above
    /// `alpha`.
    #[inline]
    pub(super) fn stability_cut(&self, p: u64, o: u64, alpha: i32, n_empties: u32) -> Option<i32> {
        if alpha < STABILITY_ALPHA[n_empties as usize & 63] {
            return None;
        }
        let bound = self.arena.area() - 2 * self.arena.stable(o, p).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }
}

/// Four children of a position near the end.
///
/// Places and keys are not neighbours in memory, else they would be written together, and the places,
/// from which memory is fetched, would wait for the keys.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Litter {
    p: [u64; 4],
    o: [u64; 4],
    index: [u32; 4],
    moves: [u64; 4],
    /// How promising each is, its number in the low bits; [`NO_KEY`] and less if it is no move or taken.
    key: [i32; 4],
}

/// All children of a position near the end, of which there are at most eleven.
pub(super) type Brood = [Litter; LITTERS];

pub(super) const NO_BROOD: Brood =
    [Litter { p: [0; 4], o: [0; 4], moves: [0; 4], index: [0; 4], key: [0; 4] }; LITTERS];

const LITTERS: usize = 4;
const _: () = assert!(4 * LITTERS > NEAR_MAX as usize);

/// A brood for each number of empties.
pub(super) const LEVELS: usize = 16;

struct Child {
    p: u64,
    o: u64,
    moves: u64,
    index: u32,
}

/// Makes four moves, of which the first `n` are there.
///
/// All in one function of its own and all in arrays of four, so that the compiler keeps everything
/// from the flips to the keys in vectors: not so, and inlined, it takes 7 % more of a solve.
#[inline(never)]
fn bear(p: u64, o: u64, at: [u8; 4], n: usize, odd: u64, squares: u64, litter: &mut Litter) {
    let replies = kernel::replies(p, o, at);
    let none = &NONE_OF_FOUR[n.min(4)];
    // In one number, or the compiler puts them one by one into a vector that has waited for all else.
    let worths = u32::from_le_bytes(at.map(|s| SQUARE_VALUE[s as usize % 64]));
    let odd_empties = odd & !(p | o);
    for (i, &none) in none.iter().enumerate() {
        // No position has these discs, so none will be found in the cache.
        litter.p[i] = replies.player[i] | none;
        litter.o[i] = replies.opponent[i];
        litter.moves[i] = replies.moves[i] & squares;
    }
    for i in 0..4 {
        litter.index[i] = cache::index(litter.p[i], litter.o[i]);
    }
    for (i, &none) in none.iter().enumerate() {
        let moves = litter.moves[i];
        let mobility = i64::from(moves.count_ones()) + i64::from((moves & CORNERS).count_ones());
        let corners = i64::from(corners_held(litter.o[i]).count_ones());
        let odd = if litter.o[i] & odd_empties == 0 { 0 } else { 32 };
        let key = corners * 16 - mobility * 128 + odd + (none as i64 & NO_KEY);
        let worth = worths >> (8 * i) & 0xff;
        litter.key[i] = (key as i32 + worth as i32) << 2 | i as i32;
    }
}

/// By how many of four are there, all bits for those that are not.
static NONE_OF_FOUR: [[u64; 4]; 5] =
    [[!0, !0, !0, !0], [0, !0, !0, !0], [0, 0, !0, !0], [0, 0, 0, !0], [0, 0, 0, 0]];

/// Far below all keys.
const NO_KEY: i64 = -(1 << 20);

/// The most promising child not yet taken.
#[inline]
fn take(brood: &mut Brood, n_litters: usize) -> Option<Child> {
    let (mut top, mut at) = (i32::MIN, 0);
    for (i, litter) in brood.iter().enumerate().take(n_litters) {
        let [a, b, c, d] = litter.key;
        let key = a.max(b).max(c.max(d));
        at = select_unpredictable(key > top, i, at);
        top = top.max(key);
    }
    if top < NO_KEY as i32 {
        return None;
    }
    let litter = &mut brood[at % LITTERS];
    let i = top as usize % 4;
    litter.key[i] = i32::MIN;
    Some(Child { p: litter.p[i], o: litter.o[i], moves: litter.moves[i], index: litter.index[i] })
}

/// The squares of a set, which has as many.
#[inline]
fn squares<const N: usize>(mut set: u64) -> [u32; N] {
    [(); N].map(|()| {
        let s = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        s
    })
}

/// The squares of two sets, which have four together, those of the first set first.
#[inline]
fn squares_of(mut first: u64, mut second: u64) -> [u32; 4] {
    [(); 4].map(|()| {
        let set = if first != 0 { &mut first } else { &mut second };
        let s = set.trailing_zeros();
        *set &= set.wrapping_sub(1);
        s
    })
}
