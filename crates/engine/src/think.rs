//! Choosing a move: looking ever farther ahead until a limit is reached.
//!
//! Far from the end the value of a move is an estimate. When the end is within reach it is the
//! score that a search to the end finds, at first leaving out what hardly matters, at last proven.
//! Every value says which it is.

mod trail;

use std::fmt;

use obverse_board::{Counting, Move, Position, Square};

use crate::engine::{Engine, Monitor, with_worker};
use crate::eval::UNIT;
use crate::level::Level;
use crate::search::{Care, Root, Worker};
use crate::table::NO_MOVE;

use self::trail::{Gap, Trail};

/// How far to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many moves to look ahead at most, far from the end.
    pub depth: u32,
    /// From this many empty squares on, search to the end, leaving out what hardly matters.
    pub end_from: u32,
    /// How sure that search must be of what it leaves out, in per cent: 73, 87, 95 or 99; else the next below.
    pub end_sure: u8,
    /// From this many empty squares on, prove the score.
    pub proof_from: u32,
    /// How many positions to visit at most, roughly.
    pub nodes: u64,
    /// What a search of a number of moves may leave out.
    pub caution: Caution,
}

/// What a search of a number of moves may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caution {
    /// What shorter searches are 73 % sure of, and late moves are looked at less far first: for the same time
    /// the best.
    Quick,
    /// At last what they are 99 % sure of, and then the last four depths decide together: for the same depth better,
    /// at four to eight times the price.
    Careful,
    /// Nothing.
    Whole,
}

impl Limits {
    /// As far as there is time: until the score is proven or the monitor says stop.
    pub const NONE: Limits = Limits {
        depth: 64,
        end_from: 64,
        end_sure: Care::SURE.percent(),
        proof_from: 64,
        nodes: u64::MAX,
        caution: Caution::Quick,
    };
}

impl From<Level> for Limits {
    fn from(level: Level) -> Limits {
        Limits {
            depth: level.depth(),
            end_from: level.end_from(),
            proof_from: level.proof_from(),
            ..Limits::NONE
        }
    }
}

/// What an engine is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// How a finished game is counted.
    pub counting: Counting,
    /// How far to think.
    pub limits: Limits,
    /// How many of the best moves to report, at least one.
    pub top: usize,
}

/// How a value is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// The evaluation after looking so many moves ahead.
    Estimate(u32),
    /// The score at the end as a search found it that left out what it was so many per cent sure of.
    Selective(u8),
    /// The score at the end.
    Proven,
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certainty::Estimate(depth) => write!(f, "estimate (depth {depth})"),
            Certainty::Selective(percent) => write!(f, "selective ({percent} %)"),
            Certainty::Proven => f.write_str("proven"),
        }
    }
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// In discs.
    pub discs: f32,
    /// How it is known.
    pub certainty: Certainty,
}

/// A move that was thought about.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it.
    pub value: Value,
    /// The move and what is expected to follow.
    pub line: Vec<Move>,
}

impl Candidate {
    /// The square of the move; with passes there is nothing to think about.
    const fn square(&self) -> u8 {
        match self.mv {
            Move::Place(square) => square.index(),
            Move::Pass => NO_MOVE,
        }
    }
}

/// What an engine thinks, at the end or on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The best moves, best first; empty only if the game is over.
    pub candidates: Vec<Candidate>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether it was stopped before its limits were reached.
    pub stopped: bool,
}

impl Answer {
    /// The best move and its value.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }
}

impl Engine {
    /// Thinks about a position; `progress` hears whenever all the moves asked for have a better value.
    ///
    /// Stopped, it still has a move: that of the last search that was finished.
    ///
    /// ```
    /// use obverse_board::{Counting, Position, Size};
    /// use obverse_engine::{Config, Engine, Level, Monitor, Question};
    ///
    /// let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
    /// let limits = Level::new(3).unwrap().into();
    /// let position = Position::start(Size::Eight);
    /// let question = Question { position, counting: Counting::WinnerTakesEmpties, limits, top: 1 };
    /// let answer = engine.think(question, &Monitor::default(), &mut |_| {});
    /// assert!(answer.best().is_some());
    /// ```
    pub fn think(
        &mut self,
        question: Question,
        monitor: &Monitor,
        progress: &mut dyn FnMut(&Answer),
    ) -> Answer {
        let Question { position, counting, limits, .. } = question;
        let mut answer = Answer { candidates: Vec::new(), nodes: 0, stopped: false };
        if position.is_over() {
            return answer;
        }
        if position.must_pass() {
            // Think about the opponent's answer.
            let passed = Question { position: position.pass_unchecked(), top: 1, ..question };
            let turned = |answer: Answer| Answer {
                candidates: answer.candidates.into_iter().map(after_pass).collect(),
                ..answer
            };
            let answer =
                self.think(passed, monitor, &mut |answer| progress(&turned(answer.clone())));
            return turned(answer);
        }
        self.get_ready(position.size(), counting);
        let before = monitor.nodes();
        let nodes_max = before.saturating_add(limits.nodes);
        with_worker!(self, position.size(), counting, monitor, nodes_max, |worker| {
            let root = Root::new(worker, position.board());
            let trail = Trail::default();
            Thinker { root, question, before, trail, answer: &mut answer, progress }.think();
        });
        answer.nodes = monitor.nodes() - before;
        answer
    }
}

/// A candidate of the position before a pass.
fn after_pass(candidate: Candidate) -> Candidate {
    let Value { discs, certainty } = candidate.value;
    Candidate {
        mv: Move::Pass,
        value: Value { discs: -discs, certainty },
        line: std::iter::once(Move::Pass).chain(candidate.line).collect(),
    }
}

/// A search for the best of a root's moves and its value, given a guess of that; whether it was
/// finished. `None` if there was no time to find anything.
type Search<'s, const FULL: bool, const TAKES: bool> =
    dyn Fn(&mut Root<'_, '_, FULL, TAKES>, Option<f32>) -> Option<(u8, Value, bool)> + 's;

struct Thinker<'a, 'b, 'c, const FULL: bool, const TAKES: bool> {
    root: Root<'a, 'b, FULL, TAKES>,
    question: Question,
    before: u64,
    trail: Trail,
    answer: &'c mut Answer,
    progress: &'c mut dyn FnMut(&Answer),
}

impl<const FULL: bool, const TAKES: bool> Thinker<'_, '_, '_, FULL, TAKES> {
    fn think(&mut self) {
        let Limits { depth, end_from, proof_from, .. } = self.question.limits;
        let n_empties = self.root.n_empties();
        let depth = if n_empties <= proof_from.max(end_from) {
            depth.min(look_before_end(n_empties))
        } else {
            depth.min(n_empties - 1)
        };
        let caution = self.question.limits.caution;
        let care = if caution == Caution::Whole { Care::PROOF } else { Care::QUICK };
        for depth in 1..=depth.max(1) {
            if !self.look(depth, care) {
                return;
            }
        }
        // Looking once more is worth it if nothing better follows.
        if caution == Caution::Careful
            && depth > 1
            && n_empties > proof_from.max(end_from)
            && !self.look(depth, Care::CAREFUL)
        {
            return;
        }
        let goal = if n_empties <= proof_from {
            Care::PROOF
        } else if n_empties <= end_from {
            Care::of_percent(self.question.limits.end_sure)
        } else {
            return;
        };
        for care in Care::ladder(n_empties, goal) {
            let finished = self.rank(&|root, guess| end(root, care, guess));
            self.tell(finished);
            if !finished {
                return;
            }
        }
    }

    /// Looks so many moves ahead; whether it was not stopped.
    fn look(&mut self, depth: u32, care: Care) -> bool {
        let mut finished = self.rank(&|root, guess| look(root, depth, care, guess));
        if let (true, Some(best)) = (finished, self.answer.best()) {
            self.trail.add(depth, best.square());
            // If several moves are asked for, each look tells their order.
            if care == Care::CAREFUL && self.question.top == 1 {
                self.trail.tell(best.square(), depth, units(best.value.discs));
                finished = self.weigh();
            }
        }
        self.tell(finished);
        finished
    }

    /// Chooses the move that is best by the last looks together, all as careful as the last one; whether it was
    /// not stopped.
    fn weigh(&mut self) -> bool {
        while let Some(Gap { square, depth, guess }) = self.trail.gap() {
            let value = self.root.look_at(square, depth, Care::CAREFUL, guess);
            let Some(value) = value else { return false };
            self.trail.tell(square, depth, value);
        }
        if let Some((square, value)) = self.trail.verdict() {
            let best = self.answer.candidates.first_mut().expect("a look was finished");
            let child = self.root.child(square).expect("it was best in a look");
            best.mv = Move::Place(Square::new(square).expect("children are moves"));
            best.value.discs = discs(value);
            best.line = self.root.line(child);
        }
        true
    }

    /// Finds the best moves by one kind of search, which is given a guess of each one's value;
    /// whether it was not stopped.
    fn rank(&mut self, search: &Search<FULL, TAKES>) -> bool {
        let n = self.question.top.clamp(1, self.root.n_moves());
        let mut ranked = Vec::with_capacity(n);
        let mut taken = Vec::with_capacity(n);
        let mut finished = true;
        for i in 0..n {
            let guess = self.answer.candidates.get(i).map(|candidate| candidate.value.discs);
            let Some((square, value, is_whole)) = search(&mut self.root, guess) else {
                finished = false;
                break;
            };
            finished &= is_whole;
            let Some(child) = self.root.child(square) else { break };
            let mv = Move::Place(Square::new(square).expect("children are moves"));
            let line = self.root.line(child);
            ranked.push(Candidate { mv, value, line });
            self.root.exclude(square);
            taken.push(child);
            if !is_whole {
                break;
            }
        }
        for child in taken.into_iter().rev() {
            self.root.include_first(child);
        }
        if finished || self.answer.candidates.is_empty() {
            // Searches that leave things out may rank by different measures.
            ranked.sort_by(|a, b| b.value.discs.total_cmp(&a.value.discs));
            if !ranked.is_empty() {
                self.answer.candidates = ranked;
            }
        } else if let Some(best) = ranked.into_iter().next() {
            // The best move by the new search, the others as they were.
            let old = &mut self.answer.candidates;
            old.retain(|candidate| candidate.mv != best.mv);
            old.insert(0, best);
            old.truncate(n);
        }
        finished
    }

    fn tell(&mut self, finished: bool) {
        self.answer.stopped = !finished;
        self.answer.nodes = self.root.worker.total_nodes() - self.before;
        (self.progress)(self.answer);
    }
}

/// How far to look before searching to the end: enough for a guess and a good order.
const fn look_before_end(n_empties: u32) -> u32 {
    match n_empties {
        0..14 => 1,
        14..17 => 2,
        17..20 => 4,
        20..24 => 6,
        24..28 => 8,
        28..35 => 2 * n_empties - 40,
        // To the end is no farther than this costs.
        35.. => n_empties - 10,
    }
}

fn look<const FULL: bool, const TAKES: bool>(
    root: &mut Root<'_, '_, FULL, TAKES>,
    depth: u32,
    care: Care,
    guess: Option<f32>,
) -> Option<(u8, Value, bool)> {
    // One move ahead needs no search, and is there even if there is no time at all.
    if depth == 1 {
        let (value, best) = root.glance();
        let value = Value { discs: discs(value), certainty: Certainty::Estimate(1) };
        return Some((best, value, true));
    }
    let guess = guess.map(units);
    let look = root.look(depth, care, guess)?;
    let value = Value { discs: discs(look.value), certainty: Certainty::Estimate(depth) };
    Some((look.best, value, !look.stopped))
}

fn end<const FULL: bool, const TAKES: bool>(
    root: &mut Root<'_, '_, FULL, TAKES>,
    care: Care,
    guess: Option<f32>,
) -> Option<(u8, Value, bool)> {
    let area = root.area();
    let guess = guess.unwrap_or(0.0).round() as i32;
    let window = (-area - 1, area + 1);
    let bounds = root.narrow(care, window, (-area, area), guess, &mut |_, _| {});
    let certainty = match care {
        Care::PROOF => Certainty::Proven,
        care => Certainty::Selective(care.percent()),
    };
    let best = root.first();
    (!bounds.stopped).then_some((best, Value { discs: bounds.lower as f32, certainty }, true))
}

fn discs(value: i32) -> f32 {
    value as f32 / UNIT as f32
}

fn units(discs: f32) -> i32 {
    (discs * UNIT as f32) as i32
}
