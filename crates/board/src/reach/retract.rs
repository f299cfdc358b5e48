//! Taking back a move.
//!
//! The side that moved last has a disc on the square `s` that it played. In each direction it
//! turned over some discs next to `s`, perhaps none, up to one of its own; all of these are its
//! discs now. So of a run of `k` of its discs next to `s` any first `j < k` may have been turned
//! over. Where opponent's discs lie between `s` and another disc of the same side, that side cannot
//! have played `s` last: it would have turned them over.

use super::step;
use crate::{Bitboard, Board, Direction, Position, Size, Square};

/// The discs that the side not to move may have placed last.
#[inline]
pub(super) fn retractable(board: Board, size: Size) -> Bitboard {
    let (mover, other) = (board.opponent(), board.player());
    let mut flipping = Bitboard::EMPTY;
    let mut enclosing = Bitboard::EMPTY;
    for direction in Direction::ALL {
        let next = step(mover, direction);
        flipping |= next & step(next, direction);
        // A run of opponent's discs that ends at one of the mover's has at most six.
        let mut run = next & other;
        for _ in 1..6 {
            run |= step(run, direction) & other;
        }
        enclosing |= step(run, direction);
    }
    (mover & flipping) - enclosing - size.center()
}

/// Whether the side not to move may just have passed.
#[inline]
pub(super) fn may_follow_a_pass(position: Position) -> bool {
    position.pass_unchecked().must_pass()
}

/// Calls `visit` with each position from which placing one disc leads to `position`, and the
/// square of that disc.
///
/// A pass after the disc, if `position` may follow one, is taken back with it: so each has one disc
/// less.
pub(super) fn each_predecessor(position: Position, visit: &mut impl FnMut(Position, Square)) {
    each_without_pass(position, visit);
    if may_follow_a_pass(position) {
        each_without_pass(position.pass_unchecked(), visit);
    }
}

fn each_without_pass(position: Position, visit: &mut impl FnMut(Position, Square)) {
    let board = position.board();
    let (mover, other) = (board.opponent(), board.player());
    let before = position.pass_unchecked();
    let mut choices = Vec::with_capacity(64);
    for square in retractable(board, position.size()) {
        flips(mover, square, &mut choices);
        for &flipped in &choices {
            let board = Board::new(mover.without(square) - flipped, other | flipped);
            visit(before.with_board(board), square);
        }
    }
}

/// Fills `choices` with the sets of discs that `mover` may have turned over by playing `square`.
fn flips(mover: Bitboard, square: Square, choices: &mut Vec<Bitboard>) {
    choices.clear();
    choices.push(Bitboard::EMPTY);
    for direction in Direction::ALL {
        let n_so_far = choices.len();
        let mut flipped = Bitboard::EMPTY;
        let mut next = step(Bitboard::of(square), direction) & mover;
        loop {
            let beyond = step(next, direction) & mover;
            if beyond.is_empty() {
                break;
            }
            flipped |= next;
            next = beyond;
            for i in 0..n_so_far {
                choices.push(choices[i] | flipped);
            }
        }
    }
    // Every move turns over something.
    choices.swap_remove(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;
    use proptest::prelude::*;

    fn predecessors(position: Position) -> Vec<(Position, Square)> {
        let mut all = Vec::new();
        each_predecessor(position, &mut |before, square| all.push((before, square)));
        all
    }

    /// Any discs with a full center, reachable or not.
    fn positions() -> impl Strategy<Value = Position> {
        let sizes = prop::sample::select(Size::ALL.to_vec());
        (sizes, any::<[u64; 3]>(), any::<bool>()).prop_map(|(size, bits, black)| {
            let occupied = Bitboard(bits[0] | bits[1]) & size.squares() | size.center();
            let black_discs = occupied & Bitboard(bits[2]);
            let turn = if black { Color::Black } else { Color::White };
            Position::new(size, black_discs, occupied - black_discs, turn).unwrap()
        })
    }

    /// Whether playing `square` in `before`, and then passing if need be, gives `position`.
    fn leads_to(before: Position, square: Square, position: Position) -> bool {
        before.play(square).is_ok_and(|after| {
            after == position || (after.must_pass() && after.pass_unchecked() == position)
        })
    }

    proptest! {
        #[test]
        fn every_predecessor_leads_back(position in positions()) {
            for (before, square) in predecessors(position) {
                prop_assert!(leads_to(before, square, position), "{square} {before:?}");
                prop_assert!(!position.size().center().contains(square));
            }
        }

        #[test]
        fn every_move_is_found_among_the_predecessors_of_what_it_leads_to(before in positions()) {
            for square in before.moves() {
                let after = before.play_unchecked(square);
                let found = predecessors(after);
                prop_assert_eq!(found.iter().filter(|&&p| p == (before, square)).count(), 1);
                if after.must_pass() {
                    let found = predecessors(after.pass_unchecked());
                    prop_assert_eq!(found.iter().filter(|&&p| p == (before, square)).count(), 1);
                }
            }
        }
    }

    #[test]
    fn the_start_has_no_predecessor_and_the_first_move_has_one() {
        for size in Size::ALL {
            let start = Position::start(size);
            assert_eq!(predecessors(start), []);
            for square in start.moves() {
                assert_eq!(predecessors(start.play_unchecked(square)), [(start, square)]);
            }
        }
    }
}
