//! The moves since the start: `f5d6c3`, in any case, with or without blanks, numbers and passes.
//!
//! Moves from another start follow its name: `start:6x6 d2c2`. A pass may be written `PA`, `--` or
//! `pass` and may be left out where the next move implies it.

use super::scan::Scanner;
use super::{Form, Inexpressible, ParseError, name};
use crate::{Game, Move, Position, Size, Square};

pub(super) fn parse(text: &str) -> Result<Game, ParseError> {
    let mut scanner = Scanner::new(Form::Transcript, text);
    scanner.skip_blanks();
    if scanner.rest().is_empty() {
        return Err(scanner.expected("moves such as f5d6c3"));
    }
    let named = name::starts(scanner.rest());
    let start = if named { name::prefix(&mut scanner)? } else { Position::start(Size::Eight) };
    let mut game = Game::new(start);
    loop {
        scanner.take_while(|c| c.is_whitespace() || c == ',' || c == ';');
        let place = scanner.clone();
        let Some(c) = scanner.peek() else { return Ok(game) };
        if c.is_ascii_digit() {
            // The number of a move, as in `1. f5`.
            scanner.take_while(|c| c.is_ascii_digit());
            scanner.take_while(|c| c == '.' || c == ')');
            if scanner.rest().is_empty() {
                return Err(place.expected("a move such as f5"));
            }
        } else if eat_pass(&mut scanner) {
            game.apply(Move::Pass).map_err(|error| place.error(numbered(&game, error)))?;
        } else if !scanner.eat('-') {
            let square = square(&mut scanner)?;
            game.play(square).map_err(|error| place.error(numbered(&game, error)))?;
        }
    }
}

/// Whether a word is several squares strung together.
pub(super) fn looks_like(word: &str) -> bool {
    word.len() > 2
        && word.as_bytes().chunks(2).all(|pair| match pair {
            [letter, digit] => letter.is_ascii_alphabetic() && digit.is_ascii_digit(),
            _ => false,
        })
}

/// Says which move of the game an error is about.
fn numbered(game: &Game, error: impl std::fmt::Display) -> String {
    let n_discs = game.moves().iter().filter(|mv| mv.square().is_some()).count();
    format!("move {}: {error}", n_discs + 1)
}

fn eat_pass(scanner: &mut Scanner<'_>) -> bool {
    let rest = scanner.rest().as_bytes();
    for word in ["pass", "pa", "ps", "--"] {
        if rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes()) {
            for _ in 0..word.len() {
                scanner.next();
            }
            return true;
        }
    }
    false
}

fn square(scanner: &mut Scanner<'_>) -> Result<Square, ParseError> {
    let text = scanner.rest().get(..2).unwrap_or_default();
    let Ok(square) = text.parse() else {
        return Err(scanner.expected("a move such as f5, or PA for a pass"));
    };
    scanner.next();
    scanner.next();
    Ok(square)
}

pub(super) fn print(game: &Game) -> Result<String, Inexpressible> {
    let start = game.start();
    let Ok(name) = name::print(start) else {
        return Err(Inexpressible(
            "the moves that led to this position are not known; `obverse check` looks for some",
        ));
    };
    let moves = moves(game);
    Ok(match (start == Position::start(Size::Eight), moves.is_empty()) {
        (_, true) => name,
        (true, false) => moves,
        (false, false) => format!("{name} {moves}"),
    })
}

/// The squares in order; of the passes only those at the end, which no later move implies.
fn moves(game: &Game) -> String {
    let last_disc = game.moves().iter().rposition(|mv| mv.square().is_some());
    let n_implied = last_disc.map_or(0, |i| i + 1);
    let steps = game.moves().iter().enumerate();
    steps
        .filter_map(|(i, mv)| match mv {
            Move::Place(square) => Some(square.to_string()),
            Move::Pass => (i >= n_implied).then(|| "PA".to_owned()),
        })
        .collect()
}
