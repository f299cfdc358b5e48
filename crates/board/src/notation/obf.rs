//! Othello board files: one position a line, perhaps with the scores of its moves.
//!
//! `---------------------------OX------XO--------------------------- X; D3:+0; C4:+0;`
//!
//! Scores are final disc differences for the side to move with the empties to the winner. `%` starts
//! a comment. A line holds 64 cells, or 36 or 16 for the smaller boards.

use super::scan::{Cells, Scanner, cell, rows};
use super::{Form, ParseError, Record};
use crate::{Color, Game, Move, Position, Score, Size};

/// A position with what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// The known scores of moves, in the order given.
    pub moves: Vec<(Move, Score)>,
    /// The score of the position: the best of the moves', or one given without a move.
    pub score: Option<Score>,
}

/// Whether the text begins with a board in one run of characters or in blocks on one line.
pub(super) fn looks_like(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take_while(|&c| cell(c).is_some() || c == ' ').filter(|c| *c != ' ').count() >= 9
}

impl Problem {
    /// Reads one line.
    ///
    /// # Errors
    /// If it is not well formed: where, what was found and what was expected.
    pub fn parse(line: &str) -> Result<Problem, ParseError> {
        let line = line.split('%').next().unwrap_or_default().trim_end();
        let mut scanner = Scanner::new(Form::Obf, line);
        let position = board(&mut scanner)?;
        let mut problem = Problem { position, moves: Vec::new(), score: None };
        loop {
            scanner.take_while(|c| c.is_whitespace() || c == ';');
            if scanner.rest().is_empty() {
                return Ok(problem);
            }
            let mv = field_move(&mut scanner, position)?;
            let score = score(&mut scanner, position)?;
            problem.moves.extend(mv.map(|mv| (mv, score)));
            problem.score = problem.score.max(Some(score));
        }
    }

    /// Reads a whole file: every line that is neither blank nor a comment, with its number from 1.
    pub fn parse_lines(
        text: &str,
    ) -> impl Iterator<Item = (usize, Result<Problem, ParseError>)> + '_ {
        let lines = text.lines().enumerate();
        let full =
            lines.filter(|(_, line)| !line.split('%').next().unwrap_or_default().trim().is_empty());
        full.map(|(i, line)| (i + 1, Problem::parse(line)))
    }
}

/// The cells and the side.
///
/// Blanks may stand among the cells, and the side's letter looks like a cell: it is the last one.
fn board(scanner: &mut Scanner<'_>) -> Result<Position, ParseError> {
    scanner.skip_blanks();
    let start = scanner.clone();
    let mut all = Vec::new();
    while let Some(c) = scanner.peek() {
        match cell(c) {
            Some(cell) => all.push(cell),
            None if c == ' ' || c == '\t' => {}
            None if c == ';' || c == '\n' => break,
            None => return Err(scanner.expected("X, O, - or the end of the board")),
        }
        scanner.next();
    }
    let expected = "16, 36 or 64 squares and the side to move, X or O";
    let Some(turn) = all.pop() else { return Err(start.expected(expected)) };
    let n = all.len();
    if Size::from_area(n + 1).is_some() {
        return Err(scanner.expected("the side to move, X or O"));
    }
    if Size::from_area(n).is_none() {
        return Err(start.error(format_args!(
            "found {n} squares before the side to move, expected {expected}"
        )));
    }
    let Some(turn) = turn else { return Err(scanner.expected("the side to move, X or O")) };
    let mut cells = Cells::default();
    for cell in all {
        cells.push(cell);
    }
    Ok(cells.position(turn).expect("the cells were counted"))
}

/// The move before a colon, if the field has one.
fn field_move(scanner: &mut Scanner<'_>, position: Position) -> Result<Option<Move>, ParseError> {
    let place = scanner.clone();
    let word = scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '-' || c == '+');
    if !scanner.eat(':') {
        *scanner = place;
        return Ok(None);
    }
    let mv = match word.to_ascii_lowercase().as_str() {
        "pa" | "ps" | "pass" | "--" => Move::Pass,
        word => Move::Place(word.parse().map_err(|error| place.error(error))?),
    };
    // Files also write a pass where the game is over.
    if !(mv == Move::Pass && position.is_over()) {
        position.apply(mv).map_err(|error| place.error(error))?;
    }
    Ok(Some(mv))
}

fn score(scanner: &mut Scanner<'_>, position: Position) -> Result<Score, ParseError> {
    scanner.take_while(|c| c == ' ');
    let place = scanner.clone();
    let word = scanner.take_while(|c| c.is_ascii_digit() || c == '-' || c == '+');
    let area = position.size().area() as i8;
    match word.parse::<i8>() {
        Ok(score) if (-area..=area).contains(&score) => Ok(Score(score)),
        _ => Err(place.expected(format_args!("a score from -{area} to +{area}"))),
    }
}

/// Reads a line as a record, whose comment is what follows the board.
pub(super) fn record(line: &str) -> Result<Record, ParseError> {
    let problem = Problem::parse(line)?;
    let mut record = Record::new(Game::new(problem.position));
    let rest = line.find([';', '%']).map_or("", |at| &line[at..]);
    rest.strip_prefix(';').unwrap_or(rest).trim().clone_into(&mut record.comment);
    Ok(record)
}

/// Writes the position a record has reached. The record's comment follows if it is of a position: as
/// scores of moves if it tells them, otherwise after a `%`.
pub(super) fn print_record(record: &Record) -> String {
    let board = print(record.game().position());
    let comment = record.comment.replace('\n', " ");
    if comment.is_empty() || !record.game().moves().is_empty() {
        return board;
    }
    let line = format!("{board} {comment}");
    if Problem::parse(&line).is_ok() { line } else { format!("{board} % {comment}") }
}

pub(super) fn print(position: Position) -> String {
    format!("{} {};", cells(position), position.turn().letter())
}

/// The cells of a position in reading order.
pub(super) fn cells(position: Position) -> String {
    rows(position).flatten().map(|cell| cell.map_or('-', Color::letter)).collect()
}
