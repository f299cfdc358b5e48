//! Moves with what is said of them, and the lines that branch off.

use crate::{Game, Move};

/// A sequence of moves with notes and variations.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The moves and where they begin.
    pub game: Game,
    /// What is said of the moves: the first of the first move. There may be fewer notes than moves.
    pub notes: Vec<Note>,
    /// Other moves that were looked at, in the order of their places.
    pub branches: Vec<Branch>,
}

/// A line that leaves another.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// How many moves of the other line come before it: its first move is played instead of that
    /// line's move of this index.
    pub ply: usize,
    /// The moves, which begin at the position after those.
    pub line: Line,
}

/// What is said of a move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// In words.
    pub comment: String,
    /// What whoever played it thought it worth, in discs for them.
    pub eval: Option<f64>,
    /// How long they thought about it, in seconds.
    pub seconds: Option<f64>,
    /// What was left on their clock after it, in seconds.
    pub clock: Option<f64>,
    /// How good it was.
    pub mark: Option<Mark>,
}

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// `!`
    Good,
    /// `?`
    Mistake,
    /// `!!`
    Brilliant,
    /// `??`
    Blunder,
    /// `!?`
    Interesting,
    /// `?!`
    Dubious,
}

impl Line {
    /// Moves of which nothing is said.
    pub fn new(game: Game) -> Line {
        Line { game, notes: Vec::new(), branches: Vec::new() }
    }

    /// What is said of the move of this index.
    pub fn note(&self, ply: usize) -> Option<&Note> {
        self.notes.get(ply).filter(|note| **note != Note::default())
    }

    /// Each move with the position it was played in and what is said of it.
    pub fn steps(&self) -> impl Iterator<Item = (crate::Position, Move, Option<&Note>)> {
        self.game.steps().enumerate().map(|(i, (before, mv))| (before, mv, self.note(i)))
    }

    /// How many lines branch off, directly or from one that does.
    pub fn n_branches(&self) -> usize {
        self.branches.iter().map(|branch| 1 + branch.line.n_branches()).sum()
    }
}

impl Mark {
    /// Every mark, in the order of their numbers in PGN.
    pub const ALL: [Mark; 6] = [
        Mark::Good,
        Mark::Mistake,
        Mark::Brilliant,
        Mark::Blunder,
        Mark::Interesting,
        Mark::Dubious,
    ];

    /// As it is written after a move.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Mistake => "?",
            Mark::Brilliant => "!!",
            Mark::Blunder => "??",
            Mark::Interesting => "!?",
            Mark::Dubious => "?!",
        }
    }

    /// Its number in PGN, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The mark with this number.
    pub fn from_number(number: usize) -> Option<Mark> {
        number.checked_sub(1).and_then(|i| Mark::ALL.get(i)).copied()
    }
}
