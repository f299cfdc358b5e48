//! Loading: games and positions from texts, files and links, and positions set up by hand.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use obverse_board::notation::record::{Line, Note, Outcome};
use obverse_board::notation::wthor::{Contents, NameList, Names};
use obverse_board::notation::{Record, Records};
use obverse_board::{Color, Counting, Game, Position, Square};

use super::play::Table;
use super::{Refusal, Sitting};
use crate::tree::{NodeId, Tree};
use crate::view;
use crate::wire::{ErrorCode, GameEntry, Place, Side, ToPage};

/// The longest text or file.
pub(super) const IMPORT_BYTES_MAX: usize = 3_000_000;

/// How many games a message lists.
const GAMES_LISTED: usize = 200;

/// A file of several games.
#[derive(Debug)]
pub(super) struct Library {
    bytes: Vec<u8>,
    name: Option<String>,
    format: &'static str,
    entries: Vec<GameEntry>,
    n_damaged: u32,
}

impl Sitting {
    pub(super) fn import(
        &mut self,
        text: Option<String>,
        data: Option<&str>,
        name: Option<String>,
    ) -> Result<(), Refusal> {
        let bytes = match (text, data) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(data)) => STANDARD.decode(data).map_err(|error| {
                Refusal::new(ErrorCode::BadMessage, format!("data is not base 64: {error}"))
            })?,
            _ => {
                let text = "expected either text or data";
                return Err(Refusal::new(ErrorCode::BadMessage, text));
            }
        };
        if bytes.len() > IMPORT_BYTES_MAX {
            let n_bytes = bytes.len();
            let text = format!("found {n_bytes} bytes, expected at most {IMPORT_BYTES_MAX}");
            return Err(Refusal::new(ErrorCode::TooLarge, text)
                .found(&n_bytes)
                .expected(&IMPORT_BYTES_MAX));
        }
        if self.take_names(&bytes, name.as_deref()) {
            return Ok(());
        }
        let library = self.catalog(bytes, name)?;
        if library.entries.len() == 1 {
            self.open_record(&library.record(0, &self.names));
            return Ok(());
        }
        self.library = Some(library);
        self.list_games(0)
    }

    /// Reads a file of names for the games of WTHOR; whether it is one.
    fn take_names(&mut self, bytes: &[u8], name: Option<&str>) -> bool {
        let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, after)| after);
        let contents = Contents::detect(bytes, extension).filter(|c| *c != Contents::Games);
        let list = contents.and_then(|c| Some((c, NameList::parse(bytes, c).ok()?)));
        let Some((contents, list)) = list else { return false };
        match contents {
            Contents::Players => self.names.players = list,
            _ => self.names.tournaments = list,
        }
        // The games that are listed have names now.
        if let Some(Library { bytes, name, .. }) = self.library.take() {
            self.library = self.catalog(bytes, name).ok();
        }
        self.tell_games(0);
        true
    }

    /// Looks through the games of a file.
    fn catalog(&self, bytes: Vec<u8>, name: Option<String>) -> Result<Library, Refusal> {
        let records = Records::new(&bytes, name.as_deref()).with_names(&self.names);
        let format = records.format().name();
        let mut entries = Vec::new();
        let mut first_damaged = None;
        let mut n_damaged = 0;
        for record in records {
            match record {
                Ok(record) => entries.push(entry(entries.len(), &record)),
                Err(damaged) => {
                    n_damaged += 1;
                    first_damaged.get_or_insert(damaged);
                }
            }
        }
        if entries.is_empty() {
            let text = String::from_utf8_lossy(&bytes);
            return Err(match first_damaged {
                Some(damaged) => unreadable(&text, damaged.place, &damaged.reason),
                None => Refusal::new(ErrorCode::Unreadable, "found nothing, expected a game"),
            });
        }
        Ok(Library { bytes, name, format, entries, n_damaged })
    }

    pub(super) fn list_games(&mut self, offset: u32) -> Result<(), Refusal> {
        if self.library.is_none() {
            return Err(Refusal::new(ErrorCode::NoSuchGame, "no file of games has been read"));
        }
        self.tell_games(offset);
        Ok(())
    }

    fn tell_games(&mut self, offset: u32) {
        let (entries, format, unread) = match &self.library {
            Some(library) => (&library.entries[..], library.format, library.n_damaged),
            None => (&[][..], "wthor", 0),
        };
        let games = entries.iter().skip(offset as usize).take(GAMES_LISTED).cloned().collect();
        self.out.messages.push(ToPage::Games {
            total: entries.len() as u32,
            offset,
            games,
            format: format.to_owned(),
            unread,
        });
    }

    pub(super) fn open_game(&mut self, index: u32) -> Result<(), Refusal> {
        let record = self
            .library
            .as_ref()
            .filter(|library| (index as usize) < library.entries.len())
            .map(|library| library.record(index as usize, &self.names))
            .ok_or_else(|| {
                let text = format!("there is no game {index} in the list");
                Refusal::new(ErrorCode::NoSuchGame, text).found(&index)
            })?;
        self.open_record(&record);
        Ok(())
    }

    /// Puts a game on the board, to be studied.
    fn open_record(&mut self, record: &Record) {
        let mut tree = Tree::new(record.game().start());
        let end = add_line(&mut tree, Tree::ROOT, &record.line);
        self.open(tree, end);
        for color in [Color::Black, Color::White] {
            let name = &record.player(color).name;
            self.table.names[color as usize] = Some(name.clone()).filter(|name| !name.is_empty());
        }
        let is_name = |name: &str| matches!(name, "Black" | "White");
        let facts = record.facts().into_iter().filter(|(name, _)| !is_name(name));
        self.table.header = facts.map(|(name, value)| (name.to_owned(), value)).collect();
    }

    /// Puts a tree on the board, to be studied.
    fn open(&mut self, mut tree: Tree, end: NodeId) {
        self.put_away();
        let at = tree.settle(end).unwrap_or(end);
        tree.walk_to(at);
        self.tree = tree;
        let counting = Counting::WinnerTakesEmpties;
        if self.table.counting != counting {
            self.forget_values();
        }
        self.table = Table { tip: at, ..Table::free(counting) };
        self.at = at;
        self.announce_board(end);
    }

    pub(super) fn set_position(
        &mut self,
        size: u8,
        squares: &str,
        turn: Side,
    ) -> Result<(), Refusal> {
        let position = read_position(size, squares, turn)?;
        self.open(Tree::new(position), Tree::ROOT);
        Ok(())
    }

    pub(super) fn check_position(
        &mut self,
        to: Option<u32>,
        size: u8,
        squares: &str,
        turn: Side,
    ) -> Result<(), Refusal> {
        let position = view::view(read_position(size, squares, turn)?);
        self.out.messages.push(ToPage::Checked { to, position });
        Ok(())
    }

    pub(super) fn open_link(&mut self, fragment: &str) -> Result<(), Refusal> {
        let game = read_link(fragment).ok_or_else(|| {
            let found: String = fragment.chars().take(80).collect();
            let text = format!("found {found:?}, expected a link such as g=f5d6c3");
            Refusal::new(ErrorCode::Unreadable, text).found(&found).expected(&"g=f5d6c3")
        })?;
        let (tree, end) = Tree::from_game(&game);
        self.open(tree, end);
        Ok(())
    }
}

impl Library {
    fn record(&self, index: usize, names: &Names) -> Record {
        let records = Records::new(&self.bytes, self.name.as_deref()).with_names(names);
        records.flatten().nth(index).expect("the games were counted")
    }
}

fn entry(index: usize, record: &Record) -> GameEntry {
    let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let game = record.game();
    let margin = record.result().and_then(Outcome::margin);
    GameEntry {
        index: index as u32,
        black: known(&record.black.name),
        white: known(&record.white.name),
        event: known(&record.event),
        date: record.date.as_ref().map(|date| match (date.month, date.day) {
            (0, _) => date.year.to_string(),
            (month, 0) => format!("{}-{month:02}", date.year),
            (month, day) => format!("{}-{month:02}-{day:02}", date.year),
        }),
        n_moves: game.moves().iter().filter(|mv| mv.square().is_some()).count() as u32,
        score: margin.map(|margin| margin as i8),
        size: game.start().size().side(),
    }
}

/// Adds a line and all that branch off from it; tells where it ends. What does not fit is left out.
fn add_line(tree: &mut Tree, from: NodeId, line: &Line) -> NodeId {
    let mut nodes = vec![from];
    for (_, mv, note) in line.steps() {
        let Ok(id) = tree.add(nodes[nodes.len() - 1], mv) else { break };
        if let Some(comment) = note.and_then(comment) {
            tree.set_comment(id, comment);
        }
        nodes.push(id);
    }
    for branch in &line.branches {
        if let Some(&node) = nodes.get(branch.ply) {
            add_line(tree, node, &branch.line);
        }
    }
    nodes[nodes.len() - 1]
}

/// What is said of a move, in a line.
fn comment(note: &Note) -> Option<String> {
    let mark = note.mark.map(|mark| mark.symbol().to_owned());
    let eval = note.eval.map(|eval| format!("{eval:+.2}"));
    let text = Some(note.comment.clone()).filter(|text| !text.is_empty());
    let parts: Vec<String> = [mark, eval, text].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn read_position(size: u8, squares: &str, turn: Side) -> Result<Position, Refusal> {
    view::position(size, squares, turn).ok_or_else(|| {
        let area = usize::from(size).pow(2);
        let found: String = squares.chars().take(64).collect();
        let text =
            format!("found {found:?}, expected {area} of X, O and - on a 4x4, 6x6 or 8x8 board");
        Refusal::new(ErrorCode::BadSquares, text).found(&found).expected(&format!("{area}"))
    })
}

/// The game that a link holds: see [`super::share`].
pub(super) fn read_link(fragment: &str) -> Option<Game> {
    let position = |text: &str| Position::parse(&text.replace('_', " ")).ok();
    match fragment.split_once('=')? {
        ("p", text) => position(text).map(Game::new),
        ("g", text) => {
            let (start, moves) = match text.split_once('.') {
                Some((start, moves)) => (position(start)?, moves),
                None => (Position::start(obverse_board::Size::Eight), text),
            };
            let mut game = Game::new(start);
            let mut rest = moves;
            while !rest.is_empty() {
                let (word, after) = rest.split_at_checked(2)?;
                game.play(word.parse::<Square>().ok()?).ok()?;
                rest = after;
            }
            Some(game)
        }
        _ => None,
    }
}

/// What is wrong with a text, and where.
pub(super) fn unreadable(text: &str, place: Option<(usize, usize)>, reason: &str) -> Refusal {
    let mut refusal = Refusal::new(ErrorCode::Unreadable, reason);
    // Our parsers say what was found and what was expected.
    if let Some((found, expected)) = reason.split_once(", expected ") {
        let found = found.rsplit("found ").next().unwrap_or(found);
        refusal = refusal.found(&found.trim_matches('"')).expected(&expected);
    }
    if let Some((line, column)) = place {
        let before: usize =
            text.split_inclusive('\n').take(line.saturating_sub(1)).map(utf16_length).sum();
        let within: String = text
            .lines()
            .nth(line.saturating_sub(1))
            .unwrap_or_default()
            .chars()
            .take(column.saturating_sub(1))
            .collect();
        refusal.at = Some(Place {
            offset: (before + utf16_length(&within)) as u32,
            line: line as u32,
            column: column as u32,
        });
    }
    refusal
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}
