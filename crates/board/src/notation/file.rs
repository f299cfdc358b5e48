//! Whole files of games in any format, told apart by themselves.
//!
//! A damaged game does not keep the others from being read: it is reported with its number and the
//! reason, and reading goes on with the next.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::record::Record;
use super::scan::Scanner;
use super::wthor::{Contents, Games, Names};
use super::{Form, ParseError, ggf, pgn, sgf, transcript};
use crate::Game;

/// A format of files that hold games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Games or positions as text, of which a form tells how; those that fit a line stand one a line.
    Text(Form),
    /// WTHOR: `.wtb`, `.jou`, `.trn`.
    Wthor,
}

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Format> {
        Form::ALL.into_iter().map(Format::Text).chain([Format::Wthor])
    }

    /// The format's name in lower case, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Text(form) => form.name(),
            Format::Wthor => "wthor",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let lower = text.to_ascii_lowercase();
        Format::all().find(|format| format.name() == lower).ok_or_else(|| {
            let names: Vec<&str> = Format::all().map(Format::name).collect();
            format!("found {text:?}, expected one of {}", names.join(", "))
        })
    }
}

/// A game of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damaged {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The line and the character of it, both from 1, if the file is text.
    pub place: Option<(usize, usize)>,
    /// What was found and what was expected.
    pub reason: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.number)?;
        if let Some((line, column)) = self.place {
            write!(f, ", line {line}, character {column}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for Damaged {}

/// The games of a file, one after the other.
///
/// ```
/// use obverse_board::notation::Records;
///
/// let paste = b"1. f5 d6 2. c3 d3 37-27\n\n1. f5 f5 *\n\n1. e6 f4 *\n";
/// let games: Vec<_> = Records::new(paste, None).collect();
/// assert_eq!(games.len(), 3);
/// assert_eq!(games[0].as_ref().unwrap().game().moves().len(), 4);
/// assert_eq!(
///     games[1].as_ref().unwrap_err().to_string(),
///     "game 2, line 3, character 7: move 2: f5 is not a legal move for white: \
///      it is occupied by a black disc",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Records<'a> {
    format: Format,
    source: Source<'a>,
    /// How many games came before.
    n_read: usize,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Text(Text<'a>),
    Wthor(Games<'a>, Cow<'a, Names>),
    /// Nothing, or only a complaint.
    Failed(Option<Damaged>),
}

/// A text of several games and how far it was read.
#[derive(Clone, Debug)]
struct Text<'a> {
    text: Cow<'a, str>,
    at: usize,
    /// The lines before that.
    n_lines: usize,
    layout: Layout,
}

/// How the games of a text follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Ggf,
    Sgf,
    Pgn,
    /// One a line.
    Lines,
    /// All of it is one.
    Whole,
}

impl<'a> Records<'a> {
    /// Looks into a file; its name helps where the contents leave a doubt.
    pub fn new(bytes: &'a [u8], name: Option<&str>) -> Records<'a> {
        let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, after)| after);
        if let Some(contents) = Contents::detect(bytes, extension) {
            let failed = |reason| Source::Failed(Some(Damaged { number: 1, place: None, reason }));
            let source = match (contents, Games::new(bytes)) {
                (Contents::Games, Ok(games)) => Source::Wthor(games, Cow::Owned(Names::default())),
                (Contents::Games, Err(reason)) => failed(reason),
                (names, _) => failed(format!("found {names}, expected games")),
            };
            return Records { format: Format::Wthor, source, n_read: 0 };
        }
        let text = decode(bytes);
        let Some(form) = Form::detect(&text) else {
            let source = Source::Failed(None);
            return Records { format: Format::Text(Form::Transcript), source, n_read: 0 };
        };
        let layout = match form {
            Form::Ggf => Layout::Ggf,
            Form::Sgf => Layout::Sgf,
            Form::Pgn => Layout::Pgn,
            Form::Grid | Form::Kply | Form::List => Layout::Whole,
            _ if is_one_transcript(&text) => Layout::Whole,
            _ => Layout::Lines,
        };
        let source = Source::Text(Text { text, at: 0, n_lines: 0, layout });
        Records { format: Format::Text(form), source, n_read: 0 }
    }

    /// The same with the names that the games of WTHOR refer to.
    #[must_use]
    pub fn with_names(mut self, names: &'a Names) -> Records<'a> {
        if let Source::Wthor(_, known) = &mut self.source {
            *known = Cow::Borrowed(names);
        }
        self
    }

    /// The file's format.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, Damaged>;

    fn next(&mut self) -> Option<Result<Record, Damaged>> {
        let number = self.n_read + 1;
        let record = match &mut self.source {
            Source::Failed(damaged) => damaged.take().map(Err),
            Source::Wthor(games, names) => {
                let damaged = |reason| Damaged { number, place: None, reason };
                // What was cut off is told once.
                let has_next = self.n_read < games.len();
                let record = has_next.then(|| games.record(self.n_read, names).map_err(damaged));
                if record.as_ref().is_some_and(Result::is_err) && games.get(self.n_read).is_err() {
                    self.source = Source::Failed(None);
                }
                record
            }
            Source::Text(text) => text.next().map(|record| {
                record.map_err(|(place, reason)| Damaged { number, place: Some(place), reason })
            }),
        }?;
        self.n_read += 1;
        Some(record)
    }
}

/// Where a text cannot be read, and why.
type Complaint = ((usize, usize), String);

impl Text<'_> {
    fn next(&mut self) -> Option<Result<Record, Complaint>> {
        let start = self.at + self.begin()?;
        self.advance(start);
        let rest = &self.text[start..];
        let (n_bytes, record) = match self.layout {
            Layout::Ggf => read(rest, Form::Ggf, ggf::record, ggf_next),
            Layout::Sgf => read(rest, Form::Sgf, sgf::record, sgf_next),
            Layout::Pgn => read(rest, Form::Pgn, pgn::record, pgn_next),
            Layout::Whole => (rest.len(), Game::parse(rest).map(Record::new)),
            Layout::Lines => {
                let n_bytes = rest.find('\n').unwrap_or(rest.len());
                (n_bytes, line(&rest[..n_bytes]))
            }
        };
        let n_lines = self.n_lines;
        let record = record.map_err(|error| {
            ((n_lines + error.line(), error.column()), error.message().to_owned())
        });
        self.advance(start + n_bytes);
        Some(record)
    }

    /// How far ahead the next game begins.
    fn begin(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        match self.layout {
            Layout::Ggf | Layout::Sgf => rest.find('('),
            Layout::Pgn => {
                let mut scanner = Scanner::new(Form::Pgn, rest);
                pgn::skip_blanks(&mut scanner);
                (!scanner.rest().is_empty()).then(|| scanner.offset())
            }
            Layout::Whole => (!rest.trim().is_empty()).then_some(0),
            Layout::Lines => {
                let mut at = 0;
                for line in rest.split_inclusive('\n') {
                    if !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']) {
                        return Some(at);
                    }
                    at += line.len();
                }
                None
            }
        }
    }

    /// Goes on to `at`, which lies ahead.
    fn advance(&mut self, at: usize) {
        let passed = &self.text.as_bytes()[self.at..at];
        self.n_lines += passed.iter().filter(|b| **b == b'\n').count();
        self.at = at;
    }
}

/// Reads the game at the beginning of a text, and finds how long it is: if it is damaged, up to where
/// the next one seems to begin.
fn read(
    text: &str,
    form: Form,
    record: fn(&mut Scanner<'_>) -> Result<Record, ParseError>,
    next: fn(&str) -> Option<usize>,
) -> (usize, Result<Record, ParseError>) {
    let mut scanner = Scanner::new(form, text);
    let record = record(&mut scanner);
    let n_bytes = match &record {
        Ok(_) => scanner.offset(),
        Err(_) => {
            // It cannot begin where this one does.
            let first = text.chars().next().map_or(0, char::len_utf8);
            next(&text[first..]).map_or(text.len(), |n| first + n)
        }
    };
    (n_bytes, record)
}

fn ggf_next(text: &str) -> Option<usize> {
    text.find(ggf::BEGIN)
}

/// A variation begins like a game; one that names the game, or stands at the beginning of a line after
/// the end of another, is one.
fn sgf_next(text: &str) -> Option<usize> {
    text.match_indices("(;").map(|found| found.0).find(|&at| {
        let after = &text[at..];
        let node = &after[..after[2..].find([';', '(']).map_or(after.len(), |n| n + 2)];
        node.contains("GM[") || node.contains("FF[")
    })
}

/// The next tag at the beginning of a line after one that is not a tag, or a game without tags after a
/// blank line.
fn pgn_next(text: &str) -> Option<usize> {
    let (mut at, mut was_tag, mut was_blank) = (0, true, false);
    for line in text.split_inclusive('\n') {
        let is_tag = line.trim_start().starts_with('[');
        let is_first = line.trim_start().starts_with("1.");
        if (is_tag && !was_tag) || (is_first && was_blank && !was_tag) {
            return Some(at);
        }
        was_blank = line.trim().is_empty();
        was_tag = is_tag || (was_tag && was_blank);
        at += line.len();
    }
    None
}

/// A line of a list: a position or the moves of a game, perhaps with more columns, which are kept as a
/// comment.
fn line(line: &str) -> Result<Record, ParseError> {
    let text = line.trim();
    let n_first = text.find([' ', '\t', ',', ';']).unwrap_or(text.len());
    let (first, rest) = text.split_at(n_first);
    if transcript::looks_like(first) && !rest.is_empty() {
        let mut record = Record::new(Form::Transcript.parse(first)?);
        rest.trim_matches([' ', '\t', ',', ';']).clone_into(&mut record.comment);
        return Ok(record);
    }
    Game::parse(text).map(Record::new)
}

/// Whether the moves of one game stand in several lines: together they are a game, but each by itself
/// they are not.
fn is_one_transcript(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(second) = lines.nth(1) else { return false };
    Form::detect(second) == Some(Form::Transcript)
        && line(second).is_err()
        && Form::Transcript.parse(text).is_ok()
}

/// The text of a file in UTF-8 or, if it is not, in Latin-1.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|b| char::from(*b)).collect()),
    }
}
