//! Games from WTHOR through every format and back, by the program alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use obverse_board::notation::Record;
use obverse_board::notation::record::{Date, Ending, Outcome};
use obverse_board::notation::wthor::{Names, Writer};
use obverse_board::{Game, Position, Size};

/// Runs the program and returns what it printed.
fn obverse(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_obverse")).args(args).output().unwrap();
    let stderr = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {stderr}");
    assert_eq!(stderr, "", "{args:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// The same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    /// A game to its end, or up to some move.
    fn game(&mut self) -> Game {
        let mut game = Game::new(Position::start(Size::Eight));
        let n_moves = if self.below(10) == 0 { self.below(60) } else { 60 };
        for _ in 0..n_moves {
            game.settle();
            let moves: Vec<_> = game.position().moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            game.play(moves[self.below(moves.len())]).unwrap();
        }
        game
    }
}

const PLAYERS: [&str; 5] =
    ["Tastet Marc", "O'Brien \"Bob\"", "Kitty/Rev (durdano)", "Pérez [x] {y}", "back\\slash"];
const EVENTS: [&str; 4] =
    ["World Championship", "Pérenchies (prg)", "Parties du \"Coq\"", "Open: 2; d'été"];

/// Files of two years with their names in a folder; returns the names of the files.
fn write_base(folder: &Path) -> Vec<String> {
    let mut random = Random(7);
    let mut names = Names::default();
    let mut files = Vec::new();
    for (year, n_games) in [(1977, 60), (2024, 140)] {
        let mut writer = Writer::default();
        for _ in 0..n_games {
            let mut record = Record::new(random.game());
            // GGF has no brackets; they would come back as parentheses.
            let name = |name: &str| name.replace('[', "(").replace(']', ")");
            record.black.name = name(PLAYERS[random.below(PLAYERS.len())]);
            record.white.name = name(PLAYERS[random.below(PLAYERS.len())]);
            record.event = EVENTS[random.below(EVENTS.len())].to_owned();
            record.date = Some(Date::in_year(year));
            if !record.game().is_over() {
                let margin = 2.0 * random.below(33) as f64;
                record.outcome = Some(Outcome::by(margin, Ending::Played));
            }
            record.theoretical = Some(random.below(65) as u8);
            assert_eq!(writer.push(&record, &mut names), Ok(false));
        }
        let name = format!("WTH_{year}.wtb");
        fs::write(folder.join(&name), writer.finish([20, 26, 2, 24], year)).unwrap();
        files.push(name);
    }
    let created = [20, 26, 2, 24];
    fs::write(folder.join("WTH.JOU"), names.players.to_bytes(created)).unwrap();
    fs::write(folder.join("WTH.TRN"), names.tournaments.to_bytes(created)).unwrap();
    files.extend(["WTH.JOU".to_owned(), "WTH.TRN".to_owned()]);
    files
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_byte_of_wthor_survives_ggf_sgf_and_pgn() {
    let folder = folder("convert");
    let base = folder.join("base");
    fs::create_dir_all(&base).unwrap();
    let files = write_base(&base);
    let path = |name: &str| folder.join(name).display().to_string();
    let checked = obverse(&["convert", &path("base"), "--check"]);
    assert!(checked.starts_with("2 files, 200 games: 0 damaged, "), "{checked}");
    assert!(checked.ends_with(", all the same when written again\n"), "{checked}");
    let mut from = path("base");
    for form in ["ggf", "sgf", "pgn"] {
        let to = path(&format!("games.{form}"));
        obverse(&["convert", &from, "--to", form, "--out", &to]);
        from = to;
    }
    let (back, created) = (path("back"), "2026-02-24");
    let (players, tournaments) = (path("base/WTH.JOU"), path("base/WTH.TRN"));
    let names = ["--players", &players, "--tournaments", &tournaments, "--created", created];
    obverse(&[&["convert", &from, "--to", "wthor", "--out", &back][..], &names].concat());
    for name in &files {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert_eq!(read(&base), read(Path::new(&back)), "{name}");
    }
    // Without the old names they are numbered anew, but nothing else changes.
    let anew = path("anew");
    obverse(&["convert", &from, "--to", "wthor", "--out", &anew]);
    let pgn = |folder: &str| obverse(&["convert", folder, "--to", "pgn"]);
    assert_eq!(pgn(&anew), pgn(&back));
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_output_as_it_was() {
    let folder = folder("convert-failure");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("in.txt"), "f5d6\n").unwrap();
    fs::write(path("out.pgn"), "kept").unwrap();
    let (input, missing, out) = (path("in.txt"), path("missing.txt"), path("out.pgn"));
    let args = ["convert", &input, &missing, "--to", "pgn", "--out", &out];
    let status = Command::new(env!("CARGO_BIN_EXE_obverse")).args(args).output().unwrap().status;
    assert_eq!(status.code(), Some(2));
    assert_eq!(fs::read_to_string(path("out.pgn")).unwrap(), "kept");
    let left: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
