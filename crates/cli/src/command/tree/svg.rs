//! The tree as a picture, growing from left to right so that every label stays readable.

use std::io::Write;

use anyhow::Result;
use obverse_board::{Color, Move, Position, Square};
use obverse_engine::classic::Algorithm;
use obverse_engine::classic::tree::{Kind, Node, Tree};

use super::{cut_moves, number, summary, value};

/// Up to this many nodes every node shows its board without being asked.
const BOARDS_NODES_MAX: usize = 80;

const BOX_WIDTH: f64 = 104.0;
const GAP: f64 = 64.0;
const MARGIN: f64 = 16.0;
const HEADER: f64 = 84.0;

const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#1d2b24}\
.title{font-weight:600;font-size:15px}\
.small{font-size:10.5px;fill:#5b6a62}\
.value{font-weight:600}\
.max{fill:#d9efe0;stroke:#2f7d54}\
.min{fill:#fdeccb;stroke:#b07a1a}\
.edge{fill:none;stroke:#9aa8a0;stroke-width:1.2}\
.best{stroke:#1d2b24;stroke-width:2.6}\
.cut{fill:none;stroke:#b9bfbc;stroke-dasharray:4 4}\
.gone{fill:#8d9692;font-size:12px}";

/// Where a node is drawn: its middle line, and that of its cut branches.
#[derive(Clone, Copy, Default)]
struct Place {
    x: f64,
    y: f64,
    cut_y: f64,
}

struct Drawing<'a> {
    tree: &'a Tree,
    algorithm: Algorithm,
    /// The side of a node's board in pixels, 0 without boards.
    board: f64,
    box_height: f64,
    row_height: f64,
    places: Vec<Place>,
}

pub(super) fn print(
    out: &mut dyn Write,
    tree: &Tree,
    algorithm: Algorithm,
    boards: bool,
) -> Result<()> {
    let side = f64::from(tree.root().position.size().side());
    let has_boards = boards || tree.nodes.len() <= BOARDS_NODES_MAX;
    let board = if has_boards { 8.0 * side } else { 0.0 };
    let box_height = if algorithm == Algorithm::AlphaBeta { 36.0 } else { 24.0 };
    let row_height = f64::max(box_height, board) + 8.0;
    let places = vec![Place::default(); tree.nodes.len()];
    let mut drawing = Drawing { tree, algorithm, board, box_height, row_height, places };
    let mut n_rows = 0.0;
    drawing.place(0, 0, &mut n_rows);
    drawing.print(out, n_rows)
}

impl Drawing<'_> {
    fn box_width(&self) -> f64 {
        BOX_WIDTH + if self.board > 0.0 { self.board + 8.0 } else { 0.0 }
    }

    /// Gives every node a place: leaves one below the other, parents in the middle of theirs.
    fn place(&mut self, index: usize, level: usize, n_rows: &mut f64) {
        let node = &self.tree.nodes[index];
        let first_row = *n_rows;
        for &child in &node.children {
            self.place(child, level + 1, n_rows);
        }
        let mut cut_y = 0.0;
        if node.is_cut() {
            cut_y = self.row_y(*n_rows);
            *n_rows += 1.0;
        } else if node.is_leaf() {
            *n_rows += 1.0;
        }
        let x = MARGIN + level as f64 * (self.box_width() + GAP);
        let y = self.row_y((first_row + *n_rows - 1.0) / 2.0);
        self.places[index] = Place { x, y, cut_y };
    }

    fn row_y(&self, row: f64) -> f64 {
        HEADER + (row + 0.5) * self.row_height
    }

    fn print(&self, out: &mut dyn Write, n_rows: f64) -> Result<()> {
        let right = self.places.iter().map(|place| place.x).fold(0.0, f64::max);
        // Cut branches may be written to the right of the last column.
        let width = f64::max(right + self.box_width() + 150.0, 720.0);
        let height = HEADER + n_rows * self.row_height + MARGIN;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
        )?;
        writeln!(
            out,
            "<style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
        )?;
        self.header(out)?;
        for (i, node) in self.tree.nodes.iter().enumerate() {
            self.edges(out, i, node)?;
        }
        for (i, node) in self.tree.nodes.iter().enumerate() {
            self.node(out, self.places[i], node)?;
        }
        writeln!(out, "</svg>")?;
        Ok(())
    }

    fn header(&self, out: &mut dyn Write) -> Result<()> {
        let [title, counts] = summary(self.tree, self.algorithm);
        let root = self.tree.root().position.turn();
        let (max, min) = (root.letter(), (!root).letter());
        writeln!(out, "<text x=\"{MARGIN}\" y=\"26\" class=\"title\">{title}</text>")?;
        writeln!(out, "<text x=\"{MARGIN}\" y=\"46\">{counts}</text>")?;
        writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"66\" class=\"small\">▲ {max} to move takes the greatest value · ▼ {min} to move takes the least · thick: the move that gives the value · dashed: cut, never looked at</text>"
        )?;
        Ok(())
    }

    fn edges(&self, out: &mut dyn Write, index: usize, node: &Node) -> Result<()> {
        let from = self.places[index];
        let x = from.x + self.box_width();
        for &child in &node.children {
            let to = self.places[child];
            let class = if node.best == Some(child) { "edge best" } else { "edge" };
            writeln!(out, "{}", curve(x, from.y, to.x, to.y, class))?;
        }
        if node.is_cut() {
            let end = x + GAP;
            writeln!(out, "{}", curve(x, from.y, end, from.cut_y, "cut"))?;
            let (y, moves) = (from.cut_y + 4.0, cut_moves(node));
            writeln!(out, "<text x=\"{}\" y=\"{y}\" class=\"gone\">✂ {moves}</text>", end + 4.0)?;
        }
        Ok(())
    }

    fn node(&self, out: &mut dyn Write, place: Place, node: &Node) -> Result<()> {
        let Place { x, y, .. } = place;
        let (class, arrow) = if node.kind == Kind::Max { ("max", "▲") } else { ("min", "▼") };
        let left = if self.board > 0.0 {
            board(out, node.position, x, y - self.board / 2.0, node.mv.and_then(Move::square))?;
            x + self.board + 8.0
        } else {
            x
        };
        let (top, height) = (y - self.box_height / 2.0, self.box_height);
        writeln!(
            out,
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{BOX_WIDTH}\" height=\"{height}\" rx=\"6\"/>"
        )?;
        let line = top + 16.5;
        let name = node.mv.map_or("root".to_owned(), |mv| mv.to_string());
        writeln!(out, "<text x=\"{}\" y=\"{line}\">{arrow} {name}</text>", left + 8.0)?;
        let right = left + BOX_WIDTH - 8.0;
        writeln!(
            out,
            "<text x=\"{right}\" y=\"{line}\" text-anchor=\"end\" class=\"value\">{}</text>",
            value(node)
        )?;
        if self.algorithm == Algorithm::AlphaBeta {
            let window = format!("α {}  β {}", number(node.alpha), number(node.beta));
            writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" class=\"small\">{window}</text>",
                left + 8.0,
                line + 13.0
            )?;
        }
        Ok(())
    }
}

fn curve(x1: f64, y1: f64, x2: f64, y2: f64, class: &str) -> String {
    let middle = f64::midpoint(x1, x2);
    format!("<path class=\"{class}\" d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\"/>")
}

/// A small board; the last disc placed has a dot.
fn board(
    out: &mut dyn Write,
    position: Position,
    x: f64,
    y: f64,
    last: Option<Square>,
) -> Result<()> {
    let side = f64::from(position.size().side());
    let length = 8.0 * side;
    write!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{length}\" height=\"{length}\" fill=\"#5f9d78\"/>"
    )?;
    let mut lines = String::new();
    for i in 1..position.size().side() {
        let at = 8.0 * f64::from(i);
        lines.push_str(&format!("M{} {y}v{length}M{x} {}h{length}", x + at, y + at));
    }
    write!(out, "<path d=\"{lines}\" stroke=\"#47805f\" stroke-width=\".6\"/>")?;
    for color in [Color::Black, Color::White] {
        let fill = if color == Color::Black { "#16211b" } else { "#fbfbf8" };
        for square in position.discs(color) {
            let (cx, cy) = center(square, x, y);
            write!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3.3\" fill=\"{fill}\"/>")?;
        }
    }
    if let Some(square) = last {
        let (cx, cy) = center(square, x, y);
        write!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"1.2\" fill=\"#e0503c\"/>")?;
    }
    writeln!(out)?;
    Ok(())
}

fn center(square: Square, x: f64, y: f64) -> (f64, f64) {
    (x + 8.0 * f64::from(square.column()) + 4.0, y + 8.0 * f64::from(square.row()) + 4.0)
}
