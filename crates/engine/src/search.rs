//! The exact search: null windows all the way down.
//!
//! A null-window search asks one question: does the player's score exceed `alpha`? [`Worker::node`]
//! answers it for positions far from the end with the shared table, [`near`] for eleven empties and
//! fewer in the thread's own cache, [`leaf`] for the last four. [`split`] lets idle threads help; one
//! thread runs the same code and finds nobody idle. [`crate::solve`] asks the questions.

mod arena;
mod cache;
mod leaf;
mod near;
mod order;
pub(crate) mod params;
mod split;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use obverse_board::kernel;

pub(crate) use self::arena::Arena;
pub(crate) use self::cache::Cache;
use self::leaf::NONE;
use self::order::{Child, Children, SQUARE_VALUE, corner_stability};
use self::params::{ETC_MIN, NEAR_MAX, SPLIT_MIN};
pub(crate) use self::split::Pool;
use self::split::Split;
use crate::table::{Known, NO_MOVE, Table};

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    /// Set from outside when the answer is no longer wanted.
    pub(crate) stop: &'a AtomicBool,
    /// Tells this search's entries in the table from those of earlier ones.
    pub(crate) epoch: u8,
    pub(crate) pool: Pool,
    /// Nodes of all threads, added to from time to time.
    pub(crate) nodes: &'a AtomicU64,
}

/// One thread of a search.
pub(crate) struct Worker<'a, const FULL: bool, const TAKES: bool> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) arena: Arena<FULL, TAKES>,
    pub(super) cache: &'a mut Cache,
    /// The split this thread is working under, whose end makes its work useless.
    pub(super) split: Option<Arc<Split>>,
    /// Nodes visited since they were last added to the shared count.
    pub(super) nodes: u64,
}

impl<'a, const FULL: bool, const TAKES: bool> Worker<'a, FULL, TAKES> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        arena: Arena<FULL, TAKES>,
        cache: &'a mut Cache,
    ) -> Worker<'a, FULL, TAKES> {
        Worker { shared, arena, cache, split: None, nodes: 0 }
    }

    /// Asks whether the player's score exceeds `alpha`.
    ///
    /// The result is meaningless if [`Worker::is_cancelled`] afterwards.
    #[inline]
    pub(crate) fn search(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        if n_empties <= NEAR_MAX {
            self.near(p, o, alpha, n_empties)
        } else {
            self.node(p, o, alpha, n_empties).0
        }
    }

    /// Whether nobody wants the answer any more.
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
            || self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// Nodes of all threads as far as they were reported.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Adds the nodes counted so far to the shared count.
    pub(crate) fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
    }

    /// The same as [`Worker::search`] for any number of empties, with a move that reaches a score above
    /// `alpha`; if there is none, or it was not needed to know the score, with any or [`NO_MOVE`].
    pub(crate) fn node(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> (i32, u8) {
        self.nodes += 1;
        if self.nodes > 1 << 16 {
            self.report_nodes();
        }
        // Step 1. Nobody waits for the answer.
        if self.is_cancelled() {
            return (NONE, NO_MOVE);
        }
        // Step 2. The opponent's stable discs alone keep the player down.
        if let Some(score) = self.stability_cut(p, o, alpha, n_empties) {
            return (score, NO_MOVE);
        }
        // Step 3. The position has been searched before.
        let table = self.shared.table;
        let known = table.get(p, o, self.shared.epoch).unwrap_or(Known::NOTHING);
        if i32::from(known.lower) > alpha {
            return (i32::from(known.lower), known.best);
        }
        if i32::from(known.upper) <= alpha {
            return (i32::from(known.upper), known.best);
        }
        // Step 4. A pass, or the end.
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            if self.arena.moves(o, p) == 0 {
                return (self.arena.score(p, o), NO_MOVE);
            }
            return (-self.search(o, p, -alpha - 1, n_empties), NO_MOVE);
        }
        // Step 5. Make every move; one that takes all discs, or leads to a position known to be good
        // enough, is enough.
        let mut children = Children::new();
        if let Some(found) = self.expand(p, o, moves, alpha, n_empties, &mut children) {
            return found;
        }
        // Step 6. Sort them and try one after the other; idle threads help from the second on.
        self.score_children(p, o, known.best, n_empties, &mut children);
        let (score, best) = self.try_children(&children, alpha, n_empties);
        // Step 7. Remember. A move kept with a lower bound is always one that reaches it.
        if !self.is_cancelled() {
            let now = if score > alpha {
                Known { lower: score as i8, best, ..known }
            } else if known.lower > Known::NOTHING.lower {
                Known { upper: score as i8, ..known }
            } else {
                Known { upper: score as i8, best, ..known }
            };
            table.put(p, o, now, n_empties, self.shared.epoch);
        }
        (score, best)
    }

    /// Makes every move and collects the children; the answer, if one of them gives it at once.
    fn expand(
        &self,
        p: u64,
        o: u64,
        mut moves: u64,
        alpha: i32,
        n_empties: u32,
        children: &mut Children,
    ) -> Option<(i32, u8)> {
        let table = self.shared.table;
        let looks_up = n_empties >= ETC_MIN;
        while moves != 0 {
            let s = moves.trailing_zeros();
            moves &= moves - 1;
            let f = kernel::flips(p, o, s as u8);
            let child = Child { p: o ^ f, o: p | f | 1 << s, square: s as u8, key: 0 };
            if TAKES && child.p == 0 {
                return Some((self.arena.area(), s as u8));
            }
            if looks_up {
                table.prefetch(child.p, child.o);
            }
            children.push(child);
        }
        if looks_up {
            for child in children.as_slice() {
                let known = table.get(child.p, child.o, self.shared.epoch);
                let score = known.map_or(NONE, |known| -i32::from(known.upper));
                if score > alpha {
                    return Some((score, child.square));
                }
            }
        }
        None
    }

    /// Says how promising each child is and sorts them.
    fn score_children(
        &self,
        p: u64,
        o: u64,
        table_move: u8,
        n_empties: u32,
        children: &mut Children,
    ) {
        let odd = self.arena.odd_quadrants(self.arena.empties(p, o));
        let depth = order::look_ahead_depth(n_empties);
        for child in children.as_mut_slice() {
            let Child { p, o, square, .. } = *child;
            child.key = if square == table_move {
                i32::MAX
            } else if depth > 0 {
                -self.arena.look_ahead(p, o, -i32::MAX, i32::MAX, depth)
            } else {
                -(self.arena.mobility(p, o) << 15) + (corner_stability(o) << 11)
                    - (self.arena.potential_mobility(p, o) << 5)
                    + i32::from(SQUARE_VALUE[usize::from(square & 63)])
                    + (odd >> square & 1) as i32 * 4
            };
        }
        children.sort();
    }

    fn try_children(&mut self, children: &Children, alpha: i32, n_empties: u32) -> (i32, u8) {
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        for i in 0..children.len() {
            if i > 0
                && n_empties >= SPLIT_MIN
                && i + 1 < children.len()
                && self.shared.pool.has_idle()
            {
                return self.split(children, i, (best, best_square), alpha, n_empties);
            }
            let child = children.as_slice()[i];
            let score = -self.search(child.p, child.o, -alpha - 1, n_empties - 1);
            if self.is_cancelled() {
                return (NONE, NO_MOVE);
            }
            if score > best {
                (best, best_square) = (score, child.square);
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }
}
