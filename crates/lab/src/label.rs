//! Better labels for records.
//!
//! Near the end a position is solved, farther from it searched deeper than it was in its game. What
//! is proven already stays as it is: nothing is better than that.

use obverse_engine::Engine;

use crate::record::{Record, Source};
use crate::selfplay::{look, rounded, solved};

/// How to label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// With at most so many empty squares, the score is proven.
    pub exact_from: u32,
    /// Other positions get the value of a search of so many moves, if any.
    pub depth: Option<u32>,
}

/// A record with what the engine finds out about its position; the score of the game stays where none
/// is proven.
pub fn label(engine: &mut Engine, plan: Plan, record: Record) -> Record {
    let position = record.position();
    if record.source == Source::Proof || position.is_over() {
        return record;
    }
    if record.n_empties() <= plan.exact_from {
        let (score, _) = solved(engine, position);
        return Record { score, source: Source::Proof, ..record };
    }
    let Some(depth) = plan.depth else { return record };
    let value = look(engine, depth, position).1;
    let labelled = Record { value: Some(value), ..record };
    match record.source {
        Source::Search => Record { score: rounded(value), ..labelled },
        _ => labelled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay;
    use obverse_board::{Bitboard, Board, Counting, Score};
    use obverse_engine::solve::Request;
    use obverse_engine::{Config, Monitor};

    fn engine() -> Engine {
        Engine::new(Config { threads: 1, table_mib: 1 })
    }

    #[test]
    fn near_the_end_scores_are_proven_and_elsewhere_values_are_new() {
        let mut engine = engine();
        let plan = selfplay::Plan { depth: 1, exact_from: 4, beside: 0, ahead: 1, record_from: 64 };
        let records: Vec<Record> =
            (0..6).flat_map(|number| selfplay::game(&mut engine, plan, &[], 1, number)).collect();
        let better = Plan { exact_from: 9, depth: Some(3) };
        let mut kinds = [0; 3];
        for record in records {
            let labelled = label(&mut engine, better, record);
            assert_eq!(labelled.board, record.board);
            if record.source == Source::Proof {
                assert_eq!(labelled, record);
                kinds[0] += 1;
            } else if record.n_empties() <= 9 {
                assert_eq!((labelled.source, labelled.value), (Source::Proof, record.value));
                // Proven again from another side: after some move the opponent has that score.
                let position = record.position();
                let after = position.moves().into_iter().map(|mv| position.play_unchecked(mv));
                let best = after.map(|next| {
                    let request = Request::exact(next, Counting::WinnerTakesEmpties);
                    -engine.solve(request, &Monitor::default(), &mut |_| {}).score().unwrap()
                });
                assert_eq!(best.max(), Some(labelled.score));
                kinds[1] += 1;
            } else {
                assert_eq!((labelled.source, labelled.score), (Source::Game, record.score));
                assert!(labelled.value.is_some());
                kinds[2] += 1;
            }
            let nothing = Plan { exact_from: 0, depth: None };
            assert_eq!(label(&mut engine, nothing, record), record);
        }
        assert!(kinds.iter().all(|n| *n > 0), "{kinds:?}");
    }

    #[test]
    fn a_board_without_a_move_is_no_trouble() {
        let plan = Plan { exact_from: 10, depth: Some(2) };
        let mut engine = engine();
        for (player, opponent) in [(0, 0), (1, 0), (0, u64::MAX), (1, 1 << 63), (!2 & !1, 2)] {
            let board = Board::new(Bitboard(player), Bitboard(opponent));
            let source = Source::Game;
            let labelled =
                label(&mut engine, plan, Record { board, value: None, score: Score(0), source });
            assert_eq!(labelled.board, board);
        }
    }
}
