//! The transposition table that all threads share.
//!
//! An entry holds the whole position, so that a hit is the position asked for and never another one
//! with the same hash. It is read and written without locks, on relaxed atomics: each bucket has a
//! version that is odd while it is being written, and a reader that sees it odd or changed has
//! simply not found anything.
//!
//! A search begins in a small part of the table, its *reach*, and gets more of it as it goes on: memory
//! that a short search never needs is never touched, and its entries stay in the processor's cache.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

use crate::pages::{Pages, Zeroed};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The value is at least this, in 1/128 disc.
    pub(crate) lower: i16,
    /// The value is at most this.
    pub(crate) upper: i16,
    /// A move that reaches `lower`, or where that says nothing the best move found, or [`NO_MOVE`].
    pub(crate) best: u8,
    /// How thorough the search was that found the bounds.
    pub(crate) draft: Draft,
}

/// How thorough a search is: bounds of one serve another that is in no way more thorough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Draft {
    /// How many moves it looks ahead; the number of empties if to the end.
    pub(crate) depth: u8,
    /// How sure it is of what it leaves out, see [`crate::search::probcut`].
    pub(crate) care: u8,
}

impl Draft {
    /// Whether bounds found with this serve a search with `other`.
    #[inline]
    pub(crate) const fn serves(self, other: Draft) -> bool {
        self.depth >= other.depth && self.care >= other.care
    }
}

/// In place of a square where there is none.
pub(crate) const NO_MOVE: u8 = 64;

/// Beyond every value.
const VALUE_MAX: i16 = 64 * 128;

impl Known {
    /// Nothing, for a search of this draft.
    #[inline]
    pub(crate) const fn nothing(draft: Draft) -> Known {
        Known { lower: -VALUE_MAX, upper: VALUE_MAX, best: NO_MOVE, draft }
    }

    /// What it says to a search of this draft: all, or only which move to try first.
    #[inline]
    pub(crate) const fn as_seen_by(self, draft: Draft) -> Known {
        if self.draft.serves(draft) {
            self
        } else {
            Known { best: self.best, ..Known::nothing(draft) }
        }
    }

    /// The value, if the bounds tell whether it exceeds `alpha`.
    #[inline]
    pub(crate) fn cut(self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }

    /// With what a search of `draft` has found: a value above `alpha` is a lower bound, another one
    /// an upper bound. A move kept with a lower bound is always one that reaches it.
    #[inline]
    pub(crate) fn with(self, draft: Draft, alpha: i32, value: i32, best: u8) -> Known {
        // Bounds of a more thorough search that were of no use are not mixed with others.
        let known = if self.draft == draft {
            self
        } else {
            Known { best: self.best, ..Known::nothing(draft) }
        };
        if value > alpha {
            Known { lower: value as i16, best, ..known }
        } else if known.lower > -VALUE_MAX || best == NO_MOVE {
            Known { upper: value as i16, ..known }
        } else {
            Known { upper: value as i16, best, ..known }
        }
    }
}

/// Two entries and the version that guards them: one cache line.
#[repr(align(64))]
struct Bucket {
    version: AtomicU64,
    entries: [Entry; 2],
    _spare: AtomicU64,
}

const _: () = assert!(size_of::<Bucket>() == 64);

struct Entry {
    player: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

// SAFETY: all fields are atomic integers, for which zero is a value, and none has a drop.
#[expect(unsafe_code, reason = "says that zeroed memory is a bucket")]
unsafe impl Zeroed for Bucket {}

/// The shared table.
pub(crate) struct Table {
    buckets: Pages<Bucket>,
    /// How many buckets, from the first on, are in use.
    reach: AtomicUsize,
}

/// A search begins with this many buckets: 4 MiB.
const REACH_MIN: usize = 1 << 16;

/// The word that holds all but the position: bounds, move, draft, and when it was written.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(known: Known, epoch: u8) -> Data {
        Data(
            u64::from(known.lower as u16)
                | u64::from(known.upper as u16) << 16
                | u64::from(known.best) << 32
                | u64::from(known.draft.depth) << 40
                | u64::from(known.draft.care) << 48
                | u64::from(epoch) << 56,
        )
    }

    const fn known(self) -> Known {
        Known {
            lower: self.0 as i16,
            upper: (self.0 >> 16) as i16,
            best: (self.0 >> 32) as u8,
            draft: self.draft(),
        }
    }

    const fn draft(self) -> Draft {
        Draft { depth: (self.0 >> 40) as u8, care: (self.0 >> 48) as u8 }
    }

    const fn epoch(self) -> u8 {
        (self.0 >> 56) as u8
    }

    /// How much it is worth to keep: recent and from a deep search.
    fn worth(self, epoch: u8) -> u32 {
        let age = epoch.wrapping_sub(self.epoch());
        u32::from(self.draft().depth) + 256 - 4 * u32::from(age.min(60))
    }
}

impl Table {
    /// A table of `mib` mebibytes.
    pub(crate) fn new(mib: usize) -> Table {
        let buckets = Pages::new((mib << 20) / size_of::<Bucket>());
        let reach = AtomicUsize::new(buckets.len().min(REACH_MIN));
        Table { buckets, reach }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let reach = self.reach.get_mut();
        for bucket in &self.buckets[..*reach] {
            for entry in &bucket.entries {
                entry.data.store(0, Ordering::Relaxed);
            }
        }
        *reach = self.buckets.len().min(REACH_MIN);
    }

    /// Makes room for so many positions to remember, if a search has outgrown what it has.
    ///
    /// Only one thread may call this, at a time when no other is searching: others would lose little,
    /// but find what is on its way to its new place only later.
    pub(crate) fn make_room(&self, n_positions: u64) {
        let wanted = usize::try_from(n_positions / 2).unwrap_or(usize::MAX);
        let (old, all) = (self.reach.load(Ordering::Relaxed), self.buckets.len());
        if wanted <= old || old == all {
            return;
        }
        let new = wanted.checked_next_power_of_two().map_or(all, |reach| reach.min(all));
        self.reach.store(new, Ordering::Relaxed);
        // No entry moves down, so from the top none is moved twice.
        for bucket in self.buckets[..old].iter().rev() {
            let Some(version) = bucket.lock() else { continue };
            for entry in &bucket.entries {
                let (player, opponent) =
                    (entry.player.load(Ordering::Relaxed), entry.opponent.load(Ordering::Relaxed));
                let data = Data(entry.data.load(Ordering::Relaxed));
                if data.0 != 0 && !std::ptr::eq(bucket, self.bucket(player, opponent)) {
                    entry.data.store(0, Ordering::Relaxed);
                    self.put(player, opponent, data.known(), data.epoch());
                }
            }
            bucket.unlock(version);
        }
    }

    /// The bucket where a position belongs.
    #[inline]
    fn bucket(&self, player: u64, opponent: u64) -> &Bucket {
        let hash = u128::from(hash(player, opponent));
        let index = (hash * self.reach.load(Ordering::Relaxed) as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Has the processor fetch what a [`Table::get`] of this position will read.
    #[inline]
    pub(crate) fn prefetch(&self, player: u64, opponent: u64) {
        prefetch(std::ptr::from_ref(self.bucket(player, opponent)));
    }

    /// What is known of a position. Bounds are those of `epoch`'s kind only: see [`Table::put`].
    #[inline]
    pub(crate) fn get(&self, player: u64, opponent: u64, epoch: u8) -> Option<Known> {
        let bucket = self.bucket(player, opponent);
        let version = bucket.version.load(Ordering::Acquire);
        for entry in &bucket.entries {
            if entry.player.load(Ordering::Relaxed) == player
                && entry.opponent.load(Ordering::Relaxed) == opponent
            {
                let data = Data(entry.data.load(Ordering::Relaxed));
                fence(Ordering::Acquire);
                let is_whole =
                    version.is_multiple_of(2) && bucket.version.load(Ordering::Relaxed) == version;
                // All-zero memory reads as the empty board, which is never asked for.
                if !is_whole || data.0 == 0 {
                    return None;
                }
                let known = data.known();
                // A search under the other counting left a move to try, but no bounds.
                let same_kind = (data.epoch() ^ epoch) & 1 == 0;
                return Some(if same_kind {
                    known
                } else {
                    Known { best: known.best, ..Known::nothing(known.draft) }
                });
            }
        }
        None
    }

    /// Remembers what is known of a position.
    ///
    /// `epoch` is larger for a later search; its lowest bit is the counting, and bounds found under
    /// one are not used under the other.
    pub(crate) fn put(&self, player: u64, opponent: u64, known: Known, epoch: u8) {
        let bucket = self.bucket(player, opponent);
        // Somebody else is writing here: what we know is lost, which costs little.
        let Some(version) = bucket.lock() else { return };
        let worth = |entry: &Entry| Data(entry.data.load(Ordering::Relaxed)).worth(epoch);
        let same = bucket.entries.iter().find(|entry| {
            entry.player.load(Ordering::Relaxed) == player
                && entry.opponent.load(Ordering::Relaxed) == opponent
        });
        let [first, second] = &bucket.entries;
        let entry = same.unwrap_or(if worth(first) <= worth(second) { first } else { second });
        // A short search on the way to a long one does not take away what the long one found.
        let found = Data(entry.data.load(Ordering::Relaxed));
        let is_shorter = found.draft().depth > known.draft.depth && found.epoch() == epoch;
        if same.is_some() && is_shorter {
            bucket.unlock(version);
            return;
        }
        entry.player.store(player, Ordering::Relaxed);
        entry.opponent.store(opponent, Ordering::Relaxed);
        entry.data.store(Data::new(known, epoch).0, Ordering::Relaxed);
        bucket.unlock(version);
    }
}

impl Bucket {
    /// Begins to write; `None` if somebody else is writing.
    #[inline]
    fn lock(&self) -> Option<u64> {
        let version = self.version.load(Ordering::Relaxed);
        let is_locked = version.is_multiple_of(2)
            && self
                .version
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        fence(Ordering::Release);
        is_locked.then_some(version)
    }

    /// Ends writing.
    #[inline]
    fn unlock(&self, version: u64) {
        self.version.store(version + 2, Ordering::Release);
    }
}

/// A well mixed number for a position.
#[inline]
pub(crate) fn hash(player: u64, opponent: u64) -> u64 {
    // One wide multiplication mixes every bit of both words into both halves of the product.
    let product = u128::from(player ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(opponent.rotate_left(32) ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the prefetch hint"))]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing; any address will do.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_stays_known_when_there_is_more_room() {
        // The second is no multiple of what a search begins with.
        for mib in [64, 11] {
            let mut table = Table::new(mib);
            let boards = || (1..=20_000_u64).map(|i| (hash(i, 1), !hash(i, 1)));
            let draft = Draft { depth: 9, care: 1 };
            let known = |p: u64| Known { best: (p & 63) as u8, ..Known::nothing(draft) };
            boards().for_each(|(p, o)| table.put(p, o, known(p), 2));
            let found = |table: &Table| {
                boards().filter(|&(p, o)| table.get(p, o, 2) == Some(known(p))).count()
            };
            // A few have lost their place to others.
            let before = found(&table);
            assert!(before > 19_500);
            for n_positions in [300_000, 3_000_000, u64::MAX] {
                table.make_room(n_positions);
                assert!(found(&table) + 20 >= before, "{mib} {n_positions} {}", found(&table));
            }
            assert_eq!(*table.reach.get_mut(), table.buckets.len());
            table.clear();
            assert_eq!((found(&table), *table.reach.get_mut()), (0, REACH_MIN));
        }
    }
}
