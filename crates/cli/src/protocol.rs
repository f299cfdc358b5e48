//! The protocols that programs of the field speak with each other.
//!
//! The engine's side of each is a [`Dialogue`]: a state machine that is told what was said and what a
//! search has found, and answers with what is to be done. It reads nothing, writes nothing, starts no
//! thread and looks at no clock, so that every word of it can be tested. [`pump`] is the thin layer
//! that lets one talk over standard input and output while [`search`] thinks in a thread of its own.
//!
//! The other side, where Obverse is the host and another program the engine, is a
//! [`Mover`](crate::player::Mover) over a [`process`].

pub(crate) mod cassio;
pub(crate) mod ggs;

pub(crate) mod gtp;
pub(crate) mod guest;
mod lines;
pub(crate) mod nboard;
mod number;
mod pace;
mod process;
pub(crate) mod pump;
pub mod rehearsal;
pub(crate) mod search;
pub(crate) mod xboard;

use std::time::Duration;

use obverse_board::Game;
use obverse_engine::Config;

use self::search::{Found, Search};

/// The engine's side of a conversation.
pub(crate) trait Dialogue {
    /// A line has come in, without its end.
    fn line(&mut self, line: &str, acts: &mut Acts);

    /// A search has found something.
    fn found(&mut self, found: Found, acts: &mut Acts);

    /// The file it asked for with [`Act::Read`], or why there is none.
    fn file(&mut self, _bytes: Result<Vec<u8>, String>, _acts: &mut Acts) {}

    /// Whether the game was kept that it gave with [`Act::Learn`].
    fn learned(&mut self, _kept: Result<(), String>, _acts: &mut Acts) {}

    /// How far the search is that it asked about with [`Act::Count`].
    fn counted(&mut self, _nodes: u64, _time: Duration, _acts: &mut Acts) {}

    /// Whether it still owes an answer: the end of the input waits for that a while.
    fn is_busy(&self) -> bool;

    /// How many lines wait until what was asked before is answered.
    fn n_waiting(&self) -> usize {
        0
    }
}

/// Something to be done.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Act {
    /// Send this line, or these lines.
    Say(String),
    /// Tell this to whoever looks on; it is no part of the conversation.
    Log(String),
    /// Stop the search that is running, if one is, and begin this one.
    Begin(Search),
    /// Stop the search that is running; it still tells what it has found.
    Stop,
    /// Forget what earlier searches have found.
    Forget,
    /// Search with other threads and another table.
    Resize(Config),
    /// Count the positions visited so far; the number comes with [`Dialogue::counted`].
    Count,
    /// Read a file; it comes with [`Dialogue::file`].
    Read(String),
    /// Keep a game that is to be learned; whether that worked comes with [`Dialogue::learned`].
    Learn(Game),
    /// Leave.
    Quit,
}

/// What is to be done, in order.
#[derive(Default, Debug)]
pub(crate) struct Acts(Vec<Act>);

impl Acts {
    pub(crate) fn push(&mut self, act: Act) {
        self.0.push(act);
    }

    pub(crate) fn say(&mut self, line: impl Into<String>) {
        self.push(Act::Say(line.into()));
    }

    pub(crate) fn log(&mut self, line: impl Into<String>) {
        self.push(Act::Log(line.into()));
    }

    pub(crate) fn take(&mut self) -> Vec<Act> {
        std::mem::take(&mut self.0)
    }
}

/// The first `n` moves of a game.
fn first_moves(game: &Game, n: usize) -> Game {
    let mut first = Game::new(game.start());
    for &mv in &game.moves()[..n.min(game.moves().len())] {
        first.apply(mv).expect("it was legal before");
    }
    first
}
