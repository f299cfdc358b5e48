//! Adding up the weights and vectors of a board's windows: where an evaluation spends its time.
//!
//! Most of that is waiting for memory, so what is often asked for lies together: see [`Places`].

#![cfg_attr(
    all(target_arch = "x86_64", target_feature = "avx2"),
    expect(unsafe_code, reason = "vector instructions the compiler does not find by itself")
)]

use super::Row;
use crate::eval::places::{N_PLACES, Places};
use crate::eval::shape::N_WINDOWS;
use crate::eval::turn::{self, LANE, Lanes, N_GROUPS, N_STILL};

/// The sum of the weights and that of the vectors of these patterns: what does not turn, and what does.
#[inline]
pub(in crate::eval) fn sum(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> (i32, [i16; N_STILL], Lanes<i16>) {
    let Sums { weight, still, groups } = sums(places, weights, vectors, patterns);
    (weight, still, turn::join(&groups))
}

/// What the windows come to, those that lie in different ways not yet joined.
#[cfg_attr(test, derive(PartialEq, Debug))]
struct Sums {
    weight: i32,
    still: [i16; N_STILL],
    groups: [Lanes<i16>; N_GROUPS],
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[inline]
fn sums(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> Sums {
    use crate::eval::shape::{FIRST, GROUPS, MIRRORED};
    use std::arch::x86_64::{
        __m256i, _mm256_load_si256, _mm512_add_epi16, _mm512_cvtepi8_epi16, _mm512_mask_sub_epi16,
        _mm512_setzero_si512, _mm512_storeu_si512,
    };
    /// The coordinates that change their signs, one bit each.
    static SIGNS: [u32; N_WINDOWS] = {
        let mut signs = [0; N_WINDOWS];
        let mut i = 0;
        while i < 4 * LANE * N_WINDOWS {
            let (window, k) = (i / (4 * LANE), i % (4 * LANE));
            signs[window] |= (MIRRORED[window][k / LANE] as u32) << k;
            i += 1;
        }
        signs
    };
    let mut sums = Sums { weight: 0, still: [0; N_STILL], groups: [[[0; LANE]; 4]; N_GROUPS] };
    // SAFETY: this is compiled only where AVX-512BW is there. The loads read the two halves of a row of 64 bytes,
    // which is aligned, and each store writes the 32 numbers of `still` or of a group.
    unsafe {
        let mut still = _mm512_setzero_si512();
        // Written out, so that the compiler knows how many windows each has.
        macro_rules! add {
            ($($group:literal)*) => {$({
                let mut turning = _mm512_setzero_si512();
                for window in const { GROUPS[$group] }..const { GROUPS[$group + 1] } {
                    let (place, second) = places.of(patterns[window], FIRST[window]);
                    sums.weight += i32::from(weights[place]);
                    let row = std::ptr::from_ref(&vectors[place]).cast::<__m256i>();
                    still = _mm512_add_epi16(still, _mm512_cvtepi8_epi16(_mm256_load_si256(row)));
                    let own = _mm512_cvtepi8_epi16(_mm256_load_si256(row.add(1)));
                    let sum = _mm512_add_epi16(turning, own);
                    turning = _mm512_mask_sub_epi16(sum, SIGNS[window] & second, turning, own);
                }
                _mm512_storeu_si512(sums.groups[$group].as_mut_ptr().cast(), turning);
            })*};
        }
        add!(0 1 2 3 4 5 6 7);
        _mm512_storeu_si512(sums.still.as_mut_ptr().cast(), still);
    }
    sums
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
#[inline]
fn sums(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> Sums {
    use crate::eval::shape::{FIRST, GROUPS, MIRRORED};
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_load_si128, _mm256_add_epi16, _mm256_cvtepi8_epi16,
        _mm256_loadu_si256, _mm256_setzero_si256, _mm256_sign_epi16, _mm256_storeu_si256,
    };
    const HALVES: usize = 2;
    const HALF: usize = 16;
    /// 1 or −1 for each coordinate: those of a pattern, and of one that is the second of two mirror images.
    static SIGNS: [[[i16; 4 * LANE]; 2]; N_WINDOWS] = {
        let mut signs = [[[1; 4 * LANE]; 2]; N_WINDOWS];
        let mut i = 0;
        while i < 4 * LANE * N_WINDOWS {
            let (window, k) = (i / (4 * LANE), i % (4 * LANE));
            if MIRRORED[window][k / LANE] {
                signs[window][1][k] = -1;
            }
            i += 1;
        }
        signs
    };
    let mut sums = Sums { weight: 0, still: [0; N_STILL], groups: [[[0; LANE]; 4]; N_GROUPS] };
    // SAFETY: this is compiled only where AVX2 is there. The loads read the four quarters of a row of 64 bytes,
    // which is aligned, and both halves of 32 signs; the stores write both halves of the 32 numbers of `still` or of
    // a group.
    unsafe {
        let mut still = [_mm256_setzero_si256(); HALVES];
        for (group, lanes) in sums.groups.iter_mut().enumerate() {
            let mut turning = [_mm256_setzero_si256(); HALVES];
            for window in GROUPS[group]..GROUPS[group + 1] {
                let (place, second) = places.of(patterns[window], FIRST[window]);
                sums.weight += i32::from(weights[place]);
                let row = std::ptr::from_ref(&vectors[place]).cast::<__m128i>();
                let signs = SIGNS[window][(second & 1) as usize].as_ptr();
                for half in 0..HALVES {
                    let own = _mm256_cvtepi8_epi16(_mm_load_si128(row.add(half)));
                    still[half] = _mm256_add_epi16(still[half], own);
                    let own = _mm256_cvtepi8_epi16(_mm_load_si128(row.add(HALVES + half)));
                    let signs = _mm256_loadu_si256(signs.add(half * HALF).cast::<__m256i>());
                    turning[half] = _mm256_add_epi16(turning[half], _mm256_sign_epi16(own, signs));
                }
            }
            for (half, sum) in turning.into_iter().enumerate() {
                let to = lanes.as_mut_ptr().cast::<i16>();
                _mm256_storeu_si256(to.add(half * HALF).cast(), sum);
            }
        }
        for (half, sum) in still.into_iter().enumerate() {
            _mm256_storeu_si256(sums.still.as_mut_ptr().add(half * HALF).cast(), sum);
        }
    }
    sums
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
fn sums(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> Sums {
    plain_sums(places, weights, vectors, patterns)
}

/// The same, as one would write it down.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn plain_sums(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> Sums {
    use crate::eval::shape::{FIRST, GROUPS, MIRRORED};
    let mut sums = Sums { weight: 0, still: [0; N_STILL], groups: [[[0; LANE]; 4]; N_GROUPS] };
    for (group, lanes) in sums.groups.iter_mut().enumerate() {
        for window in GROUPS[group]..GROUPS[group + 1] {
            let (place, second) = places.of(patterns[window], FIRST[window]);
            sums.weight += i32::from(weights[place]);
            let (still, turning) = vectors[place].0.split_at(N_STILL);
            for (sum, factor) in sums.still.iter_mut().zip(still) {
                *sum += i16::from(*factor);
            }
            for (lane, factors) in turning.chunks_exact(LANE).enumerate() {
                let is_negative = second != 0 && MIRRORED[window][lane];
                for (sum, factor) in lanes[lane].iter_mut().zip(factors) {
                    *sum += if is_negative { -i16::from(*factor) } else { i16::from(*factor) };
                }
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::Rng;
    use crate::eval::places::ranks;
    use crate::eval::shape::N_PATTERNS;

    #[test]
    fn vector_instructions_add_as_one_would_by_hand() {
        let mut rng = Rng::new(3);
        let vectors: Vec<Row> =
            (0..N_PLACES).map(|_| Row(std::array::from_fn(|_| rng.next_u64() as i8))).collect();
        let vectors: Box<[Row; N_PLACES]> = vectors.try_into().unwrap();
        let weights: Vec<i16> = (0..N_PLACES).map(|_| rng.next_u64() as i16).collect();
        let weights: Box<[i16; N_PLACES]> = weights.try_into().unwrap();
        let places = Places::new(&ranks(&[], &[])).unwrap();
        for _ in 0..1000 {
            let patterns = std::array::from_fn(|_| rng.below(N_PATTERNS as u64) as u32);
            let expected = plain_sums(&places, &weights, &vectors, &patterns);
            assert_eq!(sums(&places, &weights, &vectors, &patterns), expected);
        }
    }
}
