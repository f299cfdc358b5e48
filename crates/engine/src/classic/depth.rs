//! How many plies a search looks ahead.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// A number of plies from 1 to 60.
///
/// ```
/// use obverse_engine::classic::Depth;
/// assert_eq!("5".parse::<Depth>()?.plies(), 5);
/// assert_eq!(Depth::new(0), None);
/// # Ok::<(), obverse_engine::classic::ParseDepthError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Depth(NonZeroU8);

impl Depth {
    /// One ply: only the moves themselves are judged.
    pub const MIN: Depth = Depth(NonZeroU8::MIN);
    /// Sixty plies: as many as there are discs to place on 8×8.
    pub const MAX: Depth = Depth(NonZeroU8::new(60).unwrap());

    /// This many plies, if that is a depth.
    pub const fn new(plies: u8) -> Option<Depth> {
        match NonZeroU8::new(plies) {
            Some(depth) if plies <= Depth::MAX.plies() => Some(Depth(depth)),
            _ => None,
        }
    }

    /// The number of plies.
    #[inline]
    pub const fn plies(self) -> u8 {
        self.0.get()
    }

    /// Every depth from 1 to this one.
    pub fn up_to(self) -> impl Iterator<Item = Depth> {
        (1..=self.plies()).filter_map(Depth::new)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What stood where a depth was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseDepthError(String);

impl fmt::Display for ParseDepthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected a depth from {} to {}", self.0, Depth::MIN, Depth::MAX)
    }
}

impl std::error::Error for ParseDepthError {}

impl FromStr for Depth {
    type Err = ParseDepthError;

    fn from_str(text: &str) -> Result<Depth, ParseDepthError> {
        let depth = text.parse().ok().and_then(Depth::new);
        depth.ok_or_else(|| ParseDepthError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_run_from_one_to_sixty() {
        for plies in 1..=60 {
            let depth = Depth::new(plies).expect("a depth");
            assert_eq!(depth.to_string().parse(), Ok(depth));
        }
        for text in ["", "0", "61", "256", "-1", "3.5", "three"] {
            let error = text.parse::<Depth>().unwrap_err().to_string();
            assert_eq!(error, format!("found {text:?}, expected a depth from 1 to 60"));
        }
        let all = Depth::new(3).expect("a depth").up_to().map(Depth::plies);
        assert_eq!(all.collect::<Vec<_>>(), [1, 2, 3]);
    }
}
