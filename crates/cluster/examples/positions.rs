//! Positions of random games, one a line in OBF: something to try `obverse batch` on.
//!
//! `cargo run --release -p obverse-cluster --example positions -- 20000 14 18 1` prints 20,000 positions
//! with 14 to 18 empty squares, of games with the seed 1; with a last argument of 0.01 one line in a
//! hundred is garbage instead, and after that may follow the side of the board: 4, 6 or 8.
//!
//! The players place discs at random until 24 are left, and then look one move ahead, so that the games
//! are not quite as wild as random ones.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program for the terminal")]

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use obverse_board::notation::Form;
use obverse_board::{Game, Position, Size};
use obverse_engine::classic::Rng;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<f64>().ok());
    let (Some(count), Some(least), Some(most), Some(seed)) =
        (number(0), number(1), number(2), number(3))
    else {
        eprintln!("error: expected COUNT EMPTIES_MIN EMPTIES_MAX SEED [SHARE_OF_GARBAGE [SIDE]]");
        return ExitCode::from(2);
    };
    let Some(size) = Size::from_side(number(5).unwrap_or(8.0) as usize) else {
        eprintln!("error: found {}, expected a side of 4, 6 or 8", words[5]);
        return ExitCode::from(2);
    };
    let garbage = (number(4).unwrap_or(0.0) * 1e6) as u64;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut rng = Rng::new(seed as u64);
    let mut n_lines = 0;
    while n_lines < count as u64 {
        if rng.below(1_000_000) < garbage {
            let n = 1 + rng.below(70);
            let text: String = (0..n).map(|_| char::from(b'!' + rng.below(90) as u8)).collect();
            // Not a comment, nor a position but by a miracle.
            let _ = writeln!(out, "?{text}");
            n_lines += 1;
            continue;
        }
        let n_empties = least as u32 + rng.below((most - least) as u64 + 1) as u32;
        if let Some(position) = position(&mut rng, size, n_empties) {
            let text = Form::Obf.print(&Game::new(position)).expect("every position has this form");
            if writeln!(out, "{text}").is_err() {
                break;
            }
            n_lines += 1;
        }
    }
    ExitCode::SUCCESS
}

/// A position with so many empty squares of a random game, if the game gets there.
fn position(rng: &mut Rng, size: Size, n_empties: u32) -> Option<Position> {
    let mut position = Position::start(size);
    loop {
        if position.must_pass() {
            position = position.pass_unchecked();
        }
        if position.empties().count() == n_empties || position.is_over() {
            break;
        }
        let moves: Vec<_> = position.moves().into_iter().collect();
        let any = moves[rng.below(moves.len() as u64) as usize];
        // The least mobility for the opponent.
        let careful = moves.iter().min_by_key(|mv| position.play_unchecked(**mv).moves().count());
        let is_careful = position.empties().count() <= 24 && rng.below(2) == 0;
        position = position.play_unchecked(if is_careful { *careful? } else { any });
    }
    (position.empties().count() == n_empties && !position.is_over()).then_some(position)
}
