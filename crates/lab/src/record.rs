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
//! | 1 | how the score is known: 0 proven, 1 the game from here on ended so |
//!
//! All positions are 8×8 and the side to move has a move.

use std::io::{self, Read, Write};

use obverse_board::{Bitboard, Board, Score};

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
        if player & opponent != 0 {
            return Err("found a record with two discs on a square".to_owned());
        }
        let score = bytes[18] as i8;
        if !(-64..=64).contains(&score) {
            return Err(format!("found a record with score {score}, expected −64 to 64"));
        }
        let value = i16::from_le_bytes([bytes[16], bytes[17]]);
        Ok(Record {
            board: Board::new(Bitboard(player), Bitboard(opponent)),
            value: (value != i16::MIN).then_some(value),
            score: Score(score),
            source: match bytes[19] {
                0 => Source::Proof,
                1 => Source::Game,
                other => {
                    return Err(format!("found a record of source {other}, expected 0 or 1"));
                }
            },
        })
    }

    /// Writes one record.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.to_bytes())
    }

    /// Reads all records of a file. A last one that was cut off, as by a stopped run, is left out.
    ///
    /// # Errors
    /// If it cannot be read or holds something else.
    pub fn read_all(input: &mut dyn Read) -> io::Result<Vec<Record>> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        let (records, _) = bytes.as_chunks::<RECORD_BYTES>();
        let parse = |bytes| {
            Record::from_bytes(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
        };
        records.iter().map(parse).collect()
    }

    /// The number of empty squares.
    pub fn n_empties(&self) -> u32 {
        64 - self.board.occupied().count()
    }
}
