//! The strengths of several players who played each other.
//!
//! The model is that of [`Pairs`]: a player who is stronger by d Elo expects the score
//! 1 / (1 + 10^(−d/400)). The ratings are the likeliest ones (Bradley and Terry 1952, Zermelo 1929),
//! found by Newton's method. Their errors are those of the sandwich estimator (White 1982), A⁻ B A⁻
//! with the curvature A of the likelihood and the scatter B of the pairs, as the two games of a pair
//! depend on each other and a pair is the smallest thing that can be counted.

use crate::pairs::{QUANTILE_95, score_of_elo};
use crate::{Elo, Pairs};

/// A step of Newton's method is at most so large, in Elo, so that it does not overshoot.
const STEP_MAX: f64 = 400.0;

/// The ratings are found when a step is smaller than this.
const STEP_LEAST: f64 = 1e-9;

const N_STEPS_MAX: usize = 1000;

/// The strengths of players, whose average is 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// One for each player.
    pub players: Vec<Elo>,
    /// Whether one drawn pair was added to each pairing, because without it some player would be
    /// infinitely better or worse than others: it won or lost all that there was.
    pub is_assumed: bool,
}

impl Ratings {
    /// The ratings of `n_players` after these results, each of two players from 0 on and the pairs
    /// of games as the first of them sees it; `None` if nothing was played, or the players fall into
    /// groups that did not play each other.
    pub fn new(n_players: usize, results: &[([usize; 2], Pairs)]) -> Option<Ratings> {
        let results: Vec<([usize; 2], Pairs)> =
            results.iter().copied().filter(|(_, pairs)| !pairs.is_empty()).collect();
        if n_players < 2 || !is_connected(n_players, |i, j| has_played(&results, i, j)) {
            return None;
        }
        let is_bounded = is_connected(n_players, |i, j| has_scored(&results, i, j));
        let mut counted = results;
        if !is_bounded {
            for (_, pairs) in &mut counted {
                pairs.add([0, 0]);
            }
        }
        let values = likeliest(n_players, &counted);
        let errors = errors(&values, &counted);
        let players = values.into_iter().zip(errors).map(|(value, error)| Elo { value, error });
        Some(Ratings { players: players.collect(), is_assumed: !is_bounded })
    }
}

/// Whether everybody is reached from everybody by steps from `i` to `j` where `is_step` says so.
fn is_connected(n_players: usize, is_step: impl Fn(usize, usize) -> bool) -> bool {
    let reaches_all = |is_step: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; n_players];
        let mut todo = vec![0];
        reached[0] = true;
        while let Some(i) = todo.pop() {
            for (j, is_reached) in reached.iter_mut().enumerate() {
                if !*is_reached && is_step(i, j) {
                    *is_reached = true;
                    todo.push(j);
                }
            }
        }
        reached.into_iter().all(|is_reached| is_reached)
    };
    reaches_all(&is_step) && reaches_all(&|i, j| is_step(j, i))
}

fn has_played(results: &[([usize; 2], Pairs)], i: usize, j: usize) -> bool {
    results.iter().any(|(players, _)| *players == [i, j] || *players == [j, i])
}

/// Whether `i` has won something from `j`.
fn has_scored(results: &[([usize; 2], Pairs)], i: usize, j: usize) -> bool {
    results.iter().any(|(players, pairs)| {
        let score = pairs.score().unwrap_or_default();
        *players == [i, j] && score > 0.0 || *players == [j, i] && score < 1.0
    })
}

/// The expected score of the first of a pairing.
fn expected(values: &[f64], [i, j]: [usize; 2]) -> f64 {
    score_of_elo(values[i] - values[j])
}

/// The logistic curve rises by so much of p (1 − p) in one Elo.
fn slope() -> f64 {
    std::f64::consts::LN_10 / 400.0
}

fn likeliest(n_players: usize, results: &[([usize; 2], Pairs)]) -> Vec<f64> {
    let mut values = vec![0.0; n_players];
    for _ in 0..N_STEPS_MAX {
        let mut gradient = vec![0.0; n_players];
        for (players, pairs) in results {
            let surplus = pairs.score().unwrap_or_default() - expected(&values, *players);
            gradient[players[0]] += pairs.len() as f64 * surplus;
            gradient[players[1]] -= pairs.len() as f64 * surplus;
        }
        let inverse = inverse_curvature(&values, results);
        let step = multiply(&inverse, &gradient);
        let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        let scale = (STEP_MAX / largest.max(STEP_MAX)).min(1.0);
        for (value, step) in values.iter_mut().zip(&step) {
            *value += scale * step;
        }
        if largest < STEP_LEAST {
            break;
        }
    }
    values
}

/// Half the width of the interval that holds a player's rating with 95 % confidence.
fn errors(values: &[f64], results: &[([usize; 2], Pairs)]) -> Vec<f64> {
    let n = values.len();
    let mut scatter = vec![vec![0.0; n]; n];
    for (players, pairs) in results {
        let expected = expected(values, *players);
        let sum: f64 = pairs.weighted().map(|(s, count)| count * (s - expected).powi(2)).sum();
        add_between(&mut scatter, *players, sum);
    }
    let inverse = inverse_curvature(values, results);
    let variance = |row: &Vec<f64>| -> f64 {
        multiply(&scatter, row).iter().zip(row).map(|(a, b)| a * b).sum()
    };
    inverse.iter().map(|row| QUANTILE_95 * variance(row).max(0.0).sqrt()).collect()
}

/// The inverse of how fast expected scores change with ratings. Only differences matter, so all
/// ratings may be shifted; the inverse is the one that leaves their average at 0.
fn inverse_curvature(values: &[f64], results: &[([usize; 2], Pairs)]) -> Vec<Vec<f64>> {
    let n = values.len();
    let shift = 1.0 / n as f64;
    let mut curvature = vec![vec![shift; n]; n];
    for (players, pairs) in results {
        let p = expected(values, *players);
        let weight = (pairs.len() as f64 * slope() * p * (1.0 - p)).max(f64::MIN_POSITIVE);
        add_between(&mut curvature, *players, weight);
    }
    let mut inverse = invert(curvature);
    for row in &mut inverse {
        for entry in row {
            *entry -= shift;
        }
    }
    inverse
}

/// Adds `weight` times the square of the difference of two players.
fn add_between(matrix: &mut [Vec<f64>], [i, j]: [usize; 2], weight: f64) {
    matrix[i][i] += weight;
    matrix[j][j] += weight;
    matrix[i][j] -= weight;
    matrix[j][i] -= weight;
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// Gauss and Jordan's method; the matrix is positive definite.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(unit).collect();
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for entry in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *entry /= scale;
        }
        for row in (0..n).filter(|row| *row != column) {
            let factor = matrix[row][column];
            for k in 0..n {
                matrix[row][k] -= factor * matrix[column][k];
                inverse[row][k] -= factor * inverse[column][k];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs::from(counts)
    }

    #[test]
    fn two_players_are_rated_as_by_their_pairs() {
        let result = pairs([12, 40, 60, 30, 8]);
        let ratings = Ratings::new(2, &[([0, 1], result)]).unwrap();
        let elo = result.elo().unwrap();
        let [first, second] = ratings.players[..] else { panic!("two players") };
        assert!((first.value - second.value - elo.value).abs() < 1e-6, "{ratings:?} {elo:?}");
        assert!((first.value + second.value).abs() < 1e-6);
        // Each is half the difference, and so is its error; near even the two formulas agree.
        assert!((2.0 * first.error - elo.error).abs() < 0.1, "{ratings:?} {elo:?}");
        assert!(!ratings.is_assumed);
    }

    #[test]
    fn a_middle_player_lies_in_the_middle() {
        // A beats B as B beats C, and nobody else plays: 75 % is 190.85 Elo.
        let win = pairs([0, 1, 2, 3, 4]);
        assert_eq!(win.score(), Some(0.75));
        let ratings = Ratings::new(3, &[([0, 1], win), ([1, 2], win)]).unwrap();
        let values: Vec<f64> = ratings.players.iter().map(|elo| elo.value).collect();
        for (value, expected) in values.iter().zip([190.85, 0.0, -190.85]) {
            assert!((value - expected).abs() < 0.01, "{values:?}");
        }
        assert!(ratings.players[1].error < ratings.players[0].error);
    }

    #[test]
    fn the_order_of_a_pairing_does_not_matter() {
        let forward =
            Ratings::new(3, &[([0, 1], pairs([0, 1, 2, 3, 4])), ([1, 2], pairs([1, 1, 1, 1, 2]))]);
        let back =
            Ratings::new(3, &[([1, 0], pairs([4, 3, 2, 1, 0])), ([2, 1], pairs([2, 1, 1, 1, 1]))]);
        let (forward, back) = (forward.unwrap(), back.unwrap());
        for (a, b) in forward.players.iter().zip(&back.players) {
            assert!((a.value - b.value).abs() < 1e-6 && (a.error - b.error).abs() < 1e-6);
        }
    }

    #[test]
    fn whoever_wins_everything_is_rated_with_a_draw_added() {
        let ratings =
            Ratings::new(3, &[([0, 1], pairs([0, 0, 0, 0, 9])), ([1, 2], pairs([1, 1, 1, 1, 1]))])
                .unwrap();
        assert!(ratings.is_assumed);
        assert!(ratings.players.iter().all(|elo| elo.value.is_finite() && elo.error.is_finite()));
        assert!(ratings.players[0].value > ratings.players[1].value);
    }

    #[test]
    fn players_who_did_not_meet_are_not_compared() {
        let even = pairs([1, 1, 1, 1, 1]);
        assert_eq!(Ratings::new(2, &[]), None);
        assert_eq!(Ratings::new(2, &[([0, 1], Pairs::default())]), None);
        assert_eq!(Ratings::new(4, &[([0, 1], even), ([2, 3], even)]), None);
    }

    #[test]
    fn more_games_make_smaller_errors() {
        let error = |n: u64| {
            let result = pairs([n, 2 * n, 3 * n, 2 * n, 2 * n]);
            Ratings::new(3, &[([0, 1], result), ([1, 2], result), ([0, 2], result)])
                .unwrap()
                .players[0]
                .error
        };
        let ratio = error(10) / error(40);
        assert!((ratio - 2.0).abs() < 1e-6, "{ratio}");
    }
}
