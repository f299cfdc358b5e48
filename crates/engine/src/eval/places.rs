//! Where the weight and the vector of a pattern lie in memory.
//!
//! A few patterns are seen nearly always: of those that searches ask for, one in eighty makes up four fifths. If
//! the weights of a shape lie in the order of how often they are seen, mirror images together, what is often
//! asked for stays in the processor's nearest caches: 90 % of the vectors in 90 KiB instead of 255.

use super::shape::{self, N_PATTERNS, N_TIED};
use super::weights::{is_second, tied};

/// How many places there are: a power of two, so that a number cut to its bits is always one of them.
pub(super) const N_PLACES: usize = N_TIED.next_power_of_two();

/// The same for patterns.
const N_ROOMS: usize = N_PATTERNS.next_power_of_two();

/// The rank of every pattern's weight within its shape: its place, counted from where those of the shape
/// begin. The highest bit says that the pattern is the second of two mirror images.
pub(crate) struct Places(Box<[u16; N_ROOMS]>);

const SECOND: u16 = 1 << 15;

impl Places {
    /// The places of weights with these ranks, 0 for the most frequent of each shape; `None` if they are not
    /// the ranks of all weights.
    pub(super) fn new(ranks: &[u16]) -> Option<Places> {
        if ranks.len() != N_TIED {
            return None;
        }
        for weights in shape::weights_by_shape() {
            let mut is_taken = vec![false; weights.len()];
            for rank in &ranks[weights] {
                let taken = is_taken.get_mut(usize::from(*rank))?;
                if std::mem::replace(taken, true) {
                    return None;
                }
            }
        }
        let mut places = vec![0; N_ROOMS];
        for (pattern, place) in places[..N_PATTERNS].iter_mut().enumerate() {
            let pattern = pattern as u32;
            let second = if is_second(pattern) { SECOND } else { 0 };
            *place = ranks[tied(pattern) as usize] | second;
        }
        places.into_boxed_slice().try_into().ok().map(Places)
    }

    /// The place of a pattern of a shape whose weights begin with `first`; and all bits if it is the second of two
    /// mirror images, none if not. A truth value would make the compiler branch, which cannot be foreseen.
    #[inline]
    pub(super) fn of(&self, pattern: u32, first: u32) -> (usize, u32) {
        let entry = self.0[pattern as usize & (N_ROOMS - 1)];
        let rank = u32::from(entry & !SECOND);
        let second = i32::from(entry.cast_signed()) >> 15;
        ((first + rank) as usize & (N_PLACES - 1), second.cast_unsigned())
    }
}

/// A table with what belongs to each weight in its place.
#[expect(clippy::unnecessary_box_returns, reason = "a table of megabytes belongs on the heap")]
pub(super) fn lay_out<T: Copy>(
    ranks: &[u16],
    nothing: T,
    of_weight: impl Fn(usize) -> T,
) -> Box<[T; N_PLACES]> {
    let mut table = vec![nothing; N_PLACES];
    for weights in shape::weights_by_shape() {
        let first = weights.start;
        for weight in weights {
            table[first + usize::from(ranks[weight])] = of_weight(weight);
        }
    }
    let Ok(table) = table.into_boxed_slice().try_into() else {
        unreachable!("there are as many places")
    };
    table
}

/// The ranks of weights that were seen so often, as [`tied`] numbers them; those seen equally often keep the
/// order of `before`, or of their numbers if that is empty.
pub fn ranks(seen: &[f32], before: &[u16]) -> Vec<u16> {
    let mut ranks = vec![0; N_TIED];
    for weights in shape::weights_by_shape() {
        let mut order: Vec<usize> = weights.collect();
        let count = |weight: usize| seen.get(weight).copied().unwrap_or(0.0);
        order.sort_by(|&a, &b| {
            let rarer = count(b).total_cmp(&count(a));
            rarer.then_with(|| before.get(a).cmp(&before.get(b)))
        });
        for (rank, weight) in order.into_iter().enumerate() {
            ranks[weight] = rank as u16;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::super::shape::{FIRST, N_WINDOWS};
    use super::*;
    use crate::classic::Rng;
    use crate::eval::patterns;
    use obverse_board::{Bitboard, Board};

    #[test]
    fn what_belongs_to_a_pattern_is_found_in_its_place() {
        let mut rng = Rng::new(5);
        let seen: Vec<f32> = (0..N_TIED).map(|_| rng.below(1000) as f32).collect();
        for ranks in [ranks(&[], &[]), ranks(&seen, &[])] {
            let places = Places::new(&ranks).expect("ranks are all different");
            let owners = lay_out(&ranks, None, Some);
            assert_eq!(owners.iter().flatten().count(), N_TIED);
            for _ in 0..1000 {
                let (player, others) = (rng.next_u64(), rng.next_u64());
                let all = patterns(Board::new(Bitboard(player), Bitboard(others & !player)));
                for window in 0..N_WINDOWS {
                    let (place, second) = places.of(all[window], FIRST[window]);
                    assert_eq!(owners[place], Some(tied(all[window]) as usize));
                    assert_eq!(second, u32::from(is_second(all[window])).wrapping_neg());
                }
            }
        }
    }

    #[test]
    fn the_most_frequent_come_first() {
        let mut seen = vec![1.0; N_TIED];
        seen[7] = 5.0;
        let first = ranks(&seen, &[]);
        assert_eq!((first[7], first[0], first[8]), (0, 1, 8));
        assert_eq!(ranks(&[], &first), first, "nothing is known, so all stays as it was");
    }

    #[test]
    fn what_are_no_ranks_is_refused() {
        let good = ranks(&[], &[]);
        let with = |i: usize, rank: u16| {
            let mut ranks = good.clone();
            ranks[i] = rank;
            Places::new(&ranks).is_none()
        };
        assert!(with(3, good[4]), "two in one place");
        assert!(with(3, u16::MAX), "outside of its shape");
        assert!(Places::new(&good[1..]).is_none(), "one is missing");
        assert!(!with(3, good[3]));
    }
}
