//! A position as an SVG picture.

use std::fmt::Write as _;

use obverse_board::{Color, Position, Square};

/// The width of a square, and of the margin for the coordinates.
const SQUARE: u32 = 60;
const MARGIN: u32 = 30;

const STYLE: &str = "text{font:600 16px system-ui,sans-serif;text-anchor:middle;fill:#5d6b63}\
.board{fill:#3c7d57}.line{stroke:#2a5a3f;stroke-width:1.5}.dot{fill:#2a5a3f}\
.black{fill:#1b1f1d}.white{fill:#f6f7f5;stroke:#c9cec9}\
.last{fill:none;stroke:#e0a526;stroke-width:3}\
.move{fill:#1b1f1d;fill-opacity:.28}.move-white{fill:#f6f7f5;fill-opacity:.5}";

/// Draws a position; `last` is the square of the last disc placed.
pub(crate) fn draw(position: Position, last: Option<Square>) -> String {
    let side = u32::from(position.size().side());
    let board = side * SQUARE;
    let whole = board + 2 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\" \
         width=\"{whole}\" height=\"{whole}\">\n<style>{STYLE}</style>\n\
         <rect class=\"board\" x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{board}\" height=\"{board}\"/>\n"
    );
    let mut add = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    let end = MARGIN + board;
    for i in 0..=side {
        let at = MARGIN + i * SQUARE;
        let line = |x1, y1, x2, y2| {
            format!("<line class=\"line\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>")
        };
        add(line(at, MARGIN, at, end));
        add(line(MARGIN, at, end, at));
    }
    for i in 0..side {
        let at = MARGIN + i * SQUARE + SQUARE / 2;
        let letter = char::from(b'a' + i as u8);
        add(format!("<text x=\"{at}\" y=\"{}\">{letter}</text>", MARGIN - 10));
        add(format!("<text x=\"{}\" y=\"{}\">{}</text>", MARGIN / 2, at + 6, i + 1));
    }
    if side == 8 {
        for (x, y) in [(2, 2), (2, 6), (6, 2), (6, 6)] {
            let (x, y) = (MARGIN + x * SQUARE, MARGIN + y * SQUARE);
            add(format!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"));
        }
    }
    let mut circle = |class: &str, square: Square, radius: u32| {
        let center = |line: u8| MARGIN + u32::from(line) * SQUARE + SQUARE / 2;
        let (x, y) = (center(square.column()), center(square.row()));
        add(format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    };
    for (color, class) in [(Color::Black, "black"), (Color::White, "white")] {
        for square in position.discs(color) {
            circle(class, square, SQUARE * 2 / 5);
        }
    }
    let class = if position.turn() == Color::Black { "move" } else { "move-white" };
    for square in position.moves() {
        circle(class, square, SQUARE / 10);
    }
    if let Some(square) = last {
        circle("last", square, SQUARE * 2 / 5);
    }
    text.push_str("</svg>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_disc_and_move_is_drawn() {
        for text in ["start", "f5d6c3", "start:4x4", "start:6x6"] {
            let position = Position::parse(text).unwrap();
            let picture = draw(position, Some(Square::A1));
            let count = |class: &str| picture.matches(&format!("class=\"{class}\" c")).count();
            assert_eq!(count("black") as u32, position.discs(Color::Black).count());
            assert_eq!(count("white") as u32, position.discs(Color::White).count());
            assert_eq!((count("move") + count("move-white")) as u32, position.moves().count());
            assert_eq!(count("last"), 1);
        }
    }
}
