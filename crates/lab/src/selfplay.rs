//! Games of the engine against itself, as records.
//!
//! A game starts after an opening that the engine did not choose, so that it sees much that it would
//! avoid. It is played by short searches until the end is near enough to be solved; from there on all
//! positions of the best line are proven.
//!
//! A search looks at far more bad moves than good ones, and an evaluation that knows only sensible play
//! misjudges them. So at every turn some positions beside the game are searched or solved as well. Where a
//! search ends, one side has made its best moves and the other any: so each side goes on from the game
//! either well or at random, or now so and now so.

use obverse_board::{Counting, Game, Move, Position, Score, Size};
use obverse_engine::classic::Rng;
use obverse_engine::eval::UNIT;
use obverse_engine::solve::Request;
use obverse_engine::{Engine, Limits, Monitor, Question};

use crate::OpeningError;
use crate::openings::games_of;
use crate::record::{Record, Source};
use crate::walk::{stray, walk};

pub(crate) const COUNTING: Counting = Counting::WinnerTakesEmpties;

/// How the games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many moves each search looks ahead.
    pub depth: u32,
    /// From how many empty squares on the game is solved.
    pub exact_from: u32,
    /// How many positions beside the game are looked at each turn.
    pub beside: u32,
    /// How many moves those are from the game at most.
    pub ahead: u32,
    /// From how many empty squares on positions are recorded, and those beside the game looked at.
    pub record_from: u32,
}

/// Reads the games that [`opening`] may follow, whole ones or just their first moves: one a line, as
/// the moves in the first column. Further columns, blank lines and those that begin with `#` or `%` are
/// passed over.
///
/// # Errors
/// If a line is no game on 8×8, or there is none.
pub fn games(text: &str) -> Result<Vec<Game>, OpeningError> {
    let checked = |(line, game): (usize, Game)| match game.position().size() {
        Size::Eight => Ok(game),
        size => {
            let why = format!("found a game on {size}, expected one on {}", Size::Eight);
            Err(OpeningError::Line(line, why))
        }
    };
    games_of(text)?.into_iter().map(checked).collect()
}

/// The records of the game with this number, which depend on nothing else: what the engine knows of
/// other games is forgotten.
pub fn game(
    engine: &mut Engine,
    plan: Plan,
    games: &[Game],
    seed: u64,
    number: u64,
) -> Vec<Record> {
    engine.forget();
    let mut rng = numbered(seed, number);
    let mut records = Vec::new();
    let opening = opening(games, &mut rng);
    play(engine, plan, opening, &mut rng, &mut records);
    records
}

/// The randomness of a game or batch with this number. Mixed twice, so that what one seed makes is not what the next
/// one does, moved by some.
pub(crate) fn numbered(seed: u64, number: u64) -> Rng {
    Rng::new(Rng::new(seed).next_u64() ^ Rng::new(!number).next_u64())
}

/// A position some moves into a game: half the time after random moves, and half the time after
/// moves of one of `games` and up to three random ones.
pub fn opening(games: &[Game], rng: &mut Rng) -> Position {
    let below = |n: usize, rng: &mut Rng| rng.below(n as u64) as usize;
    let start = Position::start(Size::Eight);
    let n_moves = 4 + below(44, rng).min(below(44, rng));
    let (mut position, n_random) = if games.is_empty() || below(2, rng) == 0 {
        (start, n_moves)
    } else {
        let game = &games[below(games.len(), rng)];
        let position = game.steps().map(|(position, _)| position).nth(n_moves);
        (position.unwrap_or_else(|| game.position()), below(4, rng))
    };
    for _ in 0..n_random {
        let Some(next) = stray(position, rng) else { break };
        position = next;
    }
    position
}

/// Plays a game from a position and adds its records to `out`.
///
/// # Panics
/// Never: the engine makes legal moves and is not stopped.
pub fn play(
    engine: &mut Engine,
    plan: Plan,
    opening: Position,
    rng: &mut Rng,
    out: &mut Vec<Record>,
) {
    let first = out.len();
    let mut turns = Vec::new();
    let mut aside = Vec::new();
    let mut position = opening;
    while position.empties().count() > plan.exact_from && !position.is_over() {
        let (mv, value) = look(engine, plan.depth, position);
        if mv != Move::Pass && position.empties().count() <= plan.record_from {
            // The score is not known yet.
            let (board, score) = (position.board(), Score(0));
            out.push(Record { board, value: Some(value), score, source: Source::Game });
            turns.push(position.turn());
            look_beside(engine, plan, position, rng, &mut aside);
        }
        position = position.apply(mv).expect("the engine makes legal moves");
    }
    let (mut score, line) = solved(engine, position);
    let turn = position.turn();
    for (record, its_turn) in out[first..].iter_mut().zip(turns) {
        record.score = if its_turn == turn { score } else { -score };
    }
    for mv in line {
        if mv != Move::Pass && position.empties().count() <= plan.record_from {
            out.push(proven(position, score));
            look_beside(engine, plan, position, rng, &mut aside);
        }
        position = position.apply(mv).expect("a proof's line is legal");
        score = -score;
    }
    out.append(&mut aside);
}

/// The records of positions some moves from one of the game.
fn look_beside(
    engine: &mut Engine,
    plan: Plan,
    position: Position,
    rng: &mut Rng,
    out: &mut Vec<Record>,
) {
    for _ in 0..plan.beside {
        let n_moves = 1 + rng.below(u64::from(plan.ahead)) as u32;
        let beside = walk(engine.weights(), position, n_moves, rng);
        let Some(beside) = beside.filter(|beside| beside.moves().any()) else { continue };
        out.push(if beside.empties().count() <= plan.exact_from {
            proven(beside, solved(engine, beside).0)
        } else {
            let (_, value) = look(engine, plan.depth, beside);
            let (board, score) = (beside.board(), rounded(value));
            Record { board, value: Some(value), score, source: Source::Search }
        });
    }
}

/// The move a search chooses, and its value as the mean of the last two depths: of an even and an odd
/// one, because whoever moves last picks what the evaluation overrates.
pub(crate) fn look(engine: &mut Engine, depth: u32, position: Position) -> (Move, i16) {
    let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
    let question = Question { position, counting: COUNTING, limits, top: 1 };
    let mut values = [None; 2];
    let answer = engine.think(question, &Monitor::default(), &mut |answer| {
        values = [values[1], answer.best().map(|best| best.value.discs)];
    });
    let best = answer.best().expect("the game is not over");
    let mean = f32::midpoint(values[0].unwrap_or(best.value.discs), best.value.discs);
    (best.mv, (mean * UNIT as f32) as i16)
}

/// A value in whole discs.
pub(crate) fn rounded(value: i16) -> Score {
    Score((f32::from(value) / UNIT as f32).round().clamp(-64.0, 64.0) as i8)
}

/// The proven score, and the best line.
pub(crate) fn solved(engine: &mut Engine, position: Position) -> (Score, Vec<Move>) {
    let request = Request::exact(position, COUNTING);
    let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
    (proof.score().expect("it was not stopped"), proof.line)
}

pub(crate) fn proven(position: Position, score: Score) -> Record {
    Record { board: position.board(), value: None, score, source: Source::Proof }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_engine::Config;

    const PLAN: Plan = Plan { depth: 2, exact_from: 8, beside: 1, ahead: 3, record_from: 64 };

    fn engine() -> Engine {
        Engine::new(Config { threads: 1, table_mib: 1 })
    }

    fn some_games(engine: &mut Engine) -> Vec<Vec<Record>> {
        let openings = games("f5d6c4d3c2b3b4b5 -0.5\nf5f4g3\n").unwrap();
        (0..12).map(|number| game(engine, PLAN, &openings, 7, number)).collect()
    }

    #[test]
    fn records_are_positions_with_moves_and_scores_that_agree() {
        let mut engine = engine();
        for records in some_games(&mut engine) {
            for record in &records {
                assert!(record.board.moves().any());
                assert_eq!(Record::from_bytes(&record.to_bytes()).as_ref(), Ok(record));
                let is_near = record.n_empties() <= PLAN.exact_from;
                assert_eq!(record.source == Source::Proof, is_near, "{record:?}");
                assert_eq!(record.value.is_none(), is_near, "{record:?}");
                if is_near {
                    let request = Request::exact(record.position(), COUNTING);
                    let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
                    assert_eq!(proof.score(), Some(record.score), "{record:?}");
                }
            }
            // The scores of a game differ in their signs alone until it is solved.
            let sizes: Vec<i8> = { records.iter().filter(|r| r.source == Source::Game) }
                .map(|r| r.score.0.abs())
                .collect();
            assert!(sizes.windows(2).all(|pair| pair[0] == pair[1]), "{sizes:?}");
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed_alone() {
        let mut one = engine();
        let all = some_games(&mut one);
        assert!(all.iter().any(|records| !records.is_empty()));
        assert_eq!(some_games(&mut engine()), all);
        assert_eq!(some_games(&mut one), all, "nothing is left of what was played before");
        assert_ne!(game(&mut one, PLAN, &[], 7, 1), game(&mut one, PLAN, &[], 7, 2));
        assert_ne!(game(&mut one, PLAN, &[], 7, 1), game(&mut one, PLAN, &[], 8, 1));
    }

    #[test]
    fn what_comes_too_early_is_not_recorded() {
        let mut engine = engine();
        let empties = |plan: Plan, engine: &mut Engine| -> Vec<u32> {
            let records = (0..12).flat_map(|number| game(engine, plan, &[], 7, number));
            records.map(|record| record.n_empties()).collect()
        };
        for record_from in [6, 12] {
            let late = empties(Plan { record_from, ..PLAN }, &mut engine);
            assert_eq!(late.iter().max(), Some(&record_from));
            let n_game = empties(Plan { beside: 0, ..PLAN }, &mut engine);
            let n_late = n_game.iter().filter(|n| **n <= record_from).count();
            let plan = Plan { beside: 0, record_from, ..PLAN };
            assert_eq!(empties(plan, &mut engine).len(), n_late);
        }
    }

    #[test]
    fn positions_beside_a_game_are_as_far_from_it_as_asked() {
        let mut engine = engine();
        let plan = Plan { beside: 4, ahead: 10, record_from: 20, ..PLAN };
        let mut fewest = 64;
        for number in 0..12 {
            let records = game(&mut engine, plan, &[], 7, number);
            // Those beside the game come last.
            let n_game = records.iter().filter(|r| r.source == Source::Game).count();
            let last = records[..n_game].last().map_or(20, Record::n_empties);
            for record in records.iter().filter(|r| r.source == Source::Search) {
                assert!(record.n_empties() < 20 && record.n_empties() + 10 >= last, "{record:?}");
                fewest = fewest.min(record.n_empties());
            }
        }
        assert!(fewest <= 12, "some are far ahead: {fewest}");
    }

    #[test]
    fn games_may_be_whole_but_not_on_a_small_board() {
        assert_eq!(games("# moves\ne6f4e3f6g5d6e7f5c5 64\n").map(|games| games.len()), Ok(1));
        let error = |text| games(text).unwrap_err().to_string();
        assert_eq!(error("f5\nstart:4x4\n"), "line 2: found a game on 4x4, expected one on 8x8");
        assert_eq!(error("#\n"), "found no opening, expected one a line: f5d6c4d3");
    }
}
