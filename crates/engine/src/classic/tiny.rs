//! Reversi Tiny: the whole game on 4×4, by the book and exact to the last state.
//!
//! A state is a board and the player to move. Its successors are the boards after each legal move,
//! in reading order of the new disc; a player without a move has one successor, the same board with
//! the other player to move; a finished game has none and is worth 1 if dark has more discs, -1 if
//! light has, and 0 if neither. Dark maximizes, light minimizes, and both are written out as two
//! functions that call each other, as in the textbooks; every call counts one state.
//!
//! Nothing here is special to 4×4 except that from its start the end can be reached: it takes 224821
//! states, or 7208 with alpha-beta. Larger boards work too when few squares are empty.

use std::cmp::Ordering;

use obverse_board::{Color, Position};

/// More than any value, and its negative less: where alpha-beta starts.
const INFINITY: i8 = 2;

/// What the search of a state found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// 1 if dark wins, -1 if light wins, 0 for a tie, both sides playing their best.
    pub value: i8,
    /// The number of states visited, the first one included.
    pub states: u64,
    /// The first successor with that value: the same board where the player must pass, `None` when
    /// the game is over.
    pub successor: Option<Position>,
}

/// The states that can follow `position`, in reading order of the new disc.
pub fn successors(position: Position) -> impl Iterator<Item = Position> {
    let moves = position.moves();
    let pass = (moves.is_empty() && position.must_pass()).then(|| position.pass_unchecked());
    moves.into_iter().map(move |square| position.play_unchecked(square)).chain(pass)
}

/// Searches `position` to the end of the game by minimax.
///
/// ```
/// use obverse_board::{Position, Size, Square};
/// use obverse_engine::classic::tiny;
///
/// let start = Position::start(Size::Four);
/// let answer = tiny::minimax(start);
/// assert_eq!((answer.value, answer.states), (-1, 224821));
/// assert_eq!(answer.successor, start.play(Square::B1).ok());
/// ```
pub fn minimax(position: Position) -> Answer {
    let mut search = Minimax { states: 0 };
    let (value, successor) = match position.turn() {
        Color::Black => search.max(position),
        Color::White => search.min(position),
    };
    Answer { value, states: search.states, successor }
}

/// Searches `position` to the end of the game by alpha-beta.
///
/// It is fail-hard, starts with the widest window, cuts as soon as alpha reaches beta, and prefers a
/// later successor only if it is strictly better.
pub fn alphabeta(position: Position) -> Answer {
    let mut search = AlphaBeta { states: 0 };
    let (value, successor) = match position.turn() {
        Color::Black => search.max(position, -INFINITY, INFINITY),
        Color::White => search.min(position, -INFINITY, INFINITY),
    };
    Answer { value, states: search.states, successor }
}

struct Minimax {
    states: u64,
}

impl Minimax {
    fn max(&mut self, position: Position) -> (i8, Option<Position>) {
        self.states += 1;
        let mut best = (-INFINITY, None);
        for next in successors(position) {
            let (value, _) = self.min(next);
            if value > best.0 {
                best = (value, Some(next));
            }
        }
        if best.1.is_none() { (winner(position), None) } else { best }
    }

    fn min(&mut self, position: Position) -> (i8, Option<Position>) {
        self.states += 1;
        let mut best = (INFINITY, None);
        for next in successors(position) {
            let (value, _) = self.max(next);
            if value < best.0 {
                best = (value, Some(next));
            }
        }
        if best.1.is_none() { (winner(position), None) } else { best }
    }
}

struct AlphaBeta {
    states: u64,
}

impl AlphaBeta {
    fn max(&mut self, position: Position, mut alpha: i8, beta: i8) -> (i8, Option<Position>) {
        self.states += 1;
        if position.is_over() {
            return (winner(position).clamp(alpha, beta), None);
        }
        let mut choice = None;
        for next in successors(position) {
            let (value, _) = self.min(next, alpha, beta);
            if value > alpha {
                (alpha, choice) = (value, Some(next));
            }
            if alpha >= beta {
                break;
            }
        }
        (alpha, choice)
    }

    fn min(&mut self, position: Position, alpha: i8, mut beta: i8) -> (i8, Option<Position>) {
        self.states += 1;
        if position.is_over() {
            return (winner(position).clamp(alpha, beta), None);
        }
        let mut choice = None;
        for next in successors(position) {
            let (value, _) = self.max(next, alpha, beta);
            if value < beta {
                (beta, choice) = (value, Some(next));
            }
            if alpha >= beta {
                break;
            }
        }
        (beta, choice)
    }
}

/// Who has more discs: 1 for dark, -1 for light, 0 for neither.
fn winner(position: Position) -> i8 {
    let count = |color| position.discs(color).count();
    match count(Color::Black).cmp(&count(Color::White)) {
        Ordering::Greater => 1,
        Ordering::Less => -1,
        Ordering::Equal => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Size, Square};

    /// Reads 16 digits in reading order: 0 empty, 1 dark, 2 light.
    fn state(digits: &str, player: u8) -> Position {
        let discs = |digit: char| -> Bitboard {
            let found = digits.chars().zip(Size::Four.squares()).filter(|&(c, _)| c == digit);
            found.map(|(_, square)| square).collect()
        };
        let turn = if player == 1 { Color::Black } else { Color::White };
        assert_eq!(digits.len(), 16);
        Position::new(Size::Four, discs('1'), discs('2'), turn).unwrap()
    }

    fn digits(position: Position) -> String {
        let digit = |square: Square| match position.color_at(square) {
            None => '0',
            Some(Color::Black) => '1',
            Some(Color::White) => '2',
        };
        Size::Four.squares().into_iter().map(digit).collect()
    }

    #[track_caller]
    fn check(answer: Answer, value: i8, states: u64) {
        assert_eq!((answer.value, answer.states), (value, states));
    }

    #[test]
    fn the_start_is_lost_for_dark() {
        let start = state("0000021001200000", 1);
        assert_eq!(start, Position::start(Size::Four));
        let answer = minimax(start);
        check(answer, -1, 224821);
        assert_eq!(answer.successor.map(digits).as_deref(), Some("0100011001200000"));
        let answer = alphabeta(start);
        check(answer, -1, 7208);
        assert_eq!(answer.successor.map(digits).as_deref(), Some("0100011001200000"));
    }

    #[test]
    fn known_states_take_the_known_numbers_of_states() {
        check(minimax(state("0000111001200000", 2)), -1, 56205);
        check(alphabeta(state("0000111001200000", 2)), -1, 482);
        assert_eq!(alphabeta(state("2100211022100010", 2)).states, 226);
        check(minimax(state("0111121111111200", 1)), 1, 6);
    }

    #[test]
    fn a_pass_is_a_state_and_leads_to_the_same_board() {
        // Dark has no move; light takes b1 on c1 and wins.
        let stuck = state("2100000000000000", 1);
        let answer = minimax(stuck);
        check(answer, -1, 3);
        assert_eq!(answer, alphabeta(stuck));
        let next = answer.successor.unwrap();
        assert_eq!((digits(next), next.turn()), (digits(stuck), Color::White));
    }

    #[test]
    fn a_finished_game_is_one_state_without_a_successor() {
        for (discs, value) in [("1000000000000000", 1), ("1000000000000002", 0)] {
            let expected = Answer { value, states: 1, successor: None };
            assert_eq!(minimax(state(discs, 2)), expected);
            assert_eq!(alphabeta(state(discs, 2)), expected);
        }
    }
}
