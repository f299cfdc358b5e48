//! Proofs come with certificates, and certificates are checked by somebody else.

mod support;

use std::fs;
use std::process::Stdio;

use obverse_board::notation::Form;
use obverse_board::{Game, Position};
use obverse_engine::classic::{Rng, Spec, duel};
use support::{Broker, Running, check_status, folder, json, obverse, positions, run, texts, until};

#[test]
fn a_proof_is_verified_and_a_changed_bound_is_not() {
    let folder = folder("prove-tiny");
    let prove = ["prove", "start:4x4", "--claim", "= -10", "--split", "6", "--out", "tiny.cert"];
    check_status(&run(&folder, &prove), 0);
    check_status(&run(&folder, &["verify", "tiny.cert"]), 0);
    let text = fs::read_to_string(folder.join("tiny.cert")).unwrap();
    let leaf = text.lines().find(|line| line.ends_with(" leaf")).expect("there is a leaf");
    let words: Vec<&str> = leaf.split(' ').collect();
    for change in [-2, 2] {
        let bound = words[2].parse::<i32>().unwrap() + change;
        let line = format!("{} {} {bound} leaf", words[0], words[1]);
        fs::write(folder.join("changed.cert"), text.replacen(leaf, &line, 1)).unwrap();
        let output = run(&folder, &["verify", "changed.cert"]);
        check_status(&output, 1);
        assert!(texts(&output).0.contains("REFUSED"), "{output:?}");
    }
    // All bounds changed alike fit to each other, but are not true.
    let changed = text.replace("= -10", "= -8").replace("= 10", "= 8");
    fs::write(folder.join("changed.cert"), changed).unwrap();
    check_status(&run(&folder, &["verify", "changed.cert", "--resolve", "0"]), 0);
    let output = run(&folder, &["verify", "changed.cert", "--resolve", "all"]);
    check_status(&output, 1);
    assert!(texts(&output).0.contains("the score is not"), "{output:?}");
    check_status(&run(&folder, &["verify", "missing.cert"]), 2);
    fs::write(folder.join("notes.txt"), "notes").unwrap();
    let output = run(&folder, &["verify", "notes.txt"]);
    check_status(&output, 1);
    assert!(texts(&output).0.contains("expected obverse certificate 1"), "{output:?}");
}

#[test]
fn a_false_claim_is_refuted() {
    let folder = folder("prove-false");
    for claim in [">= -8", "<= -12", "= 0"] {
        let output = run(
            &folder,
            &[
                "prove",
                "start:4x4",
                "--claim",
                claim,
                "--split",
                "7",
                "--out",
                "false.cert",
                "--json",
            ],
        );
        check_status(&output, 1);
        assert_eq!(json(&output)["verdict"], "refuted");
        assert!(!folder.join("false.cert").exists());
    }
    for claim in ["-8", ">= 17", "<= 16"] {
        let prove = ["prove", "start:4x4", "--claim", claim, "--out", "false.cert"];
        check_status(&run(&folder, &prove), 2);
    }
}

#[test]
fn a_proof_that_was_killed_goes_on() {
    let folder = folder("prove-killed");
    let position = positions(1, 20).remove(0);
    let solved = json(&run(&folder, &["solve", &position, "--json"]));
    let score = solved["winner_takes_empties"]["score"].as_i64().unwrap();
    let claim = format!("= {score}");
    let prove = ["prove", &position, "--claim", &claim, "--split", "13", "--out", "p.cert"];
    let mut command = obverse(&folder, &prove);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut first = Running::start(command);
    let store = folder.join("p.cert.store-wal");
    until("something is stored", || {
        fs::metadata(&store).is_ok_and(|meta| meta.len() > 30_000) || folder.join("p.cert").exists()
    });
    first.kill();
    check_status(&run(&folder, &prove), 0);
    check_status(&run(&folder, &["verify", "p.cert"]), 0);
    // Nearly all is known now; what was not waited for is asked again.
    let again = json(&run(&folder, &[&prove[..], &["--json"]].concat()));
    assert!(again["solved"].as_u64() < again["leaves"].as_u64(), "{again}");
}

/// A position of a random game on 6×6, of which the evaluation knows little.
fn small(n_empties: u32) -> String {
    let start = Position::parse("start:6x6").unwrap();
    let mut player = "random".parse::<Spec>().unwrap().player(3);
    let game = duel::self_play(start, &mut player, 0, &mut Rng::new(3));
    let near = game.steps().map(|step| step.0).find(|p| p.empties().count() == n_empties);
    Form::Srn.print(&Game::new(near.expect("the game gets there"))).unwrap()
}

#[test]
fn a_guided_proof_does_nothing_in_vain() {
    let folder = folder("prove-guided");
    for (position, split) in [(small(16), "8"), (positions(1, 16).remove(0), "10")] {
        let solved = json(&run(&folder, &["solve", &position, "--json"]));
        let claim = format!("= {}", solved["winner_takes_empties"]["score"]);
        let prove = |guide: &str, out: &str| {
            let prove = ["prove", &position, "--claim", &claim, "--split", split, "--json"];
            let output = run(&folder, &[&prove[..], &["--guide", guide, "--out", out]].concat());
            check_status(&output, 0);
            let verified = json(&run(&folder, &["verify", out, "--json"]));
            let told = json(&output);
            assert_eq!(
                (&verified["verified"], &verified["leaves"]),
                (&true.into(), &told["leaves"])
            );
            told
        };
        for name in ["eval.cert", "solve.cert"] {
            for suffix in ["", ".store", ".store-wal", ".store-shm"] {
                let _ = fs::remove_file(folder.join(format!("{name}{suffix}")));
            }
        }
        let eval = prove("eval", "eval.cert");
        assert_eq!(eval["guided"], 0);
        let solve = prove("solve", "solve.cert");
        assert!(solve["guided"].as_u64() > Some(0), "{solve}");
        // Every leaf that was solved is one of the proof, or of both halves of it.
        assert!(solve["solved"].as_u64() <= solve["leaves"].as_u64(), "{solve}");
        // What the guide found is kept, as the leaves are.
        let again = prove("auto", "solve.cert");
        assert_eq!((&again["guided"], &again["solved"]), (&0.into(), &0.into()), "{again}");
        assert_eq!(again["leaves"], solve["leaves"]);
    }
}

#[test]
fn a_guide_finds_a_false_claim_out_at_once() {
    let folder = folder("prove-guided-false");
    let prove = ["prove", "start:4x4", "--split", "6", "--out", "f.cert", "--json", "--claim"];
    for claim in [">= -8", "<= -12"] {
        let output = run(&folder, &[&prove[..], &[claim, "--guide", "solve"]].concat());
        check_status(&output, 1);
        let told = json(&output);
        assert_eq!((&told["verdict"], &told["solved"]), (&"refuted".into(), &0.into()), "{told}");
    }
    let output = run(&folder, &[&prove[..], &["= -10", "--guide", "luck"]].concat());
    check_status(&output, 2);
}

#[test]
fn workers_of_a_cluster_prove_too() {
    let folder = folder("prove-cluster");
    let broker = Broker::start(&folder, &[]);
    let arguments = ["worker", "--server", &broker.url, "--threads", "1"];
    let mut command = obverse(&folder, &arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _worker = Running::start(command);
    let prove = ["prove", "start:4x4", "--claim", "= -10", "--split", "7", "--out", "c.cert"];
    let there = ["--cluster", "--server", &broker.url];
    check_status(&run(&folder, &[&prove[..], &there].concat()), 0);
    check_status(&run(&folder, &["verify", "c.cert"]), 0);
}

#[test]
fn a_plan_tells_what_to_expect() {
    let folder = folder("prove-plan");
    let plan = ["prove", "start:6x6", "--claim", "= -4", "--split", "20", "--plan", "--walks", "5"];
    let plan = json(&run(&folder, &[&plan[..], &["--json"]].concat()));
    for name in ["leaves", "lines", "nodes", "core_hours", "certificate_mb"] {
        assert!(plan[name].as_f64() > Some(0.0), "{plan}");
    }
    assert_eq!(plan["claims"].as_array().map(Vec::len), Some(2));
}
