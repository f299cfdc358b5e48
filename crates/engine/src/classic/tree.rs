//! The search tree as data, to be looked at.
//!
//! The nodes are those that [`Minimax`](super::Minimax) or [`AlphaBeta`] in reading order
//! visits, in the order of the visits, so that a page can show the search step by step. All values and windows are for the side at the root, as trees in textbooks are drawn: the
//! root maximizes, the other side minimizes.

use std::fmt;

use obverse_board::{Color, Move, Position};

use super::{Algorithm, AlphaBeta, Bound, Lookahead, count_nodes};

/// A search tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// The nodes in the order they were visited: the root first, parents before their children.
    pub nodes: Vec<Node>,
    /// How many nodes minimax visits at this depth.
    pub minimax_nodes: u64,
    /// How many nodes alpha-beta in reading order visits at this depth.
    pub alphabeta_nodes: u64,
}

/// A position that was visited.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The move that led here; `None` at the root.
    pub mv: Option<Move>,
    /// The position.
    pub position: Position,
    /// Whose turn it is, seen from the root.
    pub kind: Kind,
    /// The depth left.
    pub depth: u8,
    /// The value, or the bound on it that was found.
    pub value: f64,
    /// Whether the value is exact. A bound may come from a cut far below.
    pub bound: Bound,
    /// What the side at the root was already sure of when the search came here; negative infinity
    /// throughout in minimax.
    pub alpha: f64,
    /// What the other side was already sure of; infinity throughout in minimax.
    pub beta: f64,
    /// The children visited, as indices into [`Tree::nodes`], in reading order of their moves.
    pub children: Vec<usize>,
    /// The child that gave the value, the first one if several could; `None` at a leaf.
    pub best: Option<usize>,
    /// The moves that were not tried because an earlier one made this position irrelevant.
    pub cut: Vec<Move>,
}

/// What a node does with the values of its children.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The side at the root is to move and takes the greatest.
    Max,
    /// The other side is to move and takes the least.
    Min,
}

impl Tree {
    /// Searches `position` and keeps every node.
    ///
    /// # Errors
    /// If `algorithm` visits more than `max_nodes`; it stops there. (Counting the nodes of minimax
    /// for a tree of alpha-beta may take about the square of `max_nodes`, since at its best alpha-beta
    /// visits the square root of them; but that takes no memory and few nanoseconds a node.)
    pub fn build(
        position: Position,
        lookahead: Lookahead,
        algorithm: Algorithm,
        max_nodes: usize,
    ) -> Result<Tree, TooLarge> {
        let root = position.turn();
        let mut builder = Builder { lookahead, algorithm, root, max_nodes, nodes: Vec::new() };
        let depth = lookahead.depth.plies();
        builder.visit(None, position, depth, f64::NEG_INFINITY, f64::INFINITY)?;
        let nodes = builder.nodes;
        let n_nodes = nodes.len() as u64;
        let (minimax_nodes, alphabeta_nodes) = match algorithm {
            Algorithm::Minimax => (n_nodes, AlphaBeta::new(lookahead).search(position).nodes),
            Algorithm::AlphaBeta => (count_nodes(lookahead, position), n_nodes),
        };
        Ok(Tree { nodes, minimax_nodes, alphabeta_nodes })
    }

    /// The node of the position searched.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The moves of best play from the root, as far as the search looked.
    pub fn line(&self) -> impl Iterator<Item = Move> + '_ {
        let best = |node: &&Node| node.best.map(|child| &self.nodes[child]);
        std::iter::successors(Some(self.root()), best).filter_map(|node| node.mv)
    }
}

impl Node {
    /// Whether some moves were not tried.
    pub fn is_cut(&self) -> bool {
        !self.cut.is_empty()
    }

    /// Whether the search looked no further here.
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }
}

/// The tree has more nodes than were allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// How many were allowed.
    pub max_nodes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.max_nodes;
        write!(f, "the tree has more than {n} nodes, expected at most that many: search less deep")
    }
}

impl std::error::Error for TooLarge {}

struct Builder {
    lookahead: Lookahead,
    algorithm: Algorithm,
    root: Color,
    max_nodes: usize,
    nodes: Vec<Node>,
}

impl Builder {
    /// Adds the node of `position` and all below it; tells its index.
    fn visit(
        &mut self,
        mv: Option<Move>,
        position: Position,
        depth: u8,
        alpha: f64,
        beta: f64,
    ) -> Result<usize, TooLarge> {
        let index = self.nodes.len();
        if index >= self.max_nodes {
            return Err(TooLarge { max_nodes: self.max_nodes });
        }
        let kind = if position.turn() == self.root { Kind::Max } else { Kind::Min };
        // As a leaf; the children, if it has any, give it another value.
        let value = self.leaf_value(position, kind);
        let (bound, children, cut) = (Bound::Exact, Vec::new(), Vec::new());
        let best = None;
        self.nodes.push(Node {
            mv,
            position,
            kind,
            depth,
            value,
            bound,
            alpha,
            beta,
            children,
            best,
            cut,
        });
        if depth > 0 {
            self.visit_children(index)?;
        }
        Ok(index)
    }

    fn visit_children(&mut self, index: usize) -> Result<(), TooLarge> {
        let Node { position, kind, depth, mut alpha, mut beta, .. } = self.nodes[index];
        let moves = moves(position);
        for (i, &mv) in moves.iter().enumerate() {
            let (next, depth) = match mv {
                Move::Place(square) => (position.play_unchecked(square), depth - 1),
                Move::Pass => (position.pass_unchecked(), self.lookahead.after_pass(depth)),
            };
            let child = self.visit(Some(mv), next, depth, alpha, beta)?;
            let value = self.nodes[child].value;
            let node = &mut self.nodes[index];
            node.children.push(child);
            let better = match kind {
                Kind::Max => value > node.value,
                Kind::Min => value < node.value,
            };
            if better || node.best.is_none() {
                (node.value, node.best) = (value, Some(child));
            }
            if self.algorithm == Algorithm::AlphaBeta {
                match kind {
                    Kind::Max => alpha = alpha.max(value),
                    Kind::Min => beta = beta.min(value),
                }
            }
            if alpha >= beta {
                node.cut = moves[i + 1..].to_vec();
                break;
            }
        }
        let node = &mut self.nodes[index];
        if !node.is_leaf() {
            node.bound = Bound::of(node.value, node.alpha, node.beta);
        }
        Ok(())
    }

    /// The value of `position` for the side at the root, without looking further.
    fn leaf_value(&self, position: Position, kind: Kind) -> f64 {
        let value = self.lookahead.eval.value(position);
        match kind {
            Kind::Max => value,
            // Unlike `-value` this turns 0 into 0, not into a -0 that would print as such.
            Kind::Min => 0.0 - value,
        }
    }
}

/// What the side to move can do, in reading order; nothing when the game is over.
fn moves(position: Position) -> Vec<Move> {
    if position.must_pass() {
        return vec![Move::Pass];
    }
    position.moves().into_iter().map(Move::Place).collect()
}
