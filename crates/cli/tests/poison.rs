//! A job that nobody survives is set aside with the reason, and holds up no other: with a real broker.

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use obverse_board::{Counting, Position};
use obverse_cluster::nats::{Nats, Options};
use obverse_cluster::{
    Answer, Control, Crew, EngineShop, Event, Job, Limits, Question, Shop, Solver, TRIES_MAX, Task,
};
use obverse_engine::Monitor;
use obverse_engine::eval::Weights;
use support::{
    Broker, Running, check_status, folder, json, obverse, positions, records, run, status, texts,
    until, write,
};

const LEASE: &str = "1s";

fn submit(folder: &Path, broker: &Broker) {
    let arguments = ["cluster", "submit", "in.txt", "--lease", LEASE, "--server", &broker.url];
    check_status(&run(folder, &arguments), 0);
}

/// Collects all there is, of which one line failed; returns why.
#[track_caller]
fn collect(folder: &Path, broker: &Broker, n_good: u64) -> String {
    let arguments =
        ["cluster", "collect", "--out", "out.jsonl", "--wait", "--json", "--server", &broker.url];
    let output = run(folder, &arguments);
    check_status(&output, 1);
    let collected = json(&output);
    assert_eq!(
        (&collected["written"], &collected["failed"], &collected["complete"]),
        (&n_good.into(), &1.into(), &true.into()),
        "{collected}"
    );
    assert_eq!(records(&folder.join("out.jsonl")).len() as u64, n_good);
    let bad = fs::read_to_string(folder.join("out.jsonl.bad")).unwrap();
    let bad: serde_json::Value = serde_json::from_str(&bad).expect("one bad line");
    assert_eq!(bad["line"], n_good + 1, "{bad}");
    bad["reason"].as_str().expect("a reason").to_owned()
}

/// An engine that panics at one position.
struct Faulty {
    shop: EngineShop,
    bad: Question,
    n_bad: AtomicU64,
}

struct FaultySolver {
    solver: Box<dyn Solver>,
    faulty: &'static Faulty,
}

impl Shop for &'static Faulty {
    fn solver(&self, n_threads: usize) -> Box<dyn Solver> {
        Box::new(FaultySolver { solver: self.shop.solver(n_threads), faulty: self })
    }
}

impl Solver for FaultySolver {
    fn begin(&mut self, jobs: &[Job]) {
        self.solver.begin(jobs);
    }

    fn solve(&mut self, job: &Job, monitor: &Monitor) -> Answer {
        if job.question == self.faulty.bad {
            self.faulty.n_bad.fetch_add(1, Ordering::SeqCst);
            panic!("this one is too much for me");
        }
        self.solver.solve(job, monitor)
    }
}

#[test]
fn a_job_at_which_the_solver_panics_is_set_aside() {
    let folder = folder("poison-panic");
    let broker = Broker::start(&folder, &[]);
    let lines = positions(41, 8);
    write(&folder.join("in.txt"), &lines);
    submit(&folder, &broker);
    let position = Position::parse(&lines[40]).unwrap();
    let counting = Counting::WinnerTakesEmpties;
    let faulty: &'static Faulty = Box::leak(Box::new(Faulty {
        shop: EngineShop { weights: Weights::built_in(), table_mib: Some(1) },
        bad: Question::new(position, counting, Task::Exact, Limits::default()).0,
        n_bad: AtomicU64::new(0),
    }));
    let servers = vec![broker.url.clone()];
    let options = Options { servers, lease: Some(Duration::from_secs(1)), ..Options::default() };
    let nats = Nats::connect(options, "main").expect("the server is there");
    let n_told = AtomicU64::new(0);
    let crew = Crew {
        transport: &nats,
        shop: &faulty,
        n_threads: 2,
        limits: Limits::default(),
        name: "faulty".into(),
        tell: &|event| {
            if matches!(event, Event::Failed(_)) {
                n_told.fetch_add(1, Ordering::SeqCst);
            }
        },
    };
    let control = Control::default();
    let reason = std::thread::scope(|scope| {
        scope.spawn(|| crew.run(&control));
        let reason = std::panic::catch_unwind(|| collect(&folder, &broker, 40));
        control.leave();
        reason.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let expected =
        format!("tried {TRIES_MAX} times: the solver panicked: this one is too much for me");
    assert_eq!(reason, expected);
    // Once with others, and then alone.
    let n_bad = faulty.n_bad.load(Ordering::SeqCst);
    assert!((TRIES_MAX..=TRIES_MAX + 1).contains(&n_bad), "{n_bad}");
    assert_eq!(n_told.load(Ordering::SeqCst), n_bad);
}

#[test]
fn a_job_that_kills_every_worker_is_set_aside() {
    let folder = folder("poison-kill");
    let broker = Broker::start(&folder, &[]);
    let mut lines = positions(5, 8);
    // Nobody solves this one in the time of a test.
    lines.extend(positions(1, 40));
    write(&folder.join("in.txt"), &lines);
    submit(&folder, &broker);
    let worker = |more: &[&str]| {
        let mut command = obverse(&folder, &["worker", "--server", &broker.url]);
        command.args(["--lease", LEASE, "--threads", "1", "--table-mib", "16"]);
        command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running::start(command)
    };
    for _ in 0..TRIES_MAX {
        let mut victim = worker(&[]);
        // The easy ones are done soon, by the first; then it has the hard one in hand.
        until("only the hard one is left, in hand", || {
            status(&folder, &broker)
                .is_some_and(|status| (status["waiting"] == 0) && (status["leased"] == 1))
        });
        // It is renewed while the worker lives: this one is not merely left from the one before.
        std::thread::sleep(Duration::from_millis(1500));
        assert_eq!(status(&folder, &broker).unwrap()["leased"], 1);
        victim.kill();
    }
    let last = worker(&["--exit-when-idle", "4s"]);
    let reason = collect(&folder, &broker, 5);
    assert_eq!(reason, format!("tried {TRIES_MAX} times, and each time the worker vanished"));
    let output = last.wait();
    check_status(&output, 0);
    assert!(texts(&output).0.contains("left after"), "{output:?}");
}
