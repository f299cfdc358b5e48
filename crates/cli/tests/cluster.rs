//! A cluster loses nothing and does nothing twice, whatever dies: with real NATS servers.

mod support;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::{
    Broker, Running, check_status, folder, free_ports, json, obverse, positions, records, run,
    scores, status, texts, until, wait, write,
};

/// A lease so short that the tests need not wait long for it to run out.
const LEASE: &str = "1s";

fn worker(folder: &Path, url: &str, more: &[&str]) -> Running {
    let arguments = ["worker", "--server", url, "--lease", LEASE, "--threads", "1"];
    let mut command = obverse(folder, &arguments);
    command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    Running::start(command)
}

fn submit(folder: &Path, url: &str, file: &str) -> serde_json::Value {
    let lease = ["--lease", LEASE];
    let arguments = ["cluster", "submit", file, "--server", url, "--json"];
    json(&run(folder, &[&arguments[..], &lease[..]].concat()))
}

fn collect(folder: &Path, url: &str, out: &str) -> serde_json::Value {
    json(&run(folder, &["cluster", "collect", "--out", out, "--wait", "--server", url, "--json"]))
}

/// Solves a file on this machine, for comparison.
fn solve(folder: &Path, file: &str) {
    let output = run(folder, &["batch", "solve", file, "--out", "local.jsonl", "--threads", "1"]);
    check_status(&output, 0);
}

fn is_leased(folder: &Path, broker: &Broker) -> bool {
    status(folder, broker).is_some_and(|status| status["leased"].as_u64() > Some(0))
}

#[test]
fn workers_answer_what_one_machine_would() {
    let folder = folder("cluster-same");
    let broker = Broker::start(&folder, &[]);
    let mut lines = positions(150, 12);
    // Some again, and some mirrored: the cells of OBF from the last to the first.
    let mirrored = |line: &String| line[..64].chars().rev().collect::<String>() + &line[64..];
    let again: Vec<String> = lines[..20].iter().map(mirrored).collect();
    lines.extend(again);
    lines.push("no position".to_owned());
    write(&folder.join("in.txt"), &lines);
    let submitted = submit(&folder, &broker.url, "in.txt");
    assert_eq!((&submitted["positions"], &submitted["questions"]), (&170.into(), &150.into()));
    let [first, second] = [0; 2].map(|_| worker(&folder, &broker.url, &["--exit-when-idle", "4s"]));
    let collected = collect(&folder, &broker.url, "out.jsonl");
    assert_eq!((&collected["written"], &collected["complete"]), (&170.into(), &true.into()));
    // Collecting again adds nothing, and so does submitting again.
    let again = ["cluster", "collect", "--out", "out.jsonl", "--resume", "--server", &broker.url];
    check_status(&run(&folder, &again), 0);
    let submitted = submit(&folder, &broker.url, "in.txt");
    assert_eq!(submitted["chunks"], 0);
    for worker in [first, second] {
        check_status(&worker.wait(), 0);
    }
    let local = ["batch", "solve", "in.txt", "--out", "local.jsonl", "--threads", "2"];
    check_status(&run(&folder, &local), 1);
    assert_eq!(records(&folder.join("out.jsonl")), records(&folder.join("local.jsonl")));
}

#[test]
fn a_worker_that_is_killed_loses_its_work_to_another() {
    let folder = folder("cluster-kill-worker");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(12, 21));
    submit(&folder, &broker.url, "in.txt");
    let mut first = worker(&folder, &broker.url, &[]);
    until("a worker has work", || is_leased(&folder, &broker));
    first.kill();
    let _second = worker(&folder, &broker.url, &[]);
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 12);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn a_worker_that_was_frozen_does_no_harm() {
    let folder = folder("cluster-frozen");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(12, 21));
    submit(&folder, &broker.url, "in.txt");
    let mut first = worker(&folder, &broker.url, &["--exit-when-idle", "4s"]);
    until("a worker has work", || is_leased(&folder, &broker));
    first.signal("STOP");
    // Another one gets the same work when the lease has run out, and finishes it.
    let _second = worker(&folder, &broker.url, &[]);
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 12);
    // Now the first one comes back, and hands in its work for the second time.
    first.signal("CONT");
    check_status(&first.wait(), 0);
    let again = ["cluster", "collect", "--out", "out.jsonl", "--resume", "--server", &broker.url];
    check_status(&run(&folder, &again), 0);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn a_submitter_that_is_killed_can_begin_again() {
    let folder = folder("cluster-kill-submitter");
    let broker = Broker::start(&folder, &[]);
    let lines = positions(1500, 6);
    write(&folder.join("in.txt"), &lines);
    // It gets a part of the input and then waits for more.
    let arguments = ["cluster", "submit", "-", "--server", &broker.url];
    let mut command = obverse(&folder, &arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut submitter = Running::start(command);
    let mut pipe = submitter.child().stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut pipe, (lines[..1200].join("\n") + "\n").as_bytes()).unwrap();
    until("chunks are queued", || {
        status(&folder, &broker).is_some_and(|status| status["waiting"].as_u64() > Some(1))
    });
    submitter.kill();
    drop(pipe);
    let again = std::fs::File::open(folder.join("in.txt")).unwrap();
    let mut command = obverse(&folder, &[&arguments[..], &["--json"]].concat());
    command.stdin(again).stdout(Stdio::piped()).stderr(Stdio::piped());
    let submitted = json(&wait(command.spawn().unwrap()));
    assert!(submitted["chunks_known"].as_u64() > Some(1), "{submitted}");
    assert_eq!(submitted["complete"], true);
    let _worker = worker(&folder, &broker.url, &[]);
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 1500);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn a_broker_that_is_killed_and_restarted_has_lost_nothing() {
    let folder = folder("cluster-kill-broker");
    let mut broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(30, 17));
    submit(&folder, &broker.url, "in.txt");
    let _worker = worker(&folder, &broker.url, &[]);
    let arguments = ["cluster", "collect", "--out", "out.jsonl", "--wait", "--server", &broker.url];
    let mut command = obverse(&folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let collector = Running::start(command);
    until("a worker has work", || is_leased(&folder, &broker));
    broker.kill();
    std::thread::sleep(Duration::from_secs(1));
    broker.restart();
    check_status(&collector.wait(), 0);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn a_cluster_of_brokers_does_without_one_of_them() {
    let folder = folder("cluster-three");
    let ports = free_ports(6);
    let (clients, routes) = ports.split_at(3);
    let all: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
    let mut brokers: Vec<Broker> = (0..3)
        .map(|i| {
            let config = format!(
                "server_name: s{i}\nhost: 127.0.0.1\nport: {}\n\
                 jetstream {{ store_dir: \"{}\" }}\n\
                 cluster {{ name: test, listen: \"127.0.0.1:{}\", routes: [{}] }}\n",
                clients[i],
                folder.join(format!("js{i}")).display(),
                routes[i],
                all.join(", "),
            );
            let path = folder.join(format!("s{i}.conf"));
            std::fs::write(&path, config).unwrap();
            Broker::with(&folder, clients[i], vec!["-c".to_owned(), path.display().to_string()])
        })
        .collect();
    let urls: Vec<&str> = brokers.iter().map(|broker| broker.url.as_str()).collect();
    let urls = urls.join(",");
    write(&folder.join("in.txt"), &positions(30, 17));
    let arguments = ["cluster", "submit", "in.txt", "--server", &urls, "--replicas", "3"];
    let arguments = [&arguments[..], &["--lease", LEASE]].concat();
    // Until they have found each other, they refuse.
    until("it is submitted", || run(&folder, &arguments).status.success());
    let _worker = worker(&folder, &urls, &[]);
    let arguments = ["cluster", "collect", "--out", "out.jsonl", "--wait", "--server", &urls];
    let mut command = obverse(&folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let collector = Running::start(command);
    until("there is a result", || {
        std::fs::metadata(folder.join("out.jsonl")).is_ok_and(|meta| meta.len() > 0)
            || is_leased(&folder, &brokers[0])
    });
    // The worker and the collector are likely connected to the first.
    brokers[0].kill();
    check_status(&collector.wait(), 0);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn a_worker_that_is_asked_to_leave_gives_back_what_it_has_not_done() {
    let folder = folder("cluster-leave");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(40, 17));
    submit(&folder, &broker.url, "in.txt");
    let mut first = worker(&folder, &broker.url, &[]);
    until("a worker has work", || is_leased(&folder, &broker));
    first.signal("TERM");
    let output = first.wait();
    check_status(&output, 0);
    assert!(texts(&output).0.contains("left after"), "{output:?}");
    // What it gave back need not wait for the lease to run out: nothing is leased.
    assert!(!is_leased(&folder, &broker));
    let _second = worker(&folder, &broker.url, &[]);
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 40);
    solve(&folder, "in.txt");
    assert_eq!(scores(&folder.join("out.jsonl")), scores(&folder.join("local.jsonl")));
}

#[test]
fn messages_that_make_no_sense_are_set_aside() {
    let folder = folder("cluster-nonsense");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(5, 8));
    submit(&folder, &broker.url, "in.txt");
    broker.publish("obverse.v1.jobs.easy.main.nonsense", "{\"version\":1,\"rm\":\"-rf\"}");
    broker.publish("obverse.v1.jobs.hard.main.later", "{\"version\":2}");
    let worker = worker(&folder, &broker.url, &["--exit-when-idle", "3s"]);
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 5);
    let output = worker.wait();
    check_status(&output, 0);
    assert!(texts(&output).1.contains("set aside obverse.v1.jobs."), "{output:?}");
    let status = status(&folder, &broker).unwrap();
    assert_eq!((&status["waiting"], &status["leased"]), (&0.into(), &0.into()), "{status}");
}

#[test]
fn what_was_cancelled_is_not_done_and_what_was_purged_is_gone() {
    let folder = folder("cluster-cancel");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(600, 6));
    submit(&folder, &broker.url, "in.txt");
    let server = ["--server", broker.url.as_str()];
    let cluster = |words: &[&str]| run(&folder, &[&["cluster"], words, &server].concat());
    let output = cluster(&["cancel", "--json"]);
    assert!(json(&output)["chunks"].as_u64() > Some(1));
    assert_eq!(status(&folder, &broker).unwrap()["waiting"], 0);
    check_status(&cluster(&["collect", "--out", "out.jsonl"]), 1);
    check_status(&cluster(&["purge"]), 2);
    check_status(&cluster(&["purge", "--yes"]), 0);
    let output = cluster(&["cancel"]);
    check_status(&output, 2);
    assert!(texts(&output).1.contains("found no campaign main"), "{output:?}");
    // It can be submitted anew.
    assert!(submit(&folder, &broker.url, "in.txt")["chunks"].as_u64() > Some(1));
}

#[test]
fn a_full_queue_holds_back_and_a_full_disk_is_told() {
    let folder = folder("cluster-full");
    let broker = Broker::start(&folder, &[]);
    write(&folder.join("in.txt"), &positions(2000, 11));
    // Somebody looks and makes the usual queue; then it gets room for a few chunks only.
    assert_eq!(status(&folder, &broker).unwrap()["waiting"], 0);
    let arguments = ["cluster", "submit", "in.txt", "--server", &broker.url, "--queue-max", "2"];
    let mut command = obverse(&folder, &[&arguments[..], &["--json"]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut submitter = Running::start(command);
    until("the queue is full", || status(&folder, &broker).is_some_and(|s| s["waiting"] == 2));
    assert!(submitter.child().try_wait().unwrap().is_none(), "it waits");
    let _worker = worker(&folder, &broker.url, &[]);
    assert_eq!(json(&submitter.wait())["complete"], true);
    // The output cannot be written: it is said, and nothing is lost.
    let output = run(
        &folder,
        &["cluster", "collect", "--out", "/dev/full", "--wait", "--server", &broker.url],
    );
    check_status(&output, 2);
    let error = texts(&output).1;
    assert!(error.contains("cannot write /dev/full: No space left on device"), "{error}");
    assert_eq!(collect(&folder, &broker.url, "out.jsonl")["written"], 2000);
    assert_eq!(records(&folder.join("out.jsonl")).len(), 2000);
}

#[test]
fn a_broker_without_room_is_told() {
    let folder = folder("cluster-no-room");
    let port = free_ports(1)[0];
    let store = folder.join("js");
    let config = format!(
        "host: 127.0.0.1\nport: {port}\njetstream {{ store_dir: \"{}\", max_file_store: 40KB }}\n",
        store.display()
    );
    let path = folder.join("nats.conf");
    std::fs::write(&path, config).unwrap();
    let broker = Broker::with(&folder, port, vec!["-c".to_owned(), path.display().to_string()]);
    write(&folder.join("in.txt"), &positions(1000, 6));
    let arguments = ["cluster", "submit", "in.txt", "--server", &broker.url, "--patience", "1s"];
    let start = Instant::now();
    let output = run(&folder, &arguments);
    check_status(&output, 2);
    let error = texts(&output).1;
    assert!(error.contains("resource") || error.contains("storage"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
}
