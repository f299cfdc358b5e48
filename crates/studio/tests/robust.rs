//! Whatever a page says, in whatever order: nothing breaks, and nothing is lost.

mod common;

use common::{Desk, SETUP};
use obverse_board::{Counting, Game, Position, Square};
use obverse_engine::classic::Rng;
use obverse_studio::sitting::Sitting;
use obverse_studio::wire::{PuzzleQuestion, Resumed, Side, State, ToPage, TreeNode, View};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A new sitting whose page has come, and what it was told.
fn attended() -> (Desk, Vec<ToPage>) {
    let mut desk = Desk::new(Sitting::new(SETUP));
    let messages = desk.attend(Resumed::New);
    (desk, messages)
}

/// What may happen at a desk.
#[derive(Clone, Debug)]
enum Step {
    Say(Value),
    Work,
    Wait(u64),
    Leave,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => message().prop_map(Step::Say),
        4 => Just(Step::Work),
        1 => (0_u64..3000).prop_map(Step::Wait),
        1 => Just(Step::Leave),
    ]
}

fn message() -> impl Strategy<Value = Value> {
    let node = 0_u32..20;
    let square = prop::sample::select(&Square::ALL[..28]).prop_map(|square| square.to_string());
    let moves = prop::collection::vec(square.clone(), 0..4);
    let size = prop::sample::select(&[4_u8, 4, 4, 6, 8, 5][..]);
    let player = prop::sample::select(
        &["human", "human", "random", "minimax:depth=2", "engine:level=1", "nobody"][..],
    );
    let walk = prop::sample::select(
        &["first", "back", "forward", "last", "previous-mistake", "next-mistake", "tip"][..],
    );
    let simple = prop::sample::select(
        &[
            "take-back",
            "resign",
            "move-now",
            "pause",
            "resume",
            "rematch",
            "hint",
            "free",
            "stop-review",
            "puzzle-show",
            "puzzle-end",
            "ping",
            "nonsense",
        ][..],
    );
    let start = prop::sample::select(&["standard", "mirrored", "board"][..]);
    let text = prop::sample::select(
        &["f5d6c3", "f5d6\nf5f6", "(;GM[Othello]", "start:4x4", "4/1wb1/1bw1/4 b", "x"][..],
    );
    let board = "[XO-]{16}";
    let overlay = prop::sample::select(
        &["none", "square-values", "mobility", "frontier", "stable", "parity"][..],
    );
    let form = prop::sample::select(&["srn", "transcript", "ggf", "sgf", "pgn", "svg", "x"][..]);
    prop_oneof![
        2 => (size, start, player.clone(), player, prop::option::of(900_u64..3000)).prop_map(
            |(size, start, black, white, clock)| json!({
                "type": "new-game", "size": size, "start": {"kind": start},
                "black": black, "white": white,
                "black_clock": clock.map(|ms| json!({"time_ms": ms, "increment_ms": 5})),
            })
        ),
        20 => (square.clone(), prop::option::of(node.clone()))
            .prop_map(|(square, node)| json!({"type": "play", "square": square, "node": node})),
        4 => simple.prop_map(|name| json!({"type": name})),
        4 => walk.prop_map(|to| json!({"type": "walk", "to": to})),
        3 => node.clone().prop_map(|node| json!({"type": "goto", "node": node})),
        2 => (node.clone(), moves.clone())
            .prop_map(|(node, moves)| json!({"type": "enter", "node": node, "moves": moves})),
        1 => (node.clone(), moves)
            .prop_map(|(node, moves)| json!({"type": "preview", "node": node, "moves": moves})),
        2 => node.clone().prop_map(|node| json!({"type": "promote", "node": node})),
        2 => node.clone().prop_map(|node| json!({"type": "delete", "node": node})),
        2 => any::<bool>().prop_map(|on| json!({"type": "analyze", "on": on})),
        1 => (1_u8..3).prop_map(
            |level| json!({"type": "review", "effort": {"kind": "level", "level": level}})
        ),
        1 => text.prop_map(|text| json!({"type": "import", "text": text})),
        1 => (0_u32..3).prop_map(|index| json!({"type": "open-game", "index": index})),
        1 => (board, any::<bool>()).prop_map(|(squares, is_black)| {
            let turn = if is_black { "black" } else { "white" };
            json!({"type": "set-position", "size": 4, "squares": squares, "turn": turn})
        }),
        1 => (form, prop::option::of(node))
            .prop_map(|(form, node)| json!({"type": "export", "form": form, "node": node})),
        1 => overlay.prop_map(|kind| json!({"type": "overlay", "kind": kind})),
        1 => (0_u8..4).prop_map(|depth| json!({"type": "search-tree", "depth": depth})),
        1 => square.prop_map(|square| json!({"type": "puzzle-try", "square": square})),
    ]
}

/// What a page knows, and whether it makes sense.
#[derive(Default)]
struct Page {
    nodes: Vec<TreeNode>,
    state: Option<Box<State>>,
}

impl Page {
    fn hear(&mut self, messages: Vec<ToPage>) {
        for message in messages {
            match message {
                ToPage::Tree { nodes, main } => {
                    assert!(main.iter().all(|id| nodes.iter().any(|node| node.id == *id)));
                    self.nodes = nodes;
                }
                ToPage::State(state) => {
                    self.check(&state);
                    self.state = Some(state);
                }
                ToPage::Analysis { node, squares, .. } => {
                    let state = self.state.as_ref().unwrap();
                    assert_eq!(node, state.node);
                    assert!(squares.is_empty() || squares.len() == state.position.legal.len());
                }
                ToPage::Judged { judged, .. } => {
                    assert!(self.nodes.iter().any(|node| node.id == judged.node));
                    assert!(judged.loss >= 0.0);
                }
                _ => {}
            }
        }
    }

    fn check(&self, state: &State) {
        let view = &state.position;
        let node = self.nodes.iter().find(|node| node.id == state.node);
        assert!(node.is_some(), "node {} is not in the tree", state.node);
        assert!(self.nodes.iter().any(|node| node.id == state.game.tip));
        assert_eq!(view.squares.len(), usize::from(view.size).pow(2));
        assert!(!view.must_pass, "a board rests where a side must pass");
        assert_eq!(view.over, view.legal.is_empty());
        assert!(view.legal.iter().all(|legal| !legal.flips.is_empty()));
        assert_eq!(state.can.back, node.is_some_and(|node| node.parent.is_some()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_sitting_survives_everything(steps in prop::collection::vec(step(), 1..80)) {
        let (mut desk, messages) = attended();
        let mut page = Page::default();
        page.hear(messages);
        for step in steps {
            let messages = match step {
                Step::Say(message) => desk.send(&message.to_string()),
                Step::Work => desk.work(4),
                Step::Wait(ms) => desk.wait(ms),
                Step::Leave => {
                    assert_eq!(desk.leave(), []);
                    assert!(desk.jobs.is_empty(), "a page that is gone has jobs");
                    desk.attend(Resumed::Kept)
                }
            };
            page.hear(messages);
            let saved = desk.sitting.saved();
            let again = Sitting::restore(&saved, SETUP).expect("what was saved can be read");
            prop_assert_eq!(again.saved(), saved);
        }
    }

    #[test]
    fn no_text_breaks_a_sitting(text in "\\PC{0,60}") {
        let (mut desk, _) = attended();
        desk.send(&text);
        let import = json!({"type": "import", "text": text});
        desk.send(&import.to_string());
        let link = json!({"type": "open-link", "fragment": format!("g={text}")});
        desk.send(&link.to_string());
        prop_assert!(Sitting::restore(&text, SETUP).is_err());
    }

    #[test]
    fn a_damaged_text_is_refused_or_makes_sense(at in 0_usize..400, with in "[ -~]") {
        let (mut desk, _) = attended();
        desk.send(r#"{"type":"new-game","size":8,"black":"human","white":"human","black_clock":{"time_ms":9000}}"#);
        for square in ["f5", "d6", "c3", "d3"] {
            desk.send(&json!({"type": "play", "square": square}).to_string());
        }
        desk.send(r#"{"type":"goto","node":1}"#);
        desk.send(r#"{"type":"play","square":"f6"}"#);
        let mut saved = desk.sitting.saved();
        let at = at % saved.len();
        if saved.is_char_boundary(at) && saved.is_char_boundary(at + 1) {
            saved.replace_range(at..=at, &with);
        }
        if let Ok(sitting) = Sitting::restore(&saved, SETUP) {
            let mut desk = Desk::new(sitting);
            let mut page = Page::default();
            page.hear(desk.attend(Resumed::Restored));
            page.hear(desk.wait(100_000));
            page.hear(desk.send(r#"{"type":"walk","to":"last"}"#));
            page.hear(desk.send(r#"{"type":"take-back"}"#));
        }
    }
}

#[test]
fn a_puzzle_is_solved_by_its_only_winning_move() {
    let (mut desk, _) = attended();
    desk.send(r#"{"type":"puzzle","source":"win"}"#);
    let made = desk.work(1);
    let Some(ToPage::Puzzle { position: Some(view), .. }) = made.last() else {
        panic!("found {made:?}, expected a puzzle");
    };
    assert!(view.legal.len() >= 3);
    let mut n_right = 0;
    for legal in &view.legal {
        let message = json!({"type": "puzzle-try", "square": legal.square}).to_string();
        let answer = desk.send(&message);
        match answer.last() {
            Some(ToPage::Puzzle { solution: Some(solution), .. }) => {
                assert_eq!(solution.moves[0], legal.square);
                assert!(solution.value.discs > 0.0);
                n_right += 1;
            }
            Some(ToPage::Puzzle { tries, .. }) => {
                let refuted = tries.last().unwrap();
                assert_eq!(refuted.moves[0], legal.square);
                assert!(refuted.value.discs <= 0.0);
                // The refutation is played to the end, and the end says the same.
                assert_eq!(
                    score(view.turn, &view.squares, &refuted.moves),
                    refuted.value.discs as i8
                );
            }
            Some(ToPage::Error { .. }) if n_right > 0 => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(n_right, 1);
}

/// How a line of a puzzle ends for the side that begins it.
fn score(turn: Side, squares: &str, moves: &[String]) -> i8 {
    let side = if turn == Side::Black { 'X' } else { 'O' };
    let start = Position::parse(&format!("{squares} {side};")).unwrap();
    let mut game = Game::new(start);
    for mv in moves.iter().filter(|mv| *mv != "pass") {
        game.play(mv.parse().unwrap()).unwrap();
    }
    assert!(game.is_over(), "the line ends before the game");
    let counting = Counting::WinnerTakesEmpties;
    game.position().score_for(start.turn(), counting).0
}

#[test]
fn own_mistakes_become_puzzles() {
    let (mut desk, _) = attended();
    // A game of random moves on 6×6 has mistakes enough.
    desk.send(r#"{"type":"new-game","size":6,"black":"human","white":"human"}"#);
    let mut rng = Rng::new(5);
    let mut messages = desk.send(r#"{"type":"walk","to":"tip"}"#);
    while let Some(view) = messages.into_iter().find_map(view).filter(|view| !view.over) {
        let legal = &view.legal[rng.below(view.legal.len() as u64) as usize];
        messages = desk.send(&json!({"type": "play", "square": legal.square}).to_string());
    }
    desk.send(r#"{"type":"review","effort":{"kind":"level","level":4}}"#);
    desk.work(100);
    let asked = desk.send(r#"{"type":"puzzle","source":"own"}"#);
    let Some(ToPage::Puzzle { own_left, .. }) = asked.last() else { panic!("{asked:?}") };
    assert!(*own_left > 0);
    let made = desk.work(20);
    let Some(ToPage::Puzzle { question: Some(question), position: Some(view), .. }) = made.last()
    else {
        panic!("{made:?}")
    };
    assert!(matches!(
        question,
        PuzzleQuestion::Better { loss, .. } if *loss >= 2.0
    ));
    assert!(view.empties <= 18);
    let shown = desk.send(r#"{"type":"puzzle-show"}"#);
    let Some(ToPage::Puzzle { solution: Some(solution), .. }) = shown.last() else {
        panic!("{shown:?}")
    };
    assert!(view.legal.iter().any(|legal| legal.square == solution.moves[0]));
}

fn view(message: ToPage) -> Option<View> {
    match message {
        ToPage::State(state) => Some(state.position),
        _ => None,
    }
}
