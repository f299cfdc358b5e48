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
use crate::eval::hidden::WholeLayer;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use crate::eval::hidden::{self, Inputs, N_SLOTS, WholeUnits};
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
    layer: Option<&WholeLayer>,
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
    (weight, super::value(&still, &turn::join(&groups), head, layer))
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
    layer: Option<&WholeLayer>,
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
        let [even_shift, odd_shift, even_gain, odd_gain] = &head.eights;
        let shifted = |sum, shift: &[i16; 32]| {
            let sum = add(sum, _mm512_loadu_si512(shift.as_ptr().cast()));
            _mm512_mask_abs_epi16(sum, TURNING, sum)
        };
        let spread = |sum| _mm512_slli_epi16::<{ super::SPREAD.trailing_zeros() }>(sum);
        let squares = |sum, gain: &[i16; 32]| {
            let scaled = _mm512_mulhi_epi16(spread(sum), _mm512_loadu_si512(gain.as_ptr().cast()));
            _mm512_madd_epi16(sum, scaled)
        };
        let (even, odd) = (shifted(even, even_shift), shifted(odd, odd_shift));
        let squares = _mm512_add_epi32(squares(even, even_gain), squares(odd, odd_gain));
        let Some(layer) = layer else {
            return (weight, _mm512_reduce_add_epi32(squares));
        };
        let square = |sum| {
            // One multiplication, where the compiler would find several.
            let mut spread = spread(sum);
            asm!("/* {0} */", inout(zmm_reg) spread, options(pure, nomem, nostack, preserves_flags));
            _mm512_mulhi_epi16(spread, spread)
        };
        let (even_squares, odd_squares) = (square(even), square(odd));
        let even_squares = _mm512_mask_add_epi16(even_squares, FOURTH, even_squares, odd_squares);
        let mut inputs = Inputs([0; N_SLOTS]);
        let slots: *mut __m512i = inputs.0.as_mut_ptr().cast();
        _mm512_store_si512(slots, even_squares);
        _mm512_store_si512(slots.add(1), odd_squares);
        let still = _mm512_inserti64x4::<1>(even, _mm512_castsi512_si256(odd));
        _mm512_store_si512(slots.add(2), still);
        let counted = avx512_count(&inputs, layer, &head.units);
        (weight, _mm512_reduce_add_epi32(_mm512_add_epi32(squares, counted)))
    }
}

/// What each unit of the hidden layer counts.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[inline]
fn avx512_count(inputs: &Inputs, layer: &WholeLayer, units: &WholeUnits) -> __m512i {
    const { assert!(hidden::N_HIDDEN == 16) };
    // SAFETY: this is compiled only where AVX-512BW is there. Pairs are within the slots and the layer, whose parts
    // are aligned to 64 bytes and have as many.
    unsafe {
        let pairs: *const i32 = inputs.0.as_ptr().cast();
        let with_pair = |sum: __m512i, pair: usize| {
            let weights = _mm512_load_si512(layer.0[pair].as_ptr().cast());
            // Read from memory: the compiler would take it out of the register that was written.
            let numbers = _mm512_set1_epi32(pairs.add(pair).read_volatile());
            _mm512_add_epi32(sum, _mm512_madd_epi16(numbers, weights))
        };
        // Eight sums, or each addition waits for the one before.
        let mut a = _mm512_load_si512(units.bias.as_ptr().cast());
        let nothing = _mm512_setzero_si512();
        let (mut b, mut c, mut d) = (nothing, nothing, nothing);
        let (mut e, mut f, mut g, mut h) = (nothing, nothing, nothing, nothing);
        macro_rules! add_pairs {
            ($first:literal: $($sum:ident + $i:literal),*) => {
                $($sum = with_pair($sum, $first + $i);)*
                // The compiler would put them together again.
                $(asm!("/* {0} */", inout(zmm_reg) $sum, options(pure, nomem, nostack, preserves_flags));)*
            };
        }
        // All but those that are filled up: `hidden::PAIRS`.
        add_pairs!(0: a + 0, b + 1, c + 2, d + 3, e + 4, f + 5, g + 6, h + 7);
        add_pairs!(8: a + 0, b + 1, c + 2, d + 3, e + 4, f + 5, g + 6, h + 7);
        add_pairs!(16: a + 0, b + 1, c + 2, d + 3, e + 4, f + 5, g + 6, h + 7);
        add_pairs!(24: a + 0, b + 1, c + 2, d + 3);
        add_pairs!(32: a + 0, b + 1, c + 2, d + 3, e + 4, f + 5, g + 6, h + 7);
        add_pairs!(40: a + 0, b + 1, c + 2, d + 3, e + 4, f + 5, g + 6, h + 7);
        let sum = |a, b| _mm512_add_epi32(a, b);
        let sum = sum(sum(sum(a, b), sum(c, d)), sum(sum(e, f), sum(g, h)));
        let active = _mm512_max_epi32(sum, _mm512_srai_epi32::<{ hidden::LEAK }>(sum));
        let active = _mm512_srai_epi32::<{ hidden::UNIT_SHIFT }>(active);
        _mm512_mullo_epi32(active, _mm512_load_si512(units.count.as_ptr().cast()))
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
    layer: Option<&WholeLayer>,
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
        let spread = |sum| _mm256_slli_epi16::<{ super::SPREAD.trailing_zeros() as i32 }>(sum);
        let squares = |sum, gain: *const i16| {
            let scaled = _mm256_mulhi_epi16(spread(sum), _mm256_loadu_si256(gain.cast()));
            _mm256_madd_epi16(sum, scaled)
        };
        let shifted = |sum, shift: *const i16| add(sum, _mm256_loadu_si256(shift.cast()));
        let [even_shift, odd_shift, even_gain, odd_gain] =
            head.eights.each_ref().map(|e| e.as_ptr());
        let still = [shifted(still[0], even_shift), shifted(still[1], odd_shift)];
        let (even, odd) = (_mm256_abs_epi16(even), _mm256_abs_epi16(odd));
        let mut counted = _mm256_add_epi32(
            _mm256_add_epi32(squares(still[0], even_gain), squares(still[1], odd_gain)),
            _mm256_add_epi32(squares(even, even_gain.add(16)), squares(odd, odd_gain.add(16))),
        );
        if let Some(layer) = layer {
            let square = |sum| _mm256_mulhi_epi16(spread(sum), spread(sum));
            let (even, odd) = (square(even), square(odd));
            // x and y are the upper halves.
            let both = _mm256_blend_epi32::<0xf0>(even, add(even, odd));
            let mut inputs = Inputs([0; N_SLOTS]);
            let slots: *mut __m256i = inputs.0.as_mut_ptr().cast();
            let all = [square(still[0]), both, square(still[1]), odd, still[0], still[1]];
            for (i, numbers) in all.into_iter().enumerate() {
                _mm256_store_si256(slots.add(i), numbers);
            }
            counted = _mm256_add_epi32(counted, avx2_count(&inputs, layer, &head.units));
        }
        let mut parts = [0_i32; 8];
        _mm256_storeu_si256(parts.as_mut_ptr().cast(), counted);
        (weight, parts.iter().fold(0, |sum: i32, part| sum.wrapping_add(*part)))
    }
}

/// What the units of the hidden layer count, two of them in each number.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    any(test, not(target_feature = "avx512bw"))
))]
#[inline]
fn avx2_count(inputs: &Inputs, layer: &WholeLayer, units: &WholeUnits) -> __m256i {
    const { assert!(hidden::N_HIDDEN == 16) };
    // SAFETY: this is compiled only where AVX2 is there. Pairs are within the slots and the layer, whose parts are
    // aligned to 64 bytes and have as many.
    unsafe {
        let pairs: *const i32 = inputs.0.as_ptr().cast();
        let load = |from: *const __m256i, half: usize| _mm256_load_si256(from.add(half));
        let (bias, count) = (units.bias.as_ptr().cast(), units.count.as_ptr().cast());
        let mut sums = [load(bias, 0), load(bias, 1)];
        for pairs_of in hidden::PAIRS {
            for pair in pairs_of {
                let numbers = _mm256_set1_epi32(pairs.add(pair).read_volatile());
                for (half, sum) in sums.iter_mut().enumerate() {
                    let weights = load(layer.0[pair].as_ptr().cast(), half);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(numbers, weights));
                }
            }
        }
        let counted = |half: usize| {
            let sum = sums[half];
            let active = _mm256_max_epi32(sum, _mm256_srai_epi32::<{ hidden::LEAK as i32 }>(sum));
            let active = _mm256_srai_epi32::<{ hidden::UNIT_SHIFT as i32 }>(active);
            _mm256_mullo_epi32(active, load(count, half))
        };
        _mm256_add_epi32(counted(0), counted(1))
    }
}

#[cfg(test)]
mod tests {
    use obverse_board::{Bitboard, Board};

    use super::super::N_GAINS;
    use super::*;
    use crate::classic::Rng;
    use crate::eval::hidden::{N_HIDDEN, N_INPUTS, WholeUnits};
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
        let numbers = |rng: &mut Rng, below: i32| {
            std::array::from_fn(|_| rng.below(2 * below as u64) as i32 - below)
        };
        let units =
            WholeUnits { bias: numbers(&mut rng, 1 << 29), count: numbers(&mut rng, 1 << 16) };
        let head = WholeHead::new(shift, &gain, units);
        let layer: [[i16; N_INPUTS]; N_HIDDEN] =
            std::array::from_fn(|_| std::array::from_fn(|_| rng.below(1000) as i16 - 500));
        let layer = WholeLayer::new(&layer);
        for _ in 0..1000 {
            let (player, others) = (rng.next_u64(), rng.next_u64());
            let board = Board::new(Bitboard(player), Bitboard(others & !player));
            let windows = Windows::new(board.player().0, board.opponent().0);
            for layer in [None, Some(&layer)] {
                let expected = plain_sum(&windows, &weights, &vectors, &head, layer);
                assert_eq!(sum(&windows, &weights, &vectors, &head, layer), expected);
                #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
                assert_eq!(avx2_sum(&windows, &weights, &vectors, &head, layer), expected);
            }
        }
    }
}
