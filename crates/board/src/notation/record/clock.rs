//! The time a player has: `main/increment/grace`, each as `[[days.]hours:]minutes:seconds`.

use std::fmt;

/// The time a player has for a game, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock {
    /// For all moves.
    pub main: u32,
    /// More after each move.
    pub increment: u32,
    /// After the time is up, once.
    pub grace: u32,
}

impl Clock {
    /// Reads `15:00`, `05:00/00:05`, `01:00:00/00:00/02:00` or `0//0`; a part left out is 0.
    pub fn parse(text: &str) -> Option<Clock> {
        let mut parts = text.split('/').map(seconds);
        let mut next = || parts.next().unwrap_or(Some(0));
        let clock = Clock { main: next()?, increment: next()?, grace: next()? };
        parts.next().is_none().then_some(clock)
    }
}

/// The seconds of `[[days.]hours:]minutes:seconds`, or of a bare number.
fn seconds(text: &str) -> Option<u32> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    if !text.contains(':') {
        // A bare number of seconds, perhaps with a fraction, which no clock of ours counts.
        let whole = text.split('.').next().unwrap_or_default();
        return whole.parse().ok();
    }
    let (days, time) = text.split_once('.').unwrap_or(("0", text));
    let mut total: u32 = 0;
    for part in time.split(':') {
        total = total.checked_mul(60)?.checked_add(part.trim().parse().ok()?)?;
    }
    days.parse::<u32>().ok()?.checked_mul(86400)?.checked_add(total)
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(f, self.main)?;
        if self.increment > 0 || self.grace > 0 {
            f.write_str("/")?;
        }
        if self.increment > 0 {
            write_seconds(f, self.increment)?;
        }
        if self.grace > 0 {
            f.write_str("/")?;
            write_seconds(f, self.grace)?;
        }
        Ok(())
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, total: u32) -> fmt::Result {
    let (days, hours, minutes, seconds) =
        (total / 86400, total / 3600 % 24, total / 60 % 60, total % 60);
    if days > 0 {
        write!(f, "{days}.")?;
    }
    if total >= 3600 {
        write!(f, "{hours:02}:")?;
    }
    write!(f, "{minutes:02}:{seconds:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_servers_write_them() {
        let clock = |main, increment, grace| Some(Clock { main, increment, grace });
        assert_eq!(Clock::parse("15:00"), clock(900, 0, 0));
        assert_eq!(Clock::parse("01:00/00:00/02:00"), clock(60, 0, 120));
        assert_eq!(Clock::parse("15:00//02:00"), clock(900, 0, 120));
        assert_eq!(Clock::parse("0//0"), clock(0, 0, 0));
        assert_eq!(Clock::parse("2.01:00:00/5"), clock(176_400, 5, 0));
        assert_eq!(Clock::parse("3"), clock(3, 0, 0));
        for text in ["x", "1:x", "1/2/3/4", "99999999999", "-1:00", "4000000.00:00:00"] {
            assert_eq!(Clock::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_clock_is_read_back() {
        let some = [0, 1, 59, 60, 3599, 3600, 86399, 86400, 90061, u32::MAX];
        for main in some {
            for increment in some {
                for grace in some {
                    let clock = Clock { main, increment, grace };
                    assert_eq!(Clock::parse(&clock.to_string()), Some(clock), "{clock}");
                }
            }
        }
    }
}
