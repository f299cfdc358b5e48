//! The smallest engine that speaks the NBoard protocol: it plays the first legal move.
//!
//! It shows what an engine has to do, and the tests let it play. A word on its command line makes it
//! misbehave as engines do: `dies`, `lies` (an illegal move), `babbles` (no move), `sulks` (no
//! answer), `foreign` (another protocol); from the position with so many empties on that follows.

#![allow(clippy::print_stdout, reason = "the protocol is spoken on standard output")]

use std::io::BufRead;

use obverse_board::{Game, Move, Position, Size, Square};

fn main() {
    let vice = std::env::args().nth(1).unwrap_or_default();
    let empties_max: u32 = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut game = Game::new(Position::start(Size::Eight));
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match command {
            _ if vice == "foreign" => println!("? unknown command"),
            "set" => match rest.split_once(' ') {
                Some(("game", ggf)) => game = Game::parse(ggf).expect("hosts send games"),
                Some(("depth", _)) => println!("set myname FirstMove"),
                _ => {}
            },
            "move" => {
                let word = rest.split('/').next().unwrap_or_default();
                let mv = word.parse().map_or(Move::Pass, Move::Place);
                game.apply(mv).expect("hosts send legal moves");
            }
            "ping" => println!("pong {rest}"),
            "go" => {
                println!("status Thinking");
                let is_bad = game.position().empties().count() <= empties_max;
                match vice.as_str() {
                    "dies" if is_bad => {
                        // The last thing said on standard error is part of the report.
                        let _ =
                            std::io::Write::write_all(&mut std::io::stderr(), b"out of ideas\n");
                        return;
                    }
                    "lies" if is_bad => println!("=== {}/0/0", Square::A1),
                    "babbles" if is_bad => println!("=== my favorite square"),
                    "sulks" if is_bad => {}
                    _ => {
                        let mv = game.position().moves().first();
                        println!("=== {}/0.00/0.01", mv.map_or("PA".to_owned(), |s| s.to_string()));
                    }
                }
            }
            "quit" => return,
            _ => {}
        }
    }
}
