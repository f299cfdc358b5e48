//! A claim, as typed: `>= 0`, `<= -4`, `= 10`.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail};
use obverse_board::Size;
use obverse_cluster::prove::Claim;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClaimArg {
    One(Claim),
    Exactly(i8),
}

impl FromStr for ClaimArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ClaimArg, String> {
        let rest = text.trim_start();
        let (kind, bound): (fn(i8) -> ClaimArg, &str) = if let Some(bound) = rest.strip_prefix(">=")
        {
            (|bound| ClaimArg::One(Claim::AtLeast(bound)), bound)
        } else if let Some(bound) = rest.strip_prefix("<=") {
            (|bound| ClaimArg::One(Claim::AtMost(bound)), bound)
        } else if let Some(bound) = rest.strip_prefix('=') {
            (ClaimArg::Exactly, bound)
        } else {
            return Err(format!("found {text:?}, expected \">= N\", \"<= N\" or \"= N\""));
        };
        match bound.trim().parse::<i8>() {
            Ok(bound) if bound.abs() <= 64 => Ok(kind(bound)),
            _ => Err(format!("found {bound:?}, expected a score from -64 to 64")),
        }
    }
}

impl fmt::Display for ClaimArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimArg::One(claim) => claim.fmt(f),
            ClaimArg::Exactly(score) => write!(f, "= {score}"),
        }
    }
}

impl ClaimArg {
    /// What is to be proven: one bound or two.
    pub(super) fn claims(self, size: Size) -> Result<Vec<Claim>> {
        let area = size.area() as i8;
        let claims = match self {
            ClaimArg::One(claim) => vec![claim],
            // What every score is need not be proven.
            ClaimArg::Exactly(score) if score == area => vec![Claim::AtLeast(score)],
            ClaimArg::Exactly(score) if score == -area => vec![Claim::AtMost(score)],
            ClaimArg::Exactly(score) => vec![Claim::AtLeast(score), Claim::AtMost(score)],
        };
        let is_open = |claim: &Claim| match claim {
            Claim::AtLeast(bound) => *bound > -area && *bound <= area,
            Claim::AtMost(bound) => *bound < area && *bound >= -area,
        };
        if !claims.iter().all(is_open) {
            bail!("on a board of {area} squares {self} needs no proof, or has none");
        }
        Ok(claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_read_as_they_print() {
        for text in [">= 0", "<= -4", "= 10"] {
            assert_eq!(text.parse::<ClaimArg>().unwrap().to_string(), text);
        }
        assert_eq!(">=+4".parse::<ClaimArg>(), Ok(ClaimArg::One(Claim::AtLeast(4))));
        for text in ["", "4", "> 4", ">= x", "= 65", "=="] {
            assert!(text.parse::<ClaimArg>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_always_or_never_so_is_refused() {
        let claims = |text: &str| text.parse::<ClaimArg>().unwrap().claims(Size::Four);
        assert_eq!(claims("= -8").unwrap(), [Claim::AtLeast(-8), Claim::AtMost(-8)]);
        assert_eq!(claims("= 16").unwrap(), [Claim::AtLeast(16)]);
        for text in [">= -16", "<= 16", ">= 17", "= 20"] {
            assert!(claims(text).is_err(), "{text}");
        }
    }
}
