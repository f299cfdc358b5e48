//! The moves of a sitting with all their variations.
//!
//! A node is a position and the move that led to it. Its number never changes and is never given to
//! another node, so that a page can speak of it at any time. Passes are nodes of their own, and
//! [`Tree::settle`] makes them: a board never rests where a side must pass.

use obverse_board::{Game, IllegalMove, Move, Position};

/// The number of a node.
pub type NodeId = u32;

/// More nodes than anybody studies; it bounds what a sitting can take.
const NODES_MAX: usize = 20_000;

/// A position and the move that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The node before; `None` for the root.
    pub parent: Option<NodeId>,
    /// The move from there; `None` for the root.
    pub mv: Option<Move>,
    /// The position after it.
    pub position: Position,
    /// Discs placed since the root.
    pub number: u32,
    /// The nodes after, the main one first.
    pub children: Vec<NodeId>,
    /// What a loaded game says here.
    pub comment: Option<String>,
    /// The child walked through last.
    recent: Option<NodeId>,
}

/// A start position and the moves from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// By number; a removed node leaves a gap.
    nodes: Vec<Option<Node>>,
}

/// Why a move cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddError {
    /// The rules forbid it.
    Illegal(IllegalMove),
    /// There are too many nodes already.
    Full,
}

impl Tree {
    /// The root's number.
    pub const ROOT: NodeId = 0;

    /// The tree that is only a start.
    pub fn new(start: Position) -> Tree {
        let root = Node {
            parent: None,
            mv: None,
            position: start,
            number: 0,
            children: Vec::new(),
            comment: None,
            recent: None,
        };
        Tree { nodes: vec![Some(root)] }
    }

    /// The tree of a game, and its last node.
    ///
    /// # Panics
    /// If the game has more moves than a tree has nodes, which none has.
    pub fn from_game(game: &Game) -> (Tree, NodeId) {
        let mut tree = Tree::new(game.start());
        let mut last = Tree::ROOT;
        for &mv in game.moves() {
            last = tree.add(last, mv).expect("a game is legal and short");
        }
        (tree, last)
    }

    /// The node of this number.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)?.as_ref()
    }

    /// The node of this number, which must exist.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn node(&self, id: NodeId) -> &Node {
        self.get(id).expect("a node of the tree")
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes[id as usize].as_mut().expect("a node of the tree")
    }

    /// The node after a move from `id`; the one that is there already, or a new one.
    ///
    /// # Errors
    /// If the rules forbid the move or the tree is full.
    pub fn add(&mut self, id: NodeId, mv: Move) -> Result<NodeId, AddError> {
        if let Some(child) = self.child(id, mv) {
            return Ok(child);
        }
        let node = self.node(id);
        let position = node.position.apply(mv).map_err(AddError::Illegal)?;
        if self.nodes.len() >= NODES_MAX {
            return Err(AddError::Full);
        }
        let new = Node {
            parent: Some(id),
            mv: Some(mv),
            position,
            number: node.number + u32::from(mv != Move::Pass),
            children: Vec::new(),
            comment: None,
            recent: None,
        };
        let child = self.nodes.len() as NodeId;
        self.nodes.push(Some(new));
        self.node_mut(id).children.push(child);
        Ok(child)
    }

    /// The node after a move from `id`, if there is one.
    pub fn child(&self, id: NodeId, mv: Move) -> Option<NodeId> {
        self.node(id).children.iter().copied().find(|&child| self.node(child).mv == Some(mv))
    }

    /// `id`, or the node after the pass that is forced there.
    ///
    /// # Errors
    /// If the tree is full.
    pub fn settle(&mut self, id: NodeId) -> Result<NodeId, AddError> {
        if self.node(id).position.must_pass() { self.add(id, Move::Pass) } else { Ok(id) }
    }

    /// The nodes from the root to `id`, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.node(id).parent).collect();
        path.reverse();
        path
    }

    /// The nodes of the main line from the root.
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(Some(Tree::ROOT), |&id| self.node(id).children.first().copied())
            .collect()
    }

    /// The node after `id` in the line walked last, or in the main one.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        node.recent.or_else(|| node.children.first().copied())
    }

    /// Remembers the way to `id`, so that walking back and forward again leads there.
    pub fn walk_to(&mut self, id: NodeId) {
        let mut child = id;
        while let Some(parent) = self.node(child).parent {
            self.node_mut(parent).recent = Some(child);
            child = parent;
        }
    }

    /// Makes the line to `id` the main one.
    pub fn promote(&mut self, id: NodeId) {
        let mut child = id;
        while let Some(parent) = self.node(child).parent {
            self.put_first(child);
            child = parent;
        }
    }

    /// Makes `id` the main move from the node before it.
    pub fn put_first(&mut self, id: NodeId) {
        let Some(parent) = self.node(id).parent else { return };
        let children = &mut self.node_mut(parent).children;
        if let Some(i) = children.iter().position(|&other| other == id) {
            children[..=i].rotate_right(1);
        }
    }

    /// Removes `id`, which is not the root, and all after it.
    pub fn remove(&mut self, id: NodeId) {
        let Some(parent) = self.node(id).parent else { return };
        let parent = self.node_mut(parent);
        parent.children.retain(|&child| child != id);
        parent.recent = parent.recent.filter(|&recent| recent != id);
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            doomed.extend(self.nodes[id as usize].take().into_iter().flat_map(|n| n.children));
        }
    }

    /// Whether `id` is on the way to `end`.
    pub fn leads_to(&self, id: NodeId, end: NodeId) -> bool {
        let number = self.node(id).number;
        std::iter::successors(Some(end), |&id| self.node(id).parent)
            .take_while(|&other| self.node(other).number >= number)
            .any(|other| other == id)
    }

    /// The game that leads to `id`, which must exist.
    ///
    /// # Panics
    /// If it does not.
    pub fn game(&self, id: NodeId) -> Game {
        let mut game = Game::new(self.node(Tree::ROOT).position);
        for id in self.path(id) {
            if let Some(mv) = self.node(id).mv {
                game.apply(mv).expect("the moves of the tree are legal");
            }
        }
        game
    }

    /// Writes a comment.
    pub fn set_comment(&mut self, id: NodeId, comment: String) {
        self.node_mut(id).comment = Some(comment);
    }

    /// All nodes with their numbers, parents before their children.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        // A node is made after its parent, so the order of numbers will do.
        self.nodes.iter().enumerate().filter_map(|(id, node)| Some((id as NodeId, node.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Size, Square};

    fn place(square: Square) -> Move {
        Move::Place(square)
    }

    #[test]
    fn the_same_move_is_the_same_node() {
        let mut tree = Tree::new(Position::start(Size::Eight));
        let f5 = tree.add(Tree::ROOT, place(Square::F5)).unwrap();
        assert_eq!(tree.add(Tree::ROOT, place(Square::F5)), Ok(f5));
        assert!(matches!(tree.add(f5, place(Square::F5)), Err(AddError::Illegal(_))));
        assert_eq!(tree.nodes().count(), 2);
    }

    #[test]
    fn a_promoted_variation_is_the_main_line() {
        let (mut tree, tip) = Tree::from_game(&Game::parse("f5d6c3").unwrap());
        let f5 = tree.path(tip)[1];
        let f6 = tree.add(f5, place(Square::F6)).unwrap();
        let e6 = tree.add(f6, place(Square::E6)).unwrap();
        tree.promote(e6);
        assert_eq!(tree.main_line(), [Tree::ROOT, f5, f6, e6]);
        assert_eq!(tree.game(e6), Game::parse("f5f6e6").unwrap());
        tree.remove(f6);
        assert_eq!(tree.main_line().last(), Some(&tip));
        assert!(tree.get(e6).is_none());
        assert_eq!(tree.nodes().count(), 4);
    }

    #[test]
    fn walking_back_and_forward_keeps_to_the_variation() {
        let (mut tree, tip) = Tree::from_game(&Game::parse("f5d6c3").unwrap());
        let f5 = tree.path(tip)[1];
        let f6 = tree.add(f5, place(Square::F6)).unwrap();
        assert_eq!(tree.next(f5), Some(tree.path(tip)[2]));
        tree.walk_to(f6);
        assert_eq!(tree.next(f5), Some(f6));
        assert!(tree.leads_to(f5, tip) && tree.leads_to(f5, f6) && !tree.leads_to(f6, tip));
        tree.remove(f6);
        assert_eq!(tree.next(f5), Some(tree.path(tip)[2]));
    }
}
