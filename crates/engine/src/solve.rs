//! The exact solver: the proven score and best move of a position.
//!
//! A proof is a sequence of null-window searches, each of which asks whether the score exceeds some
//! value and so raises the lower or lowers the upper bound, until they meet. What is known after any
//! of them is true whatever happens later, so a solver that is stopped still has honest bounds.

use obverse_board::{Counting, Move, Position, Score, Square};

use crate::engine::{Engine, Monitor, with_worker};
use crate::eval::UNIT;
use crate::search::{Care, Root, Worker};

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
    /// Where the score is supposed to be, if the caller knows better than the evaluation; a good guess
    /// saves time.
    pub guess: Option<Score>,
}

impl Request {
    /// Asks for the score of `position`.
    pub fn exact(position: Position, counting: Counting) -> Request {
        let area = position.size().area() as i8;
        let known = (Score(-area), Score(area));
        Request { position, counting, goal: Goal::Exact, known, guess: None }
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

impl Engine {
    /// Proves what is asked, or as much of it as there is time for.
    ///
    /// `progress` is told whenever more is known.
    ///
    /// ```
    /// use obverse_board::{Counting, Position, Score, Size};
    /// use obverse_engine::solve::Request;
    /// use obverse_engine::{Config, Engine, Monitor};
    ///
    /// let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
    /// let request = Request::exact(Position::start(Size::Four), Counting::Discs);
    /// let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
    /// assert_eq!(proof.score(), Some(Score(-8)));
    /// ```
    pub fn solve(
        &mut self,
        request: Request,
        monitor: &Monitor,
        progress: &mut dyn FnMut(Progress),
    ) -> Proof {
        self.get_ready(request.position.size(), request.counting);
        let nodes_before = monitor.nodes();
        let mut proof = with_worker!(
            self,
            request.position.size(),
            request.counting,
            monitor,
            u64::MAX,
            |worker| { Prover { worker, request, progress }.prove() }
        );
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
        let reached = if position.must_pass() {
            self.narrow_passed(&mut proof);
            None
        } else {
            self.narrow(&mut proof)
        };
        if let Some(score) = proof.score().filter(|_| !proof.stopped) {
            // The best move found may be from before the bounds met, if one was known beforehand.
            let best = proof.best.filter(|&mv| mv == Move::Pass || reached == Some(score));
            self.worker.care = Care::PROOF;
            self.follow(&mut proof, best);
            // Stopped on the way: the score is proven, but no move for it is.
            proof.stopped = proof.line.is_empty();
            proof.best = proof.line.first().copied().or(proof.best);
        }
        proof
    }

    /// The score matters only above the first and below the second.
    fn window(&self) -> (i32, i32) {
        let area = i32::from(self.request.position.size().area());
        match self.request.goal {
            Goal::Exact => (-area - 1, area + 1),
            Goal::Outcome => (-1, 1),
            Goal::Window(low, high) => (i32::from(low.0), i32::from(high.0)),
        }
    }

    /// Where a pass is forced: the opponent's score, turned round.
    fn narrow_passed(&mut self, proof: &mut Proof) {
        let Request { position, goal, .. } = self.request;
        let turned = |score: Score| Score(-score.0);
        let request = Request {
            position: position.pass_unchecked(),
            known: (turned(proof.upper), turned(proof.lower)),
            guess: self.request.guess.map(turned),
            goal: match goal {
                Goal::Window(low, high) => Goal::Window(turned(high), turned(low)),
                other => other,
            },
            ..self.request
        };
        let outer = std::mem::replace(&mut self.request, request);
        let mut passed = Proof { lower: request.known.0, upper: request.known.1, ..proof.clone() };
        self.narrow(&mut passed);
        self.request = outer;
        (proof.lower, proof.upper) = (turned(passed.upper), turned(passed.lower));
        proof.stopped = passed.stopped;
        proof.best = Some(Move::Pass);
    }

    /// Asks until the goal is reached; returns the score that the best move found reaches, if any.
    fn narrow(&mut self, proof: &mut Proof) -> Option<Score> {
        let window = self.window();
        let position = self.request.position;
        let mut root = Root::new(self.worker, position.board());
        proof.best = Square::new(root.first()).map(Move::Place);
        let area = i32::from(position.size().area());
        // Ever more careful looks at the score, each a good guess for the next and a hint which moves
        // to try first.
        let guess = self.request.guess.map(|guess| i32::from(guess.0));
        let Some(mut guess) = guess.or_else(|| warm_up(&mut root)) else {
            proof.stopped = true;
            return None;
        };
        let n_empties = root.n_empties();
        // The most careful look costs more than it saves the proof.
        for care in Care::ladder(n_empties, Care::PROOF).filter(|care| *care < Care::SURE) {
            let bounds = root.narrow(care, window, (-area, area), guess, &mut |_, _| {});
            if bounds.stopped {
                proof.stopped = true;
                return None;
            }
            guess = if bounds.lower > -area { bounds.lower } else { bounds.upper };
        }
        let known = (i32::from(proof.lower.0), i32::from(proof.upper.0));
        let progress = &mut self.progress;
        let mut best = proof.best;
        let bounds = root.narrow(Care::PROOF, window, known, guess, &mut |bounds, nodes| {
            best = Square::new(bounds.best).map(Move::Place).or(best);
            progress(Progress {
                lower: Score(bounds.lower as i8),
                upper: Score(bounds.upper as i8),
                best,
                nodes,
            });
        });
        (proof.lower, proof.upper) = (Score(bounds.lower as i8), Score(bounds.upper as i8));
        proof.stopped = bounds.stopped;
        proof.best = Square::new(root.first()).map(Move::Place);
        Square::new(bounds.best).map(|_| proof.lower)
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
                let (_, square) = self.worker.far(p, o, score - 1, position.empties().count());
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
            let reply = self.worker.end(board.player().0, board.opponent().0, -score, n_empties);
            reply <= -score && !self.worker.is_cancelled()
        })
    }
}

/// The score that short searches expect, in discs; `None` if stopped.
fn warm_up<const FULL: bool, const TAKES: bool>(
    root: &mut Root<'_, '_, FULL, TAKES>,
) -> Option<i32> {
    let depth = match root.n_empties() {
        0..10 => return Some(0),
        10..14 => 1,
        14..17 => 2,
        17..24 => 4,
        24..28 => 8,
        28.. => 10,
    };
    let mut value = None;
    for depth in 1..=depth {
        let look = root.look(depth, Care::QUICK, value)?;
        if look.stopped {
            return None;
        }
        value = Some(look.value);
    }
    value.map(|value| (value + UNIT / 2).div_euclid(UNIT))
}
