//! What a page says to its sitting.

use serde::{Deserialize, Serialize};

use super::{CountingWire, OverlayKind, PuzzleSource, Side};

/// What a page says to its sitting.
///
/// Any message may have an `id` besides, a number that comes back as `to` in the answer or error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FromPage {
    /// The first message.
    Hello {
        /// The version the page speaks.
        version: u32,
        /// The sitting to come back to.
        #[serde(default)]
        sitting: Option<String>,
        /// The text to make it from, if it is gone.
        #[serde(default)]
        saved: Option<String>,
    },
    /// Begins a game.
    NewGame {
        /// 4, 6 or 8.
        size: u8,
        /// From where.
        #[serde(default)]
        start: StartWire,
        /// Who plays Black, as in `welcome.players`, or `human`.
        black: String,
        /// Who plays White.
        white: String,
        /// Black's clock.
        #[serde(default)]
        black_clock: Option<ClockSetting>,
        /// White's clock.
        #[serde(default)]
        white_clock: Option<ClockSetting>,
        /// Who gets the empty squares.
        #[serde(default)]
        counting: Option<CountingWire>,
    },
    /// Places a disc.
    Play {
        /// Where.
        square: String,
        /// The node that the page shows: if the board has changed meanwhile, nothing happens.
        #[serde(default)]
        node: Option<u32>,
    },
    /// Takes back the person's last move.
    TakeBack {},
    /// Gives the game up.
    Resign {
        /// Who does; needed only if two persons play.
        #[serde(default)]
        side: Option<Side>,
    },
    /// Makes the program that thinks move at once.
    MoveNow {},
    /// Makes two programs wait.
    Pause {},
    /// Lets them go on.
    Resume {},
    /// The same game again.
    Rematch {
        /// With sides exchanged.
        #[serde(default)]
        swap: bool,
    },
    /// Asks for a good move.
    Hint {},
    /// Shows a node.
    Goto {
        /// Which.
        node: u32,
    },
    /// Walks through the game.
    Walk {
        /// Which way.
        to: WalkTo,
    },
    /// Plays a line from a node as a variation and shows its end.
    Enter {
        /// From where.
        node: u32,
        /// The moves.
        moves: Vec<String>,
    },
    /// Asks what a line leads to, without playing it.
    Preview {
        /// From where; the node on the board if left out.
        #[serde(default)]
        node: Option<u32>,
        /// Whether to begin at the puzzle's position instead.
        #[serde(default)]
        puzzle: bool,
        /// The moves.
        moves: Vec<String>,
    },
    /// Makes the variation of a node the main line.
    Promote {
        /// A node of the variation.
        node: u32,
    },
    /// Removes a node and all that follows it.
    Delete {
        /// Which.
        node: u32,
    },
    /// Ends the game without a result, to study the board freely.
    Free {},
    /// Turns the analysis on or off.
    Analyze {
        /// Which.
        on: bool,
        /// How many lines to show.
        #[serde(default)]
        lines: Option<u32>,
        /// How far to think about a position.
        #[serde(default)]
        limit: Option<LimitWire>,
    },
    /// Judges every move of the main line.
    Review {
        /// How far to think about each.
        #[serde(default)]
        effort: Option<EffortWire>,
    },
    /// Stops that.
    StopReview {},
    /// Reads a text or a file.
    Import {
        /// The text.
        #[serde(default)]
        text: Option<String>,
        /// Or the bytes of a file, in base 64.
        #[serde(default)]
        data: Option<String>,
        /// The file's name, if it has one.
        #[serde(default)]
        name: Option<String>,
    },
    /// Asks for more of the list of games.
    ListGames {
        /// From which.
        offset: u32,
    },
    /// Opens a game of the list.
    OpenGame {
        /// Which, from 0.
        index: u32,
    },
    /// Opens what a link holds.
    OpenLink {
        /// What follows the `#`.
        fragment: String,
    },
    /// Sets up a position to study.
    SetPosition {
        /// 4, 6 or 8.
        size: u8,
        /// The squares in reading order: `X` black, `O` white, `-` empty.
        squares: String,
        /// The side to move.
        turn: Side,
    },
    /// Asks what a position being edited would be like.
    CheckPosition {
        /// 4, 6 or 8.
        size: u8,
        /// The squares in reading order: `X` black, `O` white, `-` empty.
        squares: String,
        /// The side to move.
        turn: Side,
    },
    /// Writes the position or the game.
    Export {
        /// One of `welcome.forms`.
        form: String,
        /// Up to which node; the one on the board if left out. Game files have the whole tree anyway.
        #[serde(default)]
        node: Option<u32>,
    },
    /// Asks for a link.
    Share {
        /// Whether to share the game that led to the board, or only the board.
        game: bool,
    },
    /// Chooses an overlay.
    Overlay {
        /// Which.
        kind: OverlayKind,
    },
    /// Searches a 4×4 position by minimax and alpha-beta and shows every node.
    SearchTree {
        /// How far to look.
        depth: u8,
        /// How to judge what is seen there.
        #[serde(default)]
        eval: EvalWire,
        /// Whether a pass is a ply.
        #[serde(default)]
        pass: PassWire,
    },
    /// Asks for a puzzle.
    Puzzle {
        /// From where.
        source: PuzzleSource,
    },
    /// Tries to solve it.
    PuzzleTry {
        /// The move.
        square: String,
    },
    /// Gives up and sees the solution.
    PuzzleShow {},
    /// Leaves the puzzle.
    PuzzleEnd {},
    /// Asks for a `pong`.
    Ping {},
}

/// From where a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StartWire {
    /// The standard four discs.
    #[default]
    Standard,
    /// The same with the colors exchanged.
    Mirrored,
    /// Eight random moves after which nobody is ahead by much (8×8 only).
    Xot,
    /// The position on the board.
    Board,
    /// A position or game in any notation.
    Text {
        /// The text.
        text: String,
    },
}

/// A clock as it is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// For the game.
    pub time_ms: u64,
    /// More after every move.
    #[serde(default)]
    pub increment_ms: u64,
}

/// Which way to walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WalkTo {
    /// To the start.
    First,
    /// One disc back.
    Back,
    /// One disc forward, in the line last walked or the main one.
    Forward,
    /// To the end of that line.
    Last,
    /// To the mistake before this one.
    PreviousMistake,
    /// To the next mistake.
    NextMistake,
    /// To where the game is.
    Tip,
}

/// How far an analysis goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LimitWire {
    /// Until everything is proven.
    None,
    /// As a level of play does, 1 to 30.
    Level {
        /// Which.
        level: u8,
    },
    /// So many moves ahead.
    Depth {
        /// How many, 1 to 60.
        depth: u32,
    },
    /// So long.
    Time {
        /// How long.
        time_ms: u64,
    },
}

/// How far a review thinks about each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EffortWire {
    /// As a level of play does, 1 to 30.
    Level {
        /// Which.
        level: u8,
    },
    /// So long.
    Time {
        /// How long.
        time_ms: u64,
    },
}

/// How the textbook searches judge a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvalWire {
    /// By the disc difference.
    #[default]
    Discs,
    /// By square values, parity and mobility.
    Positional,
}

/// Whether a pass is a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassWire {
    /// It is.
    #[default]
    Ply,
    /// It costs no depth.
    Free,
}
