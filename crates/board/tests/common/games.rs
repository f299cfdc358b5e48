//! Games and records for property tests.

use obverse_board::notation::record::{
    Branch, Clock, Clocks, Colors, Date, Ending, Komi, Line, Mark, Note, Outcome, Player, Record,
    Variant,
};
use obverse_board::{Color, Game, Position, Size, Square};
use proptest::prelude::*;
use proptest::sample::Index;

pub(crate) fn size() -> impl Strategy<Value = Size> {
    prop::sample::select(&Size::ALL[..])
}

/// A game of random moves, perhaps with a pass at its end.
pub(crate) fn game() -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec(any::<Index>(), 0..70);
    (size(), any::<bool>(), choices, any::<bool>()).prop_map(|(size, mirrored, choices, settle)| {
        let start = if mirrored { Position::mirrored(size) } else { Position::start(size) };
        let mut game = play(start, &choices);
        if settle {
            game.settle();
        }
        game
    })
}

/// The game in which each choice is one among the moves there are.
pub(crate) fn play(start: Position, choices: &[Index]) -> Game {
    let mut game = Game::new(start);
    for choice in choices {
        let mut position = game.position();
        if position.must_pass() {
            position = position.pass().unwrap();
        }
        let moves: Vec<Square> = position.moves().into_iter().collect();
        if moves.is_empty() {
            break;
        }
        game.play(moves[choice.index(moves.len())]).unwrap();
    }
    game
}

/// A short text as every format can say it: without brackets, braces and blanks around it.
pub(crate) fn text() -> impl Strategy<Value = String> {
    "([A-Za-z0-9éø(.\"\\\\:;/,&!-][A-Za-z0-9éø(.\"\\\\:;/,&! -]{0,18}[A-Za-z0-9éø.\"\\\\!])?"
}

/// A comment, perhaps of two lines.
fn comment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => text(),
        1 => ("[a-z]{1,9}", "[A-Z][a-z]{1,5}: [a-z]{1,9}").prop_map(|(a, b)| format!("{a}\n{b}")),
    ]
}

/// A number with few digits, as files have them.
fn number() -> impl Strategy<Value = f64> {
    (-64_000..=64_000_i32).prop_map(|n| f64::from(n) / 1000.0)
}

fn note() -> impl Strategy<Value = Note> {
    let seconds = || prop::option::weighted(0.3, number().prop_map(f64::abs));
    let mark = prop::option::weighted(0.2, prop::sample::select(&Mark::ALL[..]));
    (comment(), prop::option::weighted(0.3, number()), seconds(), seconds(), mark).prop_map(
        |(comment, eval, seconds, clock, mark)| Note { comment, eval, seconds, clock, mark },
    )
}

/// A game with notes, none after the last that says something.
fn line(game: Game, mut notes: Vec<Note>) -> Line {
    notes.truncate(game.moves().len());
    while notes.last() == Some(&Note::default()) {
        notes.pop();
    }
    Line { game, notes, branches: Vec::new() }
}

/// A line with branches of other first moves, in the order of their places.
fn with_branches(mut line: Line, branches: Vec<(Index, Vec<Index>, Vec<Note>)>) -> Line {
    let n_moves = line.game.moves().len();
    for (place, choices, notes) in branches {
        if n_moves == 0 {
            break;
        }
        let ply = place.index(n_moves);
        let (position, mv) = line.game.steps().nth(ply).unwrap();
        // A pass has no alternative, and after it the line itself goes on.
        if mv.square().is_none() || choices.is_empty() {
            continue;
        }
        let game = play(position, &choices);
        line.branches.push(Branch { ply, line: self::line(game, notes) });
    }
    line.branches.sort_by_key(|branch| branch.ply);
    line
}

fn tree() -> impl Strategy<Value = Line> {
    let notes = || prop::collection::vec(note(), 0..20);
    let choices = prop::collection::vec(any::<Index>(), 1..10);
    let branches = || prop::collection::vec((any::<Index>(), choices.clone(), notes()), 0..4);
    (game(), notes(), branches(), branches()).prop_map(|(game, notes, outer, inner)| {
        let mut line = with_branches(line(game, notes), outer);
        if let Some(branch) = line.branches.first_mut() {
            // A branch that leaves another at its first move leaves the line that one left.
            let inner = with_branches(branch.line.clone(), inner);
            let is_later = |inner: &Branch| inner.ply > 0;
            branch.line.branches = inner.branches.into_iter().filter(is_later).collect();
        }
        line
    })
}

fn player() -> impl Strategy<Value = Player> {
    (text(), prop::option::of(number()))
        .prop_map(|(name, rating)| Player { name, rating: rating.map(f64::abs) })
}

fn date() -> impl Strategy<Value = Date> {
    let zone = prop::sample::select(&["", "GMT", "MDT"][..]);
    let time = prop::option::of((0..24_u8, 0..60_u8, 0..60_u8));
    (1..3000_u16, 0..=12_u8, 0..=31_u8, time, zone).prop_map(|(year, month, day, time, zone)| {
        Date {
            year,
            month,
            day: if month == 0 { 0 } else { day },
            time: time.map(|(h, m, s)| [h, m, s]),
            zone: if time.is_some() { zone.to_owned() } else { String::new() },
        }
    })
}

fn clocks() -> impl Strategy<Value = Clocks> {
    let clock = || {
        let seconds = || prop_oneof![Just(0_u32), 0..200_000_u32];
        (seconds(), seconds(), seconds()).prop_map(|(main, increment, grace)| Clock {
            main,
            increment,
            grace,
        })
    };
    prop_oneof![
        Just(Clocks::default()),
        clock().prop_map(|clock| Clocks { black: Some(clock), white: Some(clock) }),
        (prop::option::of(clock()), prop::option::of(clock()))
            .prop_map(|(black, white)| Clocks { black, white }),
    ]
}

fn variant() -> impl Strategy<Value = Variant> {
    let colors = prop::sample::select(
        &[
            Colors::Synchro,
            Colors::Komi,
            Colors::Wanted(Color::Black),
            Colors::Wanted(Color::White),
        ][..],
    );
    (prop::sample::select(&[4_u8, 6, 8][..]), colors, any::<bool>(), prop::option::of(0..64_u8))
        .prop_map(|(side, colors, anti, random)| Variant { side, colors, anti, random })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let ending = prop::sample::select(&Ending::ALL[..]);
    (-16..=16_i8, ending).prop_map(|(margin, ending)| Outcome::by(f64::from(margin), ending))
}

/// A record as every format but GGF can say it.
pub(crate) fn record() -> impl Strategy<Value = Record> {
    let about = (text(), text(), text(), comment());
    let komi = prop::option::weighted(
        0.2,
        (prop::option::of(number()), "[a-h][1-8]/[1-9]", "[a-h][1-8]/[1-9]")
            .prop_map(|(value, black, white)| Komi { value, black, white }),
    );
    let facts = (
        prop::option::of(date()),
        prop::option::weighted(0.7, outcome()),
        clocks(),
        prop::option::weighted(0.3, variant()),
        komi,
        prop::option::of(0..=64_u8),
        prop::collection::btree_map("[A-Z][a-z]{4,8}X", "[a-z]{1,9}", 0..3),
    );
    (tree(), player(), player(), about, facts).prop_map(|(line, black, white, about, facts)| {
        let mut record = Record::new(line.game.clone());
        record.line = line;
        (record.black, record.white) = (black, white);
        (record.event, record.site, record.round, record.comment) = about;
        (record.date, record.outcome, record.clocks, record.variant, record.komi, ..) = facts;
        record.theoretical = facts.5;
        record.extras = facts.6.into_iter().collect();
        // Files tell the result of a finished game in any case.
        record.outcome = record.result();
        record
    })
}
