//! How a cluster grows: the coordinator, the queue and the assignments of workers as they are, with
//! simulated workers and a simulated clock.
//!
//! `cargo run --release -p obverse-cluster --example simulate -- [SECONDS [MILLISECONDS [HOURS]]]`
//!
//! SECONDS is what a position takes on the average (default 40), MILLISECONDS what the servers need for
//! a chunk, one after the other (default 1.0), HOURS how long a worker lives on the average (default
//! 24). For each number of workers, who have fifty positions each to solve, it prints when nine tenths
//! of them are solved and how much of the workers' time until then went into that; the rest is waiting
//! for the queue and what workers had in hand when they died. Then when all are solved, which depends on
//! the hardest one. `docs/scale.md` has the table.
//!
//! Times are drawn from a log-normal distribution whose logarithm to the base 10 has a standard
//! deviation of 0.6, as was measured for the leaves of proofs (0.56 and 0.68).

#![allow(clippy::print_stdout, reason = "this is a program for the terminal")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use obverse_board::{Bitboard, Color, Counting, Position, Size};
use obverse_cluster::{
    Assignment, Begin, Class, Coordinator, Job, Lease, Limits, MemoryDesk, MemoryTransport, Offer,
    Outcome, Question, Task, Token, Transport,
};
use obverse_engine::classic::Rng;

/// Positions for each worker.
const JOBS_PER_WORKER: u64 = 50;

/// How long a worker may be silent, and how long it takes until another is in its place.
const LEASE_S: f64 = 30.0;
const REPLACEMENT_S: f64 = 120.0;

const SPREAD: f64 = 0.6;

/// Times in seconds.
#[allow(clippy::struct_field_names, reason = "the unit")]
struct Settings {
    mean_s: f64,
    broker_s: f64,
    life_s: f64,
}

/// What happens at some time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker looks for work.
    Ready,
    /// A worker has done its chunk.
    Done(Token),
    /// The lease of a worker that died runs out.
    Expired(Token),
}

/// A time in microseconds, then a number that makes events different.
type When = (u64, u64);

struct Simulation {
    settings: Settings,
    rng: Rng,
    events: BinaryHeap<Reverse<(When, Event)>>,
    n_events: u64,
    /// When the servers have time again.
    broker_free_s: f64,
    transport: MemoryTransport,
    /// Who has what, since when, and how long it takes.
    leases: std::collections::HashMap<Token, (Lease, f64, f64)>,
    /// Time spent on what counted.
    useful_s: f64,
    n_deaths: u64,
}

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let word = |i: usize, default: f64| words.get(i).copied().unwrap_or(default);
    println!("workers   positions  h for 90 %  busy  h for all  deaths");
    for n_workers in [10, 100, 1_000, 10_000, 30_000, 100_000] {
        let settings = Settings {
            mean_s: word(0, 40.0),
            broker_s: word(1, 1.0) / 1e3,
            life_s: word(2, 24.0) * 3600.0,
        };
        let mut simulation = Simulation::new(settings);
        let n_jobs = JOBS_PER_WORKER * n_workers;
        let (most_s, busy_s, all_s) = simulation.run(n_workers, n_jobs);
        let busy = 100.0 * busy_s / (most_s * n_workers as f64);
        let (most_h, all_h, deaths) = (most_s / 3600.0, all_s / 3600.0, simulation.n_deaths);
        println!("{n_workers:7} {n_jobs:11} {most_h:11.2} {busy:4.0} % {all_h:10.2} {deaths:7}");
    }
}

impl Simulation {
    fn new(settings: Settings) -> Simulation {
        Simulation {
            settings,
            rng: Rng::new(1),
            events: BinaryHeap::new(),
            n_events: 0,
            broker_free_s: 0.0,
            transport: MemoryTransport::new(usize::MAX),
            leases: std::collections::HashMap::new(),
            useful_s: 0.0,
            n_deaths: 0,
        }
    }

    fn at(&mut self, time_s: f64, event: Event) {
        self.n_events += 1;
        self.events.push(Reverse((((time_s * 1e6) as u64, self.n_events), event)));
    }

    /// When the servers have done something that is asked of them now.
    fn broker(&mut self, now_s: f64) -> f64 {
        self.broker_free_s = self.broker_free_s.max(now_s) + self.settings.broker_s / 2.0;
        self.broker_free_s
    }

    /// Does so many jobs; returns when most were done, how much work they were, and when all were done.
    fn run(&mut self, n_workers: u64, n_jobs: u64) -> (f64, f64, f64) {
        let mut coordinator = Coordinator::new("simulated".into(), MemoryDesk::default());
        for number in 0..n_jobs {
            let question = question(number);
            let Ok(()) = coordinator.ask(question, Job::new(question).known, ());
        }
        coordinator.flush();
        while let Some(chunk) = coordinator.front() {
            let offered = self.transport.offer(chunk);
            assert!(matches!(offered, Ok(Offer::Taken)), "every question is another one");
            coordinator.offered();
        }
        for _ in 0..n_workers {
            self.at(0.0, Event::Ready);
        }
        let mut now_s = 0.0;
        let mut most = None;
        while coordinator.n_open() > 0 {
            let Some(Reverse(((time, _), event))) = self.events.pop() else { break };
            now_s = time as f64 / 1e6;
            match event {
                Event::Ready => self.find(now_s),
                Event::Done(token) => self.finish(now_s, &token),
                Event::Expired(token) => self.transport.expire(&token),
            }
            if most.is_none() && coordinator.n_open() <= n_jobs / 10 {
                // What is in hand counts as far as it has come.
                let in_hand_s: f64 =
                    self.leases.values().map(|(_, from_s, _)| (now_s - from_s).max(0.0)).sum();
                most = Some((now_s, self.useful_s + in_hand_s));
            }
            while let Ok(Some(results)) = self.transport.results(Duration::ZERO) {
                for (job, _) in results.outcomes {
                    let Ok(_) = coordinator.take(&job.question);
                }
            }
        }
        let (most_s, busy_s) = most.unwrap_or((now_s, self.useful_s));
        (most_s, busy_s, now_s)
    }

    /// A worker looks for work.
    fn find(&mut self, now_s: f64) {
        let from_s = self.broker(now_s);
        let lease = [Class::Easy, Class::Hard]
            .into_iter()
            .find_map(|class| self.transport.lease(class, Duration::ZERO).ok().flatten());
        let Some(lease) = lease else {
            // Somebody may die yet.
            self.at(from_s + 1.0, Event::Ready);
            return;
        };
        let n_jobs = lease.chunk.jobs.len();
        let work_s: f64 = (0..n_jobs).map(|_| self.draw_s()).sum();
        let life_s = -self.settings.life_s * (1.0 - self.uniform()).ln();
        let token = lease.token.clone();
        if life_s < work_s {
            self.n_deaths += 1;
            self.at(from_s + life_s + LEASE_S, Event::Expired(token));
            self.at(from_s + life_s + REPLACEMENT_S, Event::Ready);
        } else {
            self.leases.insert(token.clone(), (lease, from_s, work_s));
            self.at(from_s + work_s, Event::Done(token));
        }
    }

    fn finish(&mut self, now_s: f64, token: &Token) {
        let Some((lease, _, work_s)) = self.leases.remove(token) else { return };
        self.useful_s += work_s;
        match Assignment::begin(lease.chunk, lease.n_tries, "simulated".into()) {
            Begin::Work(mut assignment) => {
                while assignment.next().is_some() {
                    assignment.done(Outcome::Failed("nothing was solved".to_owned()));
                }
                let end = assignment.end();
                let _ = self.transport.finish(token, &end.results, &end.rest);
            }
            // Three workers died over it: the queue gives it back until one does not.
            Begin::Split(_) | Begin::SetAside(_) => self.transport.expire(token),
        }
        let free_s = self.broker(now_s);
        self.at(free_s, Event::Ready);
    }

    fn uniform(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// How long a position takes.
    fn draw_s(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        let sigma = SPREAD * std::f64::consts::LN_10;
        // So that the mean is what it should be.
        self.settings.mean_s * (sigma * normal - sigma * sigma / 2.0).exp()
    }
}

/// A question about some position far from the end; no two are alike.
fn question(number: u64) -> Question {
    // A corner that no symmetry moves onto another one's discs, and the number in bits beside it.
    let player = Bitboard(1 | (number & 0x7f) << 1 | (number >> 7 & 0x7f) << 9);
    let opponent = Bitboard(((number >> 14) & 0x7f) << 17 | 1 << 63);
    let position = Position::new(Size::Eight, player, opponent, Color::Black).expect("apart");
    Question::new(position, Counting::Discs, Task::Window(-1, 1), Limits::default()).0
}
