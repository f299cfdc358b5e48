//! The verdicts on reachability against games played and against plain enumeration.

use std::collections::HashSet;

use obverse_board::reach::{Verdict, check};
use obverse_board::{Color, Game, Position, Size, Square};
use proptest::prelude::*;

mod common;
use common::Random;

/// The position after one legal move after the other, each picked by one of the numbers, until the
/// numbers or the moves run out.
fn played(size: Size, picks: &[u8]) -> Position {
    let mut game = Game::new(Position::start(size));
    for &pick in picks {
        game.settle();
        let moves = game.position().moves();
        let Some(n) = u32::from(pick).checked_rem(moves.count()) else { break };
        let square = moves.into_iter().nth(n as usize).expect("n is below the count");
        game.play(square).expect("it is legal");
    }
    game.position()
}

/// All positions that games from `start` lead to, up to so many discs.
fn reachable(start: Position, discs_max: u32) -> HashSet<Position> {
    let mut all = HashSet::from([start]);
    let mut layer = all.clone();
    while !layer.is_empty() {
        let after_move: HashSet<Position> = layer
            .iter()
            .filter(|position| position.board().occupied().count() < discs_max)
            .flat_map(|&p| p.moves().into_iter().map(move |square| p.play_unchecked(square)))
            .collect();
        let after_pass = layer.iter().filter_map(|p| p.pass().ok());
        layer = after_pass.chain(after_move).filter(|&p| all.insert(p)).collect();
    }
    all
}

/// What plain enumeration knows of the positions of up to so many discs.
struct Enumerated {
    standard: HashSet<Position>,
    mirrored: HashSet<Position>,
}

impl Enumerated {
    fn new(size: Size, discs_max: u32) -> Enumerated {
        Enumerated {
            standard: reachable(Position::start(size), discs_max),
            mirrored: reachable(Position::mirrored(size), discs_max),
        }
    }

    /// Checks that the verdict is the right one.
    fn compare(&self, position: Position) -> Result<(), TestCaseError> {
        let known = |set: &HashSet<Position>| {
            set.contains(&position)
                || (position.is_over() && set.contains(&position.pass_unchecked()))
        };
        match check(position, &mut || true) {
            Verdict::Reachable(game) => {
                replay(&game, position)?;
                if game.start() == Position::start(position.size()) {
                    prop_assert!(known(&self.standard), "{position:?}");
                } else {
                    prop_assert!(known(&self.mirrored), "{position:?}");
                    prop_assert!(!known(&self.standard), "{position:?}");
                }
            }
            Verdict::Unreachable(refutation) => {
                prop_assert!(!known(&self.standard), "{position:?} {refutation}");
                prop_assert!(!known(&self.mirrored), "{position:?} {refutation}");
            }
            Verdict::NotRefuted(tried) => prop_assert!(false, "{tried} although never stopped"),
        }
        Ok(())
    }
}

/// Checks that the game has legal moves only and ends in the position.
fn replay(game: &Game, position: Position) -> Result<(), TestCaseError> {
    let starts = [Position::start(position.size()), Position::mirrored(position.size())];
    prop_assert!(starts.contains(&game.start()));
    let mut again = Game::new(game.start());
    for &mv in game.moves() {
        prop_assert!(again.apply(mv).is_ok(), "{mv} in {:?}", again.position());
    }
    let end = again.position();
    let is_it = end == position || (position.is_over() && end == position.pass_unchecked());
    prop_assert!(is_it, "{end:?} is not {position:?}");
    Ok(())
}

/// A small change to a position, so that it is perhaps no longer reachable.
#[derive(Clone, Copy, Debug)]
enum Change {
    Recolor(u8),
    MoveDisc(u8, u8),
    OtherSide,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        any::<u8>().prop_map(Change::Recolor),
        any::<(u8, u8)>().prop_map(|(from, to)| Change::MoveDisc(from, to)),
        Just(Change::OtherSide),
    ];
    prop::collection::vec(change, 0..4)
}

fn change(position: Position, change: Change) -> Position {
    let size = position.size();
    let mut colors: Vec<Option<Color>> =
        Square::ALL.iter().map(|&square| position.color_at(square)).collect();
    let squares: Vec<Square> = size.squares().into_iter().collect();
    let index = |pick: u8| usize::from(squares[usize::from(pick) % squares.len()].index());
    let mut turn = position.turn();
    match change {
        Change::Recolor(pick) => colors[index(pick)] = colors[index(pick)].map(|color| !color),
        Change::MoveDisc(from, to) => colors.swap(index(from), index(to)),
        Change::OtherSide => turn = !turn,
    }
    let discs = |color| {
        Square::ALL.into_iter().filter(|s| colors[usize::from(s.index())] == Some(color)).collect()
    };
    Position::new(size, discs(Color::Black), discs(Color::White), turn).expect("as before")
}

fn sizes() -> impl Strategy<Value = Size> {
    prop::sample::select(Size::ALL.to_vec())
}

proptest! {
    #[test]
    fn every_position_of_a_game_up_to_twelve_discs_is_reachable(
        size in sizes(),
        picks in prop::collection::vec(any::<u8>(), 0..=8),
    ) {
        let position = played(size, &picks);
        let Verdict::Reachable(game) = check(position, &mut || true) else {
            return Err(TestCaseError::fail(format!("{position:?}")));
        };
        replay(&game, position)?;
        prop_assert_eq!(game.start(), Position::start(size));
    }

    #[test]
    fn a_stopped_search_is_never_wrong(
        size in sizes(),
        picks in prop::collection::vec(any::<u8>(), 0..60),
        n_answers in 0..4,
    ) {
        let position = played(size, &picks);
        let mut n_left = n_answers;
        let mut keep_going = || {
            n_left -= 1;
            n_left >= 0
        };
        match check(position, &mut keep_going) {
            Verdict::Reachable(game) => replay(&game, position)?,
            Verdict::Unreachable(refutation) => prop_assert!(false, "{position:?} {refutation}"),
            Verdict::NotRefuted(tried) => {
                prop_assert!(tried.discs_min <= position.board().occupied().count());
                prop_assert!(n_answers > 0 || tried.positions == 0);
            }
        }
    }
}

/// Runs `compare` on changed positions of random games of up to so many moves.
fn compare_changed(size: Size, moves_max: usize, cases: u32) {
    let enumerated = Enumerated::new(size, 4 + moves_max as u32);
    let picks = prop::collection::vec(any::<u8>(), 0..=moves_max);
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    proptest!(config, |(picks in picks, changes in changes())| {
        enumerated.compare(changes.into_iter().fold(played(size, &picks), change))?;
    });
}

#[test]
fn on_8x8_the_verdict_is_membership_in_the_enumerated_set() {
    compare_changed(Size::Eight, 4, 2000);
    compare_changed(Size::Eight, 6, 2000);
}

#[test]
fn on_6x6_the_verdict_is_membership_in_the_enumerated_set() {
    compare_changed(Size::Six, 6, 2000);
}

#[test]
fn on_4x4_the_verdict_is_membership_in_the_enumerated_set() {
    compare_changed(Size::Four, 12, 2000);
}

#[test]
fn on_8x8_every_enumerated_position_of_up_to_eight_discs_is_reachable() {
    let enumerated = Enumerated::new(Size::Eight, 8);
    // 1, 4, 12, 54 and 236 after 0 to 4 moves, as known.
    assert_eq!(enumerated.standard.len(), 1 + 4 + 12 + 54 + 236);
    for &position in enumerated.standard.union(&enumerated.mirrored) {
        enumerated.compare(position).unwrap();
    }
}

#[test]
fn a_finished_game_may_have_either_side_nominally_to_move() {
    for seed in 0..20_u8 {
        let picks: Vec<u8> = (0..12).map(|i| seed.wrapping_mul(31).wrapping_add(i * 7)).collect();
        let position = played(Size::Four, &picks);
        assert!(position.is_over());
        for position in [position, position.pass_unchecked()] {
            let verdict = check(position, &mut || true);
            let Verdict::Reachable(game) = verdict else { panic!("{position:?}") };
            replay(&game, position).unwrap();
            assert!(game.is_over());
        }
    }
}

#[test]
fn most_positions_of_random_games_are_found_soon() {
    let discs = [16, 24, 32, 40, 48, 56];
    let n_found = (1..=6)
        .flat_map(|seed| Random(seed).game(Size::Eight))
        .filter(|position| discs.contains(&position.board().occupied().count()))
        .filter(|&position| {
            let mut n_left = 2000;
            let verdict = check(position, &mut || {
                n_left -= 1;
                n_left > 0
            });
            match verdict {
                Verdict::Reachable(game) => replay(&game, position).is_ok(),
                Verdict::Unreachable(refutation) => panic!("{position:?} {refutation}"),
                Verdict::NotRefuted(_) => false,
            }
        })
        .count();
    assert!(n_found >= 34, "{n_found} of 36 or a few more, for passes");
}

#[test]
fn the_mirrored_start_is_told_apart() {
    for size in Size::ALL {
        let mirrored = Position::mirrored(size);
        let first = mirrored.moves().first().unwrap();
        for position in [mirrored, mirrored.play_unchecked(first)] {
            let Verdict::Reachable(game) = check(position, &mut || true) else { panic!() };
            assert_eq!((game.start(), game.position()), (mirrored, position));
        }
    }
}
