//! Files of games as programs and sites really write them, whole and damaged.

mod common;

use obverse_board::notation::record::{
    Clock, Colors, Date, Ending, Mark, Note, Outcome, Player, Record,
};
use obverse_board::notation::{Form, Format, Records};
use obverse_board::{Color, Game, Move, Position, Size, Square};
use proptest::prelude::*;

/// Eight moves after which black must pass.
const TO_A_PASS: &str = "c4c3c2b2e6c1a1a3";

/// What a file holds: the moves of its games, and what is wrong with the others.
fn outline(bytes: &[u8], name: Option<&str>) -> (Format, Vec<String>) {
    let records = Records::new(bytes, name);
    let format = records.format();
    let line = |record: Result<Record, _>| match record {
        Ok(record) => Form::Transcript.print(record.game()).unwrap(),
        Err(error) => format!("{error}"),
    };
    (format, records.map(line).collect())
}

#[track_caller]
fn check(text: &str, form: Form, expected: &[&str]) {
    let (format, lines) = outline(text.as_bytes(), None);
    assert_eq!(lines, expected);
    assert_eq!(format, Format::Text(form));
}

/// The only game of a text.
#[track_caller]
fn one(text: &str) -> Record {
    let mut records = Records::new(text.as_bytes(), None);
    let record = records.next().expect("a game").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(records.next(), None);
    record
}

fn moves(text: &str) -> Game {
    Game::parse(text).unwrap()
}

#[test]
fn a_game_of_ggs_is_read_with_all_its_tags() {
    let record = one("1 (;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[Saio3000]PW[kitty]\
         RB[2534.27]RW[2490.5]TI[15:00//02:00]TY[s8r18]RE[-64.00:r]\
         BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
         B[f5/1.25/0.31]W[D6//12.5]B[C3/-0.5];)\n");
    assert_eq!(record.site, "GGS/os");
    assert_eq!(record.date, Date::parse("2004-09-18 05:54:38 MDT"));
    assert_eq!(record.black, Player { name: "Saio3000".to_owned(), rating: Some(2534.27) });
    assert_eq!(record.white.rating, Some(2490.5));
    let clock = Some(Clock { main: 900, increment: 0, grace: 120 });
    assert_eq!([record.clocks.black, record.clocks.white], [clock, clock]);
    let variant = record.variant.unwrap();
    assert_eq!((variant.colors, variant.random, variant.side), (Colors::Synchro, Some(18), 8));
    let outcome =
        Outcome { winner: Some(Color::White), discs: Some(64.0), ending: Ending::Resigned };
    assert_eq!(record.outcome, Some(outcome));
    assert_eq!(record.game(), &moves("f5d6c3"));
    let said: Vec<_> = record.line.notes.iter().map(|note| (note.eval, note.seconds)).collect();
    assert_eq!(said, [(Some(1.25), Some(0.31)), (None, Some(12.5)), (Some(-0.5), None)]);
}

#[test]
fn ggf_is_read_as_loosely_as_it_is_written() {
    // The game's name in lower case, an unknown tag, words for the result, blanks, junk after a move.
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    for (text, expected) in [
        (format!("(;GM[othello]XX[y]RE[aborted]{start}\n B[F5!]\nW[d6] ;)"), "f5d6"),
        (format!("(;GM[Othello]RE[-127.000]TY[8]{start}B[f5/NaN/x]W[D6/1,2/3];)"), "f5d6"),
        (format!("2 (;GM[Othello]TY[s8]{start}B[f5]W[d6];)"), "f5d6"),
    ] {
        let record = one(&text);
        assert_eq!(record.game(), &moves(expected), "{text}");
        assert_eq!(record.outcome, None, "{text}");
    }
    let unknown = one(&format!("(;GM[othello]XX[y]RE[aborted]{start};)"));
    let extra = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(unknown.extras, [extra("XX", "y"), extra("Termination", "aborted")]);
    // Two games of a match, with nothing between them.
    let synchro = format!("2 (;GM[Othello]TY[s8]{start}B[f5];)(;GM[Othello]TY[s8]{start}B[e6];)");
    check(&synchro, Form::Ggf, &["f5", "e6"]);
}

#[test]
fn a_pass_may_be_said_or_left_out_in_every_format() {
    let expected = moves(&format!("{TO_A_PASS}c5"));
    assert_eq!(expected.moves()[8], Move::Pass);
    let board =
        "GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]";
    let head = "B[C4]W[C3]B[C2]W[B2]B[E6]W[C1]B[A1]W[A3]";
    let nodes = ";B[c4];W[c3];B[c2];W[b2];B[e6];W[c1];B[a1];W[a3]";
    let numbered = "1. c4 c3 2. c2 b2 3. e6 c1 4. a1 a3";
    for text in [
        format!("(;{board}{head}B[PA]W[C5];)"),
        format!("(;{board}{head}B[PA//3.107]W[C5];)"),
        format!("(;{board}{head}W[C5];)"),
        format!("(;GM[2]{nodes};B[PA];W[c5])"),
        format!("(;GM[2]{nodes};B[];W[c5])"),
        format!("(;GM[2]{nodes};B[tt];W[c5])"),
        format!("(;GM[2]{nodes};W[c5])"),
        format!("{numbered} 5. -- c5 *"),
        format!("{numbered} 5. pass c5 *"),
        format!("{numbered} c5 *"),
        format!("{TO_A_PASS}PAc5"),
        format!("{TO_A_PASS}c5"),
    ] {
        assert_eq!(one(&text).game(), &expected, "{text}");
    }
    // A pass at the end is one, and says who is to move.
    let ended = one(&format!("(;{board}{head}B[PA//3.107];)"));
    assert_eq!(ended.game().position().turn(), Color::White);
}

#[test]
fn komi_games_keep_their_bids() {
    let text = "(;GM[Othello]TY[8k]BO[8 ---------------------------O*------*O--------------------------- *]\
                KB[d3/2.5/1.2]KW[e6/3.5]KM[3]B[d3];)";
    let komi = one(text).komi.unwrap();
    assert_eq!((komi.value, &*komi.black, &*komi.white), (Some(3.0), "d3/2.5/1.2", "e6/3.5"));
    assert_eq!(one(text).variant.unwrap().colors, Colors::Komi);
}

#[test]
fn smaller_and_larger_boards_of_ggf() {
    let six = "(;GM[Othello]TY[6]BO[6 --------------O*----*O-------------- *]B[E4]W[C5];)";
    check(six, Form::Ggf, &["start:6x6 e4c5"]);
    let ten = format!("(;GM[Othello]TY[10]BO[10 {} *];)", "-".repeat(100));
    let damage = "game 1, line 1, character 23: found \"10\", expected a board of 4, 6 or 8 rows";
    check(&ten, Form::Ggf, &[damage]);
}

#[test]
fn sgf_is_read_as_othello_programs_write_it() {
    // Edax: the first move in the root, a last node without one.
    let edax = "(;FF[4]GM[2]AP[edax:4.4]PC[Edax]DT[2012-03-04]PB[a]PW[b]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]\
                RE[B+2]B[f5];W[d6];B[c3];)\n";
    let record = one(edax);
    assert_eq!(record.game(), &moves("f5d6c3"));
    assert_eq!((&*record.black.name, &*record.site), ("a", "Edax"));
    assert_eq!(record.date.unwrap().to_string(), "2012.03.04");
    assert_eq!(record.outcome.unwrap().margin(), Some(2.0));
    // Cassio: clocks in the root, moves in either case.
    let cassio = "(;GM[2]FF[4]SZ[8]TM[1500]BL[1500]WL[1500]AP[Cassio:7.6]US[Stephane]CP[Copyleft]\
                  PB[Tamenori]EV[World]DT[1994]RE[0]AB[e4][d5]AW[d4][e5]PL[B];B[F5];W[D6];B[C3])";
    let record = one(cassio);
    assert_eq!(record.game(), &moves("f5d6c3"));
    assert_eq!(record.clocks.black.unwrap().main, 1500);
    assert_eq!(record.outcome.unwrap().winner, None);
    // Squares as in Go, an old file's long names, no setup.
    check("(;GaMe[2]\n;Black[fe]\n;White[df];Black[cc])", Form::Sgf, &["f5d6c3"]);
    // Discs as rectangles; who moves first tells whose turn it is.
    let record = one("(;GM[2]SZ[4]AB[b1:ab]AW[a1];W[ca])");
    let start = record.game().start();
    assert_eq!(Form::Srn.print(&Game::new(start)).unwrap(), "wb2/bb2/4/4 w");
    assert_eq!(record.game().moves(), [Move::Place(Square::C1)]);
}

#[test]
fn sgf_keeps_variations_and_comments() {
    let text = "(;GM[2]FF[4]C[Before \\[the\\] game];B[f5]C[First](;W[d6];B[c3]TE[1](;W[d3])(;W[f4]DO[]))\
                (;W[f6]C[The parallel\nway\\]s];B[e6])(;W[f4]BM[2]))";
    let record = one(text);
    assert_eq!(record.comment, "Before [the] game");
    assert_eq!(record.game(), &moves("f5d6c3d3"));
    assert_eq!(record.line.notes[0].comment, "First");
    assert_eq!(record.line.notes[2].mark, Some(Mark::Good));
    let outline: Vec<_> = record
        .line
        .branches
        .iter()
        .map(|branch| (branch.ply, branch.line.game.moves().to_vec(), branch.line.notes.clone()))
        .collect();
    let place = |squares: &[Square]| squares.iter().map(|s| Move::Place(*s)).collect::<Vec<_>>();
    let said = Note { comment: "The parallel\nway]s".to_owned(), ..Note::default() };
    let marked = |mark| vec![Note { mark: Some(mark), ..Note::default() }];
    assert_eq!(
        outline,
        [
            (1, place(&[Square::F6, Square::E6]), vec![said]),
            (1, place(&[Square::F4]), marked(Mark::Blunder)),
            (3, place(&[Square::F4]), marked(Mark::Dubious)),
        ]
    );
    assert_eq!(record.line.n_branches(), 3);
    let printed = Form::Sgf.print_record(&record).unwrap();
    assert_eq!(one(&printed), record, "{printed}");
}

#[test]
fn pgn_is_read_as_sites_write_it() {
    let playok = "[Event \"?\"]\n[Site \"kurnik\"]\n[Date \"2014.10.19\"]\n[Round \"-\"]\n\
                  [Black \"ntwo\"]\n[White \"cosmo \\\"stan\\\"\"]\n[Result \"37-27\"]\n\
                  [Time \"07:43:20\"]\n[TimeControl \"300\"]\n[BlackElo \"1226\"]\n[WhiteElo \"1228\"]\n\n\
                  1. c4 c3 2. c2 b2 3. e6 c1 4. a1 a3 5. --\nc5 37-27\n\n";
    let record = one(playok);
    assert_eq!(record.game(), &moves(&format!("{TO_A_PASS}c5")));
    assert_eq!((&*record.event, &*record.site, &*record.round), ("", "kurnik", ""));
    assert_eq!(record.white, Player { name: "cosmo \"stan\"".to_owned(), rating: Some(1228.0) });
    assert_eq!(record.date.as_ref().unwrap().to_string(), "2014.10.19_07:43:20");
    assert_eq!(record.outcome.unwrap().margin(), Some(10.0));
    assert_eq!(record.clocks.white, Some(Clock { main: 300, increment: 0, grace: 0 }));
    // The paste of a game in play: moves alone, in either case.
    check("1. F5 f4 2. F3 g4 3. H3 f6", Form::Pgn, &["f5f4f3g4h3f6"]);
    // Numbers of moves, not of pairs, one pair a line, the result in the end.
    let by_move = "[Event \"World Championship - 1977\"]\n[Date \"1977\"]\n[Result \"34-30\"]\n\
                   1. F5 D6\n3. C3 F3\n34-30\n----\n[Event \"?\"]\n1. F5 F6\n3. E6\n0-64\n";
    check(by_move, Form::Pgn, &["f5d6c3f3", "f5f6e6"]);
    // XBoard drops pawns and passes as @@@@; no blank after the number.
    check("1.P@f5 P@d6 2.P@c3 1-0", Form::Pgn, &["f5d6c3"]);
    // Games without tags and results, and one without moves.
    check("1. f5 d6\n\n1. e6 f4\n", Form::Pgn, &["f5d6", "e6f4"]);
    check("[Event \"a\"]\n\n[Event \"b\"]\n\n1. f5 *", Form::Pgn, &["start", "f5"]);
}

#[test]
fn pgn_keeps_variations_and_comments() {
    let text = "{Before} 1. f5 {[%eval 0.5] [%emt 0:01:02.5] First} (1. d3 c5) (1. c4 (1. e6) 1... e3 $2)\n\
                1... d6!? ; to the end of the line\n2. c3 $1 *";
    let record = one(text);
    assert_eq!(record.comment, "Before");
    assert_eq!(record.game(), &moves("f5d6c3"));
    let first = &record.line.notes[0];
    assert_eq!((first.eval, first.seconds, &*first.comment), (Some(0.5), Some(62.5), "First"));
    assert_eq!(record.line.notes[1].comment, "to the end of the line");
    assert_eq!(record.line.notes[1].mark, Some(Mark::Interesting));
    let outline: Vec<_> = record
        .line
        .branches
        .iter()
        .map(|branch| (branch.ply, branch.line.game.moves().len(), branch.line.branches.len()))
        .collect();
    // What takes the place of c4 in its variation branches off where that does.
    assert_eq!(outline, [(0, 2, 0), (0, 2, 0), (0, 1, 0)]);
}

#[test]
fn lists_have_a_game_or_a_position_a_line() {
    let xot = "# XOT\nf5d6c4d3c2b3b4b5\n\nF5F4G3G6F3G4E3E2  -0.5\nf5 d6 c3\n";
    check(xot, Form::Transcript, &["f5d6c4d3c2b3b4b5", "f5f4g3g6f3g4e3e2", "f5d6c3"]);
    let columns: Vec<Record> =
        Records::new(b"f5d6\tPerpendicular\tby name\n", None).map(Result::unwrap).collect();
    assert_eq!(columns[0].comment, "Perpendicular\tby name");
    let start = Position::start(Size::Eight);
    let print = |form: Form| form.print(&Game::new(start)).unwrap();
    for form in [Form::Srn, Form::Fen, Form::Obf, Form::Digits, Form::List, Form::Name] {
        let text = format!("{}\n{}\n", print(form), print(form));
        check(&text, form, &["start", "start"]);
    }
    for form in [Form::Grid, Form::Kply] {
        let text = format!("{}{}{}", print(form), form.separator(), print(form));
        check(&text, form, &["start", "start"]);
        check(&print(form), form, &["start"]);
    }
    let four = "0000021001200000 1\n0000021001200000 2\n0000012002100000 1\n";
    assert_eq!(Records::new(four.as_bytes(), None).map(Result::unwrap).count(), 3);
    // The moves of one game in several lines are one game.
    check("f5d6\nc3d3\nc4f4\n", Form::Transcript, &["f5d6c3d3c4f4"]);
    check("f5d6\nc3\n", Form::Transcript, &["f5d6c3"]);
}

#[test]
fn a_list_of_problems_keeps_the_scores() {
    let line = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; % FFO 43";
    let record = one(&format!("% a suite\n{line}\n"));
    assert_eq!(Form::Obf.print_record(&record).unwrap(), line);
    let mut free = record.clone();
    free.comment = "hard".to_owned();
    let printed = Form::Obf.print_record(&free).unwrap();
    assert!(printed.ends_with(" O; % hard"), "{printed}");
}

#[test]
fn a_damaged_game_does_not_keep_others_from_being_read() {
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let game = |moves: &str| format!("(;GM[Othello]{board}{moves};)");
    let ggf = [
        &game("B[F5]"),
        &game("B[F5]W[A1]B[C3]"),
        &game("B[E6]"),
        "(;GM[Othello]PB[open",
        &game("B[D3]"),
    ];
    check(
        &ggf.join("\n"),
        Form::Ggf,
        &[
            "f5",
            "game 2, line 2, character 93: a1 is not a legal move for white: it would flip no disc",
            "e6",
            "game 4, line 4, character 17: found \"open\", expected ] before the next game",
            "d3",
        ],
    );
    check(
        "(;GM[2];B[f5])\n(;GM[2];B[f5];B[d6])\n(;GM[2];B[e6])(;GM[1]SZ[19];B[pd])\n(;GM[2]SZ[8];B[d3]",
        Form::Sgf,
        &[
            "f5",
            "game 2, line 2, character 17: found a move of black, but it is the turn of white",
            "e6",
            "game 4, line 3, character 20: found \"1]SZ[19];B[pd])\", expected the game 2, which is Othello",
            "game 5, line 4, character 19: found the end, expected ; before the next move, or ) at the end of the game",
        ],
    );
    check(
        "[Event \"a\"]\n\n1. f5 d6 *\n\n[Event \"b\"]\n\n1. f5 f5 2. c3 *\n\n[Event \"c\"]\n[Site x]\n\n\
         1. e6 *\n\n[Event \"d\"]\n\n1. d3 *\n",
        Form::Pgn,
        &[
            "f5d6",
            "game 2, line 7, character 7: move 2: f5 is not a legal move for white: \
             it is occupied by a black disc",
            "game 3, line 10, character 1: found \"[Site\", expected a tag such as \
             [Event \"World Championship\"]",
            "d3",
        ],
    );
    check(
        "f5d6\nmoves\nf5f5\ne6f4\n",
        Form::Transcript,
        &[
            "f5d6",
            "game 2, line 2, character 1: found \"moves\", expected a move such as f5, or PA for a pass",
            "game 3, line 3, character 3: move 2: f5 is not a legal move for white: \
             it is occupied by a black disc",
            "e6f4",
        ],
    );
}

#[test]
fn a_game_without_an_end_swallows_no_other() {
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let ggf = format!("(;GM[Othello]PB[open\n(;GM[Othello]{board}B[F5];)\n");
    check(
        &ggf,
        Form::Ggf,
        &["game 1, line 1, character 17: found \"open\", expected ] before the next game", "f5"],
    );
    check(
        "(;GM[2]C[open\n(;GM[2];B[f5])\n(;GM[2]C[quoting (;GM[2\\]];B[e6])",
        Form::Sgf,
        &[
            "game 1, line 1, character 10: found \"open\", expected ] before the next game",
            "f5",
            "e6",
        ],
    );
    check(
        "[Event \"a\"]\n\n1. f5 {open *\n\n[Event \"b\"]\n\n1. f5 {closed} *\n",
        Form::Pgn,
        &["game 1, line 3, character 8: found \"open\", expected } before the next game", "f5"],
    );
    // However many there are, none is looked through to the end of the file.
    let n = 20_000;
    for (begin, end, form) in [
        ("(;GM[Othello]A[", "", Form::Ggf),
        ("(;GM[Othello]A[", "]", Form::Ggf),
        ("(;GM[", "", Form::Ggf),
        ("(;SZ[", "", Form::Sgf),
        ("(;GM[2]A[", "", Form::Sgf),
        ("(;GM[2]A[", "]", Form::Sgf),
        ("1. f5 {\n\n", "", Form::Pgn),
        ("[Event \"a\"]\n\n1. f5 {\n\n", "}", Form::Pgn),
    ] {
        let (format, lines) = outline((begin.repeat(n) + end).as_bytes(), None);
        assert_eq!((format, lines.len()), (Format::Text(form), n), "{begin} {end}");
    }
}

#[test]
fn a_variation_nested_without_end_is_read_in_bounded_space() {
    let n = 100_000;
    let sgf = format!("(;GM[2]{}{})", "(;".repeat(n), ")".repeat(n));
    assert_eq!(outline(sgf.as_bytes(), None).1, ["start"]);
    let cut = format!("(;GM[2]{}", "(;B[f5]".repeat(n));
    assert_eq!(outline(cut.as_bytes(), None).1.len(), 1);
    let pgn = format!("1. f5 {} {} *", "(d3 (c4 ".repeat(n), ")".repeat(2 * n));
    let record = one(&pgn);
    assert_eq!(record.line.branches.len(), 2 * n);
    assert!(record.line.branches.iter().all(|branch| branch.line.branches.is_empty()));
}

#[test]
fn text_comes_in_several_encodings() {
    let text = "1. f5 d6 {café} *";
    let comment = |bytes: &[u8]| {
        let record = Records::new(bytes, None).next().unwrap().unwrap();
        record.line.notes[1].comment.clone()
    };
    let utf16 = |mark: u16, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(mark).chain(text.encode_utf16()).flat_map(to).collect()
    };
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        latin,
        utf16(0xfeff, u16::to_le_bytes),
        utf16(0xfeff, u16::to_be_bytes),
    ] {
        assert_eq!(comment(&bytes), "café", "{bytes:?}");
    }
    check("[Event \"a\"]\r\n\r\n1. f5\r\nd6 *\r\n", Form::Pgn, &["f5d6"]);
}

#[test]
fn nothing_is_nothing() {
    for bytes in [&b""[..], b" \n\n", b"\xef\xbb\xbf", b"# only a comment\n"] {
        assert_eq!(Records::new(bytes, None).count(), 0);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Records::new(&bytes, Some("x.wtb")).count();
    }

    #[test]
    fn no_damaged_file_makes_a_reader_panic(
        records in prop::collection::vec(common::games::record(), 1..3),
        form in prop::sample::select(&[Form::Ggf, Form::Sgf, Form::Pgn][..]),
        at in any::<prop::sample::Index>(),
        insert in "[\\[\\](){};:.\"\\\\%0-9a-h \n-]{0,3}",
        n_removed in 0_usize..6,
    ) {
        let print = |record| form.print_record(record).unwrap() + form.separator();
        let text: String = records.iter().map(print).collect();
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let end = (at + n_removed).min(chars.len());
        chars.splice(at..end, insert.chars());
        let text: String = chars.into_iter().collect();
        for record in Records::new(text.as_bytes(), None).flatten() {
            // What can still be read can be written and is then the same.
            for form in [Form::Sgf, Form::Pgn] {
                let printed = form.print_record(&record).unwrap();
                let read = Records::new(printed.as_bytes(), None).next().unwrap().unwrap();
                prop_assert_eq!(read.game(), record.game(), "{}", printed);
            }
        }
    }
}
