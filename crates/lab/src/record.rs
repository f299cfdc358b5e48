//! A position with its score, as training files hold it.
//!
//! A file is a sequence of records of 20 bytes, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the discs of the side to move, a1 the lowest bit, h8 the highest |
//! | 8 | those of the other side |
//! | 2 | the value a search gave for the side to move, in 1/128 disc; −32768 if there was none |
//! | 1 | the score for the side to move in discs, the empties to the winner |
//! | 1 | how the score is known: 0 proven, 1 the game from here on ended so, 2 not: it is the value, rounded |
//!
//! All positions are 8×8 and the side to move has a move.

use std::io::{self, BufReader, ErrorKind, Read, Write};

use obverse_board::{Bitboard, Board, Color, Position, Score, Size};

/// A labelled position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub board: Board,
    /// What a search thought of it, in 1/128 disc for the side to move.
    pub value: Option<i16>,
    /// Its score for the side to move.
    pub score: Score,
    /// How the score is known.
    pub source: Source,
}

/// How the score of a record is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It was proven.
    Proof,
    /// It is that of the game which the position is from.
    Game,
    /// It is not: no game went on from the position, and the search's value, rounded, stands for it.
    Search,
}

/// The bytes of a record.
pub const RECORD_BYTES: usize = 20;

impl Record {
    /// The record as bytes.
    pub fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.board.player().0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent().0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.value.unwrap_or(i16::MIN).to_le_bytes());
        bytes[18] = self.score.0 as u8;
        bytes[19] = self.source as u8;
        bytes
    }

    /// Reads a record from its bytes.
    ///
    /// # Errors
    /// If there are two discs on a square, or the score or its source is none.
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Result<Record, String> {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let (player, opponent) = (word(0), word(8));
        if let Some(square) = Bitboard(player & opponent).first() {
            return Err(format!("found two discs on {square}, expected one at most"));
        }
        let score = bytes[18] as i8;
        if !(-64..=64).contains(&score) {
            return Err(format!("found a score of {score}, expected -64 to 64"));
        }
        let value = i16::from_le_bytes([bytes[16], bytes[17]]);
        Ok(Record {
            board: Board::new(Bitboard(player), Bitboard(opponent)),
            value: (value != i16::MIN).then_some(value),
            score: Score(score),
            source: match bytes[19] {
                0 => Source::Proof,
                1 => Source::Game,
                2 => Source::Search,
                other => {
                    return Err(format!(
                        "found {other} as the source of the score, expected 0, 1 or 2"
                    ));
                }
            },
        })
    }

    /// Writes one record.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.to_bytes())
    }

    /// The records of a file, one after the other. A last one that was cut off, as by a stopped run, is
    /// left out; the error of one that is none names its number, from 1.
    pub fn stream(input: impl Read) -> impl Iterator<Item = io::Result<Record>> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut number = 0_u64;
        std::iter::from_fn(move || {
            let mut bytes = [0; RECORD_BYTES];
            match input.read_exact(&mut bytes) {
                Ok(()) => number += 1,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return None,
                Err(error) => return Some(Err(error)),
            }
            let named =
                |why| io::Error::new(ErrorKind::InvalidData, format!("record {number}: {why}"));
            Some(Record::from_bytes(&bytes).map_err(named))
        })
    }

    /// Reads all records of a file, as [`Record::stream`] does.
    ///
    /// # Errors
    /// If it cannot be read or holds something else.
    pub fn read_all(input: &mut dyn Read) -> io::Result<Vec<Record>> {
        Record::stream(input).collect()
    }

    /// The position, with the side to move as black.
    ///
    /// # Panics
    /// If a square holds two discs, which in no record that was read is the case.
    pub fn position(&self) -> Position {
        let (player, opponent) = (self.board.player(), self.board.opponent());
        Position::new(Size::Eight, player, opponent, Color::Black).expect("a sound board")
    }

    /// The number of empty squares.
    pub fn n_empties(&self) -> u32 {
        64 - self.board.occupied().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record() -> Record {
        let board = Board::start(Size::Eight);
        Record { board, value: Some(-77), score: Score(-2), source: Source::Game }
    }

    #[test]
    fn a_file_holds_what_was_written_and_may_end_early() {
        let proven = Record { value: None, score: Score(64), source: Source::Proof, ..record() };
        let records = [record(), proven];
        let mut bytes = Vec::new();
        for record in &records {
            record.write(&mut bytes).unwrap();
        }
        assert_eq!(bytes.len(), 2 * RECORD_BYTES);
        assert_eq!(Record::read_all(&mut &bytes[..]).unwrap(), records);
        assert_eq!(Record::read_all(&mut &bytes[..39]).unwrap(), records[..1]);
        assert_eq!(record().position(), Position::start(Size::Eight));
    }

    #[test]
    fn what_is_no_record_is_named() {
        let error = |at: usize, byte: u8| {
            let mut bytes = [record().to_bytes(), record().to_bytes()].concat();
            bytes[RECORD_BYTES + at] = byte;
            Record::read_all(&mut &bytes[..]).unwrap_err().to_string()
        };
        assert_eq!(error(3, 0xff), "record 2: found two discs on d4, expected one at most");
        assert_eq!(error(18, 65), "record 2: found a score of 65, expected -64 to 64");
        let source = "record 2: found 7 as the source of the score, expected 0, 1 or 2";
        assert_eq!(error(19, 7), source);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_record_or_an_error(
            player: u64,
            opponent: u64,
            apart: bool,
            value: i16,
            score: i8,
            source in 0..4_u8,
        ) {
            let opponent = if apart { opponent & !player } else { opponent };
            let mut bytes = [0; RECORD_BYTES];
            bytes[..8].copy_from_slice(&player.to_le_bytes());
            bytes[8..16].copy_from_slice(&opponent.to_le_bytes());
            bytes[16..18].copy_from_slice(&value.to_le_bytes());
            (bytes[18], bytes[19]) = (score as u8, source);
            let is_sound = player & opponent == 0 && (-64..=64).contains(&score) && source < 3;
            match Record::from_bytes(&bytes) {
                Ok(record) => prop_assert!(is_sound && record.to_bytes() == bytes),
                Err(error) => prop_assert!(!is_sound && !error.is_empty()),
            }
        }
    }
}
