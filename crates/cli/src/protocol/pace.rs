//! How far to think when a depth, a clock or both set the limit.

use obverse_engine::{Level, Limits};
use obverse_studio::clock::{self, Budget};

/// The level where nothing else limits the thinking: about a tenth of a second a move.
pub(super) const LEVEL_DEFAULT: Level = match Level::new(12) {
    Some(level) => level,
    None => unreachable!(),
};

/// So many moves ahead; when to search to the end and when to prove follows the level of that number.
pub(super) fn by_depth(depth: u32) -> Limits {
    match u8::try_from(depth.max(1)).ok().and_then(Level::new) {
        Some(level) => level.into(),
        // Beyond the levels there is no limit but the depth.
        None => Limits { depth: depth.min(Limits::NONE.depth), ..Limits::NONE },
    }
}

/// The same, but nothing is begun that takes longer than `budget`.
pub(super) fn by_clock(limits: Limits, budget: Budget, threads: u32) -> Limits {
    let by_time = clock::limits(budget.soft.min(budget.hard).saturating_mul(threads));
    Limits {
        end_from: limits.end_from.min(by_time.end_from),
        proof_from: limits.proof_from.min(by_time.proof_from),
        ..limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn depths_are_levels_and_go_on_beyond_them() {
        assert_eq!(by_depth(0), by_depth(1));
        assert_eq!(by_depth(12), Level::new(12).unwrap().into());
        assert_eq!(by_depth(60), Limits { depth: 60, ..Limits::NONE });
        assert_eq!(by_depth(u32::MAX), Limits::NONE);
    }

    #[test]
    fn the_tighter_limit_counts() {
        let second = Budget { soft: Duration::from_secs(1), hard: Duration::from_secs(3) };
        assert_eq!(by_clock(by_depth(60), second, 1).end_from, 28);
        assert_eq!(by_clock(by_depth(60), second, 2).end_from, 29);
        assert_eq!(by_clock(by_depth(6), second, 1), by_depth(6));
        let forever = Budget::whole(Duration::MAX);
        assert_eq!(by_clock(by_depth(6), forever, 1024), by_depth(6));
    }
}
