//! A batch accounts for every line, whatever happens to it.

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use support::{
    Running, check_status, folder, json, obverse, positions, records, run, scores, texts, until,
    wait, write,
};

fn solve(folder: &Path, more: &[&str]) -> std::process::Output {
    run(folder, &[&["batch", "solve", "in.txt", "--json"], more].concat())
}

#[test]
fn every_line_is_accounted_for() {
    let folder = folder("batch-lines");
    let mut lines = positions(400, 7);
    for i in (0..400).step_by(10) {
        lines[i] = format!("garbage {i}");
    }
    lines[5] = String::new();
    lines[6] = "# a comment".to_owned();
    write(&folder.join("in.txt"), &lines);
    let output = solve(&folder, &["--out", "out.jsonl"]);
    check_status(&output, 1);
    let counts = json(&output);
    let count = |name: &str| counts[name].as_u64().unwrap();
    assert_eq!((count("lines"), count("bad"), count("skipped")), (400, 40, 2));
    assert_eq!(count("solved") + count("known"), 358);
    let bad = fs::read_to_string(folder.join("out.jsonl.bad")).unwrap();
    assert_eq!(bad.lines().count(), 40);
    assert!(bad.lines().next().unwrap().contains("\"line\":1,\"reason\":\"read as transcript"));
    let done = records(&folder.join("out.jsonl"));
    assert_eq!(done.len(), 358);
    assert!(done.keys().all(|line| !(line - 1).is_multiple_of(10)));
}

#[test]
fn a_batch_that_was_killed_goes_on() {
    let folder = folder("batch-killed");
    write(&folder.join("in.txt"), &positions(60, 16));
    let arguments = ["batch", "solve", "in.txt", "--out", "out.jsonl", "--threads", "1"];
    let mut command = obverse(&folder, &arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut first = Running::start(command);
    let path = folder.join("out.jsonl");
    let n_lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    until("something is written", || n_lines() > 0);
    first.kill();
    // As if it had been killed in the middle of a line.
    let mut text = fs::read_to_string(&path).unwrap();
    let n_written = text.lines().count();
    text.push_str("{\"version\":1,\"file\":\"in.txt\",\"li");
    fs::write(&path, text).unwrap();
    let refused = run(&folder, &arguments);
    check_status(&refused, 2);
    assert!(texts(&refused).1.contains("--resume goes on with it"), "{refused:?}");
    let output = solve(&folder, &["--out", "out.jsonl", "--resume"]);
    check_status(&output, 0);
    assert_eq!(json(&output)["resumed"], n_written);
    check_status(&solve(&folder, &["--out", "whole.jsonl"]), 0);
    assert_eq!(scores(&path), scores(&folder.join("whole.jsonl")));
    // Other settings are not mixed in.
    let other = solve(&folder, &["--out", "out.jsonl", "--resume", "--wld"]);
    check_status(&other, 2);
    assert!(texts(&other).1.contains("found a result of exact"), "{other:?}");
}

#[test]
fn control_c_finishes_the_position_in_hand() {
    let folder = folder("batch-interrupted");
    write(&folder.join("in.txt"), &positions(300, 16));
    let arguments = ["batch", "solve", "in.txt", "--out", "out.jsonl", "--threads", "1", "--json"];
    let mut command = obverse(&folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut batch = Running::start(command);
    let path = folder.join("out.jsonl");
    until("something is written", || fs::metadata(&path).is_ok_and(|meta| meta.len() > 0));
    batch.signal("INT");
    let output = batch.wait();
    check_status(&output, 1);
    let counts = json(&output);
    assert_eq!(counts["complete"], false);
    assert_eq!(counts["solved"], records(&path).len());
}

#[test]
fn shards_make_a_whole_and_merge() {
    let folder = folder("batch-shards");
    write(&folder.join("in.txt"), &positions(50, 10));
    check_status(&solve(&folder, &["--out", "whole.jsonl"]), 0);
    let mut all = std::collections::BTreeMap::new();
    for i in 1..=3 {
        let (out, shard) = (format!("{i}.jsonl"), format!("{i}/3"));
        check_status(&solve(&folder, &["--out", &out, "--shard", &shard]), 0);
        let part = scores(&folder.join(&out));
        assert!(part.len() >= 16);
        all.extend(part);
    }
    assert_eq!(all, scores(&folder.join("whole.jsonl")));
    let merge =
        ["batch", "merge", "1.jsonl.store", "2.jsonl", "3.jsonl.store", "--into", "all.store"];
    let output = run(&folder, &[&merge[..], &["--json"]].concat());
    check_status(&output, 0);
    assert_eq!(json(&output)["positions"], 50);
    // All is known now: nothing is solved again.
    let output = solve(&folder, &["--out", "known.jsonl", "--store", "all.store"]);
    assert_eq!((&json(&output)["solved"], &json(&output)["known"]), (&0.into(), &50.into()));
    assert_eq!(scores(&folder.join("known.jsonl")), all);
    check_status(&run(&folder, &["batch", "check", "all.store", "--resolve", "20"]), 0);
    let export = ["batch", "export", "all.store", "--out", "all.obf", "--as", "obf"];
    check_status(&run(&folder, &export), 0);
    check_status(&run(&folder, &["bench", "--suite", "all.obf"]), 0);
}

#[test]
fn a_contradiction_is_an_alarm() {
    let folder = folder("batch-contradiction");
    let lines = positions(8, 9);
    write(&folder.join("in.txt"), &lines);
    check_status(&solve(&folder, &["--out", "true.jsonl"]), 0);
    // One of the results is changed.
    let text = fs::read_to_string(folder.join("true.jsonl")).unwrap();
    let mut all: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lower = all[3]["lower"].as_i64().unwrap();
    let wrong = if lower > 0 { lower - 2 } else { lower + 2 };
    (all[3]["lower"], all[3]["upper"]) = (wrong.into(), wrong.into());
    let text: Vec<String> = all.iter().map(ToString::to_string).collect();
    write(&folder.join("false.jsonl"), &text);
    let output = run(&folder, &["batch", "merge", "false.jsonl", "--into", "true.jsonl.store"]);
    check_status(&output, 1);
    assert!(texts(&output).0.contains("ALARM"), "{output:?}");
    check_status(&run(&folder, &["batch", "check", "true.jsonl.store"]), 1);
    check_status(&run(&folder, &["batch", "check", "true.jsonl"]), 0);
    // A wrong result alone is found by solving it again.
    check_status(&run(&folder, &["batch", "check", "false.jsonl", "--resolve", "all"]), 1);
    // What was known first has not been overwritten.
    let output = solve(&folder, &["--out", "again.jsonl", "--store", "true.jsonl.store"]);
    check_status(&output, 0);
    assert_eq!(scores(&folder.join("again.jsonl")), scores(&folder.join("true.jsonl")));
}

#[test]
fn what_cannot_be_written_is_told_and_nothing_is_lost() {
    let folder = folder("batch-unwritable");
    write(&folder.join("in.txt"), &positions(100, 8));
    let output = solve(&folder, &["--out", "/dev/full"]);
    check_status(&output, 2);
    let error = texts(&output).1;
    assert!(error.contains("cannot write /dev/full: No space left on device"), "{error}");
    for (more, why) in [
        (&["--out", "nowhere/out.jsonl"][..], "cannot write nowhere/out.jsonl"),
        (&["--out", "o.jsonl", "--store", "nowhere/s"][..], "cannot open nowhere/s"),
        (&["--out", "o.jsonl", "--store", "in.txt"][..], "cannot open in.txt"),
    ] {
        let output = solve(&folder, more);
        check_status(&output, 2);
        assert!(texts(&output).1.contains(why), "{output:?}");
    }
    let output = run(&folder, &["batch", "solve", "missing.txt", "--out", "o2.jsonl"]);
    check_status(&output, 2);
    assert!(texts(&output).1.contains("cannot open missing.txt"), "{output:?}");
    assert!(!folder.join("o2.jsonl").exists());
}

#[test]
fn positions_stream_from_a_pipe_to_a_pipe() {
    let folder = folder("batch-pipe");
    let mut command = obverse(&folder, &["batch", "solve", "-", "--out", "-", "--wld"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut batch = Running::start(command);
    let mut input = batch.child().stdin.take().unwrap();
    let output = batch.child().stdout.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(output));
    for text in ["start:4x4", "-----OX--XO----- O;"] {
        // The answer comes before the next question is asked.
        std::io::Write::write_all(&mut input, format!("{text}\n").as_bytes()).unwrap();
        let answer: serde_json::Value =
            serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert!(answer["upper"].as_i64() < Some(0), "{answer}");
    }
    drop(input);
    check_status(&wait(batch.0.take().unwrap()), 0);
}

#[test]
fn limits_and_levels_are_honest() {
    let folder = folder("batch-limits");
    fs::write(folder.join("in.txt"), "f5d6c3d3c4\nstart:6x6\n").unwrap();
    let output = solve(&folder, &["--out", "time.jsonl", "--time", "50ms", "--nodes", "100000"]);
    check_status(&output, 1);
    assert_eq!(json(&output)["unproven"], 2);
    for record in records(&folder.join("time.jsonl")).values() {
        assert_eq!(record["proven"], false);
        assert!(record["lower"].as_i64() < record["upper"].as_i64());
    }
    check_status(&solve(&folder, &["--out", "level.jsonl", "--level", "4"]), 0);
    for record in records(&folder.join("level.jsonl")).values() {
        assert_eq!(record["estimate"]["certainty"], "estimate");
        assert_eq!(record["proven"], false);
    }
    fs::write(folder.join("in.txt"), "start:4x4\n").unwrap();
    check_status(&solve(&folder, &["--out", "moves.jsonl", "--all-moves"]), 0);
    let moves = records(&folder.join("moves.jsonl"));
    assert_eq!(moves[&1]["moves"].as_array().map(Vec::len), Some(4));
}

#[test]
fn training_data_is_labelled_and_exported() {
    let folder = folder("batch-label");
    let mut lines = positions(20, 8);
    lines.extend(positions(20, 30));
    write(&folder.join("in.txt"), &lines);
    let label = ["batch", "label", "in.txt", "--out", "out.jsonl", "--exact-from", "10"];
    check_status(&run(&folder, &label), 2);
    check_status(&run(&folder, &[&label[..], &["--depth", "3"]].concat()), 0);
    let done = records(&folder.join("out.jsonl"));
    assert!(done.range(..21).all(|(_, record)| record["proven"] == true));
    assert!(done.range(21..).all(|(_, record)| record["estimate"]["depth"] == 3));
    let export = ["batch", "export", "out.jsonl", "--as", "records", "--out", "out.rec", "--json"];
    let written = json(&run(&folder, &export))["written"].as_u64().unwrap();
    assert!(written > 30, "{written}");
    assert_eq!(fs::metadata(folder.join("out.rec")).unwrap().len(), 20 * written);
    // Records are positions, too.
    let again =
        ["batch", "label", "out.rec", "--out", "again.jsonl", "--exact-from", "60", "--json"];
    let nearly = [&again[..], &["--shard", "1/40"]].concat();
    check_status(&run(&folder, &nearly), 0);
}

#[test]
fn every_position_of_a_game_is_labelled() {
    let folder = folder("batch-label-games");
    // By its name a file of lines, each the position after its moves; with --games all before it too.
    fs::write(folder.join("games.txt"), "f5d6c3\nf5f5\nf5d6c4\n").unwrap();
    fs::write(folder.join("none.ggf"), "").unwrap();
    let label = ["batch", "label", "games.txt", "none.ggf", "--depth", "2", "--json"];
    let output = run(&folder, &[&label[..], &["--out", "lines.jsonl"]].concat());
    check_status(&output, 1);
    assert_eq!(json(&output)["lines"], 3);
    let output = run(&folder, &[&label[..], &["--games", "--out", "games.jsonl"]].concat());
    check_status(&output, 1);
    let counts = json(&output);
    assert_eq!((&counts["lines"], &counts["bad"]), (&9.into(), &1.into()));
    let done = records(&folder.join("games.jsonl"));
    let ids: Vec<_> = done.values().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["1.1", "1.2", "1.3", "1.4", "3.1", "3.2", "3.3", "3.4"]);
    assert!(done.values().all(|record| record["estimate"]["depth"] == 2));
    let bad = fs::read_to_string(folder.join("games.jsonl.bad")).unwrap();
    assert!(bad.contains("game 2"), "{bad}");
    let typed = ["batch", "label", "-", "--games", "--depth", "2", "--out", "typed.jsonl"];
    check_status(&run(&folder, &typed), 2);
}

#[test]
fn files_of_games_are_analyzed_and_damaged_ones_named() {
    let folder = folder("batch-analyze");
    let games = "f5d6c3d3c4f4c5b3c2\nf5f5\nd3c5f6f5e6e3\nf5d6c4\n";
    fs::write(folder.join("games.txt"), games).unwrap();
    let analyze = ["batch", "analyze", "games.txt", "--out", "out.jsonl", "--level", "2", "--json"];
    let output = run(&folder, &analyze);
    check_status(&output, 1);
    let counts = json(&output);
    assert_eq!((&counts["analyzed"], &counts["bad"]), (&3.into(), &1.into()));
    let bad = fs::read_to_string(folder.join("out.jsonl.bad")).unwrap();
    assert!(bad.contains("\"game\":2") && bad.contains("occupied"), "{bad}");
    let text = fs::read_to_string(folder.join("out.jsonl")).unwrap();
    let mut numbers: Vec<u64> = text
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(record["moves"][0]["best"].is_string(), "{record}");
            record["game"].as_u64().unwrap()
        })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 3, 4]);
    let again = json(&run(&folder, &[&analyze[..], &["--resume"]].concat()));
    assert_eq!((&again["analyzed"], &again["resumed"]), (&0.into(), &3.into()));
}

#[test]
fn costs_are_compared_with_predictions() {
    let folder = folder("batch-cost");
    let mut lines = positions(30, 8);
    lines.extend(positions(30, 11));
    write(&folder.join("in.txt"), &lines);
    check_status(&solve(&folder, &["--out", "out.jsonl"]), 0);
    let cost = json(&run(&folder, &["batch", "cost", "out.jsonl", "--json"]));
    assert_eq!(cost["by_empties"].as_array().map(Vec::len), Some(2));
    assert!(cost["per_empty"].as_f64() > Some(0.0), "{cost}");
}
