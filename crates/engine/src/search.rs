//! The search: null windows all the way down.
//!
//! A null-window search asks one question: does the player's score exceed `alpha`? To the end of the
//! game [`end`] answers it for positions far from there with the shared table, [`near`] for eleven
//! empties and fewer in the thread's own cache, [`leaf`] for the last four; scores are discs. [`mid`]
//! looks a number of moves ahead and then asks the evaluation; its values are parts of a disc.
//! [`probcut`] leaves out what hardly matters, unless a proof is wanted. [`split`] lets idle threads
//! help; one thread runs the same code and finds nobody idle. [`crate::solve`] and [`crate::think`]
//! ask the questions.

mod arena;
mod cache;
mod end;
mod leaf;
mod memo;
mod mid;
mod near;
mod order;
mod params;
pub(crate) mod probcut;
mod root;
mod split;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub(crate) use self::arena::Arena;
use self::cache::Cache;
use self::memo::Memo;
use self::near::{Brood, LEVELS, NO_BROOD};
use self::params::{MEMO_KIB, NEAR_MAX};
pub(crate) use self::probcut::Care;
pub(crate) use self::root::Root;
pub(crate) use self::split::Pool;
use self::split::Split;
use crate::eval::{UNIT, Weights, Windows, generic};
use crate::table::Table;

/// Below every score and value.
pub(crate) const NONE: i32 = -(1 << 20);

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) weights: &'a Weights,
    /// Set from outside when the answer is no longer wanted.
    pub(crate) stop: &'a AtomicBool,
    /// Tells this search's entries in the table from those of earlier ones.
    pub(crate) epoch: u8,
    pub(crate) pool: Pool,
    /// Nodes of all threads, added to from time to time.
    pub(crate) nodes: &'a AtomicU64,
    /// The count at which the search is to stop.
    pub(crate) nodes_max: u64,
}

/// What a thread remembers by itself, from one search to the next.
pub(crate) struct Memory {
    near: Cache,
    /// What the thread is looking at, by the number of empties.
    broods: [Brood; LEVELS],
    estimates: Memo,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { near: Cache::new(), broods: [NO_BROOD; LEVELS], estimates: Memo::new(MEMO_KIB) }
    }

    /// Forgets all bounds. Estimates stay: they are what the evaluation says, and it stays the same.
    pub(crate) fn clear(&mut self) {
        self.near.clear();
    }
}

/// One thread of a search.
pub(crate) struct Worker<'a, const FULL: bool, const TAKES: bool> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) arena: Arena<FULL, TAKES>,
    pub(super) memory: &'a mut Memory,
    /// The split this thread is working under, whose end makes its work useless.
    pub(super) split: Option<Arc<Split>>,
    /// How sure the search must be of what it leaves out.
    pub(crate) care: Care,
    /// How many searches that decide whether to leave something out are under way.
    pub(super) n_nested: u32,
    /// Whether bounds of searches that looked farther are left aside: what they say is another look's business.
    pub(super) is_literal: bool,
    /// Nodes visited since they were last added to the shared count.
    pub(super) nodes: u64,
}

impl<'a, const FULL: bool, const TAKES: bool> Worker<'a, FULL, TAKES> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        arena: Arena<FULL, TAKES>,
        memory: &'a mut Memory,
    ) -> Worker<'a, FULL, TAKES> {
        Worker {
            shared,
            arena,
            memory,
            split: None,
            care: Care::PROOF,
            n_nested: 0,
            is_literal: false,
            nodes: 0,
        }
    }

    /// Asks whether the player's score at the end exceeds `alpha`, in discs.
    ///
    /// The result is meaningless if [`Worker::is_cancelled`] afterwards.
    #[inline]
    pub(crate) fn end(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> i32 {
        if n_empties <= NEAR_MAX {
            self.near(p, o, alpha, n_empties)
        } else {
            self.far(p, o, alpha, n_empties).0
        }
    }

    /// The evaluation, for the player.
    #[inline]
    pub(super) fn estimate(&mut self, p: u64, o: u64, windows: &Windows, n_empties: u32) -> i32 {
        self.estimate_with(p, o, n_empties, || *windows)
    }

    /// The evaluation after a move, for the side to move there; `windows` are those before it.
    #[inline]
    pub(super) fn estimate_after(
        &mut self,
        (p, o): (u64, u64),
        windows: &Windows,
        (square, flips): (u8, u64),
        n_empties: u32,
    ) -> i32 {
        self.estimate_with(p, o, n_empties, || windows.play(square, flips))
    }

    #[inline]
    fn estimate_with(
        &mut self,
        p: u64,
        o: u64,
        n_empties: u32,
        windows: impl FnOnce() -> Windows,
    ) -> i32 {
        let limit = self.arena.area() * UNIT - 1;
        if FULL {
            let phase = self.shared.weights.phase(n_empties);
            let make = || windows().estimate(phase).clamp(-limit, limit);
            self.memory.estimates.get_or(p, o, make)
        } else {
            generic::estimate(p, o, self.arena.squares()).clamp(-limit, limit)
        }
    }

    /// The windows of a board, if its evaluation uses them.
    #[inline]
    pub(crate) fn windows(p: u64, o: u64) -> Windows {
        if FULL { Windows::new(p, o) } else { Windows::NONE }
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

    /// Adds the nodes counted so far to the shared count, and stops if that is enough.
    #[cold]
    pub(crate) fn report_nodes(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        let total = self.shared.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if total >= self.shared.nodes_max {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }
}
