//! `obverse tree`: a search tree to look at.

mod dot;
mod svg;
mod text;

use std::io::Write;

use anyhow::Result;
use obverse_board::notation::Form;
use obverse_board::perft::Passes;
use obverse_board::{Game, Position};
use obverse_engine::classic::tree::{Kind, Node, Tree};
use obverse_engine::classic::{Algorithm, Bound, Depth, Eval, Lookahead, Weights};
use serde::Serialize;

use super::perft::PassesArg;
use crate::{Answer, input, wire};

/// Draw the search tree of minimax or alpha-beta.
///
/// Values are those of the side to move at the root: where it is to move the greatest counts, where
/// the other side is, the least. With --alphabeta the branches that were cut are marked, and every
/// node shows the window (alpha, beta) it was searched with.
///
/// Examples:
///   obverse tree start:4x4 --depth 3
///   obverse tree start:4x4 --depth 4 --alphabeta --as svg > tree.svg
///   obverse tree f5d6 --depth 2 --eval positional --as dot | dot -Tpdf > tree.pdf
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The position, in any notation; - for standard input, @FILE for a file
    #[arg(allow_hyphen_values = true)]
    position: String,

    /// How many plies to look ahead
    #[arg(long, value_name = "K")]
    depth: Depth,

    /// Search by alpha-beta, which cuts branches, instead of minimax
    #[arg(long)]
    alphabeta: bool,

    /// What the leaves are judged by
    #[arg(long, value_enum, default_value = "discs")]
    eval: EvalArg,

    /// Whether a pass uses up a ply or is free
    #[arg(long, value_enum, default_value = "ply")]
    passes: PassesArg,

    /// How to draw it
    #[arg(
        long = "as",
        value_name = "FORM",
        value_enum,
        default_value = "text",
        conflicts_with = "json"
    )]
    form: TreeForm,

    /// Draw the board of every node (SVG; small trees have them anyway)
    #[arg(long)]
    boards: bool,

    /// Refuse trees with more nodes than this
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_nodes: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum EvalArg {
    /// Own discs minus the opponent's
    Discs,
    /// Square values, disc parity and mobility
    Positional,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum TreeForm {
    /// Lines of text
    Text,
    /// A graph for Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Serialize)]
struct TreeWire {
    position: String,
    algorithm: String,
    value: f64,
    line: Vec<String>,
    minimax_nodes: u64,
    alphabeta_nodes: u64,
    nodes: Vec<NodeWire>,
}

#[derive(Serialize)]
struct NodeWire {
    #[serde(rename = "move")]
    mv: Option<String>,
    srn: String,
    kind: &'static str,
    depth: u8,
    value: f64,
    bound: &'static str,
    /// `None` is infinity.
    alpha: Option<f64>,
    beta: Option<f64>,
    children: Vec<usize>,
    best: Option<usize>,
    cut: Vec<String>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let position = input::game(&self.position)?.position();
        let eval = match self.eval {
            EvalArg::Discs => Eval::Discs,
            EvalArg::Positional => Eval::Positional(Weights::default()),
        };
        let lookahead = Lookahead { depth: self.depth, eval, passes: Passes::from(self.passes) };
        let algorithm = if self.alphabeta { Algorithm::AlphaBeta } else { Algorithm::Minimax };
        let tree = Tree::build(position, lookahead, algorithm, self.max_nodes)
            .map_err(|error| anyhow::anyhow!("{error} (--max-nodes raises the limit)"))?;
        if self.json {
            wire::print(out, &wire(&tree, position, algorithm))?;
            return Ok(Answer::Yes);
        }
        match self.form {
            TreeForm::Text => text::print(out, &tree, algorithm)?,
            TreeForm::Dot => dot::print(out, &tree, algorithm)?,
            TreeForm::Svg => svg::print(out, &tree, algorithm, self.boards)?,
        }
        Ok(Answer::Yes)
    }
}

fn wire(tree: &Tree, position: Position, algorithm: Algorithm) -> TreeWire {
    let srn = |position| Form::Srn.print(&Game::new(position)).expect("every position has an SRN");
    let finite = |value: f64| value.is_finite().then_some(value);
    let node = |node: &Node| NodeWire {
        mv: node.mv.map(|mv| mv.to_string()),
        srn: srn(node.position),
        kind: if node.kind == Kind::Max { "max" } else { "min" },
        depth: node.depth,
        value: node.value,
        bound: match node.bound {
            Bound::Exact => "exact",
            Bound::AtLeast => "at-least",
            Bound::AtMost => "at-most",
        },
        alpha: finite(node.alpha),
        beta: finite(node.beta),
        children: node.children.clone(),
        best: node.best,
        cut: node.cut.iter().map(ToString::to_string).collect(),
    };
    TreeWire {
        position: srn(position),
        algorithm: algorithm.to_string(),
        value: tree.root().value,
        line: tree.line().map(|mv| mv.to_string()).collect(),
        minimax_nodes: tree.minimax_nodes,
        alphabeta_nodes: tree.alphabeta_nodes,
        nodes: tree.nodes.iter().map(node).collect(),
    }
}

/// `+3`, `-2.5`, `0`, `+∞`: a value with its sign and no more decimals than it needs.
fn number(value: f64) -> String {
    if value == f64::INFINITY {
        "+∞".to_owned()
    } else if value == f64::NEG_INFINITY {
        "−∞".to_owned()
    } else if value == 0.0 {
        "0".to_owned()
    } else if value.fract() == 0.0 {
        format!("{value:+}").replace('-', "−")
    } else {
        format!("{value:+.1}").replace('-', "−")
    }
}

/// A node's value, with `≤` or `≥` where it is a bound.
fn value(node: &Node) -> String {
    let sign = match node.bound {
        Bound::Exact => "",
        Bound::AtLeast => "≥ ",
        Bound::AtMost => "≤ ",
    };
    format!("{sign}{}", number(node.value))
}

/// The cut moves of a node on one line.
fn cut_moves(node: &Node) -> String {
    node.cut.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// What both algorithms cost, and the best play found.
fn summary(tree: &Tree, algorithm: Algorithm) -> [String; 2] {
    let (all, few) = (tree.minimax_nodes, tree.alphabeta_nodes);
    let share = 100.0 * few as f64 / all as f64;
    let line: Vec<String> = tree.line().map(|mv| mv.to_string()).collect();
    let line = if line.is_empty() { "none".to_owned() } else { line.join(" ") };
    [
        format!("{algorithm}: value {}, best play {line}", number(tree.root().value)),
        format!("nodes: minimax {all}, alpha-beta {few} ({share:.0} %)"),
    ]
}
