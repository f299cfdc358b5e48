//! Answering a question with the engine.

use std::sync::Arc;
use std::time::Instant;

use obverse_board::{Counting, Move, Position, Score};
use obverse_engine::eval::Weights;
use obverse_engine::solve::{Goal, Proof, Request};
use obverse_engine::{Certainty, Config, Engine, Level, Limits, Monitor, Question as Thought};

use crate::{Answer, Estimate, Job, MoveBounds, Question, Task};

/// Answers one question after the other.
pub trait Solver: Send {
    /// Prepares for these jobs, and forgets what it learned before: what it answers depends on them
    /// alone, not on who did what before.
    fn begin(&mut self, jobs: &[Job]);

    /// Answers a question, or as much of it as there is time for until the monitor is stopped.
    fn solve(&mut self, job: &Job, monitor: &Monitor) -> Answer;
}

/// Makes solvers.
pub trait Shop: Sync {
    /// One that searches with so many threads.
    fn solver(&self, n_threads: usize) -> Box<dyn Solver>;
}

/// Makes solvers that have an engine each.
#[derive(Clone, Debug)]
pub struct EngineShop {
    /// The evaluation.
    pub weights: Arc<Weights>,
    /// The size of each table in mebibytes, if it should not depend on the positions.
    pub table_mib: Option<usize>,
}

impl Shop for EngineShop {
    fn solver(&self, n_threads: usize) -> Box<dyn Solver> {
        let name = engine_name(&self.weights).into();
        Box::new(EngineSolver { shop: self.clone(), n_threads, name, engine: None })
    }
}

/// What an engine is called in answers: the version, what tells its evaluation from others, and the
/// instructions it was built for.
pub fn engine_name(weights: &Weights) -> String {
    let (version, sum) = (env!("CARGO_PKG_VERSION"), weights.checksum() as u32);
    format!("obverse {version} {sum:08x} {}", obverse_board::kernel::NAME)
}

/// The size of a table, in mebibytes, that suits positions with so many empty squares.
pub const fn table_mib(n_empties: u32) -> usize {
    match n_empties {
        0..16 => 1,
        16..20 => 4,
        20..22 => 12,
        22..24 => 32,
        24..26 => 128,
        26..28 => 256,
        28.. => 1024,
    }
}

struct EngineSolver {
    shop: EngineShop,
    n_threads: usize,
    name: Arc<str>,
    /// With the size of its table.
    engine: Option<(Engine, usize)>,
}

impl Solver for EngineSolver {
    fn begin(&mut self, jobs: &[Job]) {
        let n_empties = jobs.iter().map(|job| job.question.n_empties()).max().unwrap_or(0);
        let table_mib = self.shop.table_mib.unwrap_or_else(|| table_mib(n_empties));
        match &mut self.engine {
            Some((engine, mib)) if *mib == table_mib => engine.forget(),
            engine => {
                let config = Config { threads: self.n_threads, table_mib };
                // The old table goes before the new one comes.
                *engine = None;
                let weights = Arc::clone(&self.shop.weights);
                *engine = Some((Engine::with_weights(config, weights), table_mib));
            }
        }
    }

    fn solve(&mut self, job: &Job, monitor: &Monitor) -> Answer {
        if self.engine.is_none() {
            self.begin(std::slice::from_ref(job));
        }
        let (engine, _) = self.engine.as_mut().expect("just made");
        let start = Instant::now();
        let before = monitor.nodes();
        let mut answer = answer(engine, job, monitor, &self.name);
        answer.nodes = monitor.nodes() - before;
        answer.micros = start.elapsed().as_micros() as u64;
        answer
    }
}

fn answer(engine: &mut Engine, job: &Job, monitor: &Monitor, name: &Arc<str>) -> Answer {
    let Job { question, known } = job;
    let position = question.position();
    let counting = question.counting();
    let blank = Answer {
        lower: known.0,
        upper: known.1,
        best: None,
        proven: false,
        estimate: None,
        moves: Vec::new(),
        nodes: 0,
        micros: 0,
        engine: Arc::clone(name),
    };
    let goal = match question.task {
        Task::Exact | Task::Moves => Goal::Exact,
        Task::Outcome => Goal::Outcome,
        Task::Window(low, high) => Goal::Window(Score(low), Score(high)),
        Task::Level(level) => {
            let level = Level::new(level).expect("questions are of levels there are");
            return think(engine, question, level.into(), monitor, blank);
        }
        Task::Depth(depth) => {
            let depth = depth.into();
            let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
            return think(engine, question, limits, monitor, blank);
        }
    };
    let mut prove = |request| engine.solve(request, monitor, &mut |_| {});
    let proof = prove(Request { goal, known: *known, ..Request::exact(position, counting) });
    let mut answer = Answer {
        lower: proof.lower,
        upper: proof.upper,
        best: proof.best,
        proven: !proof.stopped,
        ..blank
    };
    if question.task == Task::Moves && !position.is_over() {
        let moves = all_moves(&mut prove, position, counting, &proof);
        answer.proven &= moves.iter().all(|(_, proof)| !proof.stopped);
        let bounds =
            |(mv, proof): (Move, Proof)| MoveBounds { mv, lower: proof.lower, upper: proof.upper };
        answer.moves = moves.into_iter().map(bounds).collect();
    }
    answer
}

fn think(
    engine: &mut Engine,
    question: &Question,
    limits: Limits,
    monitor: &Monitor,
    blank: Answer,
) -> Answer {
    let (position, counting) = (question.position(), question.counting());
    if position.is_over() {
        let score = position.score_for(position.turn(), counting);
        return Answer { lower: score, upper: score, proven: true, ..blank };
    }
    let limits = Limits { nodes: question.limits.nodes.unwrap_or(u64::MAX), ..limits };
    let thought = Thought { position, counting, limits, top: 1 };
    let thoughts = engine.think(thought, monitor, &mut |_| {});
    let Some(best) = thoughts.best() else { return blank };
    if best.value.certainty == Certainty::Proven {
        let score = Score(best.value.discs as i8);
        return Answer { lower: score, upper: score, best: Some(best.mv), proven: true, ..blank };
    }
    let estimate = Estimate { discs: best.value.discs, certainty: best.value.certainty };
    Answer { best: Some(best.mv), estimate: Some(estimate), ..blank }
}

/// The proof of every move of a position whose own score is known by `best`, best first.
///
/// # Panics
/// Never: the moves are legal.
pub fn all_moves(
    prove: &mut dyn FnMut(Request) -> Proof,
    position: Position,
    counting: Counting,
    best: &Proof,
) -> Vec<(Move, Proof)> {
    let legal: Vec<Move> = if position.must_pass() {
        vec![Move::Pass]
    } else {
        position.moves().into_iter().map(Move::Place).collect()
    };
    let mut moves: Vec<(Move, Proof)> = Vec::new();
    for mv in legal {
        let next = position.apply(mv).expect("it is legal");
        // No move is better than the best one, and most are not much worse.
        let area = position.size().area() as i8;
        let known = (-best.upper, Score(area));
        let guess = if Some(mv) == best.best {
            -best.lower
        } else {
            Score(2 - best.lower.0).min(Score(area))
        };
        let reply = prove(Request { known, guess: Some(guess), ..Request::exact(next, counting) });
        let line = std::iter::once(mv).chain(reply.line).collect();
        let proof =
            Proof { lower: -reply.upper, upper: -reply.lower, best: Some(mv), line, ..reply };
        moves.push((mv, proof));
    }
    moves.sort_by_key(|(_, proof)| (-proof.upper.0, -proof.lower.0));
    moves
}
