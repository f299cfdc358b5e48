//! One person's sitting at the board.
//!
//! Messages of the page, news of jobs and the passing of time go in; messages for the page and orders
//! for whoever has an engine come out. There is nothing else: no socket, no thread, no clock.

mod analysis;
mod learn;
mod load;
mod play;
mod review;
mod save;
mod share;
mod walk;

use std::fmt;
use std::time::Duration;

use obverse_board::notation::wthor::Names;
use obverse_board::{Color, Counting, Position, Size, Square};
use obverse_engine::classic::Rng;

use crate::opening::Openings;
use crate::search_tree;
use crate::seat::Seat;
use crate::tree::{AddError, NodeId, Tree};
use crate::view;
use crate::wire::{
    Can, ErrorCode, Event, FromPage, GameStatus, GameWire, LastMove, LimitsWire, OverlayKind,
    Place, PlayerWire, Resumed, State, ToPage, TreeNode, VERSION, Welcome,
};
use crate::work::{Job, JobId, News};

use self::analysis::{Analysis, Hinting, LINES_MAX};
use self::learn::Puzzling;
use self::load::{IMPORT_BYTES_MAX, Library};
use self::play::{Pending, Table};
use self::review::{Mistake, Reviewing};

/// The longest message a page may send.
pub const MESSAGE_BYTES_MAX: usize = 4 << 20;

/// How a sitting is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Where chance comes from.
    pub seed: u64,
    /// How many threads the engine has that works for it.
    pub threads: u32,
}

/// What comes out of a sitting.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Output {
    /// For the page, in order.
    pub messages: Vec<ToPage>,
    /// For whoever has an engine, in order.
    pub orders: Vec<Order>,
    /// When to call [`Sitting::tick`] at the latest.
    pub wake: Option<Duration>,
}

/// An order for whoever has an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Begin a job.
    Start(JobId, Job),
    /// Forget it.
    Stop(JobId),
    /// Make it answer with what it has.
    Hurry(JobId),
}

/// What is told of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Which.
    pub job: JobId,
    /// What it has found, if it has.
    pub news: Option<News>,
    /// Whether that was all.
    pub is_done: bool,
    /// Positions visited so far.
    pub nodes: u64,
    /// How long an engine has worked on it.
    pub worked: Duration,
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is wrong.
    pub code: ErrorCode,
    /// What was found.
    pub found: Option<String>,
    /// What would be accepted.
    pub expected: Option<String>,
    /// Where in the text.
    pub at: Option<Place>,
    /// All of it in English.
    pub text: String,
}

/// One person's sitting at the board.
#[derive(Debug)]
pub struct Sitting {
    tree: Tree,
    /// The node on the board.
    at: NodeId,
    table: Table,
    openings: Openings,
    analysis: Analysis,
    hinting: Option<Hinting>,
    reviewing: Option<Reviewing>,
    /// Mistakes of the person's own, waiting to be puzzles.
    mistakes: Vec<Mistake>,
    puzzling: Option<Puzzling>,
    overlay: OverlayKind,
    /// The node the overlay was last told for.
    overlaid: Option<NodeId>,
    /// The games of the last file.
    library: Option<Library>,
    /// Names for the games of WTHOR.
    names: Names,
    /// A game that waits for its opening.
    pending: Option<Pending>,
    n_threads: u32,
    rng: Rng,
    now: Duration,
    /// When to save what has changed.
    save_due: Option<Duration>,
    is_attended: bool,
    next_job: JobId,
    out: Output,
    changes: Changes,
}

/// What has to be told at the end of a step.
#[derive(Debug, Default)]
struct Changes {
    events: Vec<Event>,
    state: bool,
    tree: bool,
    review: bool,
    puzzle: bool,
    saved: bool,
}

impl Sitting {
    /// A board to play on.
    pub fn new(setup: Setup) -> Sitting {
        Sitting {
            tree: Tree::new(Position::start(Size::Eight)),
            at: Tree::ROOT,
            table: Table::free(Counting::WinnerTakesEmpties),
            openings: Openings::default(),
            analysis: Analysis::default(),
            hinting: None,
            reviewing: None,
            mistakes: Vec::new(),
            puzzling: None,
            overlay: OverlayKind::None,
            overlaid: None,
            library: None,
            names: Names::default(),
            pending: None,
            n_threads: setup.threads,
            rng: Rng::new(setup.seed),
            now: Duration::ZERO,
            save_due: None,
            is_attended: false,
            next_job: 1,
            out: Output::default(),
            changes: Changes::default(),
        }
    }

    /// A page has come, for the first time or again: tells it all there is.
    pub fn attend(&mut self, now: Duration, name: &str, resumed: Resumed) -> Output {
        self.now = now;
        self.is_attended = true;
        self.out.messages.push(ToPage::Welcome(Box::new(Welcome {
            version: VERSION,
            sitting: name.to_owned(),
            resumed,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            players: Seat::offered(),
            starts: Size::ALL.map(|size| view::view(Position::start(size))).to_vec(),
            forms: share::forms(),
            limits: LimitsWire {
                message_bytes: MESSAGE_BYTES_MAX as u32,
                import_bytes: IMPORT_BYTES_MAX as u32,
                lines: LINES_MAX,
                search_tree_nodes: search_tree::NODES_MAX as u32,
            },
        })));
        self.changes.events.push(Event::Jumped);
        self.changes.tree = true;
        self.changes.state = true;
        self.resume_clocks();
        self.changes.review = self.reviewing.is_some();
        self.changes.puzzle = self.has_puzzle();
        self.overlaid = None;
        self.finish()
    }

    /// The page is gone: nothing is searched, no clock runs until it comes back.
    pub fn leave(&mut self, now: Duration) -> Output {
        self.now = now;
        self.is_attended = false;
        self.stop_clocks();
        self.stop_choosing();
        self.suspend_analysis();
        self.stop_hint();
        self.suspend_review();
        self.stop_puzzle();
        self.stop_dealing();
        self.changes = Changes::default();
        self.out.messages.clear();
        std::mem::take(&mut self.out)
    }

    /// Whether there is a page.
    pub fn is_attended(&self) -> bool {
        self.is_attended
    }

    /// The page has sent a message.
    pub fn receive(&mut self, now: Duration, text: &str) -> Output {
        self.now = now;
        match read(text) {
            Ok((id, message)) => {
                if let Err(refusal) = self.obey(id, message) {
                    self.out.messages.push(refusal.message(id));
                }
            }
            Err((id, refusal)) => self.out.messages.push(refusal.message(id)),
        }
        self.finish()
    }

    /// Something is told of a job.
    pub fn hear(&mut self, now: Duration, report: Report) -> Output {
        self.now = now;
        if self.table.choosing == Some(report.job) {
            self.hear_choice(&report);
        } else if self.is_analysis(report.job) {
            self.hear_analysis(report);
        } else if self.is_hint(report.job) {
            self.hear_hint(report);
        } else if self.is_review(report.job) {
            self.hear_review(report);
        } else if self.is_puzzle(report.job) {
            self.hear_puzzle(report);
        } else if self.is_dealing(report.job) {
            self.hear_dealing(report);
        }
        self.finish()
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Duration) -> Output {
        self.now = now;
        self.check_flag();
        self.check_save();
        self.finish()
    }

    fn obey(&mut self, id: Option<u32>, message: FromPage) -> Result<(), Refusal> {
        match message {
            FromPage::Hello { .. } => {
                let text = "found a second hello, expected another message";
                Err(Refusal::new(ErrorCode::NoHello, text))
            }
            FromPage::NewGame { size, start, black, white, black_clock, white_clock, counting } => {
                self.new_game(size, start, [&black, &white], [black_clock, white_clock], counting)
            }
            FromPage::Play { square, node } => self.play(&square, node),
            FromPage::TakeBack {} => self.take_back(),
            FromPage::Resign { side } => self.resign(side.map(Color::from)),
            FromPage::MoveNow {} => self.move_now(),
            FromPage::Pause {} => self.pause(),
            FromPage::Resume {} => self.resume(),
            FromPage::Rematch { swap } => self.rematch(swap),
            FromPage::Free {} => {
                self.free();
                Ok(())
            }
            FromPage::Review { effort } => self.review(effort),
            FromPage::StopReview {} => {
                self.stop_review();
                Ok(())
            }
            FromPage::Hint {} => self.hint(),
            FromPage::Analyze { on, lines, limit } => self.analyze(on, lines, limit),
            FromPage::Goto { node } => self.goto(node),
            FromPage::Walk { to } => {
                self.walk(to);
                Ok(())
            }
            FromPage::Enter { node, moves } => self.enter(node, &moves),
            FromPage::Preview { node, puzzle, moves } => self.preview(id, node, puzzle, &moves),
            FromPage::Promote { node } => self.promote(node),
            FromPage::Delete { node } => self.delete(node),
            FromPage::Ping {} => {
                self.out.messages.push(ToPage::Pong { to: id });
                Ok(())
            }
            FromPage::Import { text, data, name } => self.import(text, data.as_deref(), name),
            FromPage::ListGames { offset } => self.list_games(offset),
            FromPage::OpenGame { index } => self.open_game(index),
            FromPage::OpenLink { fragment } => self.open_link(&fragment),
            FromPage::SetPosition { size, squares, turn } => {
                self.set_position(size, &squares, turn)
            }
            FromPage::CheckPosition { size, squares, turn } => {
                self.check_position(id, size, &squares, turn)
            }
            FromPage::Export { form, node } => self.export(id, &form, node),
            FromPage::Share { game } => {
                self.share(id, game);
                Ok(())
            }
            FromPage::Overlay { kind } => {
                self.choose_overlay(kind);
                Ok(())
            }
            FromPage::SearchTree { depth, eval, pass } => self.search_tree(id, depth, eval, pass),
            FromPage::Puzzle { source } => self.puzzle(source),
            FromPage::PuzzleTry { square } => self.puzzle_try(&square),
            FromPage::PuzzleShow {} => self.puzzle_show(),
            FromPage::PuzzleEnd {} => {
                self.end_puzzle();
                Ok(())
            }
        }
    }

    /// Tells what has changed.
    fn finish(&mut self) -> Output {
        self.consider_choosing();
        self.continue_review();
        self.continue_puzzle();
        let changes = std::mem::take(&mut self.changes);
        if changes.tree {
            let message = self.tree_message();
            self.out.messages.push(message);
        }
        if changes.state || !changes.events.is_empty() {
            let state = self.state(changes.events);
            self.out.messages.push(ToPage::State(Box::new(state)));
        }
        self.follow_board();
        self.follow_overlay();
        if changes.puzzle {
            let message = self.puzzle_message();
            self.out.messages.extend(message);
        }
        if changes.review {
            let message = self.review_message();
            self.out.messages.push(message);
        }
        if changes.saved {
            self.save_due = None;
            self.out.messages.push(ToPage::Saved { text: self.saved() });
        }
        let times = [self.flag_falls_at(), self.save_due, self.table.watched_until()];
        self.out.wake = times.into_iter().flatten().min();
        std::mem::take(&mut self.out)
    }

    fn order(&mut self, job: Job) -> JobId {
        let id = self.next_job;
        self.next_job += 1;
        self.out.orders.push(Order::Start(id, job));
        id
    }

    fn position(&self) -> Position {
        self.tree.node(self.at).position
    }

    fn state(&self, events: Vec<Event>) -> State {
        let position = self.position();
        let table = &self.table;
        let player = |color| PlayerWire {
            spec: table.seat(color).to_string(),
            key: table.seat(color).key(),
            name: table.name(color),
        };
        let is_at_tip = self.at == table.tip;
        let is_going = table.status == GameStatus::Going;
        let is_programs = |color| !table.seat(color).is_human();
        let programs_turn = is_going && is_at_tip && is_programs(position.turn());
        let has_moves = self.at != Tree::ROOT;
        State {
            node: self.at,
            position: view::view(position),
            last: self.last_move(),
            events,
            game: GameWire {
                status: table.status,
                tip: table.tip,
                players: crate::wire::BothSides {
                    black: player(Color::Black),
                    white: player(Color::White),
                },
                thinking: table.choosing.is_some(),
                clocks: self.clocks(),
                result: self.result(),
                counting: table.counting.into(),
                header: table.header.clone(),
            },
            opening: self.openings.on_the_way(&self.tree, self.at),
            can: Can {
                play: !position.is_over() && !programs_turn,
                take_back: self.can_take_back(),
                resign: is_going && table.seats.iter().any(|seat| seat.is_human()),
                move_now: table.choosing.is_some(),
                pause: is_going && !table.seats.iter().any(|seat| seat.is_human()),
                resume: table.status == GameStatus::Paused,
                rematch: table.status != GameStatus::Free,
                hint: !position.is_over() && !programs_turn,
                review: self.tree.main_line().len() > 1,
                back: has_moves,
                forward: self.tree.next(self.at).is_some(),
            },
        }
    }

    /// The last disc placed, even if a pass came after it.
    fn last_move(&self) -> Option<LastMove> {
        let mut id = self.at;
        loop {
            let node = self.tree.node(id);
            let parent = node.parent?;
            let before = self.tree.node(parent).position;
            if let Some(square) = node.mv?.square() {
                return Some(LastMove {
                    square: square.to_string(),
                    side: before.turn().into(),
                    flips: view::flips(before, square),
                });
            }
            id = parent;
        }
    }

    fn tree_message(&self) -> ToPage {
        let main = self.tree.main_line();
        let is_main: std::collections::HashSet<NodeId> = main.iter().copied().collect();
        let nodes = self.tree.nodes().map(|(id, node)| TreeNode {
            id,
            parent: node.parent,
            mv: node.mv.map(|mv| mv.to_string()),
            side: node.parent.map(|parent| self.tree.node(parent).position.turn().into()),
            number: node.number,
            children: node.children.clone(),
            main: is_main.contains(&id),
            opening: self.openings.at(&self.tree, id),
            comment: node.comment.clone(),
        });
        ToPage::Tree { nodes: nodes.collect(), main }
    }
}

/// Reads a message and the number it may have.
///
/// # Errors
/// If it is none: the number, if there is one, and what is wrong.
pub fn read(text: &str) -> Result<(Option<u32>, FromPage), (Option<u32>, Refusal)> {
    let bad = |text: String| Refusal::new(ErrorCode::BadMessage, text);
    let mut value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| (None, bad(format!("not JSON: {error}"))))?;
    let id = value.as_object_mut().and_then(|object| object.remove("id"));
    let id = id.and_then(|id| id.as_u64()).and_then(|id| u32::try_from(id).ok());
    let message = serde_json::from_value(value).map_err(|error| (id, bad(error.to_string())))?;
    Ok((id, message))
}

fn square(text: &str) -> Result<Square, Refusal> {
    text.parse().map_err(|_| {
        let found: String = text.chars().take(20).collect();
        let text = format!("found {found:?}, expected a square such as f5");
        Refusal::new(ErrorCode::BadSquare, text).found(&found).expected(&"f5")
    })
}

impl Refusal {
    /// Something was said before hello.
    pub fn no_hello() -> Refusal {
        Refusal::new(ErrorCode::NoHello, "found another message, expected hello first")
    }

    fn new(code: ErrorCode, text: impl Into<String>) -> Refusal {
        Refusal { code, found: None, expected: None, at: None, text: text.into() }
    }

    fn found(self, found: &dyn fmt::Display) -> Refusal {
        Refusal { found: Some(found.to_string()), ..self }
    }

    fn expected(self, expected: &dyn fmt::Display) -> Refusal {
        Refusal { expected: Some(expected.to_string()), ..self }
    }

    /// As the page is told.
    pub fn message(self, to: Option<u32>) -> ToPage {
        let Refusal { code, found, expected, at, text } = self;
        ToPage::Error { to, code, found, expected, at, text }
    }
}

impl From<AddError> for Refusal {
    fn from(error: AddError) -> Refusal {
        match error {
            AddError::Full => {
                Refusal::new(ErrorCode::TreeFull, "there are too many moves, delete some")
            }
            AddError::Illegal(illegal) => {
                Refusal::new(illegal.reason.into(), illegal.to_string()).found(&illegal.mv)
            }
        }
    }
}

impl From<obverse_board::Reason> for ErrorCode {
    fn from(reason: obverse_board::Reason) -> ErrorCode {
        use obverse_board::Reason;
        match reason {
            Reason::OffBoard(_) => ErrorCode::OffBoard,
            Reason::Occupied(_) => ErrorCode::Occupied,
            Reason::FlipsNothing => ErrorCode::FlipsNothing,
            Reason::NotYourTurn => ErrorCode::NotYourTurn,
            Reason::MustPass => ErrorCode::MustPass,
            Reason::CanMove(_) => ErrorCode::CanMove,
            Reason::GameOver => ErrorCode::GameOver,
        }
    }
}
