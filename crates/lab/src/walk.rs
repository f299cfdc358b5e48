//! Away from a game, to where searches come.
//!
//! Where a search ends, one side has made its best moves and the other any. So each side moves either well or at
//! random, or now so and now so.

use obverse_board::Position;
use obverse_engine::classic::Rng;
use obverse_engine::eval::Weights;

/// How often a side moves at random, of four times.
const STRAYS: [u64; 4] = [0, 1, 2, 4];

/// The position so many moves farther; `None` if the game is over before.
pub(crate) fn walk(
    weights: &Weights,
    position: Position,
    n_moves: u32,
    rng: &mut Rng,
) -> Option<Position> {
    let strays = [0; 2].map(|_| STRAYS[rng.below(4) as usize]);
    (0..n_moves).try_fold(position, |position, nth| {
        if rng.below(4) < strays[nth as usize % 2] {
            stray(position, rng)
        } else {
            best_at_once(weights, position)
        }
    })
}

/// The position after a random move; `None` if the game is over.
pub(crate) fn stray(mut position: Position, rng: &mut Rng) -> Option<Position> {
    if position.must_pass() {
        position = position.pass_unchecked();
    }
    let moves = position.moves();
    let nth = rng.below(u64::from(moves.count().max(1))) as usize;
    moves.into_iter().nth(nth).map(|square| position.play_unchecked(square))
}

/// The position after the move that the evaluation likes best; `None` if the game is over.
fn best_at_once(weights: &Weights, mut position: Position) -> Option<Position> {
    if position.must_pass() {
        position = position.pass_unchecked();
    }
    let after = position.moves().into_iter().map(|square| position.play_unchecked(square));
    let valued = after.map(|after| (weights.discs(after.board()), after));
    valued.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;

    #[test]
    fn the_move_that_the_evaluation_likes_best_is_made() {
        let weights = Weights::built_in();
        // At the start all moves are alike.
        let mut position = Position::start(Size::Eight);
        for seed in 0..10 {
            position = stray(position, &mut Rng::new(seed)).unwrap();
            let best = weights.discs(best_at_once(&weights, position).unwrap().board());
            let values = position.moves().into_iter().map(|square| position.play_unchecked(square));
            let values: Vec<f64> = values.map(|after| weights.discs(after.board())).collect();
            assert!(values.contains(&best) && values.iter().all(|value| *value >= best));
        }
    }

    #[test]
    fn a_walk_has_as_many_moves_as_asked() {
        let weights = Weights::built_in();
        let start = Position::start(Size::Eight);
        for (n_moves, seed) in [(0, 1), (1, 2), (7, 3), (20, 4)] {
            let end = walk(&weights, start, n_moves, &mut Rng::new(seed)).unwrap();
            assert_eq!(end.empties().count(), 60 - n_moves);
        }
        assert!(walk(&weights, start, 61, &mut Rng::new(5)).is_none());
    }
}
