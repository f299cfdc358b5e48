//! GGF, the generic game format of the field: `(;GM[Othello]…BO[8 … *]B[F5]W[D6];)`.
//!
//! The start position and the moves are read; the other tags are passed over.

use super::scan::{Cells, Scanner, cell, rows};
use super::{Form, ParseError};
use crate::{Color, Counting, Game, Move, Position, Size};

pub(super) fn parse(text: &str) -> Result<Game, ParseError> {
    let mut scanner = Scanner::new(Form::Ggf, text);
    // The number of games may stand before the first.
    scanner.take_while(|c| c.is_whitespace() || c.is_ascii_digit());
    if !(scanner.eat('(') && scanner.eat(';')) {
        return Err(scanner.expected("(;GM[Othello]"));
    }
    let mut game: Option<Game> = None;
    loop {
        scanner.skip_blanks();
        if scanner.eat(';') {
            scanner.skip_blanks();
            if !scanner.eat(')') {
                return Err(scanner.expected(";) at the end of the game"));
            }
            scanner.end()?;
            return game.ok_or_else(|| scanner.error("found no BO tag, expected a start board"));
        }
        let place = scanner.clone();
        let tag = scanner.take_while(|c| c.is_ascii_alphabetic()).to_ascii_uppercase();
        if tag.is_empty() || !scanner.eat('[') {
            return Err(place.expected("a tag such as B[F5], or ;) at the end of the game"));
        }
        let mut body = scanner.clone();
        let value = scanner.take_while(|c| c != ']');
        if !scanner.eat(']') {
            return Err(scanner.expected("] at the end of the tag"));
        }
        match tag.as_str() {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(body.expected("the game Othello"));
            }
            "BO" => game = Some(Game::new(board(&mut body)?)),
            "B" | "W" => {
                let color = if tag == "B" { Color::Black } else { Color::White };
                let game = game.as_mut().ok_or_else(|| place.expected("BO before the moves"))?;
                play(game, color, &body, value)?;
            }
            _ => {}
        }
    }
}

/// The value of the BO tag: the side length, the cells, the side to move.
fn board(body: &mut Scanner<'_>) -> Result<Position, ParseError> {
    body.skip_blanks();
    let place = body.clone();
    let side = body.take_while(|c| c.is_ascii_digit());
    let Some(size) = side.parse().ok().and_then(Size::from_side) else {
        return Err(place.expected("a board of 4, 6 or 8 rows"));
    };
    let mut cells = Cells::default();
    while cells.len() < usize::from(size.area()) {
        body.skip_blanks();
        let Some(cell) = body.peek().and_then(cell) else {
            let n = cells.len() + 1;
            return Err(body.expected(format_args!("*, O or - for square {n} of {}", size.area())));
        };
        cells.push(cell);
        body.next();
    }
    let turn = body.side('*', 'O')?;
    Ok(cells.position(turn).expect("the cells were counted"))
}

/// The value of a move tag: the move, perhaps followed by its evaluation and time.
fn play(game: &mut Game, color: Color, body: &Scanner<'_>, value: &str) -> Result<(), ParseError> {
    let word = value.split(['/', ' ']).next().unwrap_or_default();
    let error = |message: String| body.error(message);
    if word.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("pa")) {
        // A pass that was already implied is not made again.
        if game.position().turn() == color {
            return game.apply(Move::Pass).map_err(|e| error(e.to_string()));
        }
        return Ok(());
    }
    let square = word
        .get(..2)
        .unwrap_or(word)
        .parse()
        .map_err(|_| body.expected("a move such as F5, or PA"))?;
    if game.position().turn() != color {
        game.settle();
    }
    if game.position().turn() != color {
        return Err(error(format!("found a move of {color}, but it is the turn of {}", !color)));
    }
    game.apply(Move::Place(square)).map_err(|e| error(e.to_string()))
}

pub(super) fn print(game: &Game) -> String {
    let start = game.start();
    let result =
        game.result(Counting::WinnerTakesEmpties).map_or("?".to_owned(), |s| s.to_string());
    let star = |color: Color| if color == Color::Black { '*' } else { 'O' };
    let cells: String = rows(start).flatten().map(|cell| cell.map_or('-', star)).collect();
    let side = start.size().side();
    let mut text = format!(
        "(;GM[Othello]PC[Obverse]TY[{side}]RE[{result}]BO[{side} {cells} {}]",
        star(start.turn())
    );
    for (before, mv) in game.steps() {
        let color = if before.turn() == Color::Black { 'B' } else { 'W' };
        let word = mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
        text.push_str(&format!("{color}[{word}]"));
    }
    text.push_str(";)");
    text
}
