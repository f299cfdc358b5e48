//! The sequential probability ratio test: is one player better, told as early as possible.
//!
//! Two hypotheses are compared: the first player is better by `elo0`, or by `elo1`. After every pair
//! of games the logarithm of the ratio of their likelihoods is looked at; when it leaves the bounds
//! that the two admitted errors give (Wald 1945), the test is over.
//!
//! The likelihood of a hypothesis is that of the likeliest distribution of the five results of a pair
//! whose mean is the score the hypothesis expects: the "generalized" ratio test, in the form of Michel
//! Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood ratio for the
//! expectation value of a distribution", which is the logistic model of the test servers for chess.
//! The likeliest distribution with mean s is pᵢ / (1 + x (aᵢ − s)) for the observed frequencies pᵢ of
//! the scores aᵢ, where x makes the mean come out as s.

use std::fmt;

use crate::Pairs;
use crate::pairs::score_of_elo;

/// What is counted for a result that has not occurred: without it the likeliest distribution could
/// not have the mean it should.
const UNSEEN: f64 = 1e-3;

/// A test between two hypotheses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first player is better by `elo1`.
    Accepted,
    /// It is not better than `elo0`.
    Rejected,
}

/// What is wrong with the numbers of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SprtError {
    /// The second hypothesis must be the larger one.
    Elo(f64, f64),
    /// An admitted error must lie between 0 and 1/2.
    Risk(f64),
}

impl Sprt {
    /// The test of `elo1` against `elo0` that accepts wrongly with probability `alpha` and rejects
    /// wrongly with probability `beta`.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, or an error is not between 0 and 1/2.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Elo(elo0, elo1));
        }
        if let Some(&risk) = [alpha, beta].iter().find(|&&risk| !(risk > 0.0 && risk < 0.5)) {
            return Err(SprtError::Risk(risk));
        }
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        Ok(Sprt { elo0, elo1, lower, upper })
    }

    /// Below the first and above the second the test is over.
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }

    /// The logarithm of the ratio of likelihoods; positive if `elo1` explains the results better.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.is_empty() {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> =
            pairs.weighted().map(|(score, count)| (score, count.max(UNSEEN))).collect();
        // With the likeliest distributions pᵢ/(1 + x₀(aᵢ − s₀)) and pᵢ/(1 + x₁(aᵢ − s₁)) the
        // observed frequencies cancel.
        let [factor0, factor1] = [self.elo0, self.elo1].map(|elo| {
            let mean = score_of_elo(elo);
            let x = tilt(&counts, mean);
            move |score: f64| 1.0 + x * (score - mean)
        });
        counts.iter().map(|&(score, n)| n * (factor0(score) / factor1(score)).ln()).sum()
    }

    /// How the test ended; `None` while it goes on.
    pub fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let llr = self.llr(pairs);
        if llr >= self.upper {
            Some(Verdict::Accepted)
        } else if llr <= self.lower {
            Some(Verdict::Rejected)
        } else {
            None
        }
    }
}

/// The x with Σ nᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0, for scores aᵢ with counts nᵢ and the mean s.
fn tilt(counts: &[(f64, f64)], mean: f64) -> f64 {
    let sum = |x: f64| -> f64 {
        counts.iter().map(|&(score, n)| n * (score - mean) / (1.0 + x * (score - mean))).sum()
    };
    // All probabilities are positive between these; there the sum falls from +∞ to −∞. Halving the
    // interval loses no digit to the poles, unlike faster methods.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    loop {
        let x = f64::midpoint(low, high);
        if x <= low || x >= high {
            return x;
        }
        if sum(x) > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
        })
    }
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Elo(elo0, elo1) => {
                write!(f, "found {elo0} and {elo1}, expected the smaller Elo first")
            }
            SprtError::Risk(risk) => {
                write!(f, "found an admitted error of {risk}, expected one between 0 and 0.5")
            }
        }
    }
}

impl std::error::Error for SprtError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&Pairs::from(counts))
    }

    #[test]
    fn the_ratio_is_that_of_the_chess_servers() {
        // Values of LLR_logistic of fishtest (server/fishtest/stats/LLRcalc.py).
        for (counts, elo0, elo1, expected) in [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.040_320_372_416_706_79),
            ([3, 20, 50, 22, 5], 0.0, 5.0, 0.178_380_224_381_881_25),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.934_472_911_388_982_9),
            ([0, 10, 30, 12, 0], 0.0, 20.0, -0.270_414_536_288_852_04),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085_226_848_211_516),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.997_301_135_158_272_3),
            ([12, 40, 60, 30, 8], -10.0, 10.0, -2.057_973_200_426_021_6),
        ] {
            let found = llr(counts, elo0, elo1);
            assert!((found - expected).abs() < 1e-9, "{counts:?}: {found}, expected {expected}");
        }
    }

    #[test]
    fn with_two_results_the_ratio_is_that_of_a_coin() {
        // Pairs of 0 or 2 points only: the likeliest distribution with mean s gives s to the wins,
        // so the ratio is that of 70 heads and 30 tails. What is counted for the unseen results
        // shifts it a little.
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(60.0));
        let expected = 70.0 * (s1 / s0).ln() + 30.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let found = llr([30, 0, 0, 0, 70], 0.0, 60.0);
        assert!((found - expected).abs() < 1e-3, "{found}, expected {expected}");
    }

    #[test]
    fn the_ratio_is_symmetric_between_the_players() {
        let (one, other) = (llr([1, 5, 9, 7, 3], -3.0, 8.0), llr([3, 7, 9, 5, 1], -8.0, 3.0));
        assert!((one + other).abs() < 1e-9, "{one} {other}");
        assert!(llr([4, 6, 9, 6, 4], -5.0, 5.0).abs() < 1e-9);
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((upper - 19_f64.ln()).abs() < 1e-12 && (lower + 19_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.verdict(&Pairs::default()), None);
        assert_eq!(sprt.verdict(&Pairs::from([0, 0, 0, 0, 400])), Some(Verdict::Accepted));
        assert_eq!(sprt.verdict(&Pairs::from([400, 0, 0, 0, 0])), Some(Verdict::Rejected));
        assert_eq!(sprt.verdict(&Pairs::from([1, 2, 3, 2, 1])), None);
    }

    #[test]
    fn senseless_tests_are_refused() {
        assert_eq!(Sprt::new(5.0, 0.0, 0.05, 0.05), Err(SprtError::Elo(5.0, 0.0)));
        assert!(Sprt::new(f64::NAN, 0.0, 0.05, 0.05).is_err());
        assert_eq!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Risk(0.0)));
        assert_eq!(Sprt::new(0.0, 5.0, 0.05, 0.5), Err(SprtError::Risk(0.5)));
    }
}
