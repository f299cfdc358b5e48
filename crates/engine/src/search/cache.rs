//! A thread's own small table for positions near the end, sized to stay in its L2 cache.

use std::hint::select_unpredictable;

use super::params::CACHE_BITS;
use crate::table::{NO_MOVE, prefetch};

/// A direct-mapped table: a new position takes the place of the old one.
pub(crate) struct Cache {
    entries: Box<[Entry; N_ENTRIES]>,
}

const N_ENTRIES: usize = 1 << CACHE_BITS;

/// Where a position belongs. Two multiplications that do not wait for each other, and that vectors have.
#[inline]
pub(super) fn index(player: u64, opponent: u64) -> u32 {
    let mixed = player
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(opponent.wrapping_mul(0xd1b5_4a32_d192_ed03));
    (mixed >> (64 - CACHE_BITS)) as u32
}

/// Half a cache line, so that none lies across two.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Entry {
    player: u64,
    opponent: u64,
    lower: i8,
    upper: i8,
    best: u8,
}

/// A place in the cache and what it says of the position it was looked up for.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    index: u32,
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) best: u8,
}

impl Slot {
    /// The score, if what is known answers whether it exceeds `alpha`.
    #[inline]
    pub(super) fn cut(self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }
}

impl Cache {
    pub(crate) fn new() -> Cache {
        let entries = vec![Entry::default(); N_ENTRIES].into_boxed_slice();
        Cache { entries: entries.try_into().ok().expect("made with this length") }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Where a position belongs; has the processor fetch what [`Cache::get_at`] will read there.
    #[inline]
    pub(super) fn find(&self, player: u64, opponent: u64) -> u32 {
        let index = index(player, opponent);
        self.fetch(index);
        index
    }

    /// Has the processor fetch what is at `index`.
    #[inline]
    pub(super) fn fetch(&self, index: u32) {
        prefetch(std::ptr::from_ref(&self.entries[index as usize % N_ENTRIES]));
    }

    /// What is known of a position that belongs at `index`.
    #[inline]
    pub(super) fn get_at(&self, index: u32, player: u64, opponent: u64) -> Slot {
        let entry = &self.entries[index as usize % N_ENTRIES];
        if entry.player == player && entry.opponent == opponent {
            Slot { index, lower: entry.lower, upper: entry.upper, best: entry.best }
        } else {
            Slot { index, lower: -64, upper: 64, best: NO_MOVE }
        }
    }

    /// The most that the position which belongs at `index` is known to score; without a branch.
    #[inline]
    pub(super) fn upper_at(&self, index: u32, player: u64, opponent: u64) -> i8 {
        let entry = &self.entries[index as usize % N_ENTRIES];
        let differs = (entry.player ^ player) | (entry.opponent ^ opponent);
        select_unpredictable(differs == 0, entry.upper, 64)
    }

    /// Stores that the position looked up in `slot` scores `score` against `alpha`.
    #[inline]
    pub(super) fn put(
        &mut self,
        player: u64,
        opponent: u64,
        slot: Slot,
        alpha: i32,
        score: i32,
        best: u8,
    ) {
        let (lower, upper) =
            if score > alpha { (score as i8, slot.upper) } else { (slot.lower, score as i8) };
        self.entries[slot.index as usize % N_ENTRIES] =
            Entry { player, opponent, lower, upper, best };
    }
}
