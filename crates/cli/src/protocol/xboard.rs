//! `obverse xboard`: the engine's side of the Chess Engine Communication Protocol, version 2, for the
//! variant reversi.
//!
//! The specification is Tim Mann's and H. G. Muller's. A disc is a pawn that is dropped, `P@f5`, a pass
//! the null move `@@@@`. White begins, as in chess, on a board whose first row is the lowest.
//!
//! The engine moves on its own whenever it is its turn, and is told everything else at any time. What
//! changes the game ends the search that is running; `?` ends it with the best move so far.

mod timing;

use std::time::Duration;

use obverse_board::notation::Form;
use obverse_board::{Color, Counting, Game, Move, Position};
use obverse_engine::{Answer, Certainty, Config, Limits};

use self::timing::Timing;
use super::number::excerpt;
use super::search::{Found, Searches, Task, What};
use super::{Act, Acts, Dialogue, first_moves, pace};

/// Where a game begins; the colors are those of chess.
const START: &str = "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1";

/// The letters of the pieces: there are only pawns.
const PIECES: &str = "(P.....p.....)";

/// The variant whose rules XBoard falls back on for what it does not know of this one. In bughouse
/// pieces can be dropped without having been captured.
const PARENT: &str = "8x8+0_bughouse";

/// What is asked for and offered.
const FEATURES: &str = concat!(
    "feature done=0\n",
    "feature myname=\"Obverse ",
    env!("CARGO_PKG_VERSION"),
    "\" variants=\"reversi\" setboard=1 usermove=1 ping=1 playother=1 time=1 analyze=1\n",
    "feature memory=1 smp=1 colors=0 draw=0 san=0 sigint=0 sigterm=0 reuse=1 debug=1 nps=0\n",
    "feature done=1"
);

/// How far to look for a hint.
const HINT_DEPTH: u32 = 10;

/// A larger table brings nothing in the time of a move.
const TABLE_MIB_MAX: usize = 4096;

/// An engine in conversation.
pub(crate) struct Engine {
    config: Config,
    /// What it was started with, and no more threads than that.
    most: Config,
    game: Game,
    /// The color the engine plays; `None` in force mode.
    side: Option<Color>,
    timing: Timing,
    /// Whether to show its thinking, and to think while the opponent does.
    posts: bool,
    ponders: bool,
    analyzes: bool,
    searches: Searches,
    quest: Quest,
    /// Pings to be answered when the move is made.
    pings: Vec<String>,
    /// How far the last search has come, for those who ask.
    depth: u32,
    /// What is expected to be played.
    line: Vec<Move>,
}

/// What the current search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quest {
    Move,
    Hint,
    Analyze,
    Ponder,
}

impl Engine {
    pub(crate) fn new(config: Config) -> Engine {
        Engine {
            config,
            most: config,
            game: start(),
            side: Some(Color::Black),
            timing: Timing::default(),
            posts: false,
            ponders: false,
            analyzes: false,
            searches: Searches::default(),
            quest: Quest::Move,
            pings: Vec::new(),
            depth: 0,
            line: Vec::new(),
        }
    }

    fn command(&mut self, name: &str, rest: &str, acts: &mut Acts) {
        match name {
            "protover" => acts.say(FEATURES),
            "new" => {
                self.halt(acts);
                acts.push(Act::Forget);
                self.game = start();
                self.side = Some(Color::Black);
                self.analyzes = false;
                self.timing.new_game();
            }
            "variant" if rest == "reversi" => acts.say(format!("setup {PIECES} {PARENT} {START}")),
            "variant" => acts.say(format!("Error (unsupported variant): {}", excerpt(rest))),
            "quit" => acts.push(Act::Quit),
            "force" | "result" => {
                self.halt(acts);
                self.side = None;
            }
            "go" => {
                self.halt(acts);
                self.side = Some(self.game.position().turn());
                self.go_on(acts);
            }
            "playother" => {
                self.halt(acts);
                self.side = Some(!self.game.position().turn());
                self.ponder(acts);
            }
            "?" if self.is_thinking() => acts.push(Act::Stop),
            "ping" if self.is_thinking() => self.pings.push(excerpt(rest)),
            "ping" => acts.say(format!("pong {}", excerpt(rest))),
            "usermove" => self.usermove(rest, acts),
            "setboard" => self.setboard(rest, acts),
            "undo" => self.take_back(1, acts),
            "remove" => self.take_back(2, acts),
            "hint" => self.hint(acts),
            // A blank line ends it.
            "bk" => acts.say("There is no book.\n"),
            "post" => self.posts = true,
            "nopost" => self.posts = false,
            "hard" => self.ponders = true,
            "easy" => {
                self.ponders = false;
                if self.quest == Quest::Ponder {
                    self.searches.abandon(acts);
                }
            }
            "analyze" => {
                self.halt(acts);
                self.side = None;
                self.analyzes = true;
                self.analyze(acts);
            }
            "exit" => {
                self.halt(acts);
                self.analyzes = false;
            }
            "." if self.quest == Quest::Analyze && self.searches.is_running() => {
                acts.push(Act::Count);
            }
            "memory" | "cores" => self.resize(name, rest, acts),
            "level" | "st" | "sd" | "time" => {
                if !self.timing.set(name, rest) {
                    acts.say(format!("Error (bad number): {name} {}", excerpt(rest)));
                }
            }
            _ if is_of_no_interest(name) => {}
            // Without the feature usermove a move comes alone.
            _ if read_move(name).is_some() => self.usermove(name, acts),
            _ => acts.say(format!("Error (unknown command): {}", excerpt(name))),
        }
    }

    fn is_thinking(&self) -> bool {
        self.searches.is_running() && self.quest == Quest::Move
    }

    /// Ends the search, of which nothing more is said.
    fn halt(&mut self, acts: &mut Acts) {
        self.searches.abandon(acts);
        self.line.clear();
        self.answer_pings(acts);
    }

    fn answer_pings(&mut self, acts: &mut Acts) {
        for number in self.pings.drain(..) {
            acts.say(format!("pong {number}"));
        }
    }

    fn resize(&mut self, name: &str, rest: &str, acts: &mut Acts) {
        let Some(number) = rest.parse::<usize>().ok().filter(|number| *number > 0) else {
            acts.say(format!("Error (bad number): {name} {}", excerpt(rest)));
            return;
        };
        // Whatever the GUI thinks of this machine.
        match name {
            "memory" => self.config.table_mib = number.min(self.most.table_mib.max(TABLE_MIB_MAX)),
            _ => self.config.threads = number.min(self.most.threads),
        }
        acts.push(Act::Resize(self.config));
    }

    fn usermove(&mut self, text: &str, acts: &mut Acts) {
        let illegal = |why: &str, acts: &mut Acts| {
            let comment = if why.is_empty() { String::new() } else { format!(" ({why})") };
            acts.say(format!("Illegal move{comment}: {}", excerpt(text)));
        };
        let Some(mv) = read_move(text) else { return illegal("", acts) };
        if mv == Move::Pass && self.game.is_over() {
            // It is only said to end the game.
            return;
        }
        if let Err(error) = self.game.position().apply(mv) {
            return illegal(&error.to_string(), acts);
        }
        self.halt(acts);
        self.game.apply(mv).expect("it was tried");
        self.report_end(acts);
        self.go_on(acts);
    }

    fn setboard(&mut self, fen: &str, acts: &mut Acts) {
        self.halt(acts);
        match Form::Fen.parse(fen) {
            Ok(game) => {
                self.game = game;
                // To play from there is asked for by go.
                if self.analyzes {
                    self.analyze(acts);
                }
            }
            Err(error) => acts.say(format!("tellusererror Illegal position: {error}")),
        }
    }

    fn take_back(&mut self, n: usize, acts: &mut Acts) {
        self.halt(acts);
        let n_moves = self.game.moves().len();
        match n_moves.checked_sub(n) {
            Some(n_moves) => self.game = first_moves(&self.game, n_moves),
            None => acts.say("Error (nothing to take back): undo"),
        }
        if self.analyzes {
            self.analyze(acts);
        }
    }

    /// Does what the position asks for: a move, or another analysis.
    fn go_on(&mut self, acts: &mut Acts) {
        let position = self.game.position();
        if self.analyzes {
            self.analyze(acts);
        } else if self.side == Some(position.turn()) && !position.is_over() {
            let moves = position.moves();
            if moves.count() <= 1 {
                self.make(moves.first().map_or(Move::Pass, Move::Place), acts);
                return;
            }
            let budget = self.timing.budget(position);
            let mut limits = self.timing.limits();
            if let Some(budget) = budget {
                limits = pace::by_clock(limits, budget, self.config.threads as u32);
            }
            self.begin(Quest::Move, Task::think(position, limits, 1).within(budget), acts);
        }
    }

    fn begin(&mut self, quest: Quest, task: Task, acts: &mut Acts) {
        self.quest = quest;
        self.depth = 0;
        self.searches.begin(task, acts);
    }

    fn analyze(&mut self, acts: &mut Acts) {
        if !self.game.is_over() {
            let task = Task::think(self.game.position(), Limits::NONE, 1);
            self.begin(Quest::Analyze, task, acts);
        }
    }

    fn hint(&mut self, acts: &mut Acts) {
        let position = self.game.position();
        if let Some(&expected) = self.line.first()
            && position.apply(expected).is_ok()
        {
            acts.say(format!("Hint: {}", word(expected)));
        } else if !self.searches.is_running() && !position.is_over() {
            let task = Task::think(position, pace::by_depth(HINT_DEPTH), 1);
            self.begin(Quest::Hint, task, acts);
        }
    }

    /// Thinks about the position after the move it expects.
    fn ponder(&mut self, acts: &mut Acts) {
        let position = self.game.position();
        let expected = self.line.first().and_then(|&mv| position.apply(mv).ok());
        let next = expected.unwrap_or(position);
        if self.ponders && self.side.is_some() && !next.is_over() {
            self.begin(Quest::Ponder, Task::think(next, Limits::NONE, 1), acts);
        }
    }

    /// Makes the engine's move.
    fn make(&mut self, mv: Move, acts: &mut Acts) {
        acts.say(format!("move {}", word(mv)));
        if self.game.apply(mv).is_ok() {
            self.timing.moved();
            self.report_end(acts);
        }
        self.answer_pings(acts);
    }

    /// Says how the game ended, if it did.
    fn report_end(&self, acts: &mut Acts) {
        if self.game.is_over() && !self.analyzes {
            acts.say(result(self.game.position()));
        }
    }

    /// A line about what a search has found.
    fn post(&self, answer: &Answer, time: Duration, acts: &mut Acts) {
        let Some(best) = answer.best() else { return };
        let note = match best.value.certainty {
            Certainty::Estimate(_) => String::new(),
            Certainty::Selective(percent) => format!(" {{{percent}%}}"),
            Certainty::Proven => " {proven}".to_owned(),
        };
        let (score, hundredths) = ((best.value.discs * 100.0).round(), time.as_millis() / 10);
        let line: Vec<String> = best.line.iter().map(|&mv| word(mv)).collect();
        let (depth, nodes, line) = (self.depth, answer.nodes, line.join(" "));
        acts.say(format!("{depth} {score} {hundredths} {nodes} {line}{note}"));
    }
}

impl Dialogue for Engine {
    fn line(&mut self, line: &str, acts: &mut Acts) {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !name.is_empty() && !name.starts_with('#') {
            self.command(name, rest.trim(), acts);
        }
    }

    fn found(&mut self, found: Found, acts: &mut Acts) {
        let Some(found) = self.searches.admit(found) else { return };
        let What::Thought(answer) = &found.what else { return };
        let Some(best) = answer.best() else { return };
        self.depth = match best.value.certainty {
            Certainty::Estimate(depth) => depth,
            _ => self.game.position().empties().count(),
        };
        match (self.quest, found.is_last) {
            (Quest::Move, false) if !self.posts => {}
            (Quest::Move | Quest::Analyze, false) => self.post(answer, found.time, acts),
            (Quest::Move, true) => {
                self.line = best.line.get(1..).unwrap_or_default().to_vec();
                self.make(best.mv, acts);
                if !self.game.is_over() {
                    self.ponder(acts);
                }
            }
            (Quest::Hint, true) => acts.say(format!("Hint: {}", word(best.mv))),
            _ => {}
        }
    }

    fn counted(&mut self, nodes: u64, time: Duration, acts: &mut Acts) {
        let (hundredths, depth) = (time.as_millis() / 10, self.depth);
        let n_moves = self.game.position().moves().count();
        acts.say(format!("stat01: {hundredths} {nodes} {depth} 0 {n_moves}"));
    }

    fn is_busy(&self) -> bool {
        self.searches.is_running() && matches!(self.quest, Quest::Move | Quest::Hint)
    }
}

fn start() -> Game {
    Form::Fen.parse(START).expect("it is well formed")
}

/// `1-0 {White wins 40-24}`, with the discs on the board; the empty squares are the winner's, which
/// does not change who that is.
fn result(position: Position) -> String {
    let [white, black] = [Color::White, Color::Black].map(|color| position.discs(color).count());
    match position.score_for(Color::White, Counting::Discs).0 {
        1.. => format!("1-0 {{White wins {white}-{black}}}"),
        0 => format!("1/2-1/2 {{Draw {white}-{black}}}"),
        ..0 => format!("0-1 {{Black wins {black}-{white}}}"),
    }
}

/// `P@f5`, `f5`, `@@@@`.
fn read_move(text: &str) -> Option<Move> {
    if ["@@@@", "pass", "--"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(Move::Pass);
    }
    let square = text.strip_prefix("P@").or(text.strip_prefix("p@")).unwrap_or(text);
    square.parse().ok().map(Move::Place)
}

fn word(mv: Move) -> String {
    mv.square().map_or("@@@@".to_owned(), |square| format!("P@{square}"))
}

/// Commands that are part of the protocol and change nothing here.
fn is_of_no_interest(name: &str) -> bool {
    const NAMES: [&str; 19] = [
        "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "otim",
        "draw", "white", "black", "?", ".", "pause", "resume", "nps", "egtpath", "option",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Size, Square};
    use proptest::prelude::*;

    #[test]
    fn moves_are_drops_and_null_moves() {
        let f5 = Some(Move::Place(Square::F5));
        assert_eq!([read_move("P@f5"), read_move("p@f5"), read_move("f5")], [f5; 3]);
        assert_eq!(read_move("@@@@"), Some(Move::Pass));
        assert_eq!(read_move("e2e4"), None);
        assert_eq!(word(Move::Pass), "@@@@");
        assert_eq!(word(Move::Place(Square::A8)), "P@a8");
    }

    #[test]
    fn white_begins_and_the_squares_keep_their_names() {
        let position = start().position();
        assert_eq!(position.turn(), Color::White);
        assert_eq!(position.moves(), Position::start(Size::Eight).moves());
    }

    #[test]
    fn results_are_those_of_chess() {
        let position = |black, white| {
            Position::new(Size::Eight, Bitboard(black), Bitboard(white), Color::White).unwrap()
        };
        assert_eq!(result(position(0b11, 0b100)), "0-1 {Black wins 2-1}");
        assert_eq!(result(position(0b1, 0b110)), "1-0 {White wins 2-1}");
        assert_eq!(result(position(0b1, 0b10)), "1/2-1/2 {Draw 1-1}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "\\PC{0,60}",
            name in "(level|st|sd|time|memory|cores|setboard|usermove|variant|ping) ",
        ) {
            let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
            let mut acts = Acts::default();
            engine.line(&text, &mut acts);
            engine.line(&format!("{name}{text}"), &mut acts);
        }
    }
}
