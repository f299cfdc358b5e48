//! The smallest engine that speaks GTP: it plays the first legal move.
//!
//! It shows what an engine has to do, and the tests let it play. A word on its command line makes it
//! differ as engines do: `edax` (numbers that nobody asked for, behind a blank), `rhino` (passes are
//! its own business, moves in capitals), `chatty` (says more than its answers); or misbehave: `dies`,
//! `lies` (an illegal move), `babbles` (no move), `sulks` (no answer), `resigns`, `foreign` (another
//! protocol); from the position with so many empties on that follows.

#![allow(clippy::print_stdout, reason = "the protocol is spoken on standard output")]

use std::io::BufRead;

use obverse_board::{Game, Position, Size, Square};

fn main() {
    let vice = std::env::args().nth(1).unwrap_or_default();
    let empties_max: u32 = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut game = Game::new(Position::start(Size::Eight));
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_bad = game.position().empties().count() <= empties_max;
        if vice == "chatty" {
            println!("# I was told: {line}\n");
        }
        let answer = match (&words[..], vice.as_str()) {
            (_, "foreign") => {
                println!("status what?");
                continue;
            }
            (["boardsize", "8"] | ["set_game", _] | ["time_left", ..], "rhino") => {
                Err("syntax error")
            }
            (["play", _, "pass"], "rhino") => Err("syntax error"),
            (["boardsize", side], _) => match side.parse().ok().and_then(Size::from_side) {
                Some(size) => {
                    game = Game::new(Position::start(size));
                    Ok(String::new())
                }
                None => Err("unacceptable size"),
            },
            (["clear_board"], _) => {
                game = Game::new(game.start());
                Ok(String::new())
            }
            (["play", _, "pass"], _) => {
                assert!(game.settle(), "hosts send legal passes");
                Ok(String::new())
            }
            (["play", _, square], _) => {
                // A pass before it may have been refused.
                let square = square.parse().expect("hosts send moves");
                game.play(square).expect("hosts send legal moves");
                Ok(String::new())
            }
            (["genmove", _], "dies") if is_bad => return,
            (["genmove", _], "lies") if is_bad => Ok(Square::A1.to_string()),
            (["genmove", _], "babbles") if is_bad => Ok("my favorite square".to_owned()),
            (["genmove", _], "resigns") if is_bad => Ok("resign".to_owned()),
            (["genmove", _], "sulks") if is_bad => continue,
            (["genmove", _], _) => {
                game.settle();
                let square =
                    game.position().moves().first().expect("hosts ask where there is a move");
                game.play(square).expect("it is one of the moves");
                Ok(square.to_string())
            }
            (["quit"], _) => {
                println!("=\n");
                return;
            }
            (["protocol_version"], _) => Ok("2".to_owned()),
            (["set_game" | "set_level", _] | ["time_settings" | "time_left", ..], _) => {
                Ok(String::new())
            }
            _ => Err("unknown command"),
        };
        let (sign, text) = match answer {
            Ok(text) => ("=", text),
            Err(text) => ("?", text.to_owned()),
        };
        match vice.as_str() {
            "edax" => println!("{sign} 12 {text}\n"),
            "rhino" => println!("{sign} {}\n", text.to_uppercase()),
            _ => println!("{sign} {text}\n"),
        }
    }
}
