//! The names of players: what they mean, what is refused and why.

use obverse_board::perft::Passes;
use obverse_board::{Position, Size};
use obverse_engine::classic::{Depth, Eval, Lookahead, Order, ParseSpecError, Spec, Weights, duel};
use proptest::prelude::*;

fn parse(name: &str) -> Spec {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_name_says_what_the_player_is() {
    let depth = |plies| Depth::new(plies).expect("a depth");
    let discs = |plies| Lookahead { depth: depth(plies), eval: Eval::Discs, passes: Passes::Ply };
    let default = Weights::default();
    assert_eq!(parse("random"), Spec::Random { seed: None });
    assert_eq!(parse("random:seed=7"), Spec::Random { seed: Some(7) });
    assert_eq!(parse("minimax:depth=3"), Spec::Minimax(discs(3)));
    assert_eq!(parse("minimax:eval=discs,pass=ply,depth=60"), Spec::Minimax(discs(60)));
    assert_eq!(
        parse("minimax:depth=1,eval=positional,mobility=-2.5,pass=free"),
        Spec::Minimax(Lookahead {
            depth: Depth::MIN,
            eval: Eval::Positional(Weights { mobility: -2.5, ..default }),
            passes: Passes::Free,
        })
    );
    assert_eq!(
        parse("alphabeta:depth=5"),
        Spec::AlphaBeta { lookahead: discs(5), order: Order::Reading, table: false }
    );
    assert_eq!(
        parse("alphabeta:depth=5,eval=positional,table=on,order=positional,parity=1e1"),
        Spec::AlphaBeta {
            lookahead: Lookahead {
                eval: Eval::Positional(Weights { parity: 10.0, ..default }),
                ..discs(5)
            },
            order: Order::Positional,
            table: true
        }
    );
}

#[test]
fn what_names_no_player_is_refused_with_what_was_expected() {
    let players = "expected random, minimax or alphabeta";
    let settings = "expected depth, eval, pass, parity, mobility, order or table";
    let depth = "expected a number from 1 to 60";
    let weight = "expected a number from -1000000 to 1000000";
    for (name, error) in [
        ("", format!("unknown player \"\": {players}")),
        ("human", format!("unknown player \"human\": {players}")),
        ("engine:level=12", format!("unknown player \"engine\": {players}")),
        ("nboard:ntest", format!("unknown player \"nboard\": {players}")),
        ("Random", format!("unknown player \"Random\": {players}")),
        ("random:", "found \"\", expected a setting of the form key=value".into()),
        ("random:7", "found \"7\", expected a setting of the form key=value".into()),
        ("random:depth=3", "random has no setting \"depth\": expected seed".into()),
        ("random:seed=-1", "found seed=-1, expected a whole number from 0 to 2^64 - 1".into()),
        ("minimax", "minimax needs a depth: expected for example minimax:depth=3".into()),
        ("minimax:depth=0", format!("found depth=0, {depth}")),
        ("minimax:depth=61", format!("found depth=61, {depth}")),
        ("minimax:depth=", format!("found depth=, {depth}")),
        ("minimax:depth=3,depth=3", "depth is given twice, expected once".into()),
        ("minimax:depth=3,eval=disc", "found eval=disc, expected discs or positional".into()),
        ("minimax:depth=3,pass=no", "found pass=no, expected ply or free".into()),
        (
            "minimax:depth=3,parity=1",
            "found parity with eval=discs, expected it only with eval=positional".into(),
        ),
        ("minimax:depth=3,eval=positional,parity=nan", format!("found parity=nan, {weight}")),
        ("minimax:depth=3,eval=positional,mobility=1e7", format!("found mobility=1e7, {weight}")),
        ("alphabeta:depth=3,size=8", format!("alphabeta has no setting \"size\": {settings}")),
        (
            "alphabeta:depth=3,order=random",
            "found order=random, expected reading or positional".into(),
        ),
        ("alphabeta:depth=3,table=yes", "found table=yes, expected off or on".into()),
    ] {
        assert_eq!(name.parse::<Spec>().map_err(|error| error.to_string()), Err(error), "{name}");
    }
    let unknown = ParseSpecError::UnknownPlayer("gtp".into());
    assert_eq!("gtp:gnugo".parse::<Spec>(), Err(unknown));
}

#[test]
fn the_seed_comes_from_the_name_or_from_the_caller() {
    let start = Position::start(Size::Eight);
    let game = |name: &str, default_seed| {
        let mut player = parse(name).player(default_seed);
        duel::self_play(start, &mut player, 0, &mut obverse_engine::classic::Rng::new(0))
    };
    assert_eq!(game("random:seed=7", 1), game("random:seed=7", 2));
    assert_eq!(game("random", 7), game("random:seed=7", 1));
    assert_ne!(game("random", 1), game("random", 2));
}

#[test]
fn a_player_that_searches_remembers_its_last_search() {
    let start = Position::start(Size::Six);
    for name in ["minimax:depth=3", "alphabeta:depth=3", "alphabeta:depth=3,table=on"] {
        let mut player = parse(name).player(1);
        assert_eq!(player.report(), None);
        let best = player.choose(start);
        assert_eq!(player.report().and_then(|report| report.best), best);
        assert!(best.is_some_and(|mv| start.apply(mv).is_ok()));
    }
    let mut random = parse("random").player(1);
    assert!(random.choose(start).is_some());
    assert_eq!(random.report(), None);
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![-1e6..=1e6, -1.0..=1.0, (-200..=200_i32).prop_map(f64::from)]
}

fn lookahead() -> impl Strategy<Value = Lookahead> {
    let weights = (weight(), weight()).prop_map(|(parity, mobility)| Weights { parity, mobility });
    let eval = prop_oneof![
        Just(Eval::Discs),
        Just(Eval::Positional(Weights::default())),
        weights.prop_map(Eval::Positional)
    ];
    (1_u8..=60, eval, any::<bool>()).prop_map(|(depth, eval, free)| Lookahead {
        depth: Depth::new(depth).expect("a depth"),
        eval,
        passes: if free { Passes::Free } else { Passes::Ply },
    })
}

fn spec() -> impl Strategy<Value = Spec> {
    prop_oneof![
        any::<Option<u64>>().prop_map(|seed| Spec::Random { seed }),
        lookahead().prop_map(Spec::Minimax),
        (lookahead(), any::<bool>(), any::<bool>()).prop_map(|(lookahead, positional, table)| {
            let order = if positional { Order::Positional } else { Order::Reading };
            Spec::AlphaBeta { lookahead, order, table }
        }),
    ]
}

proptest! {
    #[test]
    fn printing_then_parsing_is_the_identity(spec in spec()) {
        let name = spec.to_string();
        prop_assert_eq!(name.parse::<Spec>(), Ok(spec));
        prop_assert_eq!(parse(&name).to_string(), name);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,40}", tail in "[a-z0-9=,.:-]{0,30}") {
        for name in [text, format!("alphabeta:{tail}"), format!("random:{tail}")] {
            if let Ok(spec) = name.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
    }
}
