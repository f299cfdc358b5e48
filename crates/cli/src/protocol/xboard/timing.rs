//! Clocks as XBoard has them: so many moves in so much time, so much more after every move, or so much
//! for each; and a depth that is not exceeded.

use std::time::Duration;

use obverse_board::Position;
use obverse_engine::Limits;
use obverse_studio::clock::{Budget, Clock};

use crate::protocol::number::{seconds, whole};
use crate::protocol::pace;

/// What is kept of the time for a move, for the way to the GUI and back.
const BUFFER_PART: f64 = 0.05;

/// How much more than planned a move may take where the time has to last for a number of moves.
const HARD_TO_SOFT: u32 = 3;

/// What limits the thinking.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timing {
    /// The moves the time has to last for; 0 is the whole game.
    moves: u32,
    clock: Option<Clock>,
    /// What the GUI says is left.
    left: Option<Duration>,
    per_move: Option<Duration>,
    depth: Option<u32>,
    n_moved: u32,
}

impl Timing {
    /// `level 40 5:00 12`, `st 10`, `sd 8`, `time 2345`; tells whether it could be read.
    pub(super) fn set(&mut self, name: &str, rest: &str) -> bool {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let read = match (name, &words[..]) {
            ("level", [moves, base, increment]) => whole(moves)
                .zip(minutes(base))
                .zip(seconds(increment))
                .map(|((moves, time), inc)| {
                    self.moves = moves;
                    self.clock = Some(Clock { time, increment: inc });
                    (self.left, self.per_move) = (None, None);
                }),
            ("st", [time]) => seconds(time).map(|time| {
                self.per_move = Some(time);
                self.clock = None;
            }),
            ("sd", [depth]) => whole(depth).map(|depth| self.depth = Some(depth)),
            ("time", [hundredths]) => seconds(hundredths).map(|h| self.left = Some(h / 100)),
            _ => None,
        };
        read.is_some()
    }

    /// A new game begins: the depth is no longer limited.
    pub(super) fn new_game(&mut self) {
        (self.left, self.depth, self.n_moved) = (None, None, 0);
    }

    /// The engine has moved.
    pub(super) fn moved(&mut self) {
        self.n_moved += 1;
    }

    /// How long to think about a move, if a clock runs.
    pub(super) fn budget(&self, position: Position) -> Option<Budget> {
        if let Some(time) = self.per_move {
            return Some(Budget::whole(time.mul_f64(1.0 - BUFFER_PART)));
        }
        let clock = self.clock?;
        let left = self.left.unwrap_or(clock.time);
        let n_own = position.empties().count().div_ceil(2);
        let n_left = self.moves.checked_sub(self.n_moved.checked_rem(self.moves).unwrap_or(0));
        match n_left.filter(|n_left| (1..n_own).contains(n_left)) {
            None => Some(clock.budget(left, position)),
            // After that there is new time, so it may all be spent.
            Some(n_left) => {
                let soft = left.mul_f64(1.0 - BUFFER_PART) / n_left + clock.increment;
                let most = left.mul_f64(1.0 - BUFFER_PART) / n_left.min(2);
                Some(Budget { soft: soft.min(most), hard: (soft * HARD_TO_SOFT).min(most) })
            }
        }
    }

    /// How far to think at most.
    pub(super) fn limits(&self) -> Limits {
        match (self.depth, self.clock.is_some() || self.per_move.is_some()) {
            (Some(depth), _) => pace::by_depth(depth),
            (None, true) => Limits::NONE,
            (None, false) => pace::LEVEL_DEFAULT.into(),
        }
    }
}

/// `5` or `5:30`.
fn minutes(text: &str) -> Option<Duration> {
    let (minutes, rest) = text.split_once(':').unwrap_or((text, "0"));
    Some(seconds(minutes)?.saturating_mul(60).saturating_add(seconds(rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;

    fn timing(commands: &[&str]) -> Timing {
        let mut timing = Timing::default();
        for command in commands {
            let (name, rest) = command.split_once(' ').unwrap();
            assert!(timing.set(name, rest), "{command}");
        }
        timing
    }

    fn hard(timing: Timing) -> Option<f64> {
        timing.budget(Position::start(Size::Eight)).map(|budget| budget.hard.as_secs_f64())
    }

    #[test]
    fn without_a_clock_a_level_is_the_limit() {
        assert_eq!(hard(timing(&[])), None);
        assert_eq!(timing(&[]).limits(), pace::LEVEL_DEFAULT.into());
        assert_eq!(timing(&["sd 6"]).limits(), pace::by_depth(6));
        assert_eq!(timing(&["level 0 5 0"]).limits(), Limits::NONE);
    }

    #[test]
    fn every_kind_of_clock_is_understood() {
        assert_eq!(hard(timing(&["st 10"])), Some(9.5));
        let game = hard(timing(&["level 0 5:00 2"])).unwrap();
        assert!((2.0..30.0).contains(&game), "{game}");
        let less = hard(timing(&["level 0 5:00 2", "time 1000"])).unwrap();
        assert!(less < game, "{less}");
        // Five minutes for ten moves are half a minute each.
        let ten = timing(&["level 10 5 0"]).budget(Position::start(Size::Eight)).unwrap();
        assert!((28.0..30.0).contains(&ten.soft.as_secs_f64()), "{ten:?}");
        // The last of them may take all that is left.
        let mut last = timing(&["level 10 5 0", "time 1000"]);
        (0..9).for_each(|_| last.moved());
        assert!((9.0..10.0).contains(&hard(last).unwrap()));
        last.moved();
        assert!(hard(last).unwrap() < 5.0);
    }

    #[test]
    fn what_is_no_number_is_refused_and_what_is_huge_is_not() {
        let mut timing = Timing::default();
        for (name, rest) in
            [("level", "40 5"), ("level", "x 5 0"), ("st", "ten"), ("sd", "-1"), ("time", "nan")]
        {
            assert!(!timing.set(name, rest), "{name} {rest}");
        }
        assert!(timing.set("level", "99999999999 99999999999:99999999999 1e300"));
        assert!(timing.set("time", "1e300"));
        assert!(hard(timing).is_some());
        assert!(timing.set("time", "-500"));
        assert_eq!(hard(timing), Some(0.0));
    }
}
