//! Overlays, search trees, puzzles.

use serde::{Deserialize, Serialize};

use super::{BothSides, Side, ValueWire};

/// What an overlay shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverlayKind {
    /// Nothing.
    #[default]
    None,
    /// What a disc on each square is worth to the heuristic.
    SquareValues,
    /// Where each side can move, and how many discs that flips.
    Mobility,
    /// Discs beside empty squares, and beside how many.
    Frontier,
    /// Discs that can never be flipped again.
    Stable,
    /// Regions of empty squares, and how many squares each has.
    Parity,
}

/// A square of an overlay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OverlaySquare {
    /// Which.
    pub square: String,
    /// The number on it.
    pub number: i32,
    /// What the number is about: the disc's color, or who can move there; none for square values
    /// and regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Which region it belongs to, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<u32>,
}

/// Whose a square of an overlay is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Both sides can move there; the number is for the side to move.
    Both,
}

/// The numbers of an overlay, summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum OverlaySums {
    /// By color: square values of its discs, moves, frontier discs, stable discs.
    Sides(BothSides<i32>),
    /// Regions with an odd and an even number of squares.
    Regions {
        /// Odd ones.
        odd: u32,
        /// Even ones.
        even: u32,
    },
}

/// The textbook heuristic for the side to move, in its parts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct HeuristicWire {
    /// Square values of own discs minus those of the opponent's.
    pub squares: f64,
    /// From the disc counts.
    pub parity: f64,
    /// From the numbers of moves.
    pub mobility: f64,
    /// All together.
    pub total: f64,
}

/// The tree of one algorithm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchTreeWire {
    /// The nodes in the order they were visited.
    pub nodes: Vec<SearchTreeNode>,
    /// What happened, in order; a page that steps through it shows the search.
    pub steps: Vec<SearchTreeStep>,
    /// The best line.
    pub line: Vec<String>,
}

/// A position that was visited; values and windows are those of the side at the root.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchTreeNode {
    /// The node before.
    pub parent: Option<u32>,
    /// The move that leads here.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Whether the side at the root is to move.
    pub max: bool,
    /// The depth left.
    pub depth: u8,
    /// The squares in reading order.
    pub squares: String,
    /// The side to move.
    pub turn: Side,
    /// The value in the end.
    pub value: f64,
    /// Whether it is the value, or one it is `at-least` or `at-most`.
    pub bound: BoundWire,
    /// The children visited, in order.
    pub children: Vec<u32>,
    /// The child that gave the value.
    pub best: Option<u32>,
    /// Moves never tried.
    pub cut: Vec<String>,
}

/// How a value is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundWire {
    /// The value.
    Exact,
    /// It may be more.
    AtLeast,
    /// It may be less.
    AtMost,
}

/// A step of a search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SearchTreeStep {
    /// Where.
    pub node: u32,
    /// What.
    pub kind: StepKind,
    /// The node's value so far; none before there is one.
    pub value: Option<f64>,
    /// The window there; none for infinity.
    pub alpha: Option<f64>,
    /// The window there; none for infinity.
    pub beta: Option<f64>,
    /// Nodes visited so far.
    pub visited: u32,
}

/// What happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// The node is visited.
    Enter,
    /// A child has returned, and the node's value and window are these now.
    Update,
    /// The other moves need not be tried.
    Cut,
    /// The node is finished and returns its value.
    Leave,
}

/// Where a puzzle is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleSource {
    /// A mistake of the person's own, found by a review.
    Own,
    /// A position with one winning move.
    Win,
}

/// Where a puzzle stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleStatus {
    /// One is being made.
    Making,
    /// It waits for a move.
    Open,
    /// Solved.
    Solved,
    /// Given up; the solution is shown.
    Shown,
    /// There is none.
    Ended,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PuzzleQuestion {
    /// There is one move that wins: which?
    Win {
        /// Who is to move.
        side: Side,
        /// Empty squares.
        empties: u32,
    },
    /// In the game a move was played that lost some discs: which is best?
    Better {
        /// Who is to move.
        side: Side,
        /// Empty squares.
        empties: u32,
        /// Discs lost.
        loss: f32,
        /// What the move that was played is worth.
        played: ValueWire,
    },
}
