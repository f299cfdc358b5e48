//! `obverse cassio`: the engine's side of the Othello Engine Protocol, which Cassio speaks.
//!
//! The protocol is by Stéphane Nicolet, Bruno Causse and Richard Delorme (2009). The GUI does all the
//! work of a game and asks for searches of single positions, between two scores, to a depth and with a
//! precision. Every line it sends begins with `ENGINE-PROTOCOL`; `ready.` tells it that the engine waits.
//!
//! What is asked while a search runs waits, but for `stop`, which also forgets what waits, and questions
//! about the search.

use std::collections::VecDeque;
use std::time::Duration;

use obverse_board::{Color, Counting, Move, Position, Score, Size, Square};
use obverse_engine::solve::{Goal, Proof, Request};
use obverse_engine::{Answer, Certainty, Limits};

use super::number::excerpt;
use super::search::{Found, Searches, Task, What};
use super::{Act, Acts, Dialogue};

const PREFIX: &str = "ENGINE-PROTOCOL";

/// As sure as can be: proven.
const PRECISION_MAX: u8 = 100;

/// How sure a search of a number of moves is of what it leaves out.
const ESTIMATE_PERCENT: u8 = 73;

/// An engine in conversation.
#[derive(Default)]
pub(crate) struct Engine {
    searches: Searches,
    /// The position as the GUI wrote it, which begins every result.
    board: String,
    turn: Option<Color>,
    n_empties: u32,
    /// The last result without its counts, which is not said twice.
    said: String,
    waiting: VecDeque<String>,
}

/// A position to search.
#[derive(Clone, PartialEq, Debug)]
struct Ask {
    position: Position,
    alpha: f64,
    beta: f64,
    /// `None` is to the end.
    depth: Option<u32>,
    precision: u8,
}

impl Engine {
    fn command(&mut self, line: &str, acts: &mut Acts) {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default().to_ascii_lowercase();
        let rest: Vec<&str> = words.collect();
        match name.as_str() {
            "init" | "new-position" => acts.say("ready."),
            "get-version" => {
                acts.say(concat!("version: Obverse ", env!("CARGO_PKG_VERSION")));
                acts.say("ready.");
            }
            "empty-hash" => {
                acts.push(Act::Forget);
                acts.say("ready.");
            }
            // What others have found is not proven here, and a table of proven bounds has no place for
            // it. Nothing is to be said.
            "feed-hash" => {}
            "midgame-search" => self.ask(Ask::read(&rest, true), &name, acts),
            "endgame-search" => self.ask(Ask::read(&rest, false), &name, acts),
            "quit" => {
                acts.say("bye bye.");
                acts.push(Act::Quit);
            }
            _ => {
                acts.say(format!("ERROR: unknown command {}", excerpt(&name)));
                acts.say("ready.");
            }
        }
    }

    fn ask(&mut self, ask: Result<Ask, String>, name: &str, acts: &mut Acts) {
        match ask {
            Ok(ask) => {
                let position = ask.position;
                self.board = cells(position);
                self.turn = Some(position.turn());
                self.n_empties = position.empties().count();
                self.said.clear();
                if position.is_over() {
                    let score = position.score_for(position.turn(), Counting::WinnerTakesEmpties);
                    let (percent, bounds) = (PRECISION_MAX, [f32::from(score.0); 2]);
                    let result = Outcome { mv: None, depth: 0, percent, bounds, line: &[] };
                    self.tell(&result, 0, Duration::ZERO, acts);
                    acts.say("ready.");
                    return;
                }
                self.searches.begin(ask.task(), acts);
            }
            Err(error) => {
                acts.say(format!("ERROR: {name}: {error}"));
                acts.say("ready.");
            }
        }
    }

    /// Says a result, if it is news.
    fn tell(&mut self, result: &Outcome<'_>, nodes: u64, time: Duration, acts: &mut Acts) {
        let color = if self.turn == Some(Color::White) { 'W' } else { 'B' };
        let [lower, upper] = result.bounds.map(|discs| format!("{color}{discs:+.2}"));
        let text = format!(
            "{}, move {}, depth {}, @{}%, {lower} <= v <= {upper}, {}",
            self.board,
            result.mv.map_or("--".to_owned(), word),
            result.depth,
            result.percent,
            result.line.iter().map(|&mv| word(mv)).collect::<String>()
        );
        if text != self.said {
            acts.say(format!("{text}, node {nodes}, time {:.3}", time.as_secs_f64()));
            self.said = text;
        }
    }

    fn thought(&mut self, answer: &Answer, time: Duration, acts: &mut Acts) {
        let Some(best) = answer.best() else { return };
        let (depth, percent) = match best.value.certainty {
            Certainty::Estimate(depth) => (depth, ESTIMATE_PERCENT),
            Certainty::Selective(percent) => (self.n_empties, percent),
            Certainty::Proven => (self.n_empties, PRECISION_MAX),
        };
        let (mv, bounds, line) = (Some(best.mv), [best.value.discs; 2], &best.line[..]);
        self.tell(&Outcome { mv, depth, percent, bounds, line }, answer.nodes, time, acts);
    }

    fn proven(&mut self, proof: &Proof, time: Duration, acts: &mut Acts) {
        let bounds = [proof.lower, proof.upper].map(|score| f32::from(score.0));
        let (mv, depth, percent) = (proof.best, self.n_empties, PRECISION_MAX);
        // Bounds that do not meet have no line but the move.
        let line = if proof.line.is_empty() { proof.best.as_slice() } else { &proof.line };
        let result = Outcome { mv, depth, percent, bounds, line };
        self.tell(&result, proof.nodes, time, acts);
    }
}

/// What is known of a position.
struct Outcome<'a> {
    mv: Option<Move>,
    depth: u32,
    percent: u8,
    /// For the side to move.
    bounds: [f32; 2],
    line: &'a [Move],
}

impl Ask {
    /// Reads `POSITION ALPHA BETA [DEPTH] PRECISION`; what is left out has no limit.
    fn read(words: &[&str], has_depth: bool) -> Result<Ask, String> {
        let (position, mut rest) = position(words)?;
        let mut number = |what: &str, default: f64| match rest.split_first() {
            None => Ok(default),
            Some((word, others)) => {
                rest = others;
                let number = word.parse::<f64>().ok().filter(|number| !number.is_nan());
                let found = excerpt(word);
                number.ok_or_else(|| format!("found {what} {found:?}, expected a number"))
            }
        };
        let (alpha, beta) = (number("alpha", -64.0)?, number("beta", 64.0)?);
        let depth = if has_depth { Some(number("depth", 60.0)?.clamp(1.0, 60.0)) } else { None };
        let precision = number("precision", 100.0)?.clamp(1.0, 100.0);
        if alpha >= beta {
            return Err(format!("found alpha {alpha} and beta {beta}, expected alpha below beta"));
        }
        let depth = depth.map(|depth| depth as u32);
        Ok(Ask { position, alpha, beta, depth, precision: precision as u8 })
    }

    fn task(&self) -> Task {
        let n_empties = self.position.empties().count();
        // As far as the end is as good as to the end.
        if let Some(depth) = self.depth.filter(|depth| *depth < n_empties) {
            let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
            return Task::think(self.position, limits, 1);
        }
        if self.precision < PRECISION_MAX {
            let limits = Limits { proof_from: 0, ..Limits::NONE };
            let task = Task::think(self.position, limits, 1);
            let Task::Think { question, budget, .. } = task else { return task };
            let until = Some(Certainty::Selective(self.precision));
            return Task::Think { question, budget, until };
        }
        let area = f64::from(self.position.size().area());
        // A window must lie about possible scores, and be open.
        let low = self.alpha.floor().clamp(-area - 1.0, area);
        let high = self.beta.ceil().clamp(low + 1.0, area + 1.0);
        let request = Request::exact(self.position, Counting::WinnerTakesEmpties);
        let is_open = low < -area && high > area;
        let goal =
            if is_open { Goal::Exact } else { Goal::Window(Score(low as i8), Score(high as i8)) };
        Task::Prove(Request { goal, ..request })
    }
}

/// A position of 64 squares and the side to move, with or without blanks, and what follows it.
fn position<'a, 'b>(words: &'b [&'a str]) -> Result<(Position, &'b [&'a str]), String> {
    let expected = || "expected 64 of X, O and - and then the side to move".to_owned();
    let mut cells: Vec<Option<Color>> = Vec::with_capacity(65);
    let mut rest = words;
    while cells.len() < 65 {
        let (word, others) = rest.split_first().ok_or_else(expected)?;
        for c in word.chars() {
            cells.push(match c {
                'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
                'O' | 'o' | 'W' | 'w' => Some(Color::White),
                '-' | '.' => None,
                _ => return Err(expected()),
            });
        }
        rest = others;
    }
    let [cells @ .., Some(turn)] = &cells[..] else { return Err(expected()) };
    if cells.len() != 64 {
        return Err(expected());
    }
    let discs = |color| {
        let squares = Square::ALL.into_iter().zip(cells);
        squares.filter(|(_, cell)| **cell == Some(color)).map(|(square, _)| square).collect()
    };
    let position = Position::new(Size::Eight, discs(Color::Black), discs(Color::White), *turn);
    position.map(|position| (position, rest)).map_err(|error| error.to_string())
}

/// The 64 squares and the side to move.
fn cells(position: Position) -> String {
    let cell = |square| position.color_at(square).map_or('-', Color::letter);
    let squares: String = Square::ALL.into_iter().map(cell).collect();
    format!("{squares}{}", position.turn().letter())
}

fn word(mv: Move) -> String {
    mv.square().map_or("pa".to_owned(), |square| square.to_string())
}

impl Dialogue for Engine {
    fn line(&mut self, line: &str, acts: &mut Acts) {
        let line = line.trim();
        if line.is_empty() {
            acts.say(if self.searches.is_running() { "ok." } else { "ready." });
            return;
        }
        let Some(command) = line
            .strip_prefix(PREFIX)
            .filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        else {
            let line = excerpt(line);
            acts.say(format!("ERROR: found {line:?}, expected {PREFIX} and a command"));
            return;
        };
        let name = command.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        match (name.as_str(), self.searches.is_running()) {
            ("stop", _) => {
                self.waiting.clear();
                self.searches.abandon(acts);
                acts.say("ready.");
            }
            ("get-search-infos", true) => acts.push(Act::Count),
            ("get-search-infos", false) => acts.say("ready."),
            ("quit", true) => {
                self.waiting.clear();
                self.searches.abandon(acts);
                self.command(command, acts);
            }
            (_, true) => self.waiting.push_back(command.to_owned()),
            (_, false) => self.command(command, acts),
        }
    }

    fn found(&mut self, found: Found, acts: &mut Acts) {
        let Some(found) = self.searches.admit(found) else { return };
        match &found.what {
            What::Thought(answer) => self.thought(answer, found.time, acts),
            What::Proof(proof) => self.proven(proof, found.time, acts),
        }
        if found.is_last {
            acts.say("ready.");
            while !self.searches.is_running()
                && let Some(command) = self.waiting.pop_front()
            {
                self.command(&command, acts);
            }
        }
    }

    fn counted(&mut self, nodes: u64, time: Duration, acts: &mut Acts) {
        acts.say(format!("node {nodes}, time {:.3}", time.as_secs_f64()));
    }

    fn is_busy(&self) -> bool {
        self.searches.is_running()
    }

    fn n_waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "---------------------------OX------XO---------------------------X";

    fn read(text: &str, has_depth: bool) -> Result<Ask, String> {
        Ask::read(&text.split_whitespace().collect::<Vec<_>>(), has_depth)
    }

    #[test]
    fn a_position_may_have_blanks_in_it() {
        let ask = read(&format!("{START} -64 64 12 73"), true).unwrap();
        assert_eq!(ask.position, Position::start(Size::Eight));
        assert_eq!((ask.alpha, ask.beta, ask.depth, ask.precision), (-64.0, 64.0, Some(12), 73));
        let spaced = format!("{} {} 0.5 2", &START[..64], &START[64..]);
        let ask = read(&spaced, false).unwrap();
        assert_eq!((ask.alpha, ask.beta, ask.depth, ask.precision), (0.5, 2.0, None, 100));
        assert_eq!(cells(ask.position), START);
    }

    #[test]
    fn windows_are_about_possible_scores() {
        let goal = |text: &str| match read(&format!("{START} {text}"), false).unwrap().task() {
            Task::Prove(request) => request.goal,
            task @ Task::Think { .. } => panic!("{task:?}"),
        };
        assert_eq!(goal("-65 65"), Goal::Exact);
        assert_eq!(goal("-1e300 1e300"), Goal::Exact);
        assert_eq!(goal("-64 64"), Goal::Window(Score(-64), Score(64)));
        assert_eq!(goal("-0.5 0.5"), Goal::Window(Score(-1), Score(1)));
        assert_eq!(goal("2 4"), Goal::Window(Score(2), Score(4)));
        assert_eq!(goal("100 101"), Goal::Window(Score(64), Score(65)));
        assert_eq!(goal("-101 -100"), Goal::Window(Score(-65), Score(-64)));
    }

    #[test]
    fn what_is_no_question_is_explained() {
        let error = |text: &str| read(text, true).unwrap_err();
        assert!(error("").contains("expected 64 of X, O and -"));
        assert!(error(&START[..64]).contains("expected 64 of X, O and -"));
        assert!(error(&START.replace('O', "?")).contains("expected 64 of X, O and -"));
        assert!(error(&format!("{START} x")).contains("found alpha \"x\""));
        assert!(error(&format!("{START} 4 4")).contains("expected alpha below beta"));
        assert!(error(&format!("{START} 0 1 nan")).contains("found depth \"nan\""));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", numbers in "[-+.0-9eE ]{0,30}") {
            let mut engine = Engine::default();
            let mut acts = Acts::default();
            engine.line(&text, &mut acts);
            engine.line(&format!("{PREFIX} {text}"), &mut acts);
            engine.line(&format!("{PREFIX} endgame-search {START} {numbers}"), &mut acts);
            engine.line(&format!("{PREFIX} midgame-search {START} {numbers}"), &mut acts);
        }
    }
}
