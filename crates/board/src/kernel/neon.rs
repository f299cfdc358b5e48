//! NEON, which every aarch64 CPU has: vectors of two 64-bit lanes.
//!
//! A ray towards lower indices is one towards higher indices on the board turned by half a turn,
//! and here a single instruction (`rbit`) turns a bitboard. So all rays go up.
#![expect(unsafe_code, reason = "calls of functions compiled for this CPU feature")]

use std::arch::aarch64::{
    int64x2_t, uint64x2_t, vaddq_u64, vandq_u64, vbicq_u64, vcombine_u64, vcreate_u64, vdupq_n_u64,
    vgetq_lane_u64, vornq_u64, vorrq_u64, vshlq_u64, vtstq_u64,
};
use std::arch::is_aarch64_feature_detected;

use super::tables::RAYS;
use super::{Kernel, Replies, portable, sealed, stability};
use crate::Size;

/// The back-end for aarch64 CPUs with NEON, which is all of them.
///
/// A value proves that the CPU has it.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// # Safety
    /// The CPU must have NEON.
    #[allow(dead_code, reason = "used if this back-end is the selected one")]
    pub(super) const unsafe fn new_unchecked() -> Neon {
        Neon(())
    }
}

impl sealed::Sealed for Neon {}

impl Kernel for Neon {
    const NAME: &'static str = "neon";

    fn detect() -> Option<Neon> {
        is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }

    #[inline]
    fn moves(self, p: u64, o: u64) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { moves(p, o) }
    }

    #[inline]
    fn moves_and_potential(self, p: u64, o: u64) -> (u64, u64) {
        // SAFETY: `self` proves that the CPU has the feature.
        (unsafe { moves(p, o) }, portable::potential(p, o))
    }

    #[inline]
    fn flips(self, p: u64, o: u64, index: u8) -> u64 {
        // SAFETY: `self` proves that the CPU has the feature.
        unsafe { flips(p, o, index) }
    }

    #[inline]
    fn last_flips(self, p: u64, index: u8) -> (u32, u32) {
        portable::last_flips(p, index)
    }

    #[inline]
    fn replies(self, p: u64, o: u64, indices: [u8; 4]) -> Replies {
        portable::replies(self, p, o, indices)
    }

    #[inline]
    fn stable(self, p: u64, o: u64) -> u64 {
        stability::stable(p, o, Size::Eight)
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn pair(a: u64, b: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(a), vcreate_u64(b))
}

#[target_feature(enable = "neon")]
#[inline]
fn union(lanes: uint64x2_t) -> u64 {
    vgetq_lane_u64::<0>(lanes) | vgetq_lane_u64::<1>(lanes)
}

#[target_feature(enable = "neon")]
#[inline]
fn moves(p: u64, o: u64) -> u64 {
    let inner = 0x007e_7e7e_7e7e_7e00;
    let straight = pair(o & 0x7e7e_7e7e_7e7e_7e7e, o & 0x00ff_ffff_ffff_ff00);
    let diagonal = vdupq_n_u64(o & inner);
    let p_both = vdupq_n_u64(p);
    let beyond =
        vorrq_u64(beyond_runs::<1, 8>(p_both, straight), beyond_runs::<9, 7>(p_both, diagonal));
    union(beyond) & !(p | o)
}

/// The squares just beyond a run of `o` that starts next to `p`, with a step of `A` in one lane and
/// of `B` in the other, both ways.
#[target_feature(enable = "neon")]
#[inline]
fn beyond_runs<const A: i64, const B: i64>(p: uint64x2_t, o: uint64x2_t) -> uint64x2_t {
    use {vandq_u64 as and, vorrq_u64 as or, vshlq_u64 as shift};
    // A shift by a negative count is one to the right.
    let (up, up_twice) = (steps(A, B), steps(2 * A, 2 * B));
    let (down, down_twice) = (steps(-A, -B), steps(-2 * A, -2 * B));
    let (a, b) = (and(o, shift(p, up)), and(o, shift(p, down)));
    // A run has at most six discs; each doubling extends what has been found by its own length.
    let (a, b) = (or(a, and(o, shift(a, up))), or(b, and(o, shift(b, down))));
    let pairs_up = and(o, shift(o, up));
    let pairs_down = shift(pairs_up, down);
    let (a, b) =
        (or(a, and(pairs_up, shift(a, up_twice))), or(b, and(pairs_down, shift(b, down_twice))));
    let (a, b) =
        (or(a, and(pairs_up, shift(a, up_twice))), or(b, and(pairs_down, shift(b, down_twice))));
    or(shift(a, up), shift(b, down))
}

#[target_feature(enable = "neon")]
#[inline]
fn steps(a: i64, b: i64) -> int64x2_t {
    use std::arch::aarch64::vreinterpretq_s64_u64;
    vreinterpretq_s64_u64(pair(a.cast_unsigned(), b.cast_unsigned()))
}

#[target_feature(enable = "neon")]
#[inline]
fn flips(p: u64, o: u64, index: u8) -> u64 {
    let up = flips_up(p, o, index & 63);
    let down = flips_up(p.reverse_bits(), o.reverse_bits(), 63 - (index & 63));
    union(up) | union(down).reverse_bits()
}

/// The flips along the rays towards higher indices, in two halves.
#[target_feature(enable = "neon")]
#[inline]
fn flips_up(p: u64, o: u64, index: u8) -> uint64x2_t {
    let [a, b, c, d] = RAYS[usize::from(index & 63)].up;
    let (p, o) = (vdupq_n_u64(p), vdupq_n_u64(o));
    vorrq_u64(flips_along(p, o, pair(a, b)), flips_along(p, o, pair(c, d)))
}

/// The flips along one ray in each lane.
///
/// Adding one to what is opponent's or not on the ray carries through the run to the first square
/// that is neither: our bracket, or no flips.
#[target_feature(enable = "neon")]
#[inline]
fn flips_along(p: uint64x2_t, o: uint64x2_t, rays: uint64x2_t) -> uint64x2_t {
    let carried = vaddq_u64(vornq_u64(o, rays), vdupq_n_u64(1));
    let run = vbicq_u64(vandq_u64(o, rays), carried);
    let is_closed = vtstq_u64(carried, vandq_u64(p, rays));
    vandq_u64(run, is_closed)
}
