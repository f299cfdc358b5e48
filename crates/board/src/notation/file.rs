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
use super::{Form, ParseError, ggf, obf, pgn, sgf, transcript};
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
    contents: Cow<'a, str>,
    at: usize,
    /// The lines before that, and the characters in the same line.
    place: (usize, usize),
    layout: Layout,
    /// Whether a damaged game ran over the beginning of another. From then on each is cut where the next
    /// begins, lest all that follows be looked through for each of them.
    has_overrun: bool,
}

/// How the games of a text follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Ggf,
    Sgf,
    Pgn,
    /// One a line.
    Lines,
    /// With blank lines between them.
    Paragraphs,
    /// All of it is one.
    Whole,
}

impl Layout {
    /// The layout of a text and the form of its first game; `None` if there is none.
    fn detect(text: &str) -> Option<(Form, Layout)> {
        // The first games tell; a long file need not be read for it.
        let text = &text[skip_comments(text)?..];
        let form = Form::detect(&text[..text.floor_char_boundary(HEAD_BYTES)])?;
        let mut lines = text.lines().filter(|line| !is_comment(line));
        let first = lines.next()?;
        let layout = match form {
            Form::Ggf => Layout::Ggf,
            Form::Sgf => Layout::Sgf,
            Form::Pgn => Layout::Pgn,
            _ if line(first).is_ok() => {
                // Lines that are no games by themselves but are one together are one.
                let is_one = lines.next().is_some_and(|second| line(second).is_err())
                    && Form::Transcript.parse(text).is_ok();
                let form = Form::detect(first)?;
                return Some((form, if is_one { Layout::Whole } else { Layout::Lines }));
            }
            Form::Grid | Form::Kply | Form::List if Game::parse(text).is_ok() => Layout::Whole,
            Form::Grid | Form::Kply | Form::List => Layout::Paragraphs,
            _ => Layout::Lines,
        };
        Some((form, layout))
    }
}

/// How much of a text tells its form: more than any position needs.
const HEAD_BYTES: usize = 1 << 14;

/// How far ahead the first line begins that says something.
fn skip_comments(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !is_comment(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Whether a line of a list says nothing.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '%'])
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
        let Some((form, layout)) = Layout::detect(&text) else {
            let source = Source::Failed(None);
            return Records { format: Format::Text(Form::Transcript), source, n_read: 0 };
        };
        let source =
            Source::Text(Text { contents: text, at: 0, place: (0, 0), layout, has_overrun: false });
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
        let (n_bytes, record) = match self.layout {
            Layout::Ggf => self.read(Form::Ggf, ggf::record, ggf::next),
            Layout::Sgf => self.read(Form::Sgf, sgf::record, sgf::next),
            Layout::Pgn => self.read(Form::Pgn, pgn::record, pgn::next),
            Layout::Whole => (self.rest().len(), Game::parse(self.rest()).map(Record::new)),
            Layout::Paragraphs => {
                let text = paragraph(self.rest());
                (text.len(), Game::parse(text).map(Record::new))
            }
            Layout::Lines => {
                let text = self.rest().lines().next().unwrap_or_default();
                (text.len(), line(text))
            }
        };
        let (n_lines, n_chars) = self.place;
        self.advance(start + n_bytes);
        Some(record.map_err(|error| {
            let column = error.column() + if error.line() == 1 { n_chars } else { 0 };
            ((n_lines + error.line(), column), error.message().to_owned())
        }))
    }

    /// Reads the game here, and finds how long it is: if it is damaged, up to where the next one seems
    /// to begin.
    fn read(
        &mut self,
        form: Form,
        record: fn(&mut Scanner<'_>) -> Result<Record, ParseError>,
        next: fn(&str) -> Option<usize>,
    ) -> (usize, Result<Record, ParseError>) {
        let rest = &self.contents[self.at..];
        let cut = |text| next(text).unwrap_or(text.len());
        let text = if self.has_overrun { &rest[..cut(rest)] } else { rest };
        let mut scanner = Scanner::new(form, text);
        match record(&mut scanner) {
            Ok(record) => (scanner.offset(), Ok(record)),
            Err(error) => {
                let n_bytes = cut(text);
                self.has_overrun |= scanner.offset() > n_bytes;
                (n_bytes, Err(error))
            }
        }
    }

    fn rest(&self) -> &str {
        &self.contents[self.at..]
    }

    /// How far ahead the next game begins.
    fn begin(&self) -> Option<usize> {
        let rest = self.rest();
        match self.layout {
            Layout::Ggf | Layout::Sgf => rest.find('('),
            Layout::Pgn => {
                let mut scanner = Scanner::new(Form::Pgn, rest);
                pgn::skip_blanks(&mut scanner);
                (!scanner.rest().is_empty()).then(|| scanner.offset())
            }
            Layout::Whole => (!rest.trim().is_empty()).then_some(0),
            Layout::Lines | Layout::Paragraphs => skip_comments(rest),
        }
    }

    /// Goes on to `at`, which lies ahead.
    fn advance(&mut self, at: usize) {
        let passed = &self.contents[self.at..at];
        match passed.rsplit_once('\n') {
            Some((before, last)) => {
                let n_lines = self.place.0 + before.matches('\n').count() + 1;
                self.place = (n_lines, last.chars().count());
            }
            None => self.place.1 += passed.chars().count(),
        }
        self.at = at;
    }
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
    if obf::looks_like(text) {
        return obf::record(text);
    }
    Game::parse(text).map(Record::new)
}

/// The lines up to a blank one.
fn paragraph(text: &str) -> &str {
    let lines = text.split_inclusive('\n').take_while(|line| !line.trim().is_empty());
    &text[..lines.map(str::len).sum()]
}

/// The text of a file in UTF-16 if it says so, in UTF-8 or, if it is not, in Latin-1.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let utf16 = |from: fn([u8; 2]) -> u16| {
        let (units, _) = bytes[2..].as_chunks();
        Cow::Owned(String::from_utf16_lossy(
            &units.iter().map(|unit| from(*unit)).collect::<Vec<_>>(),
        ))
    };
    match bytes {
        [0xff, 0xfe, ..] => return utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf16(u16::from_be_bytes),
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|b| char::from(*b)).collect()),
    }
}
