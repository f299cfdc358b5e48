//! `obverse tiny`: Reversi Tiny, the 4×4 game of the exercise books.

use std::fmt;
use std::io::Write;

use anyhow::{Result, bail};
use obverse_board::notation::Form;
use obverse_board::{Color, Counting, Game, Position};
use obverse_engine::classic::tiny;
use serde::Serialize;

use crate::{Answer, wire};

/// Answer the questions of Reversi Tiny (4x4), exact to the digit.
///
/// FLAG says what is asked:
///   100  the successor boards, one a line, in reading order of the new disc;
///        the board itself if the player must pass, nothing if the game is over
///   200  non-terminal, or who won: 1 dark, -1 light, 0 a tie
///   300  the minimax value and the number of states visited
///   400  the successor minimax chooses
///   500  the same as 300 by alpha-beta
///   600  the same as 400 by alpha-beta
///
/// Examples:
///   obverse tiny 100 1 0000021001200000
///   obverse tiny 300 1 0000021001200000
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// What is asked: 100, 200, 300, 400, 500 or 600
    flag: String,

    /// The player to move: 1 dark, 2 light
    player: String,

    /// The board: 16 digits in reading order, 0 empty, 1 dark, 2 light
    board: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The answer to any of the questions.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Successors { successors: Vec<String> },
    Terminal { value: Option<i8> },
    Value { value: i8, states: u64 },
    Chosen { successor: Option<String> },
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Successors { successors } => {
                successors.iter().try_for_each(|board| writeln!(f, "{board}"))
            }
            Reply::Terminal { value: None } => writeln!(f, "non-terminal"),
            Reply::Terminal { value: Some(value) } => writeln!(f, "{value}"),
            Reply::Value { value, states } => writeln!(f, "{value}\n{states}"),
            Reply::Chosen { successor: Some(board) } => writeln!(f, "{board}"),
            Reply::Chosen { successor: None } => Ok(()),
        }
    }
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = position(&self.player, &self.board)?;
        let reply = match self.flag.as_str() {
            "100" => {
                Reply::Successors { successors: tiny::successors(position).map(digits).collect() }
            }
            "200" => Reply::Terminal { value: position.is_over().then(|| winner(position)) },
            "300" => value(tiny::minimax(position)),
            "400" => Reply::Chosen { successor: tiny::minimax(position).successor.map(digits) },
            "500" => value(tiny::alphabeta(position)),
            "600" => Reply::Chosen { successor: tiny::alphabeta(position).successor.map(digits) },
            flag => bail!("FLAG: found {flag:?}, expected 100, 200, 300, 400, 500 or 600"),
        };
        if self.json {
            wire::print(out, &reply)?;
        } else {
            write!(out, "{reply}")?;
        }
        Ok(Answer::Yes)
    }
}

fn position(player: &str, board: &str) -> Result<Position> {
    if !matches!(player, "1" | "2") {
        bail!("PLAYER: found {player:?}, expected 1 (dark) or 2 (light)");
    }
    if let Some((i, c)) = board.chars().enumerate().find(|(_, c)| !matches!(c, '0'..='2')) {
        bail!("BOARD: found {c:?} at place {}, expected 0 (empty), 1 (dark) or 2 (light)", i + 1);
    }
    if board.len() != 16 {
        bail!("BOARD: found {} digits, expected 16", board.len());
    }
    Ok(Form::Digits.parse(&format!("{board} {player}"))?.position())
}

/// The 16 digits without the side.
fn digits(position: Position) -> String {
    let mut text = Form::Digits.print(&Game::new(position)).expect("every position has digits");
    text.truncate(16);
    text
}

fn value(answer: tiny::Answer) -> Reply {
    Reply::Value { value: answer.value, states: answer.states }
}

fn winner(position: Position) -> i8 {
    position.score_for(Color::Black, Counting::Discs).0.signum()
}
