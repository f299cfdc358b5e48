//! The course of a game as a picture: Black's mountains above the middle, White's below.
//!
//! The discs keep their colors on a ground of board green; the text around it follows the reader's
//! light or dark theme.

use obverse_board::Color;
use obverse_engine::Certainty;
use obverse_studio::judge::{Fault, Judged, Review, Verdict};

use super::graph;
use super::judge::Judge;
use crate::draw;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 936.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 344.0;
const MIDDLE: f64 = f64::midpoint(TOP, BOTTOM);
/// The band that tells how values are known.
const BAND: f64 = 378.0;

const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#1d2b24}\
.ground{fill:#fbfcfb}\
.title{font-weight:600;font-size:16px}\
.small{font-size:11.5px;fill:#54635b}\
.end{text-anchor:end}.mid{text-anchor:middle}\
.board{fill:#5f9d78}\
.grid{stroke:#4d8865;stroke-width:1}\
.zero{stroke:#16211b;stroke-width:1.2}\
.black{fill:#16211b}.white{fill:#fbfbf8}\
.course{fill:none;stroke:#2c4a3a;stroke-width:1.4;stroke-linejoin:round}\
.on{font-size:12px;font-weight:600}\
.fault{stroke:#e0503c;stroke-width:3}\
.name{font-size:12px;font-weight:600;fill:#a32412;stroke:#fbfcfb;stroke-width:3.5;paint-order:stroke;\
stroke-linejoin:round}\
.touch{fill:transparent}\
.proven{fill:#2f7d54}.selective{fill:#8fbf9f}.estimate{fill:#cfd8d2}\
@media(prefers-color-scheme:dark){text{fill:#e4ece7}.ground{fill:#141c18}.small{fill:#a3b2a9}\
.estimate{fill:#4a574f}.proven{fill:#4fae7b}.selective{fill:#3f6f54}\
.black{fill:#16211b}.white{fill:#fbfbf8}}";

pub(super) fn draw(review: &Review, judge: &Judge) -> String {
    let moves: Vec<&Judged> = review.placed().collect();
    let values = moves.iter().filter_map(|judged| judged.for_black());
    let end = graph::scale(values.map(|value| value.discs));
    let plot = Plot { end: f64::from(end), n: moves.len() };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>The course of a game of Othello</title>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n"
    );
    header(&mut text, review, judge);
    plot.axes(&mut text);
    plot.course(&mut text, &moves);
    text.push_str(&format!(
        "<text class=\"on white\" x=\"{0}\" y=\"{1}\">Black ahead</text>\n\
         <text class=\"on black\" x=\"{0}\" y=\"{2}\">White ahead</text>\n",
        LEFT + 10.0,
        TOP + 18.0,
        BOTTOM - 10.0
    ));
    plot.faults(&mut text, &moves);
    plot.band(&mut text, &moves);
    text.push_str("</svg>\n");
    text
}

/// What is drawn, and what each side lost.
fn header(text: &mut String, review: &Review, judge: &Judge) {
    text.push_str(&format!(
        "<text class=\"title\" x=\"{LEFT}\" y=\"30\">Discs ahead after each move</text>\n\
         <text class=\"small end\" x=\"{RIGHT}\" y=\"30\">{}, {}</text>\n",
        judge.counting, judge.effort
    ));
    for (i, side) in [Color::Black, Color::White].into_iter().enumerate() {
        let total = review.total(side);
        let x = LEFT + 440.0 * i as f64;
        let class = class(side);
        let name = if side == Color::Black { "Black" } else { "White" };
        let accuracy = total
            .accuracy()
            .map_or(String::new(), |share| format!(", {:.0} % accurate", 100.0 * share));
        text.push_str(&format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"55\" r=\"6.5\" stroke=\"#7b8a82\"/>\
             <text x=\"{}\" y=\"59.5\">{name} lost {:.1} discs: {}, {}{accuracy}</text>\n",
            x + 7.0,
            x + 20.0,
            total.lost(),
            count(total.mistakes, "mistake"),
            count(total.blunders, "blunder"),
        ));
    }
    if !review.is_complete() {
        text.push_str(&format!(
            "<text class=\"small end\" x=\"{RIGHT}\" y=\"46\">stopped: not every move is analyzed</text>\n"
        ));
    }
}

fn count(n: u32, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

const fn class(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Where things are drawn.
struct Plot {
    /// The value at the upper edge.
    end: f64,
    n: usize,
}

impl Plot {
    /// Where move number `i` + 1 is; the edges are half a move away.
    fn x(&self, i: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * (i as f64 + 0.5) / self.n.max(1) as f64
    }

    fn y(&self, discs: f64) -> f64 {
        MIDDLE - (BOTTOM - TOP) / 2.0 * discs / self.end
    }

    fn axes(&self, text: &mut String) {
        let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
        text.push_str(&format!(
            "<rect class=\"board\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>\n"
        ));
        for part in [1.0, 0.5, 0.0, -0.5, -1.0] {
            let (y, value) = (self.y(part * self.end), part * self.end);
            let label = if value == 0.0 { "0".to_owned() } else { format!("{value:+}") };
            if part.abs() < 1.0 && part != 0.0 {
                text.push_str(&format!("<path class=\"grid\" d=\"M{LEFT} {y}h{width}\"/>"));
            }
            text.push_str(&format!(
                "<text class=\"small end\" x=\"{}\" y=\"{}\">{label}</text>\n",
                LEFT - 8.0,
                y + 4.0
            ));
        }
        let step = if self.n > 24 { 5 } else { 1 };
        for number in (1..=self.n).filter(|number| *number == 1 || number % step == 0) {
            let x = self.x(number - 1);
            text.push_str(&format!(
                "<path class=\"grid\" d=\"M{x:.1} {TOP}V{BOTTOM}\"/>\
                 <text class=\"small mid\" x=\"{x:.1}\" y=\"{}\">{number}</text>\n",
                BOTTOM + 16.0
            ));
        }
        text.push_str(&format!(
            "<text class=\"small end\" x=\"{}\" y=\"{}\">move</text>\n",
            LEFT - 8.0,
            BOTTOM + 16.0
        ));
    }

    /// The line through all values, filled towards the middle on each side in its color.
    fn course(&self, text: &mut String, moves: &[&Judged]) {
        text.push_str(&format!(
            "<clipPath id=\"up\"><path d=\"M0 0H{WIDTH}V{MIDDLE}H0z\"/></clipPath>\
             <clipPath id=\"down\"><path d=\"M0 {MIDDLE}H{WIDTH}V{HEIGHT}H0z\"/></clipPath>\n"
        ));
        let points: Vec<(usize, f64)> = moves
            .iter()
            .enumerate()
            .filter_map(|(i, judged)| Some((i, f64::from(judged.for_black()?.discs))))
            .collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        // Analyzed from the end, so what is known is in one piece.
        let line: Vec<String> = points
            .iter()
            .map(|&(i, discs)| format!("{:.1} {:.1}", self.x(i), self.y(discs)))
            .collect();
        let line = line.join("L");
        let (from, to) = (self.x(first.0), self.x(last.0));
        let area = format!("M{from:.1} {MIDDLE}L{line}L{to:.1} {MIDDLE}z");
        text.push_str(&format!(
            "<path class=\"black\" clip-path=\"url(#up)\" d=\"{area}\"/>\n\
             <path class=\"white\" clip-path=\"url(#down)\" d=\"{area}\"/>\n\
             <path class=\"zero\" d=\"M{LEFT} {MIDDLE}H{RIGHT}\"/>\n\
             <path class=\"course\" d=\"M{line}\"/>\n"
        ));
    }

    /// A disc for every fault, the name of every blunder, and what each move was worth on touch.
    fn faults(&self, text: &mut String, moves: &[&Judged]) {
        let mut names: Vec<(f64, f64)> = Vec::new();
        // Written last, so that no disc covers them.
        let mut written = String::new();
        for (i, judged) in moves.iter().enumerate() {
            let (Some(verdict), Some(value)) = (&judged.verdict, judged.for_black()) else {
                continue;
            };
            let (x, y) = (self.x(i), self.y(f64::from(value.discs)));
            let note = note(judged, verdict);
            let Some(fault) = verdict.fault() else {
                text.push_str(&format!(
                    "<circle class=\"touch\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"><title>{note}</title></circle>\n"
                ));
                continue;
            };
            let radius = if fault == Fault::Blunder { 6.5 } else { 4.5 };
            text.push_str(&format!(
                "<circle class=\"{} fault\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{note}</title></circle>\n",
                class(judged.side)
            ));
            if fault == Fault::Blunder {
                let name_y = name_y(x, y, judged.side, &names);
                names.push((x, name_y));
                written.push_str(&format!(
                    "<text class=\"name mid\" x=\"{:.1}\" y=\"{name_y:.1}\">{} {}??</text>\n",
                    x.clamp(LEFT + 22.0, RIGHT - 22.0),
                    judged.number,
                    judged.mv
                ));
            }
        }
        text.push_str(&written);
    }

    /// How the values are known, from move to move.
    fn band(&self, text: &mut String, moves: &[&Judged]) {
        let kind = |judged: &Judged| judged.for_black().map(|value| kind(value.certainty));
        let width = (RIGHT - LEFT) / self.n.max(1) as f64;
        for run in moves.chunk_by(|a, b| kind(a) == kind(b)) {
            let (Some(name), Some(first)) =
                (kind(run[0]), moves.iter().position(|m| m.number == run[0].number))
            else {
                continue;
            };
            let (x, length) = (LEFT + width * first as f64, width * run.len() as f64);
            text.push_str(&format!(
                "<rect class=\"{name}\" x=\"{x:.1}\" y=\"{BAND}\" width=\"{:.1}\" height=\"5\" rx=\"2.5\"/>",
                length - 2.0
            ));
            // A name needs room.
            if length > 54.0 {
                text.push_str(&format!(
                    "<text class=\"small mid\" x=\"{:.1}\" y=\"{}\">{name}</text>",
                    x + length / 2.0,
                    BAND + 19.0
                ));
            }
            text.push('\n');
        }
    }
}

/// Where the name of a blunder at `x`, `y` goes: Black's lead down and are named below, White's above,
/// unless there is no room; names that would overlap move on.
fn name_y(x: f64, y: f64, side: Color, names: &[(f64, f64)]) -> f64 {
    let is_free = |at: f64| {
        (TOP + 12.0..BOTTOM - 3.0).contains(&at)
            && !names.iter().any(|&(nx, ny)| (nx - x).abs() < 48.0 && (ny - at).abs() < 14.0)
    };
    let below = [22.0, 37.0].map(|away| y + away);
    let above = [12.0, 27.0].map(|away| y - away);
    let (first, second) = if side == Color::Black { (below, above) } else { (above, below) };
    let places = first.into_iter().chain(second);
    let mut places = places.filter(|&at| is_free(at));
    places.next().unwrap_or_else(|| y.clamp(TOP + 12.0, BOTTOM - 4.0))
}

const fn kind(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proven => "proven",
        Certainty::Selective(_) => "selective",
        Certainty::Estimate(_) => "estimate",
    }
}

/// `12 White c4: -6.2, best d3 -1.0, lost 5.2, estimate (depth 12)`.
fn note(judged: &Judged, verdict: &Verdict) -> String {
    let (number, mv) = (judged.number, judged.mv);
    let side = if judged.side == Color::Black { "Black" } else { "White" };
    let value = draw::discs(verdict.value);
    let best = verdict.best();
    let better = if best.mv == mv {
        "best".to_owned()
    } else {
        format!("best {} {}, lost {:.1}", best.mv, draw::discs(best.value), verdict.loss())
    };
    format!("{number} {side} {mv}: {value}, {better}, {}", verdict.certainty())
}
