//! Reading SGF.

use std::borrow::Cow;

use super::begins_game;
use crate::notation::ParseError;
use crate::notation::record::comment::{add_line, add_text, fact};
use crate::notation::record::{Clock, Date, Ending, Komi, Mark, Note, Outcome, Record, Tree};
use crate::notation::scan::{Scanner, disc, number};
use crate::{Bitboard, Color, Game, Move, Position, SetupError, Size, Square};

/// Reads a game and stops behind it.
pub(in crate::notation) fn record(scanner: &mut Scanner<'_>) -> Result<Record, ParseError> {
    if scanner.peek() != Some('(') {
        return Err(scanner.expected("(;GM[2]"));
    }
    let mut reader = Reader {
        head: Record::new(Game::new(Position::start(Size::Eight))),
        setup: Setup::default(),
        facts: Vec::new(),
        tree: None,
        properties: Vec::new(),
    };
    // The node to which each open parenthesis goes back, and the node now.
    let (mut open, mut node) = (Vec::new(), Tree::START);
    let (mut n_nodes, mut has_closed) = (0, false);
    loop {
        scanner.skip_blanks();
        match scanner.peek() {
            Some('(') => {
                scanner.next();
                open.push(node);
                has_closed = false;
            }
            Some(')') => {
                scanner.next();
                node = open.pop().unwrap_or(Tree::START);
                has_closed = true;
                if open.is_empty() {
                    return reader.finish().map_err(|error| scanner.error(error));
                }
            }
            Some(';') if has_closed => {
                return Err(scanner.expected("( or ) after a variation"));
            }
            Some(';') => {
                scanner.next();
                n_nodes += 1;
                reader.properties(scanner)?;
                node = reader.node(node)?;
            }
            _ if n_nodes == 0 => return Err(scanner.expected(";GM[2]")),
            _ => {
                return Err(scanner.expected("; before the next move, or ) at the end of the game"));
            }
        }
    }
}

/// A property: its name, its value as written, and where that stands.
struct Property<'a> {
    name: Cow<'a, str>,
    value: &'a str,
    place: Scanner<'a>,
}

/// A game while it is being read.
struct Reader<'a> {
    head: Record,
    /// What the first nodes say of the start: known when the first move comes.
    setup: Setup,
    /// The lines of the game comment, taken up last because they are more exact.
    facts: Vec<(String, String)>,
    tree: Option<Tree>,
    properties: Vec<Property<'a>>,
}

#[derive(Default)]
struct Setup {
    size: Option<Size>,
    black: Bitboard,
    white: Bitboard,
    has_discs: bool,
    turn: Option<Color>,
}

impl<'a> Reader<'a> {
    /// Reads the properties of a node.
    fn properties(&mut self, scanner: &mut Scanner<'a>) -> Result<(), ParseError> {
        self.properties.clear();
        loop {
            scanner.skip_blanks();
            let place = scanner.clone();
            let name = scanner.take_while(|c| c.is_ascii_alphabetic());
            if name.is_empty() {
                return Ok(());
            }
            // Old files write lower-case letters too, which do not count.
            let name: Cow<'a, str> = if name.bytes().all(|b| b.is_ascii_uppercase()) {
                Cow::Borrowed(name)
            } else {
                Cow::Owned(name.chars().filter(char::is_ascii_uppercase).collect())
            };
            scanner.skip_blanks();
            if scanner.peek() != Some('[') {
                return Err(place.expected("a property such as B[f5]"));
            }
            while scanner.eat('[') {
                let place = scanner.clone();
                let value = raw_value(scanner)?;
                self.properties.push(Property { name: name.clone(), value, place });
                scanner.skip_blanks();
            }
        }
    }

    /// Takes up a node that follows `node`; returns the one after its move, if it has one.
    fn node(&mut self, mut node: usize) -> Result<usize, ParseError> {
        let properties = std::mem::take(&mut self.properties);
        // The start must be known before a move is made.
        for property in &properties {
            self.set_up(property)?;
        }
        let color = |name: &str| match name {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            _ => None,
        };
        for property in &properties {
            let Some(color) = color(&property.name) else { continue };
            if self.tree.is_none() {
                let start =
                    self.setup.position(Some(color)).map_err(|e| property.place.error(e))?;
                self.tree = Some(Tree::new(start));
            }
            let tree = self.tree.as_mut().expect("it was just made");
            let size = tree.position(Tree::START).size();
            let mv = read_move(property, size)?;
            node = tree.play(node, Some(color), mv).map_err(|e| property.place.error(e))?;
        }
        for property in &properties {
            if node == Tree::START {
                self.header(property);
            } else if let Some(tree) = &mut self.tree {
                let color = !tree.position(node).turn();
                annotate(tree.note(node), property, color);
                if is_of_game(&property.name) {
                    self.header(property);
                }
            }
        }
        self.properties = properties;
        Ok(node)
    }

    /// Takes up a property that says how the game starts.
    fn set_up(&mut self, property: &Property<'_>) -> Result<(), ParseError> {
        let Property { name, value, place } = property;
        if !matches!(&**name, "GM" | "SZ" | "AB" | "AW" | "AE" | "PL") {
            return Ok(());
        }
        match &**name {
            "GM" if value.trim() != "2" => {
                return Err(place.expected("the game 2, which is Othello"));
            }
            "GM" => return Ok(()),
            _ if self.tree.is_some() => {
                return Err(place.error(format_args!(
                    "found {name} after the first move, expected the discs of the start before it"
                )));
            }
            _ => {}
        }
        match &**name {
            "SZ" => {
                let side = value.split(':').next().unwrap_or_default().trim();
                let size = side.parse().ok().and_then(Size::from_side);
                self.setup.size = Some(size.ok_or_else(|| place.expected("a size of 4, 6 or 8"))?);
            }
            "PL" => {
                let color = value.trim().chars().next().and_then(disc);
                self.setup.turn = color.or(self.setup.turn);
            }
            _ => {
                let squares = points(property)?;
                self.setup.black = self.setup.black - squares;
                self.setup.white = self.setup.white - squares;
                match &**name {
                    "AB" => self.setup.black |= squares,
                    "AW" => self.setup.white |= squares,
                    _ => {}
                }
                self.setup.has_discs = true;
            }
        }
        Ok(())
    }

    /// Takes up a property of the root that is about the whole game.
    fn header(&mut self, property: &Property<'_>) {
        let record = &mut self.head;
        let text = text(property.value);
        let simple = || text.replace(['\n', '\t'], " ");
        let finite = || number(&text);
        match &*property.name {
            "PB" => record.black.name = simple(),
            "PW" => record.white.name = simple(),
            "EV" => record.event = simple(),
            "PC" => record.site = simple(),
            "RO" => record.round = simple(),
            "BR" if finite().is_some() => record.black.rating = finite(),
            "WR" if finite().is_some() => record.white.rating = finite(),
            "KM" if finite().is_some() => {
                record.komi.get_or_insert_with(Komi::default).value = finite();
            }
            "DT" if Date::parse(&text).is_some() => record.date = Date::parse(&text),
            "TH" if text.trim().parse::<u8>().is_ok() => {
                record.theoretical = text.trim().parse().ok();
            }
            "TM" if finite().is_some_and(|n| n >= 0.0 && n <= f64::from(u32::MAX)) => {
                let main = finite().map_or(0, |n| n as u32);
                let clock = Some(Clock { main, increment: 0, grace: 0 });
                (record.clocks.black, record.clocks.white) = (clock, clock);
            }
            "RE" => match read_result(text.trim()) {
                Ok(outcome) => record.outcome = outcome,
                Err(()) => record.extras.push(("Termination".to_owned(), simple())),
            },
            "C" => add_text(&mut record.comment, &text),
            "GC" => {
                for line in text.lines() {
                    match fact(line) {
                        Some((name, value)) => self.facts.push((name.to_owned(), value.to_owned())),
                        None => add_line(&mut record.comment, line),
                    }
                }
            }
            // No name, what belongs to the file or to the start, and clocks, which start as TM says.
            "" | "FF" | "CA" | "AP" | "ST" | "GM" | "SZ" | "AB" | "AW" | "AE" | "PL" | "BL"
            | "WL" => {}
            _ if text.trim().is_empty() => {}
            name => record.extras.push((name.to_owned(), simple())),
        }
    }

    fn finish(self) -> Result<Record, SetupError> {
        let mut record = self.head;
        let tree = match self.tree {
            Some(tree) => tree,
            None => Tree::new(self.setup.position(None)?),
        };
        tree.finish(&mut record);
        for (name, value) in self.facts {
            record.set_fact(&name, &value);
        }
        Ok(record)
    }
}

impl Setup {
    /// The start: the usual one if no discs were placed. Who is to move is told, or moves first.
    fn position(&self, first: Option<Color>) -> Result<Position, SetupError> {
        let size = self.size.unwrap_or(Size::Eight);
        let turn = self.turn.or(first).unwrap_or(Color::Black);
        let start = Position::start(size);
        let [black, white] = if self.has_discs {
            [self.black, self.white]
        } else {
            [Color::Black, Color::White].map(|color| start.discs(color))
        };
        Position::new(size, black, white, turn)
    }
}

/// The value up to its bracket, with its escapes.
fn raw_value<'a>(scanner: &mut Scanner<'a>) -> Result<&'a str, ParseError> {
    let (place, rest) = (scanner.clone(), scanner.rest());
    let mut is_escaped = false;
    let end = rest.bytes().position(|b| {
        let is_end = b == b']' && !is_escaped;
        is_escaped = b == b'\\' && !is_escaped;
        is_end
    });
    // Whatever comes of it, so much has been read.
    scanner.skip(end.map_or(rest.len(), |end| end + 1));
    let value = &rest[..end.ok_or_else(|| scanner.expected("] at the end of the value"))?];
    // A bracket of the next game would end a value without one.
    let is_game = |at: usize| begins_game(&value[at..]) && !value[at..].contains('\\');
    if value.rfind("(;").is_some_and(is_game) {
        return Err(place.expected("] before the next game"));
    }
    Ok(value)
}

/// A value without its escapes.
fn text(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '\r']) {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let value = value.replace("\r\n", "\n");
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().filter(|c| *c != '\n')),
            '\r' => text.push('\n'),
            c => text.push(c),
        }
    }
    Cow::Owned(text)
}

/// A square as `f5` or, as in Go, as `fe`.
fn point(word: &str, size: Size) -> Option<Square> {
    let [column, row] = word.as_bytes() else { return None };
    let column = column.to_ascii_lowercase().checked_sub(b'a')?;
    let row = match row.to_ascii_lowercase() {
        row @ b'1'..=b'8' => row - b'1',
        row => row.checked_sub(b'a')?,
    };
    size.square(column, row)
}

/// The squares of `f5` or of a rectangle `a1:c3`.
fn points(property: &Property<'_>) -> Result<Bitboard, ParseError> {
    let word = property.value.trim();
    let (from, to) = word.split_once(':').unwrap_or((word, word));
    let corners = point(from, Size::Eight).zip(point(to, Size::Eight));
    let (from, to) = corners.ok_or_else(|| property.place.expected("a square such as f5"))?;
    let is_between = |at: u8, from: u8, to: u8| (from.min(to)..=from.max(to)).contains(&at);
    let is_inside = |square: &Square| {
        is_between(square.column(), from.column(), to.column())
            && is_between(square.row(), from.row(), to.row())
    };
    Ok(Square::ALL.into_iter().filter(is_inside).collect())
}

fn read_move(property: &Property<'_>, size: Size) -> Result<Move, ParseError> {
    let word = property.value.trim();
    if ["", "pa", "pass", "--", "tt", "ps"].iter().any(|pass| word.eq_ignore_ascii_case(pass)) {
        return Ok(Move::Pass);
    }
    let square = point(word, size);
    square.map(Move::Place).ok_or_else(|| property.place.expected("a move such as f5, or PA"))
}

/// Whether a property belongs to the game although it stands beside a move, as it may in a root.
fn is_of_game(name: &str) -> bool {
    const OF_GAME: [&str; 14] =
        ["PB", "PW", "EV", "PC", "RO", "BR", "WR", "KM", "DT", "TH", "TM", "RE", "GC", "GN"];
    OF_GAME.contains(&name)
}

/// Takes up a property that is about a move of `color`.
fn annotate(note: &mut Note, property: &Property<'_>, color: Color) {
    let text = text(property.value);
    let finite = || text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    let is_double = text.trim() == "2";
    match (&*property.name, color) {
        ("C" | "N", _) => add_text(&mut note.comment, &text),
        // A value is black's.
        ("V", Color::Black) => note.eval = finite(),
        ("V", Color::White) => note.eval = finite().map(|value| 0.0 - value),
        ("BL", Color::Black) | ("WL", Color::White) => note.clock = finite(),
        ("ET", _) => note.seconds = finite(),
        ("TE", _) => note.mark = Some(if is_double { Mark::Brilliant } else { Mark::Good }),
        ("BM", _) => note.mark = Some(if is_double { Mark::Blunder } else { Mark::Mistake }),
        ("IT", _) => note.mark = Some(Mark::Interesting),
        ("DO", _) => note.mark = Some(Mark::Dubious),
        _ => {}
    }
}

/// Reads `B+12`, `W+R`, `0`, `Draw`, `Void` and their like.
fn read_result(text: &str) -> Result<Option<Outcome>, ()> {
    let lower = text.to_ascii_lowercase();
    if ["", "?", "void"].contains(&&*lower) {
        return Ok(None);
    }
    if ["0", "draw", "jigo"].contains(&&*lower) {
        return Ok(Some(Outcome::by(0.0, Ending::Played)));
    }
    let (winner, how) = match lower.split_once('+') {
        Some(("b", how)) => (Color::Black, how),
        Some(("w", how)) => (Color::White, how),
        _ => return Err(()),
    };
    let ending = match how {
        "r" | "resign" => Ending::Resigned,
        "t" | "time" => Ending::Timeout,
        "f" | "forfeit" => Ending::Left,
        _ => Ending::Played,
    };
    let discs = how.parse().ok().filter(|n| (0.0..=1000.0).contains(n));
    if discs.is_none() && ending == Ending::Played && !how.is_empty() {
        return Err(());
    }
    Ok(Some(Outcome { winner: Some(winner), discs, ending }))
}
