//! The transposition table that all threads share.
//!
//! An entry holds the whole position, so that a hit is the position asked for and never another one
//! with the same hash. It is read and written without locks, on relaxed atomics: each bucket has a
//! version that is odd while it is being written, and a reader that sees it odd or changed has
//! simply not found anything.

mod pages;

use std::sync::atomic::{AtomicU64, Ordering, fence};

use pages::{Pages, Zeroed};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// A move that reaches `lower`, or where that says nothing the best move found, or [`NO_MOVE`].
    pub(crate) best: u8,
}

/// In place of a square where there is none.
pub(crate) const NO_MOVE: u8 = 64;

impl Known {
    /// Nothing.
    pub(crate) const NOTHING: Known = Known { lower: -64, upper: 64, best: NO_MOVE };
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
}

/// The word that holds all but the position: bounds, move, empties, and when it was written.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(known: Known, n_empties: u32, epoch: u8) -> Data {
        Data(
            u64::from(known.lower as u8)
                | u64::from(known.upper as u8) << 8
                | u64::from(known.best) << 16
                | u64::from(n_empties) << 24
                | u64::from(epoch) << 32,
        )
    }

    const fn known(self) -> Known {
        Known { lower: self.0 as i8, upper: (self.0 >> 8) as i8, best: (self.0 >> 16) as u8 }
    }

    const fn epoch(self) -> u8 {
        (self.0 >> 32) as u8
    }

    /// How much it is worth to keep: recent and far from the end.
    fn worth(self, epoch: u8) -> u32 {
        let n_empties = (self.0 >> 24) as u8;
        let age = epoch.wrapping_sub(self.epoch());
        u32::from(n_empties) + 256 - 4 * u32::from(age.min(60))
    }
}

impl Table {
    /// A table of `mib` mebibytes.
    pub(crate) fn new(mib: usize) -> Table {
        Table { buckets: Pages::new((mib << 20) / size_of::<Bucket>()) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for bucket in self.buckets.iter() {
            for entry in &bucket.entries {
                entry.data.store(0, Ordering::Relaxed);
            }
        }
    }

    /// The bucket where a position belongs.
    #[inline]
    fn bucket(&self, player: u64, opponent: u64) -> &Bucket {
        let hash = u128::from(hash(player, opponent));
        let index = (hash * self.buckets.len() as u128) >> 64;
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
                    Known { best: known.best, ..Known::NOTHING }
                });
            }
        }
        None
    }

    /// Remembers what is known of a position.
    ///
    /// `epoch` is larger for a later search; its lowest bit is the counting, and bounds found under
    /// one are not used under the other.
    pub(crate) fn put(&self, player: u64, opponent: u64, known: Known, n_empties: u32, epoch: u8) {
        let bucket = self.bucket(player, opponent);
        let version = bucket.version.load(Ordering::Relaxed);
        // Somebody else is writing here: what we know is lost, which costs little.
        if !version.is_multiple_of(2)
            || bucket
                .version
                .compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let worth = |entry: &Entry| Data(entry.data.load(Ordering::Relaxed)).worth(epoch);
        let same = bucket.entries.iter().find(|entry| {
            entry.player.load(Ordering::Relaxed) == player
                && entry.opponent.load(Ordering::Relaxed) == opponent
        });
        let [first, second] = &bucket.entries;
        let entry = same.unwrap_or(if worth(first) <= worth(second) { first } else { second });
        entry.player.store(player, Ordering::Relaxed);
        entry.opponent.store(opponent, Ordering::Relaxed);
        entry.data.store(Data::new(known, n_empties, epoch).0, Ordering::Relaxed);
        bucket.version.store(version + 2, Ordering::Release);
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
fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing; any address will do.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
