//! A program that speaks the NBoard protocol as a player.
//!
//! Here is the side of the protocol that asks. Before every question the position is brought up to
//! date (`set game`, or `move` for what was played since), then `ping` makes sure that the answer to
//! `go` is one to this position. Lines that are no answer are passed over, as the protocol demands.
//!
//! The protocol has no time for a single move, but the game carries clocks. `time=T` gives the
//! program T seconds for each move it has left and leaves it to the program how to divide them. Clocks
//! count whole seconds; the rest is taken off with the time of the last moves. Both clocks show the
//! program's time: there are engines that look at the wrong one (NTest, for one), and the time of the
//! opponent is not the engine's business.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_board::notation::record::{self, Note};
use obverse_board::notation::{Form, Record};
use obverse_board::{Color, Game, Move};

use super::wire::{self, Play};
use crate::player::Mover;
use crate::protocol::guest::{DEPTH_MAX, Spec, added};
use crate::protocol::process::Process;

/// What `set depth` says if nothing else limits the program.
const DEPTH_DEFAULT: u32 = 12;

/// The program, running.
pub(crate) struct Engine {
    process: Process,
    wait: Duration,
    /// Seconds for each move, if there is a clock.
    time: Option<f64>,
    n_pings: u64,
    /// The game as the program knows it.
    game: Option<Game>,
    clock: Clock,
    /// What it thought its last move was worth.
    eval: Option<f64>,
}

/// The time the program has used in this game.
#[derive(Default)]
struct Clock {
    /// What it began with.
    total: Duration,
    used: Duration,
    /// Used for the last move, which the program was not yet told.
    own: Duration,
    /// Used since the other clock was set to the same time.
    behind: Duration,
}

impl Engine {
    /// Starts the program and waits until it listens.
    pub(crate) fn start(spec: &Spec) -> Result<Engine> {
        let process = Process::start(spec.words(), "quit")?;
        let wait = spec.wait();
        let (time, clock) = (spec.time, Clock::default());
        let (n_pings, game, eval) = (0, None, None);
        let mut engine = Engine { process, wait, time, n_pings, game, clock, eval };
        engine.process.send("nboard 2")?;
        let depth = if time.is_some() { DEPTH_MAX } else { DEPTH_DEFAULT };
        engine.process.send(&format!("set depth {}", spec.limit.unwrap_or(depth)))?;
        engine.ping(wait).with_context(|| {
            format!("{} does not speak the NBoard protocol", engine.process.name())
        })?;
        Ok(engine)
    }

    /// Waits until the program has done what it was told.
    fn ping(&mut self, patience: Duration) -> Result<()> {
        self.n_pings += 1;
        let (ping, pong) = (format!("ping {}", self.n_pings), format!("pong {}", self.n_pings));
        self.process.send(&ping)?;
        self.process.await_line(patience, &ping, |line| (line.trim() == pong).then_some(()))
    }

    /// Tells the program what was played, or the whole game if it is another one.
    fn tell(&mut self, game: &Game) -> Result<()> {
        let new_moves = self.game.as_ref().and_then(|known| added(known, game));
        if let Some(new_moves) = new_moves {
            let side = game.position().turn();
            for (color, mv) in new_moves {
                let seconds = self.clock.tell(color == side).as_secs_f64();
                let time = self.time.map(|_| format!("//{seconds:.3}")).unwrap_or_default();
                self.process.send(&format!("move {}{time}", wire::word(mv)))?;
            }
        } else {
            let mut record = Record::new(game.clone());
            if let Some(time) = self.time {
                let n_moves = game.position().empties().count().div_ceil(2);
                let total = Duration::from_secs_f64(time * f64::from(n_moves));
                self.clock = Clock { total, ..Clock::default() };
                set_clocks(&mut record, total);
            }
            self.process.send(&format!("set game {}", Form::Ggf.print_record(&record)?))?;
        }
        self.game = Some(game.clone());
        Ok(())
    }
}

impl Mover for Engine {
    fn begin(&mut self, _seed: u64) {
        self.game = None;
    }

    fn choose(&mut self, game: &Game) -> Result<Move> {
        self.tell(game)?;
        self.ping(self.wait)?;
        let patience = self.wait.max(self.clock.total.saturating_sub(self.clock.used));
        let start = Instant::now();
        self.process.send("go")?;
        let answer = self.process.await_line(patience, "go", |line| {
            Some(line.trim().strip_prefix("===")?.trim().to_owned())
        })?;
        self.clock.use_up(start.elapsed());
        let Some(play) = Play::read(&answer) else {
            bail!("{} answered {answer:?}, expected a move such as F5", self.process.name());
        };
        self.eval = play.eval;
        Ok(play.mv)
    }

    fn eval(&self) -> Option<f64> {
        self.eval
    }
}

impl Clock {
    fn use_up(&mut self, time: Duration) {
        self.used += time;
        self.own += time;
        self.behind += time;
    }

    /// The time to be told with a move, of the program itself or of its opponent.
    fn tell(&mut self, is_own: bool) -> Duration {
        std::mem::take(if is_own { &mut self.own } else { &mut self.behind })
    }
}

/// Sets both clocks of a game such that so much is left. They count whole seconds; the last move of
/// each side takes the rest, and a side without one has up to a second more.
fn set_clocks(record: &mut Record, left: Duration) {
    let whole = left.as_secs_f64().ceil().max(1.0);
    let clock = record::Clock { main: whole as u32, ..record::Clock::default() };
    (record.clocks.black, record.clocks.white) = (Some(clock), Some(clock));
    let moves: Vec<Color> = record.game().steps().map(|(before, _)| before.turn()).collect();
    record.line.notes.resize(moves.len(), Note::default());
    for color in [Color::Black, Color::White] {
        if let Some(last) = moves.iter().rposition(|turn| *turn == color) {
            // Thousandths are enough.
            let rest = ((whole - left.as_secs_f64()) * 1000.0).round() / 1000.0;
            record.line.notes[last].seconds = Some(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_exact_once_both_sides_have_moved() {
        let ggf = |moves: &str| {
            let mut record = Record::new(Game::parse(moves).unwrap());
            set_clocks(&mut record, Duration::from_millis(2600));
            Form::Ggf.print_record(&record).unwrap()
        };
        let text = ggf("f5d6c3");
        assert!(text.contains("TI[00:03]"), "{text}");
        assert!(text.ends_with("B[F5]W[D6//0.4]B[C3//0.4];)"), "{text}");
        assert!(ggf("start").contains("TI[00:03]"));
    }

    #[test]
    fn both_clocks_show_the_time_of_the_program() {
        let mut clock = Clock::default();
        let [none, short, long] = [0, 250, 500].map(Duration::from_millis);
        clock.use_up(long);
        assert_eq!([clock.tell(true), clock.tell(false)], [long, long]);
        // The opponent moves twice, the program passes in between.
        clock.use_up(short);
        let told = [true, false, true, false].map(|is_own| clock.tell(is_own));
        assert_eq!(told, [short, short, none, none]);
    }
}
