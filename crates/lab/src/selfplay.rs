//! Games of the engine against itself, as records.
//!
//! A game starts after an opening that the engine did not choose, so that it sees much that it would
//! avoid. It is played by short searches until the end is near enough to be solved; from there on all
//! positions of the best line are proven, and so are some beside it.

use obverse_board::{Counting, Game, Move, Position, Score, Size};
use obverse_engine::classic::Rng;
use obverse_engine::eval::UNIT;
use obverse_engine::solve::Request;
use obverse_engine::{Engine, Limits, Monitor, Question};

use crate::record::{Record, Source};

const COUNTING: Counting = Counting::WinnerTakesEmpties;

/// How the games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many moves each search looks ahead.
    pub depth: u32,
    /// From how many empty squares on the game is solved.
    pub exact_from: u32,
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
        (position.unwrap_or(start), below(4, rng))
    };
    for _ in 0..n_random {
        if position.must_pass() {
            position = position.pass_unchecked();
        }
        let moves = position.moves();
        let nth = below((moves.count() as usize).max(1), rng);
        let Some(square) = moves.into_iter().nth(nth) else { break };
        position = position.play_unchecked(square);
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
    let monitor = Monitor::default();
    let first = out.len();
    let mut turns = Vec::new();
    let mut position = opening;
    while position.empties().count() > plan.exact_from && !position.is_over() {
        let limits = Limits { depth: plan.depth, end_from: 0, proof_from: 0, ..Limits::NONE };
        let question = Question { position, counting: COUNTING, limits, top: 1 };
        let answer = engine.think(question, &monitor, &mut |_| {});
        let best = answer.best().expect("the game is not over");
        if best.mv != Move::Pass {
            let value = (best.value.discs * UNIT as f32) as i16;
            // The score is not known yet.
            out.push(Record {
                board: position.board(),
                value: Some(value),
                score: Score(0),
                source: Source::Game,
            });
            turns.push(position.turn());
        }
        position = position.apply(best.mv).expect("the engine makes legal moves");
    }
    let proof = engine.solve(Request::exact(position, COUNTING), &monitor, &mut |_| {});
    let score = proof.score().expect("it was not stopped");
    let turn = position.turn();
    for (record, its_turn) in out[first..].iter_mut().zip(turns) {
        record.score = if its_turn == turn { score } else { -score };
    }
    follow(engine, position, score, &proof.line, rng, out);
}

/// The records along a proven line, and of some positions beside it.
fn follow(
    engine: &mut Engine,
    mut position: Position,
    mut score: Score,
    line: &[Move],
    rng: &mut Rng,
    out: &mut Vec<Record>,
) {
    for &mv in line {
        if mv != Move::Pass {
            out.push(proven(position, score));
            let moves = position.moves();
            let other = moves.into_iter().nth(rng.below(u64::from(moves.count())) as usize);
            let n_empties = position.empties().count();
            if let Some(square) = other.filter(|&square| Move::Place(square) != mv && n_empties > 5)
            {
                let beside = position.play_unchecked(square);
                if beside.moves().any() {
                    let request = Request::exact(beside, COUNTING);
                    let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
                    out.push(proven(beside, proof.score().expect("it was not stopped")));
                }
            }
        }
        position = position.apply(mv).expect("a proof's line is legal");
        score = -score;
    }
}

fn proven(position: Position, score: Score) -> Record {
    Record { board: position.board(), value: None, score, source: Source::Proof }
}
