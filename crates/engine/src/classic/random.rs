//! The player that picks any legal move.

use obverse_board::{Move, Position};

use super::Rng;

/// Plays each legal move with the same probability, the same game again for the same seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// The player with this seed.
    pub const fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }

    /// A legal move: a pass only where it is forced, `None` when the game is over.
    pub fn choose(&mut self, position: Position) -> Option<Move> {
        random_move(position, &mut self.rng)
    }
}

/// A legal move drawn from `rng`; forced passes and finished games draw nothing.
pub(super) fn random_move(position: Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.moves();
    if moves.is_empty() {
        return position.must_pass().then_some(Move::Pass);
    }
    let drawn = rng.below(u64::from(moves.count()));
    moves.into_iter().nth(drawn as usize).map(Move::Place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Color, Size, Square};

    #[test]
    fn every_legal_move_is_played_about_equally_often() {
        let start = Position::start(Size::Eight);
        let mut player = Random::new(1);
        let mut counts = [0_u32; 64];
        for _ in 0..4000 {
            let square = player.choose(start).and_then(Move::square).expect("the start has moves");
            counts[usize::from(square.index())] += 1;
        }
        for square in Square::ALL {
            let count = counts[usize::from(square.index())];
            let expected = if start.moves().contains(square) { 1000 } else { 0 };
            assert!(count.abs_diff(expected) <= expected / 8, "{square}: {count}");
        }
    }

    #[test]
    fn it_passes_only_when_it_must_and_stops_at_the_end() {
        let discs = |black, white| {
            Position::new(Size::Four, Bitboard::of(black), Bitboard::of(white), Color::Black)
        };
        let mut player = Random::new(1);
        assert_eq!(player.choose(discs(Square::B1, Square::A1).unwrap()), Some(Move::Pass));
        assert_eq!(player.choose(discs(Square::A1, Square::D4).unwrap()), None);
    }
}
