//! A game as files hold it: the moves, who played them, when and where, and what was said of them.
//!
//! Every file format reads into a [`Record`] and is written from one, so converting a file is reading
//! it and writing it. What a format cannot say is left out; what only some formats have a place for
//! is kept in the others as a [fact](Record::facts).

mod clock;
pub(super) mod comment;
mod date;
mod facts;
mod line;
mod outcome;
mod tree;
mod variant;

pub use clock::Clock;
pub use date::Date;
pub(super) use facts::{parse_result, result_text};
pub use line::{Branch, Line, Mark, Note};
pub use outcome::{Ending, Outcome};
pub(super) use tree::Tree;
pub use variant::{Colors, Variant};

use crate::{Color, Game};

/// A game with all that is known about it; an empty text is something unknown.
///
/// ```
/// use obverse_board::Game;
/// use obverse_board::notation::{Form, Record};
///
/// let mut record = Record::new(Game::parse("f5d6c3")?);
/// record.black.name = "Tamenori Hideshi".to_owned();
/// let pgn = Form::Pgn.print_record(&record).unwrap();
/// assert!(pgn.contains("[Black \"Tamenori Hideshi\"]"));
/// assert!(pgn.ends_with("1. f5 d6 2. c3 *"));
/// # Ok::<(), obverse_board::notation::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The moves that were played, with notes and the lines that branch off.
    pub line: Line,
    /// Who played black.
    pub black: Player,
    /// Who played white.
    pub white: Player,
    /// The tournament or match.
    pub event: String,
    /// The town, server or program.
    pub site: String,
    /// The round of the event.
    pub round: String,
    /// When it was played.
    pub date: Option<Date>,
    /// How it ended, as the file tells; [`Record::result`] also asks the board.
    pub outcome: Option<Outcome>,
    /// The time the players had.
    pub clocks: Clocks,
    /// What kind of game it was, where that is more than the size of the board.
    pub variant: Option<Variant>,
    /// What was bid for the colors.
    pub komi: Option<Komi>,
    /// Black's discs had both played perfectly from some point on, as WTHOR files tell.
    pub theoretical: Option<u8>,
    /// What is said of the whole game.
    pub comment: String,
    /// Names and values no field has.
    pub extras: Vec<(String, String)>,
}

/// Somebody who plays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, on whatever scale.
    pub rating: Option<f64>,
}

/// The time of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Black's.
    pub black: Option<Clock>,
    /// White's.
    pub white: Option<Clock>,
}

/// The bids of a game whose colors were auctioned.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Komi {
    /// What black gives white, in discs.
    pub value: Option<f64>,
    /// Black's bid as written: a move, its value, perhaps the time it took.
    pub black: String,
    /// White's bid.
    pub white: String,
}

impl Record {
    /// The record of a game of which nothing is known but the moves.
    pub fn new(game: Game) -> Record {
        Record {
            line: Line::new(game),
            black: Player::default(),
            white: Player::default(),
            event: String::new(),
            site: String::new(),
            round: String::new(),
            date: None,
            outcome: None,
            clocks: Clocks::default(),
            variant: None,
            komi: None,
            theoretical: None,
            comment: String::new(),
            extras: Vec::new(),
        }
    }

    /// The moves that were played.
    pub fn game(&self) -> &Game {
        &self.line.game
    }

    /// The player of a color.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// How the game ended: as the record tells, or else as the board shows, with the empty squares to
    /// the winner.
    pub fn result(&self) -> Option<Outcome> {
        self.outcome.or_else(|| Outcome::of(self.game()))
    }
}
