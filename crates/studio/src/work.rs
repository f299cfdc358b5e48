//! Work for an engine, in pieces.
//!
//! A sitting orders [`Job`]s and never waits for them. Whoever has an engine makes a [`Work`] of each
//! and runs it, in one go or in slices between those of others: a work that was interrupted goes on
//! where it was, as far as the engine's table remembers, and never tells less than it told before.
//! Nothing here reads a clock: times come with the [`Bench`].

mod ask;
mod choose;
mod dealing;
mod judging;
mod think;

use std::time::Duration;

use obverse_board::{Counting, Game, Move, Position, Size};
use obverse_engine::{Candidate, Engine, Limits, Monitor, Value};

use crate::clock::Clock;
use crate::judge::Verdict;
use crate::seat::Seat;

pub(crate) use self::ask::least_certain;
use self::choose::Choosing;
use self::dealing::{Dealing, Making};
use self::judging::Judging;
use self::think::Thinking;

pub(crate) use self::dealing::OWN_EMPTIES_MAX;
pub use self::dealing::Puzzle;
pub use self::judging::Effort;

/// The number of a job within its sitting.
pub type JobId = u64;

/// What a sitting wants to know.
#[derive(Clone, PartialEq, Debug)]
pub enum Job {
    /// A program's move.
    Choose(Choose),
    /// The values of the best moves, ever better.
    Think(Think),
    /// What a move of a game is worth.
    Judge(JudgeMove),
    /// An XOT opening: eight moves after which nobody is ahead by much.
    Deal {
        /// Where chance comes from.
        seed: u64,
    },
    /// A puzzle.
    MakePuzzle(MakePuzzle),
}

/// A program's move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choose {
    /// Who chooses; not a person.
    pub seat: Seat,
    /// The position, which has a move.
    pub position: Position,
    /// How a finished game is counted.
    pub counting: Counting,
    /// The game's clock, and what is left on it.
    pub clock: Option<(Clock, Duration)>,
    /// Where chance comes from.
    pub seed: u64,
}

/// The values of the best moves of a position, which has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Think {
    /// The position.
    pub position: Position,
    /// How a finished game is counted.
    pub counting: Counting,
    /// How far.
    pub limits: Limits,
    /// How long an engine may work on it.
    pub time: Option<Duration>,
    /// How many moves.
    pub top: usize,
}

/// A move of a game, to be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeMove {
    /// The position it is played in.
    pub position: Position,
    /// The move; not a pass.
    pub mv: Move,
    /// How a finished game is counted.
    pub counting: Counting,
    /// How far to think about it.
    pub effort: Effort,
}

/// A puzzle to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakePuzzle {
    /// A position with one winning move.
    Win {
        /// Where chance comes from.
        seed: u64,
    },
    /// A position where somebody made a mistake.
    Own {
        /// The position.
        position: Position,
        /// The mistake.
        played: Move,
        /// How a finished game is counted.
        counting: Counting,
    },
}

/// What a job has found.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// The program moves.
    Chosen {
        /// So.
        mv: Move,
        /// What it thinks of that.
        value: Option<Value>,
    },
    /// The best moves are these, best first.
    Thought(Vec<Candidate>),
    /// The move is worth this.
    Judged(Verdict),
    /// The opening.
    Dealt(Game),
    /// The puzzle, or that none can be made of this.
    Puzzle(Option<Puzzle>),
}

/// Where work is done.
pub struct Bench<'a> {
    /// The engine, which knows boards of the work's size.
    pub engine: &'a mut Engine,
    /// How many threads it has.
    pub threads: u32,
    /// Stopped when the slice is over, for whatever reason.
    pub monitor: &'a Monitor,
    /// How long ago the job was ordered.
    pub elapsed: &'a dyn Fn() -> Duration,
    /// For how long an engine has worked on it.
    pub worked: &'a dyn Fn() -> Duration,
    /// Whether there will be no other slice, so that what there is must do.
    pub is_last: &'a dyn Fn() -> bool,
}

/// How a slice ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All news have been told.
    Done,
    /// It was interrupted and wants to go on.
    Interrupted,
}

/// After how long a work must do with what it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// Whenever it is done.
    Forever,
    /// So long after it was ordered.
    Elapsed(Duration),
    /// When an engine has worked on it for so long.
    Worked(Duration),
}

/// A job under way.
#[derive(Clone, Debug)]
pub struct Work {
    kind: Kind,
    nodes: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Choosing(Box<Choosing>),
    Thinking(Box<Thinking>),
    Judging(Box<Judging>),
    Dealing(Dealing),
    Making(Box<Making>),
}

impl Work {
    /// The beginning of a job.
    pub fn new(job: &Job) -> Work {
        let kind = match *job {
            Job::Choose(choose) => Kind::Choosing(Box::new(Choosing::new(choose))),
            Job::Think(think) => Kind::Thinking(Box::new(Thinking::new(think))),
            Job::Judge(judge) => Kind::Judging(Box::new(Judging::new(judge))),
            Job::Deal { seed } => Kind::Dealing(Dealing::new(seed)),
            Job::MakePuzzle(make) => Kind::Making(Box::new(Making::new(make))),
        };
        Work { kind, nodes: 0 }
    }

    /// The size of its boards: an engine that changes size forgets what it knows.
    pub fn size(&self) -> Size {
        match &self.kind {
            Kind::Choosing(choosing) => choosing.job.position.size(),
            Kind::Thinking(thinking) => thinking.job.position.size(),
            Kind::Judging(judging) => judging.job.position.size(),
            Kind::Dealing(_) => Size::Eight,
            Kind::Making(making) => making.size(),
        }
    }

    /// Whether it needs no engine and cannot be interrupted.
    pub fn is_classic(&self) -> bool {
        matches!(&self.kind, Kind::Choosing(choosing) if matches!(choosing.job.seat, Seat::Classic(_)))
    }

    /// Whether a person waits for the first news of it.
    pub fn is_urgent(&self) -> bool {
        !matches!(self.kind, Kind::Judging(_))
    }

    /// After how long it must do with what it has.
    pub fn patience(&self, threads: u32) -> Patience {
        match &self.kind {
            Kind::Choosing(choosing) => choosing.patience(threads),
            Kind::Thinking(thinking) => thinking.patience(),
            Kind::Judging(judging) => judging.patience(),
            Kind::Dealing(_) | Kind::Making(_) => Patience::Forever,
        }
    }

    /// Positions visited in the slices before.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Works until it is done or the monitor is stopped.
    pub fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        let ended = match &mut self.kind {
            Kind::Choosing(choosing) => choosing.run(bench, tell),
            Kind::Thinking(thinking) => thinking.run(bench, tell),
            Kind::Judging(judging) => judging.run(bench, tell),
            Kind::Dealing(dealing) => dealing.run(bench, tell),
            Kind::Making(making) => making.run(bench, tell),
        };
        self.nodes += bench.monitor.nodes();
        ended
    }
}
