//! A thread's own small table for positions near the end, sized to stay in its L2 cache.

use crate::table::{NO_MOVE, hash, prefetch};

/// A direct-mapped table: a new position takes the place of the old one.
pub(crate) struct Cache {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy, Default)]
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
    pub(crate) fn new(kib: usize) -> Cache {
        let n = ((kib << 10) / size_of::<Entry>()).max(1);
        Cache { entries: vec![Entry::default(); n].into_boxed_slice() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    #[inline]
    pub(super) fn get(&self, player: u64, opponent: u64) -> Slot {
        self.get_at(self.index(player, opponent), player, opponent)
    }

    /// Where a position belongs; has the processor fetch what [`Cache::get_at`] will read there.
    #[inline]
    pub(super) fn find(&self, player: u64, opponent: u64) -> u32 {
        let index = self.index(player, opponent);
        prefetch(std::ptr::from_ref(&self.entries[index as usize]));
        index
    }

    #[inline]
    fn index(&self, player: u64, opponent: u64) -> u32 {
        ((u128::from(hash(player, opponent)) * self.entries.len() as u128) >> 64) as u32
    }

    /// What is known of a position that belongs at `index`.
    #[inline]
    pub(super) fn get_at(&self, index: u32, player: u64, opponent: u64) -> Slot {
        let entry = &self.entries[index as usize];
        if entry.player == player && entry.opponent == opponent {
            Slot { index, lower: entry.lower, upper: entry.upper, best: entry.best }
        } else {
            Slot { index, lower: -64, upper: 64, best: NO_MOVE }
        }
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
        self.entries[slot.index as usize] = Entry { player, opponent, lower, upper, best };
    }
}
