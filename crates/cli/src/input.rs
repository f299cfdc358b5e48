//! Positions and moves as they come from the command line.

use std::io::Read;

use anyhow::{Context, Result, bail};
use obverse_board::notation::Coords;
use obverse_board::{Game, Move, Size};

/// More than any position needs; a larger input is not one.
const INPUT_BYTES_MAX: u64 = 1 << 20;

/// Reads the position an argument stands for: itself, `-` for standard input, `@FILE` for a file.
pub(crate) fn game(argument: &str) -> Result<Game> {
    let (text, place) = match argument.strip_prefix('@') {
        _ if argument == "-" => (text("-")?, "standard input"),
        Some(path) => (text(path)?, path),
        None => (argument.to_owned(), "position"),
    };
    Game::parse(&text).map_err(|error| {
        let hint = if std::path::Path::new(argument).is_file() {
            format!(" (to read the file of that name, write @{argument})")
        } else {
            String::new()
        };
        anyhow::anyhow!("{place}: {error}{hint}")
    })
}

/// The text of a file of any size.
pub(crate) fn large_text(path: &str) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}

/// The text of a small file; `-` is standard input.
pub(crate) fn text(path: &str) -> Result<String> {
    if path == "-" {
        return read(std::io::stdin().lock()).context("standard input");
    }
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {path}"))?;
    read(file).with_context(|| path.to_owned())
}

fn read(input: impl Read) -> Result<String> {
    let mut bytes = Vec::new();
    input.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        bail!("found more than {INPUT_BYTES_MAX} bytes, expected one position");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            bail!(
                "byte {} is not UTF-8 text, expected a position",
                error.utf8_error().valid_up_to() + 1
            )
        }
    }
}

/// Reads one move: a pass, or a square in any way of naming it that cannot be mistaken.
///
/// `numbers` says how a bare number is meant.
pub(crate) fn mv(text: &str, size: Size, numbers: Option<Coords>) -> Result<Move> {
    let text = text.trim();
    if ["pass", "pa", "ps", "--"].contains(&text.to_ascii_lowercase().as_str()) {
        return Ok(Move::Pass);
    }
    Ok(Move::Place(Coords::read(text, size, numbers)?))
}

/// Reads one or more moves from an argument: what [`mv`] reads, or squares strung together: `f5d6c3`.
pub(crate) fn moves(text: &str, size: Size, numbers: Option<Coords>) -> Result<Vec<Move>> {
    let is_strung = text.len() > 2
        && text.len().is_multiple_of(2)
        && text.as_bytes().chunks(2).all(|c| c[0].is_ascii_alphabetic() && c[1].is_ascii_digit());
    if !is_strung {
        return Ok(vec![mv(text, size, numbers)?]);
    }
    (0..text.len()).step_by(2).map(|i| mv(&text[i..i + 2], size, numbers)).collect()
}

/// Whether the locale says that text is UTF-8.
pub(crate) fn is_utf8_locale() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
