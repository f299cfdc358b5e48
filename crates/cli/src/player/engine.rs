//! `engine`: Obverse's own engine as a player.

mod spec;

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use obverse_board::{Counting, Game, Move, Position};
use obverse_engine::{Answer, Candidate, Engine, Limits, Monitor, Question, Value};
use obverse_studio::clock;
use obverse_studio::pace::Pace;

pub(crate) use self::spec::Spec;
use super::Mover;
use crate::watch;

/// A person may take forever: think as if there were so much time.
const PONDER: Duration = Duration::from_mins(1);

/// The engine at a board.
pub(super) struct Thinker {
    spec: Spec,
    engine: Engine,
    /// What the clock shows, if there is one.
    left: Duration,
    /// What it thought of its last move, unless there was nothing to think about.
    last: Option<Candidate>,
}

impl Thinker {
    pub(super) fn new(spec: &Spec) -> Thinker {
        let mut thinker =
            Thinker { spec: spec.clone(), engine: spec.engine(), left: Duration::ZERO, last: None };
        thinker.wind();
        thinker
    }

    fn wind(&mut self) {
        if let Pace::Clock(clock) = self.spec.pace {
            self.left = clock.time;
        }
    }

    fn think(&mut self, position: Position) -> Answer {
        let (limits, budget) = self.spec.pace.plan(position, self.left, self.spec.threads);
        let question = question(position, limits);
        watch::think(&mut self.engine, question, budget, &Monitor::default(), &mut |_| {})
    }
}

impl Mover for Thinker {
    fn begin(&mut self, _seed: u64) {
        self.engine.forget();
        self.wind();
        self.last = None;
    }

    fn choose(&mut self, game: &Game) -> Result<Move> {
        let start = Instant::now();
        let position = game.position();
        let moves = position.moves();
        self.last = None;
        let mv = match moves.first() {
            Some(only) if moves.count() == 1 => Move::Place(only),
            _ => {
                let best = self.think(position).candidates.into_iter().next();
                self.last.insert(best.context("the game is over")?).mv
            }
        };
        if let Pace::Clock(clock) = self.spec.pace {
            self.left = self.left.saturating_sub(start.elapsed()) + clock.increment;
        }
        Ok(mv)
    }

    fn value(&self) -> Option<Value> {
        self.last.as_ref().map(|last| last.value)
    }

    fn ponders(&self) -> bool {
        self.spec.ponder
    }

    fn ponder(&mut self, game: &Game, monitor: &Monitor) {
        // The position it expects to be asked about; what it finds stays in the table.
        let position = game.position();
        let expected = self.last.as_ref().and_then(|last| last.line.get(1));
        let next = expected.and_then(|&mv| position.apply(mv).ok()).unwrap_or(position);
        let limits = match self.spec.pace {
            Pace::Level(_) | Pace::Depth(_) => {
                self.spec.pace.plan(next, self.left, self.spec.threads).0
            }
            _ => clock::limits(PONDER * self.spec.threads),
        };
        self.engine.think(question(next, limits), monitor, &mut |_| {});
    }
}

const fn question(position: Position, limits: Limits) -> Question {
    Question { position, counting: Counting::WinnerTakesEmpties, limits, top: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;

    #[test]
    fn every_pace_finishes_a_game() {
        for text in ["level=1", "depth=2", "nodes=50", "time=1ms", "clock=20ms"] {
            let spec: Spec = format!("engine:{text},table=1").parse().unwrap();
            let mut player = Thinker::new(&spec);
            player.begin(0);
            let mut game = Game::new(Position::start(Size::Six));
            while !game.is_over() {
                if !game.settle() {
                    let mv = player.choose(&game).unwrap();
                    game.apply(mv).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_stopped_ponder_returns() {
        let mut player = Thinker::new(&"engine:time=1s,ponder=on".parse().unwrap());
        let monitor = Monitor::default();
        monitor.stop();
        player.ponder(&Game::new(Position::start(Size::Eight)), &monitor);
    }
}
