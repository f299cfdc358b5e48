//! `obverse gtp`: the engine's side of GTP.
//!
//! Every command has one answer, in the order of the commands, so what comes in while the engine thinks
//! waits its turn. The one exception is the comment `# interrupt`, by which GoGui asks for the best move
//! found so far.
//!
//! A pass is forced, so it may be said (`play w pass`) or left out: a move of the side that is not to
//! move implies the pass of the side that must. `undo` takes back what one command did.

use std::collections::VecDeque;
use std::time::Duration;

use obverse_board::notation::Records;
use obverse_board::{Color, Game, Move, Position, Size};
use obverse_engine::{Answer, Candidate, Level, Limits};
use obverse_studio::clock::Budget;

use super::rules;
use super::timing::{Left, Settings};
use super::wire::{self, Command, SYNTAX, vertex};
use crate::draw;
use crate::protocol::search::{Found, Searches, Task, What};
use crate::protocol::{Act, Acts, Dialogue, first_moves, pace};

/// What `list_commands` lists.
const COMMANDS: [&str; 33] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "name",
    "obverse-line",
    "obverse-value",
    "obverse-values",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_level",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// What GoGui offers in its menu: the kind of answer, the label, the command.
const ANALYZE_COMMANDS: &str = "\
pspairs/Values of the Moves/obverse-values
string/Value/obverse-value
var/Best Line/obverse-line
plist/Legal Moves/gogui-rules_legal_moves
string/Final Score/final_score
string/Show Board/showboard
none/Level/set_level %s";

/// An engine in conversation.
pub(crate) struct Engine {
    threads: u32,
    /// `None` until somebody sets one: then a clock alone limits the thinking.
    level: Option<Level>,
    game: Game,
    /// How many moves there were before each command that made some.
    undo: Vec<usize>,
    settings: Option<Settings>,
    /// Of black and white.
    left: [Option<Left>; 2],
    searches: Searches,
    /// The command that is being answered.
    current: Option<(String, Quest)>,
    waiting: VecDeque<Command>,
}

/// What the current command waits for.
enum Quest {
    /// A move, to be played.
    Genmove,
    /// A move.
    RegGenmove,
    /// The values of all moves.
    Values,
    /// The value of the position.
    Value,
    /// What is expected to be played.
    Line,
    /// A file, of which the moves before this one are wanted.
    Load(Option<usize>),
}

/// The answer to a command.
#[derive(Clone, PartialEq, Debug)]
enum Reply {
    Now(Result<String, String>),
    /// When a search or a file has told something.
    Later,
}

fn ok(text: impl Into<String>) -> Reply {
    Reply::Now(Ok(text.into()))
}

fn fail(text: impl Into<String>) -> Reply {
    Reply::Now(Err(text.into()))
}

impl Engine {
    pub(crate) fn new(threads: u32, level: Option<Level>) -> Engine {
        Engine {
            threads,
            level,
            game: Game::new(Position::start(Size::Eight)),
            undo: Vec::new(),
            settings: None,
            left: [None; 2],
            searches: Searches::default(),
            current: None,
            waiting: VecDeque::new(),
        }
    }

    /// Answers the commands that wait, up to one that has to wait itself.
    fn go_on(&mut self, acts: &mut Acts) {
        while self.current.is_none()
            && let Some(command) = self.waiting.pop_front()
        {
            let reply = self.command(&command, acts);
            match reply {
                Reply::Now(reply) => acts.say(wire::answer(&command.id, &reply)),
                Reply::Later => {
                    if let Some((id, _)) = &mut self.current {
                        *id = command.id;
                    }
                }
            }
            if command.name == "quit" {
                acts.push(Act::Quit);
                return;
            }
        }
    }

    fn command(&mut self, command: &Command, acts: &mut Acts) -> Reply {
        let words = command.words();
        let position = self.game.position();
        match command.name.as_str() {
            "protocol_version" => ok("2"),
            "name" => ok("Obverse"),
            "version" => ok(env!("CARGO_PKG_VERSION")),
            "known_command" => match words[..] {
                [name] => ok(COMMANDS.contains(&name).to_string()),
                _ => fail(SYNTAX),
            },
            "list_commands" => ok(COMMANDS.join("\n")),
            "quit" | "gogui-interrupt" => ok(""),
            "boardsize" => match words[..] {
                [side] => match side.parse().ok().and_then(Size::from_side) {
                    Some(size) => self.new_game(size, acts),
                    None if side.bytes().all(|byte| byte.is_ascii_digit()) => {
                        fail("unacceptable size")
                    }
                    None => fail(SYNTAX),
                },
                _ => fail(SYNTAX),
            },
            "clear_board" => self.new_game(position.size(), acts),
            // It is for Go; a number is taken and has no effect.
            "komi" => match words[..] {
                [komi] if komi.parse::<f64>().is_ok() => ok(""),
                _ => fail(SYNTAX),
            },
            "play" => self.play_sequence(&words, 1),
            "gogui-play_sequence" => self.play_sequence(&words, usize::MAX),
            "genmove" => self.genmove(&words, Quest::Genmove, acts),
            "reg_genmove" => self.genmove(&words, Quest::RegGenmove, acts),
            "undo" => match self.undo.pop() {
                Some(n_moves) => {
                    self.take_back(n_moves);
                    ok("")
                }
                None => fail("cannot undo"),
            },
            "time_settings" => match Settings::read(&words) {
                Ok(settings) => {
                    self.settings = settings;
                    self.left = [settings.map(Settings::start); 2];
                    ok("")
                }
                Err(error) => fail(error),
            },
            "time_left" => self.time_left(&words),
            "final_score" => Reply::Now(rules::final_score(position)),
            "showboard" => ok(rules::show(position)),
            "loadsgf" => self.load(&command.rest, acts),
            "list_games" | "gogui-rules_game_id" => ok("Othello"),
            "set_game" => {
                if words.len() == 1 && words[0].eq_ignore_ascii_case("othello") {
                    return self.new_game(position.size(), acts);
                }
                fail("unsupported game")
            }
            "set_level" => self.set_level(&words),
            "gogui-rules_board" => ok(rules::gogui_board(position)),
            "gogui-rules_board_size" => ok(position.size().side().to_string()),
            "gogui-rules_legal_moves" => ok(rules::legal_moves(position)),
            "gogui-rules_side_to_move" => ok(position.turn().to_string()),
            "gogui-rules_final_result" => ok(rules::final_result(position)),
            "gogui-analyze_commands" => ok(ANALYZE_COMMANDS),
            "obverse-values" => {
                let top = position.moves().count() as usize;
                self.think(Quest::Values, top, acts)
            }
            "obverse-value" => self.think(Quest::Value, 1, acts),
            "obverse-line" => self.think(Quest::Line, 1, acts),
            _ => fail("unknown command"),
        }
    }

    fn new_game(&mut self, size: Size, acts: &mut Acts) -> Reply {
        self.game = Game::new(Position::start(size));
        self.undo.clear();
        self.left = [self.settings.map(Settings::start); 2];
        acts.push(Act::Forget);
        ok("")
    }

    fn set_level(&mut self, words: &[&str]) -> Reply {
        let level = match words {
            [level] => level.parse().ok().and_then(Level::new),
            _ => None,
        };
        let Some(level) = level else {
            return fail(format!("invalid level: expected a number from 1 to {}", Level::MAX));
        };
        self.level = Some(level);
        ok("")
    }

    /// Plays pairs of a color and a move, at most `n_max` of them; all or none.
    fn play_sequence(&mut self, words: &[&str], n_max: usize) -> Reply {
        let pairs = words.chunks(2);
        if words.is_empty() && n_max == 1 || !words.len().is_multiple_of(2) || pairs.len() > n_max {
            return fail(SYNTAX);
        }
        let n_moves = self.game.moves().len();
        for pair in pairs {
            let made = match (wire::color(pair[0]), wire::mv(pair[1], self.game.start().size())) {
                (Some(color), Some(mv)) => self.play(color, mv),
                (Some(_), None) if pair[1].parse::<obverse_board::Square>().is_ok() => {
                    Err(format!("illegal move: {} is off the board", pair[1]))
                }
                _ => Err(SYNTAX.to_owned()),
            };
            if let Err(error) = made {
                self.take_back(n_moves);
                return fail(error);
            }
        }
        self.undo.push(n_moves);
        ok("")
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), String> {
        if mv == Move::Pass && self.game.is_over() {
            // Controllers made for Go end a game by two passes.
            return Ok(());
        }
        self.give_turn(color)?;
        self.game.apply(mv).map_err(|error| format!("illegal move: {error}"))
    }

    /// Passes for the other side, if it must.
    fn give_turn(&mut self, color: Color) -> Result<(), String> {
        let turn = self.game.position().turn();
        if turn != color && !self.game.settle() {
            return Err(format!("illegal move: it is the turn of {turn}"));
        }
        Ok(())
    }

    fn take_back(&mut self, n_moves: usize) {
        self.game = first_moves(&self.game, n_moves);
    }

    fn genmove(&mut self, words: &[&str], quest: Quest, acts: &mut Acts) -> Reply {
        let [color] = words else { return fail(SYNTAX) };
        let Some(color) = wire::color(color) else { return fail(SYNTAX) };
        let n_moves = self.game.moves().len();
        if self.game.is_over() {
            return ok("pass");
        }
        if let Err(error) = self.give_turn(color) {
            return fail(error);
        }
        let position = self.game.position();
        let moves = position.moves();
        if moves.count() <= 1 {
            let mv = moves.first().map_or(Move::Pass, Move::Place);
            return self.chosen(mv, n_moves, &quest);
        }
        // What was passed before belongs to the move, and is taken back with it.
        self.undo.push(n_moves);
        let is_game = matches!(quest, Quest::Genmove);
        let (limits, budget) = self.limits(color, is_game);
        self.searches.begin(Task::think(position, limits, 1).within(budget), acts);
        self.current = Some((String::new(), quest));
        Reply::Later
    }

    /// How far to think about a move, and how long; the clock runs only in a game.
    fn limits(&self, color: Color, is_game: bool) -> (Limits, Option<Budget>) {
        let left = self.left[usize::from(color == Color::White)].filter(|_| is_game);
        let Some((settings, left)) = self.settings.zip(left) else {
            return (self.level.unwrap_or(pace::LEVEL_DEFAULT).into(), None);
        };
        let budget = settings.budget(left, self.game.position());
        let limits = self.level.map_or(Limits::NONE, Limits::from);
        (pace::by_clock(limits, budget, self.threads), Some(budget))
    }

    /// The answer to `genmove` and its like, when the move is chosen.
    fn chosen(&mut self, mv: Move, n_moves: usize, quest: &Quest) -> Reply {
        if matches!(quest, Quest::Genmove) {
            if let Err(error) = self.game.apply(mv) {
                return fail(error.to_string());
            }
            self.undo.push(n_moves);
        } else {
            self.take_back(n_moves);
        }
        ok(vertex(mv))
    }

    fn time_left(&mut self, words: &[&str]) -> Reply {
        let [color, rest @ ..] = words else { return fail(SYNTAX) };
        match (wire::color(color), Left::read(rest)) {
            (Some(color), Some(left)) => {
                self.left[usize::from(color == Color::White)] = Some(left);
                // Who tells what is left wants a clock to run.
                self.settings = self.settings.or(Some(Settings::ABSOLUTE));
                ok("")
            }
            _ => fail(SYNTAX),
        }
    }

    fn think(&mut self, quest: Quest, top: usize, acts: &mut Acts) -> Reply {
        if self.game.is_over() {
            return match quest {
                Quest::Value => Reply::Now(rules::final_score(self.game.position())),
                _ => ok(""),
            };
        }
        let (limits, _) = self.limits(self.game.position().turn(), false);
        self.searches.begin(Task::think(self.game.position(), limits, top.max(1)), acts);
        self.current = Some((String::new(), quest));
        Reply::Later
    }

    /// `loadsgf FILE [MOVE]`: the name may stand in quotation marks, as GoGui writes it.
    fn load(&mut self, rest: &str, acts: &mut Acts) -> Reply {
        let (path, number) = match rest.rsplit_once(' ') {
            Some((path, number)) if !number.is_empty() && number.parse::<usize>().is_ok() => {
                (path.trim(), number.parse().ok())
            }
            _ => (rest, None),
        };
        let quoted = path.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
        let path = quoted.unwrap_or(path);
        // Standard input is taken.
        if path.is_empty() || path == "-" {
            return fail(SYNTAX);
        }
        acts.push(Act::Read(path.to_owned()));
        self.current = Some((String::new(), Quest::Load(number)));
        Reply::Later
    }

    fn loaded(&mut self, bytes: Result<Vec<u8>, String>, number: Option<usize>) -> Reply {
        let record = bytes.and_then(|bytes| {
            let record = Records::new(&bytes, None).next();
            record.ok_or("found no game")?.map_err(|error| error.to_string())
        });
        match record {
            Ok(record) => {
                self.undo.clear();
                // The move of that number is the first that is not made.
                let n_moves = number.map_or(usize::MAX, |number| number.saturating_sub(1));
                self.game = first_moves(record.game(), n_moves);
                ok("")
            }
            Err(error) => fail(format!("cannot load file: {error}")),
        }
    }

    fn thought(&mut self, answer: &Answer, time: Duration, quest: &Quest) -> Reply {
        let Some(best) = answer.best() else { return fail("no move found") };
        match quest {
            Quest::Genmove | Quest::RegGenmove => {
                let n_moves = self.undo.pop().unwrap_or(self.game.moves().len());
                if let (Quest::Genmove, Some(settings)) = (quest, self.settings) {
                    let color = self.game.position().turn();
                    let left = &mut self.left[usize::from(color == Color::White)];
                    *left = left.map(|left| settings.after(left, time));
                }
                self.chosen(best.mv, n_moves, quest)
            }
            Quest::Values => {
                let pair = |c: &Candidate| format!("{} {}", vertex(c.mv), draw::discs(c.value));
                ok(answer.candidates.iter().map(pair).collect::<Vec<_>>().join("\n"))
            }
            Quest::Value => ok(format!(
                "{} {} for {}: {}",
                vertex(best.mv),
                draw::discs(best.value),
                self.game.position().turn(),
                best.value.certainty
            )),
            Quest::Line => ok(best.line.iter().map(|&mv| vertex(mv)).collect::<Vec<_>>().join(" ")),
            Quest::Load(_) => fail("no answer"),
        }
    }

    /// Answers the current command and goes on.
    fn reply(&mut self, id: &str, reply: Reply, acts: &mut Acts) {
        if let Reply::Now(reply) = reply {
            acts.say(wire::answer(id, &reply));
        }
        self.go_on(acts);
    }
}

impl Dialogue for Engine {
    fn line(&mut self, line: &str, acts: &mut Acts) {
        match Command::parse(line) {
            Some(command) => {
                self.waiting.push_back(command);
                self.go_on(acts);
            }
            None if is_interrupt(line) && self.searches.is_running() => acts.push(Act::Stop),
            None => {}
        }
    }

    fn found(&mut self, found: Found, acts: &mut Acts) {
        let Some(found) = self.searches.admit(found).filter(|found| found.is_last) else { return };
        let Some((id, quest)) = self.current.take() else { return };
        if let What::Thought(answer) = &found.what {
            let reply = self.thought(answer, found.time, &quest);
            self.reply(&id, reply, acts);
        }
    }

    fn file(&mut self, bytes: Result<Vec<u8>, String>, acts: &mut Acts) {
        if let Some((id, Quest::Load(number))) = self.current.take() {
            let reply = self.loaded(bytes, number);
            self.reply(&id, reply, acts);
        }
    }

    fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    fn n_waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// The comment by which GoGui interrupts.
fn is_interrupt(line: &str) -> bool {
    line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_listed_is_known() {
        assert!(COMMANDS.is_sorted());
        for name in COMMANDS {
            let mut engine = Engine::new(1, None);
            let command = Command::parse(name).unwrap();
            let reply = engine.command(&command, &mut Acts::default());
            assert_ne!(reply, fail("unknown command"), "{name}");
        }
    }
}
