//! Clocks as GTP has them: a main time, and after it some time for every so many moves.

use std::time::Duration;

use obverse_board::Position;
use obverse_studio::clock::{Budget, Clock};

use super::wire::SYNTAX;
use crate::protocol::number::{seconds, whole};

/// What is kept of a period, for the way to the controller and back: this part, but at least so much
/// where there is enough.
const BUFFER_PART: f64 = 0.05;
const BUFFER_LEAST: Duration = Duration::from_millis(50);

/// What is kept of the main time: controllers tell it in whole seconds, perhaps rounded up.
const LAG: Duration = Duration::from_millis(500);

/// What `time_settings` sets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Settings {
    main: Duration,
    /// For so many moves.
    period: Duration,
    stones: u32,
}

/// What one side has left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Left {
    time: Duration,
    /// In the main time 0, else the moves that the time must last for.
    stones: u32,
}

impl Settings {
    /// A clock for the whole game, of which nobody has said what it shows at the start.
    pub(super) const ABSOLUTE: Settings =
        Settings { main: Duration::ZERO, period: Duration::ZERO, stones: 0 };

    /// Reads `MAIN PERIOD STONES`; `None` is no limit, which is written as a period without moves.
    ///
    /// # Errors
    /// If it is not well formed.
    pub(super) fn read(words: &[&str]) -> Result<Option<Settings>, &'static str> {
        let [main, period, stones] = words else { return Err(SYNTAX) };
        let (Some(main), Some(period), Some(stones)) =
            (seconds(main), seconds(period), whole(stones))
        else {
            return Err(SYNTAX);
        };
        let is_unlimited = stones == 0 && (!period.is_zero() || main.is_zero());
        Ok((!is_unlimited).then_some(Settings { main, period, stones }))
    }

    /// What both sides begin with.
    pub(super) fn start(self) -> Left {
        if self.main.is_zero() && self.stones > 0 {
            return Left { time: self.period, stones: self.stones };
        }
        Left { time: self.main, stones: 0 }
    }

    /// How long to think about a move.
    pub(super) fn budget(self, left: Left, position: Position) -> Budget {
        if left.stones > 0 {
            return Budget::whole(without_buffer(left.time / left.stones));
        }
        // A move that takes longer than what is left of the main time has the first period, too.
        let increment = self.period.checked_div(self.stones).unwrap_or_default();
        let clock = Clock { time: self.main, increment };
        let time = left.time.saturating_sub(LAG.min(left.time / 2));
        clock.budget(time + without_buffer(increment), position)
    }

    /// What is left after a move that took `time`, if the controller does not tell.
    pub(super) fn after(self, left: Left, time: Duration) -> Left {
        let new_period = Left { time: self.period, stones: self.stones };
        if left.stones > 1 {
            return Left { time: left.time.saturating_sub(time), stones: left.stones - 1 };
        }
        if left.stones == 1 {
            return new_period;
        }
        match left.time.checked_sub(time) {
            Some(time) if !time.is_zero() || self.stones == 0 => Left { time, stones: 0 },
            _ if self.stones == 0 => Left { time: Duration::ZERO, stones: 0 },
            _ => new_period,
        }
    }
}

impl Left {
    /// Reads `TIME STONES`.
    pub(super) fn read(words: &[&str]) -> Option<Left> {
        let [time, n_stones] = words else { return None };
        Some(Left { time: seconds(time)?, stones: whole(n_stones)? })
    }
}

fn without_buffer(time: Duration) -> Duration {
    let buffer = BUFFER_LEAST.max(time.mul_f64(BUFFER_PART)).min(time / 2);
    time.saturating_sub(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;

    fn settings(text: &str) -> Result<Option<Settings>, &'static str> {
        Settings::read(&text.split(' ').collect::<Vec<_>>())
    }

    fn hard(settings: Settings, left: Left) -> Duration {
        settings.budget(left, Position::start(Size::Eight)).hard
    }

    #[test]
    fn no_limit_is_written_as_a_period_without_moves() {
        assert_eq!(settings("0 1 0"), Ok(None));
        assert_eq!(settings("300 5 0"), Ok(None));
        assert_eq!(settings("0 0 0"), Ok(None));
        assert!(matches!(settings("300 0 0"), Ok(Some(_))));
    }

    #[test]
    fn what_is_no_setting_is_refused() {
        for text in ["", "1 2", "1 2 x", "nan 0 0", "1 2 3 4", "1 2 -3"] {
            assert_eq!(settings(text), Err(SYNTAX), "{text}");
        }
        let huge = settings("1e300 99999999999999999999 99999999999999999999").unwrap().unwrap();
        assert!(!hard(huge, huge.start()).is_zero());
    }

    #[test]
    fn a_period_for_one_move_is_used_for_it() {
        let settings = settings("0 10 1").unwrap().unwrap();
        assert_eq!(hard(settings, settings.start()), Duration::from_millis(9500));
        let left = settings.after(settings.start(), Duration::from_secs(9));
        assert_eq!(left, settings.start());
    }

    #[test]
    fn the_main_time_is_divided_and_then_come_the_periods() {
        let settings = settings("60 20 10").unwrap().unwrap();
        let mut left = settings.start();
        assert!(hard(settings, left) < Duration::from_secs(30));
        left = settings.after(left, Duration::from_secs(50));
        assert_eq!(left, Left { time: Duration::from_secs(10), stones: 0 });
        left = settings.after(left, Duration::from_secs(11));
        assert_eq!(left, Left { time: Duration::from_secs(20), stones: 10 });
        assert!((1800..2000).contains(&hard(settings, left).as_millis()));
        left = settings.after(left, Duration::from_secs(2));
        assert_eq!(left, Left { time: Duration::from_secs(18), stones: 9 });
    }

    #[test]
    fn an_absolute_time_that_is_used_up_stays_so() {
        let settings = settings("10 0 0").unwrap().unwrap();
        let left = settings.after(settings.start(), Duration::from_secs(11));
        assert_eq!(left, Left { time: Duration::ZERO, stones: 0 });
        assert_eq!(hard(settings, left), Duration::ZERO);
    }
}
