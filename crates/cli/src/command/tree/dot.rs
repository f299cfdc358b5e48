//! The tree as a graph for Graphviz.

use std::io::Write;

use anyhow::Result;
use obverse_engine::classic::Algorithm;
use obverse_engine::classic::tree::{Kind, Tree};

use super::{cut_moves, number, summary, value};

pub(super) fn print(out: &mut dyn Write, tree: &Tree, algorithm: Algorithm) -> Result<()> {
    writeln!(out, "digraph tree {{")?;
    writeln!(
        out,
        "  rankdir=LR; node [fontname=\"sans-serif\", style=filled]; edge [fontname=\"sans-serif\"];"
    )?;
    writeln!(
        out,
        "  labelloc=t; fontname=\"sans-serif\"; label=\"{}\";",
        summary(tree, algorithm).join("\\n")
    )?;
    for (i, node) in tree.nodes.iter().enumerate() {
        let (shape, color) = match node.kind {
            Kind::Max => ("box", "#d9efe0"),
            Kind::Min => ("ellipse", "#fdeccb"),
        };
        let window = if algorithm == Algorithm::AlphaBeta {
            format!("\\n({}, {})", number(node.alpha), number(node.beta))
        } else {
            String::new()
        };
        writeln!(
            out,
            "  n{i} [shape={shape}, fillcolor=\"{color}\", label=\"{}{window}\"];",
            value(node)
        )?;
        for &child in &node.children {
            let mv = tree.nodes[child].mv.map_or(String::new(), |mv| mv.to_string());
            let style = if node.best == Some(child) { ", penwidth=3" } else { "" };
            writeln!(out, "  n{i} -> n{child} [label=\"{mv}\"{style}];")?;
        }
        if node.is_cut() {
            writeln!(out, "  c{i} [shape=plaintext, style=\"\", fontcolor=gray, label=\"cut\"];")?;
            writeln!(
                out,
                "  n{i} -> c{i} [style=dashed, color=gray, fontcolor=gray, label=\"{}\"];",
                cut_moves(node)
            )?;
        }
    }
    writeln!(out, "}}")?;
    Ok(())
}
