//! Positions as searches meet them, as records.
//!
//! Where a search ends, one side has made its best moves and the other any. So a leaf is some moves away from a
//! position of a game, and each side has got there by moves that the evaluation likes best at once, by random
//! ones, or now so and now so.

use std::ops::RangeInclusive;

use obverse_board::{Game, Move, Position};
use obverse_engine::classic::Rng;
use obverse_engine::eval::{UNIT, Weights};
use obverse_engine::{Engine, Limits, Monitor, Question};

use crate::record::{Record, Source};
use crate::selfplay::{COUNTING, look, numbered, proven, rounded, solved};
use crate::walk::walk;

/// Which leaves, and how they are labelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many empty squares they have: all numbers equally often.
    pub empties: RangeInclusive<u32>,
    /// How many moves they are from a game at most.
    pub ahead: u32,
    /// From how many empty squares on they are solved.
    pub exact_from: u32,
    /// From how many empty squares on the others are searched to the end, 73 % sure of what is left out.
    pub end_from: u32,
    /// How many moves the rest is searched ahead.
    pub depth: u32,
    /// How many of the positions that follow, if both play their best, are labelled as well: what was found on the
    /// way to the first label makes them cheap.
    pub follow: u32,
}

/// How many leaves are tried for in a batch. In a few the game ends before.
pub const BATCH: usize = 256;

impl Plan {
    /// Whether a game goes on long enough for some leaves.
    pub fn reaches(&self, game: &Game) -> bool {
        let last = game.steps().last();
        last.is_some_and(|(position, _)| empties(position) <= self.empties.end() + self.ahead)
    }
}

/// The leaves of the batch with this number, which depend on nothing else: what the engine knows of other batches
/// is forgotten.
///
/// # Panics
/// If there are no games.
pub fn batch(
    engine: &mut Engine,
    plan: &Plan,
    games: &[Game],
    seed: u64,
    number: u64,
) -> Vec<Record> {
    engine.forget();
    let mut rng = numbered(seed, number);
    let mut records = Vec::new();
    for _ in 0..BATCH {
        let mut next = leaf(engine.weights(), plan, games, &mut rng);
        for _ in 0..=plan.follow {
            let Some(position) = next else { break };
            let (record, best) = labelled(engine, plan, position);
            records.push(record);
            next = after(position, best).and_then(to_move);
        }
    }
    records
}

/// A position where the side to move has a move; `None` if the game ended on the way there.
fn leaf(weights: &Weights, plan: &Plan, games: &[Game], rng: &mut Rng) -> Option<Position> {
    let (least, most) = (*plan.empties.start(), *plan.empties.end());
    let n_empties = least + rng.below(u64::from(most - least + 1)) as u32;
    let ahead = 1 + rng.below(u64::from(plan.ahead)) as u32;
    let game = &games[rng.below(games.len() as u64) as usize];
    let mut steps = game.steps().map(|(position, _)| position);
    let start = steps.find(|position| empties(*position) <= n_empties + ahead)?;
    to_move(walk(weights, start, empties(start).checked_sub(n_empties)?, rng)?)
}

fn after(position: Position, mv: Move) -> Option<Position> {
    match mv {
        Move::Place(square) => position.play(square).ok(),
        Move::Pass => None,
    }
}

/// The position after a pass, if there must be one; `None` if the game is over.
fn to_move(position: Position) -> Option<Position> {
    let position = if position.must_pass() { position.pass_unchecked() } else { position };
    position.moves().any().then_some(position)
}

/// The record of a position, and the best move.
fn labelled(engine: &mut Engine, plan: &Plan, position: Position) -> (Record, Move) {
    let n_empties = empties(position);
    if n_empties <= plan.exact_from {
        let (score, line) = solved(engine, position);
        return (proven(position, score), line[0]);
    }
    let (best, value) = if n_empties <= plan.end_from {
        searched_to_end(engine, position)
    } else {
        look(engine, plan.depth, position)
    };
    let (board, score) = (position.board(), rounded(value));
    (Record { board, value: Some(value), score, source: Source::Search }, best)
}

/// The best move and its score, as far as a search tells that is 73 % sure of what it leaves out.
fn searched_to_end(engine: &mut Engine, position: Position) -> (Move, i16) {
    let limits = Limits { end_sure: 73, proof_from: 0, ..Limits::NONE };
    let question = Question { position, counting: COUNTING, limits, top: 1 };
    let answer = engine.think(question, &Monitor::default(), &mut |_| {});
    let best = answer.best().expect("the game is not over");
    (best.mv, (best.value.discs * UNIT as f32) as i16)
}

fn empties(position: Position) -> u32 {
    position.empties().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::games;
    use obverse_board::Score;
    use obverse_engine::Config;
    use obverse_engine::solve::Request;

    fn plan() -> Plan {
        Plan { empties: 6..=11, ahead: 9, exact_from: 9, end_from: 0, depth: 2, follow: 0 }
    }

    fn engine() -> Engine {
        Engine::new(Config { threads: 1, table_mib: 1 })
    }

    /// Two whole games.
    fn some_games() -> Vec<Game> {
        let wiped_out = "e6f4e3f6g5d6e7f5c5";
        let whole = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3\
                     a6a5e1f2g7c2a4h8a2b7f1b3b1b2h7a7a8a1g1g2h2h1";
        games(&format!("{whole} 34\n{wiped_out}\n")).unwrap()
    }

    #[test]
    fn leaves_have_as_many_empties_as_asked_and_labels_of_both_kinds() {
        let mut engine = engine();
        let records = batch(&mut engine, &plan(), &some_games(), 1, 0);
        // One of the two games never comes so far.
        assert!((64..200).contains(&records.len()), "{}", records.len());
        for n in plan().empties {
            assert!(records.iter().any(|record| record.n_empties() == n), "{n}");
        }
        for record in &records {
            assert!(plan().empties.contains(&record.n_empties()), "{record:?}");
            assert!(record.board.moves().any());
            let is_near = record.n_empties() <= plan().exact_from;
            assert_eq!(record.source == Source::Proof, is_near);
            if is_near {
                assert_eq!(score(&mut engine, record), record.score, "{record:?}");
            }
        }
    }

    fn score(engine: &mut Engine, record: &Record) -> Score {
        let request = Request::exact(record.position(), COUNTING);
        engine.solve(request, &Monitor::default(), &mut |_| {}).score().unwrap()
    }

    #[test]
    fn what_is_searched_to_the_end_is_mostly_right_and_never_called_proven() {
        let mut engine = engine();
        let plan = Plan { empties: 12..=14, exact_from: 0, end_from: 13, ..plan() };
        let records = batch(&mut engine, &plan, &some_games()[..1], 1, 0);
        assert!(records.iter().all(|record| record.source == Source::Search));
        let near = records.iter().filter(|record| record.n_empties() <= 13);
        let right = near.clone().filter(|record| score(&mut engine, record) == record.score);
        let (right, near) = (right.count(), near.count());
        assert!(right < near && right * 10 > near * 8, "{right} of {near}");
    }

    #[test]
    fn best_play_keeps_the_score() {
        let mut engine = engine();
        let plan = Plan { empties: 9..=9, follow: 3, ..plan() };
        let games = some_games();
        let alone = batch(&mut engine, &Plan { follow: 0, ..plan.clone() }, &games[..1], 1, 0);
        let records = batch(&mut engine, &plan, &games[..1], 1, 0);
        assert!(records.len() > 3 * alone.len(), "{} {}", records.len(), alone.len());
        // All follow the leaf before them until the next one.
        let leaves = records.chunk_by(|_, next| next.n_empties() < 9);
        for (leaf, alone) in leaves.zip(&alone) {
            assert_eq!(leaf[0], *alone);
            for record in leaf {
                assert_eq!(record.score.0.abs(), alone.score.0.abs());
                assert_eq!(score(&mut engine, record), record.score, "{record:?}");
            }
        }
    }

    #[test]
    fn short_games_lead_to_no_leaves() {
        let games = some_games();
        assert!(plan().reaches(&games[0]) && !plan().reaches(&games[1]));
        let far = Plan { empties: 40..=50, ..plan() };
        assert!(far.reaches(&games[1]), "eight moves are enough for this");
        assert!(batch(&mut engine(), &plan(), &games[1..], 1, 0).is_empty());
    }

    #[test]
    fn a_batch_depends_on_its_number_and_the_seed_alone() {
        let mut one = engine();
        let first = batch(&mut one, &plan(), &some_games(), 7, 3);
        let second = batch(&mut one, &plan(), &some_games(), 7, 4);
        assert_ne!(first, second);
        assert_ne!(first, batch(&mut one, &plan(), &some_games(), 8, 3));
        assert_eq!(second, batch(&mut engine(), &plan(), &some_games(), 7, 4));
    }
}
