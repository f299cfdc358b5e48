//! Values, lines, judged moves, lists of games, errors.

use serde::{Deserialize, Serialize};

use super::{OpeningWire, Side};

/// A value in discs that says how it is known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ValueWire {
    /// Rounded to tenths; whole if it is not an estimate.
    pub discs: f32,
    /// How it is known.
    #[serde(flatten)]
    pub kind: ValueKind,
}

/// How a value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ValueKind {
    /// The score at the end, proven.
    Proven,
    /// The score at the end, by a search that left out what it was so many per cent sure of.
    Selective {
        /// How sure.
        percent: u8,
    },
    /// The evaluation after so many moves.
    Estimate {
        /// How many.
        depth: u32,
    },
}

/// A legal move with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SquareValue {
    /// Where.
    pub square: String,
    /// For the side to move.
    pub value: ValueWire,
    /// Discs lost against the best move.
    pub loss: f32,
    /// Whether it is a best move.
    pub best: bool,
}

/// A line with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineWire {
    /// For the side to move where it begins.
    pub value: ValueWire,
    /// The moves; passes are said.
    pub moves: Vec<String>,
}

/// Whether an analysis goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisStatus {
    /// It is off; values, if any, are from before.
    Off,
    /// The engine works on it.
    Running,
    /// The limit is reached, or everything is proven.
    Done,
}

/// Whether a review goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewStatus {
    /// It does.
    Running,
    /// All moves are judged.
    Done,
    /// It was stopped before that.
    Stopped,
    /// There is none any more: another game is on the board.
    None,
}

/// A node of the tree of moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TreeNode {
    /// Its number; it does not change while the sitting lasts.
    pub id: u32,
    /// The node before; none for the root.
    pub parent: Option<u32>,
    /// The move that leads here: a square or `pass`; none for the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Who makes it.
    pub side: Option<Side>,
    /// Which disc of the game it is, from 1; a pass has the number of the move before it.
    pub number: u32,
    /// The nodes after, the main one first.
    pub children: Vec<u32>,
    /// Whether it is on the main line.
    pub main: bool,
    /// The opening that begins to have this name here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningWire>,
    /// What a loaded game says here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A move of the game, judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgedMove {
    /// The node it leads to.
    pub node: u32,
    /// The node it is played at.
    pub from: u32,
    /// Which disc of the game it is, from 1.
    pub number: u32,
    /// Who plays it.
    pub side: Side,
    /// The square.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side that plays it.
    pub value: ValueWire,
    /// The same for Black: a point of the graph.
    pub black: ValueWire,
    /// Discs lost against the best move.
    pub loss: f32,
    /// How the loss is known.
    pub loss_known: ValueKind,
    /// How bad that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultWire>,
    /// The best move; the move itself if there is no better one.
    pub best: BestMove,
    /// How many moves there were to choose from.
    pub choices: u32,
}

/// The best move and its line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BestMove {
    /// The square.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side that could play it.
    pub value: ValueWire,
    /// The move and what is expected to follow.
    pub line: Vec<String>,
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultWire {
    /// It loses 4 discs or more.
    Mistake,
    /// It loses 10 discs or more.
    Blunder,
}

/// One player's moves, summed up.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TotalWire {
    /// Moves judged.
    pub moves: u32,
    /// Those with a choice.
    pub choices: u32,
    /// Those of them that lose less than a disc.
    pub accurate: u32,
    /// Their share, 0 to 1; none without a choice.
    pub accuracy: Option<f32>,
    /// Moves that lose 4 discs or more, but less than 10.
    pub mistakes: u32,
    /// Moves that lose 10 discs or more.
    pub blunders: u32,
    /// Discs lost in all.
    pub lost: f32,
    /// Of these, proven.
    pub proven: f32,
    /// Selective.
    pub selective: f32,
    /// Estimated.
    pub estimated: f32,
}

/// A game of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameEntry {
    /// What `open-game` takes.
    pub index: u32,
    /// Black's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// White's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// The tournament or place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The date or year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Discs placed.
    pub n_moves: u32,
    /// Black's disc difference, empties to the winner; none if the game is not finished.
    pub score: Option<i8>,
    /// 4, 6 or 8.
    pub size: u8,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// In UTF-16 code units from the beginning, as browsers count.
    pub offset: u32,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// What is wrong, as a key for the table of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The message is not JSON, has no known type or wrong fields.
    BadMessage,
    /// The message is longer than `welcome.limits.message_bytes`.
    TooLong,
    /// Anything before `hello`, or a second `hello`.
    NoHello,
    /// The saved text cannot be read; the sitting is new.
    BadSaved,
    /// There is no board of this size.
    BadSize,
    /// There is no such player, or it may not play here.
    BadPlayer,
    /// The player would think for too long on this board.
    PlayerTooSlow,
    /// The clock is too short or too long.
    BadClock,
    /// The text is not a square.
    BadSquare,
    /// Outside the board.
    OffBoard,
    /// There is a disc already.
    Occupied,
    /// No disc would be flipped.
    FlipsNothing,
    /// It would be a move of the other side.
    NotYourTurn,
    /// There is no move but a pass.
    MustPass,
    /// There is a move, so a pass is not allowed.
    CanMove,
    /// The game is over.
    GameOver,
    /// It is a program's turn.
    ProgramsTurn,
    /// The board has changed since the page sent this.
    Outdated,
    /// There is no such node.
    NoNode,
    /// The tree of moves is as large as it may be.
    TreeFull,
    /// There is nothing to take back.
    NothingToTakeBack,
    /// There is no game.
    NoGame,
    /// There is nothing to review.
    NothingToReview,
    /// No notation or file we know, or a mistake in it.
    Unreadable,
    /// There is no such game in the list.
    NoSuchGame,
    /// The text or file is too long.
    TooLarge,
    /// The squares are not as many as they should be, or not all `X`, `O` and `-`.
    BadSquares,
    /// There is no such form.
    BadForm,
    /// The form cannot say this.
    Inexpressible,
    /// The limit is out of bounds.
    BadLimit,
    /// An XOT start needs the 8×8 board.
    XotNeedsEight,
    /// The search tree would have more than `welcome.limits.search_tree_nodes`.
    TreeTooLarge,
    /// There is no puzzle, or it is solved.
    NoPuzzle,
    /// There is no mistake of one's own to make a puzzle of.
    NoOwnMistakes,
}
