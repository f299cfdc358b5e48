//! A board for people: coordinates, colors on a terminal, legal moves marked.

use anstyle::{AnsiColor, Style};
use obverse_board::{Bitboard, Color, Position, Square};
use obverse_engine::{Certainty, Value};

const FAINT: Style = Style::new().dimmed();
const BLACK: Style = AnsiColor::Green.on_default().bold();
const WHITE: Style = AnsiColor::Yellow.on_default().bold();
const LEGAL: Style = AnsiColor::Cyan.on_default();
const LAST: Style = Style::new().underline();

/// The board with column letters and row numbers; `marked` squares as `+`, the last move underlined.
///
/// What it draws can be read back as a grid.
pub(crate) fn board(position: Position, marked: Bitboard, last: Option<Square>) -> String {
    let size = position.size();
    let letters: String =
        (0..size.side()).map(|column| format!(" {}", char::from(b'a' + column))).collect();
    let mut text = format!("{FAINT}  {letters}{FAINT:#}\n");
    for row in 0..size.side() {
        text.push_str(&format!("{FAINT}{:>2}{FAINT:#}", row + 1));
        for square in (0..size.side()).filter_map(|column| Square::at(column, row)) {
            let (style, c) = match position.color_at(square) {
                Some(Color::Black) => (BLACK, 'X'),
                Some(Color::White) => (WHITE, 'O'),
                None if marked.contains(square) => (LEGAL, '+'),
                None => (FAINT, '.'),
            };
            let style = if last == Some(square) { style | LAST.get_effects() } else { style };
            text.push_str(&format!(" {style}{c}{style:#}"));
        }
        text.push('\n');
    }
    text
}

/// `X (black)` or `O (white)` in its color.
pub(crate) fn side(color: Color) -> String {
    let style = if color == Color::Black { BLACK } else { WHITE };
    format!("{style}{} ({color}){style:#}", color.letter())
}

/// `X 2, O 2`.
pub(crate) fn tally(position: Position) -> String {
    let n = |color| position.discs(color).count();
    format!("X {}, O {}", n(Color::Black), n(Color::White))
}

/// `+4`, or `+3.7` where it is an estimate.
pub(crate) fn discs(value: Value) -> String {
    let digits = usize::from(matches!(value.certainty, Certainty::Estimate(_)));
    let text = format!("{:+.digits$}", value.discs);
    if text[1..].bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text[1..].to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_show_how_exact_they_are() {
        let text = |discs, certainty| super::discs(Value { discs, certainty });
        assert_eq!(text(4.0, Certainty::Proven), "+4");
        assert_eq!(text(-4.0, Certainty::Selective(95)), "-4");
        assert_eq!(text(0.0, Certainty::Proven), "0");
        assert_eq!(text(3.72, Certainty::Estimate(8)), "+3.7");
        assert_eq!(text(-0.04, Certainty::Estimate(8)), "0.0");
    }
}
