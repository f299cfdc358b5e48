//! How long to think about a move when a clock runs for the whole game.
//!
//! Pure arithmetic: times come in, limits go out, so that all of it can be tested without waiting.
//! [`Clock::budget`] divides what is left among the moves to come; a [`Pacer`] decides after every
//! round of looking farther whether another one is worth it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use obverse_board::notation::record;
use obverse_board::{Move, Position, Size};
use obverse_engine::Limits;

/// The weight of a move is `WEIGHT_LEAST + WEIGHT_PEAK · exp(−(empties − PEAK)² / 2σ²)`: games are
/// decided in the middle, while in the opening little is at stake and near the end little time is
/// needed.
const WEIGHT_LEAST: f64 = 0.1;
const WEIGHT_PEAK: f64 = 2.9;
const PEAK: f64 = 38.0;
/// σ before the peak and after it.
const SPREAD: (f64, f64) = (12.0, 8.0);

/// What is never planned with: for the way to the clock and back, at least this, or this part.
const BUFFER_LEAST: Duration = Duration::from_millis(50);
const BUFFER_PART: f64 = 0.02;

/// A move may take so many times what was planned for it, if that leaves something for the others.
const HARD_TO_SOFT: f64 = 3.0;
const HARD_PART: f64 = 0.4;

/// Each round takes about so many times as long as the one before.
const GROWTH: f64 = 2.3;
/// A round is begun if it should end before so many times the time planned. Ends then lie evenly about
/// the plan, as the last round before them is `GROWTH` times shorter.
const OVERRUN: f64 = 1.5;

/// What a new best move adds to the time planned, what every disc does that the value falls, and how
/// much can be added in all.
const STRETCH_NEW: f64 = 0.4;
const STRETCH_FALL: f64 = 0.1;
const STRETCH_MAX: f64 = 1.5;
/// What is left of that after a round that confirms the one before.
const STRETCH_KEPT: f64 = 0.5;

/// A clock for a game: some time, and some more after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// For the whole game.
    pub time: Duration,
    /// After every move.
    pub increment: Duration,
}

/// How long to think about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// As long as is planned.
    pub soft: Duration,
    /// Not a moment longer.
    pub hard: Duration,
}

impl Budget {
    /// All of `time`: what is not used of it is lost.
    pub const fn whole(time: Duration) -> Budget {
        Budget { soft: Duration::MAX, hard: time }
    }
}

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Clock, String> {
        let (time, increment) = text.split_once('+').unwrap_or((text, "0s"));
        match (read(time), read(increment)) {
            (Some(time), Some(increment)) if !time.is_zero() => Ok(Clock { time, increment }),
            _ => Err(format!("found {text:?}, expected a time such as 5m, or 5m+2s")),
        }
    }
}

/// As it stands in a game; the grace after a loss on time is not ours to plan with.
impl From<record::Clock> for Clock {
    fn from(clock: record::Clock) -> Clock {
        let [time, increment] =
            [clock.main, clock.increment].map(|seconds| Duration::from_secs(seconds.into()));
        Clock { time, increment }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration(self.time))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", duration(self.increment))?;
        }
        Ok(())
    }
}

/// Reads a duration such as `1m 30s` or `0.1s`; more than a day is a slip of the keyboard.
pub fn read(text: &str) -> Option<Duration> {
    humantime::parse_duration(text.trim()).ok().filter(|&time| time <= Duration::from_hours(24))
}

/// A duration as people type it, in one word.
pub fn duration(duration: Duration) -> String {
    humantime::format_duration(duration).to_string().replace(' ', "")
}

impl Clock {
    /// How long to think about a move in `position` when the clock shows `left`.
    pub fn budget(self, left: Duration, position: Position) -> Budget {
        let n_empties = position.empties().count();
        let buffer = BUFFER_LEAST.max(left.mul_f64(BUFFER_PART)).min(left / 2);
        let usable = left.saturating_sub(buffer);
        // Every other empty square is ours.
        let moves = (1..=n_empties).rev().step_by(2);
        let n_later = n_empties.saturating_sub(1) / 2;
        let all: f64 = moves.map(|n| weight(n, position.size())).sum();
        let share = weight(n_empties, position.size()) / all.max(f64::MIN_POSITIVE);
        // What will be added on the way can be spent, too, though not before it is there.
        let pool = usable + self.increment * n_later;
        let most = if n_later == 0 { usable } else { usable.mul_f64(HARD_PART) };
        let soft = pool.mul_f64(share.min(1.0));
        // With an increment at least that can be spent, even when nothing else is left.
        let most = most.max(self.increment.min(usable));
        Budget { soft: soft.min(most), hard: soft.mul_f64(HARD_TO_SOFT).min(most) }
    }
}

/// How much a move matters, by the number of empty squares; smaller boards are stretched to 8×8.
fn weight(n_empties: u32, size: Size) -> f64 {
    let n = f64::from(n_empties) * 60.0 / (f64::from(size.area()) - 4.0);
    let spread = if n > PEAK { SPREAD.0 } else { SPREAD.1 };
    WEIGHT_LEAST + WEIGHT_PEAK * (-(n - PEAK).powi(2) / (2.0 * spread * spread)).exp()
}

/// How far to think if only time limits it, about so much of a single thread's.
///
/// A search to the end that is not finished says nothing, so it is begun only where it should be
/// finished: from about 28 empty squares in a second, one more whenever there is twice the time. From
/// there on it is repeated with more care, up to the proof, as long as there is time.
pub fn limits(time: Duration) -> Limits {
    let seconds = time.as_secs_f64().clamp(0.001, 3600.0);
    let end_from = (28.0 + seconds.log2()).round() as u32;
    Limits { end_from, proof_from: end_from, ..Limits::NONE }
}

/// Decides after every round whether to think on.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    budget: Budget,
    /// What the planned time is extended by, in parts of it.
    stretch: f64,
    last: Option<(Duration, Move, f32)>,
}

impl Pacer {
    /// A pacer that keeps to a budget.
    pub const fn new(budget: Budget) -> Pacer {
        Pacer { budget, stretch: 0.0, last: None }
    }

    /// Whether to stop after a round that ended when `elapsed` had passed and found `best` worth so
    /// many discs.
    pub fn is_enough(&mut self, elapsed: Duration, best: Move, discs: f32) -> bool {
        let (began, before, value) = self.last.unwrap_or((Duration::ZERO, best, discs));
        let fall = f64::from((value - discs).max(0.0));
        let new = if before == best { 0.0 } else { STRETCH_NEW };
        self.stretch = (self.stretch * STRETCH_KEPT + new + STRETCH_FALL * fall).min(STRETCH_MAX);
        self.last = Some((elapsed, best, discs));
        let Budget { soft, hard } = self.budget;
        let planned = soft.mul_f64(1.0 + self.stretch);
        let next = elapsed + elapsed.saturating_sub(began).mul_f64(GROWTH);
        elapsed >= planned || next > planned.mul_f64(OVERRUN).min(hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Square;

    const MOVE: Move = Move::Place(Square::F5);
    const OTHER: Move = Move::Place(Square::C4);

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// A position with so many empty squares; which discs lie where does not matter to a clock.
    fn position(n_empties: u32) -> Position {
        let discs = obverse_board::Bitboard(u64::MAX.checked_shl(n_empties).unwrap_or(0));
        let none = obverse_board::Bitboard::EMPTY;
        Position::new(Size::Eight, discs, none, obverse_board::Color::Black)
            .expect("discs on a board")
    }

    #[track_caller]
    fn check(text: &str, expected: Option<(f64, f64)>) {
        let clock = text.parse::<Clock>();
        let expected = expected.map(|(t, i)| Clock { time: seconds(t), increment: seconds(i) });
        assert_eq!(clock.as_ref().ok(), expected.as_ref(), "{text}");
        if let Ok(clock) = clock {
            assert_eq!(clock.to_string().parse(), Ok(clock), "{text}");
        }
    }

    #[test]
    fn clocks_are_read_and_printed() {
        check("5m+2s", Some((300.0, 2.0)));
        check("5m", Some((300.0, 0.0)));
        check("0.1s", Some((0.1, 0.0)));
        check("1s500ms + 100ms", Some((1.5, 0.1)));
        check("", None);
        check("0s", None);
        check("5", None);
        check("+2s", None);
        check("5m+", None);
        check("5m+2s+1s", None);
        check("25h", None);
    }

    #[test]
    fn a_whole_game_never_exceeds_its_clock() {
        for (time, increment) in [(0.2, 0.0), (10.0, 0.0), (300.0, 2.0), (1.0, 1.0)] {
            let clock = Clock { time: seconds(time), increment: seconds(increment) };
            // Whoever always takes all that is allowed still has time for the last move.
            for take in [|budget: Budget| budget.soft, |budget: Budget| budget.hard] {
                let mut left = clock.time;
                for n_empties in (1..=60).rev().step_by(2) {
                    let budget = clock.budget(left, position(n_empties));
                    assert!(budget.soft <= budget.hard, "{n_empties} {budget:?}");
                    assert!(budget.hard < left, "{n_empties} {budget:?} of {left:?}");
                    assert!(budget.soft > Duration::ZERO, "{n_empties} {left:?}");
                    left = left.saturating_sub(take(budget)) + clock.increment;
                }
            }
        }
    }

    #[test]
    fn the_plan_uses_the_clock_and_gives_most_to_the_middle() {
        let clock = Clock { time: seconds(300.0), increment: Duration::ZERO };
        let mut left = clock.time;
        let mut spent = [Duration::ZERO; 3];
        for n_empties in (1..=60).rev().step_by(2) {
            let Budget { soft, .. } = clock.budget(left, position(n_empties));
            left -= soft;
            spent[(60 - n_empties as usize) / 20] += soft;
        }
        assert!(left < seconds(10.0), "{left:?} were left");
        assert!(spent[1] > spent[0] && spent[0] > spent[2], "{spent:?}");
    }

    #[test]
    fn an_empty_clock_is_no_reason_to_panic() {
        let clock = Clock { time: seconds(1.0), increment: Duration::ZERO };
        let budget = clock.budget(Duration::ZERO, position(30));
        assert_eq!(budget, Budget { soft: Duration::ZERO, hard: Duration::ZERO });
        assert_eq!(clock.budget(clock.time, position(0)).hard, seconds(0.95));
    }

    #[test]
    fn a_round_that_cannot_finish_is_not_begun() {
        let mut pacer = Pacer::new(Budget { soft: seconds(1.0), hard: seconds(3.0) });
        assert!(!pacer.is_enough(seconds(0.1), MOVE, 2.0));
        assert!(!pacer.is_enough(seconds(0.3), MOVE, 2.0));
        // The next would end at about 0.7 + 2.3 · 0.4 = 1.62 seconds.
        assert!(pacer.is_enough(seconds(0.7), MOVE, 2.0));
    }

    #[test]
    fn trouble_and_doubt_get_more_time() {
        let budget = Budget { soft: seconds(1.0), hard: seconds(3.0) };
        let after = |best, discs| {
            let mut pacer = Pacer::new(budget);
            assert!(!pacer.is_enough(seconds(0.3), MOVE, 2.0));
            pacer.is_enough(seconds(0.7), best, discs)
        };
        assert!(after(MOVE, 2.0));
        assert!(!after(OTHER, 2.0));
        assert!(!after(MOVE, -2.0));
        assert!(after(MOVE, 5.0));
        // But never beyond the hard limit.
        let mut pacer = Pacer::new(budget);
        assert!(!pacer.is_enough(seconds(0.2), MOVE, 2.0));
        assert!(pacer.is_enough(seconds(1.2), OTHER, -20.0));
    }

    #[test]
    fn more_time_reaches_farther_from_the_end() {
        let end_from = |s| limits(seconds(s)).end_from;
        assert_eq!([0.0, 0.1, 1.0, 60.0].map(end_from), [18, 25, 28, 34]);
    }
}
