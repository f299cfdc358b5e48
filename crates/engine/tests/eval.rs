//! The evaluation and its weights.

#![expect(clippy::float_cmp, reason = "sums of whole units are exact")]

use obverse_board::{Board, Size, Symmetry};
use obverse_engine::classic::Rng;
use obverse_engine::eval::{
    Anchor, Head, LANE, LEAK, N_FACTORS, N_GAINS, N_GROUPS, N_HIDDEN, N_INPUTS, N_STILL, N_WINDOWS,
    Stretch, Weights, WeightsError, gain_of, groups, is_second, join, mirrored_lanes, n_weights,
    patterns, silent_lanes, tied,
};

/// Boards of a random game.
fn boards(seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let mut boards = vec![Board::start(Size::Eight)];
    loop {
        let last = boards[boards.len() - 1];
        let moves = last.moves();
        if moves.is_empty() {
            if last.pass().moves().is_empty() {
                return boards;
            }
            boards.push(last.pass());
            continue;
        }
        let nth = rng.below(u64::from(moves.count())) as usize;
        let square = moves.into_iter().nth(nth).expect("it has so many");
        boards.push(last.play_unchecked(square));
    }
}

#[test]
fn the_estimate_is_the_same_for_symmetric_boards() {
    let (stretches, heads) = random_vectors();
    let anchor = Anchor { n_empties: 30, weights: vec![0.0; n_weights()] };
    let bytes = Weights::print(&[0.0; 65], &[anchor], &stretches, &heads);
    let random = Weights::parse(&bytes).expect("it was just printed");
    for weights in [&random, &*Weights::built_in()] {
        for board in (1..20).flat_map(boards) {
            let value = weights.discs(board);
            for symmetry in Symmetry::ALL {
                assert_eq!(weights.discs(board.transformed(symmetry, Size::Eight)), value);
            }
        }
    }
}

#[test]
fn patterns_are_numbered_within_their_set() {
    for board in (1..20).flat_map(boards) {
        let all = patterns(board);
        assert_eq!(all.len(), N_WINDOWS);
        assert!(all.iter().all(|pattern| (tied(*pattern) as usize) < n_weights()));
    }
}

#[test]
fn the_built_in_weights_are_sound_and_say_something() {
    let bytes = include_bytes!("../weights/weights.bin");
    assert!(bytes.len() < 16 << 20, "weights in the repository stay small");
    let weights = Weights::parse(bytes).expect("the checksum is right");
    // A corner is worth something.
    let board =
        |text: &str| obverse_board::Position::parse(text).expect("it is well formed").board();
    let with = board("8/8/8/3wb3/3bw3/8/8/7b b");
    let without = board("8/8/8/3wb3/3bw3/8/8/7w b");
    assert!(weights.discs(with) > weights.discs(without) + 2.0);
}

#[test]
fn between_anchors_weights_change_evenly() {
    let anchor = |n_empties, weight: f32| Anchor { n_empties, weights: vec![weight; n_weights()] };
    let bytes = Weights::print(&[0.0; 65], &[anchor(20, 1.0), anchor(60, 0.0)], &[], &[]);
    let weights = Weights::parse(&bytes).expect("it was just printed");
    for board in boards(1) {
        let n_empties = f64::from(64 - board.occupied().count());
        let part = ((60.0 - n_empties) / 40.0).clamp(0.0, 1.0);
        let expected = part * N_WINDOWS as f64;
        assert!((weights.discs(board) - expected).abs() < 0.2, "{n_empties} empties");
    }
}

#[test]
fn what_is_no_file_of_weights_is_refused() {
    let anchor = |n_empties| Anchor { n_empties, weights: vec![0.5; n_weights()] };
    let bytes = Weights::print(&[0.0; 65], &[anchor(10), anchor(40)], &[], &[]);
    assert!(Weights::parse(&bytes).is_ok());
    assert_eq!(Weights::parse(b"OBVEVAL5").unwrap_err(), WeightsError::Magic);
    assert_eq!(Weights::parse(b"").unwrap_err(), WeightsError::Magic);
    let expected = bytes.len();
    let cut = Weights::parse(&bytes[..expected - 1]).unwrap_err();
    assert_eq!(cut, WeightsError::Size { found: expected - 1, expected });
    let mut damaged = bytes;
    damaged[expected / 2] ^= 1;
    assert_eq!(Weights::parse(&damaged).unwrap_err(), WeightsError::Checksum);
    let wrong = Weights::print(&[0.0; 65], &[anchor(40), anchor(10)], &[], &[]);
    assert_eq!(Weights::parse(&wrong).unwrap_err(), WeightsError::Anchors);
    let none = Weights::print(&[0.0; 65], &[], &[], &[]);
    assert_eq!(Weights::parse(&none).unwrap_err(), WeightsError::Anchors);
}

fn random_vectors() -> ([Stretch; 2], Vec<Head>) {
    let mut rng = Rng::new(11);
    let mut number = |most: f32| (rng.below(2001) as f32 / 1000.0 - 1.0) * most;
    let stretches = [0, 25].map(|n_empties| Stretch {
        n_empties,
        vectors: (0..n_weights()).map(|_| std::array::from_fn(|_| number(0.3))).collect(),
        layer: std::array::from_fn(|_| std::array::from_fn(|_| number(0.2))),
    });
    let heads = (0..65).map(|_| Head {
        shift: std::array::from_fn(|_| number(0.5)),
        gain: std::array::from_fn(|_| number(1.0)),
        bias: std::array::from_fn(|_| number(1.0)),
        count: std::array::from_fn(|_| number(2.0)),
    });
    let heads = heads.collect();
    (stretches, heads)
}

#[test]
fn vectors_are_turned_and_added_and_their_squares_and_units_count() {
    let (stretches, heads) = random_vectors();
    let anchor = Anchor { n_empties: 30, weights: vec![0.0; n_weights()] };
    let bytes = Weights::print(&[0.0; 65], &[anchor], &stretches, &heads);
    let weights = Weights::parse(&bytes).expect("it was just printed");
    for board in (1..10).flat_map(boards) {
        let n_empties = 64 - board.occupied().count();
        let Stretch { vectors, layer, .. } = &stretches[usize::from(n_empties >= 25)];
        let Head { shift, gain, bias, count } = heads[n_empties as usize];
        let mut sum = [0.0; N_FACTORS];
        sum[..N_STILL].copy_from_slice(&shift);
        let mut turning = [[[0.0; LANE]; 4]; N_GROUPS];
        for (group, windows) in groups().enumerate() {
            for window in windows {
                let pattern = patterns(board)[window];
                let weight = tied(pattern) as usize;
                for k in 0..N_STILL {
                    sum[k] += vectors[weight][k];
                }
                for k in 0..4 * LANE {
                    let lane = k / LANE;
                    let changes = is_second(pattern) && mirrored_lanes(window)[lane];
                    let sign = if changes { -1.0 } else { 1.0 };
                    let voice = if silent_lanes(weight)[lane] { 0.0 } else { sign };
                    turning[group][lane][k % LANE] += voice * vectors[weight][N_STILL + k];
                }
            }
        }
        for (k, joined) in join(&turning).into_iter().flatten().enumerate() {
            sum[N_STILL + k] = joined;
        }
        let squares: f32 = (0..N_FACTORS).map(|k| gain[gain_of(k)] * sum[k].powi(2)).sum();
        let seen = |weights: &[f32; N_INPUTS]| -> f32 {
            let by_square = |k: usize| weights[gain_of(k)] * sum[k].powi(2);
            let squares: f32 = (0..N_FACTORS).map(by_square).sum();
            squares + (0..N_STILL).map(|k| weights[N_GAINS + k] * sum[k]).sum::<f32>()
        };
        let counted = |unit: usize| {
            let sum = bias[unit] + seen(&layer[unit]);
            count[unit] * sum.max(sum / (1 << LEAK) as f32)
        };
        let expected = squares + (0..N_HIDDEN).map(counted).sum::<f32>();
        let found = weights.discs(board);
        assert!((found - f64::from(expected)).abs() < 1.0, "{found}, expected {expected}");
    }
}

#[test]
fn vectors_come_back_from_their_file_as_they_were() {
    let (stretches, heads) = random_vectors();
    let mut stretches = stretches.to_vec();
    for vector in &mut stretches[1].vectors[1000..] {
        *vector = [0.0; N_FACTORS];
    }
    let anchor = Anchor { n_empties: 30, weights: vec![0.0; n_weights()] };
    let bytes = Weights::print(&[0.0; 65], std::slice::from_ref(&anchor), &stretches, &heads);
    let (stretches, heads) = Weights::parse(&bytes).expect("it was just printed").vectors();
    assert!(stretches[1].vectors[999] != [0.0; N_FACTORS]);
    assert!(stretches[1].vectors[1000..].iter().all(|vector| *vector == [0.0; N_FACTORS]));
    let again = Weights::print(&[0.0; 65], &[anchor], &stretches, &heads);
    assert_eq!(again.len(), bytes.len());
    let differing = again.iter().zip(&bytes).filter(|(a, b)| a.abs_diff(**b) > 1).count();
    assert!(differing < bytes.len() / 100, "{differing} bytes differ by more than rounding");
}

#[test]
fn stretches_out_of_order_are_refused() {
    let anchor = Anchor { n_empties: 30, weights: vec![0.0; n_weights()] };
    let stretch = |n_empties| Stretch {
        n_empties,
        vectors: vec![[0.1; N_FACTORS]; n_weights()],
        layer: [[0.0; N_INPUTS]; N_HIDDEN],
    };
    let heads = vec![Head::without_units([0.0; N_STILL], [1.0; N_GAINS]); 65];
    let wrong = Weights::print(&[0.0; 65], &[anchor], &[stretch(20), stretch(10)], &heads);
    assert_eq!(Weights::parse(&wrong).unwrap_err(), WeightsError::Stretches);
}
