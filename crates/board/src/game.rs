//! A game: a start and the moves played from it.

use std::fmt;

use crate::{Color, Counting, IllegalMove, Position, Score, Square};

/// What a side does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Places a disc.
    Place(Square),
    /// Passes, because it has no move.
    Pass,
}

impl Move {
    /// The square of the disc placed, if this is not a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// A start position and the moves that followed, each of them legal.
///
/// A pass is forced, so nobody needs to write it down: [`Game::play`] inserts it where the side to
/// move cannot move and the other side plays on. After the last move the side to move may have to
/// pass; [`Game::settle`] does it.
///
/// ```
/// use obverse_board::{Game, Position, Size, Square};
/// let mut game = Game::new(Position::start(Size::Eight));
/// game.play(Square::F5).unwrap();
/// game.play(Square::D6).unwrap();
/// assert_eq!(game.moves().len(), 2);
/// game.undo();
/// assert_eq!(game.position().empties().count(), 59);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The position after each move; `positions[i]` follows `moves[i]`.
    positions: Vec<Position>,
}

impl Game {
    /// The game that has just begun at `start`.
    pub fn new(start: Position) -> Game {
        Game { start, moves: Vec::new(), positions: Vec::new() }
    }

    /// The same, with room for so many moves.
    pub(crate) fn with_capacity(start: Position, n_moves: usize) -> Game {
        Game { start, moves: Vec::with_capacity(n_moves), positions: Vec::with_capacity(n_moves) }
    }

    /// Where the game began.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The position now.
    pub fn position(&self) -> Position {
        self.positions.last().copied().unwrap_or(self.start)
    }

    /// All moves in order, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Each move with the position it was played in.
    pub fn steps(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        let before = std::iter::once(self.start).chain(self.positions.iter().copied());
        before.zip(self.moves.iter().copied())
    }

    /// Places a disc, after a pass if the side to move must pass and `square` is the other side's
    /// move.
    ///
    /// # Errors
    /// If the rules forbid it; the game is unchanged.
    pub fn play(&mut self, square: Square) -> Result<(), IllegalMove> {
        let position = self.position();
        if position.must_pass() {
            // Try the move first: an illegal one must not leave the pass behind.
            let next = position.pass_unchecked().play(square)?;
            self.push(Move::Pass, position.pass_unchecked());
            self.push(Move::Place(square), next);
        } else {
            let next = position.play(square)?;
            self.push(Move::Place(square), next);
        }
        Ok(())
    }

    /// Makes a move exactly as given: a pass must be said.
    ///
    /// # Errors
    /// If the rules forbid it; the game is unchanged.
    pub fn apply(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().apply(mv)?;
        self.push(mv, next);
        Ok(())
    }

    /// Passes if the side to move must; tells whether it did.
    pub fn settle(&mut self) -> bool {
        let position = self.position();
        let must_pass = position.must_pass();
        if must_pass {
            self.push(Move::Pass, position.pass_unchecked());
        }
        must_pass
    }

    /// Adds a move that is known to be legal and to lead to `next`.
    pub(crate) fn push(&mut self, mv: Move, next: Position) {
        self.moves.push(mv);
        self.positions.push(next);
    }

    /// Takes back the last disc and the passes after it; tells which it was.
    pub fn undo(&mut self) -> Option<Square> {
        while let Some(mv) = self.moves.pop() {
            self.positions.pop();
            if let Move::Place(square) = mv {
                // The pass before it was forced by the position and would be inserted again; it
                // stays, so that the same side is to move as before.
                return Some(square);
            }
        }
        None
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// Black's disc difference if the game is over.
    pub fn result(&self, counting: Counting) -> Option<Score> {
        self.is_over().then(|| self.position().score_for(Color::Black, counting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Size};

    /// Plays the first legal move until the end.
    fn first_move_game(size: Size) -> Game {
        let mut game = Game::new(Position::start(size));
        loop {
            game.settle();
            let Some(square) = game.position().moves().first() else { return game };
            game.play(square).unwrap();
        }
    }

    #[test]
    fn passes_need_not_be_said() {
        // Black must pass; white can take b1 from a1.
        let stuck = Position::new(
            Size::Eight,
            Bitboard::of(Square::B1),
            Bitboard::of(Square::A1),
            Color::Black,
        )
        .unwrap();
        let mut game = Game::new(stuck);
        assert!(game.play(Square::H8).is_err());
        assert_eq!(game.moves(), [], "a refused move leaves no pass behind");
        game.play(Square::C1).unwrap();
        assert_eq!(game.moves(), [Move::Pass, Move::Place(Square::C1)]);
        assert!(game.is_over());
        assert_eq!(game.result(Counting::Discs), Some(Score(-3)));
        assert_eq!(game.undo(), Some(Square::C1));
        assert_eq!(game.position(), stuck.pass().unwrap());
    }

    #[test]
    fn undoing_every_move_gives_the_start() {
        for size in Size::ALL {
            let mut game = first_move_game(size);
            assert!(game.is_over());
            let n_discs = game.moves().iter().filter(|mv| mv.square().is_some()).count();
            for _ in 0..n_discs {
                assert!(game.undo().is_some());
            }
            assert_eq!(game.undo(), None);
            assert_eq!(game.position(), Position::start(size));
        }
    }

    #[test]
    fn steps_replay_the_game() {
        let game = first_move_game(Size::Eight);
        let mut position = game.start();
        for (before, mv) in game.steps() {
            assert_eq!(before, position);
            position = position.apply(mv).unwrap();
        }
        assert_eq!(position, game.position());
    }
}
