//! Five to eleven empty squares: where nearly all the time goes.
//!
//! With five and six, moves into quadrants with an odd number of empties go first; from seven on,
//! moves are sorted by the opponent's mobility. From six on results are kept in the thread's own
//! cache.

use obverse_board::kernel;

use super::order::{CORNERS, SQUARE_VALUE, corner_stability};
use super::params::{NEAR_MAX, STABILITY_ALPHA};
use super::{NONE, Worker};
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
            4 => self.four(p, o, alpha),
            _ => self.next(p, o, alpha, n_empties),
        }
    }

    #[inline]
    fn four(&mut self, p: u64, o: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.arena.empties(p, o);
        let odd = empties & self.arena.odd_quadrants(empties);
        self.arena.solve_4(p, o, alpha, squares_of(odd, empties & !odd))
    }

    fn five(&mut self, p: u64, o: u64, alpha: i32) -> i32 {
        self.shallow(p, o, alpha, 5)
    }

    /// Six empties: as with five, but remembered.
    fn six(&mut self, p: u64, o: u64, alpha: i32) -> i32 {
        let slot = self.memory.near.get(p, o);
        if let Some(score) = slot.cut(alpha) {
            return score;
        }
        let score = self.shallow(p, o, alpha, 6);
        self.memory.near.put(p, o, slot, alpha, score, NO_MOVE);
        score
    }

    /// Five or six empties.
    #[inline]
    fn shallow(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(p, o, alpha, n_empties) {
            return score;
        }
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            return self.pass_near(p, o, alpha, n_empties);
        }
        let odd = self.arena.odd_quadrants(self.arena.empties(p, o));
        let mut best = NONE;
        for set in [moves & odd, moves & !odd] {
            let mut set = set;
            while set != 0 {
                let s = set.trailing_zeros();
                set &= set - 1;
                let f = kernel::flips(p, o, s as u8);
                let (cp, co) = (o ^ f, p | f | 1 << s);
                let score = if n_empties == 5 {
                    -self.four(cp, co, -alpha - 1)
                } else {
                    -self.five(cp, co, -alpha - 1)
                };
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

    /// Seven to eleven empties.
    fn cached(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(score) = self.stability_cut(p, o, alpha, n_empties) {
            return score;
        }
        let slot = self.memory.near.get(p, o);
        if let Some(score) = slot.cut(alpha) {
            return score;
        }
        let mut moves = self.arena.moves(p, o);
        if moves == 0 {
            return self.pass_near(p, o, alpha, n_empties);
        }
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        // The move that was best before needs no comparison with the others.
        if slot.best < 64 && moves >> slot.best & 1 != 0 {
            let f = kernel::flips(p, o, slot.best);
            let child = (o ^ f, p | f | 1 << slot.best);
            best = -self.next(child.0, child.1, -alpha - 1, n_empties - 1);
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
            let mut brood = Brood::new();
            if let Some(score) = self.breed(p, o, alpha, moves, &mut brood) {
                return score;
            }
            while let Some(i) = brood.take() {
                let score = -self.next(brood.p[i], brood.o[i], -alpha - 1, n_empties - 1);
                if score > best {
                    (best, best_square) = (score, brood.square[i]);
                    if score > alpha {
                        break;
                    }
                }
            }
        }
        self.memory.near.put(p, o, slot, alpha, best, best_square);
        best
    }

    /// Makes all moves and says how promising each is; the answer, if a child is known to give it.
    #[inline]
    fn breed(&self, p: u64, o: u64, alpha: i32, mut moves: u64, brood: &mut Brood) -> Option<i32> {
        let odd = self.arena.odd_quadrants(self.arena.empties(p, o));
        while moves != 0 {
            // Four at a time; the rest of fewer is filled up with a square whose result is not used.
            let mut squares = [63; 4];
            let mut n = 0;
            while n < 4 && moves != 0 {
                squares[n] = moves.trailing_zeros() as u8;
                moves &= moves - 1;
                n += 1;
            }
            let replies = kernel::replies(p, o, squares);
            // All places first, so that they are fetched at the same time.
            let children: [_; 4] = std::array::from_fn(|i| {
                let f = replies.flips[i];
                let (cp, co) = (o ^ f, p | f | 1 << squares[i]);
                (cp, co, self.memory.near.find(cp, co))
            });
            for i in 0..n {
                let (s, (cp, co, index), answers) = (squares[i], children[i], replies.moves[i]);
                if TAKES && cp == 0 {
                    return Some(self.arena.area());
                }
                let known = self.memory.near.get_at(index, cp, co);
                if -i32::from(known.upper) > alpha {
                    return Some(-i32::from(known.upper));
                }
                let answers = answers & self.arena.squares();
                let mobility = answers.count_ones() + (answers & CORNERS).count_ones();
                let key = -(mobility as i32) * 128
                    + corner_stability(co) * 16
                    + (odd >> s & 1) as i32 * 32
                    + i32::from(SQUARE_VALUE[s as usize & 63]);
                brood.push(cp, co, s, key);
            }
        }
        None
    }

    #[inline]
    fn next(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        match n_empties {
            5 => self.five(p, o, alpha),
            6 => self.six(p, o, alpha),
            _ => self.cached(p, o, alpha, n_empties),
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

/// The children of a position near the end, of which there are at most eleven.
struct Brood {
    p: [u64; BROOD_MAX],
    o: [u64; BROOD_MAX],
    square: [u8; BROOD_MAX],
    key: [i32; BROOD_MAX],
    n: usize,
}

const BROOD_MAX: usize = 12;
const _: () = assert!(BROOD_MAX > NEAR_MAX as usize);

impl Brood {
    #[inline]
    const fn new() -> Brood {
        Brood {
            p: [0; BROOD_MAX],
            o: [0; BROOD_MAX],
            square: [0; BROOD_MAX],
            key: [i32::MIN; BROOD_MAX],
            n: 0,
        }
    }

    #[inline]
    fn push(&mut self, p: u64, o: u64, square: u8, key: i32) {
        let i = self.n % BROOD_MAX;
        (self.p[i], self.o[i], self.square[i], self.key[i]) = (p, o, square, key);
        self.n += 1;
    }

    /// The most promising child not yet taken.
    #[inline]
    fn take(&mut self) -> Option<usize> {
        let (mut best, mut best_key) = (0, i32::MIN);
        for i in 0..self.n.min(BROOD_MAX) {
            if self.key[i] > best_key {
                (best, best_key) = (i, self.key[i]);
            }
        }
        self.key[best] = i32::MIN;
        (best_key > i32::MIN).then_some(best)
    }
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
