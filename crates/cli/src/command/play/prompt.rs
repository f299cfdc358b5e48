//! What a person can type at the board.

use anyhow::Result;
use obverse_board::notation::Coords;
use obverse_board::{Move, Size};

use crate::input;

/// A line, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Play(Move),
    Hint,
    Undo,
    Resign,
    Save(String),
    Load(String),
    Board,
    Moves,
    Help,
    Quit,
}

pub(super) const HELP: &str =
    "  f5         play there; also (4, 5), and numbers as --coords says (on 4x4 from 1 to 16)
  ?          a hint
  undo       take back your last move
  moves      list the moves so far
  board      draw the board again
  save FILE  save the game: .ggf, .sgf, .pgn, otherwise as a transcript
  load FILE  go on with a saved game
  resign     give up
  quit       leave";

/// Reads a line typed on a board of `size`; bare numbers are meant as `coords` says.
pub(super) fn parse(line: &str, size: Size, coords: Coords) -> Result<Command> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let file = |command: fn(String) -> Command| match rest {
        "" => Err(anyhow::anyhow!("found no file name, expected {word} FILE")),
        file => Ok(command(file.to_owned())),
    };
    match word {
        "?" | "hint" => Ok(Command::Hint),
        "u" | "undo" => Ok(Command::Undo),
        "resign" => Ok(Command::Resign),
        "save" => file(Command::Save),
        "load" => file(Command::Load),
        "board" => Ok(Command::Board),
        "moves" => Ok(Command::Moves),
        "h" | "help" => Ok(Command::Help),
        "q" | "quit" | "exit" => Ok(Command::Quit),
        _ => {
            // On the tiny board numbers from 1 to 16 are what people type.
            let numbers = match coords {
                Coords::Letters | Coords::RowCol if size == Size::Four => Coords::Number,
                coords => coords,
            };
            let mv = input::mv(line, size, Some(numbers));
            mv.map(Command::Play)
                .map_err(|error| anyhow::anyhow!("{error} (help lists what you can type)"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Square;

    #[track_caller]
    fn check(line: &str, size: Size, expected: Result<Command, &str>) {
        let read = parse(line, size, Coords::Letters).map_err(|error| error.to_string());
        assert_eq!(read, expected.map_err(str::to_owned), "{line}");
    }

    #[test]
    fn moves_are_read_in_any_form() {
        let f5 = Ok(Command::Play(Move::Place(Square::F5)));
        check("f5", Size::Eight, f5.clone());
        check(" F5 ", Size::Eight, f5.clone());
        check("(4, 5)", Size::Eight, f5.clone());
        check("4,5", Size::Eight, f5);
        check("2", Size::Four, Ok(Command::Play(Move::Place(Square::B1))));
        check("pass", Size::Eight, Ok(Command::Play(Move::Pass)));
    }

    #[test]
    fn what_is_no_command_is_explained() {
        check(
            "zzz",
            Size::Eight,
            Err("found \"zzz\", expected a square from a1 to h8 (help lists what you can type)"),
        );
        check("17", Size::Four, Err("17 is off the 4x4 board (help lists what you can type)"));
        check("save", Size::Eight, Err("found no file name, expected save FILE"));
        check("save a b.txt", Size::Eight, Ok(Command::Save("a b.txt".to_owned())));
    }
}
