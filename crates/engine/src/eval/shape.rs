//! The shapes of the windows, and what each disc adds to their numbers.
//!
//! A window's number is its squares read as digits, least significant first: 1 for a disc of the
//! player, −1 for one of the opponent, 0 for an empty square, in base three. Seen from the other side
//! of the board every number changes its sign, and a disc that turns adds twice its digit: that is
//! all there is to keeping the numbers up to date.

use super::turn::{self, N_GROUPS};

/// How many windows a board is looked at through.
pub const N_WINDOWS: usize = 46;

/// Windows and fillers: a whole number of vectors.
pub(super) const N_LANES: usize = 48;

/// How many ways there are to fill the squares of all shapes.
pub(super) const N_PATTERNS: usize = START[N_SHAPES];

/// How many of them are different if mirror images are not.
pub(super) const N_TIED: usize = TIED_START[N_SHAPES];

const N_SHAPES: usize = 12;
const SQUARES_MAX: usize = 10;

/// The shapes, drawn row by row from the top: the digits in the order of the squares.
///
/// Each is its own mirror image, so that every filling can be read in two ways.
const DRAWINGS: [&[&str]; N_SHAPES] = [
    &["###", "###", "###"],
    &["########", ".#....#."],
    &["#####", "##", "#", "#", "#"],
    &["#.####.#", "..####.."],
    &["", "########"],
    &["", "", "########"],
    &["", "", "", "########"],
    &["#", ".#", "..#", "...#", "....#", ".....#", "......#", ".......#"],
    &[".#", "..#", "...#", "....#", ".....#", "......#", ".......#"],
    &["..#", "...#", "....#", ".....#", "......#", ".......#"],
    &["...#", "....#", ".....#", "......#", ".......#"],
    &["....#", ".....#", "......#", ".......#"],
];

/// The squares of a shape or window, in the order of its digits.
#[derive(Clone, Copy)]
struct Squares {
    items: [u8; SQUARES_MAX],
    len: usize,
}

impl Squares {
    const fn drawn(rows: &[&str]) -> Squares {
        let mut squares = Squares { items: [0; SQUARES_MAX], len: 0 };
        let mut y = 0;
        while y < rows.len() {
            let row = rows[y].as_bytes();
            let mut x = 0;
            while x < row.len() {
                if row[x] == b'#' {
                    squares.items[squares.len] = (8 * y + x) as u8;
                    squares.len += 1;
                }
                x += 1;
            }
            y += 1;
        }
        squares
    }

    /// The squares on the board turned in one of eight ways, in the same order.
    const fn turned(mut self, turn: u8) -> Squares {
        let mut i = 0;
        while i < self.len {
            let (mut x, mut y) = (self.items[i] % 8, self.items[i] / 8);
            if turn & 1 != 0 {
                x = 7 - x;
            }
            if turn & 2 != 0 {
                y = 7 - y;
            }
            if turn & 4 != 0 {
                (x, y) = (y, x);
            }
            self.items[i] = 8 * y + x;
            i += 1;
        }
        self
    }

    /// The first turn that leaves the shape as it is: its mirror.
    const fn mirror(self) -> u8 {
        let mut turn = 1;
        while self.turned(turn).set() != self.set() {
            turn += 1;
        }
        turn
    }

    /// How many squares there are if a square and its mirror image are one.
    const fn n_sides(self) -> u32 {
        let image = self.turned(self.mirror());
        let (mut n, mut i) = (0, 0);
        while i < self.len {
            n += (self.items[i] <= image.items[i]) as u32;
            i += 1;
        }
        n
    }

    const fn set(self) -> u64 {
        let (mut set, mut i) = (0, 0);
        while i < self.len {
            set |= 1 << self.items[i];
            i += 1;
        }
        set
    }
}

const SHAPES: [Squares; N_SHAPES] = {
    let mut shapes = [Squares { items: [0; SQUARES_MAX], len: 0 }; N_SHAPES];
    let mut i = 0;
    while i < N_SHAPES {
        shapes[i] = Squares::drawn(DRAWINGS[i]);
        i += 1;
    }
    shapes
};

/// Where the patterns of each shape begin; the last number is how many there are.
const START: [usize; N_SHAPES + 1] = {
    let mut start = [0; N_SHAPES + 1];
    let mut i = 0;
    while i < N_SHAPES {
        start[i + 1] = start[i] + 3_usize.pow(SHAPES[i].len as u32);
        i += 1;
    }
    start
};

/// Where the weights of each shape begin, one for every two patterns that are mirror images.
const TIED_START: [usize; N_SHAPES + 1] = {
    let mut start = [0; N_SHAPES + 1];
    let mut i = 0;
    while i < N_SHAPES {
        let n_patterns = START[i + 1] - START[i];
        // Those that are their own image can be chosen freely on one side alone.
        let n_symmetric = 3_usize.pow(SHAPES[i].n_sides());
        start[i + 1] = start[i] + usize::midpoint(n_patterns, n_symmetric);
        i += 1;
    }
    start
};

/// Which of the eight ways to turn the board is the mirror of each shape.
const MIRROR: [u8; N_SHAPES] = {
    let mut mirror = [0; N_SHAPES];
    let mut shape = 0;
    while shape < N_SHAPES {
        mirror[shape] = SHAPES[shape].mirror();
        shape += 1;
    }
    mirror
};

/// A shape as it lies on the board.
#[derive(Clone, Copy)]
struct Window {
    shape: usize,
    turn: u8,
    squares: Squares,
}

/// The windows: the images of each shape under the symmetries of the board, each once. Those of straight
/// shapes come first, and those that were turned in the same way lie together.
const WINDOWS: [Window; N_WINDOWS] = {
    let mut windows = [Window { shape: 0, turn: 0, squares: SHAPES[0] }; N_WINDOWS];
    let mut n = 0;
    let mut place = 0;
    while place < 2 * 8 * N_SHAPES {
        let shape = place % N_SHAPES;
        let turn = (place / N_SHAPES % 8) as u8;
        let is_straight = place < 8 * N_SHAPES;
        place += 1;
        if (MIRROR[shape] == UPRIGHT) != is_straight {
            continue;
        }
        let squares = SHAPES[shape].turned(turn);
        let mut i = 0;
        while i < n && windows[i].squares.set() != squares.set() {
            i += 1;
        }
        if i == n {
            windows[n] = Window { shape, turn, squares };
            n += 1;
        }
    }
    assert!(n == N_WINDOWS);
    windows
};

/// The mirror of a straight shape: what is left becomes right.
const UPRIGHT: u8 = 1;

/// Where each group of windows that lie in the same way begins; the last number is how many windows there are.
pub(super) const GROUPS: [usize; N_GROUPS + 1] = {
    let mut groups = [0; N_GROUPS + 1];
    let (mut n, mut i) = (0, 1);
    while i <= N_WINDOWS {
        if i == N_WINDOWS || WINDOWS[i].turn != WINDOWS[i - 1].turn {
            n += 1;
            groups[n] = i;
        }
        i += 1;
    }
    assert!(n == N_GROUPS);
    groups
};

/// Which lanes of a vector change their signs if the pattern in each window is mirrored.
pub(super) static MIRRORED: [[bool; 4]; N_WINDOWS] = {
    let mut mirrored = [[false; 4]; N_WINDOWS];
    let mut i = 0;
    while i < N_WINDOWS {
        mirrored[i] = turn::mirrored(MIRROR[WINDOWS[i].shape]);
        i += 1;
    }
    mirrored
};

/// The pattern whose number is zero, the empty one, of each window's shape.
pub(super) static ORIGIN: [u32; N_LANES] = {
    let mut origin = [0; N_LANES];
    let mut i = 0;
    while i < N_WINDOWS {
        let shape = WINDOWS[i].shape;
        origin[i] = (START[shape] + START[shape + 1]) as u32 / 2;
        i += 1;
    }
    origin
};

/// The patterns of each shape.
pub(super) fn patterns_by_shape() -> impl Iterator<Item = std::ops::Range<u32>> {
    START.windows(2).map(|pair| pair[0] as u32..pair[1] as u32)
}

/// Which lanes of a vector change their signs if a pattern of each shape is mirrored.
pub(super) fn mirrored_by_shape() -> impl Iterator<Item = [bool; 4]> {
    MIRROR.iter().map(|mirror| turn::mirrored(*mirror))
}

/// What a disc of the player on each square adds to the numbers of the windows.
pub(super) static DIGITS: [[i16; N_LANES]; 64] = {
    let mut digits = [[0; N_LANES]; 64];
    let mut window = 0;
    while window < N_WINDOWS {
        let squares = WINDOWS[window].squares;
        let (mut i, mut digit) = (0, 1_i32);
        while i < squares.len {
            digits[squares.items[i] as usize][window] = digit as i16;
            digit *= 3;
            i += 1;
        }
        window += 1;
    }
    digits
};

/// Which patterns are mirror images of each other.
pub(super) struct Ties {
    /// For every pattern, the number of the weight that it shares with its mirror image; weights are numbered in
    /// the order of the first pattern of each pair.
    pub(super) weights: Vec<u32>,
    /// Whether a pattern is the second of its pair.
    pub(super) is_second: Vec<bool>,
    /// For every weight the lanes in which its vector must be zero, because a symmetry that changes their signs
    /// leaves the pattern as it is.
    pub(super) silent: Vec<[bool; 4]>,
}

/// Finds out which patterns are mirror images of each other.
pub(super) fn ties() -> Ties {
    let mut ties = Ties {
        weights: Vec::with_capacity(N_PATTERNS),
        is_second: Vec::with_capacity(N_PATTERNS),
        silent: Vec::with_capacity(N_TIED),
    };
    for (shape, squares) in SHAPES.iter().enumerate() {
        let places = mirror(*squares, MIRROR[shape]);
        let mirrored = turn::mirrored(MIRROR[shape]);
        // A shape that lies on a diagonal is also left as it is by a mirror along that one.
        let along = squares.turned(TRANSPOSED).items == squares.items;
        let always = if along { turn::mirrored(TRANSPOSED) } else { [false; 4] };
        let n_patterns = START[shape + 1] - START[shape];
        for pattern in 0..n_patterns {
            let (mut rest, mut image) = (pattern, 0);
            for place in &places[..squares.len] {
                image += rest % 3 * place;
                rest /= 3;
            }
            ties.is_second.push(image < pattern);
            if image < pattern {
                ties.weights.push(ties.weights[START[shape] + image]);
                continue;
            }
            ties.weights.push(ties.silent.len() as u32);
            let is_own_image = image == pattern;
            ties.silent
                .push(std::array::from_fn(|lane| always[lane] || is_own_image && mirrored[lane]));
        }
    }
    debug_assert_eq!(ties.silent.len(), N_TIED);
    ties
}

/// The turn that exchanges rows and columns.
const TRANSPOSED: u8 = 4;

/// For each digit of a shape the value of the digit's place in the mirror image.
fn mirror(squares: Squares, turn: u8) -> [usize; SQUARES_MAX] {
    let image = squares.turned(turn);
    let mut places = [0; SQUARES_MAX];
    for (place, square) in places.iter_mut().zip(&image.items[..squares.len]) {
        let to = squares.items[..squares.len].iter().position(|s| s == square);
        *place = 3_usize.pow(to.expect("the sets are the same") as u32);
    }
    places
}
