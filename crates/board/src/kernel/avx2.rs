//! AVX2 and BMI2: a vector of four 64-bit lanes, one lane for each kind of line.
//!
//! The lanes are rows, columns, falling and rising diagonals; one step along them to higher indices
//! is a shift by 1, 8, 9 and 7. All shift counts are constants, so the compiler emits the bare
//! `vpsllvq` and `vpsrlvq`; for counts it does not know, it would add a guard against 64 and more.
#![expect(unsafe_code, reason = "calls of functions compiled for these CPU features")]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128, _mm_unpackhi_epi64,
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_extract_epi64, _mm256_extracti128_si256,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srli_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
    _mm256_xor_si256, _pdep_u64, _pext_u64,
};

use super::stability::{self, ABCD, EFGH, NOT_A, NOT_AB, NOT_GH, NOT_H};
use super::tables::{DIAGONALS, LAST_EXTRACT, LINES, RAYS};
use super::{Kernel, Replies, portable, sealed};
use crate::Size;

/// Whether PEXT and PDEP are better avoided: before Zen 3, AMD's CPUs take them apart into dozens of
/// steps. A build for such a CPU has `sse4a`, which no other maker has, and lacks the younger `vaes`.
/// (A build for x86-64-v3 in general does not tell.)
const HAS_SLOW_PEXT: bool = cfg!(all(target_feature = "sse4a", not(target_feature = "vaes")));

/// The back-end for x86-64 CPUs with AVX2, BMI1, BMI2, LZCNT and POPCNT (x86-64-v3).
///
/// A value proves that the CPU has them.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The CPU must have the features named above.
    #[allow(dead_code, reason = "used if this back-end is the selected one")]
    pub(super) const unsafe fn new_unchecked() -> Avx2 {
        Avx2(())
    }
}

impl sealed::Sealed for Avx2 {}

impl Kernel for Avx2 {
    const NAME: &'static str = "avx2";

    fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }

    #[inline]
    fn moves(self, p: u64, o: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { moves(p, o) }
    }

    #[inline]
    fn moves_and_potential(self, p: u64, o: u64) -> (u64, u64) {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { moves_and_potential(p, o) }
    }

    #[inline]
    fn flips(self, p: u64, o: u64, index: u8) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { flips(p, o, index) }
    }

    #[inline]
    fn last_flips(self, p: u64, index: u8) -> (u32, u32) {
        if HAS_SLOW_PEXT {
            return portable::last_flips(p, index);
        }
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { last_flips(p, index) }
    }

    #[inline]
    fn replies(self, p: u64, o: u64, indices: [u8; 4]) -> Replies {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { replies(p, o, indices) }
    }

    #[inline]
    fn stable(self, p: u64, o: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { stable(p, o) }
    }
}

/// The lanes from the values for rows, columns, falling and rising diagonals.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn lanes(values: [u64; 4]) -> __m256i {
    let [a, b, c, d] = values.map(u64::cast_signed);
    _mm256_set_epi64x(d, c, b, a)
}

#[target_feature(enable = "avx2")]
#[inline]
fn array(lanes: __m256i) -> [u64; 4] {
    [
        _mm256_extract_epi64::<0>(lanes),
        _mm256_extract_epi64::<1>(lanes),
        _mm256_extract_epi64::<2>(lanes),
        _mm256_extract_epi64::<3>(lanes),
    ]
    .map(i64::cast_unsigned)
}

/// The same value in all lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn splat(value: u64) -> __m256i {
    _mm256_set1_epi64x(value.cast_signed())
}

/// Each lane moved `N` steps along its lines to higher indices.
#[target_feature(enable = "avx2")]
#[inline]
fn up<const N: u64>(squares: __m256i) -> __m256i {
    _mm256_sllv_epi64(squares, lanes([N, 8 * N, 9 * N, 7 * N]))
}

/// Each lane moved `N` steps along its lines to lower indices.
#[target_feature(enable = "avx2")]
#[inline]
fn down<const N: u64>(squares: __m256i) -> __m256i {
    _mm256_srlv_epi64(squares, lanes([N, 8 * N, 9 * N, 7 * N]))
}

/// The union of all lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn union(lanes: __m256i) -> u64 {
    let halves = union_of_halves(lanes);
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))).cast_unsigned()
}

#[target_feature(enable = "avx2")]
#[inline]
fn union_of_halves(lanes: __m256i) -> __m128i {
    _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes))
}

/// For each kind of line, the discs of `o` that can be flipped along it: not those at its ends.
#[target_feature(enable = "avx2")]
#[inline]
fn flippable(o: u64) -> __m256i {
    let inner = 0x007e_7e7e_7e7e_7e00;
    _mm256_and_si256(splat(o), lanes([0x7e7e_7e7e_7e7e_7e7e, 0x00ff_ffff_ffff_ff00, inner, inner]))
}

/// The squares just beyond a run of `o` that starts next to `p`, for each kind of line; and `o`
/// moved up one step.
#[target_feature(enable = "avx2")]
#[inline]
fn beyond_runs(p: __m256i, o: __m256i) -> (__m256i, __m256i) {
    use {_mm256_and_si256 as and, _mm256_or_si256 as or};
    let (a, b) = (and(o, up::<1>(p)), and(o, down::<1>(p)));
    // A run has at most six discs; each doubling extends what has been found by its own length.
    let (a, b) = (or(a, and(o, up::<1>(a))), or(b, and(o, down::<1>(b))));
    let o_up = up::<1>(o);
    let pairs_up = and(o, o_up);
    let pairs_down = down::<1>(pairs_up);
    let (a, b) = (or(a, and(pairs_up, up::<2>(a))), or(b, and(pairs_down, down::<2>(b))));
    let (a, b) = (or(a, and(pairs_up, up::<2>(a))), or(b, and(pairs_down, down::<2>(b))));
    (or(up::<1>(a), down::<1>(b)), o_up)
}

#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn moves(p: u64, o: u64) -> u64 {
    union(beyond_runs(splat(p), flippable(o)).0) & !(p | o)
}

#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn moves_and_potential(p: u64, o: u64) -> (u64, u64) {
    let flippable = flippable(o);
    let (moves, flippable_up) = beyond_runs(splat(p), flippable);
    let potential = _mm256_or_si256(flippable_up, down::<1>(flippable));
    // Both unions at once: moves in the even lanes, the potential in the odd ones.
    let both = union_of_halves(_mm256_or_si256(
        _mm256_unpacklo_epi64(moves, potential),
        _mm256_unpackhi_epi64(moves, potential),
    ));
    let empty = !(p | o);
    let moves = _mm_cvtsi128_si64(both).cast_unsigned() & empty;
    (moves, _mm_extract_epi64::<1>(both).cast_unsigned() & empty)
}

/// The flips along the rays towards higher indices.
///
/// The lowest square of the ray that is not the opponent's decides.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn flips_up(p: __m256i, o: __m256i, rays: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let end = _mm256_andnot_si256(o, rays);
    let lowest = _mm256_and_si256(end, _mm256_sub_epi64(zero, end));
    let bracket = _mm256_and_si256(lowest, p);
    // All from the bracket upwards; everything if there is none.
    let none = _mm256_cmpeq_epi64(bracket, zero);
    let beyond = _mm256_sub_epi64(none, bracket);
    _mm256_andnot_si256(beyond, rays)
}

/// The flips along the rays towards lower indices.
///
/// There are some iff the player's highest disc on the ray is above the highest empty square, for
/// which it is enough to compare the two sets as numbers. They are all that is above that disc.
#[target_feature(enable = "avx2")]
#[inline]
fn flips_down(p: __m256i, o: __m256i, rays: __m256i) -> __m256i {
    let own = _mm256_and_si256(p, rays);
    let empty = _mm256_andnot_si256(_mm256_or_si256(p, o), rays);
    // As signed numbers: no ray to lower indices contains bit 63.
    let closed = _mm256_cmpgt_epi64(own, empty);
    let beyond = _mm256_or_si256(own, down::<1>(own));
    let beyond = _mm256_or_si256(beyond, down::<2>(beyond));
    let beyond = _mm256_or_si256(beyond, down::<4>(beyond));
    _mm256_andnot_si256(beyond, _mm256_and_si256(closed, rays))
}

/// The flips along each kind of line.
#[target_feature(enable = "avx2")]
#[inline]
fn flips_lanes(p: __m256i, o: __m256i, index: u8) -> __m256i {
    let rays = &RAYS[usize::from(index & 63)];
    _mm256_or_si256(flips_up(p, o, lanes(rays.up)), flips_down(p, o, lanes(rays.down)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn flips(p: u64, o: u64, index: u8) -> u64 {
    union(flips_lanes(splat(p), splat(o), index))
}

/// Three lookups: the row, the column, both diagonals together.
#[target_feature(enable = "bmi2")]
#[inline]
pub(super) fn last_flips(p: u64, index: u8) -> (u32, u32) {
    let last = &LAST_EXTRACT[usize::from(index & 63)];
    let row = usize::from((p >> (last.row_shift & 63)) as u8);
    let column = _pext_u64(p, last.column) as usize;
    let diagonals = _pext_u64(p, last.diagonals) as usize;
    // Unchecked because the checks cost 15 % here, and this is called at most of all nodes.
    // SAFETY: rows and columns have 8 squares, so that both numbers are below 256, and `lines` are
    // starts of 256 entries. `diagonals_start` is the start of as many entries as there are sets of
    // squares on the two diagonals, and PEXT numbers these sets.
    let both = unsafe {
        *LINES.get_unchecked(usize::from(last.lines[0]) + row)
            + *LINES.get_unchecked(usize::from(last.lines[1]) + column)
            + *DIAGONALS.get_unchecked(last.diagonals_start as usize + diagonals)
    };
    (u32::from(both & 0xff), u32::from(both >> 8))
}

#[target_feature(enable = "avx2")]
#[inline]
fn replies(p: u64, o: u64, indices: [u8; 4]) -> Replies {
    let (p, o) = (splat(p), splat(o));
    let flips = [
        flips_lanes(p, o, indices[0]),
        flips_lanes(p, o, indices[1]),
        flips_lanes(p, o, indices[2]),
        flips_lanes(p, o, indices[3]),
    ];
    replies_to(p, o, flips, lanes(indices.map(|index| 1 << (index & 63))))
}

/// The replies to four moves with these flips, given for each kind of line, and discs placed.
///
/// Each lane becomes a board of its own.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn replies_to(p: __m256i, o: __m256i, flips: [__m256i; 4], placed: __m256i) -> Replies {
    use {_mm256_or_si256 as or, _mm256_unpackhi_epi64 as high, _mm256_unpacklo_epi64 as low};
    // Transposes the four by four, and unites.
    let [a, b, c, d] = flips;
    let (ab, cd) = (or(low(a, b), high(a, b)), or(low(c, d), high(c, d)));
    let flips =
        or(_mm256_permute2x128_si256::<0x20>(ab, cd), _mm256_permute2x128_si256::<0x31>(ab, cd));
    let (player, opponent) = (_mm256_xor_si256(o, flips), or(or(p, flips), placed));
    let moves = moves_of_four(player, opponent);
    Replies { player: array(player), opponent: array(opponent), moves: array(moves) }
}

/// The moves of four boards, one in each lane.
#[target_feature(enable = "avx2")]
#[inline]
fn moves_of_four(p: __m256i, o: __m256i) -> __m256i {
    use {
        _mm256_add_epi64 as add, _mm256_and_si256 as and, _mm256_or_si256 as or,
        _mm256_srli_epi64 as down,
    };
    // As in the portable back-end: eastwards by the carry of an addition, else by doubling.
    let row = and(o, splat(0x7e7e_7e7e_7e7e_7e7e));
    let east = add(row, and(row, add(p, p)));
    let west = and(row, down::<1>(p));
    let west = or(west, and(row, down::<1>(west)));
    let pairs = and(row, down::<1>(row));
    let west = or(west, and(pairs, down::<2>(west)));
    let west = or(west, and(pairs, down::<2>(west)));
    let moves = or(
        or(or(east, down::<1>(west)), along_of_four::<8, 16>(p, o)),
        or(along_of_four::<7, 14>(p, row), along_of_four::<9, 18>(p, row)),
    );
    _mm256_andnot_si256(or(p, o), moves)
}

/// The squares just beyond a run of `o` that starts next to `p`, both ways along one kind of line.
#[target_feature(enable = "avx2")]
#[inline]
fn along_of_four<const STEP: i32, const TWICE: i32>(p: __m256i, o: __m256i) -> __m256i {
    use {
        _mm256_and_si256 as and, _mm256_or_si256 as or, _mm256_slli_epi64 as up,
        _mm256_srli_epi64 as down,
    };
    let (a, b) = (and(o, up::<STEP>(p)), and(o, down::<STEP>(p)));
    let (a, b) = (or(a, and(o, up::<STEP>(a))), or(b, and(o, down::<STEP>(b))));
    let pairs_up = and(o, up::<STEP>(o));
    let pairs_down = down::<STEP>(pairs_up);
    let (a, b) = (or(a, and(pairs_up, up::<TWICE>(a))), or(b, and(pairs_down, down::<TWICE>(b))));
    let (a, b) = (or(a, and(pairs_up, up::<TWICE>(a))), or(b, and(pairs_down, down::<TWICE>(b))));
    or(up::<STEP>(a), down::<STEP>(b))
}

#[target_feature(enable = "avx2,bmi2")]
#[inline]
pub(super) fn stable(p: u64, o: u64) -> u64 {
    let seed = if HAS_SLOW_PEXT { stability::on_edges(p, o, Size::Eight) } else { on_edges(p, o) };
    let open = lines_through(splat(!(p | o)));
    let closed = _mm256_andnot_si256(open, splat(!0));
    stability::grow(p, seed, array(_mm256_or_si256(closed, lanes(stability::rims(Size::Eight)))))
}

/// The player's stable discs on the four edges.
#[target_feature(enable = "bmi2")]
#[inline]
fn on_edges(p: u64, o: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    const RIGHT: u64 = LEFT << 7;
    let edge = |p: u64, o: u64| stability::edge(p, o, Size::Eight);
    let left = edge(_pext_u64(p, LEFT), _pext_u64(o, LEFT));
    let right = edge(_pext_u64(p, RIGHT), _pext_u64(o, RIGHT));
    edge(p, o) | edge(p >> 56, o >> 56) << 56 | _pdep_u64(left, LEFT) | _pdep_u64(right, RIGHT)
}

/// All squares of the lines through `squares`, for each kind of line.
#[target_feature(enable = "avx2")]
#[inline]
fn lines_through(squares: __m256i) -> __m256i {
    use {_mm256_and_si256 as and, _mm256_or_si256 as or};
    // The masks remove what a shift moved around the rim.
    let (a, b) = (squares, squares);
    let a = or(a, and(up::<1>(a), lanes([NOT_A, !0, NOT_A, NOT_H])));
    let b = or(b, and(down::<1>(b), lanes([NOT_H, !0, NOT_H, NOT_A])));
    let a = or(a, and(up::<2>(a), lanes([NOT_AB, !0, NOT_AB, NOT_GH])));
    let b = or(b, and(down::<2>(b), lanes([NOT_GH, !0, NOT_GH, NOT_AB])));
    let a = or(a, and(up::<4>(a), lanes([EFGH, !0, EFGH, ABCD])));
    let b = or(b, and(down::<4>(b), lanes([ABCD, !0, ABCD, EFGH])));
    or(a, b)
}
