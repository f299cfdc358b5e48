//! Jobs that are interrupted again and again.

use std::time::Duration;

use obverse_board::{Counting, Move, Position, Size, Square};
use obverse_engine::{Certainty, Config, Engine, Limits, Monitor};
use obverse_studio::pace::Pace;
use obverse_studio::seat::Seat;
use obverse_studio::work::{Bench, Choose, Effort, Ended, Job, JudgeMove, News, Think, Work};

const COUNTING: Counting = Counting::WinnerTakesEmpties;

fn engine() -> Engine {
    Engine::new(Config { threads: 1, table_mib: 1 })
}

/// Runs a slice; `stop_first` ends it before it begins, `stop_at_news` as soon as there is news.
fn run(
    work: &mut Work,
    engine: &mut Engine,
    (stop_first, stop_at_news, is_last): (bool, bool, bool),
) -> (Ended, Vec<News>) {
    let monitor = Monitor::default();
    if stop_first {
        monitor.stop();
    }
    let mut bench = Bench {
        engine,
        threads: 1,
        monitor: &monitor,
        elapsed: &|| Duration::ZERO,
        worked: &|| Duration::ZERO,
        is_last: &|| is_last,
    };
    let mut all_news = Vec::new();
    let ended = work.run(&mut bench, &mut |news| {
        if stop_at_news {
            monitor.stop();
        }
        all_news.push(news);
    });
    (ended, all_news)
}

#[test]
fn an_interrupted_analysis_goes_on_and_never_tells_less() {
    let position = Position::start(Size::Four);
    let top = position.moves().count() as usize;
    let think = Think { position, counting: COUNTING, limits: Limits::NONE, time: None, top };
    let mut work = Work::new(&Job::Think(think));
    let mut engine = engine();
    let mut certainties: Vec<Certainty> = Vec::new();
    for _ in 0..100 {
        let (ended, all_news) = run(&mut work, &mut engine, (false, true, false));
        for news in all_news {
            let News::Thought(candidates) = news else { panic!("{news:?}") };
            assert_eq!(candidates.len(), top);
            certainties.extend(candidates.iter().map(|c| c.value.certainty).min());
        }
        if ended == Ended::Done {
            break;
        }
    }
    assert!(certainties.is_sorted_by(|a, b| a < b), "{certainties:?}");
    assert_eq!(certainties.last(), Some(&Certainty::Proven));
}

#[test]
fn a_job_without_time_waits_for_more() {
    let position = Position::start(Size::Six);
    let think = Think { position, counting: COUNTING, limits: Limits::NONE, time: None, top: 1 };
    let mv = Move::Place(position.moves().first().unwrap());
    let effort = Effort::Time(Duration::from_secs(1));
    let jobs = [
        Job::Think(think),
        Job::Judge(JudgeMove { position, mv, counting: COUNTING, effort }),
        Job::Deal { seed: 1 },
    ];
    for job in jobs {
        let mut work = Work::new(&job);
        let (ended, news) = run(&mut work, &mut engine(), (true, false, false));
        assert_eq!(ended, Ended::Interrupted, "{job:?}");
        assert!(!news.iter().any(|news| matches!(news, News::Judged(_) | News::Dealt(_))));
    }
}

#[test]
fn in_a_hurry_there_is_still_a_move() {
    let position = Position::start(Size::Eight);
    for seat in [Seat::Engine(Pace::Time(Duration::from_hours(1))), Seat::Engine(Pace::default())] {
        let choose = Choose { seat, position, counting: COUNTING, clock: None, seed: 1 };
        let mut work = Work::new(&Job::Choose(choose));
        let (ended, news) = run(&mut work, &mut engine(), (true, false, true));
        assert_eq!(ended, Ended::Done);
        let [News::Chosen { mv: Move::Place(square), .. }] = news[..] else { panic!("{news:?}") };
        assert!(position.moves().contains(square));
    }
}

#[test]
fn a_judgement_is_the_same_however_often_it_is_interrupted() {
    // Near the end everything is proven.
    let position = Position::parse("start:4x4").unwrap();
    let mv = Move::Place(Square::B1);
    let effort = Effort::Level(obverse_engine::Level::new(10).unwrap());
    let job = Job::Judge(JudgeMove { position, mv, counting: COUNTING, effort });
    let (mut work, mut engine) = (Work::new(&job), engine());
    for _ in 0..3 {
        assert_eq!(run(&mut work, &mut engine, (true, false, false)), (Ended::Interrupted, vec![]));
    }
    let (ended, news) = run(&mut work, &mut engine, (false, false, false));
    assert_eq!(ended, Ended::Done);
    let [News::Judged(verdict)] = &news[..] else { panic!("{news:?}") };
    assert_eq!((verdict.value.discs as i8, verdict.certainty()), (-10, Certainty::Proven));
}

#[test]
fn an_xot_opening_has_eight_moves() {
    let mut engine = engine();
    let mut games = Vec::new();
    for seed in 0..3 {
        let mut work = Work::new(&Job::Deal { seed });
        let (ended, news) = run(&mut work, &mut engine, (false, false, false));
        assert_eq!(ended, Ended::Done);
        let [News::Dealt(game)] = &news[..] else { panic!("{news:?}") };
        let n_discs = game.moves().iter().filter(|mv| mv.square().is_some()).count();
        assert_eq!(n_discs, 8);
        games.push(game.clone());
    }
    assert!(games[0] != games[1] || games[1] != games[2]);
}
