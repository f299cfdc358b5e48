//! The exact solver: the proven score and best move of a position.
//!
//! A proof is a sequence of null-window searches, each of which asks whether the score exceeds some
//! value and so raises the lower or lowers the upper bound, until they meet. What is known after any
//! of them is true whatever happens later, so a solver that is stopped still has honest bounds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use obverse_board::{Counting, Move, Position, Score, Size, Square};

use crate::search::params::CACHE_KIB;
use crate::search::{Arena, Cache, Pool, Shared, Worker};
use crate::table::Table;

/// How much of the machine a solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Threads that search together, at least one.
    pub threads: usize,
    /// The size of the shared table in mebibytes, at least one.
    pub table_mib: usize,
}

/// What is to be proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The score.
    Exact,
    /// Whether the side to move wins, draws or loses.
    Outcome,
    /// The score if it lies between the two, else that it is at most the first or at least the
    /// second. The first must be less than the second, or solving panics.
    Window(Score, Score),
}

/// What a solver is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// How a finished game is counted.
    pub counting: Counting,
    /// What is to be proven.
    pub goal: Goal,
    /// Bounds on the score that are known already, and true.
    pub known: (Score, Score),
    /// Where the score is supposed to be; a good guess saves time.
    pub guess: Score,
}

impl Request {
    /// Asks for the score of `position`.
    pub fn exact(position: Position, counting: Counting) -> Request {
        let area = position.size().area() as i8;
        let known = (Score(-area), Score(area));
        Request { position, counting, goal: Goal::Exact, known, guess: Score(0) }
    }
}

/// What is known of a position, proven; scores are those of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// The best move found; `None` if the game is over or nothing was found yet.
    pub best: Option<Move>,
    /// Best play as far as it was followed.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether it was stopped before the goal was reached.
    pub stopped: bool,
}

impl Proof {
    /// The score, if it is known exactly.
    pub fn score(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// How far a proof has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// The best move so far.
    pub best: Option<Move>,
    /// Positions visited so far.
    pub nodes: u64,
}

/// A handle by which another thread can watch and stop a solver.
///
/// A monitor that has been stopped stays so; take a new one for work that should not be.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    stop: Arc<AtomicBool>,
    nodes: Arc<AtomicU64>,
}

impl Monitor {
    /// Makes every solve under this monitor return soon with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Roughly how many positions the solves under this monitor have visited.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// The exact solver: a table, caches and threads to use them.
///
/// ```
/// use obverse_board::{Counting, Position, Score, Size};
/// use obverse_engine::solve::{Config, Monitor, Request, Solver};
///
/// let mut solver = Solver::new(Config { threads: 1, table_mib: 1 });
/// let request = Request::exact(Position::start(Size::Four), Counting::Discs);
/// let proof = solver.solve(request, &Monitor::default(), &mut |_| {});
/// assert_eq!(proof.score(), Some(Score(-8)));
/// ```
pub struct Solver {
    table: Table,
    caches: Vec<Cache>,
    /// Counts searches; the lowest bit is the counting of the last one.
    epoch: u8,
    /// The size of the boards in the table: the same discs mean something else on another size.
    size: Size,
}

impl Solver {
    /// A solver with an empty table.
    pub fn new(config: Config) -> Solver {
        Solver {
            table: Table::new(config.table_mib.max(1)),
            caches: (0..config.threads.max(1)).map(|_| Cache::new(CACHE_KIB)).collect(),
            epoch: 0,
            size: Size::Eight,
        }
    }

    /// Proves what is asked, or as much of it as there is time for.
    ///
    /// `progress` is told whenever more is known.
    pub fn solve(
        &mut self,
        request: Request,
        monitor: &Monitor,
        progress: &mut dyn FnMut(Progress),
    ) -> Proof {
        let takes = request.counting == Counting::WinnerTakesEmpties;
        let size = request.position.size();
        if std::mem::replace(&mut self.size, size) != size {
            self.table.clear();
        }
        // Bounds of a search under the other counting are no use: the lowest bit tells them apart.
        self.epoch = (self.epoch.wrapping_add(2) & !1) | u8::from(takes);
        for cache in &mut self.caches {
            cache.clear();
        }
        match (size == Size::Eight, takes) {
            (true, true) => self.run::<true, true>(request, monitor, progress),
            (true, false) => self.run::<true, false>(request, monitor, progress),
            (false, true) => self.run::<false, true>(request, monitor, progress),
            (false, false) => self.run::<false, false>(request, monitor, progress),
        }
    }

    fn run<const FULL: bool, const TAKES: bool>(
        &mut self,
        request: Request,
        monitor: &Monitor,
        progress: &mut dyn FnMut(Progress),
    ) -> Proof {
        let nodes_before = monitor.nodes();
        let shared = Shared {
            table: &self.table,
            stop: &monitor.stop,
            epoch: self.epoch,
            pool: Pool::new(),
            nodes: &monitor.nodes,
        };
        let arena = Arena::<FULL, TAKES>::new(request.position.size(), request.counting);
        let (first, others) = self.caches.split_first_mut().expect("there is at least one thread");
        let mut proof = std::thread::scope(|scope| {
            for cache in others {
                let shared = &shared;
                scope.spawn(move || Worker::new(shared, arena, cache).help());
            }
            let mut worker = Worker::new(&shared, arena, first);
            let proof = Prover { worker: &mut worker, request, progress }.prove();
            worker.report_nodes();
            shared.pool.finish();
            proof
        });
        proof.nodes = monitor.nodes() - nodes_before;
        proof
    }
}

/// One proof: the questions, and what their answers amount to.
struct Prover<'a, 'b, const FULL: bool, const TAKES: bool> {
    worker: &'a mut Worker<'b, FULL, TAKES>,
    request: Request,
    progress: &'a mut dyn FnMut(Progress),
}

impl<const FULL: bool, const TAKES: bool> Prover<'_, '_, FULL, TAKES> {
    fn prove(&mut self) -> Proof {
        let Request { position, known: (lower, upper), .. } = self.request;
        let mut proof =
            Proof { lower, upper, best: None, line: Vec::new(), nodes: 0, stopped: false };
        if position.is_over() {
            let score = position.score_for(position.turn(), self.request.counting);
            (proof.lower, proof.upper) = (score, score);
            return proof;
        }
        let forced = position.must_pass().then_some(Move::Pass);
        proof.best = forced.or_else(|| position.moves().first().map(Move::Place));
        let reached = self.narrow(&mut proof);
        if let Some(score) = proof.score().filter(|_| !proof.stopped) {
            // The best move found may be from before the bounds met, if one was known beforehand.
            let best = proof.best.filter(|&mv| mv == Move::Pass || reached == Some(score));
            self.follow(&mut proof, best);
            // Stopped on the way: the score is proven, but no move for it is.
            proof.stopped = proof.line.is_empty();
            proof.best = proof.line.first().copied().or(proof.best);
        }
        proof
    }

    /// Asks until the goal is reached; returns the score that the best move found reaches, if any.
    fn narrow(&mut self, proof: &mut Proof) -> Option<Score> {
        let mut reached = None;
        let area = i32::from(self.request.position.size().area());
        // The score matters only above `low` and below `high`.
        let (low, high) = match self.request.goal {
            Goal::Exact => (-area - 1, area + 1),
            Goal::Outcome => (-1, 1),
            Goal::Window(low, high) => (i32::from(low.0), i32::from(high.0)),
        };
        // Where the winner takes the empties every score is even.
        let unit = if TAKES { 2 } else { 1 };
        let mut step = unit;
        let mut target = i32::from(self.request.guess.0).clamp(low + 1, high);
        loop {
            let (lower, upper) = (i32::from(proof.lower.0), i32::from(proof.upper.0));
            if lower >= upper || lower >= high || upper <= low {
                return reached;
            }
            // Is it at least this much?
            let at_least = target.clamp(lower.max(low) + 1, upper.min(high));
            let Some((score, best)) = self.ask(at_least, proof) else { return reached };
            if let Some(square) = Square::new(best).filter(|_| score >= at_least) {
                proof.best = Some(Move::Place(square));
                reached = Some(proof.lower);
            }
            self.tell(proof);
            let (lower, upper) = (i32::from(proof.lower.0), i32::from(proof.upper.0));
            // Away from the answer in growing steps until the score is between two, then halve.
            target = if lower > -area && upper < area {
                lower + ((upper - lower) / 2 / unit * unit).max(unit)
            } else if score >= at_least {
                lower + step
            } else {
                upper - step + unit
            };
            step *= 2;
        }
    }

    /// Asks whether the score is at least so much, takes note of the answer and returns it with the
    /// move that gave it.
    ///
    /// `None` if the search was stopped before there was one.
    fn ask(&mut self, at_least: i32, proof: &mut Proof) -> Option<(i32, u8)> {
        let position = self.request.position;
        let board = position.board();
        let n_empties = position.empties().count();
        let (p, o) = (board.player().0, board.opponent().0);
        let (score, best) = self.worker.node(p, o, at_least - 1, n_empties);
        self.worker.report_nodes();
        if self.worker.is_cancelled() {
            proof.stopped = true;
            return None;
        }
        if score >= at_least {
            proof.lower = Score(score as i8);
        } else {
            proof.upper = Score(score as i8);
        }
        Some((score, best))
    }

    fn tell(&mut self, proof: &Proof) {
        (self.progress)(Progress {
            lower: proof.lower,
            upper: proof.upper,
            best: proof.best,
            nodes: self.worker.total_nodes(),
        });
    }

    /// Plays best moves from the position until the game is over, the first of which may be known.
    fn follow(&mut self, proof: &mut Proof, mut best: Option<Move>) {
        let mut position = self.request.position;
        let mut score = i32::from(proof.lower.0);
        while !position.is_over() {
            let mv = if let Some(mv) = best.take() {
                mv
            } else if position.must_pass() {
                Move::Pass
            } else {
                let board = position.board();
                let (p, o) = (board.player().0, board.opponent().0);
                let (_, square) = self.worker.node(p, o, score - 1, position.empties().count());
                if self.worker.is_cancelled() {
                    return;
                }
                match Square::new(square) {
                    Some(square) => Move::Place(square),
                    // The score was known without a move; any move that keeps it will do.
                    None => match self.keep(position, score) {
                        Some(square) => Move::Place(square),
                        None => return,
                    },
                }
            };
            proof.line.push(mv);
            position = position.apply(mv).expect("the search makes legal moves");
            score = -score;
        }
    }

    /// A move after which the score of `position`, which is `score`, is still reached.
    fn keep(&mut self, position: Position, score: i32) -> Option<Square> {
        position.moves().into_iter().find(|&square| {
            let board = position.play_unchecked(square).board();
            let n_empties = position.empties().count() - 1;
            let reply = self.worker.search(board.player().0, board.opponent().0, -score, n_empties);
            reply <= -score && !self.worker.is_cancelled()
        })
    }
}
