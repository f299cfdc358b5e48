//! Positions and moves as they come from the command line.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use obverse_board::notation::{Coords, Form, Format, Records};
use obverse_board::{Game, Move, Position, Size};

/// More than any position needs; a larger input is not one.
const INPUT_BYTES_MAX: u64 = 1 << 20;

/// Reads the game or position an argument stands for: itself, `-` for standard input, `@FILE` for a
/// file, `@FILE#3` for the third game of one.
pub(crate) fn game(argument: &str) -> Result<Game> {
    if argument == "-" {
        let bytes = read(std::io::stdin().lock()).context("standard input")?;
        return game_in(&bytes, None).context("standard input");
    }
    let Some(path) = argument.strip_prefix('@') else {
        return Game::parse(argument).map_err(|error| {
            let hint = if Path::new(argument).is_file() {
                format!(" (to read the file of that name, write @{argument})")
            } else {
                String::new()
            };
            anyhow!("position: {error}{hint}")
        });
    };
    let numbered = path.rsplit_once('#').and_then(|(path, n)| Some((path, n.parse().ok()?)));
    match numbered.filter(|_| !Path::new(path).exists()) {
        Some((path, number)) => {
            let bytes = bytes(path)?;
            let mut records = Records::new(&bytes, Some(path));
            match number {
                1.. => records.nth(number - 1),
                _ => None,
            }
            .with_context(|| {
                let n_games = Records::new(&bytes, Some(path)).count();
                format!("{path}: found {n_games} games, expected one of number {number}")
            })?
            .map(|record| record.line.game)
            .with_context(|| path.to_owned())
        }
        None => game_in(&bytes(path)?, Some(path)).with_context(|| path.to_owned()),
    }
}

/// The only game of a file.
fn game_in(bytes: &[u8], name: Option<&str>) -> Result<Game> {
    let text = std::str::from_utf8(bytes);
    let whole = text.map(Game::parse);
    if let Ok(Ok(game)) = whole {
        return Ok(game);
    }
    let records = Records::new(bytes, name);
    let (mut first, mut n_games, mut is_damaged) = (None, 0, false);
    for record in records {
        n_games += 1;
        match record {
            Ok(record) => first = first.or(Some(record.line.game)),
            Err(_) => is_damaged = true,
        }
    }
    match (first, whole) {
        (Some(game), _) if n_games == 1 => Ok(game),
        (Some(_), _) if name.is_some() && (n_games > 2 || !is_damaged) => {
            let name = name.unwrap_or_default();
            bail!("found {n_games} games, expected one: choose it by its number, @{name}#1")
        }
        (_, Ok(Err(error))) => Err(error.into()),
        (_, Ok(Ok(game))) => Ok(game),
        (_, Err(error)) => {
            let byte = error.valid_up_to() + 1;
            bail!("byte {byte} is not UTF-8 text, expected a game or a position")
        }
    }
}

fn bytes(path: &str) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot open {path}"))
}

/// A list of openings, one a line, of a file in any format.
pub(crate) fn openings(path: &str) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
    let records = Records::new(&bytes, Some(path));
    if !matches!(records.format(), Format::Wthor | Format::Text(Form::Ggf | Form::Sgf | Form::Pgn))
    {
        return large_text(path);
    }
    let mut list = String::new();
    for (i, record) in records.enumerate() {
        let game = record.with_context(|| path.to_owned())?.line.game;
        if game.start() != Position::start(Size::Eight) {
            bail!("{path}: game {} begins elsewhere, expected the usual start", i + 1);
        }
        list += &Form::Transcript.print(&game)?;
        list.push('\n');
    }
    Ok(list)
}

/// The text of a file of any size.
pub(crate) fn large_text(path: &str) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}

/// The text of a small file; `-` is standard input.
pub(crate) fn text(path: &str) -> Result<String> {
    let (bytes, place) = if path == "-" {
        (read(std::io::stdin().lock()).context("standard input")?, "standard input")
    } else {
        let file = std::fs::File::open(path).with_context(|| format!("cannot open {path}"))?;
        (read(file).with_context(|| path.to_owned())?, path)
    };
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to() + 1;
        anyhow!("{place}: byte {byte} is not UTF-8 text, expected a position")
    })
}

fn read(input: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        bail!("found more than {INPUT_BYTES_MAX} bytes, expected one position");
    }
    Ok(bytes)
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
