//! The fit finds what least squares say, as far as that can be worked out by other means.

use std::collections::HashMap;
use std::ops::ControlFlow;

use obverse_board::{Board, Position, Score, Size};
use obverse_engine::classic::Rng;
use obverse_engine::eval::{UNIT, Weights, patterns, tied};
use obverse_lab::fit::{FactorsRecipe, Fit, Recipe};
use obverse_lab::record::{Record, Source};

fn recipe(anchors: &[u32]) -> Recipe {
    Recipe {
        anchors: anchors.to_vec(),
        penalty: 4.0,
        trust: 1.0,
        // More than there are records.
        hold_out: 1 << 40,
        keep: 0.0,
        factors: FactorsRecipe { stretches: Vec::new(), ..FactorsRecipe::default() },
        threads: 1,
    }
}

/// A record whose label is `discs`, in whole units.
fn record(board: Board, discs: f32) -> Record {
    let value = Some((discs * UNIT as f32) as i16);
    Record { board, value, score: Score(0), source: Source::Game }
}

/// Boards of random games with this many empty squares.
fn boards(n_empties: u32, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(u64::from(n_empties));
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut position = Position::start(Size::Eight);
        while position.empties().count() > n_empties && !position.is_over() {
            if position.must_pass() {
                position = position.pass_unchecked();
            }
            let moves = position.moves();
            let nth = rng.below(u64::from(moves.count())) as usize;
            position = position.play_unchecked(moves.into_iter().nth(nth).expect("it has moves"));
        }
        if position.moves().any() {
            boards.push(position.board());
        }
    }
    boards
}

/// With a single record the answer is known: the penalty leaves `label · s / (s + penalty)` of its
/// label, `s` being the sum of the squares of how often it has each parameter.
#[track_caller]
fn check_single(anchors: &[u32], parts: &[f64]) {
    let board = boards(30, 1)[0];
    let mut counts: HashMap<u32, f64> = HashMap::new();
    for pattern in patterns(board) {
        *counts.entry(tied(pattern)).or_default() += 1.0;
    }
    let squares: f64 = counts.values().map(|count| count * count).sum();
    let s = 1.0 + squares * parts.iter().map(|part| part * part).sum::<f64>();
    let mut fit = Fit::new(recipe(anchors));
    fit.add(&record(board, 60.0));
    fit.run(12, &mut |_, _, _| ControlFlow::Continue(()));
    let weights = Weights::parse(&fit.print()).expect("what is printed can be read");
    let (found, expected) = (weights.discs(board), 60.0 * s / (s + 4.0));
    // Each of the 47 weights is rounded to its unit, and where two are blended once more.
    assert!((found - expected).abs() < 0.4, "{found}, expected {expected}");
}

#[test]
fn a_single_record_is_fitted_as_far_as_the_penalty_lets_it() {
    check_single(&[30], &[1.0]);
    check_single(&[10, 20], &[1.0]);
    check_single(&[20, 40], &[0.5, 0.5]);
    check_single(&[27, 31, 50], &[0.25, 0.75]);
}

/// A model that the windows can express: discs on the inner squares, those on the diagonals double.
fn model(board: Board) -> f32 {
    const INNER: u64 = 0x0000_3c3c_3c3c_0000;
    const DIAGONALS: u64 = 0x8142_2418_1824_4281;
    let count = |discs: u64, mask: u64| (discs & mask).count_ones() as f32;
    let value = |discs| count(discs, INNER) + count(discs, INNER & DIAGONALS);
    3.0 + value(board.player().0) - value(board.opponent().0)
}

#[test]
fn a_linear_model_is_found_again() {
    let recipe = recipe(&[52, 56]);
    let mut fit = Fit::new(Recipe { penalty: 0.1, hold_out: 10, threads: 2, ..recipe });
    for n_empties in [52, 54] {
        for board in boards(n_empties, 3000) {
            fit.add(&record(board, model(board)));
        }
    }
    let mut gradients = Vec::new();
    fit.run(20, &mut |_, _, gradient| {
        gradients.push(gradient);
        ControlFlow::Continue(())
    });
    assert!(gradients[19] < gradients[0] / 100.0, "{gradients:?}");
    for n_empties in [52, 54] {
        let quality = fit.quality()[n_empties];
        assert_eq!(quality.fitted + quality.held_out, 3000);
        assert!(quality.held_out > 200, "{quality:?}");
        let labels =
            boards(n_empties as u32, 3000).into_iter().map(|board| f64::from(model(board)));
        let spread = labels.map(|label| (label - 3.0).powi(2)).sum::<f64>() / 3000.0;
        assert!(quality.squared_error < spread / 100.0, "{n_empties}: {spread}, {quality:?}");
    }
    assert_eq!(fit.quality()[53].fitted, 0);
}

#[test]
fn a_fit_goes_on_from_weights_and_stops_when_told() {
    let weights = Weights::built_in();
    let mut fit = Fit::new(recipe(&[10, 31, 50]));
    assert!(fit.start_from(&weights));
    let copy = Weights::parse(&fit.print()).expect("what is printed can be read");
    for n_empties in [10, 31, 50] {
        let pairs = { copy.set(n_empties).weights.into_iter() }.zip(weights.set(n_empties).weights);
        // Between two anchors of the original they are rounded.
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() <= 0.5 / UNIT as f32));
    }
    assert!((0..=64).all(|n| copy.base(n).to_bits() == weights.base(n).to_bits()));
    // Stopped at its first step, it has made that step.
    let board = boards(30, 1)[0];
    fit.add(&record(board, copy.discs(board) as f32 + 10.0));
    fit.run(12, &mut |_, _, _| ControlFlow::Break(()));
    let moved = Weights::parse(&fit.print()).unwrap().discs(board) - copy.discs(board);
    assert!(moved > 5.0, "{moved}");
}

#[test]
fn vectors_find_what_a_sum_cannot_say() {
    // The square of a sum over all windows has a part for every two of them.
    let squared = |board: Board| (model(board) - 3.0).powi(2) / 4.0;
    let factors = FactorsRecipe { stretches: vec![0, 53], epochs: 20, ..FactorsRecipe::default() };
    let mut fit = Fit::new(Recipe { hold_out: 10, threads: 2, factors, ..recipe(&[52, 56]) });
    for n_empties in [52, 54] {
        for board in boards(n_empties, 3000) {
            fit.add(&record(board, squared(board)));
        }
    }
    fit.run(20, &mut |_, _, _| ControlFlow::Continue(()));
    let errors = |fit: &Fit| [52, 54].map(|n| fit.quality()[n].squared_error);
    let before = errors(&fit);
    let mut times = 0;
    fit.run_factors(&mut |_| {
        times += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(times, 40);
    let after = errors(&fit);
    assert!(after[0] < before[0] / 2.0 && after[1] < before[1] / 2.0, "{before:?}, {after:?}");
    // In whole numbers, as files hold them, hardly anything is lost.
    let weights = Weights::parse(&fit.print()).expect("what is printed can be read");
    let boards = boards(52, 3000);
    let error = |board: &Board| (weights.discs(*board) - f64::from(squared(*board))).powi(2);
    let mean = boards.iter().map(error).sum::<f64>() / 3000.0;
    assert!(mean < before[0] / 2.0, "{mean}, {before:?}");
}

#[test]
fn what_is_kept_is_changed_by_new_records_where_there_are_some() {
    let built_in = Weights::built_in();
    let anchors = [2, 6, 10, 14, 18, 22, 26, 30, 35, 40, 46, 52, 58];
    let factors = FactorsRecipe { epochs: 2, ..FactorsRecipe::default() };
    let boards_20 = boards(20, 100);
    let label = |board: Board| built_in.discs(board) as f32 + 4.0;
    let moved = |keep: f32| {
        let mut fit = Fit::new(Recipe { keep, factors: factors.clone(), ..recipe(&anchors) });
        assert!(fit.start_from(&built_in));
        for &board in &boards_20 {
            fit.add(&record(board, label(board)));
        }
        fit.run(8, &mut |_, _, _| ControlFlow::Continue(()));
        fit.run_factors(&mut |_| ControlFlow::Continue(()));
        fit.run(8, &mut |_, _, _| ControlFlow::Continue(()));
        let weights = Weights::parse(&fit.print()).expect("what is printed can be read");
        let mean = |boards: &[Board]| {
            let changes = boards.iter().map(|&b| weights.discs(b) - built_in.discs(b));
            changes.sum::<f64>() / boards.len() as f64
        };
        [mean(&boards_20), mean(&boards(8, 200)), mean(&boards(44, 200))]
    };
    let [little, much] = [moved(500.0), moved(0.2)];
    assert!(much[0] > 3.0, "new records are learnt: {much:?}");
    assert!(little[0] < 0.8 * much[0], "what was known counts: {little:?}, {much:?}");
    for elsewhere in [little[1], little[2], much[1], much[2]] {
        assert!(elsewhere.abs() < 0.2, "the rest stays: {little:?}, {much:?}");
    }
}

#[test]
fn a_stretch_can_be_divided_and_what_it_knew_stays() {
    let built_in = Weights::built_in();
    let factors = |stretches: &[u32]| FactorsRecipe {
        stretches: stretches.to_vec(),
        epochs: 1,
        ..FactorsRecipe::default()
    };
    let anchors = [2, 6, 10, 14, 18, 22, 26, 30, 35, 40, 46, 52, 58];
    let own: Vec<u32> = built_in.vectors().0.iter().map(|stretch| stretch.n_empties).collect();
    let mut divided = own.clone();
    divided.extend([7, 40]);
    divided.sort_unstable();
    divided.dedup();
    for threads in [1, 3] {
        let recipe = Recipe { keep: 1.0, factors: factors(&divided), threads, ..recipe(&anchors) };
        let mut fit = Fit::new(recipe);
        assert!(fit.start_from(&built_in));
        fit.add(&record(boards(20, 1)[0], 5.0));
        fit.run_factors(&mut |_| ControlFlow::Continue(()));
        let weights = Weights::parse(&fit.print()).expect("what is printed can be read");
        for board in boards(5, 50).into_iter().chain(boards(9, 50)).chain(boards(44, 50)) {
            // Each part has scales of its own, so the whole numbers may differ.
            let change = (weights.discs(board) - built_in.discs(board)).abs();
            assert!(change < 0.5, "{threads} threads: {change}");
        }
    }
    let put_together = Recipe { keep: 1.0, factors: factors(&[0, 30]), ..recipe(&anchors) };
    assert!(!Fit::new(put_together).start_from(&built_in));
}
