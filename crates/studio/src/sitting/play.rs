//! Games: who plays, whose turn it is, clocks, results.

use std::time::Duration;

use obverse_board::{Color, Counting, Game, Move, Position, Size};

use super::load::unreadable;
use super::{Order, Refusal, Report, Sitting, square};
use crate::clock::Clock;
use crate::seat::Seat;
use crate::tree::{NodeId, Tree};
use crate::view;
use crate::wire::{
    ClockSetting, ClocksWire, CountingWire, EndedBy, ErrorCode, Event, GameStatus, ResultWire,
    StartWire,
};
use crate::work::{Choose, Job, JobId, News};

/// How long a move stays on the board at least when two programs play, so that it can be seen.
const WATCH: Duration = Duration::from_millis(600);

/// The longest clock: more is a slip of the keyboard.
const CLOCK_MAX: Duration = Duration::from_hours(24);
/// The shortest: less cannot be played.
const CLOCK_MIN: Duration = Duration::from_secs(1);

/// The game at the board.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) status: GameStatus,
    /// Black and White.
    pub(super) seats: [Seat; 2],
    pub(super) names: [Option<String>; 2],
    /// The node the game has reached.
    pub(super) tip: NodeId,
    /// The node it was begun at.
    pub(super) begun_at: NodeId,
    pub(super) counting: Counting,
    pub(super) clocks: [Option<Timer>; 2],
    /// Whose clock runs, and since when.
    pub(super) running: Option<(Color, Duration)>,
    /// How it ended, if not on the board.
    pub(super) ended: Option<(EndedBy, Color)>,
    /// What a loaded game says of itself.
    pub(super) header: Vec<(String, String)>,
    /// The job that chooses a program's move.
    pub(super) choosing: Option<JobId>,
    /// When the last move was made.
    pub(super) moved: Option<Duration>,
}

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Timer {
    pub(super) clock: Clock,
    pub(super) left: Duration,
}

/// A game that is about to begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    seats: [Seat; 2],
    clocks: [Option<Timer>; 2],
    counting: Counting,
    /// The job that deals its opening.
    job: JobId,
}

impl Pending {
    /// Refuses players that would think for too long.
    fn check(&self, size: Size) -> Result<(), Refusal> {
        let Some(slow) = self.seats.into_iter().find(|seat| seat.is_too_slow(size)) else {
            return Ok(());
        };
        let text = format!("{slow} would think for too long on {size}, expected a smaller depth");
        Err(Refusal::new(ErrorCode::PlayerTooSlow, text).found(&slow))
    }
}

impl Table {
    /// No game: anybody moves for both sides.
    pub(super) fn free(counting: Counting) -> Table {
        Table {
            status: GameStatus::Free,
            seats: [Seat::Human; 2],
            names: [None, None],
            tip: Tree::ROOT,
            begun_at: Tree::ROOT,
            counting,
            clocks: [None; 2],
            running: None,
            ended: None,
            header: Vec::new(),
            choosing: None,
            moved: None,
        }
    }

    /// Until when the last move is to be looked at.
    pub(super) fn watched_until(&self) -> Option<Duration> {
        let is_watched = self.status == GameStatus::Going
            && self.choosing.is_none()
            && self.clocks == [None; 2]
            && !self.seats.iter().any(|seat| seat.is_human());
        self.moved.filter(|_| is_watched).map(|moved| moved + WATCH)
    }

    pub(super) fn seat(&self, color: Color) -> Seat {
        self.seats[color as usize]
    }

    pub(super) fn name(&self, color: Color) -> Option<String> {
        self.names[color as usize].clone()
    }
}

impl Sitting {
    pub(super) fn new_game(
        &mut self,
        size: u8,
        start: StartWire,
        players: [&str; 2],
        clocks: [Option<ClockSetting>; 2],
        counting: Option<CountingWire>,
    ) -> Result<(), Refusal> {
        let size = Size::from_side(size.into()).ok_or_else(|| {
            let text = format!("found {size}, expected 4, 6 or 8");
            Refusal::new(ErrorCode::BadSize, text).found(&size).expected(&"4, 6, 8")
        })?;
        let mut seats = [Seat::Human; 2];
        for (seat, name) in seats.iter_mut().zip(players) {
            *seat = name.parse().map_err(|text: String| {
                let found: String = name.chars().take(80).collect();
                Refusal::new(ErrorCode::BadPlayer, text).found(&found)
            })?;
        }
        let mut timers = [None; 2];
        for (timer, setting) in timers.iter_mut().zip(clocks) {
            *timer = setting.map(read_clock).transpose()?;
        }
        let counting = counting.map_or(Counting::WinnerTakesEmpties, Counting::from);
        let pending = Pending { seats, clocks: timers, counting, job: 0 };
        let game = match start {
            StartWire::Standard => Game::new(Position::start(size)),
            StartWire::Mirrored => Game::new(Position::mirrored(size)),
            StartWire::Board => Game::new(self.position()),
            StartWire::Text { text } => Game::parse(&text).map_err(|error| {
                let place = Some((error.line(), error.column()));
                unreadable(&text, place, error.message())
            })?,
            StartWire::Xot if size != Size::Eight => {
                let text = format!("found {size}, expected 8x8 for an XOT opening");
                return Err(Refusal::new(ErrorCode::XotNeedsEight, text).found(&size));
            }
            StartWire::Xot => {
                pending.check(size)?;
                self.stop_dealing();
                let seed = self.rng.next_u64();
                let job = self.order(Job::Deal { seed });
                self.pending = Some(Pending { job, ..pending });
                return Ok(());
            }
        };
        pending.check(game.start().size())?;
        self.begin(&game, pending);
        Ok(())
    }

    pub(super) fn is_dealing(&self, job: JobId) -> bool {
        self.pending.is_some_and(|pending| pending.job == job)
    }

    pub(super) fn hear_dealing(&mut self, report: Report) {
        if let (Some(News::Dealt(game)), Some(pending)) = (report.news, self.pending) {
            self.begin(&game, pending);
        }
    }

    pub(super) fn stop_dealing(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.out.orders.push(Order::Stop(pending.job));
        }
    }

    fn begin(&mut self, game: &Game, pending: Pending) {
        let Pending { seats, clocks, counting, .. } = pending;
        self.put_away();
        let (tree, last) = Tree::from_game(game);
        self.tree = tree;
        let tip = self.tree.settle(last).unwrap_or(last);
        if counting != self.table.counting {
            self.forget_values();
        }
        self.table = Table {
            status: GameStatus::Going,
            seats,
            tip,
            begun_at: tip,
            clocks,
            ..Table::free(counting)
        };
        self.at = tip;
        self.announce_board(last);
        self.see_whether_over();
        self.start_clock();
    }

    /// Another game will be on the board: forgets what belongs to this one.
    pub(super) fn put_away(&mut self) {
        self.stop_dealing();
        self.stop_choosing();
        self.stop_hint();
        self.forget_review();
    }

    /// Places a disc for a person.
    pub(super) fn play(&mut self, text: &str, node: Option<NodeId>) -> Result<(), Refusal> {
        if node.is_some_and(|node| node != self.at) {
            let text = "the board has changed meanwhile";
            return Err(Refusal::new(ErrorCode::Outdated, text));
        }
        let square = square(text)?;
        let turn = self.position().turn();
        let is_game = self.table.status == GameStatus::Going && self.at == self.table.tip;
        if is_game && !self.table.seat(turn).is_human() && !self.position().is_over() {
            let text = format!("it is the turn of {}", self.table.seat(turn));
            return Err(Refusal::new(ErrorCode::ProgramsTurn, text));
        }
        self.make(Move::Place(square), is_game)
    }

    /// Makes a move on the board, in the game or as a variation.
    fn make(&mut self, mv: Move, is_game: bool) -> Result<(), Refusal> {
        let node = self.tree.add(self.at, mv)?;
        let settled = self.tree.settle(node)?;
        if is_game {
            self.press_clock();
            self.table.tip = settled;
            self.table.moved = Some(self.now);
            self.tree.promote(settled);
        }
        self.tree_changed();
        self.step_to(node);
        if settled != node {
            self.step_to(settled);
        }
        if is_game {
            self.see_whether_over();
            self.start_clock();
        }
        Ok(())
    }

    /// Ends the game if nobody can move.
    fn see_whether_over(&mut self) {
        let is_over = self.tree.node(self.table.tip).position.is_over();
        if self.table.status == GameStatus::Going && is_over {
            self.end(None);
        }
    }

    fn end(&mut self, ended: Option<(EndedBy, Color)>) {
        self.stop_clocks();
        self.stop_choosing();
        self.table.ended = ended;
        self.table.status = GameStatus::Over;
        self.changes.events.extend(self.result().map(|result| Event::Over { result }));
        self.changes.saved = true;
    }

    /// How the game ended, if it has.
    pub(super) fn result(&self) -> Option<ResultWire> {
        if self.table.status != GameStatus::Over {
            return None;
        }
        let position = self.tree.node(self.table.tip).position;
        let score = position.score_for(Color::Black, self.table.counting).0;
        let (by, winner) = match self.table.ended {
            Some((by, winner)) => (by, Some(winner)),
            None if score == 0 => (EndedBy::Discs, None),
            None => (EndedBy::Discs, Some(if score > 0 { Color::Black } else { Color::White })),
        };
        Some(ResultWire {
            by,
            winner: winner.map(Into::into),
            discs: view::discs(position),
            score: view::score(position),
        })
    }

    fn is_played(&self) -> Result<(), Refusal> {
        match self.table.status {
            GameStatus::Going | GameStatus::Paused => Ok(()),
            _ => Err(Refusal::new(ErrorCode::NoGame, "there is no game going on")),
        }
    }

    /// Where taking back leads: to the person's turn before the last.
    fn take_back_to(&self) -> Option<NodeId> {
        let from = match self.table.status {
            GameStatus::Free => self.at,
            _ => self.table.tip,
        };
        let mut id = from;
        loop {
            let node = self.tree.node(id);
            let parent = node.parent?;
            let before = self.tree.node(parent).position;
            if node.mv != Some(Move::Pass) && self.table.seat(before.turn()).is_human() {
                return Some(parent);
            }
            id = parent;
        }
    }

    pub(super) fn can_take_back(&self) -> bool {
        self.table.status != GameStatus::Paused && self.take_back_to().is_some()
    }

    pub(super) fn take_back(&mut self) -> Result<(), Refusal> {
        let to = self.take_back_to().filter(|_| self.can_take_back()).ok_or_else(|| {
            Refusal::new(ErrorCode::NothingToTakeBack, "there is no move to take back")
        })?;
        self.stop_choosing();
        if self.table.status == GameStatus::Free {
            let from = self.at;
            self.show(to);
            // Nothing else hangs on it: then it was a slip, not a variation.
            if self.tree.node(from).children.is_empty() {
                let first = self
                    .tree
                    .path(from)
                    .into_iter()
                    .find(|&id| self.tree.node(id).parent == Some(to));
                if let Some(first) = first.filter(|&first| self.is_single_line(first)) {
                    self.remove(first);
                }
            }
        } else {
            self.stop_clocks();
            self.table.tip = to;
            self.table.status = GameStatus::Going;
            self.table.ended = None;
            self.show(to);
            self.start_clock();
        }
        self.tree_changed();
        Ok(())
    }

    /// Whether no variation branches off after `id`.
    fn is_single_line(&self, id: NodeId) -> bool {
        let mut id = id;
        loop {
            match self.tree.node(id).children[..] {
                [] => return true,
                [only] => id = only,
                _ => return false,
            }
        }
    }

    pub(super) fn resign(&mut self, side: Option<Color>) -> Result<(), Refusal> {
        self.is_played()?;
        let turn = self.tree.node(self.table.tip).position.turn();
        let humans = [Color::Black, Color::White].map(|color| self.table.seat(color).is_human());
        let side = side.or(match humans {
            [true, true] => Some(turn),
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            [false, false] => None,
        });
        let side = side
            .filter(|&side| self.table.seat(side).is_human())
            .ok_or_else(|| Refusal::new(ErrorCode::NoGame, "no person plays on this side"))?;
        self.end(Some((EndedBy::Resignation, !side)));
        Ok(())
    }

    pub(super) fn move_now(&mut self) -> Result<(), Refusal> {
        let job = self.table.choosing.ok_or_else(|| {
            Refusal::new(ErrorCode::NoGame, "no program is thinking about its move")
        })?;
        self.out.orders.push(Order::Hurry(job));
        Ok(())
    }

    pub(super) fn pause(&mut self) -> Result<(), Refusal> {
        self.is_played()?;
        self.stop_clocks();
        self.stop_choosing();
        self.table.status = GameStatus::Paused;
        self.changes.state = true;
        self.changes.saved = true;
        Ok(())
    }

    pub(super) fn resume(&mut self) -> Result<(), Refusal> {
        if self.table.status != GameStatus::Paused {
            return Err(Refusal::new(ErrorCode::NoGame, "there is no game that waits"));
        }
        self.table.status = GameStatus::Going;
        self.start_clock();
        self.changes.state = true;
        self.changes.saved = true;
        Ok(())
    }

    pub(super) fn rematch(&mut self, swap: bool) -> Result<(), Refusal> {
        if self.table.status == GameStatus::Free {
            return Err(Refusal::new(ErrorCode::NoGame, "there was no game"));
        }
        let game = self.tree.game(self.table.begun_at);
        let (mut seats, mut clocks) = (self.table.seats, self.table.clocks);
        if swap {
            seats.reverse();
            clocks.reverse();
        }
        let clocks =
            clocks.map(|timer| timer.map(|Timer { clock, .. }| Timer { clock, left: clock.time }));
        let counting = self.table.counting;
        self.begin(&game, Pending { seats, clocks, counting, job: 0 });
        Ok(())
    }

    pub(super) fn free(&mut self) {
        self.stop_clocks();
        self.stop_choosing();
        let Table { counting, ref names, ref header, .. } = self.table;
        self.table = Table {
            names: names.clone(),
            header: header.clone(),
            tip: self.table.tip,
            ..Table::free(counting)
        };
        self.changes.state = true;
        self.changes.saved = true;
    }

    /// Lets the program move whose turn it is.
    pub(super) fn consider_choosing(&mut self) {
        let table = &self.table;
        if !self.is_attended || table.status != GameStatus::Going || table.choosing.is_some() {
            return;
        }
        let position = self.tree.node(table.tip).position;
        let seat = table.seat(position.turn());
        if seat.is_human() || table.watched_until().is_some_and(|until| self.now < until) {
            return;
        }
        let clock = self.left(position.turn()).map(|timer| (timer.clock, timer.left));
        let seed = self.rng.next_u64();
        let counting = self.table.counting;
        let job = self.order(Job::Choose(Choose { seat, position, counting, clock, seed }));
        self.table.choosing = Some(job);
        self.changes.state = true;
    }

    pub(super) fn stop_choosing(&mut self) {
        if let Some(job) = self.table.choosing.take() {
            self.out.orders.push(Order::Stop(job));
        }
    }

    pub(super) fn hear_choice(&mut self, report: &Report) {
        if report.is_done && report.news.is_none() {
            // It failed. Whoever wants to try again can let the game go on.
            self.table.choosing = None;
            self.stop_clocks();
            self.table.status = GameStatus::Paused;
            self.changes.state = true;
        }
        if let Some(News::Chosen { mv, .. }) = report.news {
            self.table.choosing = None;
            let was_watching = self.at == self.table.tip;
            let board = std::mem::replace(&mut self.at, self.table.tip);
            // It chose from the legal moves; if the tree is full the game cannot go on.
            if self.make(mv, true).is_err() {
                self.table.status = GameStatus::Paused;
                self.changes.state = true;
            }
            if !was_watching {
                self.at = board;
                self.changes.events.retain(|event| matches!(event, Event::Over { .. }));
                self.changes.state = true;
            }
        }
    }

    // Clocks.

    /// What a side has left now.
    fn left(&self, color: Color) -> Option<Timer> {
        let timer = self.table.clocks[color as usize]?;
        let used = match self.table.running {
            Some((running, since)) if running == color => self.now.saturating_sub(since),
            _ => Duration::ZERO,
        };
        Some(Timer { left: timer.left.saturating_sub(used), ..timer })
    }

    /// Both clocks as they are now.
    pub(super) fn timers(&self) -> [Option<Timer>; 2] {
        [Color::Black, Color::White].map(|color| self.left(color))
    }

    pub(super) fn clocks(&self) -> Option<ClocksWire> {
        let left = |color| self.left(color).map(|timer| timer.left.as_millis() as u64);
        let (black_ms, white_ms) = (left(Color::Black), left(Color::White));
        (black_ms.is_some() || white_ms.is_some()).then(|| ClocksWire {
            black_ms,
            white_ms,
            running: self.table.running.map(|(color, _)| color.into()),
        })
    }

    /// Lets the clock of the side to move run, if it has one.
    fn start_clock(&mut self) {
        let turn = self.tree.node(self.table.tip).position.turn();
        let runs = self.table.status == GameStatus::Going && self.is_attended;
        let has_clock = self.table.clocks[turn as usize].is_some();
        self.table.running = (runs && has_clock).then_some((turn, self.now));
    }

    pub(super) fn resume_clocks(&mut self) {
        self.start_clock();
    }

    pub(super) fn stop_clocks(&mut self) {
        if let Some((color, _)) = self.table.running {
            self.table.clocks[color as usize] = self.left(color);
            self.table.running = None;
        }
    }

    /// A move was made: the side's clock stops and is given its increment.
    fn press_clock(&mut self) {
        let Some((color, _)) = self.table.running else { return };
        self.stop_clocks();
        if let Some(timer) = &mut self.table.clocks[color as usize] {
            timer.left += timer.clock.increment;
        }
    }

    pub(super) fn flag_falls_at(&self) -> Option<Duration> {
        let (color, since) = self.table.running?;
        Some(since + self.table.clocks[color as usize]?.left)
    }

    pub(super) fn check_flag(&mut self) {
        let has_fallen = self.flag_falls_at().is_some_and(|time| time <= self.now);
        if let Some((color, _)) = self.table.running.filter(|_| has_fallen) {
            self.end(Some((EndedBy::Time, !color)));
        }
    }
}

fn read_clock(setting: ClockSetting) -> Result<Timer, Refusal> {
    let time = Duration::from_millis(setting.time_ms);
    let increment = Duration::from_millis(setting.increment_ms);
    if (CLOCK_MIN..=CLOCK_MAX).contains(&time) && increment <= CLOCK_MAX {
        return Ok(Timer { clock: Clock { time, increment }, left: time });
    }
    let found = format!("{}+{}", setting.time_ms, setting.increment_ms);
    Err(Refusal::new(ErrorCode::BadClock, "expected a clock from one second to one day")
        .found(&found))
}
