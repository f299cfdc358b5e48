//! What is said in the NBoard protocol, version 2, by both sides.
//!
//! The specification is Chris Welty's "NBoard Protocol", which comes with NTest. Where programs differ
//! from it, the specification is followed in what is said, and what the others say is understood.

use std::time::Duration;

use obverse_board::notation::{Form, Records};
use obverse_board::{Color, Game, Move};
use obverse_engine::{Certainty, Value};
use obverse_studio::clock::Clock;

use crate::protocol::number::{excerpt, whole};

/// What a host says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Command<'a> {
    /// `nboard 2`
    Version,
    /// `set depth 12`
    Depth(u32),
    /// `set game (;GM[Othello]…;)`
    Game(&'a str),
    /// `set contempt 0`
    Contempt,
    /// `move F5/1.20/3.4`, or just `F5` from a host of version 1.
    Move(Play),
    /// `hint 3`
    Hint(usize),
    /// `go`
    Go,
    /// `ping 7`, the number as it stands.
    Ping(&'a str),
    /// `learn`
    Learn,
    /// `analyze`
    Analyze,
    /// `quit`
    Quit,
}

impl<'a> Command<'a> {
    /// The command a line is, if it is one: others are to be passed over, blank ones included.
    ///
    /// # Errors
    /// If it begins as a command but does not go on as one.
    pub(super) fn parse(line: &'a str) -> Result<Option<Command<'a>>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Some(match word {
            "nboard" => Command::Version,
            "set" => {
                let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                match what {
                    "depth" => Command::Depth(whole(value).ok_or_else(|| {
                        format!("found depth {value:?}, expected a number such as 12")
                    })?),
                    "game" => Command::Game(value.trim()),
                    "contempt" => Command::Contempt,
                    _ => return Ok(None),
                }
            }
            "move" => Command::Move(Play::read(rest).ok_or_else(|| {
                format!("found move {:?}, expected one such as F5", excerpt(rest))
            })?),
            // Without a number it is about the best move.
            "hint" => Command::Hint(whole(rest).map_or(1, |n| n.max(1) as usize)),
            "go" => Command::Go,
            "ping" if is_integer(rest) => Command::Ping(rest),
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "quit" => Command::Quit,
            // What a host of version 1 says: a move is two characters. An evaluation may follow.
            _ => match Play::read(line) {
                Some(play) if line.as_bytes().get(2).is_none_or(|&byte| byte == b'/') => {
                    Command::Move(play)
                }
                _ => return Ok(None),
            },
        }))
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.len() <= 20 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A move with what it was thought to be worth and how long it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Play {
    pub(super) mv: Move,
    pub(super) eval: Option<f64>,
    pub(super) time: Duration,
}

impl Play {
    /// Reads `F5`, `F5/1.2/0.3`, `F5//0.3`, `PA`, and `d6 -1.00 0.0` as Edax writes it.
    pub(super) fn read(text: &str) -> Option<Play> {
        let mut parts = text.trim().split(|c: char| c == '/' || c.is_whitespace());
        let word = parts.next()?;
        let mv = if ["pa", "pass", "ps", "--"].contains(&word.to_ascii_lowercase().as_str()) {
            Move::Pass
        } else {
            Move::Place(word.parse().ok()?)
        };
        let mut number = || parts.next()?.parse::<f64>().ok().filter(|n| n.is_finite());
        let eval = number();
        // A time that cannot be is none.
        let time = number().and_then(|time| Duration::try_from_secs_f64(time).ok());
        Some(Play { mv, eval, time: time.unwrap_or_default() })
    }
}

/// A move as the protocol writes it.
pub(super) fn word(mv: Move) -> String {
    mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase())
}

/// A line of moves in one word.
pub(super) fn line(moves: &[Move]) -> String {
    moves.iter().map(|&mv| word(mv)).collect()
}

/// How a value is known, as the third field of a hint: how far was looked ahead, `22@99%` for a search
/// to the end that left something out, or `100%`.
pub(super) fn depth(value: Value, n_empties: u32) -> String {
    match value.certainty {
        Certainty::Estimate(depth) => depth.to_string(),
        Certainty::Selective(percent) => format!("{n_empties}@{percent}%"),
        Certainty::Proven => "100%".to_owned(),
    }
}

/// The third field of a hint that tells only who wins.
pub(super) const OUTCOME_PROVEN: &str = "100%W";

/// A game and its clocks.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sitting {
    pub(super) game: Game,
    /// What is left of black's and white's time, if there is a clock.
    pub(super) clocks: Option<[Clock; 2]>,
}

impl Sitting {
    /// Reads a game in GGF with its clocks.
    ///
    /// # Errors
    /// If it is none, or one of another kind than Obverse plays.
    pub(super) fn read(ggf: &str) -> Result<Sitting, String> {
        if Form::detect(ggf) != Some(Form::Ggf) {
            return Err(format!("found {:?}, expected a game in GGF", excerpt(ggf)));
        }
        let record = Records::new(ggf.as_bytes(), None).next();
        let record = record.ok_or("found nothing, expected a game in GGF")?;
        let record = record.map_err(|error| error.reason)?;
        if record.variant.is_some_and(|variant| variant.anti) {
            return Err("found an anti game, expected one that the most discs win".to_owned());
        }
        let clocks = record.clocks.black.zip(record.clocks.white);
        let clocks = clocks.map(|(black, white)| [black, white].map(Clock::from));
        let game = Game::new(record.game().start());
        let mut sitting = Sitting { game, clocks };
        for (before, mv, note) in record.line.steps() {
            let seconds = note.and_then(|note| note.seconds).unwrap_or_default();
            let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            sitting.game.apply(mv).map_err(|error| error.to_string())?;
            sitting.run_clock(before.turn(), time);
        }
        Ok(sitting)
    }

    /// Takes the time of a move off a clock.
    pub(super) fn run_clock(&mut self, color: Color, time: Duration) {
        if let Some(clocks) = &mut self.clocks {
            let clock = &mut clocks[usize::from(color == Color::White)];
            clock.time = clock.time.saturating_sub(time) + clock.increment;
        }
    }

    /// The clock of the side to move.
    pub(super) fn clock(&self) -> Option<Clock> {
        let color = self.game.position().turn();
        self.clocks.map(|clocks| clocks[usize::from(color == Color::White)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Square;
    use proptest::prelude::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    const F5: Move = Move::Place(Square::F5);

    fn play(text: &str) -> Option<(Move, Option<f64>, f64)> {
        Play::read(text).map(|play| (play.mv, play.eval, play.time.as_secs_f64()))
    }

    #[test]
    fn moves_of_all_programs_are_read() {
        assert_eq!(play("F5"), Some((F5, None, 0.0)));
        assert_eq!(play("f5"), Some((F5, None, 0.0)));
        assert_eq!(play("F5/1.25/0.30"), Some((F5, Some(1.25), 0.3)));
        assert_eq!(play("F5//0.3"), Some((F5, None, 0.3)));
        assert_eq!(play("F5/-2"), Some((F5, Some(-2.0), 0.0)));
        assert_eq!(play("f5 -1.00 0.0"), Some((F5, Some(-1.0), 0.0)));
        assert_eq!(play("PA/3"), Some((Move::Pass, Some(3.0), 0.0)));
        assert_eq!(play("F5/nan/-1e999"), Some((F5, None, 0.0)));
        assert_eq!(play("F5/1/-4"), Some((F5, Some(1.0), 0.0)));
        assert_eq!(play("i9"), None);
        assert_eq!(play(""), None);
        assert_eq!(play("my favorite square"), None);
    }

    #[test]
    fn commands_are_told_from_what_is_none() {
        let parse = |line| Command::parse(line).unwrap();
        assert_eq!(parse("  ping 12 \r"), Some(Command::Ping("12")));
        assert_eq!(parse("ping"), None);
        assert_eq!(parse("ping pong"), None);
        assert_eq!(parse("hint 999999999999"), Some(Command::Hint(u32::MAX as usize)));
        assert_eq!(parse("hint"), Some(Command::Hint(1)));
        assert_eq!(parse("hint 0"), Some(Command::Hint(1)));
        assert_eq!(parse("set depth 6"), Some(Command::Depth(6)));
        assert_eq!(parse("set color blue"), None);
        assert!(matches!(parse("F5"), Some(Command::Move(_))));
        assert!(matches!(parse("f5/1.2/3"), Some(Command::Move(_))));
        assert_eq!(parse("f5 is a good move"), None);
        assert_eq!(parse(""), None);
        assert_eq!(
            Command::parse("move e9").unwrap_err(),
            "found move \"e9\", expected one such as F5"
        );
    }

    #[test]
    fn clocks_run_with_the_moves_of_a_game() {
        let ggf = format!("(;GM[Othello]TI[15:00/0:05]TW[1:00]{START}B[F5//30]W[F6/1/2.5]B[E6];)");
        let sitting = Sitting::read(&ggf).unwrap();
        let left = sitting.clocks.unwrap().map(|clock| clock.time.as_millis());
        assert_eq!(left, [880_000, 57_500]);
        assert_eq!(sitting.clock().unwrap().time.as_millis(), 57_500);
        let plain = Sitting::read(&format!("(;GM[Othello]{START};)")).unwrap();
        assert_eq!(plain.clock(), None);
    }

    #[test]
    fn games_of_other_kinds_are_refused() {
        let error = |ggf: &str| Sitting::read(ggf).unwrap_err();
        assert!(error(&format!("(;GM[Othello]TY[8a]{START};)")).contains("anti"));
        let large = format!("(;GM[Othello]TY[10]BO[10 {} *];)", "-".repeat(100));
        assert!(error(&large).contains("4, 6 or 8"), "{}", error(&large));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", word in "(move|set|hint|ping|set game) ?") {
            let _ = Command::parse(&text);
            let _ = Command::parse(&format!("{word}{text}"));
            let _ = Play::read(&text);
            let _ = Sitting::read(&format!("(;GM[Othello]TI[{text}]B[{text}];)"));
        }
    }
}
