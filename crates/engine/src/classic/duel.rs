//! Games between players, and random openings to play them from.

use obverse_board::{Color, Game, Move, Position};

use super::random::random_move;
use super::{Player, Rng};

/// Plays one game from `start` to its end; passes are in it as moves.
pub fn play(start: Position, black: &mut Player, white: &mut Player) -> Game {
    let mut game = Game::new(start);
    loop {
        let position = game.position();
        let player = match position.turn() {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let Some(mv) = player.choose(position) else { return game };
        apply(&mut game, mv);
    }
}

/// Plays one game from `start`, `opening_plies` at random and the rest with one player for both
/// sides.
///
/// The opening makes games of a player without chance differ.
pub fn self_play(start: Position, player: &mut Player, opening_plies: u32, rng: &mut Rng) -> Game {
    let mut game = random_opening(start, opening_plies, rng);
    while let Some(mv) = player.choose(game.position()) {
        apply(&mut game, mv);
    }
    game
}

/// The position after `plies` random moves, a pass counting as one.
///
/// It is never over, unless `start` is: where a random move would end the game the opening ends
/// before it.
pub fn opening(start: Position, plies: u32, rng: &mut Rng) -> Position {
    random_opening(start, plies, rng).position()
}

/// The same with the moves that lead there.
pub fn random_opening(start: Position, plies: u32, rng: &mut Rng) -> Game {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let position = game.position();
        let Some(mv) = random_move(position, rng) else { break };
        if position.apply(mv).is_ok_and(Position::is_over) {
            break;
        }
        apply(&mut game, mv);
    }
    game
}

fn apply(game: &mut Game, mv: Move) {
    game.apply(mv).expect("players choose legal moves");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::Spec;
    use obverse_board::{Counting, Score, Size};

    fn player(name: &str) -> Player {
        name.parse::<Spec>().expect(name).player(1)
    }

    #[test]
    fn a_duel_is_a_whole_game_and_the_same_again() {
        for size in Size::ALL {
            let start = Position::start(size);
            let game = || play(start, &mut player("random:seed=3"), &mut player("minimax:depth=2"));
            assert!(game().is_over());
            assert_eq!(game(), game());
        }
    }

    #[test]
    fn looking_ahead_beats_chance() {
        let mut rng = Rng::new(1);
        let (mut searcher, mut random) =
            (player("alphabeta:depth=3,eval=positional"), player("random"));
        let mut wins = 0;
        for _ in 0..50 {
            let start = opening(Position::start(Size::Eight), 6, &mut rng);
            let game = play(start, &mut searcher, &mut random);
            wins += u32::from(game.result(Counting::Discs) > Some(Score(0)));
        }
        assert!(wins > 45, "{wins} of 50");
    }

    #[test]
    fn an_opening_is_never_over() {
        let mut rng = Rng::new(1);
        for size in Size::ALL {
            for plies in 0..80 {
                let position = opening(Position::start(size), plies, &mut rng);
                assert!(!position.is_over());
                let n_placed = u32::from(size.area()) - 4 - position.empties().count();
                assert!(n_placed <= plies);
            }
        }
    }
}
