//! Adding up the weights and vectors of a board's windows: where an evaluation spends its time.
//!
//! Most of that is waiting for memory, so what is often asked for lies together: see [`Places`].

#![cfg_attr(
    all(target_arch = "x86_64", target_feature = "avx2"),
    expect(unsafe_code, reason = "vector instructions the compiler does not find by itself")
)]

use super::{N_FACTORS, Row, Vector};
use crate::eval::places::{N_PLACES, Places};
use crate::eval::shape::{FIRST, N_WINDOWS};

/// The sum of the weights and that of the vectors of these patterns.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[inline]
pub(in crate::eval) fn sum(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> (i32, Vector<i16>) {
    use std::arch::x86_64::{
        __m256i, _mm256_load_si256, _mm512_add_epi16, _mm512_cvtepi8_epi16, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };
    let mut sum = [0; N_FACTORS];
    let mut weight = 0;
    // SAFETY: this is compiled only where AVX-512BW is there. Each load reads the 32 bytes of a row, which is
    // aligned, and the store writes the 32 numbers of `sum`.
    unsafe {
        let mut total = _mm512_setzero_si512();
        for (&pattern, &first) in patterns.iter().zip(&FIRST) {
            let place = places.of(pattern, first);
            weight += i32::from(weights[place]);
            let row = std::ptr::from_ref(&vectors[place]).cast::<__m256i>();
            total = _mm512_add_epi16(total, _mm512_cvtepi8_epi16(_mm256_load_si256(row)));
        }
        _mm512_storeu_si512(sum.as_mut_ptr().cast(), total);
    }
    (weight, sum)
}

/// The sum of the weights and that of the vectors of these patterns.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
#[inline]
pub(in crate::eval) fn sum(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> (i32, Vector<i16>) {
    use std::arch::x86_64::{
        __m128i, _mm_load_si128, _mm256_add_epi16, _mm256_cvtepi8_epi16, _mm256_setzero_si256,
        _mm256_storeu_si256,
    };
    const LANES: usize = 16;
    const N_PARTS: usize = N_FACTORS / LANES;
    let mut sum = [0; N_FACTORS];
    let mut weight = 0;
    // SAFETY: this is compiled only where AVX2 is there. Each load reads 16 of the bytes of a row, which is
    // aligned, each store writes 16 numbers of `sum`, and the parts of both are within their N_FACTORS.
    unsafe {
        let mut totals = [_mm256_setzero_si256(); N_PARTS];
        for (&pattern, &first) in patterns.iter().zip(&FIRST) {
            let place = places.of(pattern, first);
            weight += i32::from(weights[place]);
            let row = std::ptr::from_ref(&vectors[place]).cast::<__m128i>();
            for (part, total) in totals.iter_mut().enumerate() {
                let bytes = _mm_load_si128(row.add(part));
                *total = _mm256_add_epi16(*total, _mm256_cvtepi8_epi16(bytes));
            }
        }
        for (part, total) in totals.into_iter().enumerate() {
            _mm256_storeu_si256(sum.as_mut_ptr().add(part * LANES).cast(), total);
        }
    }
    (weight, sum)
}

/// The sum of the weights and that of the vectors of these patterns.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(in crate::eval) fn sum(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> (i32, Vector<i16>) {
    plain_sum(places, weights, vectors, patterns)
}

/// The same, as one would write it down.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn plain_sum(
    places: &Places,
    weights: &[i16; N_PLACES],
    vectors: &[Row; N_PLACES],
    patterns: &[u32; N_WINDOWS],
) -> (i32, Vector<i16>) {
    let (mut weight, mut sum) = (0, [0; N_FACTORS]);
    for (&pattern, &first) in patterns.iter().zip(&FIRST) {
        let place = places.of(pattern, first);
        weight += i32::from(weights[place]);
        for (total, factor) in sum.iter_mut().zip(&vectors[place].0) {
            *total += i16::from(*factor);
        }
    }
    (weight, sum)
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
            let expected = plain_sum(&places, &weights, &vectors, &patterns);
            assert_eq!(sum(&places, &weights, &vectors, &patterns), expected);
        }
    }
}
