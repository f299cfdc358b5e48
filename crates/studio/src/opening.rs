//! Openings and their names.
//!
//! A name belongs to a position, turned or mirrored as may be: it does not matter in which order its
//! moves were made.

mod table;

use std::collections::HashMap;

use obverse_board::{Game, Position, Size};

use self::table::OPENINGS;
use crate::tree::{NodeId, Tree};
use crate::wire::OpeningWire;

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its English name.
    pub en: &'static str,
    /// Its Japanese name, where we know one.
    pub ja: Option<&'static str>,
}

/// The openings that have a name.
#[derive(Clone, Debug)]
pub struct Openings {
    by_position: HashMap<Position, Opening>,
    /// Beyond so many moves there is none.
    n_moves_max: u32,
}

impl Default for Openings {
    fn default() -> Openings {
        let by_position: HashMap<Position, Opening> = OPENINGS
            .iter()
            .map(|&(moves, en, ja)| {
                let game = Game::parse(moves).expect("the moves of openings are legal");
                (game.position().canonical(), Opening { en, ja })
            })
            .collect();
        let n_moves = |(moves, ..): &(&str, _, _)| moves.len() as u32 / 2;
        Openings { by_position, n_moves_max: OPENINGS.iter().map(n_moves).max().unwrap_or(0) }
    }
}

impl Openings {
    /// The opening that leads to a position.
    pub fn name(&self, position: Position) -> Option<Opening> {
        let n_moves = 60_u32.checked_sub(position.empties().count())?;
        if position.size() != Size::Eight || n_moves > self.n_moves_max {
            return None;
        }
        self.by_position.get(&position.canonical()).copied()
    }

    /// The last opening on the way to a node, and where it was.
    pub(crate) fn on_the_way(&self, tree: &Tree, node: NodeId) -> Option<OpeningWire> {
        tree.path(node).into_iter().rev().find_map(|node| self.at(tree, node))
    }

    /// The opening that has this name at a node.
    pub(crate) fn at(&self, tree: &Tree, node: NodeId) -> Option<OpeningWire> {
        let Opening { en, ja } = self.name(tree.node(node).position)?;
        Some(OpeningWire { en, ja, node })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Symmetry;

    #[test]
    fn every_opening_is_legal_and_has_a_position_of_its_own() {
        let openings = Openings::default();
        assert_eq!(openings.by_position.len(), OPENINGS.len());
        let mut names: Vec<&str> = OPENINGS.iter().map(|&(_, en, _)| en).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), OPENINGS.len());
        assert!(OPENINGS.is_sorted_by_key(|&(moves, ..)| moves));
    }

    #[test]
    fn names_do_not_depend_on_the_point_of_view_or_the_order() {
        let openings = Openings::default();
        let name = |text: &str| {
            let position = Game::parse(text).unwrap().position();
            let names = Symmetry::ALL.map(|s| openings.name(position.transformed(s)));
            assert!(names.iter().all(|name| *name == names[0]), "{text}");
            names[0].map(|opening| opening.en)
        };
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("d3c5f6f5e6"), Some("Tiger"));
        assert_eq!(name("f5f6e6d6c5"), Some("Cow"), "mirrored in itself");
        assert_eq!(name("f5d6c3d3c4f4c5"), None);
        assert_eq!(name("start:6x6"), None);
    }

    #[test]
    fn the_last_name_on_the_way_is_known() {
        let openings = Openings::default();
        let (tree, tip) = Tree::from_game(&Game::parse("f5d6c3d3c4f4c5").unwrap());
        let opening = openings.on_the_way(&tree, tip).unwrap();
        assert_eq!((opening.en, opening.node), ("Tiger", tree.path(tip)[5]));
        assert_eq!(openings.on_the_way(&tree, Tree::ROOT), None);
    }
}
