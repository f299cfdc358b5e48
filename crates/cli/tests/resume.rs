//! A match that was stopped goes on where its file ends.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A match of a random player, its games saved in `path`.
fn run(path: &PathBuf, more: &[&str]) -> Output {
    play(&["minimax:depth=1", "random"], path, more)
}

fn play(players: &[&str], path: &PathBuf, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_obverse"))
        .args(["lab", "match"])
        .args(players)
        .args(["--json", "--openings", "tests/cmd/openings.txt", "--out"])
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

/// A table without the times.
fn table(output: &Output) -> (u64, serde_json::Value) {
    let (resumed, mut table) = results(output);
    let players = table["players"].as_array_mut().expect("a list of players");
    for player in players {
        player.as_object_mut().expect("an object").remove("seconds_per_move");
    }
    (resumed, table)
}

#[test]
fn a_stopped_tournament_comes_to_the_same_table() {
    let players = ["minimax:depth=1", "random:seed=1", "random:seed=2"];
    let games = |path: &PathBuf, n: &str| table(&play(&players, path, &["--games", n]));
    let (resumed, whole) = games(&file("whole-table.ggf"), "6");
    assert_eq!((resumed, whole["pairings"].as_array().map(Vec::len)), (0, Some(3)));
    let path = file("some-table.ggf");
    games(&path, "2");
    // The program was killed while it wrote the last of the six games.
    let text = fs::read_to_string(&path).expect("the games are saved");
    assert_eq!(text.lines().count(), 6);
    fs::write(&path, &text[..text.len() - 20]).expect("it can be written");
    assert_eq!(games(&path, "6"), (5, whole));
    // Other players have other games.
    let others = play(&players[..2], &path, &[]);
    assert_eq!(others.status.code(), Some(2));
    let error = String::from_utf8_lossy(&others.stderr).into_owned();
    assert!(error.contains("game 3 was played by minimax:depth=1 and random:seed=2"), "{error}");
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
