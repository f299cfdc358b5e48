//! What having the move is worth: bases with which searches of all depths agree.
//!
//! Fitted to positions after all kinds of moves, a base is too much after good ones, and searches swing with
//! their depth: whoever moves last gets too much. So each base is set again by searches that end with its number
//! of empty squares. Near the end they should come to the scores in the mean, farther from it short ones to longer
//! ones, whose bases are set already.

use obverse_board::{Counting, Position};
use obverse_engine::solve::Request;
use obverse_engine::{Engine, Limits, Monitor, Question};

/// The setting of one base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The number of empty squares it belongs to.
    pub n_empties: u32,
    /// How many moves the searches look ahead that end there.
    pub depth: u32,
    /// Whether they are compared with scores, or with longer searches.
    pub is_scored: bool,
}

/// How far the searches look whose bases are set without scores.
const SHORT: u32 = 3;

/// How far those look that they are compared with: both, since one ends with either side's turn.
const LONG: [u32; 2] = [7, 8];

impl Setting {
    /// The setting of a base if scores are known of positions with `solved` empty squares.
    pub const fn new(n_empties: u32, solved: u32) -> Setting {
        if n_empties < solved {
            Setting { n_empties, depth: solved - n_empties, is_scored: true }
        } else {
            Setting { n_empties, depth: SHORT, is_scored: false }
        }
    }

    /// With how many empty squares its searches begin.
    pub const fn start(&self) -> u32 {
        self.n_empties + self.depth
    }

    /// By how many discs a search of this position is too high; `None` if there is nothing to search. `score` is
    /// asked for only where scores count.
    pub fn error(&self, engine: &mut Engine, position: Position, score: f64) -> Option<f64> {
        let found = value(engine, position, self.depth)?;
        if self.is_scored {
            return Some(found - score);
        }
        let [odd, even] = LONG.map(|depth| value(engine, position, depth));
        Some(found - f64::midpoint(odd?, even?))
    }

    /// What to add to the base if the searches are so much too high in the mean. An odd number of moves ahead it
    /// is the other side's turn.
    pub fn correction(&self, error: f64) -> f32 {
        if self.depth.is_multiple_of(2) { -error as f32 } else { error as f32 }
    }
}

/// The value of a search of so many moves in discs.
fn value(engine: &mut Engine, position: Position, depth: u32) -> Option<f64> {
    engine.forget();
    let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
    let counting = Counting::WinnerTakesEmpties;
    let question = Question { position, counting, limits, top: 1 };
    let answer = engine.think(question, &Monitor::default(), &mut |_| {});
    answer.best().map(|best| f64::from(best.value.discs))
}

/// The score of a position.
pub fn score(engine: &mut Engine, position: Position) -> Option<f64> {
    let request = Request::exact(position, Counting::WinnerTakesEmpties);
    let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
    proof.score().map(|score| f64::from(score.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;
    use obverse_engine::Config;
    use obverse_engine::classic::Rng;
    use obverse_engine::eval::Weights;
    use std::sync::Arc;

    /// A position of a random game.
    fn position(n_empties: u32, rng: &mut Rng) -> Position {
        loop {
            let mut position = Position::start(Size::Eight);
            while position.empties().count() > n_empties && position.moves().any() {
                let moves = position.moves();
                let nth = rng.below(u64::from(moves.count())) as usize;
                position = position.play_unchecked(moves.into_iter().nth(nth).unwrap());
            }
            if position.empties().count() == n_empties && position.moves().any() {
                return position;
            }
        }
    }

    #[test]
    fn a_correction_takes_the_error_away() {
        let bytes = include_bytes!("../../engine/weights/weights.bin");
        let mut rng = Rng::new(1);
        for setting in [Setting::new(7, 10), Setting::new(8, 10)] {
            assert_eq!((setting.start(), setting.is_scored), (10, true));
            let positions: Vec<Position> = (0..20).map(|_| position(10, &mut rng)).collect();
            let mean = |bytes: &[u8]| {
                let weights = Arc::new(Weights::parse(bytes).unwrap());
                let config = Config { threads: 1, table_mib: 1 };
                let mut engine = Engine::with_weights(config, weights);
                let error = |position: &Position| {
                    let score = score(&mut engine, *position).unwrap();
                    setting.error(&mut engine, *position, score).unwrap()
                };
                positions.iter().map(error).sum::<f64>() / 20.0
            };
            let weights = Weights::parse(bytes).unwrap();
            let mut bases: Vec<f32> = (0..=64).map(|n| weights.base(n)).collect();
            let before = mean(bytes);
            bases[setting.n_empties as usize] += 5.0 + setting.correction(before);
            let after = mean(&Weights::rebased(bytes, &bases).unwrap());
            // Five discs too many for whoever has the move at the end.
            let expected = if setting.depth % 2 == 0 { 5.0 } else { -5.0 };
            assert!((after - expected).abs() < 1.5, "{before}, then {after}");
        }
    }
}
