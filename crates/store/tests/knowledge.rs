//! A store keeps what it is told, narrows it, and never gives way to a contradiction.

use std::path::PathBuf;

use obverse_board::{Counting, Move, Position, Score, Square};
use obverse_store::{Added, Error, Finding, Key, Knowledge, Waiting};
use proptest::prelude::*;

fn key(text: &str) -> Key {
    Key::of(Position::parse(text).unwrap(), Counting::WinnerTakesEmpties).0
}

fn finding(lower: i8, upper: i8) -> Finding {
    Finding {
        lower: Score(lower),
        upper: Score(upper),
        best: Some(Move::Place(Square::C4)),
        nodes: 10,
        micros: 2,
        engine: "first".into(),
    }
}

fn bounds(knowledge: &Knowledge, key: Key) -> Option<(i8, i8)> {
    knowledge.find(key).unwrap().map(|found| (found.lower.0, found.upper.0))
}

/// A path where no store is.
fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    path
}

#[test]
fn bounds_get_narrower_and_efforts_add_up() {
    let mut knowledge = Knowledge::in_memory().unwrap();
    let start = key("start");
    assert_eq!(knowledge.find(start).unwrap(), None);
    assert_eq!(knowledge.add(start, &finding(-10, 64)).unwrap(), Added::New);
    assert_eq!(knowledge.add(start, &finding(-64, 64)).unwrap(), Added::Same);
    let other = Finding { engine: "second".into(), best: None, ..finding(-64, 0) };
    assert_eq!(knowledge.add(start, &other).unwrap(), Added::Narrower);
    let both = knowledge.find(start).unwrap().unwrap();
    assert_eq!((both.lower, both.upper), (Score(-10), Score(0)));
    assert_eq!((both.best, both.nodes, both.micros), (Some(Move::Place(Square::C4)), 20, 4));
    let pass = Finding { best: Some(Move::Pass), ..finding(0, 0) };
    assert_eq!(knowledge.add(start, &pass).unwrap(), Added::Narrower);
    assert_eq!(knowledge.find(start).unwrap().unwrap().best, Some(Move::Pass));
}

#[test]
fn a_best_move_goes_with_the_lower_bound_it_reaches() {
    let mut knowledge = Knowledge::in_memory().unwrap();
    let start = key("start");
    let best = |knowledge: &Knowledge| knowledge.find(start).unwrap().unwrap().best;
    knowledge.add(start, &finding(-10, 64)).unwrap();
    // A higher bound that nobody knows the move of: the old move need not reach it.
    knowledge.add(start, &Finding { best: None, ..finding(4, 64) }).unwrap();
    assert_eq!(best(&knowledge), None);
    // A move that reaches less is none for it either.
    knowledge.add(start, &finding(2, 20)).unwrap();
    assert_eq!(best(&knowledge), None);
    knowledge.add(start, &finding(4, 10)).unwrap();
    assert_eq!(best(&knowledge), Some(Move::Place(Square::C4)));
}

#[test]
fn a_contradiction_is_told_and_kept_aside() {
    let mut knowledge = Knowledge::in_memory().unwrap();
    let start = key("start");
    knowledge.add(start, &finding(2, 64)).unwrap();
    let wrong = Finding { engine: "second".into(), ..finding(-64, 0) };
    let Added::Contradiction(told) = knowledge.add(start, &wrong).unwrap() else {
        panic!("nobody was told")
    };
    let text = "first found a score from +2 to +64, second one from -64 to 0";
    assert_eq!(told.to_string(), text);
    // Told each time, kept once.
    assert!(matches!(knowledge.add(start, &wrong).unwrap(), Added::Contradiction(_)));
    assert_eq!(bounds(&knowledge, start), Some((2, 64)));
    assert_eq!(knowledge.contradictions().unwrap(), [*told]);
}

#[test]
fn a_file_keeps_what_was_committed() {
    let path = path("kept.store");
    let mut knowledge = Knowledge::open(&path).unwrap();
    knowledge.add(key("start"), &finding(0, 0)).unwrap();
    knowledge.add_answer(b"how far?", "12 moves").unwrap();
    knowledge.commit().unwrap();
    knowledge.add(key("f5d6"), &finding(-2, 2)).unwrap();
    // As if the program had been killed.
    drop(knowledge);
    let knowledge = Knowledge::open(&path).unwrap();
    assert_eq!(bounds(&knowledge, key("start")), Some((0, 0)));
    assert_eq!(bounds(&knowledge, key("f5d6")), None);
    assert_eq!(knowledge.answer(b"how far?").unwrap().as_deref(), Some("12 moves"));
    assert_eq!(knowledge.answer(b"how long?").unwrap(), None);
    let mut all = Vec::new();
    knowledge
        .each(&mut |key, found| {
            all.push((key, found.lower));
            Ok::<(), Error>(())
        })
        .unwrap();
    assert_eq!(all, [(key("start"), Score(0))]);
}

#[test]
fn two_programs_may_write_one_file() {
    let path = path("shared.store");
    let texts = ["f5d6c3", "f5f6e6", "f5d6c4", "f5d6c5", "f5d6c6", "f5d6c7"];
    std::thread::scope(|scope| {
        for half in texts.chunks(3) {
            let path = &path;
            scope.spawn(move || {
                let mut knowledge = Knowledge::open(path).unwrap();
                for text in half {
                    knowledge.add(key(text), &finding(1, 2)).unwrap();
                    knowledge.commit().unwrap();
                }
            });
        }
    });
    assert_eq!(Knowledge::open(&path).unwrap().len().unwrap(), 6);
}

#[test]
fn files_of_something_else_are_left_alone() {
    let path = path("notes.txt");
    std::fs::write(&path, "these are notes, and quite some of them, but no database").unwrap();
    let error = Knowledge::open(&path).unwrap_err().to_string();
    assert!(error.contains("not a database"), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("these are notes"));
}

#[test]
fn tickets_wait_for_their_question() {
    let mut knowledge = Knowledge::in_memory().unwrap();
    let mut waiting = Waiting(&mut knowledge);
    assert!(waiting.add(b"a", "1").unwrap());
    assert!(!waiting.add(b"a", "2").unwrap());
    assert!(waiting.add(b"b", "3").unwrap());
    assert_eq!(waiting.len().unwrap(), 3);
    assert_eq!(waiting.take(b"a").unwrap(), ["1", "2"]);
    assert_eq!(waiting.take(b"a").unwrap(), Vec::<String>::new());
    assert_eq!(waiting.take(b"b").unwrap(), ["3"]);
    assert!(waiting.is_empty().unwrap());
    assert_eq!(waiting.mark("results").unwrap(), 0);
    waiting.set_mark("results", 17).unwrap();
    assert_eq!(waiting.mark("results").unwrap(), 17);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// True bounds in any order come to the same: the narrowest of them.
    #[test]
    fn the_order_of_true_bounds_does_not_matter(
        score in -64..=64_i8,
        spans in proptest::collection::vec((0..40_i8, 0..40_i8), 1..8),
    ) {
        let mut knowledge = Knowledge::in_memory().unwrap();
        let start = key("start");
        let clamp = |n: i16| n.clamp(-64, 64) as i8;
        let all: Vec<(i8, i8)> = spans
            .iter()
            .map(|(down, up)| (clamp(i16::from(score) - i16::from(*down)), clamp(i16::from(score) + i16::from(*up))))
            .collect();
        for (lower, upper) in &all {
            knowledge.add(start, &finding(*lower, *upper)).unwrap();
        }
        let narrowest =
            (all.iter().map(|b| b.0).max().unwrap(), all.iter().map(|b| b.1).min().unwrap());
        prop_assert_eq!(bounds(&knowledge, start), Some(narrowest));
        prop_assert!(knowledge.contradictions().unwrap().is_empty());
    }
}
