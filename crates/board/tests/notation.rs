//! Printing and reading are inverse to each other, and what cannot be read is explained.

mod common;

use common::games::{game, size};
use obverse_board::notation::Form;
use obverse_board::notation::obf::Problem;
use obverse_board::{Bitboard, Color, Game, Move, Position, Score, Size, Square};
use proptest::prelude::*;

/// Any discs on any board.
fn position() -> impl Strategy<Value = Position> {
    (size(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(size, a, b, black)| {
        let (black_discs, white_discs) = (Bitboard(a & !b), Bitboard(b & !a));
        let turn = if black { Color::Black } else { Color::White };
        let squares = size.squares();
        Position::new(size, black_discs & squares, white_discs & squares, turn).unwrap()
    })
}

proptest! {
    #[test]
    fn every_position_is_read_back_from_every_form_that_can_say_it(position in position()) {
        let game = Game::new(position);
        for form in Form::ALL {
            let Ok(text) = form.print(&game) else {
                let needs_start = matches!(form, Form::Name | Form::Transcript);
                prop_assert!(needs_start || form == Form::Kply && position.size() != Size::Eight);
                continue;
            };
            prop_assert_eq!(Form::detect(&text), Some(form), "{}", text);
            prop_assert_eq!(Position::parse(&text), Ok(position), "{} {}", form, text);
            // White space around it is no matter.
            prop_assert_eq!(Position::parse(&format!("\n {text} \n")), Ok(position));
        }
        prop_assert_eq!(Position::parse(&position.to_ascii_grid()), Ok(position));
    }

    #[test]
    fn every_game_is_read_back_move_by_move(game in game()) {
        for form in [Form::Transcript, Form::Ggf] {
            let text = form.print(&game).unwrap();
            prop_assert_eq!(&Game::parse(&text).unwrap(), &game, "{}", text);
        }
        // With numbers, in capitals and without its passes a transcript says the same.
        let numbered: String = game.moves().iter().filter_map(|mv| mv.square()).enumerate()
            .map(|(i, square)| format!("{}. {} ", i + 1, square.to_string().to_uppercase())).collect();
        let name = Form::Name.print(&Game::new(game.start())).unwrap();
        let mut read = Game::parse(&format!("{name} {numbered}")).unwrap();
        if game.moves().last() == Some(&Move::Pass) {
            read.settle();
        }
        prop_assert_eq!(read, game);
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,80}") {
        let _ = Game::parse(&text);
        for form in Form::ALL {
            let _ = form.parse(&text);
        }
        let _ = Problem::parse(&text);
    }

    #[test]
    fn no_damaged_text_makes_a_parser_panic(
        position in position(),
        at in any::<prop::sample::Index>(),
        insert in "\\PC{0,3}",
        n_removed in 0_usize..4,
    ) {
        for form in Form::ALL {
            let Ok(text) = form.print(&Game::new(position)) else { continue };
            let mut chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len());
            let end = (at + n_removed).min(chars.len());
            chars.splice(at..end, insert.chars());
            let text: String = chars.into_iter().collect();
            // What can still be read must also be a position that prints.
            if let Ok(game) = Game::parse(&text) {
                prop_assert!(Form::Srn.print(&game).is_ok());
            }
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    match Game::parse(text) {
        Ok(game) => panic!("{text:?} was read as {:?}", Form::Srn.print(&game)),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn what_cannot_be_read_is_explained() {
    check(
        " ",
        "found nothing, expected a position such as start, f5d6c3 or 8/8/8/3wb3/3bw3/8/8/8 b",
    );
    check(
        "start:5x5",
        "read as name, character 6: found \":5x5\", expected :4x4, :6x6, :8x8 or :mirrored",
    );
    check("8/8/8/3wb3/3bw3/8/8 b", "read as srn, character 1: found 7 rows, expected 4, 6 or 8");
    check(
        "8/8/8/3wb3/3bw4/8/8/8 b",
        "read as srn, character 12: found 9 squares in row 5, expected 8",
    );
    check(
        "8/8/8/3qb3/3bw3/8/8/8 b",
        "read as srn, character 8: found \"qb3/3bw3/8/8/8\", expected b, w or a number of empties from 1 to 8",
    );
    check(
        "8/8/8/3wb3/3bw3/8/8/8",
        "read as srn, character 22: found the end, expected the side to move, b or w",
    );
    check(
        "8/8/8/3wb3/3bw3/8/8/8 b b",
        "read as srn, character 25: found \"b\", expected nothing more",
    );
    check(
        "00000210012000000 1",
        "read as digits, character 1: found 17 digits, expected 16, 36 or 64",
    );
    check(
        "0000021001300000 1",
        "read as digits, character 11: found \"300000\", expected 0 (empty), 1 (dark) or 2 (light)",
    );
    check(
        "0000021001200000",
        "read as digits, character 17: found the end, expected the side to move, 1 or 2",
    );
    check(
        "[[0,0,0,0],[0,1,2,0],[0,2,1,0]] 1",
        "read as list, character 1: found 3 inner lists, expected 4, 6 or 8",
    );
    check(
        "[[0,0,0,0],[0,1,2],[0,2,1,0],[0,0,0,0]] 1",
        "read as list, character 12: found 3 numbers, expected 4",
    );
    check("[[0,0,0 0]", "read as list, character 9: found \"0]\", expected , or ]");
    check(
        "0 1 1 1 1 1",
        "read as kply, character 12: found the end, expected 0 (black), 1 (white) or -1 (empty) for square 6 of 64",
    );
    check(
        "2 1 1 1 1 1",
        "read as kply, character 1: found \"2\", expected the side to move, 0 (black) or 1 (white)",
    );
    check(
        "XXXXXXXXXXXX X;",
        "read as obf, character 1: found 12 squares before the side to move, expected 16, 36 or 64 squares and the side to move, X or O",
    );
    check(
        "-----XO--OX----- X; a1:+4;",
        "read as obf, character 21: a1 is not a legal move for black: it would flip no disc",
    );
    check(
        "f5d6c3c3",
        "read as transcript, character 7: move 4: c3 is not a legal move for white: it is occupied by a black disc",
    );
    check(
        "f5 d6 z3",
        "read as transcript, character 7: found \"z3\", expected a move such as f5, or PA for a pass",
    );
    check(
        "f5PA",
        "read as transcript, character 3: move 2: white may not pass: it has a move, for example f4",
    );
    check(
        "(;GM[Othello]BO[8 ---",
        "read as ggf, character 22: found the end, expected ] at the end of the tag",
    );
    check("(;GM[Go];)", "read as ggf, character 6: found \"Go];)\", expected the game Othello");
    check(
        "X O -\nX O -\nX O -",
        "read as grid, line 3, character 6: found 3 rows of 3 squares, expected 4x4, 6x6 or 8x8",
    );
    check(
        "X O - -\nX O -",
        "read as grid, line 2, character 1: found 3 squares in a row, expected 4",
    );
}

#[test]
fn the_start_in_every_form() {
    let start = Game::new(Position::start(Size::Four));
    let print = |form: Form| form.print(&start).unwrap();
    assert_eq!(print(Form::Name), "start:4x4");
    assert_eq!(print(Form::Srn), "4/1wb1/1bw1/4 b");
    assert_eq!(print(Form::Digits), "0000021001200000 1");
    assert_eq!(print(Form::List), "[[0,0,0,0],[0,2,1,0],[0,1,2,0],[0,0,0,0]] 1");
    assert_eq!(print(Form::Obf), "-----OX--XO----- X;");
    assert_eq!(print(Form::Transcript), "start:4x4");
    assert_eq!(print(Form::Ggf), "(;GM[Othello]PC[Obverse]TY[4]RE[?]BO[4 -----O*--*O----- *];)");
    let start = Game::new(Position::start(Size::Eight));
    let kply = Form::Kply.print(&start).unwrap();
    assert!(kply.starts_with("0\n-1 -1 -1 -1 -1 -1 -1 -1\n"), "{kply}");
    assert!(kply.contains("\n-1 -1 -1 1 0 -1 -1 -1\n-1 -1 -1 0 1 -1 -1 -1\n"), "{kply}");
}

#[test]
fn the_grid_is_drawn_exactly() {
    let start = Position::start(Size::Eight);
    let expected = "   0 1 2 3 4 5 6 7\n\
        0| - - - - - - - -\n\
        1| - - - - - - - -\n\
        2| - - - - - - - -\n\
        3| - - - O X - - -\n\
        4| - - - X O - - -\n\
        5| - - - - - - - -\n\
        6| - - - - - - - -\n\
        7| - - - - - - - -";
    assert_eq!(start.to_ascii_grid(), expected);
    let grid = Form::Grid.print(&Game::new(start)).unwrap();
    assert_eq!(grid.replace('\u{332}', ""), expected);
    let header = grid.lines().next().unwrap();
    assert!(header.chars().skip(1).step_by(2).all(|c| c == '\u{332}'), "{header:?}");
    assert_eq!(header.chars().count(), 2 * "   0 1 2 3 4 5 6 7".len());
}

#[test]
fn grids_are_read_as_people_draw_them() {
    let start = Position::start(Size::Four);
    for text in [
        "....\n.OX.\n.XO.\n....",
        "- - - -\n- O X -\n- X O -\n- - - -\nX",
        "  a b c d\n1 . . . . 1\n2 . O X . 2\n3 . X O . 3\n4 . . . . 4\n  a b c d\n\nX to move, legal: a2 b1",
        "|-|-|-|-|\r\n|-|w|b|-|\r\n|-|b|w|-|\r\n|-|-|-|-|\r\nblack to move",
    ] {
        assert_eq!(Position::parse(text), Ok(start), "{text}");
    }
    assert_eq!(Position::parse("....\n.OX.\n.XO.\n....\nO").unwrap().turn(), Color::White);
}

#[test]
fn a_problem_carries_the_scores_of_its_moves() {
    let line = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; H4:-22; % FFO 43";
    let problem = Problem::parse(line).unwrap();
    assert_eq!(problem.score, Some(Score(-12)));
    assert_eq!(problem.moves[0], (Move::Place(Square::G3), Score(-12)));
    assert_eq!(problem.moves.len(), 3);
    assert_eq!(Problem::parse("-----XO--OX----- X; +4;").unwrap().score, Some(Score(4)));
    let over = Problem::parse("XXXXXXXXXXXXXXXX X; PA:+16;").unwrap();
    assert_eq!(over.score, Some(Score(16)));
    let file = format!("% a comment\n\n{line}\nnonsense\n");
    let lines: Vec<(usize, bool)> =
        Problem::parse_lines(&file).map(|(n, p)| (n, p.is_ok())).collect();
    assert_eq!(lines, [(3, true), (4, false)]);
}
