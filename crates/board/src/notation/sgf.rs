//! SGF, the smart game format, for Othello: `(;GM[2]FF[4]…;B[f5];W[d6](;B[c3])(;B[c4]C[Why not?]))`.
//!
//! Moves are read as `f5` and, as in Go, as `fe`; a pass as nothing, `PA` or `tt`, or left out. All
//! variations and comments are kept; markup on the board is not. What SGF has no property for stands
//! in the game comment `GC` as lines of the form `Variant: s8r20`.

mod reader;
mod writer;

pub(super) use reader::record;
pub(super) use writer::print;

use super::scan::Scanner;
use super::{Form, ParseError, Record};

/// Whether a text that begins a game is SGF and not GGF: the game has a number, not a name.
pub(super) fn looks_like(text: &str) -> bool {
    match text.find("GM[") {
        Some(at) => text[at + 3..].trim_start().starts_with(|c: char| c.is_ascii_digit()),
        None => !text.contains(";)") || text.contains("FF["),
    }
}

/// Where the next game of a text begins. A variation begins with a move, a game with a property of the
/// whole game; a bracket that is escaped is part of a comment.
pub(super) fn next(text: &str) -> Option<usize> {
    text.match_indices("(;").map(|found| found.0).find(|&at| {
        // The first value of a game is short.
        let value = text.as_bytes()[at..].iter().take(100).take_while(|b| **b != b']');
        at > 0 && begins_game(&text[at..]) && value.last() != Some(&b'\\')
    })
}

fn begins_game(text: &str) -> bool {
    let rest = text.strip_prefix("(;").unwrap_or(text).trim_start();
    let (name, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_uppercase).count());
    rest.starts_with('[') && ["GM", "FF", "SZ", "CA", "AP", "PB", "PW", "EV", "AB"].contains(&name)
}

/// Reads a text that is one game.
pub(super) fn parse(text: &str) -> Result<Record, ParseError> {
    let mut scanner = Scanner::new(Form::Sgf, text);
    scanner.skip_blanks();
    let record = record(&mut scanner)?;
    scanner.end()?;
    Ok(record)
}
