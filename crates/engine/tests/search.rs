//! The searches on random reachable positions: alpha-beta answers as minimax does, whatever its
//! order of moves and its table, and the tree shows what they did.

#![expect(clippy::float_cmp, reason = "the searches must agree to the last bit")]

use obverse_board::perft::Passes;
use obverse_board::{Move, Position, Size, Symmetry};
use obverse_engine::classic::kply::Kply;
use obverse_engine::classic::tree::{Kind, Node, TooLarge, Tree};
use obverse_engine::classic::{
    Algorithm, AlphaBeta, Bound, Depth, Eval, Lookahead, Minimax, Order, Report, Rng, Weights,
    count_nodes, duel, stats, tiny,
};
use proptest::prelude::*;

const PASSES: [Passes; 2] = [Passes::Ply, Passes::Free];

fn size() -> impl Strategy<Value = Size> {
    prop_oneof![Just(Size::Four), Just(Size::Six), Just(Size::Eight)]
}

/// A position that is not over, from a random game.
fn position(size: impl Strategy<Value = Size>) -> impl Strategy<Value = Position> {
    (size, any::<bool>(), 0_u32..64, any::<u64>()).prop_map(|(size, mirrored, plies, seed)| {
        let start = if mirrored { Position::mirrored(size) } else { Position::start(size) };
        duel::opening(start, plies % u32::from(size.area()), &mut Rng::new(seed))
    })
}

/// Small whole weights as well, so that equal values of different moves are common.
fn eval() -> impl Strategy<Value = Eval> {
    let weight = || prop_oneof![-9.0..=9.0, (-9..=9_i32).prop_map(f64::from)];
    let weights = (weight(), weight()).prop_map(|(parity, mobility)| Weights { parity, mobility });
    prop_oneof![Just(Eval::Discs), weights.prop_map(Eval::Positional)]
}

fn lookahead(depth_max: u8) -> impl Strategy<Value = Lookahead> {
    (1..=depth_max, eval(), prop::sample::select(&PASSES)).prop_map(|(depth, eval, passes)| {
        Lookahead { depth: Depth::new(depth).expect("a depth"), eval, passes }
    })
}

/// Every way to search with cuts.
fn variants(lookahead: Lookahead) -> impl Iterator<Item = AlphaBeta> {
    [Order::Reading, Order::Positional].into_iter().flat_map(move |order| {
        let plain = AlphaBeta::new(lookahead).with_order(order);
        [plain.clone(), plain.with_table()]
    })
}

/// Whether `value` with its bound is true of `exact`.
fn holds(value: f64, bound: Bound, exact: f64) -> bool {
    match bound {
        Bound::Exact => exact == value,
        Bound::AtLeast => exact >= value,
        Bound::AtMost => exact <= value,
    }
}

/// Checks what alpha-beta reports against what minimax does.
fn check(found: &Report, truth: &Report) -> Result<(), TestCaseError> {
    prop_assert_eq!((found.value, found.best), (truth.value, truth.best));
    prop_assert!(found.nodes <= truth.nodes, "{} > {} nodes", found.nodes, truth.nodes);
    prop_assert_eq!(found.moves.len(), truth.moves.len());
    for (found, truth) in found.moves.iter().zip(&truth.moves) {
        prop_assert_eq!(found.mv, truth.mv);
        prop_assert!(holds(found.value, found.bound, truth.value), "{found:?} but {truth:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_one_side_wins_the_other_loses(position in position(size()), eval in eval()) {
        prop_assert_eq!(eval.value(position), -eval.value(position.pass_unchecked()));
    }

    #[test]
    fn no_symmetry_changes_a_value(position in position(size()), eval in eval()) {
        for symmetry in Symmetry::ALL {
            prop_assert_eq!(eval.value(position.transformed(symmetry)), eval.value(position));
        }
    }

    #[test]
    fn alphabeta_answers_as_minimax_does(position in position(size()), lookahead in lookahead(5)) {
        let truth = Minimax::new(lookahead).search(position);
        for mut search in variants(lookahead) {
            let found = search.search(position);
            check(&found, &truth)?;
            let again = search.search(position);
            prop_assert_eq!(again, found, "a search leaves nothing behind");
        }
    }

    #[test]
    fn an_exact_search_gives_every_value(position in position(size()), lookahead in lookahead(4)) {
        let truth = Minimax::new(lookahead).search(position);
        for mut search in variants(lookahead) {
            let found = search.search_exact(position);
            check(&found, &truth)?;
            prop_assert_eq!(found.moves, truth.moves.clone());
        }
    }

    #[test]
    fn a_table_serves_boards_of_every_size(
        positions in prop::collection::vec(position(size()), 2..5),
        lookahead in lookahead(4),
    ) {
        let mut shared = AlphaBeta::new(lookahead).with_table();
        for position in positions {
            let fresh = AlphaBeta::new(lookahead).with_table().search(position);
            prop_assert_eq!(shared.search(position), fresh);
        }
    }

    #[test]
    fn nodes_can_be_counted_without_searching(
        position in position(size()),
        lookahead in lookahead(4),
    ) {
        let report = Minimax::new(lookahead).search(position);
        prop_assert_eq!(count_nodes(lookahead, position), report.nodes);
    }

    #[test]
    fn the_tree_is_what_the_search_visited(
        position in position(size()),
        lookahead in lookahead(4),
    ) {
        let [minimax, alphabeta] = Algorithm::ALL.map(|a| a.search(lookahead, position));
        for (algorithm, report) in [(Algorithm::Minimax, &minimax), (Algorithm::AlphaBeta, &alphabeta)]
        {
            let n_nodes = report.nodes as usize;
            let tree = Tree::build(position, lookahead, algorithm, n_nodes);
            let tree = tree.expect("it has just so many nodes");
            prop_assert_eq!(tree.nodes.len(), n_nodes);
            prop_assert_eq!(tree.minimax_nodes, minimax.nodes);
            prop_assert_eq!(tree.alphabeta_nodes, alphabeta.nodes);
            prop_assert_eq!((tree.root().value, tree.line().next()), (report.value, report.best));
            // The root's children are the root moves of the report, bound for bound.
            let children = tree.root().children.iter().map(|&child| &tree.nodes[child]);
            for (child, root) in children.zip(&report.moves) {
                prop_assert_eq!((child.mv, child.value), (Some(root.mv), root.value));
            }
            let refused = Tree::build(position, lookahead, algorithm, n_nodes - 1);
            prop_assert_eq!(refused, Err(TooLarge { max_nodes: n_nodes - 1 }));
        }
    }

    #[test]
    fn every_bound_in_the_tree_holds(position in position(size()), lookahead in lookahead(3)) {
        let tree = Tree::build(position, lookahead, Algorithm::AlphaBeta, usize::MAX);
        let tree = tree.expect("no limit");
        for node in &tree.nodes {
            prop_assert!(holds(node.value, node.bound, truth(node, lookahead)), "{node:?}");
            let n_moves = node.position.moves().count().max(1) as usize;
            let n_listed = node.children.len() + node.cut.len();
            prop_assert!(node.is_leaf() || n_listed == n_moves, "{node:?}");
            prop_assert!(!node.is_cut() || node.bound != Bound::Exact, "{node:?}");
        }
    }

    #[test]
    fn the_tiny_searches_agree(position in position(Just(Size::Four))) {
        let [minimax, alphabeta] = [tiny::minimax(position), tiny::alphabeta(position)];
        prop_assert_eq!(alphabeta.value, minimax.value);
        prop_assert_eq!(alphabeta.successor, minimax.successor);
        prop_assert!(alphabeta.states <= minimax.states);
        // The side with the better disc difference under best play is the winner.
        let eval = Eval::Discs;
        let lookahead = Lookahead { depth: Depth::MAX, eval, passes: Passes::Ply };
        let report = Minimax::new(lookahead).search(position);
        let turn = if position.turn() == obverse_board::Color::Black { 1.0 } else { -1.0 };
        prop_assert_eq!(minimax.states, report.nodes);
        prop_assert_eq!(f64::from(minimax.value), turn * sign(report.value));
    }

    #[test]
    fn the_kply_program_answers_alike_with_both_algorithms(
        position in position(size()),
        depth in 1_u8..=4,
        passes in prop::sample::select(&PASSES),
    ) {
        let depth = Depth::new(depth).expect("a depth");
        let [one, other] = Algorithm::ALL.map(|algorithm| Kply { depth, passes, algorithm });
        let values = one.values(position);
        prop_assert_eq!(&values.moves, &other.values(position).moves);
        prop_assert_eq!([one.best(position), other.best(position)], [values.best; 2]);
        let squares = values.moves.iter().map(|&(square, _)| square);
        prop_assert_eq!(squares.collect::<obverse_board::Bitboard>(), position.moves());
        prop_assert_eq!(one.full_game(position), other.full_game(position));
    }
}

/// The true value of a node for the side at the root.
fn truth(node: &Node, lookahead: Lookahead) -> f64 {
    let value = match Depth::new(node.depth) {
        None => lookahead.eval.value(node.position),
        Some(depth) => Minimax::new(Lookahead { depth, ..lookahead }).search(node.position).value,
    };
    if node.kind == Kind::Max { value } else { -value }
}

fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// Counted by a separate program that keeps boards as lists of lists and writes out max and min.
#[test]
fn the_node_counts_from_the_start_are_known() {
    for (size, plies, value, minimax, alphabeta) in [
        (Size::Four, 5, 3.0, 613, 145),
        (Size::Four, 6, -2.0, 1869, 462),
        (Size::Four, 7, -1.0, 5493, 1234),
        (Size::Six, 5, 3.0, 1681, 302),
        (Size::Six, 6, -2.0, 9285, 1151),
        (Size::Six, 7, 3.0, 57025, 3538),
        (Size::Eight, 5, 3.0, 1713, 339),
        (Size::Eight, 6, -2.0, 9913, 1348),
        (Size::Eight, 7, 5.0, 65005, 2369),
    ] {
        let depth = Depth::new(plies).unwrap();
        let lookahead = Lookahead { depth, eval: Eval::Discs, passes: Passes::Ply };
        let found = Algorithm::ALL.map(|a| a.search(lookahead, Position::start(size)));
        let found = found.map(|report| (report.value, report.nodes));
        assert_eq!(found, [(value, minimax), (value, alphabeta)], "{size} at depth {plies}");
    }
}

#[test]
fn cuts_order_and_table_each_save_nodes() {
    let positions = stats::sample(Position::start(Size::Eight), 40, &mut Rng::new(1));
    for eval in [Eval::Discs, Eval::Positional(Weights::default())] {
        let lookahead = Lookahead { depth: Depth::new(5).unwrap(), eval, passes: Passes::Ply };
        let minimax: u64 = positions.iter().map(|&p| count_nodes(lookahead, p)).sum();
        let [reading, reading_table, positional, positional_table] = variants(lookahead)
            .map(|mut search| positions.iter().map(|&p| search.search(p).nodes).sum::<u64>())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let counts = [minimax, reading, reading_table, positional, positional_table];
        assert!(reading * 4 < minimax, "{counts:?}");
        // Corners first helps who values corners; who counts discs does not find them better.
        assert!(positional < reading || eval == Eval::Discs, "{counts:?}");
        assert!(reading_table < reading && positional_table < positional, "{counts:?}");
    }
}

#[test]
fn a_forced_pass_is_the_best_move_and_a_finished_game_has_none() {
    let mut rng = Rng::new(5);
    let mut n_passes = 0;
    for plies in (0..2000).map(|i| 4 + i % 8) {
        let position = duel::opening(Position::start(Size::Four), plies, &mut rng);
        for passes in PASSES {
            let eval = Eval::Positional(Weights::default());
            let lookahead = Lookahead { depth: Depth::MIN, eval, passes };
            for algorithm in Algorithm::ALL {
                let report = algorithm.search(lookahead, position);
                assert_eq!(report.best == Some(Move::Pass), position.must_pass());
            }
        }
        n_passes += u32::from(position.must_pass());
    }
    assert!(n_passes > 50, "{n_passes}");
}
