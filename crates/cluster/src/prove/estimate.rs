//! What a proof is going to cost, before it is begun.

use obverse_board::Position;
use obverse_engine::classic::Rng;

use super::tree::{Start, guess, start};
use super::{Claim, Goal, Oracle};

/// What is expected of a proof.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// Positions to solve.
    pub leaves: f64,
    /// Lines of the certificate, leaves included.
    pub lines: f64,
    /// Nodes of all solutions together.
    pub nodes: f64,
    /// How far the three may be off, as a share: the standard error of the mean.
    pub error: f64,
}

/// Estimates a proof by walks from its root down to leaves, as Knuth estimates the size of a search
/// tree: where every move counts, one is drawn and stands for all.
pub fn forecast(goal: Goal, oracle: &mut dyn Oracle, n_walks: u32, seed: u64) -> Forecast {
    let mut rng = Rng::new(seed);
    let mut sums = [0.0; 3];
    let mut squares = 0.0;
    for _ in 0..n_walks.max(1) {
        let [leaves, lines, nodes] = walk(goal, oracle, &mut rng);
        for (sum, value) in sums.iter_mut().zip([leaves, lines, nodes]) {
            *sum += value;
        }
        squares += nodes * nodes;
    }
    let n = f64::from(n_walks.max(1));
    let [leaves, lines, nodes] = sums.map(|sum| sum / n);
    let variance = (squares / n - nodes * nodes).max(0.0);
    let error = if nodes > 0.0 { (variance / n).sqrt() / nodes } else { 0.0 };
    Forecast { leaves, lines, nodes, error }
}

/// One walk: leaves, lines and nodes, as if all its siblings were like it.
fn walk(goal: Goal, oracle: &mut dyn Oracle, rng: &mut Rng) -> [f64; 3] {
    let mut weight = 1.0;
    let mut lines = 0.0;
    let (mut position, mut claim) = (goal.position, goal.claim);
    loop {
        match start(position, claim, goal.counting) {
            Start::Settled(_) => return [0.0, lines, 0.0],
            Start::Open(settled, turned) => (position, claim) = (settled, turned),
        }
        lines += weight;
        if position.empties().count() <= goal.split {
            let guess = guess(position, claim, goal, oracle);
            return [weight, lines, weight * guess.nodes];
        }
        let next: Vec<Position> =
            position.moves().into_iter().map(|mv| position.play_unchecked(mv)).collect();
        position = match claim {
            Claim::AtMost(_) => {
                weight *= next.len() as f64;
                next[rng.below(next.len() as u64) as usize]
            }
            Claim::AtLeast(_) => {
                let cost = |position: &Position, oracle: &mut dyn Oracle| match start(
                    *position,
                    claim.turned(),
                    goal.counting,
                ) {
                    Start::Settled(true) => 0.0,
                    Start::Settled(false) => f64::MAX,
                    Start::Open(settled, turned) => guess(settled, turned, goal, oracle).cost(),
                };
                let costs: Vec<f64> = next.iter().map(|position| cost(position, oracle)).collect();
                let best = (0..next.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b]));
                next[best.expect("the game is not over")]
            }
        };
        claim = claim.turned();
    }
}
