//! What the page and the sitting say to each other: version 1, documented in
//! `docs/studio-protocol.md`.
//!
//! Messages are JSON objects that name themselves in `type`. Within a version fields and messages may
//! be added; none changes its meaning or goes away. A page must ignore what it does not know; the
//! sitting refuses it, because a misspelt wish should not be granted by halves.
//!
//! Moves are `f5` or `pass`, colors `black` and `white`, squares their names. A `number`, a `square` or
//! a `value` is all the page needs to draw: there are no rules on the other side.

use serde::{Deserialize, Serialize};

mod learn;
mod page;
mod study;

pub use learn::{
    BoundWire, HeuristicWire, OverlayKind, OverlaySquare, OverlaySums, Owner, PuzzleQuestion,
    PuzzleSource, PuzzleStatus, SearchTreeNode, SearchTreeStep, SearchTreeWire, StepKind,
};
pub use page::{
    ClockSetting, EffortWire, EvalWire, FromPage, LimitWire, PassWire, StartWire, WalkTo,
};
pub use study::{
    AnalysisStatus, BestMove, ErrorCode, FaultWire, GameEntry, JudgedMove, LineWire, Place,
    ReviewStatus, SquareValue, TotalWire, TreeNode, ValueKind, ValueWire,
};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// X, who begins.
    Black,
    /// O.
    White,
}

/// How the empty squares of a finished game are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountingWire {
    /// For nobody.
    Discs,
    /// For the winner.
    WinnerTakesEmpties,
}

/// What a sitting says to its page.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ToPage {
    /// The answer to `hello`.
    Welcome(Box<Welcome>),
    /// The board, the game and what can be done.
    State(Box<State>),
    /// All moves with their variations.
    Tree {
        /// Every node, parents before their children.
        nodes: Vec<TreeNode>,
        /// The main line from the root.
        main: Vec<u32>,
    },
    /// What the engine knows about the position on the board.
    Analysis {
        /// The node it is about.
        node: u32,
        /// Whether it goes on.
        status: AnalysisStatus,
        /// Every legal move with its value, best first; empty until there is one.
        squares: Vec<SquareValue>,
        /// The best lines, best first, as many as were asked for.
        lines: Vec<LineWire>,
        /// The value of the position for Black.
        #[serde(skip_serializing_if = "Option::is_none")]
        black: Option<ValueWire>,
        /// Positions visited for this analysis.
        nodes: u64,
        /// For how long the engine has worked on it.
        time_ms: u64,
        /// Positions a second.
        speed: u64,
    },
    /// The whole judgement of the game's main line, as far as it is known.
    Review {
        /// Whether it goes on.
        status: ReviewStatus,
        /// How far each position was searched.
        effort: EffortWire,
        /// Moves judged.
        done: u32,
        /// Moves to judge.
        total: u32,
        /// The moves judged so far, in the order of the game.
        moves: Vec<JudgedMove>,
        /// Both players' moves, summed up.
        totals: BothSides<TotalWire>,
    },
    /// One more move judged; the game is judged from its end.
    Judged {
        /// Moves judged.
        done: u32,
        /// Moves to judge.
        total: u32,
        /// The move.
        #[serde(rename = "move")]
        judged: Box<JudgedMove>,
        /// Both players' moves so far, summed up.
        totals: BothSides<TotalWire>,
    },
    /// The answer to `hint`.
    Hint {
        /// The node it is about.
        node: u32,
        /// The best move found.
        #[serde(rename = "move")]
        mv: String,
        /// The discs it would flip.
        flips: Vec<String>,
        /// Its value for the side to move.
        value: ValueWire,
        /// The move and what is expected to follow.
        line: Vec<String>,
    },
    /// The answer to `preview`.
    Preview {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// The position after the moves.
        position: View,
        /// The last of the moves.
        #[serde(skip_serializing_if = "Option::is_none")]
        last: Option<String>,
    },
    /// The games of a text or file that has several; `open-game` takes one.
    Games {
        /// How many there are.
        total: u32,
        /// Where this part of the list begins.
        offset: u32,
        /// The games from there on.
        games: Vec<GameEntry>,
        /// What the file is called in the field, such as `wthor` or `ggf`.
        format: String,
        /// Games that could not be read, if any.
        unread: u32,
    },
    /// The answer to `export` and `share`.
    Exported {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// The form asked for; `link` for a link.
        form: String,
        /// The text.
        text: String,
        /// Its media type.
        media: String,
        /// A name for the file.
        file_name: String,
    },
    /// The answer to `check-position`.
    Checked {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// The position.
        position: View,
    },
    /// What the heuristic sees, for the position on the board.
    Overlay {
        /// The node it is about.
        node: u32,
        /// Which overlay; `none` clears it.
        kind: OverlayKind,
        /// Squares with a number.
        squares: Vec<OverlaySquare>,
        /// The numbers, summed up.
        sums: OverlaySums,
        /// The textbook heuristic for the side to move, in its parts.
        heuristic: HeuristicWire,
    },
    /// The answer to `search-tree`: the same search by both algorithms.
    SearchTree {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// The position at the root.
        position: View,
        /// How far was looked.
        depth: u8,
        /// The full search.
        minimax: SearchTreeWire,
        /// The search with cuts.
        alphabeta: SearchTreeWire,
    },
    /// The puzzle, whenever something about it changes.
    Puzzle {
        /// Counts the puzzles of the sitting.
        number: u32,
        /// Where it stands.
        status: PuzzleStatus,
        /// Where it is from.
        source: PuzzleSource,
        /// The position, if one has been found.
        #[serde(skip_serializing_if = "Option::is_none")]
        position: Option<View>,
        /// What is asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        question: Option<PuzzleQuestion>,
        /// Wrong tries so far, with what refutes them.
        tries: Vec<LineWire>,
        /// The solution with its line; only when solved or shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        solution: Option<LineWire>,
        /// How many mistakes of one's own are still waiting to be puzzles.
        own_left: u32,
    },
    /// The answer to `ping`.
    Pong {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
    },
    /// Keep this text and send it with `hello`: it is everything worth keeping of the sitting.
    Saved {
        /// Opaque to the page.
        text: String,
    },
    /// Something cannot be done; nothing has changed.
    Error {
        /// The `id` of the request.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// What is wrong, as a key for the table of texts.
        code: ErrorCode,
        /// What was found.
        #[serde(skip_serializing_if = "Option::is_none")]
        found: Option<String>,
        /// What would be accepted.
        #[serde(skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// Where in the text.
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<Place>,
        /// All of it in English, for a page that has no better words.
        text: String,
    },
    /// The last message before the server closes the connection.
    Bye {
        /// Why.
        reason: ByeReason,
    },
}

/// Why the server closes a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeReason {
    /// The same sitting has been opened elsewhere.
    TakenOver,
    /// The page speaks another version.
    Version,
    /// Too many messages.
    TooFast,
    /// There are too many sittings.
    Full,
    /// The server is going down; come back.
    Shutdown,
}

/// Something for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct BothSides<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

/// What a page must know to begin.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Welcome {
    /// The version spoken.
    pub version: u32,
    /// The sitting's name; keep it for the tab, to come back to the sitting.
    pub sitting: String,
    /// Whether there was one to come back to.
    pub resumed: Resumed,
    /// The program's version.
    pub program: String,
    /// The opponents worth offering, weakest first.
    pub players: Vec<PlayerEntry>,
    /// The standard start of each board, smallest first.
    pub starts: Vec<View>,
    /// What `export` can write.
    pub forms: Vec<FormEntry>,
    /// What is too much.
    pub limits: LimitsWire,
}

/// Whether there was a sitting to come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resumed {
    /// A new sitting.
    New,
    /// The sitting went on while the page was away.
    Kept,
    /// The sitting was made again from the saved text.
    Restored,
}

/// An opponent worth offering.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerEntry {
    /// The key of its name and its sentence in the table of texts.
    pub key: &'static str,
    /// What `new-game` takes.
    pub spec: String,
    /// The board sizes it makes sense on.
    pub sizes: Vec<u8>,
}

/// Something `export` can write.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FormEntry {
    /// Its name.
    pub form: String,
    /// Whether it tells the position, the game or shows a picture.
    pub tells: Tells,
}

/// What an exported text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tells {
    /// The position on the board.
    Position,
    /// The moves that led to it.
    Game,
    /// How it looks.
    Picture,
}

/// What is too much.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LimitsWire {
    /// The longest message.
    pub message_bytes: u32,
    /// The longest text or file that `import` takes.
    pub import_bytes: u32,
    /// The most lines an analysis shows.
    pub lines: u32,
    /// The most nodes of a search tree, each way.
    pub search_tree_nodes: u32,
}

/// A position as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// 4, 6 or 8.
    pub size: u8,
    /// The squares in reading order: `X` black, `O` white, `-` empty.
    pub squares: String,
    /// The side to move.
    pub turn: Side,
    /// The moves of the side to move, in reading order.
    pub legal: Vec<LegalMove>,
    /// Whether the side to move has no move, but the other side has.
    pub must_pass: bool,
    /// Whether neither side has a move.
    pub over: bool,
    /// Discs on the board.
    pub discs: BothSides<u32>,
    /// Empty squares.
    pub empties: u32,
    /// Black's disc difference under both countings; only when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreWire>,
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalMove {
    /// Where.
    pub square: String,
    /// What it flips, the nearest first.
    pub flips: Vec<String>,
}

/// Black's disc difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ScoreWire {
    /// Empty squares count for nobody.
    pub discs: i8,
    /// Empty squares count for the winner.
    pub winner_takes_empties: i8,
}

/// The board, the game and what can be done.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct State {
    /// The node on the board.
    pub node: u32,
    /// The position on the board.
    pub position: View,
    /// The move that led to it; none at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastMove>,
    /// What happened since the last state, in order: to animate and to announce.
    pub events: Vec<Event>,
    /// The game.
    pub game: GameWire,
    /// The opening, where it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningWire>,
    /// What makes sense now.
    pub can: Can,
}

/// The move that led to a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastMove {
    /// The move; the last disc placed, even if a pass came after it.
    pub square: String,
    /// Who placed it.
    pub side: Side,
    /// What it flipped, the nearest first.
    pub flips: Vec<String>,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The board was set up anew: draw it without animation.
    Jumped,
    /// A disc was placed.
    Moved {
        /// Who.
        side: Side,
        /// Where.
        square: String,
        /// What it flipped, the nearest first.
        flips: Vec<String>,
    },
    /// A disc was taken off again, by walking back or taking back.
    Unmoved {
        /// Whose it was.
        side: Side,
        /// Where.
        square: String,
        /// What is flipped back, the farthest first.
        flips: Vec<String>,
    },
    /// A side had no move.
    Passed {
        /// Who.
        side: Side,
    },
    /// The game ended.
    Over {
        /// How.
        result: ResultWire,
    },
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ResultWire {
    /// What ended it.
    pub by: EndedBy,
    /// Who won; none for a draw.
    pub winner: Option<Side>,
    /// Discs at the end.
    pub discs: BothSides<u32>,
    /// Black's disc difference under both countings.
    pub score: ScoreWire,
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// Nobody could move.
    Discs,
    /// The loser resigned.
    Resignation,
    /// The loser's clock ran out.
    Time,
}

/// The game that is played, or the board that is studied.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameWire {
    /// Where it stands.
    pub status: GameStatus,
    /// The node the game has reached; the board may show another.
    pub tip: u32,
    /// Who plays.
    pub players: BothSides<PlayerWire>,
    /// Whether a program is thinking about its move.
    pub thinking: bool,
    /// The clocks, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClocksWire>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultWire>,
    /// Which counting decides who wins and what the solver proves.
    pub counting: CountingWire,
    /// What a loaded game says of itself, such as `event` and `date`.
    pub header: Vec<(String, String)>,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStatus {
    /// It is being played.
    Going,
    /// Two programs play and somebody asked them to wait.
    Paused,
    /// It has ended.
    Over,
    /// There is no game: anybody may move for both sides.
    Free,
}

/// Who sits at one side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PlayerWire {
    /// As `new-game` takes it.
    pub spec: String,
    /// The key of the name in the table of texts, if it is one of the players of `welcome`, or
    /// `human`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'static str>,
    /// The name in a loaded game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Both clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ClocksWire {
    /// What Black has left; none if Black has no clock.
    pub black_ms: Option<u64>,
    /// What White has left.
    pub white_ms: Option<u64>,
    /// Whose clock runs; it goes on running on the page.
    pub running: Option<Side>,
}

/// The opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningWire {
    /// Its English name.
    pub en: &'static str,
    /// Its Japanese name, if we know one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ja: Option<&'static str>,
    /// The node where it was last known.
    pub node: u32,
}

/// What makes sense now; buttons for the rest are off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Can {
    /// A click on a legal square.
    pub play: bool,
    /// `take-back`.
    pub take_back: bool,
    /// `resign`.
    pub resign: bool,
    /// `move-now`.
    pub move_now: bool,
    /// `pause`.
    pub pause: bool,
    /// `resume`.
    pub resume: bool,
    /// `rematch`.
    pub rematch: bool,
    /// `hint`.
    pub hint: bool,
    /// `review`.
    pub review: bool,
    /// `walk` back and to the first.
    pub back: bool,
    /// `walk` forward and to the last.
    pub forward: bool,
}
