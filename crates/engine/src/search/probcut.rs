//! Leaving out what hardly matters (`ProbCut`).
//!
//! The value of a short search says much about that of a long one: their difference is spread about
//! a small mean. Where a short search says that the long one will exceed `alpha`, or not, by more
//! than so many spreads, the long one is not made. How many spreads is the search's [`Care`].

use super::Worker;
use crate::eval::{UNIT, Windows};

/// How sure a search must be of what it leaves out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Care(pub(crate) u8);

impl Care {
    /// The least careful.
    pub(crate) const QUICK: Care = Care(0);

    /// Careful enough for a search that is not followed by another: what is left out adds up with the depth.
    pub(crate) const CAREFUL: Care = Care(3);

    /// Nothing is left out.
    pub(crate) const PROOF: Care = Care(5);

    /// The spreads a short search must be beyond the bound.
    const SPREADS: [f32; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];

    /// The most careful that still leaves something out.
    pub(crate) const SURE: Care = Care(4);

    /// How careful the searches to the end are that lead up to one with `goal`.
    pub(crate) fn ladder(n_empties: u32, goal: Care) -> impl Iterator<Item = Care> {
        let steps: &[u8] = match n_empties {
            0..19 => &[],
            19..23 => &[0],
            23..27 => &[0, 2],
            27.. => &[0, 2, 4],
        };
        steps.iter().map(|step| Care(*step)).filter(move |care| *care < goal).chain([goal])
    }

    /// The probability that a decision is right, in per cent.
    pub(crate) const fn percent(self) -> u8 {
        match self.0 {
            0 => 73,
            1 => 87,
            2 => 95,
            3 | 4 => 99,
            _ => 100,
        }
    }

    /// The most careful one that leaves out what it is so many per cent sure of, or less.
    pub(crate) fn of_percent(percent: u8) -> Care {
        let most = (0..=Care::SURE.0).map(Care).rfind(|care| care.percent() <= percent);
        most.unwrap_or(Care::QUICK)
    }

    fn spreads(self) -> Option<f32> {
        Care::SPREADS.get(usize::from(self.0)).copied()
    }
}

/// How far the value of a long search is from that of a short one, in discs: mean and spread.
///
/// Fitted to pairs of searches by `obverse lab probcut`.
#[derive(Clone, Copy)]
struct Model {
    /// The factors of 1, the short depth, the long depth and the number of empties in the mean.
    mean: [f32; 4],
    /// The same for the logarithm of the spread.
    log_spread: [f32; 4],
}

const MID: Model = Model {
    mean: [0.0412, 0.0418, 0.0615, -0.0222],
    log_spread: [1.6279, -0.1399, 0.0894, -0.0261],
};

/// Where the long search is to the end; its depth does not count.
const END: Model =
    Model { mean: [0.5353, -0.0815, 0.0, 0.0202], log_spread: [2.1021, -0.0761, 0.0, -0.0006] };

impl Model {
    fn error(&self, short: u32, long: u32, n_empties: u32) -> (f32, f32) {
        let terms = [1.0, short as f32, long as f32, n_empties as f32];
        let dot =
            |factors: &[f32; 4]| -> f32 { factors.iter().zip(&terms).map(|(a, b)| a * b).sum() };
        (dot(&self.mean), dot(&self.log_spread).exp())
    }
}

impl<const FULL: bool, const TAKES: bool> Worker<'_, FULL, TAKES> {
    /// The value, as far as a shorter search tells whether it exceeds `alpha`.
    #[inline]
    pub(super) fn probcut_mid(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        alpha: i32,
        depth: u32,
        n_empties: u32,
    ) -> Option<i32> {
        let spreads = self.care.spreads()?;
        if depth < 3 || self.n_nested >= 2 {
            return None;
        }
        let short = 2 * (depth / 4) + (depth & 1);
        let (mean, spread) = MID.error(short, depth, n_empties);
        self.probcut(p, o, windows, alpha, short, n_empties, (mean, spread), spreads)
    }

    /// The score, as far as a short search tells whether it exceeds `alpha`.
    #[inline]
    pub(super) fn probcut_end(
        &mut self,
        p: u64,
        o: u64,
        alpha: i32,
        n_empties: u32,
    ) -> Option<i32> {
        let spreads = self.care.spreads()?;
        let short = if n_empties < 14 { 2 } else { 4 };
        let (mean, spread) = END.error(short, n_empties, n_empties);
        let windows = Self::windows(p, o);
        let error = (mean, spread);
        let alpha_units = alpha * UNIT + UNIT / 2;
        let value = self.probcut(p, o, &windows, alpha_units, short, n_empties, error, spreads)?;
        // Where the winner takes the empties every score is even.
        let odd = i32::from(TAKES);
        Some(if value > alpha_units {
            alpha + 1 + ((alpha + 1) & odd)
        } else {
            alpha - (alpha & odd)
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a node is in registers")]
    fn probcut(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        alpha: i32,
        short: u32,
        n_empties: u32,
        (mean, spread): (f32, f32),
        spreads: f32,
    ) -> Option<i32> {
        let margin = (spreads * spread * UNIT as f32) as i32;
        let shift = (mean * UNIT as f32) as i32;
        // The evaluation itself must point the same way, or the short search is a waste.
        let now = self.estimate(p, o, windows, n_empties);
        let limit = self.arena.area() * UNIT;
        let high = alpha + 1 + margin - shift;
        if high < limit && now >= alpha + 1 - shift {
            self.n_nested += 1;
            let value = self.mid(p, o, windows, high - 1, short, n_empties);
            self.n_nested -= 1;
            if value >= high && !self.is_cancelled() {
                return Some(alpha + 1);
            }
        }
        let low = alpha - margin - shift;
        if low > -limit && now <= alpha - shift {
            self.n_nested += 1;
            let value = self.mid(p, o, windows, low, short, n_empties);
            self.n_nested -= 1;
            if value <= low && !self.is_cancelled() {
                return Some(alpha);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn care_is_told_by_its_percent() {
        for care in [Care::QUICK, Care(1), Care(2), Care::SURE] {
            assert_eq!(Care::of_percent(care.percent()), care);
        }
        assert_eq!(Care::of_percent(0), Care::QUICK);
        assert_eq!(Care::of_percent(94), Care(1));
        assert_eq!(Care::of_percent(100), Care::SURE, "a proof is asked for otherwise");
    }
}
