//! GGF, the generic game format of the field: `(;GM[Othello]…BO[8 … *]B[F5/1.25/0.3]W[D6];)`.
//!
//! A value runs to the next `]` and knows no escapes, so brackets in it become parentheses. There is
//! no tag for a tournament, and a strict reader refuses a tag it does not know; what GGF has no tag for
//! stands in comments of the form `CO[Event: World Championship]`. A comment of several lines is several
//! tags; one after a move is about that move.

use super::record::comment::{add_line, fact, guarded};
use super::record::{Clock, Date, Ending, Komi, Note, Outcome, Record, Tree, Variant};
use super::scan::{Cells, Scanner, cell, number, rows};
use super::{Form, ParseError};
use crate::{Color, Game, Move, Position, Size};

/// How a game begins.
const BEGIN: &str = "(;GM[";

/// Where the next game of a text begins.
pub(super) fn next(text: &str) -> Option<usize> {
    text.match_indices(BEGIN).map(|found| found.0).find(|at| *at > 0)
}

/// Reads a text that is one game.
pub(super) fn parse(text: &str) -> Result<Record, ParseError> {
    let mut scanner = Scanner::new(Form::Ggf, text);
    // The number of games may stand before the first.
    scanner.take_while(|c| c.is_whitespace() || c.is_ascii_digit());
    let record = record(&mut scanner)?;
    scanner.end()?;
    Ok(record)
}

/// Reads a game and stops behind it.
pub(super) fn record(scanner: &mut Scanner<'_>) -> Result<Record, ParseError> {
    if !(scanner.eat('(') && scanner.eat(';')) {
        return Err(scanner.expected("(;GM[Othello]"));
    }
    let mut head = Record::new(Game::new(Position::start(Size::Eight)));
    let mut moves: Option<(Tree, usize)> = None;
    loop {
        scanner.skip_blanks();
        if scanner.eat(';') {
            scanner.skip_blanks();
            if !scanner.eat(')') {
                return Err(scanner.expected(";) at the end of the game"));
            }
            let Some((tree, _)) = moves else {
                return Err(scanner.error("found no BO tag, expected a start board"));
            };
            tree.finish(&mut head);
            let side = head.game().start().size().side();
            head.variant = head.variant.filter(|variant| *variant != Variant::plain(side));
            return Ok(head);
        }
        let place = scanner.clone();
        let tag = scanner.take_while(|c| c.is_ascii_alphabetic());
        if tag.is_empty() || !scanner.eat('[') {
            return Err(place.expected("a tag such as B[F5], or ;) at the end of the game"));
        }
        let mut body = scanner.clone();
        let value = scanner.take_while(|c| c != ']');
        if !scanner.eat(']') {
            return Err(scanner.expected("] at the end of the tag"));
        }
        if value.contains(BEGIN) {
            return Err(body.expected("] before the next game"));
        }
        match tag {
            "B" | "W" | "b" | "w" => {
                let color = if tag.eq_ignore_ascii_case("b") { Color::Black } else { Color::White };
                let Some((tree, node)) = &mut moves else {
                    return Err(place.expected("BO before the moves"));
                };
                let (mv, note) = read_move(&body, value)?;
                let next = tree.play(*node, Some(color), mv).map_err(|e| body.error(e))?;
                if next != *node {
                    *tree.note(next) = note;
                    *node = next;
                }
            }
            "BO" | "bo" => moves = Some((Tree::new(board(&mut body)?), Tree::START)),
            "CO" | "co" => match &mut moves {
                Some((tree, node)) if *node != Tree::START => {
                    add_line(&mut tree.note(*node).comment, value);
                }
                _ => comment(&mut head, value),
            },
            _ => header(&mut head, &tag.to_ascii_uppercase(), value, &body)?,
        }
    }
}

/// Takes up a tag that is about the whole game.
fn header(
    record: &mut Record,
    tag: &str,
    value: &str,
    body: &Scanner<'_>,
) -> Result<(), ParseError> {
    let komi = || Komi::default();
    let finite = || number(value);
    match tag {
        "GM" => {
            if !value.eq_ignore_ascii_case("othello") {
                return Err(body.expected("the game Othello"));
            }
        }
        "PC" => value.clone_into(&mut record.site),
        "PB" => value.clone_into(&mut record.black.name),
        "PW" => value.clone_into(&mut record.white.name),
        "KB" => value.clone_into(&mut record.komi.get_or_insert_with(komi).black),
        "KW" => value.clone_into(&mut record.komi.get_or_insert_with(komi).white),
        "KM" if finite().is_some() => record.komi.get_or_insert_with(komi).value = finite(),
        "RB" if finite().is_some() => record.black.rating = finite(),
        "RW" if finite().is_some() => record.white.rating = finite(),
        "DT" if Date::parse(value).is_some() => record.date = Date::parse(value),
        "TY" if Variant::parse(value).is_some() => record.variant = Variant::parse(value),
        "RE" => result(record, value.trim()),
        "TI" | "TB" | "TW" if Clock::parse(value).is_some() => {
            let clock = Clock::parse(value);
            if tag != "TW" {
                record.clocks.black = clock;
            }
            if tag != "TB" {
                record.clocks.white = clock;
            }
        }
        _ if value.trim().is_empty() => {}
        // What cannot be understood is kept.
        _ => record.extras.push((tag.to_owned(), value.to_owned())),
    }
    Ok(())
}

/// Takes up the result, `?` if there is none.
fn result(record: &mut Record, value: &str) {
    let (number, flag) = value.split_once(':').unwrap_or((value, ""));
    let ending = match flag.trim() {
        "r" => Ending::Resigned,
        "t" => Ending::Timeout,
        "s" => Ending::Agreed,
        "l" => Ending::Left,
        _ => Ending::Played,
    };
    match number.trim().parse::<f64>() {
        // More discs than the board has squares stand for a game without a result.
        Ok(margin) if margin.abs() <= 64.0 => record.outcome = Some(Outcome::by(margin, ending)),
        Ok(_) => {}
        Err(_) if matches!(value, "?" | "") => {}
        Err(_) => record.extras.push(("Termination".to_owned(), value.to_owned())),
    }
}

/// Takes up a comment on the game, which may tell a fact.
fn comment(record: &mut Record, value: &str) {
    match fact(value) {
        Some((name, value)) => record.set_fact(name, value),
        None => add_line(&mut record.comment, value),
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
fn read_move(body: &Scanner<'_>, value: &str) -> Result<(Move, Note), ParseError> {
    let mut parts = value.trim_start().split(['/', ' ']);
    // Some programs add to the square.
    let word = parts.next().and_then(|word| word.get(..2)).unwrap_or_default();
    let mv = if word.eq_ignore_ascii_case("pa") {
        Move::Pass
    } else {
        let square = word.parse().map_err(|_| body.expected("a move such as F5, or PA"))?;
        Move::Place(square)
    };
    // A value may be two, with and without a liking for draws.
    let mut next = || number(parts.next()?.split(',').next()?);
    Ok((mv, Note { eval: next(), seconds: next(), ..Note::default() }))
}

/// Writes a game in one line, without its end.
pub(super) fn print(record: &Record) -> String {
    let game = record.game();
    let start = game.start();
    let side = start.size().side();
    let mut text = String::with_capacity(600);
    text.push_str("(;GM[Othello]");
    let mut add = |tag: &str, value: &str| {
        text.push_str(tag);
        text.push('[');
        text.push_str(&self::value(value));
        text.push(']');
    };
    let mut add_some = |tag: &str, value: &str| {
        if !value.is_empty() {
            add(tag, value);
        }
    };
    let number = |n: Option<f64>| n.map(|n| n.to_string()).unwrap_or_default();
    add_some("PC", &record.site);
    add_some("DT", &record.date.as_ref().map(Date::to_string).unwrap_or_default());
    add_some("PB", &record.black.name);
    add_some("PW", &record.white.name);
    add_some("RB", &number(record.black.rating));
    add_some("RW", &number(record.white.rating));
    let clock = |clock: Option<Clock>| clock.map(|clock| clock.to_string()).unwrap_or_default();
    if record.clocks.black == record.clocks.white {
        add_some("TI", &clock(record.clocks.black));
    } else {
        add_some("TB", &clock(record.clocks.black));
        add_some("TW", &clock(record.clocks.white));
    }
    for (name, value) in record.facts() {
        let has_ending = |outcome: Outcome| outcome.ending != Ending::Played;
        let is_told = name == "Termination" && record.outcome.is_some_and(has_ending);
        if !is_told && !HAS_TAG.contains(&name) {
            add("CO", &format!("{name}: {value}"));
        }
    }
    if !record.comment.is_empty() {
        for line in record.comment.split('\n') {
            add("CO", &guarded(&self::value(line)));
        }
    }
    add("TY", &record.variant.unwrap_or(Variant::plain(side)).to_string());
    add("RE", &result_text(record));
    let star = |color: Color| if color == Color::Black { '*' } else { 'O' };
    let cells: String = rows(start).flatten().map(|cell| cell.map_or('-', star)).collect();
    add("BO", &format!("{side} {cells} {}", star(start.turn())));
    if let Some(komi) = &record.komi {
        let mut add_some = |tag: &str, value: &str| {
            if !value.is_empty() {
                add(tag, value);
            }
        };
        add_some("KB", &komi.black);
        add_some("KW", &komi.white);
        add_some("KM", &number(komi.value));
    }
    for (before, mv, note) in record.line.steps() {
        push_move(&mut text, before.turn(), mv, note);
    }
    text.push_str(";)");
    text
}

/// The facts that have a tag of their own.
const HAS_TAG: [&str; 15] = [
    "Site",
    "Date",
    "Time",
    "Black",
    "White",
    "BlackElo",
    "WhiteElo",
    "TimeControl",
    "BlackClock",
    "WhiteClock",
    "Variant",
    "Result",
    "Komi",
    "KomiBlack",
    "KomiWhite",
];

fn push_move(text: &mut String, color: Color, mv: Move, note: Option<&Note>) {
    text.push_str(if color == Color::Black { "B[" } else { "W[" });
    match mv {
        Move::Place(square) => {
            text.push(char::from(b'A' + square.column()));
            text.push(char::from(b'1' + square.row()));
        }
        Move::Pass => text.push_str("PA"),
    }
    let Some(note) = note else {
        text.push(']');
        return;
    };
    if note.eval.is_some() || note.seconds.is_some() {
        text.push('/');
    }
    if let Some(eval) = note.eval {
        text.push_str(&eval.to_string());
    }
    if let Some(seconds) = note.seconds {
        text.push_str(&format!("/{seconds}"));
    }
    text.push(']');
    if !note.comment.is_empty() {
        for line in note.comment.split('\n') {
            text.push_str("CO[");
            text.push_str(&guarded(&value(line)));
            text.push(']');
        }
    }
}

/// A text as a value, which no bracket may end.
fn value(text: &str) -> String {
    let replace = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(replace).collect()
}

fn result_text(record: &Record) -> String {
    let Some(outcome) = record.result() else { return "?".to_owned() };
    // Who won without a word about the discs won all of them.
    let area = f64::from(record.game().start().size().area());
    let margin =
        outcome.margin().unwrap_or(if outcome.winner == Some(Color::Black) { area } else { -area });
    let flag = match outcome.ending {
        Ending::Played => "",
        Ending::Resigned => ":r",
        Ending::Timeout => ":t",
        Ending::Agreed => ":s",
        Ending::Left => ":l",
    };
    format!("{margin:+}{flag}")
}
