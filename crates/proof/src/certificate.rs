//! Certificates as text: a head that says what is claimed, and a line for each position.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, Write};

use crate::rules::{Board, Counting, Field};

/// Why a certificate is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// Which way a bound goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sense {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
}

/// A bound on the score of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// Which way it goes.
    pub sense: Sense,
    /// The bound.
    pub bound: i32,
}

impl Claim {
    /// The score is at least this.
    pub fn at_least(bound: i32) -> Claim {
        Claim { sense: Sense::AtLeast, bound }
    }

    /// The score is at most this.
    pub fn at_most(bound: i32) -> Claim {
        Claim { sense: Sense::AtMost, bound }
    }

    /// The same, said of the other side's score.
    #[must_use = "this returns the other claim"]
    pub fn turned(self) -> Claim {
        match self.sense {
            Sense::AtLeast => Claim::at_most(-self.bound),
            Sense::AtMost => Claim::at_least(-self.bound),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.sense {
            Sense::AtLeast => ">=",
            Sense::AtMost => "<=",
        };
        write!(f, "{sign} {}", self.bound)
    }
}

/// How a position's claim is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By this move alone: the one square of the set.
    Move(u64),
    /// By looking at all moves.
    All,
    /// By solving it.
    Leaf,
}

/// A line of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number in the file, from 1.
    pub line: u64,
    /// The board as it is written there; the side to move has the X.
    pub board: Board,
    /// How the claim is proven.
    pub how: How,
}

/// What is claimed, and the lines that prove it.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The size of the board.
    pub field: Field,
    /// How a finished game is counted.
    pub counting: Counting,
    /// The position of which something is claimed, as the side to move sees it.
    pub root: Board,
    /// What is claimed: one bound or, for an exact score, two.
    pub claims: Vec<Claim>,
    /// The lines, by the least of the symmetric boards and what is claimed of it.
    pub entries: HashMap<(Board, Claim), Entry>,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// If it cannot be read, or is not whole: where, what was found and what was expected.
    pub fn read(input: impl BufRead) -> Result<Certificate, Refusal> {
        let mut lines = Lines { lines: input.lines(), number: 0 };
        lines.expect("obverse certificate 1")?;
        let counting = match lines.after("counting ")?.as_str() {
            "discs" => Counting::Discs,
            "winner-takes-empties" => Counting::WinnerTakesEmpties,
            other => return Err(lines.found(other, "discs or winner-takes-empties")),
        };
        let position = lines.after("position ")?;
        let Some((cells, side)) = position.split_once(' ') else {
            return Err(lines.found(&position, "the squares and the side to move"));
        };
        let (field, board) = board(cells).map_err(|why| lines.wrong(&why))?;
        let root = match side {
            "X" => board,
            "O" => board.pass(),
            other => return Err(lines.found(other, "X or O to move")),
        };
        let claim = lines.after("claim ")?;
        let claims = match claim.split_once(' ') {
            Some(("=", bound)) => {
                let bound = number(bound).ok_or_else(|| lines.found(bound, "a score"))?;
                vec![Claim::at_least(bound), Claim::at_most(bound)]
            }
            _ => vec![read_claim(&claim).ok_or_else(|| lines.found(&claim, "= N, >= N or <= N"))?],
        };
        let mut certificate =
            Certificate { field, counting, root, claims, entries: HashMap::new() };
        loop {
            let line = lines.next()?;
            if let Some(n) = line.strip_prefix("end ") {
                if n.parse() != Ok(certificate.entries.len()) {
                    return Err(lines.found(n, &format!("{} lines", certificate.entries.len())));
                }
                return match lines.lines.next() {
                    None => Ok(certificate),
                    Some(_) => Err(lines.wrong("found more after the end")),
                };
            }
            certificate.add(&lines, &line)?;
        }
    }

    fn add<I: BufRead>(&mut self, lines: &Lines<I>, line: &str) -> Result<(), Refusal> {
        let words: Vec<&str> = line.split(' ').collect();
        let [cells, sense, bound, how @ ..] = &words[..] else {
            return Err(lines.found(line, "squares, a bound, and how it is proven"));
        };
        let (field, board) = board(cells).map_err(|why| lines.wrong(&why))?;
        if field != self.field {
            return Err(lines.wrong("found a board of another size"));
        }
        let claim = read_claim(&format!("{sense} {bound}"))
            .ok_or_else(|| lines.found(&format!("{sense} {bound}"), ">= N or <= N"))?;
        let how = match how {
            ["leaf"] => How::Leaf,
            ["all"] => How::All,
            ["move", name] => {
                let square = square(name, field);
                How::Move(square.ok_or_else(|| lines.found(name, "a square such as d3"))?)
            }
            _ => return Err(lines.found(&how.join(" "), "leaf, all or move SQUARE")),
        };
        let key = (board.least(field), claim);
        let entry = Entry { line: lines.number, board, how };
        match self.entries.insert(key, entry) {
            None => Ok(()),
            Some(before) => Err(lines.wrong(&format!("says again what line {} said", before.line))),
        }
    }
}

/// Lines with their numbers.
struct Lines<I> {
    lines: std::io::Lines<I>,
    number: u64,
}

impl<I: BufRead> Lines<I> {
    fn next(&mut self) -> Result<String, Refusal> {
        self.number += 1;
        match self.lines.next() {
            Some(Ok(line)) => Ok(line),
            Some(Err(error)) => Err(self.wrong(&error.to_string())),
            None => Err(self.wrong("found the end, expected more")),
        }
    }

    fn expect(&mut self, expected: &str) -> Result<(), Refusal> {
        let line = self.next()?;
        if line == expected { Ok(()) } else { Err(self.found(&line, expected)) }
    }

    fn after(&mut self, prefix: &str) -> Result<String, Refusal> {
        let line = self.next()?;
        let rest = line.strip_prefix(prefix).map(str::to_owned);
        rest.ok_or_else(|| self.found(&line, &format!("{prefix}…")))
    }

    fn found(&self, found: &str, expected: &str) -> Refusal {
        let found: String = found.chars().take(80).collect();
        self.wrong(&format!("found {found:?}, expected {expected}"))
    }

    fn wrong(&self, why: &str) -> Refusal {
        Refusal(format!("line {}: {why}", self.number))
    }
}

/// Reads the squares of a board in reading order: X the side that is meant, O the other, - empty.
fn board(cells: &str) -> Result<(Field, Board), String> {
    let side = match cells.len() {
        16 => 4,
        36 => 6,
        64 => 8,
        n => return Err(format!("found {n} squares, expected 16, 36 or 64")),
    };
    let mut board = Board { mover: 0, other: 0 };
    for (i, cell) in (0..).zip(cells.chars()) {
        let square = 1_u64 << (i / side * 8 + i % side);
        match cell {
            'X' => board.mover |= square,
            'O' => board.other |= square,
            '-' => {}
            other => return Err(format!("found {other:?}, expected X, O or -")),
        }
    }
    Ok((Field { side }, board))
}

fn read_claim(text: &str) -> Option<Claim> {
    let (sign, bound) = text.split_once(' ')?;
    match sign {
        ">=" => Some(Claim::at_least(number(bound)?)),
        "<=" => Some(Claim::at_most(number(bound)?)),
        _ => None,
    }
}

fn number(text: &str) -> Option<i32> {
    text.parse().ok().filter(|n| (-64..=64).contains(n))
}

/// `d3`: the column, then the row from the top.
fn square(name: &str, field: Field) -> Option<u64> {
    let &[column, row] = name.as_bytes() else { return None };
    let (column, row) = (u32::from(column.checked_sub(b'a')?), u32::from(row.checked_sub(b'1')?));
    (column < field.side && row < field.side).then(|| 1 << (row * 8 + column))
}

/// Writes a certificate.
pub struct Writer<W: Write> {
    out: W,
    field: Field,
    n_lines: u64,
}

impl<W: Write> Writer<W> {
    /// Begins with the head; `claim` is `= N`, `>= N` or `<= N`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(
        mut out: W,
        field: Field,
        counting: Counting,
        root: Board,
        claim: &str,
    ) -> std::io::Result<Writer<W>> {
        let counting = match counting {
            Counting::Discs => "discs",
            Counting::WinnerTakesEmpties => "winner-takes-empties",
        };
        writeln!(out, "obverse certificate 1\ncounting {counting}")?;
        writeln!(out, "position {} X\nclaim {claim}", cells(root, field))?;
        Ok(Writer { out, field, n_lines: 0 })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, board: Board, claim: Claim, how: How) -> std::io::Result<()> {
        let how = match how {
            How::Leaf => "leaf".to_owned(),
            How::All => "all".to_owned(),
            How::Move(square) => {
                let index = square.trailing_zeros();
                let column = char::from(b'a' + (index % 8) as u8);
                format!("move {column}{}", index / 8 + 1)
            }
        };
        self.n_lines += 1;
        writeln!(self.out, "{} {claim} {how}", cells(board, self.field))
    }

    /// Ends it; returns how many lines there are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> std::io::Result<u64> {
        writeln!(self.out, "end {}", self.n_lines)?;
        self.out.flush()?;
        Ok(self.n_lines)
    }
}

fn cells(board: Board, field: Field) -> String {
    let squares =
        (0..field.side * field.side).map(|i| 1_u64 << (i / field.side * 8 + i % field.side));
    squares
        .map(|square| match (board.mover & square != 0, board.other & square != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '-',
        })
        .collect()
}
