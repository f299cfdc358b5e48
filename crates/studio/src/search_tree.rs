//! The tree that minimax or alpha-beta searches, and the search step by step.

use obverse_board::Position;
use obverse_engine::classic::tree::{Kind, Node, TooLarge, Tree};
use obverse_engine::classic::{Algorithm, Bound, Lookahead};

use crate::view;
use crate::wire::{BoundWire, SearchTreeNode, SearchTreeStep, SearchTreeWire, StepKind};

/// The most nodes a tree may have.
pub(crate) const NODES_MAX: usize = 1500;

/// Searches a position and keeps every node and every step.
pub(crate) fn search(
    position: Position,
    lookahead: Lookahead,
    algorithm: Algorithm,
) -> Result<SearchTreeWire, TooLarge> {
    let tree = Tree::build(position, lookahead, algorithm, NODES_MAX)?;
    let mut parents = vec![None; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for &child in &node.children {
            parents[child] = Some(i as u32);
        }
    }
    let mut teller = Teller { tree: &tree, algorithm, steps: Vec::new(), visited: 0 };
    teller.tell(0, f64::NEG_INFINITY, f64::INFINITY);
    Ok(SearchTreeWire {
        steps: teller.steps,
        nodes: tree.nodes.iter().zip(parents).map(|(node, parent)| wire(node, parent)).collect(),
        line: tree.line().map(|mv| mv.to_string()).collect(),
    })
}

fn wire(node: &Node, parent: Option<u32>) -> SearchTreeNode {
    SearchTreeNode {
        parent,
        mv: node.mv.map(|mv| mv.to_string()),
        max: node.kind == Kind::Max,
        depth: node.depth,
        squares: view::squares(node.position),
        turn: node.position.turn().into(),
        value: node.value,
        bound: match node.bound {
            Bound::Exact => BoundWire::Exact,
            Bound::AtLeast => BoundWire::AtLeast,
            Bound::AtMost => BoundWire::AtMost,
        },
        children: node.children.iter().map(|&child| child as u32).collect(),
        best: node.best.map(|child| child as u32),
        cut: node.cut.iter().map(ToString::to_string).collect(),
    }
}

/// Tells a search that is over as if it were happening.
struct Teller<'a> {
    tree: &'a Tree,
    algorithm: Algorithm,
    steps: Vec<SearchTreeStep>,
    visited: u32,
}

impl Teller<'_> {
    /// The steps at a node and below it; its depth is that of the search, so recursion is no danger.
    fn tell(&mut self, index: usize, alpha: f64, beta: f64) {
        let node = &self.tree.nodes[index];
        let (mut alpha, mut beta) = (alpha, beta);
        self.visited += 1;
        self.step(index, StepKind::Enter, None, alpha, beta);
        let mut value: Option<f64> = None;
        for &child in &node.children {
            self.tell(child, alpha, beta);
            let returned = self.tree.nodes[child].value;
            let best = match (value, node.kind) {
                (None, _) => returned,
                (Some(value), Kind::Max) => value.max(returned),
                (Some(value), Kind::Min) => value.min(returned),
            };
            value = Some(best);
            if self.algorithm == Algorithm::AlphaBeta {
                match node.kind {
                    Kind::Max => alpha = alpha.max(best),
                    Kind::Min => beta = beta.min(best),
                }
            }
            self.step(index, StepKind::Update, value, alpha, beta);
        }
        if node.is_cut() {
            self.step(index, StepKind::Cut, value, alpha, beta);
        }
        self.step(index, StepKind::Leave, Some(node.value), alpha, beta);
    }

    fn step(&mut self, index: usize, kind: StepKind, value: Option<f64>, alpha: f64, beta: f64) {
        let finite = |number: f64| number.is_finite().then_some(number);
        self.steps.push(SearchTreeStep {
            node: index as u32,
            kind,
            value,
            alpha: finite(alpha),
            beta: finite(beta),
            visited: self.visited,
        });
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "the values are small integers")]

    use super::*;
    use obverse_board::Size;
    use obverse_board::perft::Passes;
    use obverse_engine::classic::{Depth, Eval};

    fn lookahead(depth: u8) -> Lookahead {
        let depth = Depth::new(depth).unwrap();
        Lookahead { depth, eval: Eval::Discs, passes: Passes::Ply }
    }

    #[test]
    fn the_steps_tell_what_the_tree_says() {
        for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta] {
            for depth in 1..=5 {
                let position = Position::start(Size::Four);
                let wire = search(position, lookahead(depth), algorithm).unwrap();
                let tree = Tree::build(position, lookahead(depth), algorithm, NODES_MAX).unwrap();
                let entered: Vec<u32> = wire
                    .steps
                    .iter()
                    .filter(|step| step.kind == StepKind::Enter)
                    .map(|step| step.node)
                    .collect();
                assert!(entered.iter().copied().eq(0..wire.nodes.len() as u32));
                assert_eq!(wire.steps.last().unwrap().visited as usize, wire.nodes.len());
                for step in &wire.steps {
                    let node = &tree.nodes[step.node as usize];
                    match step.kind {
                        // The window a node is entered with is the one the search had.
                        StepKind::Enter => {
                            assert_eq!(step.alpha.unwrap_or(f64::NEG_INFINITY), node.alpha);
                            assert_eq!(step.beta.unwrap_or(f64::INFINITY), node.beta);
                        }
                        StepKind::Leave => assert_eq!(step.value, Some(node.value)),
                        StepKind::Cut => assert!(node.is_cut()),
                        StepKind::Update => {}
                    }
                }
            }
        }
    }

    #[test]
    fn a_tree_that_is_too_large_is_refused() {
        let start = Position::start(Size::Four);
        assert!(search(start, lookahead(11), Algorithm::Minimax).is_err());
    }
}
