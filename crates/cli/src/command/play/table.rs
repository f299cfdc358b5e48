//! Two players at a board, one of them perhaps a person at a prompt.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use obverse_board::notation::{Coords, Form};
use obverse_board::{Color, Counting, Game, Move, Position};
use obverse_engine::solve::Request;
use obverse_engine::{Config, Engine, Level, Monitor, Question};

use super::prompt::{self, Command, HELP};
use crate::command::show;
use crate::player::{Mover, Seat};
use crate::{draw, input};

/// With so few empties a hint is proven, which takes a moment at most.
const PROVEN_EMPTIES_MAX: u32 = 16;

/// The level at which the engine gives hints before that.
const HINT_LEVEL: u8 = 8;

pub(super) struct Table {
    game: Game,
    seats: [Seat; 2],
    /// The programs at the seats that have one.
    players: [Option<Box<dyn Mover>>; 2],
    coords: Coords,
    /// Whether there is a person at the terminal: prompts and drawings are for them.
    on_terminal: bool,
    resigned: Option<Color>,
    left: bool,
}

impl Table {
    pub(super) fn new(
        game: Game,
        seats: [Seat; 2],
        coords: Coords,
        on_terminal: bool,
        seed: u64,
    ) -> Result<Table> {
        let mut players = [seats[0].mover()?, seats[1].mover()?];
        for (i, player) in players.iter_mut().enumerate() {
            if let Some(player) = player {
                player.begin(seed.wrapping_add(i as u64));
            }
        }
        let (resigned, left) = (None, false);
        Ok(Table { game, seats, players, coords, on_terminal, resigned, left })
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn resigned(&self) -> Option<Color> {
        self.resigned
    }

    /// Plays until the game is over, somebody resigns or leaves, or the input ends.
    pub(super) fn play(
        &mut self,
        mut input: Option<&mut dyn BufRead>,
        out: &mut dyn Write,
    ) -> Result<()> {
        writeln!(out, "X (black): {}\nO (white): {}", self.seats[0], self.seats[1])?;
        let has_human = self.seats.contains(&Seat::Human);
        self.draw(out)?;
        while !self.game.is_over() && self.resigned.is_none() && !self.left {
            let side = self.game.position().turn();
            if self.game.settle() {
                writeln!(out, "{} has no move and passes.", draw::side(side))?;
            } else if self.seats[seat_of(side)] == Seat::Human {
                let Some(input) = input.as_mut() else { break };
                self.turn(&mut **input, out)?;
            } else {
                self.program_moves(side, out)?;
                if has_human || self.on_terminal {
                    self.draw(out)?;
                }
            }
        }
        self.close(out)
    }

    fn draw(&self, out: &mut dyn Write) -> Result<()> {
        let position = self.game.position();
        let last = self.game.moves().iter().rev().find_map(|mv| mv.square());
        let is_human = self.seats[seat_of(position.turn())] == Seat::Human;
        let marked = if is_human { position.moves() } else { obverse_board::Bitboard::EMPTY };
        writeln!(out, "\n{}", draw::board(position, marked, last))?;
        Ok(())
    }

    fn program_moves(&mut self, side: Color, out: &mut dyn Write) -> Result<()> {
        let position = self.game.position();
        let player = self.players[seat_of(side)].as_mut();
        let player = player.expect("a seat without a person has a program");
        let mv = player.choose(&self.game)?;
        self.game.apply(mv).with_context(|| self.seats[seat_of(side)].to_string())?;
        let name = show::name(mv, position, self.coords);
        let player = self.players[seat_of(side)].as_ref();
        let value = player.and_then(|player| player.value()).map_or(String::new(), |value| {
            format!(": {} for {}, {}", draw::discs(value), side.letter(), value.certainty)
        });
        writeln!(out, "{} plays {name}{value}.", draw::side(side))?;
        Ok(())
    }

    /// Asks the person to move for one line.
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<()> {
        let position = self.game.position();
        if self.on_terminal {
            let tally = draw::tally(position);
            write!(out, "{} to move ({tally}; help for commands)> ", draw::side(position.turn()))?;
            out.flush()?;
        }
        let mut line = Vec::new();
        if self.read_line(input, &mut line)? == 0 {
            writeln!(out, "\nThe input has ended.")?;
            self.left = true;
            return Ok(());
        }
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            return Ok(());
        }
        let command = prompt::parse(&line, position.size(), self.coords);
        // What was typed wrongly is explained, and asked again.
        if let Err(error) = command.and_then(|command| self.obey(command, out)) {
            writeln!(out, "{error:#}")?;
        }
        Ok(())
    }

    /// Reads a line; meanwhile the opponent may think.
    fn read_line(&mut self, input: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<usize> {
        let game = &self.game;
        let opponent = self.players[seat_of(!game.position().turn())].as_mut();
        let monitor = &Monitor::default();
        std::thread::scope(|scope| {
            if let Some(opponent) = opponent.filter(|opponent| opponent.ponders()) {
                scope.spawn(move || opponent.ponder(game, monitor));
            }
            let outcome = input.read_until(b'\n', line);
            monitor.stop();
            Ok(outcome?)
        })
    }

    fn obey(&mut self, command: Command, out: &mut dyn Write) -> Result<()> {
        let position = self.game.position();
        match command {
            Command::Play(mv) => {
                self.game.apply(mv)?;
                let name = show::name(mv, position, self.coords);
                writeln!(out, "{} plays {name}.", draw::side(position.turn()))?;
                self.draw(out)?;
            }
            Command::Hint => writeln!(out, "{}", hint(position, self.coords))?,
            Command::Undo => self.undo(out)?,
            Command::Resign => self.resigned = Some(position.turn()),
            Command::Save(path) => {
                let text = saved(&self.game, &path)?;
                std::fs::write(&path, text + "\n")
                    .with_context(|| format!("cannot write {path}"))?;
                writeln!(out, "Saved in {path}.")?;
            }
            Command::Load(path) => {
                self.game = input::game(&format!("@{path}"))?;
                self.draw(out)?;
            }
            Command::Board => {
                self.draw(out)?;
                writeln!(out, "{}", show::summary(position, self.coords))?;
            }
            Command::Moves => writeln!(out, "{}", moves(&self.game, self.coords))?,
            Command::Help => writeln!(out, "{HELP}")?,
            Command::Quit => self.left = true,
        }
        Ok(())
    }

    /// Takes back moves until the same person is to move again.
    fn undo(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut game = self.game.clone();
        let is_human = |position: Position| self.seats[seat_of(position.turn())] == Seat::Human;
        loop {
            if game.undo().is_none() {
                writeln!(out, "There is no move of yours to take back.")?;
                return Ok(());
            }
            if is_human(game.position()) && game.position().moves().any() {
                break;
            }
        }
        self.game = game;
        self.draw(out)
    }

    fn close(&self, out: &mut dyn Write) -> Result<()> {
        let position = self.game.position();
        if let Some(side) = self.resigned {
            writeln!(out, "{} resigns. {} wins.", draw::side(side), draw::side(!side))?;
        } else if position.is_over() {
            writeln!(out, "Game over: {}.", show::outcome(position))?;
        } else {
            writeln!(out, "The game is not finished: {}.", draw::tally(position))?;
        }
        writeln!(out, "Moves: {}", moves(&self.game, Coords::Letters))?;
        Ok(())
    }
}

const fn seat_of(side: Color) -> usize {
    match side {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// A good move: proven near the end, otherwise what the engine would play.
fn hint(position: Position, coords: Coords) -> String {
    let counting = Counting::WinnerTakesEmpties;
    let mut engine = Engine::new(Config { threads: 1, table_mib: 4 });
    if position.empties().count() <= PROVEN_EMPTIES_MAX {
        let request = Request::exact(position, counting);
        let proof = engine.solve(request, &Monitor::default(), &mut |_| {});
        if let (Some(mv), Some(score)) = (proof.best, proof.score()) {
            let name = show::name(mv, position, coords);
            return format!("Try {name}: proven best, {score} in the end if both play well.");
        }
    }
    let limits = Level::new(HINT_LEVEL).expect("it is a level").into();
    let question = Question { position, counting, limits, top: 1 };
    let answer = engine.think(question, &Monitor::default(), &mut |_| {});
    match answer.best() {
        Some(best) => {
            let name = show::name(best.mv, position, coords);
            let (value, certainty) = (draw::discs(best.value), best.value.certainty);
            format!("Try {name}: {value} in the end if both play well, {certainty}.")
        }
        None => "The game is over.".to_owned(),
    }
}

/// The game in the form that the extension of a file names, otherwise as a transcript if it has one.
fn saved(game: &Game, path: &str) -> Result<String> {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let text = match extension.as_deref() {
        Some("ggf") => Form::Ggf.print(game),
        Some("sgf") => Form::Sgf.print(game),
        Some("pgn") => Form::Pgn.print(game),
        _ => Form::Transcript.print(game).or_else(|_| Form::Ggf.print(game)),
    };
    Ok(text?)
}

/// The moves so far, or a word where there are none.
fn moves(game: &Game, coords: Coords) -> String {
    let size = game.position().size();
    let names: Vec<String> = game
        .moves()
        .iter()
        .map(|mv| match mv {
            Move::Place(square) => coords.print(*square, size),
            Move::Pass => "pass".to_owned(),
        })
        .collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}
