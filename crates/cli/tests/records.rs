//! Files of records that grow: what was interrupted goes on, and what is something else is left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RECORD_BYTES: usize = 20;

fn run(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_obverse")).arg("lab").args(arguments).output();
    command.expect("the program runs")
}

fn selfplay(path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().expect("a path in UTF-8");
    let settings = ["selfplay", "--out", path, "--depth", "2", "--exact-from", "6"];
    run(&[&settings[..], more].concat())
}

fn label(input: &Path, path: &Path, depth: &str) -> Output {
    let [input, path] = [input, path].map(|path| path.to_str().expect("a path in UTF-8"));
    run(&["label", input, "--out", path, "--exact-from", "8", "--depth", depth])
}

#[track_caller]
fn check_done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn check_refused(output: &Output, why: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(why), "{error}");
}

/// The path of a file that is not there, nor its state.
fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_file(state(&path));
    path
}

fn state(path: &Path) -> PathBuf {
    path.with_added_extension("state")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file is there")
}

/// The records of a file, whatever their order.
fn records(path: &Path) -> Vec<Vec<u8>> {
    let bytes = read(path);
    assert_eq!(bytes.len() % RECORD_BYTES, 0);
    let mut records: Vec<Vec<u8>> = bytes.chunks(RECORD_BYTES).map(<[u8]>::to_vec).collect();
    records.sort();
    records
}

#[test]
fn interrupted_games_come_to_the_same_records() {
    let (whole, other, parts) = (file("whole.rec"), file("threads.rec"), file("parts.rec"));
    check_done(&selfplay(&whole, &["--games", "24", "--threads", "1"]));
    check_done(&selfplay(&other, &["--games", "24", "--threads", "3"]));
    assert_eq!(read(&whole), read(&other), "the number of threads does not matter");
    check_done(&selfplay(&parts, &["--games", "9"]));
    // The program was killed while it wrote, in the middle of a record.
    let mut bytes = read(&parts);
    bytes.extend(&read(&whole)[..3 * RECORD_BYTES + 7]);
    fs::write(&parts, bytes).expect("it can be written");
    check_done(&selfplay(&parts, &["--games", "24"]));
    assert_eq!(records(&parts), records(&whole));
}

#[test]
fn leaves_are_the_same_however_they_are_made() {
    let games = file("whole-games.txt");
    let game = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4\
                h8a2b7f1b3b1b2h7a7a8a1g1g2h2h1 34\n";
    fs::write(&games, game).expect("it can be written");
    let leaves = |path: &Path, more: &[&str]| {
        let (path, games) = (path.to_str().expect("a name"), games.to_str().expect("a name"));
        let settings =
            ["leaves", "--out", path, "--games", games, "--exact-from", "7", "--depth", "2"];
        run(&[&settings[..], more].concat())
    };
    let (whole, other, parts) =
        (file("leaves.rec"), file("leaves-3.rec"), file("leaves-parts.rec"));
    let some = ["--empties", "6-9"];
    check_done(&leaves(&whole, &[&some[..], &["--count", "1k", "--threads", "1"]].concat()));
    check_done(&leaves(&other, &[&some[..], &["--count", "1k", "--threads", "3"]].concat()));
    assert_eq!(read(&whole), read(&other), "the number of threads does not matter");
    let n = read(&whole).len() / RECORD_BYTES;
    assert!((1000..1256).contains(&n), "{n}");
    check_done(&leaves(&parts, &[&some[..], &["--count", "300"]].concat()));
    check_done(&leaves(&parts, &[&some[..], &["--count", "1000"]].concat()));
    assert_eq!(records(&parts), records(&whole));
    check_refused(
        &leaves(&whole, &["--empties", "6-8"]),
        "made with empties 6-9, expected empties 6-8",
    );
    let far = ["--empties", "8", "--games", "tests/cmd/openings.txt"];
    let path = file("none.rec");
    let path = path.to_str().expect("a name");
    let none = run(&[&["leaves", "--out", path][..], &far].concat());
    check_refused(&none, "found no game that comes to 22 empty squares, expected some");
    check_refused(
        &leaves(&whole, &["--empties", "9-6"]),
        "expected numbers from 1 to 59 such as 10 or 8-12",
    );
    check_refused(
        &leaves(&whole, &[&some[..], &["--count", "many"]].concat()),
        "expected a number such as",
    );
}

#[test]
fn records_of_one_game_do_not_stand_together() {
    let path = file("shuffled.rec");
    check_done(&selfplay(&path, &["--games", "24"]));
    // A game has ever fewer empty squares; a shuffled file goes up as often as down.
    let bytes = read(&path);
    let word = |record: &[u8]| u64::from_le_bytes(record.try_into().expect("eight bytes"));
    let n_discs: Vec<u32> = bytes
        .chunks(RECORD_BYTES)
        .map(|record| (word(&record[..8]) | word(&record[8..16])).count_ones())
        .collect();
    let n_rises = n_discs.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let part = n_rises as f64 / n_discs.len() as f64;
    assert!((0.4..0.6).contains(&part), "{part} of {}", n_discs.len());
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let path = file("else.rec");
    check_done(&selfplay(&path, &["--games", "6"]));
    let bytes = read(&path);
    let openings = ["--openings", "tests/cmd/openings.txt"];
    check_refused(&selfplay(&path, &["--seed", "2"]), "made with seed 1, expected seed 2");
    check_refused(&selfplay(&path, &openings), "made with openings none, expected openings ");
    assert_eq!(read(&path), bytes);
    // Records are missing.
    fs::write(&path, &bytes[..100]).expect("it can be written");
    check_refused(&selfplay(&path, &[]), "found 100 bytes, expected ");
    assert_eq!(read(&path).len(), 100);
    fs::write(state(&path), "{\"version\": 2}").expect("it can be written");
    check_refused(&selfplay(&path, &[]), "expected the state of a file of records");
    fs::remove_file(state(&path)).expect("it is there");
    check_refused(&selfplay(&path, &[]), "expected both or neither");
    assert_eq!(read(&path).len(), 100);
}

#[test]
fn interrupted_labels_go_on() {
    let (games, whole, parts) =
        (file("unlabelled.rec"), file("labels.rec"), file("some-labels.rec"));
    check_done(&selfplay(&games, &["--games", "12"]));
    check_done(&label(&games, &whole, "3"));
    assert_eq!(read(&whole).len(), read(&games).len());
    assert_ne!(read(&whole), read(&games));
    // A run that was stopped after the first 128 records, and while it wrote the next.
    fs::write(&parts, &read(&whole)[..130 * RECORD_BYTES + 3]).expect("it can be written");
    let text = fs::read_to_string(state(&whole)).expect("the state is there");
    let n_records = read(&whole).len() / RECORD_BYTES;
    let text = text.replace(&format!("\"records\": {n_records}"), "\"records\": 128");
    fs::write(state(&parts), text).expect("it can be written");
    check_done(&label(&games, &parts, "3"));
    assert_eq!(read(&parts), read(&whole));
    // Other games have other positions.
    let other = file("other-games.rec");
    check_done(&selfplay(&other, &["--games", "20", "--seed", "5"]));
    check_refused(&label(&other, &parts, "3"), "found another position in record 1");
    check_refused(&label(&games, &parts, "4"), "made with depth 3, expected depth 4");
    assert_eq!(read(&parts), read(&whole));
}

#[test]
fn damaged_weights_are_refused_by_name() {
    let path = file("damaged.bin");
    let mut bytes = read(Path::new("../engine/weights/weights.bin"));
    bytes[100_000] ^= 1;
    fs::write(&path, &bytes).expect("it can be written");
    let name = path.to_str().expect("a path in UTF-8");
    let judge = || run(&["accuracy", "ffo", "--depth", "1", "--weights", name]);
    check_refused(&judge(), "damaged.bin: the weights are damaged");
    bytes.truncate(100_000);
    fs::write(&path, bytes).expect("it can be written");
    check_refused(&judge(), "damaged.bin: found 100000 bytes of weights");
}
