//! PGN as Othello sites write it: tags, then `1. f5 d6 2. c3 --`, then the result `37-27`.
//!
//! Black moves first and its discs stand first in the result. A pass is `--`. Comments in braces,
//! variations in parentheses and marks such as `?!` or `$6` are kept; `[%eval]`, `[%emt]` and `[%clk]` in
//! a comment are what the player thought, how long, and what was left, all for the side that moved.
//! A game that does not begin at the usual start has its FEN in a tag.

use super::record::comment::add_text;
use super::record::{Branch, Line, Mark, Note, Record, Tree, parse_result, result_text};
use super::scan::{Scanner, number};
use super::{Form, ParseError, fen};
use crate::{Game, Move, Position, Size};

/// The longest line, by which other programs cut theirs.
const COLUMNS_MAX: usize = 79;

/// Whether a text begins with a tag, a comment in braces or the number of the first move.
pub(super) fn looks_like(text: &str) -> bool {
    let is_tag = |rest: &str| {
        let name = rest.trim_start().split(char::is_whitespace).next().unwrap_or_default();
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"')
    };
    if let Some(rest) = text.strip_prefix('[') {
        return is_tag(rest.lines().next().unwrap_or_default());
    }
    if text.starts_with('{') {
        return true;
    }
    text.strip_prefix("1.").is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Where the next game of a text begins: with a tag after something that is none, or with the first move
/// after a blank line.
pub(super) fn next(text: &str) -> Option<usize> {
    // Whether the last line that was not blank was a tag.
    let mut was_tag = true;
    let (mut at, mut was_blank) = (0, false);
    for line in text.split_inclusive('\n') {
        let is_tag = line.trim_start().starts_with('[');
        let is_first = line.trim_start().starts_with("1.") && was_blank;
        if at > 0 && !was_tag && (is_tag || is_first) {
            return Some(at);
        }
        was_blank = line.trim().is_empty();
        was_tag = is_tag || (was_tag && was_blank);
        at += line.len();
    }
    None
}

/// Reads a text that is one game.
pub(super) fn parse(text: &str) -> Result<Record, ParseError> {
    let mut scanner = Scanner::new(Form::Pgn, text);
    let record = record(&mut scanner)?;
    skip_blanks(&mut scanner);
    scanner.end()?;
    Ok(record)
}

/// Goes on past blanks and what stands between games.
pub(super) fn skip_blanks(scanner: &mut Scanner<'_>) {
    scanner.skip_blanks();
    while scanner.rest().starts_with("---") || scanner.rest().starts_with('%') {
        scanner.take_while(|c| c != '\n');
        scanner.skip_blanks();
    }
}

/// Reads a game and stops behind it.
pub(super) fn record(scanner: &mut Scanner<'_>) -> Result<Record, ParseError> {
    skip_blanks(scanner);
    let mut record = Record::new(Game::new(Position::start(Size::Eight)));
    let start = tags(scanner, &mut record)?;
    let mut reader =
        Reader { tree: Tree::new(start), node: Tree::START, open: Vec::new(), n_moves: 0 };
    while let Some(token) = reader.token(scanner, &mut record)? {
        reader.take(token, &mut record)?;
    }
    reader.tree.finish(&mut record);
    Ok(record)
}

/// Reads the tags; returns where the game starts.
fn tags(scanner: &mut Scanner<'_>, record: &mut Record) -> Result<Position, ParseError> {
    let mut start = Position::start(Size::Eight);
    let mut has_event = false;
    while scanner.peek() == Some('[') {
        let place = scanner.clone();
        scanner.next();
        scanner.skip_blanks();
        let name = scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        scanner.skip_blanks();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name || scanner.peek() != Some('"') {
            return Err(place.expected("a tag such as [Event \"World Championship\"]"));
        }
        if has_event && name == "Event" {
            // The next game, after one without moves.
            *scanner = place;
            return Ok(start);
        }
        has_event |= name == "Event";
        scanner.next();
        let body = scanner.clone();
        let value = quoted(scanner)?;
        scanner.skip_blanks();
        if !scanner.eat(']') {
            return Err(scanner.expected("] at the end of the tag"));
        }
        match name {
            "FEN" => start = fen::parse(&value).map_err(|error| body.error(error.message()))?,
            "SetUp" => {}
            name => record.set_fact(name, &value),
        }
        skip_blanks(scanner);
    }
    Ok(start)
}

/// The text up to the closing quotation mark.
fn quoted(scanner: &mut Scanner<'_>) -> Result<String, ParseError> {
    let mut value = String::new();
    loop {
        value.push_str(scanner.take_while(|c| !matches!(c, '"' | '\\' | '\n')));
        match scanner.next() {
            Some('"') => return Ok(value),
            Some('\\') => value.extend(scanner.next()),
            _ => return Err(scanner.expected("\" at the end of the value")),
        }
    }
}

struct Reader {
    tree: Tree,
    node: usize,
    /// The node to which each open parenthesis goes back.
    open: Vec<usize>,
    /// How many moves were read, those of variations included.
    n_moves: usize,
}

enum Token<'a> {
    Move(Move, Scanner<'a>),
    Comment(&'a str),
    Mark(Mark),
    Open(Scanner<'a>),
    Close(Scanner<'a>),
    /// Something that says nothing.
    Nothing,
}

impl Reader {
    /// The next token of the moves; `None` behind the last.
    fn token<'a>(
        &mut self,
        scanner: &mut Scanner<'a>,
        record: &mut Record,
    ) -> Result<Option<Token<'a>>, ParseError> {
        scanner.skip_blanks();
        let place = scanner.clone();
        let Some(c) = scanner.peek() else {
            return if self.open.is_empty() { Ok(None) } else { Err(place.expected(")")) };
        };
        let token = match c {
            '[' if self.open.is_empty() => return Ok(None),
            '{' => {
                scanner.next();
                let body = scanner.clone();
                let text = scanner.take_while(|c| c != '}');
                if text.contains("\n[Event \"") {
                    return Err(body.expected("} before the next game"));
                }
                if !scanner.eat('}') {
                    return Err(scanner.expected("} at the end of the comment"));
                }
                Token::Comment(text)
            }
            ';' => {
                scanner.next();
                Token::Comment(scanner.take_while(|c| c != '\n'))
            }
            '(' | ')' => {
                scanner.next();
                if c == '(' { Token::Open(place) } else { Token::Close(place) }
            }
            '$' => {
                scanner.next();
                let number = scanner.take_while(|c| c.is_ascii_digit());
                number.parse().ok().and_then(Mark::from_number).map_or(Token::Nothing, Token::Mark)
            }
            '!' | '?' => mark(scanner.take_while(|c| matches!(c, '!' | '?'))),
            '*' => {
                scanner.next();
                return if self.open.is_empty() { Ok(None) } else { Ok(Some(Token::Nothing)) };
            }
            '0'..='9' => {
                let word =
                    scanner.clone().take_while(|c| !c.is_whitespace() && !"{(;)".contains(c));
                if let Some(outcome) = parse_result(word) {
                    scanner.skip(word.len());
                    if self.open.is_empty() {
                        record.outcome = record.outcome.or(Some(outcome));
                        return Ok(None);
                    }
                    return Ok(Some(Token::Nothing));
                }
                let number = scanner.take_while(|c| c.is_ascii_digit());
                let dots = scanner.take_while(|c| c == '.' || c == ')' || c == '…');
                if number == "1" && dots == "." && self.n_moves > 0 && self.open.is_empty() {
                    // The next game, after one without a result.
                    *scanner = place;
                    return Ok(None);
                }
                Token::Nothing
            }
            _ => Token::Move(read_move(scanner)?, place),
        };
        Ok(Some(token))
    }

    fn take(&mut self, token: Token<'_>, record: &mut Record) -> Result<(), ParseError> {
        match token {
            Token::Move(mv, place) => {
                let next = self.tree.play(self.node, None, mv);
                self.n_moves += 1;
                self.node = next
                    .map_err(|error| place.error(format_args!("move {}: {error}", self.n_moves)))?;
            }
            Token::Comment(text) if self.node == Tree::START => {
                let mut note = Note::default();
                annotate(&mut note, text);
                add_text(&mut record.comment, &note.comment);
            }
            Token::Comment(text) => annotate(self.tree.note(self.node), text),
            Token::Mark(mark) => self.tree.note(self.node).mark = Some(mark),
            Token::Open(place) => {
                // A variation takes the place of the last move.
                let before = self.tree.before(self.node);
                let before =
                    before.ok_or_else(|| place.expected("a move before its variations"))?;
                self.open.push(self.node);
                self.node = before;
            }
            Token::Close(place) => {
                self.node = self.open.pop().ok_or_else(|| place.expected("( before )"))?;
            }
            Token::Nothing => {}
        }
        Ok(())
    }
}

fn mark(text: &str) -> Token<'static> {
    let mark = Mark::ALL.into_iter().find(|mark| mark.symbol() == text);
    mark.map_or(Token::Nothing, Token::Mark)
}

fn read_move(scanner: &mut Scanner<'_>) -> Result<Move, ParseError> {
    let place = scanner.clone();
    let rest = scanner.rest().as_bytes();
    let pass = ["pass", "pa", "ps", "--", "@@@@"].into_iter().find(|pass| {
        rest.get(..pass.len()).is_some_and(|word| word.eq_ignore_ascii_case(pass.as_bytes()))
    });
    if let Some(pass) = pass {
        scanner.skip(pass.len());
        return Ok(Move::Pass);
    }
    // XBoard drops a pawn.
    if rest.get(..2).is_some_and(|word| word.eq_ignore_ascii_case(b"p@")) {
        scanner.skip(2);
    }
    let square = scanner.rest().get(..2).and_then(|word| word.parse().ok());
    let square = square.ok_or_else(|| place.expected("a move such as f5, -- or a result"))?;
    scanner.skip(2);
    Ok(Move::Place(square))
}

/// Takes up a comment and the commands in it.
fn annotate(note: &mut Note, text: &str) {
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[%") {
        words.push_str(before);
        let Some((command, after)) = after.split_once(']') else {
            words.push_str("[%");
            rest = after;
            continue;
        };
        rest = after;
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match name {
            "eval" => note.eval = number(value),
            "emt" => note.seconds = seconds(value.trim()),
            "clk" => note.clock = seconds(value.trim()),
            _ => words.push_str(&format!("[%{command}]")),
        }
    }
    words.push_str(rest);
    add_text(&mut note.comment, words.replace('\r', "").trim());
}

/// The seconds of `h:mm:ss` with or without a fraction.
fn seconds(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut total: u64 = 0;
    for part in whole.split(':') {
        total = total.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    number(&format!("{total}.{fraction}"))
}

fn seconds_text(seconds: f64) -> String {
    let text = seconds.max(0.0).to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let Ok(whole) = whole.parse::<u64>() else { return text };
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{hours}:{minutes:02}:{seconds:02}{point}{fraction}")
}

/// Writes a game, without the end of its last line.
pub(super) fn print(record: &Record) -> String {
    let start = record.game().start();
    let result = record.result().map_or("*".to_owned(), |o| result_text(o, start.size().area()));
    let facts = record.facts();
    let mut text = String::with_capacity(800);
    for name in ROSTER {
        let value = facts.iter().find(|fact| fact.0 == name).map(|fact| fact.1.as_str());
        let value = match name {
            "Result" => &result,
            "Date" => value.unwrap_or("????.??.??"),
            _ => value.unwrap_or("?"),
        };
        push_tag(&mut text, name, value);
    }
    for (name, value) in &facts {
        // These two say how a game starts.
        if !ROSTER.contains(name) && !matches!(*name, "FEN" | "SetUp") {
            push_tag(&mut text, name, value);
        }
    }
    if start != Position::start(Size::Eight) {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &fen::print(start));
    }
    text.push('\n');
    let mut out = Wrapped { text, column: 0 };
    if !record.comment.is_empty() {
        out.push(&braced(&record.comment));
    }
    push_line(&mut out, &record.line, 0, "");
    out.push(&result);
    out.text
}

/// The tags every game has, in this order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "Black", "White", "Result"];

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// Words in lines of some length.
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    /// Adds what stands close to the word before it.
    fn close(&mut self, end: &str) {
        self.text.push_str(end);
        self.column += end.len();
    }

    fn push(&mut self, word: &str) {
        if self.column > 0 && self.column + 1 + word.len() > COLUMNS_MAX {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += word.len();
    }
}

/// Writes moves of which `n_before` come before; `begin` stands close to the first.
fn push_line(out: &mut Wrapped, line: &Line, n_before: usize, mut begin: &str) {
    let mut is_interrupted = true;
    for (i, (_, mv, note)) in line.steps().enumerate() {
        let ply = n_before + i;
        match (ply % 2, is_interrupted) {
            (0, _) => out.push(&format!("{begin}{}.", ply / 2 + 1)),
            (_, true) => out.push(&format!("{begin}{}...", ply / 2 + 1)),
            (_, false) => {}
        }
        begin = "";
        let mut word = mv.square().map_or("--".to_owned(), |square| square.to_string());
        word.push_str(note.and_then(|note| note.mark).map_or("", Mark::symbol));
        out.push(&word);
        let comment = note.map(comment).unwrap_or_default();
        is_interrupted = !comment.is_empty();
        if is_interrupted {
            out.push(&braced(&comment));
        }
        let here = |branch: &&Branch| branch.ply == i && !branch.line.game.moves().is_empty();
        for Branch { line, .. } in line.branches.iter().filter(here) {
            push_line(out, line, ply, "(");
            out.close(")");
            is_interrupted = true;
        }
    }
}

/// What a comment in braces says of a move.
fn comment(note: &Note) -> String {
    let commands = [
        note.eval.map(|eval| format!("[%eval {eval}]")),
        note.seconds.map(|seconds| format!("[%emt {}]", seconds_text(seconds))),
        note.clock.map(|seconds| format!("[%clk {}]", seconds_text(seconds))),
    ];
    let mut words: Vec<String> = commands.into_iter().flatten().collect();
    if !note.comment.is_empty() {
        words.push(note.comment.clone());
    }
    words.join(" ")
}

fn braced(text: &str) -> String {
    format!("{{{}}}", text.replace('{', "(").replace('}', ")"))
}
