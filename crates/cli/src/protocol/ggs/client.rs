//! What a player does on the game server: it comes in, accepts offers, plays, and comes back when the
//! connection is lost.
//!
//! Like the dialogues of the other protocols it does nothing itself: it is told what was said, what a
//! search has found and how late it is, and says what is to be done.

use std::collections::VecDeque;
use std::time::Duration;

use obverse_board::{Color, Move, Position};
use obverse_engine::{Level, Limits};
use obverse_studio::clock::Clock;

use super::policy::Policy;
use super::wire::{Event, Framer, Offer, Prompt, Stand, prompt};
use crate::protocol::search::{Found, Searches, Task, What};
use crate::protocol::{Act, Acts, pace};

/// What a message may need on its way, which the clock at the server counts.
const LAG: Duration = Duration::from_millis(500);

/// How often the server hears of us, so that it does not take us for gone. It also takes up games
/// that were interrupted.
const KEEP_ALIVE: Duration = Duration::from_mins(1);

/// How long to wait before the first attempt to come back; each further one waits twice as long.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(5));

/// What the server is told when we come in: plain text, no bells, no news, the board as text.
const GREETINGS: [&str; 6] = [
    "vt100 -",
    "bell -t -tc -tg -n -nc -ng -ni -nn",
    "verbose -news -faq -help -ack",
    "tell /os client -",
    "tell /os trust +",
    "tell /os request +",
];

/// Who plays, and what.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) policy: Policy,
    /// How many offers may wait; 0 if none are wanted.
    pub(crate) open: u32,
    /// What is asked for whenever nothing is played, such as `8 5:00 bob`.
    pub(crate) ask: Option<String>,
    /// Leave after so many matches.
    pub(crate) n_matches: Option<u32>,
    pub(crate) level: Option<Level>,
    pub(crate) threads: u32,
}

/// A player on the server.
pub(crate) struct Client {
    settings: Settings,
    phase: Phase,
    framer: Framer,
    /// The matches we play; two games belong to one of them if it is synchro.
    matches: Vec<String>,
    /// The games that wait for a move of ours, and that which is thought about.
    todo: VecDeque<Turn>,
    current: Option<Turn>,
    /// The last position of each game in which we moved.
    done: Vec<(String, Position)>,
    searches: Searches,
    n_finished: u32,
    /// How often coming in has failed since it last worked.
    n_failures: u32,
    alive_at: Duration,
    leaves: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Before the name, before the password, before the answer to it.
    Outside,
    Named,
    Identified,
    Inside,
}

/// A game in which it is our turn.
#[derive(Clone, PartialEq, Debug)]
struct Turn {
    id: String,
    position: Position,
    clock: Option<Clock>,
}

impl Client {
    pub(crate) fn new(settings: Settings) -> Client {
        Client {
            settings,
            phase: Phase::Outside,
            framer: Framer::default(),
            matches: Vec::new(),
            todo: VecDeque::new(),
            current: None,
            done: Vec::new(),
            searches: Searches::default(),
            n_finished: 0,
            n_failures: 0,
            alive_at: Duration::ZERO,
            leaves: false,
        }
    }

    /// A new connection is there.
    pub(crate) fn connected(&mut self, acts: &mut Acts) {
        self.phase = Phase::Outside;
        self.framer = Framer::default();
        self.forget_games(acts);
    }

    /// The connection is lost, or there is none; when to try again, if at all.
    pub(crate) fn lost(&mut self, acts: &mut Acts) -> Option<Duration> {
        self.forget_games(acts);
        if self.leaves {
            return None;
        }
        let wait = BACK_OFF.0.saturating_mul(1 << self.n_failures.min(16)).min(BACK_OFF.1);
        self.n_failures += 1;
        Some(wait)
    }

    fn forget_games(&mut self, acts: &mut Acts) {
        self.searches.abandon(acts);
        self.matches.clear();
        self.todo.clear();
        self.done.clear();
        self.current = None;
    }

    /// The server has said something.
    ///
    /// # Errors
    /// If it does not let us in, and never will.
    pub(crate) fn line(&mut self, line: &str, acts: &mut Acts) -> Result<(), String> {
        match (prompt(line), self.phase) {
            (Some(Prompt::Login), Phase::Outside) => {
                acts.say(&self.settings.user);
                self.phase = Phase::Named;
                return Ok(());
            }
            (Some(Prompt::Login), Phase::Named | Phase::Identified) => {
                return Err(format!(
                    "the server does not accept {} with this password",
                    self.settings.user
                ));
            }
            (Some(Prompt::Password), Phase::Named) => {
                acts.say(&self.settings.password);
                self.phase = Phase::Identified;
                return Ok(());
            }
            (_, Phase::Identified) if line.trim() == "READY" => {
                self.phase = Phase::Inside;
                self.n_failures = 0;
                self.greet(acts);
            }
            _ => {}
        }
        if let Some(message) = self.framer.push(line)
            && self.phase == Phase::Inside
        {
            self.event(Event::parse(&message), acts);
        }
        Ok(())
    }

    fn greet(&mut self, acts: &mut Acts) {
        acts.log(format!("playing as {}", self.settings.user));
        for line in GREETINGS {
            acts.say(line);
        }
        let sign = if self.settings.policy.wants_rated() { '+' } else { '-' };
        acts.say(format!("tell /os rated {sign}"));
        self.be_free(acts);
    }

    /// Nothing is played: offers are welcome.
    fn be_free(&mut self, acts: &mut Acts) {
        if self.leaves || self.settings.n_matches.is_some_and(|n| self.n_finished >= n) {
            self.leave(acts);
            return;
        }
        acts.say(format!("tell /os open {}", self.settings.open));
        if let Some(ask) = &self.settings.ask {
            acts.say(format!("tell /os ask {ask}"));
        }
    }

    fn event(&mut self, event: Event, acts: &mut Acts) {
        match event {
            Event::Offer(offer) => self.offered(&offer, acts),
            Event::Begin { id, players, kind } => {
                if players.contains(&self.settings.user) {
                    acts.log(format!("match {id} begins: {} ({kind})", players.join(" - ")));
                    acts.say("tell /os open 0");
                    self.join(&id);
                }
            }
            Event::End { id, result } => self.ended(&id, &result, acts),
            Event::Stand(stand) => self.stands(stand, acts),
            Event::Error(text) => acts.log(format!("the server says: {text}")),
            Event::Service(true) => self.greet(acts),
            Event::Service(false) => {
                acts.log("the Othello service is gone");
                self.forget_games(acts);
            }
            Event::Withdrawn(_) | Event::Other => {}
        }
    }

    fn join(&mut self, id: &str) {
        if !self.matches.iter().any(|known| known == id) {
            self.matches.push(id.to_owned());
        }
    }

    fn offered(&self, offer: &Offer, acts: &mut Acts) {
        if offer.to != self.settings.user || offer.from == self.settings.user {
            return;
        }
        let Offer { id, from, kind, .. } = offer;
        let is_busy = (!self.matches.is_empty()).then(|| "a match is being played".to_owned());
        match is_busy.or_else(|| self.settings.policy.objection(offer)) {
            None => {
                acts.log(format!("accepts {id}: {kind} from {from}"));
                acts.say(format!("tell /os accept {id}"));
            }
            Some(why) => {
                acts.log(format!("declines {id}: {kind} from {from}: {why}"));
                acts.say(format!("tell /os decline {id}"));
                acts.say(format!("tell {from} Sorry: {why}."));
            }
        }
    }

    fn ended(&mut self, id: &str, result: &str, acts: &mut Acts) {
        let belongs = |game: &str| game == id || game.starts_with(&format!("{id}."));
        self.todo.retain(|turn| !belongs(&turn.id));
        self.done.retain(|(game, _)| !belongs(game));
        if self.current.as_ref().is_some_and(|turn| belongs(&turn.id)) {
            self.searches.abandon(acts);
            self.current = None;
        }
        let n_matches = self.matches.len();
        self.matches.retain(|known| known != id);
        if self.matches.len() < n_matches {
            acts.log(format!("match {id} ends: {result}"));
            self.n_finished += 1;
            if self.matches.is_empty() {
                self.be_free(acts);
            }
        }
        self.go_on(acts);
    }

    fn stands(&mut self, stand: Stand, acts: &mut Acts) {
        let Stand { id, position, players } = stand;
        let me = players.into_iter().find(|(name, ..)| *name == self.settings.user);
        let Some((_, color, clock)) = me else { return };
        self.todo.retain(|turn| turn.id != id);
        if self.current.as_ref().is_some_and(|turn| turn.id == id && Ok(turn.position) != position)
        {
            self.searches.abandon(acts);
            self.current = None;
        }
        match position {
            Ok(position) => {
                // After a reconnection games go on without being announced.
                self.join(match_of(&id));
                let is_thinking = self.current.as_ref().is_some_and(|turn| turn.id == id);
                let is_done = self.done.contains(&(id.clone(), position));
                if is_our_turn(position, color) && !is_thinking && !is_done {
                    self.todo.push_back(Turn { id, position, clock });
                }
            }
            Err(why) => acts.log(format!("cannot play {id}: {why}")),
        }
        self.go_on(acts);
    }

    /// Thinks about the next position, if none is thought about.
    fn go_on(&mut self, acts: &mut Acts) {
        while self.current.is_none()
            && let Some(turn) = self.todo.pop_front()
        {
            let moves = turn.position.moves();
            if moves.count() <= 1 {
                let mv = moves.first().map_or(Move::Pass, Move::Place);
                self.play(&turn, mv, "", acts);
                continue;
            }
            let mut limits = self.settings.level.map_or(Limits::NONE, Limits::from);
            let budget = turn.clock.map(|clock| {
                // Both games of a synchro match are played by one engine.
                let n_games = self.todo.len() as u32 + 1;
                let left = clock.time.saturating_sub(LAG).max(clock.time / 2) / n_games.min(2);
                clock.budget(left, turn.position)
            });
            match budget {
                Some(budget) => limits = pace::by_clock(limits, budget, self.settings.threads),
                None if self.settings.level.is_none() => limits = pace::LEVEL_DEFAULT.into(),
                None => {}
            }
            self.searches.begin(Task::think(turn.position, limits, 1).within(budget), acts);
            self.current = Some(turn);
        }
    }

    fn play(&mut self, turn: &Turn, mv: Move, rest: &str, acts: &mut Acts) {
        let word = mv.square().map_or("pa".to_owned(), |square| square.to_string());
        acts.say(format!("tell /os play {} {word}{rest}", turn.id));
        self.done.retain(|(id, _)| *id != turn.id);
        self.done.push((turn.id.clone(), turn.position));
    }

    /// A search has found something.
    pub(crate) fn found(&mut self, found: Found, acts: &mut Acts) {
        let Some(found) = self.searches.admit(found).filter(|found| found.is_last) else { return };
        let Some(turn) = self.current.take() else { return };
        if let What::Thought(answer) = &found.what
            && let Some(best) = answer.best()
        {
            let seconds = found.time.as_secs_f64();
            let rest = format!("/{:.2}/{seconds:.2}", best.value.discs);
            self.play(&turn, best.mv, &rest, acts);
        }
        self.go_on(acts);
    }

    /// So late it is.
    pub(crate) fn tick(&mut self, now: Duration, acts: &mut Acts) {
        if self.phase == Phase::Inside && now >= self.alive_at + KEEP_ALIVE {
            self.alive_at = now;
            acts.say("tell /os continue");
        }
    }

    /// Somebody at the terminal has said something: it is passed on.
    pub(crate) fn typed(&mut self, line: &str, acts: &mut Acts) {
        match line.trim() {
            "" => {}
            "quit" => self.leave(acts),
            line if self.phase == Phase::Inside => acts.say(line),
            _ => acts.log("not connected yet"),
        }
    }

    /// Leaves: at once, or when the match that is played has ended.
    pub(crate) fn leave(&mut self, acts: &mut Acts) {
        self.leaves = true;
        if self.matches.is_empty() {
            if self.phase == Phase::Inside {
                acts.say("quit");
            }
            acts.push(Act::Quit);
        } else {
            acts.log("leaves when the match has ended");
        }
    }
}

/// The match a game belongs to: `.5` of `.5` and of `.5.1`.
fn match_of(id: &str) -> &str {
    id.match_indices('.').nth(1).map_or(id, |(dot, _)| &id[..dot])
}

fn is_our_turn(position: Position, color: Color) -> bool {
    position.turn() == color && !position.is_over()
}
