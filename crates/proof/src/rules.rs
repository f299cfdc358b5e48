//! The rules, as plainly as they can be written.
//!
//! A set of squares is a word of 64 bits: row by row from the top, eight bits a row, whatever the size of
//! the board. A board of six by six uses the first six bits of the first six rows.

/// The discs of the side to move and those of the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    /// Of the side to move.
    pub mover: u64,
    /// Of the other side.
    pub other: u64,
}

/// A board's size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The number of rows, which is that of columns: 4, 6 or 8.
    pub side: u32,
}

/// How a finished game is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Own discs minus the other's.
    Discs,
    /// The same, with the empty squares given to the winner.
    WinnerTakesEmpties,
}

impl Field {
    /// All squares.
    pub fn squares(self) -> u64 {
        let row = (1_u64 << self.side) - 1;
        (0..self.side).map(|i| row << (8 * i)).sum()
    }
}

impl Field {
    /// The four corners.
    pub fn corners(self) -> u64 {
        let last = self.side - 1;
        1 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
    }
}

/// Columns a and h, from which there is no step to the left or to the right.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = 0x8080_8080_8080_8080;

/// The eight directions.
const DIRECTIONS: [fn(u64) -> u64; 8] = [
    |set| (set & !RIGHT) << 1,
    |set| (set & !LEFT) >> 1,
    |set| set << 8,
    |set| set >> 8,
    |set| (set & !RIGHT) << 9,
    |set| (set & !LEFT) << 7,
    |set| (set & !LEFT) >> 9,
    |set| (set & !RIGHT) >> 7,
];

impl Board {
    /// The squares where the side to move may place a disc: empty, with a run of the other's discs next
    /// to it in some direction, and a disc of its own behind them.
    pub fn moves(self, field: Field) -> u64 {
        let mut moves = 0;
        for step in DIRECTIONS {
            let mut run = step(self.mover) & self.other;
            for _ in 0..5 {
                run |= step(run) & self.other;
            }
            moves |= step(run);
        }
        moves & field.squares() & !(self.mover | self.other)
    }

    /// The board after a disc on the one square of `disc`, as the other side sees it.
    #[must_use = "a board is a value: this returns the next one"]
    pub fn play(self, disc: u64) -> Board {
        let mut flips = 0;
        for step in DIRECTIONS {
            let mut run = 0;
            let mut square = step(disc);
            while square & self.other != 0 {
                run |= square;
                square = step(square);
            }
            if square & self.mover != 0 {
                flips |= run;
            }
        }
        Board { mover: self.other & !flips, other: self.mover | flips | disc }
    }

    /// The same discs, with the other side to move.
    #[must_use = "a board is a value: this returns the next one"]
    pub fn pass(self) -> Board {
        Board { mover: self.other, other: self.mover }
    }

    /// Whether neither side can move.
    pub fn is_over(self, field: Field) -> bool {
        self.moves(field) == 0 && self.pass().moves(field) == 0
    }

    /// The number of empty squares.
    pub fn n_empties(self, field: Field) -> u32 {
        (field.squares() & !(self.mover | self.other)).count_ones()
    }

    /// The result of a finished game for the side to move.
    pub fn score(self, field: Field, counting: Counting) -> i32 {
        let difference = self.mover.count_ones() as i32 - self.other.count_ones() as i32;
        match counting {
            Counting::Discs => difference,
            Counting::WinnerTakesEmpties => {
                difference + difference.signum() * self.n_empties(field) as i32
            }
        }
    }

    /// The least of the eight boards that turning and mirroring make of this one.
    #[must_use = "a board is a value: this returns the other one"]
    pub fn least(self, field: Field) -> Board {
        let mut least = self;
        let mut board = self;
        for _ in 0..2 {
            for _ in 0..2 {
                for _ in 0..2 {
                    least = least.min(board);
                    board = board.each(|set| mirror_rows(set, field));
                }
                board = board.each(|set| mirror_columns(set, field));
            }
            board = board.each(transpose);
        }
        least
    }

    fn each(self, change: impl Fn(u64) -> u64) -> Board {
        Board { mover: change(self.mover), other: change(self.other) }
    }
}

fn mirror_rows(set: u64, field: Field) -> u64 {
    set.swap_bytes() >> (8 * (8 - field.side))
}

fn mirror_columns(set: u64, field: Field) -> u64 {
    // Reversing all bits mirrors rows and columns; swapping the bytes undoes the rows.
    set.reverse_bits().swap_bytes() >> (8 - field.side)
}

fn transpose(set: u64) -> u64 {
    let mut result = 0;
    let mut rest = set;
    while rest != 0 {
        let square = rest.trailing_zeros();
        result |= 1 << (square % 8 * 8 + square / 8);
        rest &= rest - 1;
    }
    result
}
