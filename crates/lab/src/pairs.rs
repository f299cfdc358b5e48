//! The results of paired games, and what they say about the players.
//!
//! Both games of a pair start from one opening. If the opening favors a side the pair tends to be
//! even, so the results of the two games depend on each other, and counting single games would give
//! error bars that are too wide. The five results of a pair are counted instead ("pentanomial").

/// The half points of a pair: 0 for two losses, 4 for two wins.
const N_RESULTS: usize = 5;

/// The quantile of the normal distribution between which and its negative 95 % lie.
pub(crate) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// How many pairs of games ended with 0, ½, 1, 1½ and 2 points for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    counts: [u64; N_RESULTS],
}

/// A difference in strength, in Elo for the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The most likely difference.
    pub value: f64,
    /// Half the width of the interval that contains the true one with 95 % confidence; infinite if
    /// the interval has no end.
    pub error: f64,
}

impl Pairs {
    /// Counts one more pair, by the disc differences of its games for the first player.
    pub fn add(&mut self, discs: [i32; 2]) {
        // A loss is 0 half points, a draw 1, a win 2.
        let half_points: i32 = discs.iter().map(|discs| discs.signum() + 1).sum();
        self.counts[half_points as usize] += 1;
    }

    /// The number of pairs with each result, from two losses to two wins.
    pub fn counts(&self) -> [u64; N_RESULTS] {
        self.counts
    }

    /// The number of pairs.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether no pair was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The points of the first player as a part of all points, from 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.mean(|score| score))
    }

    /// The difference in strength; `None` if every pair was lost, every pair was won, or there is
    /// none: then any difference large enough explains the result.
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score().filter(|&score| score > 0.0 && score < 1.0)?;
        let variance = self.mean(|pair| (pair - score).powi(2));
        let error = QUANTILE_95 * (variance / self.len() as f64).sqrt();
        let (low, high) = (elo_of_score(score - error), elo_of_score(score + error));
        Some(Elo { value: elo_of_score(score), error: (high - low) / 2.0 })
    }

    fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = self.weighted().map(|(score, count)| value(score) * count).sum();
        sum / self.len() as f64
    }

    /// The results as scores from 0 to 1, each with the number of its pairs.
    pub(crate) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let scores = (0..N_RESULTS).map(|i| i as f64 / (N_RESULTS - 1) as f64);
        scores.zip(self.counts.iter().map(|&count| count as f64))
    }
}

/// From two losses to two wins.
impl From<[u64; N_RESULTS]> for Pairs {
    fn from(counts: [u64; N_RESULTS]) -> Pairs {
        Pairs { counts }
    }
}

/// The score a player expects who is stronger by `elo`.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The inverse of [`score_of_elo`], infinite at and beyond its ends.
fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(counts: [u64; 5], value: f64, error: f64) {
        let elo = Pairs::from(counts).elo().expect("an Elo");
        assert!((elo.value - value).abs() < 0.005, "{elo:?}, expected {value}");
        assert!((elo.error - error).abs() < 0.005, "{elo:?}, expected {error}");
    }

    #[test]
    fn elo_is_what_the_logistic_curve_says() {
        // 10 points of 16 are +88.74 = 400 log10(10 / 6). The variance of a pair's score is 1/64, so
        // the score is 0.625 ± 1.95996 √(1/64 / 8), from 0.53838 to 0.71162: +26.72 to +156.91.
        check([0, 0, 4, 4, 0], 88.74, 65.095);
        // Here it is 1/4 and 0.5 ± 1.95996 √(1/4 / 10), from 0.19010 to 0.80990: -251.78 to +251.78.
        check([5, 0, 0, 0, 5], 0.0, 251.78);
    }

    #[test]
    fn an_even_match_has_no_difference_and_a_narrow_error() {
        // Colors decide every game: every pair is even, and there is nothing to be unsure about.
        check([0, 0, 50, 0, 0], 0.0, 0.0);
    }

    #[test]
    fn what_cannot_be_measured_is_not() {
        assert_eq!(Pairs::default().elo(), None);
        assert_eq!(Pairs::default().score(), None);
        assert_eq!(Pairs::from([0, 0, 0, 0, 9]).elo(), None);
        assert_eq!(Pairs::from([9, 0, 0, 0, 0]).elo(), None);
        assert_eq!(Pairs::from([0, 0, 0, 1, 1]).elo().map(|elo| elo.error), Some(f64::INFINITY));
    }

    #[test]
    fn pairs_are_counted_by_half_points() {
        let mut pairs = Pairs::default();
        for discs in [[-2, -64], [0, -6], [10, -30], [0, 0], [4, 0], [2, 2]] {
            pairs.add(discs);
        }
        assert_eq!(pairs.counts(), [1, 1, 2, 1, 1]);
        assert_eq!(pairs.len(), 6);
        assert_eq!(pairs.score(), Some(0.5));
    }
}
