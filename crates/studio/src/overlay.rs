//! What the heuristics of the textbooks see in a position, square by square.

use obverse_board::{Bitboard, Color, Position, Square, kernel};
use obverse_engine::classic::{Eval, Weights, square_value};

use crate::wire::{BothSides, HeuristicWire, OverlayKind, OverlaySquare, OverlaySums, Owner};

/// The squares of an overlay with their numbers, and the sums.
pub(crate) fn overlay(kind: OverlayKind, position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    match kind {
        OverlayKind::None => (Vec::new(), sides(0, 0)),
        OverlayKind::SquareValues => square_values(position),
        OverlayKind::Mobility => mobility(position),
        OverlayKind::Frontier => frontier(position),
        OverlayKind::Stable => stable(position),
        OverlayKind::Parity => parity(position),
    }
}

/// The textbook heuristic for the side to move, in its parts.
pub(crate) fn heuristic(position: Position) -> HeuristicWire {
    let value = |parity, mobility| Eval::Positional(Weights { parity, mobility }).value(position);
    let Weights { parity, mobility } = Weights::default();
    if position.is_over() {
        // Only the result counts.
        let total = value(0.0, 0.0);
        return HeuristicWire { squares: 0.0, parity: 0.0, mobility: 0.0, total };
    }
    let squares = value(0.0, 0.0);
    HeuristicWire {
        squares,
        parity: value(parity, 0.0) - squares,
        mobility: value(0.0, mobility) - squares,
        total: value(parity, mobility),
    }
}

fn sides(black: i32, white: i32) -> OverlaySums {
    OverlaySums::Sides(BothSides { black, white })
}

fn count(squares: Bitboard) -> i32 {
    squares.count() as i32
}

fn entry(square: Square, number: i32, owner: Option<Owner>) -> OverlaySquare {
    OverlaySquare { square: square.to_string(), number, owner, region: None }
}

fn owner(color: Color) -> Owner {
    match color {
        Color::Black => Owner::Black,
        Color::White => Owner::White,
    }
}

fn square_values(position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    let size = position.size();
    let squares = size.squares().into_iter().map(|s| entry(s, square_value(size, s), None));
    let sum = |color| position.discs(color).into_iter().map(|s| square_value(size, s)).sum();
    (squares.collect(), sides(sum(Color::Black), sum(Color::White)))
}

/// Where each side could move, were it its turn.
fn mobility(position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    let passed = position.pass_unchecked();
    let (own, other) = (position.moves(), passed.moves());
    let squares = (own | other).into_iter().map(|square| {
        let (mover, owner) = match (own.contains(square), other.contains(square)) {
            (true, true) => (position, Owner::Both),
            (true, false) => (position, owner(position.turn())),
            (false, _) => (passed, owner(passed.turn())),
        };
        entry(square, count(mover.board().flips(square)), Some(owner))
    });
    let sums = match position.turn() {
        Color::Black => sides(count(own), count(other)),
        Color::White => sides(count(other), count(own)),
    };
    (squares.collect(), sums)
}

/// Discs beside empty squares: each is an opportunity for the other side.
fn frontier(position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    let empties = position.empties();
    of_discs(
        position,
        |color| position.discs(color) & empties.grown(),
        |square| count(neighbors(square) & empties),
    )
}

fn stable(position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    let stable = |color: Color| {
        let (own, other) = (position.discs(color), position.discs(!color));
        Bitboard(kernel::stable_on(own.0, other.0, position.size()))
    };
    of_discs(position, stable, |_| 1)
}

/// The discs of both colors that a property has, in reading order, each with a number.
fn of_discs(
    position: Position,
    which: impl Fn(Color) -> Bitboard,
    number: impl Fn(Square) -> i32,
) -> (Vec<OverlaySquare>, OverlaySums) {
    let (black, white) = (which(Color::Black), which(Color::White));
    let squares = (black | white)
        .into_iter()
        .map(|square| entry(square, number(square), position.color_at(square).map(owner)));
    (squares.collect(), sides(count(black), count(white)))
}

/// Regions of empty squares: who moves last in an odd one usually gains.
fn parity(position: Position) -> (Vec<OverlaySquare>, OverlaySums) {
    let mut squares = Vec::new();
    let (mut odd, mut even) = (0, 0);
    for (i, region) in regions(position.empties()).into_iter().enumerate() {
        let number = count(region);
        *(if number % 2 == 1 { &mut odd } else { &mut even }) += 1;
        squares.extend(
            region.into_iter().map(|square| OverlaySquare {
                region: Some(i as u32),
                ..entry(square, number, None)
            }),
        );
    }
    (squares, OverlaySums::Regions { odd, even })
}

/// Squares that hang together, by sides or corners.
fn regions(squares: Bitboard) -> Vec<Bitboard> {
    let mut regions = Vec::new();
    let mut left = squares;
    while let Some(first) = left.first() {
        let mut region = Bitboard::of(first);
        loop {
            let grown = region.grown() & squares;
            if grown == region {
                break;
            }
            region = grown;
        }
        left = left - region;
        regions.push(region);
    }
    regions
}

fn neighbors(square: Square) -> Bitboard {
    Bitboard::of(square).grown().without(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;

    fn position(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    fn numbers(kind: OverlayKind, position: Position) -> String {
        let (squares, _) = overlay(kind, position);
        let words = squares.iter().map(|s| format!("{}:{}", s.square, s.number));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn mobility_counts_the_flips_of_both_sides() {
        let start = position("start:4x4");
        assert_eq!(
            numbers(OverlayKind::Mobility, start),
            "b1:1 c1:1 a2:1 d2:1 a3:1 d3:1 b4:1 c4:1"
        );
        assert_eq!(overlay(OverlayKind::Mobility, start).1, sides(4, 4));
        let f5 = position("f5");
        assert_eq!(overlay(OverlayKind::Mobility, f5).1, sides(3, 3));
    }

    #[test]
    fn the_frontier_is_beside_empty_squares() {
        let start = position("start");
        assert_eq!(numbers(OverlayKind::Frontier, start), "d4:5 e4:5 d5:5 e5:5");
        assert_eq!(overlay(OverlayKind::Frontier, start).1, sides(2, 2));
    }

    #[test]
    fn a_corner_is_stable_and_the_middle_is_not() {
        assert_eq!(numbers(OverlayKind::Stable, position("start")), "");
        let corner = position("bw6/8/8/8/8/8/8/8 b");
        assert_eq!(numbers(OverlayKind::Stable, corner), "a1:1");
    }

    #[test]
    fn regions_hang_together_by_corners_too() {
        // Two squares in one corner, touching diagonally, and one in another.
        let full = "-XXXXXXX/X-XXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXX-";
        let squares = full.replace('/', "");
        let position = crate::view::position(8, &squares, crate::wire::Side::Black).unwrap();
        assert_eq!(numbers(OverlayKind::Parity, position), "a1:2 b2:2 h8:1");
        let sums = overlay(OverlayKind::Parity, position).1;
        assert_eq!(sums, OverlaySums::Regions { odd: 1, even: 1 });
    }

    #[test]
    fn the_parts_of_the_heuristic_add_up() {
        for text in ["f5", "f5d6c3", "f5f6e6f4e3c5c4e7"] {
            let position = position(text);
            let HeuristicWire { squares, parity, mobility, total } = heuristic(position);
            assert!((squares + parity + mobility - total).abs() < 1e-9, "{text}");
        }
        let (_, sums) = overlay(OverlayKind::SquareValues, Position::start(Size::Eight));
        assert_eq!(sums, sides(-12, -12));
    }
}
