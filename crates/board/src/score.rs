//! The result of a game in discs.

use std::fmt;
use std::ops::Neg;

/// A disc difference, positive if the side it is for has more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i8);

impl Neg for Score {
    type Output = Score;

    /// The same result for the other side.
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Prints with its sign: `+4`, `-12`, `0`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0"),
            n => f.pad(&format!("{n:+}")),
        }
    }
}

/// How the empty squares of a finished game are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counting {
    /// They count for nobody: own discs minus the opponent's, as the plain rules say.
    Discs,
    /// They go to the winner: the convention of tournaments and of all field formats.
    WinnerTakesEmpties,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counting::Discs => "discs",
            Counting::WinnerTakesEmpties => "winner-takes-empties",
        })
    }
}
