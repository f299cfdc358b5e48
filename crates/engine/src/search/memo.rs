//! What a thread remembers of the evaluation.
//!
//! A search that looks ever farther ahead, and sorts moves by looking ahead, asks for the value of many
//! positions again and again: two in five times the answer is still here.

use crate::table::hash;

/// A direct-mapped table of estimates: a new one takes the place of the old.
///
/// An entry is the estimate in the upper 16 bits and the rest of the position's hash below. The place tells
/// the bits that are missing, so another position is taken for this one as seldom as two hashes of
/// 63 bits are equal. Estimates only guide a search; nothing that is proven rests on them.
pub(crate) struct Memo {
    entries: Box<[u64]>,
}

const TAG: u64 = u64::MAX >> 16;

impl Memo {
    pub(crate) fn new(kib: usize) -> Memo {
        let n = ((kib << 10) / size_of::<u64>()).max(1);
        Memo { entries: vec![0; n].into_boxed_slice() }
    }

    /// The estimate of a position for the player, which is made if it is not remembered.
    #[inline]
    pub(super) fn get_or(&mut self, p: u64, o: u64, make: impl FnOnce() -> i32) -> i32 {
        let hash = hash(p, o);
        let place = ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize;
        let entry = &mut self.entries[place];
        if *entry & TAG == hash & TAG {
            return (*entry as i64 >> 48) as i32;
        }
        let estimate = make();
        debug_assert_eq!(i32::from(estimate as i16), estimate, "an estimate is within the board");
        *entry = (estimate as u64) << 48 | hash & TAG;
        estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_come_back_and_those_of_other_positions_do_not() {
        let mut memo = Memo::new(1);
        let value = |i: u64| (i as i32 * 37) % 16000 - 8000;
        for i in 0..10_000 {
            assert_eq!(memo.get_or(i, !i << 20, || value(i)), value(i));
            assert_eq!(memo.get_or(i, !i << 20, || unreachable!("it was just made")), value(i));
        }
        // Most have had to make room for others since.
        for i in 0..10_000 {
            assert_eq!(memo.get_or(i, !i << 20, || value(i)), value(i));
        }
    }
}
