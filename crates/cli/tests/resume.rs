//! A match that was stopped goes on where its file ends.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A match of a random player, its games saved in `path`.
fn run(path: &PathBuf, more: &[&str]) -> Output {
    let players = ["lab", "match", "minimax:depth=1", "random", "--json"];
    Command::new(env!("CARGO_BIN_EXE_obverse"))
        .args(players)
        .args(["--openings", "tests/cmd/openings.txt", "--out"])
        .arg(path)
        .args(more)
        .output()
        .expect("the program runs")
}

/// What a match came to, without what depends on how it was interrupted.
fn results(output: &Output) -> (u64, serde_json::Value) {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))
    });
    let keys = json.as_object_mut().expect("an object");
    keys.remove("seconds_per_move");
    let resumed = keys.remove("resumed").and_then(|n| n.as_u64()).expect("a number");
    (resumed, json)
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_stopped_match_comes_to_the_same_results() {
    let whole = results(&run(&file("whole.ggf"), &["--games", "8"])).1;
    let path = file("parts.ggf");
    assert_eq!(results(&run(&path, &["--games", "3"])).0, 0);
    // The program was killed while it wrote the fourth game.
    let text = fs::read_to_string(&path).expect("the games are saved");
    assert_eq!(text.lines().count(), 4);
    fs::write(&path, &text[..text.len() - 20]).expect("it can be written");
    assert_eq!(results(&run(&path, &["--games", "8"])), (3, whole.clone()));
    // Now nothing is left to play, and nothing is added.
    assert_eq!(results(&run(&path, &["--games", "8", "--concurrency", "4"])), (8, whole));
    assert_eq!(fs::read_to_string(&path).expect("the games are saved").lines().count(), 8);
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let path = file("other.ggf");
    assert!(run(&path, &["--games", "6"]).status.success());
    let text = fs::read_to_string(&path).expect("the games are saved");
    let error = |more: &[&str]| {
        let output = run(&path, more);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&["--seed", "3"]).contains("began in another way"));
    assert_eq!(fs::read_to_string(&path).expect("the games are there"), text);
    fs::write(&path, "notes").expect("it can be written");
    assert!(error(&[]).contains("found \"notes\", expected saved games or no file"));
    assert_eq!(fs::read_to_string(&path).expect("the notes are there"), "notes");
}
