//! Positions from files and standard input, line by line.
//!
//! A line is JSON, CSV, or a position in any notation; which, is told apart by itself. Lines are read
//! one at a time and none longer than [`LINE_BYTES_MAX`], so memory does not grow with the input.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use obverse_board::Position;
use obverse_lab::record::{RECORD_BYTES, Record};
use serde_json::Value;

use super::games;

/// More than any position needs.
const LINE_BYTES_MAX: usize = 1 << 16;

/// A line that is not blank and no comment.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) file: Option<Arc<str>>,
    /// From 1.
    pub(crate) number: u64,
    pub(crate) content: Result<Asked, Bad>,
}

/// A position, and what its author calls it: a text or a number.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Asked {
    pub(crate) id: Option<Value>,
    pub(crate) position: Position,
}

/// A line that holds no position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bad {
    pub(crate) reason: String,
    /// As much of it as is worth keeping.
    pub(crate) text: String,
}

/// Which of several runs takes a line: `3/16`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    number: u64,
    of: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').map(|(a, b)| (a.parse().ok(), b.parse().ok()));
        match parts {
            Some((Some(number), Some(of))) if number >= 1 && number <= of => {
                Ok(Shard { number, of })
            }
            _ => Err(format!("found {text:?}, expected I/N such as 3/16, with 1 <= I <= N")),
        }
    }
}

impl Shard {
    pub(crate) const fn takes(self, line: u64) -> bool {
        line % self.of == self.number % self.of
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// How much has been read; watched by the progress line.
#[derive(Default, Debug)]
pub(crate) struct Meter {
    pub(crate) bytes: AtomicU64,
    pub(crate) lines: AtomicU64,
    /// Blank lines, comments and headers.
    pub(crate) skipped: AtomicU64,
    /// Lines of other shards.
    pub(crate) others: AtomicU64,
}

/// The bytes of all files together; `None` if one is no plain file.
pub(crate) fn total_bytes(paths: &[String]) -> Option<u64> {
    let bytes = |path: &String| {
        let meta = std::fs::metadata(path).ok().filter(|_| path != "-")?;
        meta.is_file().then_some(meta.len())
    };
    paths.iter().map(bytes).sum()
}

/// Opens every input, so that one that is missing is noticed before anything is done.
pub(crate) fn check(paths: &[String]) -> Result<()> {
    for path in paths.iter().filter(|path| *path != "-") {
        File::open(path).with_context(|| format!("cannot open {path}"))?;
    }
    Ok(())
}

/// Reads all files and hands over their lines; `take` says whether to go on. With `all_games` every file
/// is one of games.
pub(crate) fn read(
    paths: &[String],
    all_games: bool,
    shard: Option<Shard>,
    meter: &Meter,
    take: &mut dyn FnMut(Line) -> bool,
) -> Result<()> {
    for path in paths {
        if games::is_games(path) || all_games && path != "-" {
            if !games::read(path, shard, meter, take)? {
                break;
            }
            continue;
        }
        if std::path::Path::new(path).extension().is_some_and(|extension| extension == "rec") {
            if !read_records(path, shard, meter, take)? {
                break;
            }
            continue;
        }
        let (file, input): (Option<Arc<str>>, Box<dyn Read>) = if path == "-" {
            (None, Box::new(std::io::stdin().lock()))
        } else {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            (Some(path.as_str().into()), Box::new(file))
        };
        let mut input = BufReader::with_capacity(1 << 16, input);
        let name = if path == "-" { "standard input" } else { path };
        let go_on = read_file(&mut input, file.as_ref(), shard, meter, take)
            .with_context(|| format!("cannot read {name}"))?;
        if !go_on {
            break;
        }
    }
    Ok(())
}

/// Reads training records, each of which counts as a line.
fn read_records(
    path: &str,
    shard: Option<Shard>,
    meter: &Meter,
    take: &mut dyn FnMut(Line) -> bool,
) -> Result<bool> {
    let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
    let name: Arc<str> = path.into();
    for (number, record) in (1..).zip(Record::stream(file)) {
        let record = record.with_context(|| format!("cannot read {path}"))?;
        meter.bytes.fetch_add(RECORD_BYTES as u64, Ordering::Relaxed);
        meter.lines.fetch_add(1, Ordering::Relaxed);
        if shard.is_some_and(|shard| !shard.takes(number)) {
            meter.others.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        let asked = Asked { id: None, position: record.position() };
        if !take(Line { file: Some(Arc::clone(&name)), number, content: Ok(asked) }) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn read_file(
    input: &mut dyn BufRead,
    file: Option<&Arc<str>>,
    shard: Option<Shard>,
    meter: &Meter,
    take: &mut dyn FnMut(Line) -> bool,
) -> std::io::Result<bool> {
    let mut buffer = Vec::new();
    let mut columns = None;
    let mut is_first = true;
    for number in 1.. {
        let n_bytes = next_line(input, &mut buffer)?;
        if n_bytes == 0 {
            break;
        }
        meter.bytes.fetch_add(n_bytes, Ordering::Relaxed);
        meter.lines.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&buffer);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with(['#', '%']) {
            meter.skipped.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        if std::mem::take(&mut is_first) {
            columns = Columns::of_header(text);
            if columns.is_some() {
                meter.skipped.fetch_add(1, Ordering::Relaxed);
                continue;
            }
        }
        if shard.is_some_and(|shard| !shard.takes(number)) {
            meter.others.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        let content = if buffer.len() > LINE_BYTES_MAX {
            Err(format!("found more than {LINE_BYTES_MAX} bytes, expected a position"))
        } else if let Err(error) = std::str::from_utf8(&buffer) {
            Err(format!("byte {} is not UTF-8 text", error.valid_up_to() + 1))
        } else {
            parse(text, columns.as_ref())
        };
        let content =
            content.map_err(|reason| Bad { reason, text: text.chars().take(200).collect() });
        if !take(Line { file: file.cloned(), number, content }) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads a line without its end; of one that is too long only the beginning, and a byte more than is
/// allowed. Returns how many bytes it has in the file.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    line.clear();
    let mut n_bytes = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        let room = (LINE_BYTES_MAX + 1).saturating_sub(line.len());
        line.extend_from_slice(&available[..end.unwrap_or(used).min(room)]);
        input.consume(used);
        n_bytes += used as u64;
        if end.is_some() || used == 0 {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(n_bytes);
        }
    }
}

/// Where in a line of CSV the position is, and what its author calls it.
#[derive(Debug)]
struct Columns {
    position: usize,
    id: Option<usize>,
}

impl Columns {
    fn of_header(text: &str) -> Option<Columns> {
        let names = fields(text).ok()?;
        let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        let position = find("position")?;
        Some(Columns { position, id: find("id") })
    }
}

/// The fields of a line of CSV.
fn fields(text: &str) -> Result<csv::StringRecord, String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let found = reader.read_record(&mut record).map_err(|error| error.to_string())?;
    if found { Ok(record) } else { Err("found nothing, expected fields".to_owned()) }
}

#[derive(serde::Deserialize)]
struct JsonLine {
    position: String,
    id: Option<Value>,
}

/// Reads a line: an object of JSON, fields of CSV, or a position.
fn parse(text: &str, columns: Option<&Columns>) -> Result<Asked, String> {
    let (position, id) = if text.starts_with('{') {
        let line: JsonLine = serde_json::from_str(text).map_err(|error| error.to_string())?;
        (line.position, line.id.filter(|id| !id.is_null()))
    } else if let Some(columns) = columns {
        let fields = fields(text)?;
        let field = |i: usize| fields.get(i).map(|field| field.trim().to_owned());
        let position = field(columns.position).ok_or_else(|| {
            let (n, i) = (fields.len(), columns.position + 1);
            format!("found {n} fields, expected the position in field {i}")
        })?;
        (position, columns.id.and_then(field).filter(|id| !id.is_empty()).map(Value::from))
    } else {
        (text.to_owned(), None)
    };
    if let Some(id) = id.as_ref().filter(|id| !id.is_string() && !id.is_number()) {
        return Err(format!("found {id} as the id, expected a text or a number"));
    }
    let position = Position::parse(&position).map_err(|error| error.to_string())?;
    Ok(Asked { id, position })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &[u8], shard: Option<Shard>) -> (Vec<Line>, Meter) {
        let meter = Meter::default();
        let mut lines = Vec::new();
        let mut input = BufReader::with_capacity(16, text);
        read_file(&mut input, None, shard, &meter, &mut |line| {
            lines.push(line);
            true
        })
        .unwrap();
        (lines, meter)
    }

    fn ids(text: &str) -> Vec<Result<Option<Value>, String>> {
        let id = |line: Line| match line.content {
            Ok(asked) => Ok(asked.id),
            Err(bad) => Err(bad.reason),
        };
        lines(text.as_bytes(), None).0.into_iter().map(id).collect()
    }

    #[test]
    fn every_kind_of_line_is_told_apart() {
        let text = "\u{feff}# a comment\n\nf5d6\r\n{\"position\": \"start\", \"id\": 7}\n\
                    {\"id\": \"a\", \"position\": \"start:6x6\", \"more\": []}\n\
                    8/8/8/3wb3/3bw3/8/8/8 b\n% OBF\n-----OX--XO----- X; 3;";
        let (lines, meter) = lines(text.as_bytes(), None);
        let numbers: Vec<u64> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [3, 4, 5, 6, 8]);
        assert!(lines.iter().all(|line| line.content.is_ok()), "{lines:?}");
        assert_eq!(meter.skipped.into_inner(), 3);
        assert_eq!(meter.bytes.into_inner(), text.len() as u64);
        assert_eq!(ids(text)[1..3], [Ok(Some(7.into())), Ok(Some("a".into()))]);
    }

    #[test]
    fn columns_are_named_in_the_first_line() {
        let text =
            "Id,Position,empties\n1,f5d6,58\n\"two, too\",\"8/8/8/3wb3/3bw3/8/8/8 b\",60\n3\n";
        let found = ids(text);
        assert_eq!(found[0], Ok(Some("1".into())));
        assert_eq!(found[1], Ok(Some("two, too".into())));
        let missing = "found 1 fields, expected the position in field 2";
        assert_eq!(found[2], Err(missing.to_owned()));
    }

    #[test]
    fn a_bad_line_has_a_reason_and_the_next_one_is_read() {
        let long = "x".repeat(LINE_BYTES_MAX + 9);
        let mut text =
            format!("f5f5\n{{\"position\":3}}\n{{\"position\":\"f5\",\"id\":[]}}\n{long}\n");
        text.push_str("f5\n");
        let mut bytes = text.into_bytes();
        bytes.extend(b"f5\xff\n\nf5");
        let (lines, _) = lines(&bytes, None);
        let reasons: Vec<String> = lines
            .iter()
            .map(|line| line.content.as_ref().err().map_or(String::new(), |bad| bad.reason.clone()))
            .collect();
        assert!(reasons[0].contains("move 2"), "{reasons:?}");
        assert!(reasons[1].contains("expected a string"), "{reasons:?}");
        assert!(reasons[2].contains("expected a text or a number"), "{reasons:?}");
        assert!(reasons[3].contains("more than 65536 bytes"), "{reasons:?}");
        assert_eq!(reasons[4], "");
        assert_eq!(reasons[5], "byte 3 is not UTF-8 text");
        assert_eq!((lines.len(), lines[6].number), (7, 8));
        assert!(lines[6].content.is_ok());
    }

    #[test]
    fn shards_take_every_line_once() {
        let text = "f5\n".repeat(50);
        let mut all = Vec::new();
        for i in 1..=7 {
            let shard: Shard = format!("{i}/7").parse().unwrap();
            all.extend(lines(text.as_bytes(), Some(shard)).0.iter().map(|line| line.number));
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(1..=50));
        for text in ["0/4", "5/4", "1", "a/b", "1/0"] {
            assert!(text.parse::<Shard>().is_err());
        }
    }

    proptest! {
        #[test]
        fn no_input_makes_it_panic_or_lose_a_line(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (lines, meter) = lines(&bytes, None);
            let n_ends = bytes.split(|byte| *byte == b'\n').count() as u64 - 1;
            let is_open = bytes.last().is_some_and(|byte| *byte != b'\n');
            prop_assert_eq!(meter.lines.into_inner(), n_ends + u64::from(is_open));
            let n_lines = lines.len() as u64 + meter.skipped.into_inner();
            prop_assert_eq!(n_lines, n_ends + u64::from(is_open));
        }
    }
}
