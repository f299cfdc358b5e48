//! The tree as lines of text.

use std::io::Write;

use anyhow::Result;
use obverse_engine::classic::Algorithm;
use obverse_engine::classic::tree::{Kind, Tree};

use super::{cut_moves, number, summary, value};

pub(super) fn print(out: &mut dyn Write, tree: &Tree, algorithm: Algorithm) -> Result<()> {
    Printer { out, tree, algorithm }.node(0, "", "")?;
    for line in summary(tree, algorithm) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

struct Printer<'a> {
    out: &'a mut dyn Write,
    tree: &'a Tree,
    algorithm: Algorithm,
}

impl Printer<'_> {
    /// Prints a node and all below; `branch` leads to it and `margin` to its children.
    fn node(&mut self, index: usize, branch: &str, margin: &str) -> Result<()> {
        let node = &self.tree.nodes[index];
        let name = node.mv.map_or("root".to_owned(), |mv| mv.to_string());
        let kind = if node.kind == Kind::Max { "max" } else { "min" };
        write!(self.out, "{branch}{name}  {kind} {}", value(node))?;
        if self.algorithm == Algorithm::AlphaBeta {
            write!(self.out, "  ({}, {})", number(node.alpha), number(node.beta))?;
        }
        writeln!(self.out)?;
        let last = node.children.len().checked_sub(1).filter(|_| !node.is_cut());
        for (i, &child) in node.children.iter().enumerate() {
            let (branch, below) =
                if Some(i) == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.node(child, &format!("{margin}{branch}"), &format!("{margin}{below}"))?;
        }
        if node.is_cut() {
            writeln!(self.out, "{margin}└╌ cut: {}", cut_moves(node))?;
        }
        Ok(())
    }
}
