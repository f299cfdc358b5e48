//! WTHOR, the games of nearly all tournaments since 1977: `.wtb` files hold the games of a year,
//! one `.jou` file the names of all players and one `.trn` file those of the tournaments.
//!
//! All three begin with the same 16 bytes; numbers are little-endian. Passes are not stored. A game's
//! score is black's discs with the empty squares to the winner.

mod names;

pub use names::{NameList, Names};

use std::fmt;

use super::Inexpressible;
use super::record::{Date, Ending, Outcome, Record};
use crate::{Color, Counting, Game, Move, Position, Size, Square};

/// The length of a file's head.
pub const HEADER_BYTES: usize = 16;

/// The length of a game.
pub const GAME_BYTES: usize = 68;

const MOVES_MAX: usize = 60;

/// What the 16 bytes at the beginning of a file say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// When the file was made: century, year of it, month and day.
    pub created: [u8; 4],
    /// How many games there are.
    pub n_games: u32,
    /// How many names there are; in a file of solitaires, the number of empty squares.
    pub n_names: u16,
    /// The year of the games.
    pub year: u16,
    /// The board's side length; 0 stands for 8.
    pub side: u8,
    /// 1 for solitaires, otherwise 0.
    pub kind: u8,
    /// From how many empty squares on play is perfect in the theoretical scores; 0 stands for 22.
    pub depth: u8,
    /// Not used.
    pub reserved: u8,
}

impl Header {
    /// The head of a file of games.
    pub fn games(created: [u8; 4], year: u16, n_games: u32) -> Header {
        Header { created, n_games, n_names: 0, year, side: 8, kind: 0, depth: 24, reserved: 0 }
    }

    fn names(created: [u8; 4], n_names: u16) -> Header {
        let games = Header::games(created, 0, 0);
        Header { n_names, side: 0, depth: 0, ..games }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Header> {
        let head: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        Some(Header {
            created: [head[0], head[1], head[2], head[3]],
            n_games: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
            n_names: u16::from_le_bytes([head[8], head[9]]),
            year: u16::from_le_bytes([head[10], head[11]]),
            side: head[12],
            kind: head[13],
            depth: head[14],
            reserved: head[15],
        })
    }

    /// As a file holds it.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut head = [0; HEADER_BYTES];
        head[..4].copy_from_slice(&self.created);
        head[4..8].copy_from_slice(&self.n_games.to_le_bytes());
        head[8..10].copy_from_slice(&self.n_names.to_le_bytes());
        head[10..12].copy_from_slice(&self.year.to_le_bytes());
        head[12..].copy_from_slice(&[self.side, self.kind, self.depth, self.reserved]);
        head
    }
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Contents {
    /// Games: `.wtb`.
    Games,
    /// Names of players: `.jou`.
    Players,
    /// Names of tournaments: `.trn`.
    Tournaments,
}

impl Contents {
    /// The length of a name.
    pub const fn name_bytes(self) -> usize {
        match self {
            Contents::Players => 20,
            Contents::Games | Contents::Tournaments => 26,
        }
    }

    /// What a file holds if it is of this kind at all; the length tells, or else the extension.
    ///
    /// Text is never taken for it: it does not begin with a control character.
    pub fn detect(bytes: &[u8], extension: Option<&str>) -> Option<Contents> {
        let header = Header::from_bytes(bytes)?;
        let [century, year, month, day] = header.created;
        if !((18..=22).contains(&century) && year < 100 && month <= 12 && day <= 31) {
            return None;
        }
        let n_bytes = bytes.len() - HEADER_BYTES;
        let n_names = usize::from(header.n_names);
        if n_bytes > 0 && header.n_games == 0 {
            for contents in [Contents::Players, Contents::Tournaments] {
                if n_bytes == n_names * contents.name_bytes() {
                    return Some(contents);
                }
            }
        }
        Some(match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("jou") => Contents::Players,
            Some("trn") => Contents::Tournaments,
            _ => Contents::Games,
        })
    }
}

/// A game as a file holds it: numbers of names, scores and moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the tournament.
    pub tournament: u16,
    /// The number of the player of black.
    pub black: u16,
    /// The number of the player of white.
    pub white: u16,
    /// Black's discs.
    pub score: u8,
    /// Black's discs after perfect play.
    pub theoretical: u8,
    /// Each 10 × row + column, both from 1; 0 after the last.
    pub moves: [u8; MOVES_MAX],
}

impl Entry {
    /// Reads a game's bytes.
    pub fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Entry {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut moves = [0; MOVES_MAX];
        moves.copy_from_slice(&bytes[8..]);
        Entry {
            tournament: word(0),
            black: word(2),
            white: word(4),
            score: bytes[6],
            theoretical: bytes[7],
            moves,
        }
    }

    /// As a file holds it.
    pub fn to_bytes(&self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        for (at, word) in [(0, self.tournament), (2, self.black), (4, self.white)] {
            bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
        (bytes[6], bytes[7]) = (self.score, self.theoretical);
        bytes[8..].copy_from_slice(&self.moves);
        bytes
    }

    /// The moves as a game, with the passes that are not stored.
    ///
    /// # Errors
    /// If a move is none, or illegal, or follows where there was none: which, and why.
    pub fn game(&self) -> Result<Game, String> {
        let mut game = Game::with_capacity(Position::start(Size::Eight), MOVES_MAX + 4);
        let n_moves = self.moves.iter().position(|&mv| mv == 0).unwrap_or(MOVES_MAX);
        for (i, &mv) in self.moves[..n_moves].iter().enumerate() {
            let square = Square::at((mv % 10).wrapping_sub(1), (mv / 10).wrapping_sub(1));
            let square = square.ok_or_else(|| {
                format!(
                    "move {}: found the number {mv}, expected one from 11 (a1) to 88 (h8)",
                    i + 1
                )
            })?;
            game.play(square).map_err(|error| format!("move {}: {error}", i + 1))?;
        }
        if let Some(i) = self.moves[n_moves..].iter().position(|&mv| mv != 0) {
            let (end, next) = (n_moves + 1, n_moves + i + 1);
            return Err(format!(
                "move {next}: found a move, expected none after the game's end at move {end}"
            ));
        }
        Ok(game)
    }

    /// The moves and scores of a record, without the numbers of its names.
    ///
    /// # Errors
    /// If the game is not one on 8×8 from the usual start.
    pub fn of(record: &Record) -> Result<Entry, Inexpressible> {
        let game = record.game();
        if game.start() != Position::start(Size::Eight) {
            return Err(Inexpressible("WTHOR holds games on 8x8 from the usual start only"));
        }
        let mut moves = [0; MOVES_MAX];
        let squares = game.moves().iter().filter_map(|mv: &Move| mv.square());
        for (stored, square) in moves.iter_mut().zip(squares) {
            *stored = 10 * (square.row() + 1) + square.column() + 1;
        }
        let score = score(record);
        let theoretical = record.theoretical.unwrap_or(score);
        Ok(Entry { tournament: 0, black: 0, white: 0, score, theoretical, moves })
    }
}

/// The games of a file.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    /// The file's head.
    pub header: Header,
    bytes: &'a [u8],
}

impl<'a> Games<'a> {
    /// Looks into a file of games.
    ///
    /// # Errors
    /// If it holds something else: solitaires, or games on a larger board.
    pub fn new(bytes: &'a [u8]) -> Result<Games<'a>, String> {
        let Some(header) = Header::from_bytes(bytes) else {
            return Err(format!("found {} bytes, expected a head of {HEADER_BYTES}", bytes.len()));
        };
        if !matches!(header.side, 0 | 8) {
            let side = header.side;
            return Err(format!("found games on a board of {side} rows, expected 8"));
        }
        if header.kind == 1 {
            return Err("found solitaires, expected games".to_owned());
        }
        Ok(Games { header, bytes: &bytes[HEADER_BYTES..] })
    }

    /// How many games the file should have, those cut off included.
    pub fn len(&self) -> usize {
        (self.header.n_games as usize).max(self.bytes.len().div_ceil(GAME_BYTES))
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of this index.
    ///
    /// # Errors
    /// If the file ends before the game does, or should have ended before the game begins.
    pub fn get(&self, i: usize) -> Result<Entry, String> {
        let n_games = self.header.n_games;
        if i >= n_games as usize {
            return Err(format!("found more bytes, expected {n_games} games as the head tells"));
        }
        let rest = self.bytes.get(i * GAME_BYTES..).unwrap_or_default();
        let bytes = rest.first_chunk().ok_or_else(|| {
            let n = rest.len();
            format!("found the end of the file after {n} bytes, expected {GAME_BYTES}")
        })?;
        Ok(Entry::from_bytes(bytes))
    }

    /// The game of this index with its names.
    ///
    /// # Errors
    /// If it is damaged: how.
    pub fn record(&self, i: usize, names: &Names) -> Result<Record, String> {
        let entry = self.get(i)?;
        let mut record = Record::new(entry.game()?);
        record.black.name = names.players.name(entry.black);
        record.white.name = names.players.name(entry.white);
        record.event = names.tournaments.name(entry.tournament);
        record.date = (self.header.year > 0).then(|| Date::in_year(self.header.year));
        let margin = 2.0 * f64::from(entry.score) - 64.0;
        record.outcome = Some(Outcome::by(margin, Ending::Played));
        record.theoretical = Some(entry.theoretical);
        Ok(record)
    }
}

/// A file of games while it is written.
#[derive(Clone, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    n_games: u32,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer { bytes: vec![0; HEADER_BYTES], n_games: 0 }
    }
}

impl Writer {
    /// Adds a game and the names it has; tells whether a name had to be changed.
    ///
    /// # Errors
    /// If WTHOR cannot hold it.
    pub fn push(&mut self, record: &Record, names: &mut Names) -> Result<bool, Inexpressible> {
        let mut entry = Entry::of(record)?;
        let (mut is_changed, mut changed);
        (entry.tournament, is_changed) = names.tournaments.number(&record.event)?;
        (entry.black, changed) = names.players.number(&record.black.name)?;
        is_changed |= changed;
        (entry.white, changed) = names.players.number(&record.white.name)?;
        is_changed |= changed;
        self.bytes.extend(entry.to_bytes());
        self.n_games += 1;
        Ok(is_changed)
    }

    /// The file, of games of one year.
    pub fn finish(mut self, created: [u8; 4], year: u16) -> Vec<u8> {
        let header = Header::games(created, year, self.n_games);
        self.bytes[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
        self.bytes
    }
}

/// Black's discs: as the record or the board tells, or else as if the players shared the empty squares.
fn score(record: &Record) -> u8 {
    let Some(outcome) = record.result() else {
        let margin = record.game().position().score_for(Color::Black, Counting::Discs);
        return (32 + margin.0 / 2) as u8;
    };
    let black = match (outcome.tally(64), outcome.winner) {
        (Some([black, _]), _) => black.clamp(0.0, 64.0),
        // Who won without a word about the discs won all of them.
        (None, Some(Color::Black)) => 64.0,
        (None, _) => 0.0,
    };
    black as u8
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Contents::Games => "games",
            Contents::Players => "names of players",
            Contents::Tournaments => "names of tournaments",
        })
    }
}
