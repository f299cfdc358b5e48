//! A small reproducible generator of random numbers.
//!
//! `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
//! 2014): a counter that advances by the golden ratio, and a mixing function over it. Every seed is
//! a good seed, and the sequence is the same on every machine.

/// A source of random numbers that depend on nothing but the seed.
///
/// ```
/// use obverse_engine::classic::Rng;
/// let (mut one, mut other) = (Rng::new(7), Rng::new(7));
/// assert_eq!(one.next_u64(), other.next_u64());
/// assert!(one.below(6) < 6);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number from 0 to `n - 1`, each equally likely.
    ///
    /// The upper half of `random × n` is the number; the draws that would favor some numbers by one
    /// part in 2⁶⁴ are thrown away (Lemire, "Fast Random Integer Generation in an Interval", 2019).
    ///
    /// # Panics
    /// If `n` is 0: there is no such number.
    #[track_caller]
    pub const fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no number below 0");
        let surplus = n.wrapping_neg() % n;
        loop {
            let product = self.next_u64() as u128 * n as u128;
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_published_algorithm() {
        // The first outputs for seed 1234567 of the authors' reference program.
        let mut rng = Rng::new(1234567);
        let first = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([rng.next_u64(), rng.next_u64(), rng.next_u64()], first);
    }

    #[test]
    fn a_bounded_draw_favors_no_number() {
        let mut counts = [0_u32; 7];
        let mut rng = Rng::new(1);
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // The standard deviation of each count is 93.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
    }

    #[test]
    fn a_bounded_draw_rejects_what_does_not_divide_evenly() {
        // With n just above half the range nearly half of all draws are rejected; the rest fill it.
        let n = (1 << 63) + 1;
        let mut rng = Rng::new(3);
        let low = (0..1000).filter(|_| rng.below(n) < n / 2).count();
        assert!(low.abs_diff(500) < 100, "{low}");
        assert_eq!(rng.below(1), 0);
    }
}
