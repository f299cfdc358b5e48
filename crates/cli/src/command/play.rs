//! `obverse play`: a game in the terminal.

mod prompt;
mod table;

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Result, bail};
use obverse_board::notation::Coords;
use obverse_board::{Color, Game, Position, Size};
use serde::Serialize;

use self::table::Table;
use crate::player::{Seat, fresh_seed};
use crate::{Answer, input, wire};

/// Play a game in the terminal.
///
/// Any two players at any board. Players:
///
///   human                  a person
///   random[:seed=N]        any legal move
///   minimax:depth=K        also eval=positional, pass=free
///   alphabeta:depth=K      also order=positional, table=on
///   engine[:level=L]       Obverse's engine, level 1 to 30 (10 if not said)
///   engine:depth=N         looking N moves ahead
///   engine:nodes=N         N positions a move
///   engine:time=1s         1 second a move
///   engine:clock=5m+2s     5 minutes a game, and 2 seconds more after every move
///   nboard:COMMAND         a program that speaks the NBoard protocol (see `obverse lab match`)
///
/// The engine's other settings, after a comma: threads=N, table=MIB, weights=FILE, and ponder=on to
/// think while you do. It says what it thinks of its moves: a value is proven, selective (a search
/// to the end that left out what it was so sure of) or an estimate (looking so many moves ahead).
///
/// At your turn type a move in any form (f5, (4, 5), on 4x4 a number from 1 to 16), ? for a hint,
/// or help for everything else.
///
/// It works in a pipe too: the moves come from standard input, one a line.
///
/// Examples:
///   obverse play
///   obverse play --side white --opponent alphabeta:depth=6,eval=positional
///   obverse play --opponent engine:time=2s,ponder=on
///   obverse play --board 4 --opponent minimax:depth=12
///   obverse play --black random:seed=1 --white minimax:depth=3 --json
///   printf 'f5\nd6\n' | obverse play --black human --white human
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Your side: black or white
    #[arg(long, value_enum, default_value = "black")]
    side: SideArg,

    /// Your opponent
    #[arg(long, value_name = "PLAYER", default_value = DEFAULT_OPPONENT)]
    opponent: Seat,

    /// Who plays black, instead of --side and --opponent
    #[arg(long, value_name = "PLAYER", requires = "white", conflicts_with_all = ["side", "opponent"])]
    black: Option<Seat>,

    /// Who plays white, instead of --side and --opponent
    #[arg(long, value_name = "PLAYER", requires = "black")]
    white: Option<Seat>,

    /// The board's side: 4, 6 or 8
    #[arg(long, value_name = "SIDE", default_value = "8", value_parser = ["4", "6", "8"])]
    board: String,

    /// Who moves first
    #[arg(long, value_enum, default_value = "black")]
    first: SideArg,

    /// Start from this position or game, in any notation; @FILE for a saved one
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true, conflicts_with_all = ["board", "first"])]
    from: Option<String>,

    /// How bare numbers are meant, and how moves are shown: letters, row-col, xy, index or number
    #[arg(long, value_name = "COORDS", default_value = "letters")]
    coords: Coords,

    /// Print only the finished game, as JSON
    #[arg(long)]
    json: bool,
}

const DEFAULT_OPPONENT: &str = "alphabeta:depth=5,eval=positional,order=positional";

/// A color, as typed.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum SideArg {
    Black,
    White,
}

#[derive(Serialize)]
struct GameWire {
    black: String,
    white: String,
    resigned: Option<&'static str>,
    position: wire::PositionWire,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let (black, white) = self.seats();
        if self.json && (black == Seat::Human || white == Seat::Human) {
            bail!("--json prints a finished game between programs, but one player is human");
        }
        let game = self.start()?;
        let mut stdin = std::io::stdin().lock();
        let input: Option<&mut dyn BufRead> = if self.json { None } else { Some(&mut stdin) };
        let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let mut silent = std::io::sink();
        let show: &mut dyn Write = if self.json { &mut silent } else { &mut *out };
        let mut table = Table::new(
            game,
            [black.clone(), white.clone()],
            self.coords,
            on_terminal,
            fresh_seed(),
        )?;
        table.play(input, show)?;
        if self.json {
            let game = table.game();
            let resigned = table.resigned().map(wire::color);
            let position = wire::position(game);
            let (black, white) = (black.to_string(), white.to_string());
            wire::print(out, &GameWire { black, white, resigned, position })?;
        }
        Ok(Answer::Yes)
    }

    fn seats(&self) -> (Seat, Seat) {
        match (&self.black, &self.white, self.side) {
            (Some(black), Some(white), _) => (black.clone(), white.clone()),
            (_, _, SideArg::Black) => (Seat::Human, self.opponent.clone()),
            (_, _, SideArg::White) => (self.opponent.clone(), Seat::Human),
        }
    }

    fn start(&self) -> Result<Game> {
        if let Some(from) = &self.from {
            return input::game(from);
        }
        let size = self.board.parse().ok().and_then(Size::from_side);
        let start = Position::start(size.expect("the parser admits 4, 6 and 8 only"));
        let discs = |color| start.discs(color);
        Ok(Game::new(match self.first {
            SideArg::Black => start,
            SideArg::White => {
                let turn = Color::White;
                Position::new(start.size(), discs(Color::Black), discs(Color::White), turn)?
            }
        }))
    }
}
