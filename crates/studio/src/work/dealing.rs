//! Positions made by chance: XOT openings and puzzles.
//!
//! Chance comes from a seed, and each try from the seed and its number, so that an interrupted try is
//! made again and no other.

use obverse_board::{Counting, Game, Move, Position, Size, Square};
use obverse_engine::classic::Rng;
use obverse_engine::solve::Request;
use obverse_engine::{Candidate, Certainty, Level, Limits, Question, Value};

use super::{Bench, Ended, MakePuzzle, News};

/// An XOT opening has so many moves, after which nobody is ahead by more than this.
const XOT_MOVES: u32 = 8;
const XOT_DISCS_MAX: f32 = 2.0;
const XOT_LEVEL: u8 = 10;
/// Most random openings are won for somebody; a short look tells.
const GLANCE_LEVEL: u8 = 3;
const GLANCE_DISCS_MAX: f32 = 6.0;

/// A puzzle is made with so many empty squares.
const EMPTIES: std::ops::RangeInclusive<u32> = 8..=12;
/// The game that leads there begins with so many random moves, then both play at this depth.
const RANDOM_MOVES: u32 = 12;
const PLAY_DEPTH: u32 = 2;
/// A choice between fewer moves is none.
const MOVES_MIN: u32 = 3;

/// What a mistake must have lost at least to be worth a puzzle.
const LOSS_MIN: f32 = 2.0;

/// Mistakes with more empty squares take too long to solve.
pub(crate) const OWN_EMPTIES_MAX: u32 = 18;

/// A position all of whose moves are solved.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// Its moves, best first, each with its proven value and best play to the end.
    pub moves: Vec<Candidate>,
}

#[derive(Clone, Debug)]
pub(super) struct Dealing {
    seed: u64,
    n_tries: u64,
}

impl Dealing {
    pub(super) fn new(seed: u64) -> Dealing {
        Dealing { seed, n_tries: 0 }
    }

    pub(super) fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        while !bench.monitor.is_stopped() {
            let mut rng = try_rng(self.seed, self.n_tries);
            let mut game = Game::new(Position::start(Size::Eight));
            for _ in 0..XOT_MOVES {
                play_random(&mut game, &mut rng);
            }
            let mut is_even = |level, discs_max| {
                let level = Level::new(level).expect("there is this level");
                Some(value(bench, game.position(), level.into())?.abs() <= discs_max)
            };
            let is_even = match is_even(GLANCE_LEVEL, GLANCE_DISCS_MAX) {
                Some(true) => is_even(XOT_LEVEL, XOT_DISCS_MAX),
                other => other,
            };
            match is_even {
                Some(true) => {
                    tell(News::Dealt(game));
                    return Ended::Done;
                }
                Some(false) => self.n_tries += 1,
                None => break,
            }
        }
        Ended::Interrupted
    }
}

#[derive(Clone, Debug)]
pub(super) struct Making {
    job: MakePuzzle,
    n_tries: u64,
    /// The position of the try, once there is one, and the moves that are solved.
    position: Option<Position>,
    solved: Vec<Candidate>,
}

impl Making {
    pub(super) fn new(job: MakePuzzle) -> Making {
        Making { job, n_tries: 0, position: None, solved: Vec::new() }
    }

    pub(super) fn size(&self) -> Size {
        match self.job {
            MakePuzzle::Win { .. } => Size::Eight,
            MakePuzzle::Own { position, .. } => position.size(),
        }
    }

    pub(super) fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        loop {
            let position = match (self.position, self.job) {
                (Some(position), _) | (None, MakePuzzle::Own { position, .. }) => position,
                (None, MakePuzzle::Win { seed }) => match self.reach(seed, bench) {
                    Some(position) => position,
                    None => return Ended::Interrupted,
                },
            };
            self.position = Some(position);
            if !self.solve(position, bench) {
                return Ended::Interrupted;
            }
            let mut moves = std::mem::take(&mut self.solved);
            moves.sort_by(|a, b| b.value.discs.total_cmp(&a.value.discs));
            let is_good = self.is_good(&moves);
            if is_good {
                tell(News::Puzzle(Some(Puzzle { position, moves })));
                return Ended::Done;
            }
            if matches!(self.job, MakePuzzle::Own { .. }) {
                tell(News::Puzzle(None));
                return Ended::Done;
            }
            self.position = None;
            self.n_tries += 1;
        }
    }

    /// Whether the moves, best first, make a puzzle.
    fn is_good(&self, moves: &[Candidate]) -> bool {
        let Some(best) = moves.first() else { return false };
        match self.job {
            MakePuzzle::Win { .. } => {
                best.value.discs > 0.0 && moves[1..].iter().all(|other| other.value.discs <= 0.0)
            }
            MakePuzzle::Own { played, .. } => {
                let played = moves.iter().find(|candidate| candidate.mv == played);
                played.is_some_and(|played| best.value.discs - played.value.discs >= LOSS_MIN)
            }
        }
    }

    /// A position that a game might have led to; `None` if interrupted.
    fn reach(&mut self, seed: u64, bench: &mut Bench<'_>) -> Option<Position> {
        loop {
            let mut rng = try_rng(seed, self.n_tries);
            let span = u64::from(EMPTIES.end() - EMPTIES.start() + 1);
            let n_empties = EMPTIES.start() + rng.below(span) as u32;
            let mut game = Game::new(Position::start(Size::Eight));
            for _ in 0..RANDOM_MOVES {
                play_random(&mut game, &mut rng);
            }
            while !game.is_over() && game.position().empties().count() > n_empties {
                if game.settle() {
                    continue;
                }
                let limits =
                    Limits { depth: PLAY_DEPTH, end_from: 0, proof_from: 0, ..Limits::NONE };
                let mv = best(bench, game.position(), limits)?.mv;
                game.apply(mv).ok()?;
            }
            game.settle();
            if game.position().moves().count() >= MOVES_MIN {
                return Some(game.position());
            }
            self.n_tries += 1;
            if bench.monitor.is_stopped() {
                return None;
            }
        }
    }

    /// Solves all moves; whether there was time for it.
    fn solve(&mut self, position: Position, bench: &mut Bench<'_>) -> bool {
        let counting = match self.job {
            MakePuzzle::Win { .. } => Counting::WinnerTakesEmpties,
            MakePuzzle::Own { counting, .. } => counting,
        };
        for square in position.moves() {
            let mv = Move::Place(square);
            if self.solved.iter().any(|solved| solved.mv == mv) {
                continue;
            }
            let next = position.play_unchecked(square);
            let request = Request::exact(next, counting);
            let proof = bench.engine.solve(request, bench.monitor, &mut |_| {});
            let Some(score) = proof.score().filter(|_| !proof.stopped) else { return false };
            let value = Value { discs: f32::from(-score.0), certainty: Certainty::Proven };
            let line = std::iter::once(mv).chain(proof.line).collect();
            self.solved.push(Candidate { mv, value, line });
        }
        true
    }
}

fn try_rng(seed: u64, n_tries: u64) -> Rng {
    // Mixed first, so that the tries of neighboring seeds are not the same.
    Rng::new(Rng::new(seed).next_u64().wrapping_add(n_tries))
}

fn play_random(game: &mut Game, rng: &mut Rng) {
    game.settle();
    let moves: Vec<Square> = game.position().moves().into_iter().collect();
    if !moves.is_empty() {
        let square = moves[rng.below(moves.len() as u64) as usize];
        game.play(square).expect("it was chosen from the legal moves");
    }
}

/// The best move of a position; `None` if interrupted.
fn best(bench: &mut Bench<'_>, position: Position, limits: Limits) -> Option<Candidate> {
    let counting = Counting::WinnerTakesEmpties;
    let question = Question { position, counting, limits, top: 1 };
    let answer = bench.engine.think(question, bench.monitor, &mut |_| {});
    answer.candidates.into_iter().next().filter(|_| !bench.monitor.is_stopped())
}

fn value(bench: &mut Bench<'_>, position: Position, limits: Limits) -> Option<f32> {
    if position.is_over() {
        let score = position.score_for(position.turn(), Counting::WinnerTakesEmpties);
        return Some(f32::from(score.0));
    }
    best(bench, position, limits).map(|best| best.value.discs)
}
