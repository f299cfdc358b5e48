//! AVX-512 on 256-bit vectors: the lanes of [`avx2`](super::avx2) with leading zeros counted in
//! hardware.
//!
//! What is not here is the AVX2 code: compiled into a function with these features, its `and`s and
//! `or`s become ternary logic, which is all there is to gain. 256 bits and not 512, because wider
//! ones cost clock speed or issue ports on most CPUs for what is a single board.
#![expect(unsafe_code, reason = "calls of functions compiled for these CPU features")]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_cvtepu8_epi64, _mm256_lzcnt_epi64, _mm256_or_si256, _mm256_rolv_epi64,
    _mm256_rorv_epi64, _mm256_setzero_si256, _mm256_sub_epi64,
};

use super::avx2::{self, flips_up, lanes, splat, union};
use super::tables::RAYS;
use super::{Kernel, Replies, sealed};

/// The back-end for x86-64 CPUs with AVX-512 F, BW, CD, DQ and VL and all that [`Avx2`](super::Avx2)
/// asks for (x86-64-v4).
///
/// A value proves that the CPU has them.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The CPU must have the features named above.
    #[allow(dead_code, reason = "used if this back-end is the selected one")]
    pub(super) const unsafe fn new_unchecked() -> Avx512 {
        Avx512(())
    }
}

impl sealed::Sealed for Avx512 {}

impl Kernel for Avx512 {
    const NAME: &'static str = "avx512";

    fn detect() -> Option<Avx512> {
        let has_all = super::Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has_all.then_some(Avx512(()))
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
        // SAFETY: `self` proves that the CPU has the features.
        unsafe { avx2::last_flips(p, index) }
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

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
fn moves(p: u64, o: u64) -> u64 {
    avx2::moves(p, o)
}

#[target_feature(enable = "avx2,avx512f,avx512vl")]
#[inline]
fn moves_and_potential(p: u64, o: u64) -> (u64, u64) {
    avx2::moves_and_potential(p, o)
}

#[target_feature(enable = "avx2,bmi2,avx512f,avx512vl")]
#[inline]
fn stable(p: u64, o: u64) -> u64 {
    avx2::stable(p, o)
}

#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
fn flips(p: u64, o: u64, index: u8) -> u64 {
    union(flips_lanes(splat(p), splat(o), index))
}

#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
fn replies(p: u64, o: u64, indices: [u8; 4]) -> Replies {
    let (wide_p, wide_o) = (splat(p), splat(o));
    let flips = [
        flips_lanes(wide_p, wide_o, indices[0]),
        flips_lanes(wide_p, wide_o, indices[1]),
        flips_lanes(wide_p, wide_o, indices[2]),
        flips_lanes(wide_p, wide_o, indices[3]),
    ];
    // Rotations take any count; for shifts the compiler would add a guard.
    let indices = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(i32::from_le_bytes(indices)));
    avx2::replies_to(wide_p, wide_o, flips, _mm256_rolv_epi64(splat(1), indices))
}

/// The flips along each kind of line.
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
#[inline]
fn flips_lanes(p: __m256i, o: __m256i, index: u8) -> __m256i {
    let rays = &RAYS[usize::from(index & 63)];
    _mm256_or_si256(flips_up(p, o, lanes(rays.up)), flips_down(p, o, lanes(rays.down)))
}

/// The flips along the rays towards lower indices.
///
/// The highest square of the ray that is not the opponent's decides.
#[target_feature(enable = "avx512f,avx512cd,avx512vl")]
#[inline]
fn flips_down(p: __m256i, o: __m256i, rays: __m256i) -> __m256i {
    let end = _mm256_andnot_si256(o, rays);
    // The square after the highest, one higher: a rotation of bit 0, for which (unlike for a shift
    // of bit 63) the compiler needs no guard against a count of 64. If there is no end the count is
    // 64 and this is bit 0, which the next line removes.
    let after = _mm256_rorv_epi64(splat(1), _mm256_lzcnt_epi64(end));
    let own = _mm256_and_si256(p, rays);
    // No ray to lower indices contains bit 63, so that nothing is lost by doubling.
    let after_bracket = _mm256_and_si256(after, _mm256_add_epi64(own, own));
    // All from there upwards; nothing if there is no bracket.
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), after_bracket);
    _mm256_and_si256(above, rays)
}
