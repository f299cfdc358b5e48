//! A program that speaks GTP as a player.
//!
//! Engines differ in what they demand and what they allow, so everything is said that any of them needs
//! and nothing is relied upon that some of them get wrong: every pass is said but may be refused, the
//! size of an 8×8 board may be, numbers of commands are not used, and what is no answer is passed over.
//! A move is read in any case.
//!
//! `time=T` gives the program T seconds for each move it has left, as a clock for the whole game.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_board::{Game, Move, Position, Size};

use super::wire;
use crate::player::Mover;
use crate::protocol::guest::{Spec, added};
use crate::protocol::process::Process;

/// The program, running.
pub(crate) struct Engine {
    process: Process,
    wait: Duration,
    /// Seconds for each move, if there is a clock.
    time: Option<f64>,
    /// What is left of its time in this game.
    left: Duration,
    /// The game as the program knows it.
    game: Option<Game>,
}

impl Engine {
    /// Starts the program and waits until it listens.
    pub(crate) fn start(spec: &Spec) -> Result<Engine> {
        let process = Process::start(spec.words(), "quit")?;
        let (wait, time, left) = (spec.wait(), spec.time, Duration::ZERO);
        let mut engine = Engine { process, wait, time, left, game: None };
        let answer = engine.ask("protocol_version");
        let name = engine.process.name().to_owned();
        let _ = answer.with_context(|| format!("{name} does not speak GTP"))?;
        // Programs that play several games want to know which.
        let _ = engine.ask("set_game Othello")?;
        if let Some(level) = spec.limit {
            engine.demand(&format!("set_level {level}"))?;
        }
        Ok(engine)
    }

    /// The answer to a command, good or bad.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>> {
        self.await_answer(command, self.wait)
    }

    fn await_answer(
        &mut self,
        command: &str,
        patience: Duration,
    ) -> Result<Result<String, String>> {
        self.process.send(command)?;
        self.process.await_line(patience, command, |line| {
            wire::read_answer(line).map(|answer| answer.map(str::to_owned).map_err(str::to_owned))
        })
    }

    /// The same, of a command that must not be refused.
    fn demand(&mut self, command: &str) -> Result<String> {
        match self.ask(command)? {
            Ok(answer) => Ok(answer),
            Err(error) => bail!("{} refused {command:?}: {error}", self.process.name()),
        }
    }

    /// Tells the program what was played, or the whole game if it is another one.
    fn tell(&mut self, game: &Game) -> Result<()> {
        let new_moves = self.game.as_ref().and_then(|known| added(known, game));
        let new_moves = if let Some(new_moves) = new_moves {
            new_moves
        } else {
            self.begin_game(game)?;
            game.steps().map(|(position, mv)| (position.turn(), mv)).collect()
        };
        for (color, mv) in new_moves {
            let command = format!("play {} {}", wire::letter(color), wire::vertex(mv));
            match mv {
                Move::Place(_) => drop(self.demand(&command)?),
                // Some programs insert passes themselves and refuse to be told.
                Move::Pass => drop(self.ask(&command)?),
            }
        }
        self.game = Some(game.clone());
        Ok(())
    }

    fn begin_game(&mut self, game: &Game) -> Result<()> {
        let size = game.start().size();
        if game.start() != Position::start(size) {
            let name = self.process.name();
            bail!("{name}: GTP has no way to set up a position, expected a game from the start");
        }
        let command = format!("boardsize {}", size.side());
        if size == Size::Eight {
            drop(self.ask(&command)?);
        } else {
            drop(self.demand(&command)?);
        }
        self.demand("clear_board")?;
        if let Some(time) = self.time {
            let n_moves = game.position().empties().count().div_ceil(2);
            self.left = Duration::from_secs_f64(time * f64::from(n_moves));
            let seconds = self.left.as_secs_f64().ceil();
            self.demand(&format!("time_settings {seconds} 0 0"))?;
        }
        Ok(())
    }
}

impl Mover for Engine {
    fn begin(&mut self, _seed: u64) {
        self.game = None;
    }

    fn choose(&mut self, game: &Game) -> Result<Move> {
        self.tell(game)?;
        let color = wire::letter(game.position().turn());
        if self.time.is_some() {
            // Whole seconds; a program that does not want to know need not.
            let seconds = self.left.as_secs();
            let _ = self.ask(&format!("time_left {color} {seconds} 0"))?;
        }
        let start = Instant::now();
        let answer = self.await_answer(&format!("genmove {color}"), self.wait.max(self.left))?;
        self.left = self.left.saturating_sub(start.elapsed());
        let name = self.process.name();
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => bail!("{name} has no move: {error}"),
        };
        if answer.eq_ignore_ascii_case("resign") {
            bail!("{name} resigns");
        }
        // A number that was not asked for may stand before the move.
        let mut words = answer.split_whitespace();
        let Some(mv) = words.find_map(|word| wire::mv(word, game.start().size())) else {
            bail!("{name} answered {answer:?}, expected a move such as F5");
        };
        // The program has made the move on its own board.
        if let Some(known) = &mut self.game
            && known.apply(mv).is_err()
        {
            self.game = None;
        }
        Ok(mv)
    }
}
