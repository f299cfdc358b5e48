//! The course of a game as a graph of characters: Black's discs up, White's down.

use anstyle::{AnsiColor, Style};
use obverse_board::Color;

use obverse_studio::judge::{Fault, Judged, Review, Verdict};

/// Rows above the middle line, and below it.
const N_ROWS: usize = 4;

/// Up to this many moves each one gets two columns.
const WIDE_MOVES_MAX: usize = 32;

const FAINT: Style = Style::new().dimmed();
const BLACK: Style = AnsiColor::Green.on_default();
const WHITE: Style = AnsiColor::Yellow.on_default();
const FAULT: Style = AnsiColor::Red.on_default().bold();

/// The characters of a graph.
struct Ink {
    full: char,
    /// Half a row, on the side of the middle line.
    half_up: char,
    half_down: char,
    axis: char,
    zero: char,
    cross: char,
}

const BLOCKS: Ink =
    Ink { full: '█', half_up: '▄', half_down: '▀', axis: '│', zero: '─', cross: '┼' };
const ASCII: Ink =
    Ink { full: '#', half_up: '.', half_down: '\'', axis: '|', zero: '-', cross: '+' };

/// The least of these that every value fits in is the end of the scale; shared with the picture.
pub(super) fn scale(values: impl Iterator<Item = f32>) -> f32 {
    let most = values.map(f32::abs).fold(0.0, f32::max);
    [4.0, 8.0, 16.0, 24.0, 32.0, 48.0].into_iter().find(|&end| most <= end).unwrap_or(64.0)
}

/// Draws what the game is worth for Black after each move, and below it who went wrong where.
pub(super) fn draw(review: &Review, is_plain: bool) -> String {
    let ink = if is_plain { ASCII } else { BLOCKS };
    let values: Vec<Option<f32>> =
        review.placed().map(|judged| judged.for_black().map(|value| value.discs)).collect();
    let end = scale(values.iter().flatten().copied());
    let width = if values.len() <= WIDE_MOVES_MAX { 2 } else { 1 };
    let mut text = String::new();
    for row in (0..N_ROWS).rev() {
        let label = if row + 1 == N_ROWS { format!("{end:+}") } else { String::new() };
        let bars = bars(&values, end, row, 1.0, width, [ink.full, ink.half_up]);
        line(&mut text, &label, ink.axis, BLACK, &bars);
    }
    line(&mut text, "0", ink.cross, FAINT, &ink.zero.to_string().repeat(values.len() * width));
    for row in 0..N_ROWS {
        let label = if row + 1 == N_ROWS { format!("{:+}", -end) } else { String::new() };
        let bars = bars(&values, end, row, -1.0, width, [ink.full, ink.half_down]);
        line(&mut text, &label, ink.axis, WHITE, &bars);
    }
    line(&mut text, "", ' ', FAINT, &numbers(values.len(), width));
    let faults = faults(review, width);
    if !faults.trim().is_empty() {
        line(&mut text, "", ' ', FAULT, &faults);
        line(&mut text, "", ' ', FAINT, "x o: a mistake, X O: a blunder");
    }
    text
}

fn line(text: &mut String, label: &str, axis: char, style: Style, bars: &str) {
    let bars = bars.trim_end();
    // Without bars nothing is drawn, so that no line ends in spaces.
    if bars.is_empty() {
        text.push_str(format!("{label:>5} {axis}").trim_end());
    } else {
        text.push_str(&format!("{label:>5} {axis}{style}{bars}{style:#}"));
    }
    text.push('\n');
}

/// One row of bars that grow from the middle in the direction of `sign`.
fn bars(
    values: &[Option<f32>],
    end: f32,
    row: usize,
    sign: f32,
    width: usize,
    [full, half]: [char; 2],
) -> String {
    let cell = |value: &Option<f32>| {
        let rows = value.map_or(0.0, |value| sign * value / end * N_ROWS as f32) - row as f32;
        let c = match rows {
            rows if rows >= 0.75 => full,
            rows if rows >= 0.25 => half,
            // What is there at all is shown.
            rows if row == 0 && rows > 0.0 => half,
            _ => ' ',
        };
        c.to_string().repeat(width)
    };
    values.iter().map(cell).collect()
}

/// `1        10        20`, each number ending below its move.
fn numbers(n_moves: usize, width: usize) -> String {
    let mut text = format!("{:>width$}", 1);
    for number in (10..=n_moves).step_by(10) {
        let filled = number * width - text.len();
        text.push_str(&format!("{number:>filled$}"));
    }
    text
}

/// The letter of whoever made a mistake, small, or a blunder, large.
fn faults(review: &Review, width: usize) -> String {
    let cell = |judged: &Judged| {
        let fault = judged.verdict.as_ref().and_then(Verdict::fault);
        let letter = match (fault, judged.side) {
            (None, _) => ' ',
            (Some(Fault::Mistake), Color::Black) => 'x',
            (Some(Fault::Mistake), Color::White) => 'o',
            (Some(Fault::Blunder), Color::Black) => 'X',
            (Some(Fault::Blunder), Color::White) => 'O',
        };
        format!("{letter:>width$}")
    };
    review.placed().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_hold_their_values() {
        let end = |values: &[f32]| scale(values.iter().copied());
        assert_eq!(end(&[]).to_bits(), 4.0_f32.to_bits());
        assert_eq!(end(&[0.5, -8.0]).to_bits(), 8.0_f32.to_bits());
        assert_eq!(end(&[0.5, -8.1]).to_bits(), 16.0_f32.to_bits());
        assert_eq!(end(&[64.0]).to_bits(), 64.0_f32.to_bits());
    }

    #[test]
    fn bars_grow_from_the_middle() {
        let values = [Some(0.0), Some(0.1), Some(2.0), Some(4.0), Some(-4.0), None];
        let row = |row, sign| bars(&values, 4.0, row, sign, 1, ['#', '.']);
        assert_eq!(row(0, 1.0), " .##  ");
        assert_eq!(row(1, 1.0), "  ##  ");
        assert_eq!(row(3, 1.0), "   #  ");
        assert_eq!(row(3, -1.0), "    # ");
    }

    #[test]
    fn numbers_end_below_their_moves() {
        assert_eq!(numbers(9, 1), "1");
        assert_eq!(numbers(12, 1), "1       10");
        assert_eq!(numbers(12, 2), " 1                10");
    }
}
