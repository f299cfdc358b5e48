//! `obverse nboard`: the engine's side of the NBoard protocol.
//!
//! A host tells what has changed, then sends `ping`, then asks; what comes back belongs to the last
//! `pong` it has seen. So whatever changes the game or the limits ends the search that is running,
//! `ping` too, and nothing more is said about it. The engine never plays its move itself: it waits for
//! the host's `move`.
//!
//! If the game cannot be followed (a move that is illegal, a board of a size nobody plays) it is
//! answered with a `status` that says why, until the host sets a game that can.

use std::time::Duration;

use obverse_board::{Counting, Game, Position, Score, Size};
use obverse_engine::solve::{Goal, Proof, Request};
use obverse_engine::{Answer, Candidate, Certainty};

use super::wire::{self, Command, Sitting};
use crate::protocol::search::{Found, Searches, Task, What};
use crate::protocol::{Act, Acts, Dialogue, pace};

/// Until the host sets one.
const DEPTH_DEFAULT: u32 = 12;

/// So many empty squares farther from the end than the score, it is proven who wins: that costs about
/// as much, as the outcome needs a few searches less and lets more be cut.
const OUTCOME_EMPTIES_MORE: u32 = 2;

/// What is said of a move that is proven to win or lose but was thought to do something else.
const DISCS_LEAST: f32 = 2.0;

/// An engine in conversation.
pub(crate) struct Engine {
    threads: u32,
    depth: u32,
    /// The game, or why there is none.
    sitting: Result<Sitting, String>,
    searches: Searches,
    quest: Quest,
    /// What searches before the current one took that belong to the same request.
    before: (u64, Duration),
    /// The nodes of the last `nodestats`.
    nodes_told: u64,
}

/// What the current search is for.
enum Quest {
    /// `go`
    Go,
    /// `hint`; the lines that were said.
    Hint(Vec<String>),
    /// Later in a hint: who wins after each of these moves, the last one first.
    Outcome(Vec<Candidate>),
    /// `analyze`: the position after so many moves.
    Analyze(usize),
}

impl Engine {
    pub(crate) fn new(threads: u32) -> Engine {
        let game = Game::new(Position::start(Size::Eight));
        Engine {
            threads,
            depth: DEPTH_DEFAULT,
            sitting: Ok(Sitting { game, clocks: None }),
            searches: Searches::default(),
            quest: Quest::Go,
            before: (0, Duration::ZERO),
            nodes_told: 0,
        }
    }

    fn command(&mut self, command: Command<'_>, acts: &mut Acts) {
        // Whatever is asked or told now, what was asked before is no longer of interest.
        if command != Command::Version {
            self.searches.abandon(acts);
        }
        match command {
            Command::Version | Command::Contempt => {
                // Contempt is what a draw in the book is worth, and there is no book.
            }
            Command::Depth(depth) => {
                self.depth = depth;
                acts.say(format!("set myname Obverse{depth}"));
            }
            Command::Game(ggf) => {
                self.sitting = Sitting::read(ggf);
                self.complain(acts);
            }
            Command::Move(play) => {
                self.play(play);
                self.complain(acts);
            }
            Command::Hint(n) => self.hint(n, acts),
            Command::Go => self.go(acts),
            Command::Ping(number) => acts.say(format!("pong {number}")),
            Command::Learn => match &self.sitting {
                Ok(sitting) => acts.push(Act::Learn(sitting.game.clone())),
                Err(why) => self.learned(Err(why.clone()), acts),
            },
            Command::Analyze => {
                if let Some(game) = self.game(acts) {
                    let n_moves = game.moves().len();
                    acts.say("status Analyzing the game");
                    self.begin_count();
                    self.analyze(n_moves, acts);
                }
            }
            Command::Quit => acts.push(Act::Quit),
        }
    }

    /// Says why there is no game, if there is none.
    fn complain(&self, acts: &mut Acts) {
        if let Err(why) = &self.sitting {
            status(why, acts);
        }
    }

    /// The game, or a word about why there is none.
    fn game(&self, acts: &mut Acts) -> Option<Game> {
        self.complain(acts);
        self.sitting.as_ref().ok().map(|sitting| sitting.game.clone())
    }

    fn play(&mut self, play: wire::Play) {
        let Ok(sitting) = &mut self.sitting else { return };
        // A pass may be said or left out.
        let made = match play.mv.square() {
            Some(square) => sitting.game.play(square),
            None => sitting.game.apply(play.mv),
        };
        match made {
            Ok(()) => sitting.run_clock(!sitting.game.position().turn(), play.time),
            Err(error) => self.sitting = Err(format!("{error}; expected set game")),
        }
    }

    fn go(&mut self, acts: &mut Acts) {
        let Some(game) = self.game(acts) else { return };
        let position = game.position();
        let moves = position.moves();
        if moves.count() <= 1 {
            // Nothing to think about; without an evaluation the host knows that the move was forced.
            let mv = moves.first().map_or(obverse_board::Move::Pass, obverse_board::Move::Place);
            acts.say(format!("=== {}", wire::word(mv)));
            if position.is_over() {
                status("The game is over", acts);
            }
            return;
        }
        let clock = self.sitting.as_ref().ok().and_then(Sitting::clock);
        let budget = clock.map(|clock| clock.budget(clock.time, position));
        let mut limits = pace::by_depth(self.depth);
        if let Some(budget) = budget {
            limits = pace::by_clock(limits, budget, self.threads);
        }
        acts.say("status Thinking");
        self.begin(Quest::Go, Task::think(position, limits, 1).within(budget), acts);
    }

    fn hint(&mut self, n: usize, acts: &mut Acts) {
        let Some(game) = self.game(acts) else { return };
        let position = game.position();
        if position.is_over() {
            status("The game is over", acts);
            return;
        }
        let top = n.min(position.moves().count() as usize).max(1);
        acts.say("status Analyzing");
        let task = Task::think(position, pace::by_depth(self.depth), top);
        self.begin(Quest::Hint(Vec::new()), task, acts);
    }

    /// Begins the first search of a request.
    fn begin(&mut self, quest: Quest, task: Task, acts: &mut Acts) {
        self.begin_count();
        self.quest = quest;
        self.searches.begin(task, acts);
    }

    /// Values the position after `n_moves` moves, and then those before it: what is found near the end
    /// helps to value what comes before.
    fn analyze(&mut self, n_moves: usize, acts: &mut Acts) {
        let Ok(sitting) = &self.sitting else { return };
        let position = position_after(&sitting.game, n_moves);
        if position.is_over() {
            let score = position.score_for(position.turn(), Counting::WinnerTakesEmpties);
            self.analyzed(n_moves, f32::from(score.0), acts);
            return;
        }
        self.quest = Quest::Analyze(n_moves);
        self.searches.begin(Task::think(position, pace::by_depth(self.depth), 1), acts);
    }

    fn analyzed(&mut self, n_moves: usize, discs: f32, acts: &mut Acts) {
        acts.say(format!("analysis {n_moves} {}", eval(discs)));
        match n_moves.checked_sub(1) {
            Some(n_moves) => self.analyze(n_moves, acts),
            None => acts.say("status"),
        }
    }

    /// Says what is new in what a search has found.
    fn tell(&mut self, answer: &Answer, acts: &mut Acts) {
        let Ok(sitting) = &self.sitting else { return };
        let n_empties = sitting.game.position().empties().count();
        for candidate in &answer.candidates {
            let depth = wire::depth(candidate.value, n_empties);
            let line = hint(candidate, candidate.value.discs, &depth);
            match &mut self.quest {
                Quest::Hint(said) if said.contains(&line) => {}
                Quest::Hint(said) => {
                    acts.say(line.clone());
                    said.push(line);
                }
                _ => acts.say(line),
            }
        }
    }

    fn begin_count(&mut self) {
        (self.before, self.nodes_told) = ((0, Duration::ZERO), 0);
    }

    /// Says how much was searched, if that is news.
    fn count(&mut self, (nodes, time): (u64, Duration), acts: &mut Acts) {
        if std::mem::replace(&mut self.nodes_told, nodes) != nodes {
            acts.say(format!("nodestats {nodes} {:.2}", time.as_secs_f64()));
        }
    }

    /// After the values: who wins, where that can be proven though the score cannot.
    fn prove_outcomes(&mut self, answer: Answer, acts: &mut Acts) {
        let Ok(sitting) = &self.sitting else { return };
        let position = sitting.game.position();
        let n_empties = position.empties().count();
        let proof_from = pace::by_depth(self.depth).proof_from.saturating_add(OUTCOME_EMPTIES_MORE);
        let mut open = answer.candidates;
        open.retain(|candidate| candidate.value.certainty != Certainty::Proven);
        open.reverse();
        let next = open.last().filter(|_| n_empties <= proof_from && !answer.stopped);
        let Some(next) = next.and_then(|candidate| position.apply(candidate.mv).ok()) else {
            acts.say("status");
            return;
        };
        let request = Request::exact(next, Counting::WinnerTakesEmpties);
        self.quest = Quest::Outcome(open);
        self.searches.begin(Task::Prove(Request { goal: Goal::Outcome, ..request }), acts);
    }

    /// One of the outcomes is proven.
    fn proven(&mut self, proof: &Proof, acts: &mut Acts) {
        let Quest::Outcome(open) = &mut self.quest else { return };
        let Some(candidate) = open.pop() else { return };
        let discs = candidate.value.discs;
        // The proof is about the position after the move, where the other side is to move.
        let discs = if proof.upper < Score(0) {
            Some(discs.max(DISCS_LEAST))
        } else if proof.lower > Score(0) {
            Some(discs.min(-DISCS_LEAST))
        } else {
            (proof.score() == Some(Score(0))).then_some(0.0)
        };
        if let Some(discs) = discs {
            acts.say(hint(&candidate, discs, wire::OUTCOME_PROVEN));
        }
        let candidates = std::mem::take(open).into_iter().rev().collect();
        self.prove_outcomes(Answer { candidates, nodes: 0, stopped: proof.stopped }, acts);
    }
}

impl Dialogue for Engine {
    fn line(&mut self, line: &str, acts: &mut Acts) {
        match Command::parse(line) {
            Ok(Some(command)) => self.command(command, acts),
            Ok(None) => {}
            Err(error) => {
                self.searches.abandon(acts);
                if line.trim_start().starts_with("move") {
                    self.sitting = Err(format!("{error}; expected set game"));
                }
                status(&error, acts);
            }
        }
    }

    fn found(&mut self, found: Found, acts: &mut Acts) {
        let Some(found) = self.searches.admit(found) else { return };
        let effort = (self.before.0 + found.nodes(), self.before.1 + found.time);
        if found.is_last {
            self.before = effort;
        }
        match found.what {
            What::Thought(answer) if !found.is_last => {
                if !matches!(self.quest, Quest::Analyze(_)) {
                    self.tell(&answer, acts);
                    self.count(effort, acts);
                }
            }
            What::Thought(answer) => {
                self.count(effort, acts);
                match self.quest {
                    Quest::Go => {
                        if let Some(best) = answer.best() {
                            let (mv, eval) = (wire::word(best.mv), eval(best.value.discs));
                            let seconds = effort.1.as_secs_f64();
                            acts.say(format!("=== {mv}/{eval}/{seconds:.2}"));
                        }
                    }
                    Quest::Analyze(n_moves) => {
                        let value = answer.best().map_or(0.0, |best| best.value.discs);
                        self.analyzed(n_moves, value, acts);
                    }
                    Quest::Hint(_) | Quest::Outcome(_) => self.prove_outcomes(answer, acts),
                }
            }
            What::Proof(proof) if found.is_last => {
                self.count(effort, acts);
                self.proven(&proof, acts);
            }
            What::Proof(_) => {}
        }
    }

    fn learned(&mut self, kept: Result<(), String>, acts: &mut Acts) {
        acts.say("learned");
        if let Err(error) = kept {
            status(&error, acts);
        }
    }

    fn is_busy(&self) -> bool {
        self.searches.is_running()
    }
}

fn position_after(game: &Game, n_moves: usize) -> Position {
    game.steps().nth(n_moves).map_or(game.position(), |(before, _)| before)
}

fn hint(candidate: &Candidate, discs: f32, depth: &str) -> String {
    format!("search {} {} 0 {depth}", wire::line(&candidate.line), eval(discs))
}

/// A value in discs, without a sign before zero.
fn eval(discs: f32) -> String {
    let text = format!("{discs:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

fn status(text: &str, acts: &mut Acts) {
    acts.say(format!("status {}", text.replace(['\n', '\r'], " ")));
}
