//! A crew answers every question once, whatever goes wrong on the way.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use obverse_board::{Counting, Position, Score};
use obverse_cluster::{
    Answer, Chunk, Class, Control, Coordinator, Crew, EngineShop, Event, Job, Limits, MemoryDesk,
    MemoryTransport, Offer, Outcome, Question, Shop, Solver, Task, Transport,
};
use obverse_engine::classic::{Rng, Spec, duel};
use obverse_engine::eval::Weights;
use obverse_engine::solve::Request;
use obverse_engine::{Config, Engine, Monitor};

/// Positions of random games with so many empty squares.
fn positions(n: usize, n_empties: u32) -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut player = "random".parse::<Spec>().unwrap().player(seed);
        let start = Position::parse("start").unwrap();
        let game = duel::self_play(start, &mut player, 0, &mut Rng::new(seed));
        let near = game.steps().map(|step| step.0).find(|p| p.empties().count() == n_empties);
        found.extend(near.filter(|position| !position.is_over()));
        if found.len() == n {
            break;
        }
    }
    found
}

fn ask(position: Position, task: Task, limits: Limits) -> Question {
    Question::new(position, Counting::WinnerTakesEmpties, task, limits).0
}

fn shop() -> EngineShop {
    EngineShop { weights: Weights::built_in(), table_mib: Some(1) }
}

fn crew<'a>(
    transport: &'a dyn Transport,
    shop: &'a dyn Shop,
    tell: &'a (dyn Fn(Event) + Sync),
) -> Crew<'a> {
    Crew { transport, shop, n_threads: 2, limits: Limits::default(), name: "test".into(), tell }
}

/// Asks all questions of a crew over a queue in memory; returns the outcomes with how often each came.
fn run(shop: &dyn Shop, questions: &[Question]) -> HashMap<Question, (Outcome, usize)> {
    let transport = MemoryTransport::new(4);
    let control = Control::default();
    let mut coordinator = Coordinator::new("main".into(), MemoryDesk::default());
    let mut answers = HashMap::new();
    std::thread::scope(|scope| {
        scope.spawn(|| crew(&transport, shop, &|_| {}).run(&control));
        for question in questions {
            let Ok(()) = coordinator.ask(*question, (Score(-64), Score(64)), ());
        }
        coordinator.flush();
        while coordinator.n_open() > 0 {
            while let Some(chunk) = coordinator.front() {
                match transport.offer(chunk).unwrap() {
                    Offer::Full => break,
                    Offer::Taken | Offer::Known => coordinator.offered(),
                }
            }
            let Some(results) = transport.results(Duration::from_millis(50)).unwrap() else {
                continue;
            };
            for (job, outcome) in results.outcomes {
                let Ok(tickets) = coordinator.take(&job.question);
                if !tickets.is_empty() {
                    answers.entry(job.question).or_insert((outcome, 0)).1 += tickets.len();
                }
            }
        }
        control.leave();
    });
    answers
}

fn answer(outcome: &Outcome) -> &Answer {
    match outcome {
        Outcome::Answer(answer) => answer,
        Outcome::Failed(reason) => panic!("{reason}"),
    }
}

#[test]
fn every_question_is_answered_once_and_truly() {
    let positions = positions(60, 11);
    let mut questions: Vec<Question> =
        positions.iter().map(|p| ask(*p, Task::Exact, Limits::default())).collect();
    questions.extend(positions.iter().take(10).map(|p| ask(*p, Task::Outcome, Limits::default())));
    questions.extend(positions.iter().take(10).map(|p| ask(*p, Task::Exact, Limits::default())));
    let answers = run(&shop(), &questions);
    assert_eq!(answers.values().map(|(_, n)| n).sum::<usize>(), 80);
    assert_eq!(answers.len(), 70);
    let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
    for (question, (outcome, _)) in &answers {
        let answer = answer(outcome);
        assert!(answer.proven && question.is_settled_by(answer.lower, answer.upper));
        let request = Request::exact(question.position(), question.counting());
        let score = engine.solve(request, &Monitor::default(), &mut |_| {}).score().unwrap();
        assert!((answer.lower..=answer.upper).contains(&score));
    }
}

#[test]
fn answers_do_not_depend_on_the_threads() {
    let ask = |p: &Position| ask(*p, Task::Exact, Limits::default());
    let questions: Vec<Question> = positions(300, 10).iter().map(ask).collect();
    let [first, second] = [run(&shop(), &questions), run(&shop(), &questions)];
    for (question, (outcome, _)) in first {
        let [first, second] = [&outcome, &second[&question].0].map(|outcome| {
            let Answer { lower, upper, best, nodes, .. } = answer(outcome);
            (lower.0, upper.0, *best, *nodes)
        });
        assert_eq!(first, second);
    }
}

#[test]
fn every_move_has_its_score_and_levels_say_what_they_are() {
    let position = positions(1, 9)[0];
    let tasks = [Task::Moves, Task::Level(3), Task::Level(9), Task::Depth(2)];
    let questions = tasks.map(|task| ask(position, task, Limits::default()));
    let answers = run(&shop(), &questions);
    let [moves, low, high, depth] = questions.map(|question| answer(&answers[&question].0).clone());
    assert_eq!(moves.moves.len() as u32, position.moves().count());
    assert!(moves.moves.iter().all(|m| m.lower == m.upper && m.upper <= moves.upper));
    assert_eq!(moves.moves[0].lower, moves.lower);
    assert!(!low.proven && low.estimate.is_some() && low.lower < low.upper);
    assert_eq!((high.proven, high.lower), (true, moves.lower));
    assert!(!depth.proven && depth.estimate.is_some());
}

#[test]
fn limits_give_honest_bounds_in_time() {
    // Far too hard to prove.
    let position = Position::parse("f5d6c3d3c4f4f6").unwrap();
    let by_time = Limits { time_ms: Some(100), nodes: None };
    let by_nodes = Limits { time_ms: None, nodes: Some(1_000_000) };
    for limits in [by_time, by_nodes] {
        let question = ask(position, Task::Exact, limits);
        let start = Instant::now();
        let answers = run(&shop(), &[question]);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        let answer = answer(&answers[&question].0);
        assert!(!answer.proven && answer.lower < answer.upper);
    }
}

/// Solves nothing: panics at one position, and counts what it does.
struct Faulty {
    bad: Question,
    n_bad: AtomicU64,
    n_good: AtomicU64,
}

struct FaultySolver<'a>(&'a Faulty);

impl Shop for &'static Faulty {
    fn solver(&self, _: usize) -> Box<dyn Solver> {
        Box::new(FaultySolver(self))
    }
}

impl Solver for FaultySolver<'_> {
    fn begin(&mut self, _: &[Job]) {}

    fn solve(&mut self, job: &Job, _: &Monitor) -> Answer {
        if job.question == self.0.bad {
            self.0.n_bad.fetch_add(1, Ordering::Relaxed);
            panic!("this one is too much for me");
        }
        self.0.n_good.fetch_add(1, Ordering::Relaxed);
        let (lower, upper) = job.known;
        Answer {
            lower,
            upper,
            best: None,
            proven: true,
            estimate: None,
            moves: Vec::new(),
            nodes: 0,
            micros: 0,
            engine: "faulty".into(),
        }
    }
}

#[test]
fn a_job_that_always_fails_is_set_aside_and_the_others_are_done() {
    let questions: Vec<Question> =
        positions(40, 8).iter().map(|p| ask(*p, Task::Exact, Limits::default())).collect();
    let faulty: &'static Faulty = Box::leak(Box::new(Faulty {
        bad: questions[17],
        n_bad: AtomicU64::new(0),
        n_good: AtomicU64::new(0),
    }));
    let answers = run(&faulty, &questions);
    assert_eq!(answers.len(), 40);
    for (question, (outcome, _)) in answers {
        match outcome {
            Outcome::Failed(reason) => {
                assert_eq!(question, faulty.bad);
                let expected = "tried 3 times: the solver panicked: this one is too much for me";
                assert_eq!(reason, expected);
            }
            Outcome::Answer(_) => assert_ne!(question, faulty.bad),
        }
    }
    // Once with the others, three times alone.
    assert_eq!(faulty.n_bad.load(Ordering::Relaxed), 4);
    assert_eq!(faulty.n_good.load(Ordering::Relaxed), 39);
}

#[test]
fn a_chunk_whose_worker_vanished_is_done_by_another() {
    let transport = MemoryTransport::new(4);
    let jobs: Vec<Job> =
        positions(3, 6).iter().map(|p| Job::new(ask(*p, Task::Exact, Limits::default()))).collect();
    let chunk = Chunk { campaign: "main".into(), class: Class::Easy, jobs };
    assert_eq!(transport.offer(&chunk), Ok(Offer::Taken));
    assert_eq!(transport.offer(&chunk), Ok(Offer::Known));
    // Somebody takes it and is never heard of again.
    let lost = transport.lease(Class::Easy, Duration::ZERO).unwrap().unwrap();
    transport.expire(&lost.token);
    let control = Control::default();
    let shop = shop();
    let mut done = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| crew(&transport, &shop, &|_| {}).run(&control));
        let end = Instant::now() + Duration::from_secs(30);
        while done.len() < 3 && Instant::now() < end {
            let results = transport.results(Duration::from_millis(100)).unwrap();
            done.extend(results.into_iter().flat_map(|results| results.outcomes));
        }
        control.leave();
    });
    assert_eq!(done.len(), 3);
    assert!(chunk.jobs.iter().all(|job| done.iter().any(|(done, _)| done == job)));
    // The lost worker comes back with its results: they come a second time, and nobody minds.
    let results = obverse_cluster::Results {
        campaign: Arc::clone(&chunk.campaign),
        id: chunk.id(),
        worker: "lost".into(),
        outcomes: done,
    };
    transport.finish(&lost.token, &results, &[]).unwrap();
    assert!(transport.results(Duration::ZERO).unwrap().is_some());
    assert_eq!(transport.lease(Class::Easy, Duration::ZERO), Ok(None));
}

#[test]
fn leaving_gives_back_what_is_not_done() {
    let transport = MemoryTransport::new(1);
    let jobs: Vec<Job> = positions(200, 12)
        .iter()
        .map(|p| Job::new(ask(*p, Task::Exact, Limits::default())))
        .collect();
    let chunk = Chunk { campaign: "main".into(), class: Class::Easy, jobs };
    transport.offer(&chunk).unwrap();
    let control = Control::default();
    let shop = shop();
    let tally = std::thread::scope(|scope| {
        let crew = scope.spawn(|| crew(&transport, &shop, &|_| {}).run(&control));
        while transport.leased().is_empty() {
            std::thread::yield_now();
        }
        control.leave();
        crew.join().unwrap()
    });
    let results = transport.results(Duration::ZERO).unwrap();
    let n_done = results.map_or(0, |results| results.outcomes.len());
    let rest = transport.lease(Class::Easy, Duration::ZERO).unwrap();
    let n_left = rest.map_or(0, |lease| lease.chunk.jobs.len());
    assert_eq!((tally.jobs, n_done + n_left), (n_done as u64, 200));
}
