//! `nboard:COMMAND`: a program that speaks the NBoard protocol, version 2, as a player.
//!
//! Here is the side of the protocol that asks. Before every question the position is brought up to
//! date (`set game`, or `move` for what was played since), then `ping` makes sure that the answer to
//! `go` is one to this position. Lines that are no answer are passed over, as the protocol demands.
//!
//! The protocol has no time for a single move, but the game carries clocks. `time=T` gives the
//! program T seconds for each move it has left and leaves it to the program how to divide them. Clocks
//! count whole seconds; the rest is taken off with the time of the last moves. Both clocks show the
//! program's time: there are engines that look at the wrong one (NTest, for one), and the time of the
//! opponent is not the engine's business.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_board::notation::Form;
use obverse_board::{Color, Game, Move};

use super::process::Process;
use crate::player::Mover;

const SETTINGS: &str = "depth, time or wait";

/// What `set depth` says if nothing else limits the program.
const DEPTH_DEFAULT: u32 = 12;

/// No game is longer: with `time=` the clock alone limits the program.
const DEPTH_MAX: u32 = 60;

/// How long a program may take to start, which includes loading what it knows, and to move.
const WAIT_DEFAULT: Duration = Duration::from_mins(1);

/// A day; more is a slip of the keyboard.
const SECONDS_MAX: f64 = 86_400.0;

/// A program and its limits; what a player is called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Spec {
    depth: Option<u32>,
    /// Seconds for each move.
    time: Option<f64>,
    /// Seconds after which an answer is no longer waited for.
    wait: Option<f64>,
    command: String,
    words: Vec<String>,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.time.map(|time| format!("time={time}")),
            self.wait.map(|wait| format!("wait={wait}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        match settings.join(",").as_str() {
            "" if begins_with_settings(&self.command) => write!(f, "nboard::{}", self.command),
            "" => write!(f, "nboard:{}", self.command),
            settings => write!(f, "nboard:{settings}:{}", self.command),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let rest = text.strip_prefix("nboard:").unwrap_or_default();
        let (settings, command) = match rest.split_once(':') {
            Some((settings, command)) if settings.is_empty() || begins_with_settings(settings) => {
                (settings, command)
            }
            None if begins_with_settings(rest) => (rest, ""),
            _ => ("", rest),
        };
        let words = shlex::split(command)
            .ok_or_else(|| format!("found {command:?}, expected a quotation mark at its end"))?;
        if words.is_empty() || words[0].is_empty() {
            return Err("nboard needs a command: expected for example nboard:depth=12:ntest".into());
        }
        let (depth, time, wait) = (None, None, None);
        let mut spec = Spec { depth, time, wait, command: command.to_owned(), words };
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            spec.set(setting)?;
        }
        Ok(spec)
    }
}

/// Whether a text begins as settings do: `key=`.
fn begins_with_settings(text: &str) -> bool {
    let key = text.split('=').next().unwrap_or_default();
    key.len() < text.len() && !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase())
}

impl Spec {
    fn set(&mut self, setting: &str) -> Result<(), String> {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(format!("found {setting:?}, expected a setting such as depth=12"));
        };
        let seconds = || {
            let seconds = value.parse().ok().filter(|s| (0.001..=SECONDS_MAX).contains(s));
            seconds.ok_or_else(|| format!("found {setting}, expected seconds such as {key}=0.5"))
        };
        let is_new = match key {
            "depth" => {
                let depth = value.parse().ok().filter(|depth| (1..=DEPTH_MAX).contains(depth));
                let depth = depth.ok_or_else(|| {
                    format!("found {setting}, expected a number from 1 to {DEPTH_MAX}")
                })?;
                self.depth.replace(depth).is_none()
            }
            "time" => self.time.replace(seconds()?).is_none(),
            "wait" => self.wait.replace(seconds()?).is_none(),
            _ => return Err(format!("nboard has no setting {key:?}: expected {SETTINGS}")),
        };
        if is_new { Ok(()) } else { Err(format!("nboard has {key} twice, expected it once")) }
    }
}

/// The program, running.
pub(crate) struct Engine {
    process: Process,
    wait: Duration,
    /// Seconds for each move, if there is a clock.
    time: Option<f64>,
    n_pings: u64,
    /// The game as the program knows it.
    game: Option<Game>,
    clock: Clock,
}

/// The time the program has used in this game.
#[derive(Default)]
struct Clock {
    /// What it began with.
    total: Duration,
    used: Duration,
    /// Used for the last move, which the program was not yet told.
    own: Duration,
    /// Used since the other clock was set to the same time.
    behind: Duration,
}

impl Engine {
    /// Starts the program and waits until it listens.
    pub(crate) fn start(spec: &Spec) -> Result<Engine> {
        let process = Process::start(&spec.words, "quit")?;
        let wait = spec.wait.map_or(WAIT_DEFAULT, Duration::from_secs_f64);
        let (time, clock) = (spec.time, Clock::default());
        let mut engine = Engine { process, wait, time, n_pings: 0, game: None, clock };
        engine.process.send("nboard 2")?;
        let depth = if time.is_some() { DEPTH_MAX } else { DEPTH_DEFAULT };
        engine.process.send(&format!("set depth {}", spec.depth.unwrap_or(depth)))?;
        engine.ping(wait).with_context(|| {
            format!("{} does not speak the NBoard protocol", engine.process.name())
        })?;
        Ok(engine)
    }

    /// Waits until the program has done what it was told.
    fn ping(&mut self, patience: Duration) -> Result<()> {
        self.n_pings += 1;
        let (ping, pong) = (format!("ping {}", self.n_pings), format!("pong {}", self.n_pings));
        self.process.send(&ping)?;
        self.process.await_line(patience, &ping, |line| (line.trim() == pong).then_some(()))
    }

    /// Tells the program what was played, or the whole game if it is another one.
    fn tell(&mut self, game: &Game) -> Result<()> {
        let new_moves = self.game.as_ref().and_then(|known| added(known, game));
        if let Some(new_moves) = new_moves {
            let side = game.position().turn();
            for (color, mv) in new_moves {
                let seconds = self.clock.tell(color == side).as_secs_f64();
                let time = self.time.map(|_| format!("//{seconds:.3}")).unwrap_or_default();
                self.process.send(&format!("move {}{time}", word(mv)))?;
            }
        } else {
            let mut text = Form::Ggf.print(game)?;
            if let Some(time) = self.time {
                let n_moves = game.position().empties().count().div_ceil(2);
                let total = Duration::from_secs_f64(time * f64::from(n_moves));
                self.clock = Clock { total, ..Clock::default() };
                text = with_clocks(&text, total);
            }
            self.process.send(&format!("set game {text}"))?;
        }
        self.game = Some(game.clone());
        Ok(())
    }
}

impl Mover for Engine {
    fn begin(&mut self, _seed: u64) {
        self.game = None;
    }

    fn choose(&mut self, game: &Game) -> Result<Move> {
        self.tell(game)?;
        self.ping(self.wait)?;
        let patience = self.wait.max(self.clock.total.saturating_sub(self.clock.used));
        let start = Instant::now();
        self.process.send("go")?;
        let answer = self.process.await_line(patience, "go", |line| {
            Some(line.trim().strip_prefix("===")?.trim().to_owned())
        })?;
        self.clock.use_up(start.elapsed());
        let Some(mv) = read_move(&answer) else {
            bail!("{} answered {answer:?}, expected a move such as F5", self.process.name());
        };
        Ok(mv)
    }
}

impl Clock {
    fn use_up(&mut self, time: Duration) {
        self.used += time;
        self.own += time;
        self.behind += time;
    }

    /// The time to be told with a move, of the program itself or of its opponent.
    fn tell(&mut self, is_own: bool) -> Duration {
        std::mem::take(if is_own { &mut self.own } else { &mut self.behind })
    }
}

/// The moves that were added to `known` to make `game`, with who made them; `None` if it is another
/// game.
fn added(known: &Game, game: &Game) -> Option<Vec<(Color, Move)>> {
    let n_known = known.moves().len();
    let is_same = known.start() == game.start() && game.moves().get(..n_known)? == known.moves();
    let steps = game.steps().skip(n_known);
    is_same.then(|| steps.map(|(position, mv)| (position.turn(), mv)).collect())
}

/// The move of an answer such as `F5`, `F5/1.2/0.3`, `d6 -1.00 0.0` or `PA`.
fn read_move(answer: &str) -> Option<Move> {
    let word = answer.split(|c: char| c == '/' || c.is_whitespace()).next()?;
    if ["pa", "pass", "--"].contains(&word.to_ascii_lowercase().as_str()) {
        return Some(Move::Pass);
    }
    word.parse().ok().map(Move::Place)
}

fn word(mv: Move) -> String {
    mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase())
}

/// The GGF of a game with `seconds` left on both clocks.
fn with_clocks(ggf: &str, left: Duration) -> String {
    let seconds = left.as_secs_f64();
    let whole = seconds.ceil().max(1.0);
    let mut text = ggf.replacen("BO[", &format!("TI[{whole}]BO["), 1);
    let rest = format!("//{:.3}]", whole - seconds);
    // The last move of each side takes the rest; a side without one has up to a second more.
    for color in ["B[", "W["] {
        if let Some(start) = text.rfind(&format!("]{color}")).map(|before| before + 1)
            && let Some(end) = text[start..].find(']').map(|length| start + length)
        {
            text.replace_range(end..=end, &rest);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Square;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(Option<u32>, Option<f64>, &str), &str>) {
        let spec = text.parse::<Spec>();
        let read = spec.as_ref().map(|spec| (spec.depth, spec.time, spec.command.as_str()));
        assert_eq!(read, expected.map_err(str::to_owned).as_ref().map(|&e| e), "{text}");
        if let Ok(spec) = &spec {
            assert_eq!(spec.to_string().parse(), Ok(spec.clone()), "{spec}");
        }
    }

    #[test]
    fn settings_stand_before_the_command() {
        check("nboard:ntest", Ok((None, None, "ntest")));
        check("nboard:ntest x:y -z", Ok((None, None, "ntest x:y -z")));
        check("nboard:C:/ntest.exe x", Ok((None, None, "C:/ntest.exe x")));
        check("nboard:depth=12:./ntest x", Ok((Some(12), None, "./ntest x")));
        check("nboard:time=0.1,depth=9:sh -c 'a:b'", Ok((Some(9), Some(0.1), "sh -c 'a:b'")));
        check("nboard::depth=3:x", Ok((None, None, "depth=3:x")));
    }

    #[test]
    fn wrong_settings_are_explained() {
        let no_command = "nboard needs a command: expected for example nboard:depth=12:ntest";
        check("nboard", Err(no_command));
        check("nboard:", Err(no_command));
        check("nboard:depth=3", Err(no_command));
        check(
            "nboard:deep=3:x",
            Err("nboard has no setting \"deep\": expected depth, time or wait"),
        );
        check("nboard:depth=99:x", Err("found depth=99, expected a number from 1 to 60"));
        check("nboard:time=-1:x", Err("found time=-1, expected seconds such as time=0.5"));
        check("nboard:time=nan:x", Err("found time=nan, expected seconds such as time=0.5"));
        check("nboard:depth=1,depth=2:x", Err("nboard has depth twice, expected it once"));
        check("nboard:a 'b", Err("found \"a 'b\", expected a quotation mark at its end"));
    }

    #[test]
    fn answers_of_all_engines_are_read() {
        let f5 = Some(Move::Place(Square::F5));
        for answer in ["F5", "f5", "F5/1.25/0.30", "F5//0.3", "f5 -1.00 0.0"] {
            assert_eq!(read_move(answer), f5, "{answer}");
        }
        assert_eq!(read_move("PA/3"), Some(Move::Pass));
        assert_eq!(read_move("i9"), None);
        assert_eq!(read_move(""), None);
    }

    #[test]
    fn clocks_are_exact_once_both_sides_have_moved() {
        let game = Game::parse("f5d6c3").unwrap();
        let ggf = Form::Ggf.print(&game).unwrap();
        let text = with_clocks(&ggf, Duration::from_millis(2600));
        assert!(text.contains("TI[3]BO["), "{text}");
        assert!(text.ends_with("B[F5]W[D6//0.400]B[C3//0.400];)"), "{text}");
        assert_eq!(Game::parse(&text).unwrap(), game);
        let start = Game::new(game.start());
        let ggf = Form::Ggf.print(&start).unwrap();
        assert!(with_clocks(&ggf, Duration::from_millis(2600)).contains("TI[3]BO[8 -"));
    }

    #[test]
    fn both_clocks_show_the_time_of_the_program() {
        let mut clock = Clock::default();
        let [none, short, long] = [0, 250, 500].map(Duration::from_millis);
        clock.use_up(long);
        assert_eq!([clock.tell(true), clock.tell(false)], [long, long]);
        // The opponent moves twice, the program passes in between.
        clock.use_up(short);
        let told = [true, false, true, false].map(|is_own| clock.tell(is_own));
        assert_eq!(told, [short, short, none, none]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Spec>();
            let _ = format!("nboard:{text}").parse::<Spec>();
            let _ = read_move(&text);
        }
    }
}
