//! Adding up the weights and vectors of a board's windows: where a search of a number of moves spends its time.
//!
//! Half of that is waiting for memory, so what an estimate needs is found by the number of each window at once,
//! without a table in between, and a vector that is mirrored lies in memory as it is added.

#![expect(
    unsafe_code,
    reason = "rows on huge pages, added by instructions the compiler does not find by itself"
)]
#![cfg_attr(
    all(target_arch = "x86_64", target_feature = "avx2"),
    allow(clippy::wildcard_imports, reason = "as many instructions as lines")
)]

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use std::arch::{asm, x86_64::*};

use super::{Row, WholeHead};
use crate::eval::Windows;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use crate::eval::shape::ORIGIN;
use crate::eval::shape::{GROUPS, N_PATTERNS};
use crate::eval::turn::N_GROUPS;
use crate::pages::Zeroed;

// SAFETY: a row is bytes, has nothing to drop, and is aligned to 64 of them.
unsafe impl Zeroed for Row {}

cfg_select! {
    all(target_arch = "x86_64", target_feature = "avx512bw") => {
        pub(in crate::eval) use avx512_sum as sum;
    }
    all(target_arch = "x86_64", target_feature = "avx2") => {
        pub(in crate::eval) use avx2_sum as sum;
    }
    _ => {
        pub(in crate::eval) use plain_sum as sum;
    }
}

/// The sum of the weights of a board's windows, and what their vectors count together in units of the estimate, but
/// for a power of two.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(in crate::eval) fn plain_sum(
    windows: &Windows,
    weights: &[i16; N_PATTERNS],
    vectors: &[Row; N_PATTERNS],
    head: &WholeHead,
) -> (i32, i32) {
    use crate::eval::turn::{self, LANE, Lanes, N_STILL};
    let patterns = windows.patterns();
    let (mut weight, mut still) = (0, [0; N_STILL]);
    let mut groups: [Lanes<i16>; N_GROUPS] = [[[0; LANE]; 4]; N_GROUPS];
    for (group, lanes) in groups.iter_mut().enumerate() {
        for pattern in &patterns[GROUPS[group]..GROUPS[group + 1]] {
            weight += i32::from(weights[*pattern as usize]);
            let (own, turning) = vectors[*pattern as usize].0.split_at(N_STILL);
            for (sum, factor) in still.iter_mut().zip(own) {
                *sum += i16::from(*factor);
            }
            for (sum, factor) in lanes.as_flattened_mut().iter_mut().zip(turning) {
                *sum += i16::from(*factor);
            }
        }
    }
    (weight, super::value(&still, &turn::join(&groups), head))
}

/// Finds the row of a window for vector instructions, and adds its weight.
///
/// All windows are written out, with everything known of each in the instructions themselves.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
macro_rules! row {
    ($window:expr, $numbers:ident, $weights:ident, $rows:ident, $weight:ident) => {{
        let window = $window;
        // Read singly: the compiler would read many at once and take them apart again.
        let number = isize::from($numbers.add(window).read_volatile());
        // Added to the table, not to the number, the origin is a part of the instructions that read.
        let origin = ORIGIN[window] as usize;
        debug_assert!(
            (0..N_PATTERNS as isize).contains(&(origin as isize + number)),
            "no pattern: {number}"
        );
        $weight += i32::from(*$weights.offset(number).add(origin));
        // Added at once, or the compiler keeps all of them for later, in memory.
        asm!("/* {0:e} */", inout(reg) $weight, options(nomem, nostack, preserves_flags));
        $rows.offset(number).add(origin)
    }};
}

/// The same with AVX-512.
///
/// Two rows at a time have their bytes interleaved and then added in pairs to numbers of 16 bits: half the
/// instructions of widening each. So there are two sums, of the even and the odd eights of coordinates; in the upper
/// half of both are those that turn: x² − y² and x in the one, xy and y in the other.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[inline]
pub(in crate::eval) fn avx512_sum(
    windows: &Windows,
    weights: &[i16; N_PATTERNS],
    vectors: &[Row; N_PATTERNS],
    head: &WholeHead,
) -> (i32, i32) {
    /// The third eight of a sum, the fourth, and both.
    const THIRD: __mmask32 = 0x00ff_0000;
    const FOURTH: __mmask32 = 0xff00_0000;
    const TURNING: __mmask32 = THIRD | FOURTH;
    let (numbers, weights, rows) = (windows.0.as_ptr(), weights.as_ptr(), vectors.as_ptr());
    let mut weight = 0;
    // SAFETY: this is compiled only where AVX-512BW is there. A window's number is that of a pattern of its shape,
    // so with the origin of that it is within both tables. Rows have 64 bytes and are aligned to them, and so have
    // the parts of a head.
    unsafe {
        let add = |a, b| _mm512_add_epi16(a, b);
        let sub = |a, b| _mm512_sub_epi16(a, b);
        let ones = _mm512_set1_epi8(1);
        let mut even = [_mm512_setzero_si512(); N_GROUPS];
        let mut odd = even;
        macro_rules! add_groups {
            ($($group:literal)*) => {$({
                let (mut window, end) = const { (GROUPS[$group], GROUPS[$group + 1]) };
                while window < end {
                    let one = row!(window, numbers, weights, rows, weight);
                    let one = _mm512_load_si512(one.cast());
                    let mut other = _mm512_setzero_si512();
                    if window + 1 < end {
                        let row = row!(window + 1, numbers, weights, rows, weight);
                        other = _mm512_load_si512(row.cast());
                    }
                    let low = _mm512_maddubs_epi16(ones, _mm512_unpacklo_epi8(one, other));
                    let high = _mm512_maddubs_epi16(ones, _mm512_unpackhi_epi8(one, other));
                    even[$group] = add(even[$group], low);
                    odd[$group] = add(odd[$group], high);
                    // The same for rows.
                    asm!(
                        "/* {0} {1} */",
                        inout(zmm_reg) even[$group],
                        inout(zmm_reg) odd[$group],
                        options(nomem, nostack, preserves_flags)
                    );
                    window += 2;
                }
            })*};
        }
        add_groups!(0 1 2 3 4 5 6 7);
        // As `turn::join` puts the groups together; what does not turn is added up beside it.
        let ([ea, eb, ec, ed, ee, ef, eg, eh], [oa, ob, oc, od, oe, of, og, oh]) = (even, odd);
        let (ab, cd) = (add(ea, eb), add(ec, ed));
        let more = add(ab, add(add(ee, ef), add(eg, eh)));
        let even = _mm512_mask_sub_epi16(add(more, cd), THIRD, more, cd);
        let (more, less) = (add(add(oa, oc), add(oe, oh)), add(add(ob, od), add(of, og)));
        let odd = _mm512_mask_sub_epi16(add(more, less), THIRD, more, less);
        let rising = add(sub(ee, eh), sub(og, of));
        let falling = add(sub(oe, oh), sub(eg, ef));
        let x = add(add(ab, sub(oc, od)), add(rising, falling));
        let y = add(add(sub(oa, ob), cd), sub(rising, falling));
        let even = _mm512_mask_mov_epi16(even, FOURTH, x);
        let odd = _mm512_mask_mov_epi16(odd, FOURTH, y);
        // As `value` counts the sums.
        let squares = |sum, shift: &[i16; 32], gain: &[i16; 32]| {
            let sum = add(sum, _mm512_loadu_si512(shift.as_ptr().cast()));
            let sum = _mm512_mask_abs_epi16(sum, TURNING, sum);
            let spread = _mm512_slli_epi16::<{ super::SPREAD.trailing_zeros() }>(sum);
            let scaled = _mm512_mulhi_epi16(spread, _mm512_loadu_si512(gain.as_ptr().cast()));
            _mm512_madd_epi16(sum, scaled)
        };
        let [even_shift, odd_shift, even_gain, odd_gain] = &head.eights;
        let squares = _mm512_add_epi32(
            squares(even, even_shift, even_gain),
            squares(odd, odd_shift, odd_gain),
        );
        (weight, _mm512_reduce_add_epi32(squares))
    }
}

/// The same with AVX2: what does not turn and what does in registers of their own.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    any(test, not(target_feature = "avx512bw"))
))]
#[inline]
pub(in crate::eval) fn avx2_sum(
    windows: &Windows,
    weights: &[i16; N_PATTERNS],
    vectors: &[Row; N_PATTERNS],
    head: &WholeHead,
) -> (i32, i32) {
    let (numbers, weights, rows) = (windows.0.as_ptr(), weights.as_ptr(), vectors.as_ptr());
    let mut weight = 0;
    // SAFETY: this is compiled only where AVX2 is there. A window's number is that of a pattern of its shape, so with
    // the origin of that it is within both tables. Both halves of a row have 32 bytes and are aligned to them, and so
    // have the halves of the parts of a head.
    unsafe {
        let add = |a, b| _mm256_add_epi16(a, b);
        let sub = |a, b| _mm256_sub_epi16(a, b);
        let ones = _mm256_set1_epi8(1);
        let nothing = _mm256_setzero_si256();
        let mut still = [nothing; 2];
        let mut even = [nothing; N_GROUPS];
        let mut odd = even;
        macro_rules! add_groups {
            ($($group:literal)*) => {$({
                let (mut window, end) = const { (GROUPS[$group], GROUPS[$group + 1]) };
                while window < end {
                    let one = row!(window, numbers, weights, rows, weight).cast::<__m256i>();
                    let one = [_mm256_load_si256(one), _mm256_load_si256(one.add(1))];
                    let mut other = [nothing; 2];
                    if window + 1 < end {
                        let row = row!(window + 1, numbers, weights, rows, weight).cast::<__m256i>();
                        other = [_mm256_load_si256(row), _mm256_load_si256(row.add(1))];
                    }
                    let low = |half: usize| {
                        _mm256_maddubs_epi16(ones, _mm256_unpacklo_epi8(one[half], other[half]))
                    };
                    let high = |half: usize| {
                        _mm256_maddubs_epi16(ones, _mm256_unpackhi_epi8(one[half], other[half]))
                    };
                    still = [add(still[0], low(0)), add(still[1], high(0))];
                    even[$group] = add(even[$group], low(1));
                    odd[$group] = add(odd[$group], high(1));
                    asm!(
                        "/* {0} {1} */",
                        inout(ymm_reg) even[$group],
                        inout(ymm_reg) odd[$group],
                        options(nomem, nostack, preserves_flags)
                    );
                    window += 2;
                }
            })*};
        }
        add_groups!(0 1 2 3 4 5 6 7);
        let ([ea, eb, ec, ed, ee, ef, eg, eh], [oa, ob, oc, od, oe, of, og, oh]) = (even, odd);
        let (ab, cd) = (add(ea, eb), add(ec, ed));
        let cross = sub(add(ab, add(add(ee, ef), add(eg, eh))), cd);
        let product = sub(add(add(oa, oc), add(oe, oh)), add(add(ob, od), add(of, og)));
        let rising = add(sub(ee, eh), sub(og, of));
        let falling = add(sub(oe, oh), sub(eg, ef));
        let x = add(add(ab, sub(oc, od)), add(rising, falling));
        let y = add(add(sub(oa, ob), cd), sub(rising, falling));
        // The lower half of the one, the upper half of the other.
        let even = _mm256_blend_epi32::<0xf0>(cross, x);
        let odd = _mm256_blend_epi32::<0xf0>(product, y);
        let squares = |sum, gain: *const i16| {
            let spread = _mm256_slli_epi16::<{ super::SPREAD.trailing_zeros() as i32 }>(sum);
            let scaled = _mm256_mulhi_epi16(spread, _mm256_loadu_si256(gain.cast()));
            _mm256_madd_epi16(sum, scaled)
        };
        let shifted = |sum, shift: *const i16| add(sum, _mm256_loadu_si256(shift.cast()));
        let [even_shift, odd_shift, even_gain, odd_gain] =
            head.eights.each_ref().map(|e| e.as_ptr());
        let squares = _mm256_add_epi32(
            _mm256_add_epi32(
                squares(shifted(still[0], even_shift), even_gain),
                squares(shifted(still[1], odd_shift), odd_gain),
            ),
            _mm256_add_epi32(
                squares(_mm256_abs_epi16(even), even_gain.add(16)),
                squares(_mm256_abs_epi16(odd), odd_gain.add(16)),
            ),
        );
        let mut parts = [0_i32; 8];
        _mm256_storeu_si256(parts.as_mut_ptr().cast(), squares);
        (weight, parts.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use obverse_board::{Bitboard, Board};

    use super::super::N_GAINS;
    use super::*;
    use crate::classic::Rng;
    use crate::eval::turn::N_STILL;

    #[test]
    fn vector_instructions_add_as_one_would_by_hand() {
        let mut rng = Rng::new(3);
        // Of sums of greater numbers some would not fit into 16 bits.
        let vectors: Vec<Row> = (0..N_PATTERNS)
            .map(|_| Row(std::array::from_fn(|_| (rng.below(225) as i16 - 112) as i8)))
            .collect();
        let vectors: Box<[Row; N_PATTERNS]> = vectors.try_into().unwrap();
        let weights: Vec<i16> = (0..N_PATTERNS).map(|_| rng.next_u64() as i16).collect();
        let weights: Box<[i16; N_PATTERNS]> = weights.try_into().unwrap();
        let shift: [i16; N_STILL] = std::array::from_fn(|_| rng.below(4097) as i16 - 2048);
        let gain: [i16; N_GAINS] = std::array::from_fn(|_| rng.next_u64() as i16);
        let head = WholeHead::new(shift, &gain);
        for _ in 0..1000 {
            let (player, others) = (rng.next_u64(), rng.next_u64());
            let board = Board::new(Bitboard(player), Bitboard(others & !player));
            let windows = Windows::new(board.player().0, board.opponent().0);
            let expected = plain_sum(&windows, &weights, &vectors, &head);
            assert_eq!(sum(&windows, &weights, &vectors, &head), expected);
            #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
            assert_eq!(avx2_sum(&windows, &weights, &vectors, &head), expected);
        }
    }
}
