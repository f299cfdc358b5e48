//! Levels of play from 1 to 30.

/// A level of play.
///
/// | level | looks ahead | to the end from | proof from |
/// |---|---|---|---|
/// | L ≤ 10 | L moves | 2 L empties | 2 L empties |
/// | 10 < L | L moves | 14 + L empties | 10 + L empties |
///
/// Far from the end moves are left out that short searches are 73 % sure of; to the end the search is
/// repeated with ever more care, up to 99 % or to the proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The highest level.
    pub const MAX: u8 = 30;

    /// The level of that number, if there is one.
    pub const fn new(level: u8) -> Option<Level> {
        if level >= 1 && level <= Level::MAX { Some(Level(level)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// How many moves it looks ahead.
    pub const fn depth(self) -> u32 {
        self.0 as u32
    }

    /// From how many empty squares on it searches to the end.
    pub const fn end_from(self) -> u32 {
        if self.0 <= 10 { 2 * self.0 as u32 } else { 14 + self.0 as u32 }
    }

    /// From how many empty squares on it proves its scores.
    pub const fn proof_from(self) -> u32 {
        if self.0 <= 10 { 2 * self.0 as u32 } else { 10 + self.0 as u32 }
    }
}
