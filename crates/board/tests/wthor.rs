//! WTHOR's files: written and read back, and what is said of damaged ones.

mod common;

use common::games::{play, text};
use obverse_board::notation::record::{Date, Ending, Outcome};
use obverse_board::notation::wthor::{
    Contents, Entry, GAME_BYTES, Games, HEADER_BYTES, NameList, Names, Writer,
};
use obverse_board::notation::{Form, Format, Record, Records};
use obverse_board::{Game, Position, Size};
use proptest::prelude::*;
use proptest::sample::Index;

const CREATED: [u8; 4] = [20, 26, 2, 24];

/// A name as it fits into a file.
fn name() -> impl Strategy<Value = String> {
    text().prop_map(|name| name.chars().take(19).collect::<String>().trim().to_owned())
}

/// A game as WTHOR knows it, in 1999.
fn record() -> impl Strategy<Value = Record> {
    let choices = prop::collection::vec(any::<Index>(), 0..62);
    (choices, name(), name(), name(), 0..=64_u8, 0..=64_u8).prop_map(
        |(choices, black, white, event, score, theoretical)| {
            let mut record = Record::new(play(Position::start(Size::Eight), &choices));
            (record.black.name, record.white.name, record.event) = (black, white, event);
            record.date = Some(Date::in_year(1999));
            let margin = 2.0 * f64::from(score) - 64.0;
            record.outcome = Some(Outcome::by(margin, Ending::Played));
            record.theoretical = Some(theoretical);
            // Nobody in particular has a name there.
            for (name, unknown) in [
                (&mut record.black.name, "???"),
                (&mut record.white.name, "???"),
                (&mut record.event, "Diverses parties"),
            ] {
                if name.is_empty() {
                    unknown.clone_into(name);
                }
            }
            record
        },
    )
}

/// The three files of some games.
fn write(records: &[Record]) -> [Vec<u8>; 3] {
    let (mut writer, mut names) = (Writer::default(), Names::default());
    for record in records {
        assert_eq!(writer.push(record, &mut names), Ok(false));
    }
    let [players, tournaments] =
        [names.players.to_bytes(CREATED), names.tournaments.to_bytes(CREATED)];
    [writer.finish(CREATED, 1999), players, tournaments]
}

fn names(players: &[u8], tournaments: &[u8]) -> Names {
    Names {
        players: NameList::parse(players, Contents::Players).unwrap(),
        tournaments: NameList::parse(tournaments, Contents::Tournaments).unwrap(),
    }
}

fn read(games: &[u8], names: &Names) -> Vec<Record> {
    Records::new(games, None).with_names(names).map(Result::unwrap).collect()
}

/// Writes games in a form and reads them again.
fn through(records: &[Record], form: Form) -> Vec<Record> {
    let print = |record| form.print_record(record).unwrap() + form.separator();
    let text: String = records.iter().map(print).collect();
    Records::new(text.as_bytes(), None).map(Result::unwrap).collect()
}

proptest! {
    #[test]
    fn games_are_read_back(records in prop::collection::vec(record(), 1..8)) {
        let [games, players, tournaments] = write(&records);
        prop_assert_eq!(games.len(), HEADER_BYTES + records.len() * GAME_BYTES);
        prop_assert_eq!(Contents::detect(&games, None), Some(Contents::Games));
        prop_assert_eq!(Contents::detect(&players, None), Some(Contents::Players));
        prop_assert_eq!(Contents::detect(&tournaments, None), Some(Contents::Tournaments));
        let names = names(&players, &tournaments);
        prop_assert_eq!(&read(&games, &names), &records);
        prop_assert_eq!(names.players.to_bytes([0; 4]), players, "as they were read");
    }

    #[test]
    fn every_byte_is_kept_through_all_formats(records in prop::collection::vec(record(), 1..8)) {
        let files = write(&records);
        let mut kept = read(&files[0], &names(&files[1], &files[2]));
        for form in [Form::Ggf, Form::Sgf, Form::Pgn] {
            kept = through(&kept, form);
            prop_assert_eq!(&kept, &records, "{}", form);
        }
        prop_assert_eq!(write(&kept), files);
    }

    #[test]
    fn an_entry_is_its_bytes(bytes in prop::collection::vec(any::<u8>(), GAME_BYTES)) {
        let bytes: [u8; GAME_BYTES] = bytes.try_into().unwrap();
        let entry = Entry::from_bytes(&bytes);
        prop_assert_eq!(entry.to_bytes(), bytes);
        // Whatever is legal is written again as it was read.
        if let Ok(game) = entry.game() {
            let mut record = Record::new(game);
            record.theoretical = Some(entry.theoretical);
            prop_assert_eq!(Entry::of(&record).unwrap().moves, entry.moves);
        }
    }

    #[test]
    fn no_damage_makes_a_reader_panic(
        records in prop::collection::vec(record(), 1..4),
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 0..6),
        length in any::<Index>(),
    ) {
        for mut file in write(&records) {
            for (at, byte) in &changes {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            file.truncate(length.index(file.len() + 1));
            for name in ["x.wtb", "x.jou", "x.trn"] {
                let _ = Records::new(&file, Some(name)).count();
            }
            let _ = NameList::parse(&file, Contents::Players);
            let _ = NameList::parse(&file, Contents::Tournaments);
        }
    }
}

/// A file with these games of which nothing but the moves is known.
fn file_of(games: &[&str]) -> Vec<u8> {
    let records: Vec<Record> =
        games.iter().map(|moves| Record::new(Game::parse(moves).unwrap())).collect();
    let (mut writer, mut names) = (Writer::default(), Names::default());
    for record in &records {
        writer.push(record, &mut names).unwrap();
    }
    writer.finish(CREATED, 0)
}

#[track_caller]
fn check(bytes: &[u8], expected: &[&str]) {
    let lines: Vec<String> = Records::new(bytes, Some("WTH_1999.wtb"))
        .map(|record| match record {
            Ok(record) => Form::Transcript.print(record.game()).unwrap(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(lines, expected);
    assert_eq!(Records::new(bytes, None).format(), Format::Wthor);
}

#[test]
fn the_layout_is_the_one_of_the_files() {
    let bytes = file_of(&["f5d6c3"]);
    assert_eq!(bytes[..16], [20, 26, 2, 24, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 24, 0]);
    // No tournament, nobody against nobody; 33 discs, as if the empties were shared, twice; f5, d6, c3.
    assert_eq!(bytes[16..28], [0, 0, 0, 0, 0, 0, 33, 33, 56, 64, 33, 0]);
    assert_eq!(bytes.len(), 84);
    let mut names = Names::default();
    assert_eq!(names.players.number("Rose Brian"), Ok((1, false)));
    assert_eq!(names.players.number("Rose Brian"), Ok((1, false)));
    assert_eq!(names.players.number(""), Ok((0, false)));
    assert_eq!(names.players.number("Somebody With A Long Name"), Ok((2, true)));
    assert_eq!(names.players.number("渡辺"), Ok((3, true)));
    assert_eq!(names.players.name(2), "Somebody With A Lon");
    assert_eq!(names.players.name(9), "player 9");
    let players = names.players.to_bytes(CREATED);
    assert_eq!(players[..16], [20, 26, 2, 24, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(&players[16..36], b"???\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(&players[36..46], b"Rose Brian");
    assert_eq!(players.len(), 16 + 4 * 20);
}

#[test]
fn a_damaged_game_is_told_and_the_others_are_read() {
    let mut bytes = file_of(&["f5d6", "f5f4", "e6"]);
    let second = HEADER_BYTES + GAME_BYTES + 8;
    bytes[second + 1] = 56;
    let occupied =
        "game 2: move 2: f5 is not a legal move for white: it is occupied by a black disc";
    check(&bytes, &["f5d6", occupied, "e6"]);
    bytes[second + 1] = 99;
    let number = "game 2: move 2: found the number 99, expected one from 11 (a1) to 88 (h8)";
    check(&bytes, &["f5d6", number, "e6"]);
    bytes[second + 1] = 0;
    bytes[second + 5] = 44;
    let after = "game 2: move 6: found a move, expected none after the game's end at move 2";
    check(&bytes, &["f5d6", after, "e6"]);
}

#[test]
fn a_file_of_the_wrong_length_is_told() {
    let bytes = file_of(&["f5d6", "f5f4"]);
    let cut = &bytes[..bytes.len() - 3];
    check(cut, &["f5d6", "game 2: found the end of the file after 65 bytes, expected 68"]);
    check(&bytes[..16], &["game 1: found the end of the file after 0 bytes, expected 68"]);
    let long = [&bytes[..], &[1, 2, 3]].concat();
    check(&long, &["f5d6", "f5f4", "game 3: found more bytes, expected 2 games as the head tells"]);
}

#[test]
fn what_are_no_games_on_8x8_is_refused() {
    let mut bytes = file_of(&["f5"]);
    bytes[12] = 10;
    check(&bytes, &["game 1: found games on a board of 10 rows, expected 8"]);
    (bytes[12], bytes[13]) = (8, 1);
    check(&bytes, &["game 1: found solitaires, expected games"]);
    bytes[13] = 0;
    bytes[12] = 0;
    check(&bytes, &["f5"]);
    let mut names = Names::default();
    names.players.number("Rose Brian").unwrap();
    let players = names.players.to_bytes(CREATED);
    check(&players, &["game 1: found names of players, expected games"]);
    let six = Record::new(Game::new(Position::start(Size::Six)));
    let error = Writer::default().push(&six, &mut names).unwrap_err();
    assert_eq!(error.to_string(), "WTHOR holds games on 8x8 from the usual start only");
    let short = NameList::parse(&players[..30], Contents::Players).unwrap_err();
    assert_eq!(short, "found 14 bytes of names, expected 2 names of 20");
}

#[test]
fn names_that_are_known_keep_their_numbers() {
    let mut names = Names::default();
    for name in ["Tastet Marc", "Penloup Dominique"] {
        names.players.number(name).unwrap();
    }
    let file = names.players.to_bytes(CREATED);
    let mut known = NameList::parse(&file, Contents::Players).unwrap();
    assert_eq!(known.number("Penloup Dominique"), Ok((2, false)));
    assert_eq!(known.to_bytes([20, 30, 1, 1]), file, "nothing was added");
    assert_eq!(known.number("Rose Brian"), Ok((3, false)));
    let grown = known.to_bytes([20, 30, 1, 1]);
    assert_eq!(grown[16..16 + 3 * 20], file[16..], "the names before it stay");
    assert_eq!(grown[..4], [20, 30, 1, 1]);
    // The tournaments' names are in Latin-1.
    let (mut tournaments, name) = (Names::default().tournaments, "Pérenchies (prg)");
    let (number, _) = tournaments.number(name).unwrap();
    assert_eq!(tournaments.name(number), name);
    assert!(tournaments.to_bytes(CREATED).contains(&0xe9));
}

#[test]
fn games_of_a_file_can_be_had_by_number() {
    let bytes = file_of(&["f5d6", "e6"]);
    let games = Games::new(&bytes).unwrap();
    assert_eq!((games.len(), games.is_empty()), (2, false));
    assert_eq!(games.get(1).unwrap().moves[..2], [65, 0]);
    assert!(games.get(2).is_err());
}
