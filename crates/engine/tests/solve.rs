//! The solver against plain minimax, against itself under every condition, and stopped midway.

use obverse_board::{Bitboard, Color, Counting, Move, Position, Score, Size, Symmetry};
use obverse_engine::classic::{Rng, duel};
use obverse_engine::solve::{Goal, Proof, Request};
use obverse_engine::{Config, Engine, Monitor};

const COUNTINGS: [Counting; 2] = [Counting::Discs, Counting::WinnerTakesEmpties];

fn solver(threads: usize, table_mib: usize) -> Engine {
    Engine::new(Config { threads, table_mib })
}

fn solve(solver: &mut Engine, request: Request) -> Proof {
    solver.solve(request, &Monitor::default(), &mut |_| {})
}

fn score(solver: &mut Engine, position: Position, counting: Counting) -> Score {
    solve(solver, Request::exact(position, counting)).score().expect("it was not stopped")
}

/// The definition of the score, with nothing clever.
fn minimax(position: Position, counting: Counting) -> Score {
    if position.is_over() {
        return position.score_for(position.turn(), counting);
    }
    if position.must_pass() {
        return -minimax(position.pass_unchecked(), counting);
    }
    let moves = position.moves().into_iter();
    let scores = moves.map(|square| -minimax(position.play_unchecked(square), counting));
    scores.max().expect("there is a move")
}

/// A position of a random game with `n_empties` squares left, or fewer discs than that if the game
/// ended sooner.
fn reached(size: Size, n_empties: u32, rng: &mut Rng) -> Position {
    let plies = u32::from(size.area()) - 4 - n_empties;
    duel::opening(Position::start(size), plies, rng)
}

/// Any discs at all with at most `n_empties` squares left.
fn scattered(size: Size, n_empties: u32, rng: &mut Rng) -> Position {
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    // Lopsided boards have passes and sudden ends; even ones have long fights.
    let share = rng.below(9) + 1;
    for square in size.squares() {
        if rng.below(10) < share { black = black.with(square) } else { white = white.with(square) }
    }
    let squares: Vec<_> = size.squares().into_iter().collect();
    for _ in 0..n_empties {
        let square = squares[rng.below(squares.len() as u64) as usize];
        (black, white) = (black.without(square), white.without(square));
    }
    Position::new(size, black, white, Color::Black).expect("no square was given twice")
}

#[test]
fn it_agrees_with_plain_minimax() {
    let mut solver = solver(1, 1);
    let mut rng = Rng::new(1);
    for size in Size::ALL {
        for n_empties in 0..=8 {
            for _ in 0..if n_empties < 7 { 150 } else { 30 } {
                for position in
                    [reached(size, n_empties, &mut rng), scattered(size, n_empties, &mut rng)]
                {
                    for counting in COUNTINGS {
                        let expected = minimax(position, counting);
                        assert_eq!(
                            score(&mut solver, position, counting),
                            expected,
                            "{position:?} {counting}"
                        );
                    }
                }
            }
        }
    }
}

/// Every move of the line must keep the score, which a fresh solver confirms.
fn check_line(position: Position, counting: Counting, proof: &Proof) {
    assert_eq!(proof.best, proof.line.first().copied());
    let expected = proof.score().expect("it was not stopped");
    let mut fresh = solver(1, 1);
    let mut at = position;
    for &mv in &proof.line {
        at = at.apply(mv).expect("the line is legal");
        let score = score(&mut fresh, at, counting);
        let score = if at.turn() == position.turn() { score } else { -score };
        assert_eq!(score, expected, "{mv} in {:?} of {position:?} {counting}", proof.line);
    }
    assert!(at.is_over());
}

#[test]
fn the_best_move_and_the_line_keep_the_score() {
    let mut solver = solver(2, 1);
    let mut rng = Rng::new(2);
    for size in Size::ALL {
        // Thirteen and more also use the shared table on the way down the line.
        for n_empties in [3, 6, 9, 11, 13, 15] {
            for _ in 0..if n_empties < 13 { 6 } else { 3 } {
                let position = reached(size, n_empties.min(u32::from(size.area()) - 4), &mut rng);
                for counting in COUNTINGS {
                    let proof = solve(&mut solver, Request::exact(position, counting));
                    check_line(position, counting, &proof);
                }
            }
        }
    }
}

#[test]
fn bounds_known_before_do_not_spoil_the_best_move() {
    let mut rng = Rng::new(9);
    let mut reused = solver(1, 1);
    for n_empties in [5, 9, 14] {
        for _ in 0..6 {
            let position = reached(Size::Eight, n_empties, &mut rng);
            for counting in COUNTINGS {
                let request = Request::exact(position, counting);
                let score = solve(&mut solver(1, 1), request).score().unwrap();
                let (least, most) = (Score(-64), Score(64));
                for known in [(score, most), (least, score), (score, score)] {
                    let request = Request { known, guess: Some(score), ..request };
                    for solver in [&mut solver(1, 1), &mut reused] {
                        check_line(position, counting, &solve(solver, request));
                    }
                }
            }
        }
    }
}

#[test]
fn threads_table_size_and_symmetry_do_not_change_the_score() {
    let mut rng = Rng::new(3);
    let mut reference = solver(1, 16);
    // A tiny table and many threads: every entry is fought over.
    let mut others = [solver(1, 1), solver(2, 1), solver(8, 1)];
    for _ in 0..6 {
        let position = reached(Size::Eight, 17, &mut rng);
        let counting = Counting::WinnerTakesEmpties;
        let expected = score(&mut reference, position, counting);
        for other in &mut others {
            assert_eq!(score(other, position, counting), expected, "{position:?}");
        }
        for symmetry in Symmetry::ALL {
            assert_eq!(score(&mut others[0], position.transformed(symmetry), counting), expected);
        }
    }
}

#[test]
fn small_boards_have_their_known_values() {
    let mut solver = solver(2, 16);
    let start = Position::start(Size::Four);
    assert_eq!(score(&mut solver, start, Counting::Discs), Score(-8));
    assert_eq!(score(&mut solver, start, Counting::WinnerTakesEmpties), Score(-10));
    // The other start, where like discs stand side by side, and a larger board in between.
    let set = |squares: &[u8]| Bitboard(squares.iter().fold(0, |set, square| set | 1 << square));
    let parallel = Position::new(Size::Four, set(&[9, 10]), set(&[17, 18]), Color::Black).unwrap();
    assert_eq!(score(&mut solver, parallel, Counting::Discs), minimax(parallel, Counting::Discs));
    let six = reached(Size::Six, 14, &mut Rng::new(4));
    assert_eq!(score(&mut solver, six, Counting::Discs), solve_fresh(six, Counting::Discs));
    assert_eq!(score(&mut solver, start, Counting::Discs), Score(-8));
}

fn solve_fresh(position: Position, counting: Counting) -> Score {
    score(&mut solver(1, 1), position, counting)
}

#[test]
fn outcomes_and_windows_say_no_more_than_was_asked() {
    let mut rng = Rng::new(5);
    let mut solver = solver(1, 1);
    for _ in 0..60 {
        let position = reached(Size::Eight, 10, &mut rng);
        let request = Request::exact(position, Counting::WinnerTakesEmpties);
        let score = solve(&mut solver, request).score().unwrap();
        let outcome = solve(&mut solver, Request { goal: Goal::Outcome, ..request });
        match score.0 {
            1.. => assert!(outcome.lower.0 > 0),
            0 => assert_eq!(outcome.score(), Some(Score(0))),
            _ => assert!(outcome.upper.0 < 0),
        }
        for (low, high) in [(-4, 4), (-64, -20), (10, 12), (63, 64), (-64, 64), (-64, -63)] {
            let goal = Goal::Window(Score(low), Score(high));
            let proof = solve(&mut solver, Request { goal, ..request });
            assert!(proof.lower <= score && score <= proof.upper);
            let decided = proof.score().is_some() || proof.lower.0 >= high || proof.upper.0 <= low;
            assert!(decided && !proof.stopped, "{score} in ({low}, {high}): {proof:?}");
        }
    }
}

#[test]
fn a_wrong_guess_and_known_bounds_do_not_change_the_score() {
    let mut rng = Rng::new(6);
    for _ in 0..20 {
        let position = reached(Size::Eight, 9, &mut rng);
        for counting in COUNTINGS {
            let request = Request::exact(position, counting);
            let score = solve(&mut solver(1, 1), request).score().unwrap();
            for guess in [-64, -7, 30, 64] {
                let request = Request { guess: Some(Score(guess)), ..request };
                assert_eq!(solve(&mut solver(1, 1), request).score(), Some(score));
            }
            let request = Request { known: (score, Score(64)), ..request };
            assert_eq!(solve(&mut solver(1, 1), request).score(), Some(score));
        }
    }
}

#[test]
fn a_stopped_proof_has_honest_bounds() {
    let mut rng = Rng::new(7);
    let position = reached(Size::Eight, 15, &mut rng);
    let request = Request::exact(position, Counting::WinnerTakesEmpties);
    let score = solve(&mut solver(1, 1), request).score().unwrap();
    for threads in [1, 4] {
        let mut solver = solver(threads, 1);
        let monitor = Monitor::default();
        // Stopped before it begins: nothing is known, and a legal move is offered.
        monitor.stop();
        let proof = solver.solve(request, &monitor, &mut |_| {});
        assert!(proof.stopped);
        assert_eq!((proof.lower, proof.upper), (Score(-64), Score(64)));
        assert!(position.apply(proof.best.unwrap()).is_ok());
        // Stopped after the first answer.
        let monitor = Monitor::default();
        let proof = solver.solve(request, &monitor, &mut |_| monitor.stop());
        assert!(proof.lower <= score && score <= proof.upper, "{proof:?}");
        // A new monitor starts afresh.
        assert_eq!(solve(&mut solver, request).score(), Some(score));
    }
}

#[test]
fn far_from_the_end_it_stops_when_told() {
    let mut solver = solver(2, 1);
    let monitor = Monitor::default();
    let request = Request::exact(Position::start(Size::Eight), Counting::WinnerTakesEmpties);
    let proof = std::thread::scope(|scope| {
        let stopper = monitor.clone();
        scope.spawn(move || {
            while stopper.nodes() < 100_000 {
                std::thread::yield_now();
            }
            stopper.stop();
        });
        solver.solve(request, &monitor, &mut |_| {})
    });
    assert!(proof.stopped && proof.lower <= proof.upper);
}

#[test]
fn passes_ends_and_wiped_out_boards_behave() {
    let mut solver = solver(1, 1);
    let parse = |text: &str| Position::parse(text).unwrap();
    let takes = Counting::WinnerTakesEmpties;
    // Over, with nobody left: the winner takes everything.
    let wiped_out = parse("8/8/8/3bb3/3bb3/8/8/8 w");
    let proof = solve(&mut solver, Request::exact(wiped_out, takes));
    assert_eq!((proof.score(), proof.best, proof.line), (Some(Score(-64)), None, vec![]));
    assert_eq!(score(&mut solver, wiped_out, Counting::Discs), Score(-4));
    // No discs at all is a draw.
    assert_eq!(score(&mut solver, parse("8/8/8/8/8/8/8/8 b"), takes), Score(0));
    // Black must pass, then white takes all.
    let stuck = parse("wb6/8/8/8/8/8/8/8 b");
    let proof = solve(&mut solver, Request::exact(stuck, takes));
    assert_eq!((proof.score(), proof.best), (Some(Score(-64)), Some(Move::Pass)));
    // A full board is counted.
    let full = parse("bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbbb/wwwwwwww/wwwwwwww/wwwwwwww/wwwwwwwb b");
    assert_eq!(score(&mut solver, full, takes), Score(2));
}

#[test]
fn the_same_request_visits_the_same_nodes() {
    let position = reached(Size::Eight, 16, &mut Rng::new(8));
    let request = Request::exact(position, Counting::WinnerTakesEmpties);
    let nodes = || solve(&mut solver(1, 4), request).nodes;
    assert_eq!(nodes(), nodes());
}
