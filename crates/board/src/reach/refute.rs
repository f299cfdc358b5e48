//! Why no game leads to a position.

use std::fmt;

use super::retract::{may_follow_a_pass, retractable};
use super::step;
use crate::{Bitboard, Color, Direction, Position, Size};

/// A reason why no game leads to a position.
///
/// ```
/// use obverse_board::reach::{Verdict, check};
/// use obverse_board::{Bitboard, Color, Position, Size, Square};
/// let start = Position::start(Size::Eight);
/// let black = start.discs(Color::Black).with(Square::A8);
/// let position = Position::new(Size::Eight, black, start.discs(Color::White), Color::White)?;
/// let Verdict::Unreachable(reason) = check(position, &mut || true) else { panic!() };
/// assert_eq!(reason.to_string(), "a8 does not hang together with the center");
/// # Ok::<(), obverse_board::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// These squares of the center are empty. Every game starts with discs on them, and no disc is
    /// ever removed.
    CenterEmpty(Bitboard),
    /// No chain of neighboring discs leads from these to the center. Every disc is placed next to
    /// another.
    Detached(Bitboard),
    /// These discs cannot have been placed, in whatever order the others were. Placing a disc takes
    /// two discs in line next to it: one to flip, and one beyond, to flip it against.
    NeverPlaced(Bitboard),
    /// It is the wrong side's turn. Without a pass black moves with an even number of discs.
    Parity {
        /// The side to move.
        turn: Color,
        /// The number of discs.
        discs: u32,
        /// The least number of discs with which a side can have to pass.
        discs_at_pass_min: u32,
    },
    /// One color has no discs, but so soon no game can have taken them all.
    ColorMissing {
        /// The color without discs.
        color: Color,
        /// The least number of discs on the board when a color has lost all its own.
        discs_min: u32,
    },
    /// No disc can be the one placed last. If it is known which side moved last, this is it.
    NoLastMove(Option<Color>),
    /// Every way back ends in a position that no move leads to; this many positions were looked at.
    Exhausted(u64),
}

impl Refutation {
    /// A short fixed name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Refutation::CenterEmpty(_) => "center-empty",
            Refutation::Detached(_) => "detached",
            Refutation::NeverPlaced(_) => "never-placed",
            Refutation::Parity { .. } => "parity",
            Refutation::ColorMissing { .. } => "color-missing",
            Refutation::NoLastMove(_) => "no-last-move",
            Refutation::Exhausted(_) => "exhausted",
        }
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refutation::CenterEmpty(squares) => {
                let are = if squares.count() == 1 { "is" } else { "are" };
                write!(f, "{} {are} empty, but every game starts with a full center", List(squares))
            }
            Refutation::Detached(discs) => {
                let does = if discs.count() == 1 { "does" } else { "do" };
                write!(f, "{} {does} not hang together with the center", List(discs))
            }
            Refutation::NeverPlaced(discs) => {
                write!(
                    f,
                    "{} can never have been placed: in no order do the discs of this position allow it",
                    List(discs)
                )
            }
            Refutation::Parity { turn, discs, discs_at_pass_min } => {
                write!(
                    f,
                    "it cannot be {turn}'s turn with {discs} discs: black moves with an even number \
                     until somebody passes, which takes at least {discs_at_pass_min} discs"
                )
            }
            Refutation::ColorMissing { color, discs_min } => {
                write!(
                    f,
                    "{color} has no discs, which takes at least {discs_min} discs on the board"
                )
            }
            Refutation::NoLastMove(mover) => {
                f.write_str("no ")?;
                if let Some(color) = mover {
                    write!(f, "{color} ")?;
                }
                f.write_str(
                    "disc can be the one placed last: \
                     each would have flipped nothing, or more than it did",
                )
            }
            Refutation::Exhausted(n_positions) => {
                write!(
                    f,
                    "every way back from it ends in a position that no move leads to \
                     ({n_positions} looked at)"
                )
            }
        }
    }
}

/// Squares as in "a1, b1 and c1".
struct List(Bitboard);

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut squares = self.0.into_iter();
        while let Some(square) = squares.next() {
            write!(f, "{square}")?;
            match squares.len() {
                0 => {}
                1 => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
        }
        Ok(())
    }
}

/// A reason that is seen without a search, the plainest first.
///
/// Not for a start, which needs no last move.
pub(super) fn at_sight(position: Position) -> Option<Refutation> {
    let (board, size) = (position.board(), position.size());
    let (occupied, center) = (board.occupied(), size.center());
    if !occupied.contains_all(center) {
        return Some(Refutation::CenterEmpty(center - occupied));
    }
    let detached = occupied - connected(occupied, center);
    if detached.any() {
        return Some(Refutation::Detached(detached));
    }
    let never_placed = never_placed(occupied, size);
    if never_placed.any() {
        return Some(Refutation::NeverPlaced(never_placed));
    }
    if is_wrong_turn(position) {
        return Some(Refutation::Parity {
            turn: position.turn(),
            discs: occupied.count(),
            discs_at_pass_min: discs_at_pass_min(size),
        });
    }
    if occupied.count() < discs_at_wipeout_min(size) {
        for color in [Color::Black, Color::White] {
            if position.discs(color).is_empty() {
                let discs_min = discs_at_wipeout_min(size);
                return Some(Refutation::ColorMissing { color, discs_min });
            }
        }
    }
    let turn_is_open = position.is_over() || may_follow_a_pass(position);
    if retractable(board, size).is_empty()
        && !(turn_is_open && retractable(board.pass(), size).any())
    {
        return Some(Refutation::NoLastMove((!turn_is_open).then_some(!position.turn())));
    }
    None
}

/// The discs that hang together with the center.
fn connected(occupied: Bitboard, center: Bitboard) -> Bitboard {
    let mut found = center;
    loop {
        let grown = found.grown() & occupied;
        if grown == found {
            return found;
        }
        found = grown;
    }
}

/// The discs left over when one after the other is placed next to two others in line, beginning
/// with the center.
#[inline]
pub(super) fn never_placed(occupied: Bitboard, size: Size) -> Bitboard {
    let mut placed = size.center();
    loop {
        let mut next = placed;
        for direction in Direction::ALL {
            let one = step(placed, direction);
            next |= one & step(one, direction) & occupied;
        }
        if next == placed {
            return occupied - placed;
        }
        placed = next;
    }
}

/// Whether the disc count tells that the other side is to move.
///
/// In a finished game nobody is.
#[inline]
pub(super) fn is_wrong_turn(position: Position) -> bool {
    is_pass_owed(position)
        && position.board().occupied().count() < discs_at_pass_min(position.size())
        && !position.is_over()
}

/// Whether an odd number of passes must have led to a position.
///
/// Without a pass black moves with an even number of discs.
#[inline]
pub(super) fn is_pass_owed(position: Position) -> bool {
    position.board().occupied().count().is_multiple_of(2) != (position.turn() == Color::Black)
}

/// The least number of discs on the board when a side must pass, by enumeration.
const fn discs_at_pass_min(size: Size) -> u32 {
    match size {
        Size::Four => 8,
        Size::Six | Size::Eight => 12,
    }
}

/// The least number of discs on the board when a color has none left, by enumeration.
const fn discs_at_wipeout_min(size: Size) -> u32 {
    match size {
        Size::Four => 14,
        Size::Six | Size::Eight => 13,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Square;
    use crate::reach::{Verdict, check};

    #[track_caller]
    fn check_refuted(srn: &str, name: &str, text: &str) {
        let verdict = check(Position::parse(srn).unwrap(), &mut || true);
        let Verdict::Unreachable(refutation) = verdict else { panic!("{verdict:?}") };
        assert_eq!((refutation.name(), refutation.to_string().as_str()), (name, text));
    }

    #[test]
    fn an_empty_center_is_refuted() {
        check_refuted(
            "bw6/wb6/8/8/8/8/8/8 b",
            "center-empty",
            "d4, e4, d5 and e5 are empty, but every game starts with a full center",
        );
        check_refuted(
            "4/1bw1/1b2/4 w",
            "center-empty",
            "c3 is empty, but every game starts with a full center",
        );
    }

    #[test]
    fn discs_apart_from_the_center_are_refuted() {
        check_refuted(
            "8/8/8/3wb3/3bw3/8/8/b7 w",
            "detached",
            "a8 does not hang together with the center",
        );
        check_refuted(
            "8/8/8/3wb3/3bw3/8/1w6/b7 b",
            "detached",
            "b7 and a8 do not hang together with the center",
        );
    }

    #[test]
    fn discs_that_no_order_of_placing_allows_are_refuted() {
        // c3 may have come first, on the diagonal, but b4 has no two discs in line.
        check_refuted(
            "8/8/2b5/1b1bb3/3bb3/8/8/8 b",
            "never-placed",
            "b4 can never have been placed: in no order do the discs of this position allow it",
        );
    }

    #[test]
    fn the_wrong_side_to_move_is_refuted() {
        check_refuted(
            "4/1wbb/1bw1/4 b",
            "parity",
            "it cannot be black's turn with 5 discs: black moves with an even number until somebody \
             passes, which takes at least 8 discs",
        );
        check_refuted(
            "8/8/8/3wb3/3bw3/8/8/8 w",
            "parity",
            "it cannot be white's turn with 4 discs: black moves with an even number until somebody \
             passes, which takes at least 12 discs",
        );
    }

    #[test]
    fn a_color_lost_too_soon_is_refuted() {
        check_refuted(
            "8/8/8/3bbb2/3bb3/8/8/8 w",
            "color-missing",
            "white has no discs, which takes at least 13 discs on the board",
        );
    }

    #[test]
    fn a_position_without_a_last_move_is_refuted() {
        check_refuted(
            "4/1bb1/1ww1/4 b",
            "no-last-move",
            "no white disc can be the one placed last: \
             each would have flipped nothing, or more than it did",
        );
        // The board is full, so either side may have moved last.
        check_refuted(
            "wbwb/bwbw/wbwb/bwbw w",
            "no-last-move",
            "no disc can be the one placed last: \
             each would have flipped nothing, or more than it did",
        );
    }

    #[test]
    fn the_last_reason_is_that_nothing_is_left_to_try() {
        check_refuted(
            "4/1bbb/1bw1/4 w",
            "exhausted",
            "every way back from it ends in a position that no move leads to (1 looked at)",
        );
    }

    #[test]
    fn lists_read_well() {
        let list = |squares: &[Square]| List(squares.iter().copied().collect()).to_string();
        assert_eq!(list(&[Square::A1]), "a1");
        assert_eq!(list(&[Square::A1, Square::B1]), "a1 and b1");
        assert_eq!(list(&[Square::A1, Square::B1, Square::C1]), "a1, b1 and c1");
    }

    /// The positions after each number of discs, until one of them is as `wanted`; how many discs
    /// those have.
    fn discs_until(size: Size, wanted: impl Fn(Position) -> bool) -> u32 {
        let mut layer = HashSet::from([Position::start(size)]);
        for discs in 4.. {
            if layer.iter().any(|&position| wanted(position)) {
                return discs;
            }
            layer = layer
                .into_iter()
                .flat_map(|p| p.moves().into_iter().map(move |m| p.play_unchecked(m)))
                .flat_map(|p| [p, if p.must_pass() { p.pass_unchecked() } else { p }])
                .map(Position::canonical)
                .collect();
        }
        unreachable!()
    }

    #[test]
    fn the_first_pass_and_the_first_wipeout_come_when_we_say() {
        for size in Size::ALL {
            let pass = discs_until(size, Position::must_pass);
            let wipeout = discs_until(size, |p| {
                p.board().player().is_empty() || p.board().opponent().is_empty()
            });
            assert_eq!(
                (pass, wipeout),
                (discs_at_pass_min(size), discs_at_wipeout_min(size)),
                "{size}"
            );
        }
    }
}
