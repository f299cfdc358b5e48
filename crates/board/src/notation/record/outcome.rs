//! How a game ended.

use crate::{Color, Counting, Game};

/// Who won, by how much, and how it came about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Color>,
    /// By how many discs, where that is told.
    pub discs: Option<f64>,
    /// How it came about.
    pub ending: Ending,
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// It was played to the end, or nothing else is told.
    Played,
    /// The loser resigned.
    Resigned,
    /// The loser's time was up.
    Timeout,
    /// The players agreed on the score.
    Agreed,
    /// Somebody left, or broke a rule.
    Left,
}

impl Outcome {
    /// The outcome where black has so many discs more than white.
    pub fn by(margin: f64, ending: Ending) -> Outcome {
        let winner = match margin {
            m if m > 0.0 => Some(Color::Black),
            m if m < 0.0 => Some(Color::White),
            _ => None,
        };
        Outcome { winner, discs: Some(margin.abs()), ending }
    }

    /// The outcome of a finished game, with the empty squares to the winner.
    pub fn of(game: &Game) -> Option<Outcome> {
        let score = game.result(Counting::WinnerTakesEmpties)?;
        Some(Outcome::by(f64::from(score.0), Ending::Played))
    }

    /// Black's discs minus white's, where that is told.
    pub fn margin(self) -> Option<f64> {
        match self.winner {
            Some(Color::Black) => self.discs,
            Some(Color::White) => self.discs.map(|discs| -discs),
            None => Some(0.0),
        }
    }

    /// The discs of black and of white, which together are those of a board with `area` squares, or
    /// one less if the margin is odd.
    pub fn tally(self, area: u8) -> Option<[f64; 2]> {
        let margin = self.margin()?;
        // A record may tell more than the board can hold.
        let area = f64::from(area).max(margin.abs());
        let is_odd = margin.fract() == 0.0 && (area - margin) as i64 % 2 == 1;
        let total = if is_odd { area - 1.0 } else { area };
        let black = f64::midpoint(total, margin);
        Some([black, total - black])
    }
}

impl Ending {
    /// Every ending.
    pub const ALL: [Ending; 5] =
        [Ending::Played, Ending::Resigned, Ending::Timeout, Ending::Agreed, Ending::Left];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Played => "normal",
            Ending::Resigned => "resigned",
            Ending::Timeout => "time",
            Ending::Agreed => "agreed",
            Ending::Left => "left",
        }
    }
}
