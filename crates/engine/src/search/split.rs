//! Several threads at one position.
//!
//! When a thread has searched the first move of a position without a cut, the others must probably
//! all be searched, and idle threads may as well help (the "young brothers wait" idea). The thread
//! opens a [`Split`] and takes moves from it like everybody else; when they are used up it waits for
//! its helpers, and meanwhile helps them in turn with splits they have opened below.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::order::Children;
use super::{Care, Worker};
use crate::table::NO_MOVE;

/// How far the children of a split are searched.
#[derive(Clone, Copy)]
pub(crate) enum Ahead {
    /// To the end of the game.
    End,
    /// So many moves.
    Moves(u32),
}

/// A position whose moves are shared out.
pub(crate) struct Split {
    children: Children,
    /// The next child nobody has taken.
    next: AtomicUsize,
    alpha: i32,
    n_empties: u32,
    ahead: Ahead,
    care: Care,
    n_nested: u32,
    is_literal: bool,
    /// The best score so far and its move.
    best: Mutex<(i32, u8)>,
    /// Set when a move has exceeded `alpha`.
    cut: AtomicBool,
    /// The threads working here besides the one that opened it; changed only under the pool's lock.
    n_helpers: AtomicUsize,
    parent: Option<Arc<Split>>,
}

impl Split {
    /// Whether work below this split has become useless.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    /// A measure of the work below.
    fn size(&self) -> u32 {
        match self.ahead {
            Ahead::End => self.n_empties,
            Ahead::Moves(depth) => depth,
        }
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    fn is_below(&self, ancestor: &Arc<Split>) -> bool {
        let mut split = self.parent.as_ref();
        while let Some(above) = split {
            if Arc::ptr_eq(above, ancestor) {
                return true;
            }
            split = above.parent.as_ref();
        }
        false
    }
}

/// Where threads without work find some.
pub(crate) struct Pool {
    n_idle: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: Vec<Arc<Split>>,
    /// The search is over.
    done: bool,
}

impl Pool {
    pub(crate) fn new() -> Pool {
        Pool { n_idle: AtomicUsize::new(0), state: Mutex::default(), changed: Condvar::new() }
    }

    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.n_idle.load(Ordering::Relaxed) > 0
    }

    /// Sends the helpers home when it is dropped, even by a panic.
    pub(crate) const fn finisher(&self) -> Finisher<'_> {
        Finisher(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic in one thread ends the search by itself; the list is whole at all times.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.n_idle.fetch_add(1, Ordering::Relaxed);
        let state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        self.n_idle.fetch_sub(1, Ordering::Relaxed);
        state
    }
}

/// See [`Pool::finisher`].
pub(crate) struct Finisher<'a>(&'a Pool);

impl Drop for Finisher<'_> {
    fn drop(&mut self) {
        self.0.lock().done = true;
        self.0.changed.notify_all();
    }
}

impl<'a, const FULL: bool, const TAKES: bool> Worker<'a, FULL, TAKES> {
    fn pool(&self) -> &'a Pool {
        &self.shared.pool
    }

    /// Helps others until the search is over.
    pub(crate) fn help(&mut self) {
        let pool = self.pool();
        let mut state = pool.lock();
        while !state.done {
            // The split with most empties is the largest piece of work.
            let split = state.open.iter().filter(|split| split.has_work()).max_by_key(|s| s.size());
            if let Some(split) = split.cloned() {
                state = self.join(&split, state);
            } else {
                state = pool.wait(state);
            }
        }
        drop(state);
        self.report_nodes();
    }

    /// Searches the children from `first` on together with idle threads.
    pub(super) fn split(
        &mut self,
        children: &Children,
        first: usize,
        best: (i32, u8),
        alpha: i32,
        n_empties: u32,
        ahead: Ahead,
    ) -> (i32, u8) {
        let split = Arc::new(Split {
            children: children.clone(),
            next: AtomicUsize::new(first),
            alpha,
            n_empties,
            ahead,
            care: self.care,
            n_nested: self.n_nested,
            is_literal: self.is_literal,
            best: Mutex::new(best),
            cut: AtomicBool::new(false),
            n_helpers: AtomicUsize::new(0),
            parent: self.split.clone(),
        });
        let pool = self.pool();
        pool.lock().open.push(Arc::clone(&split));
        pool.changed.notify_all();
        self.work_on(&split);
        // Close it, wait for the helpers, and help them meanwhile.
        let mut state = pool.lock();
        state.open.retain(|open| !Arc::ptr_eq(open, &split));
        while split.n_helpers.load(Ordering::Relaxed) > 0 {
            let below = state.open.iter().find(|open| open.is_below(&split) && open.has_work());
            if let Some(below) = below.cloned() {
                state = self.join(&below, state);
            } else {
                state = pool.wait(state);
            }
        }
        drop(state);
        let best = *split.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.is_cancelled() { (super::NONE, NO_MOVE) } else { best }
    }

    /// Works on somebody else's split; the pool is unlocked meanwhile.
    fn join(&mut self, split: &Arc<Split>, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        split.n_helpers.fetch_add(1, Ordering::Relaxed);
        drop(state);
        self.work_on(split);
        let pool = self.pool();
        let state = pool.lock();
        split.n_helpers.fetch_sub(1, Ordering::Relaxed);
        pool.changed.notify_all();
        state
    }

    /// Takes children of a split and searches them until none is left or one is good enough.
    fn work_on(&mut self, split: &Arc<Split>) {
        let outer = self.split.replace(Arc::clone(split));
        let manner = (self.care, self.n_nested, self.is_literal);
        (self.care, self.n_nested, self.is_literal) =
            (split.care, split.n_nested, split.is_literal);
        while !self.is_cancelled() {
            let i = split.next.fetch_add(1, Ordering::Relaxed);
            let Some(child) = split.children.as_slice().get(i) else { break };
            let (p, o, alpha, n_empties) = (child.p, child.o, !split.alpha, split.n_empties - 1);
            let score = match split.ahead {
                Ahead::End => -self.end(p, o, alpha, n_empties),
                Ahead::Moves(depth) => {
                    let windows = Self::windows(p, o);
                    self.try_nth(i, *child, &windows, split.alpha, depth, n_empties)
                }
            };
            if self.is_cancelled() {
                break;
            }
            let mut best = split.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if score > best.0 {
                *best = (score, child.square);
            }
            if score > split.alpha {
                split.cut.store(true, Ordering::Relaxed);
            }
        }
        (self.care, self.n_nested, self.is_literal) = manner;
        self.split = outer;
    }
}
