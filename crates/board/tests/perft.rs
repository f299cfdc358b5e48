//! Runs the data files of `tests/perft`: positions and their numbers of games.
//!
//! A file is a list of positions, each an `id` line, a `board` line (64, 36 or 16 of `X`, `O`, `-`
//! and the side to move), a `passes` line (`ply` or `free`), and then `DEPTH COUNT` lines. Empty
//! lines and those that begin with `#` are for the reader.

mod common;

use std::path::Path;

use common::Random;
use common::oracle::Oracle;
use obverse_board::perft::{Passes, divide, perft};
use obverse_board::{Bitboard, Color, Position, Size};

/// Counts above this are read but not checked, to keep the suite fast.
const BUDGET: u64 = 2_500_000_000;

#[derive(Clone, Copy)]
struct Entry {
    position: Position,
    passes: Passes,
}

fn parse_board(text: &str) -> Position {
    let (cells, turn) = text.split_once(' ').expect("a board and the side to move");
    let size = Size::from_area(cells.len()).expect("64, 36 or 16 squares");
    let color = |letter: char| -> Bitboard {
        let squares = size.squares().into_iter().zip(cells.chars());
        squares.filter(|&(_, cell)| cell == letter).map(|(square, _)| square).collect()
    };
    assert!(cells.chars().all(|cell| "XO-".contains(cell)), "{cells}");
    let turn = match turn {
        "X" => Color::Black,
        "O" => Color::White,
        other => panic!("{other} is neither X nor O"),
    };
    Position::new(size, color('X'), color('O'), turn).unwrap()
}

fn check_file(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut id, mut position, mut passes) = ("", None, None);
    let mut n_checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, value) = line.split_once(' ').unwrap();
        match key {
            "id" => (id, position, passes) = (value, None, None),
            "board" => position = Some(parse_board(value)),
            "passes" => {
                passes = Some(match value {
                    "ply" => Passes::Ply,
                    "free" => Passes::Free,
                    other => panic!("{other} is neither ply nor free"),
                });
            }
            depth => {
                let (depth, count): (u32, u64) = (depth.parse().unwrap(), value.parse().unwrap());
                let entry = Entry { position: position.unwrap(), passes: passes.unwrap() };
                if count <= BUDGET {
                    let found = perft(entry.position, depth, entry.passes);
                    assert_eq!(found, count, "{} {id} depth {depth}", path.display());
                    n_checked += 1;
                }
            }
        }
    }
    assert!(n_checked > 0, "{} checks nothing", path.display());
}

#[test]
fn the_counts_of_the_data_files_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(path.extension().and_then(|e| e.to_str()), Some("perft"), "{}", path.display());
        check_file(&path);
        n_files += 1;
    }
    assert_eq!(n_files, 3, "one file for each board size");
}

#[test]
fn counts_agree_with_the_walk_all_over_the_game() {
    let mut random = Random(7);
    for size in Size::ALL {
        for _ in 0..20 {
            for position in random.game(size) {
                // Deeper near the end, where there are passes and finished games.
                let depth = match position.empties().count() {
                    0..=5 => 8,
                    6..=8 => 4,
                    _ => 2,
                };
                for depth in 0..=depth {
                    let oracle = Oracle::new(size, position.board());
                    for (passes, pass_is_ply) in [(Passes::Ply, true), (Passes::Free, false)] {
                        let expected = oracle.perft(depth, pass_is_ply);
                        assert_eq!(
                            perft(position, depth, passes),
                            expected,
                            "{position:?} {depth}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_parts_of_a_divided_count_are_its_sum() {
    let mut random = Random(8);
    for size in Size::ALL {
        for position in random.game(size) {
            for passes in [Passes::Ply, Passes::Free] {
                let parts = divide(position, 4, passes);
                let sum: u64 = parts.iter().map(|&(_, count)| count).sum();
                let expected = if position.is_over() { 0 } else { perft(position, 4, passes) };
                assert_eq!(sum, expected);
                let next = |&(mv, _): &(_, u64)| position.apply(mv).unwrap();
                for (part, &(_, count)) in parts.iter().map(next).zip(&parts) {
                    let depth = if part.empties() == position.empties() && passes == Passes::Free {
                        4
                    } else {
                        3
                    };
                    assert_eq!(count, perft(part, depth, passes));
                }
            }
        }
    }
}
