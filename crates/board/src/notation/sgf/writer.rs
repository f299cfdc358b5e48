//! Writing SGF.

use crate::Color;
use crate::notation::record::{Ending, Line, Mark, Note, Outcome, Record};

/// Writes a game, its moves in one line.
pub(in crate::notation) fn print(record: &Record) -> String {
    let start = record.game().start();
    let mut text = String::with_capacity(800);
    text.push_str("(;GM[2]FF[4]CA[UTF-8]AP[Obverse]");
    push(&mut text, "SZ", &start.size().side().to_string());
    let number = |n: Option<f64>| n.map(|n| n.to_string()).unwrap_or_default();
    let result = record.result();
    for (name, value) in [
        ("PB", record.black.name.clone()),
        ("BR", number(record.black.rating)),
        ("PW", record.white.name.clone()),
        ("WR", number(record.white.rating)),
        ("EV", record.event.clone()),
        ("RO", record.round.clone()),
        ("PC", record.site.clone()),
        ("DT", record.date.as_ref().map(|date| date.day_text('-')).unwrap_or_default()),
        ("TM", main_time(record)),
        ("RE", result.map(result_text).unwrap_or_default()),
        ("TH", record.theoretical.map(|n| n.to_string()).unwrap_or_default()),
        ("KM", number(record.komi.as_ref().and_then(|komi| komi.value))),
    ] {
        if !value.is_empty() {
            push(&mut text, name, &value);
        }
    }
    push_extras(&mut text, record);
    if !record.comment.is_empty() {
        push(&mut text, "C", &record.comment);
    }
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        if start.discs(color).any() {
            text.push_str(name);
            text.extend(start.discs(color).into_iter().map(|square| format!("[{square}]")));
        }
    }
    if (start.discs(Color::Black) | start.discs(Color::White)).is_empty() {
        // Without a word about discs it would be the usual start.
        text.push_str("AE[a1]");
    }
    text.push_str(if start.turn() == Color::Black { "PL[B]" } else { "PL[W]" });
    text.push('\n');
    push_line(&mut text, &record.line, 0, false);
    text.push(')');
    text
}

fn main_time(record: &Record) -> String {
    let clocks = record.clocks;
    let clock = clocks.black.filter(|_| clocks.black == clocks.white);
    clock.map(|clock| clock.main.to_string()).unwrap_or_default()
}

fn result_text(outcome: Outcome) -> String {
    let letter = match outcome.winner {
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
        None => return "0".to_owned(),
    };
    match (outcome.discs, outcome.ending) {
        (Some(discs), _) => format!("{letter}+{discs}"),
        (None, Ending::Resigned) => format!("{letter}+R"),
        (None, Ending::Timeout) => format!("{letter}+T"),
        (None, Ending::Left) => format!("{letter}+F"),
        (None, Ending::Played | Ending::Agreed) => format!("{letter}+"),
    }
}

/// The facts that have no property: those with a name like one as one, the others in the game comment.
fn push_extras(text: &mut String, record: &Record) {
    const HAS_PROPERTY: [&str; 10] = [
        "Event", "Site", "Date", "Round", "Black", "White", "Result", "BlackElo", "WhiteElo",
        "Komi",
    ];
    let ending = record.outcome.filter(|outcome| outcome.discs.is_none()).map(|o| o.ending);
    let is_told = matches!(ending, Some(Ending::Resigned | Ending::Timeout | Ending::Left));
    let (mut lines, mut last) = (String::new(), "");
    for (name, value) in &record.facts() {
        let is_plain_time = || value.bytes().all(|b| b.is_ascii_digit());
        match *name {
            "Theoretical" => {}
            "Termination" if is_told => {}
            "TimeControl" if is_plain_time() => {}
            name if HAS_PROPERTY.contains(&name) => {}
            name if name.bytes().all(|b| b.is_ascii_uppercase()) && !RESERVED.contains(&name) => {
                if name == last {
                    push(text, "", value);
                } else {
                    push(text, name, value);
                }
                last = name;
            }
            name => {
                if !lines.is_empty() {
                    lines.push('\n');
                }
                lines += &format!("{name}: {}", value.replace('\n', " "));
            }
        }
    }
    if !lines.is_empty() {
        push(text, "GC", &lines);
    }
}

/// Properties that an extra may not be mistaken for.
const RESERVED: [&str; 32] = [
    "GM", "FF", "CA", "AP", "SZ", "PB", "BR", "PW", "WR", "EV", "RO", "PC", "DT", "TM", "RE", "TH",
    "KM", "GC", "C", "AB", "AW", "AE", "PL", "B", "W", "ST", "BL", "WL", "N", "V", "ET", "TE",
];

/// Writes the moves from `ply` on; `is_open` tells that the branches there have been seen to.
fn push_line(text: &mut String, line: &Line, from: usize, is_open: bool) {
    for (ply, (before, mv, note)) in line.steps().enumerate().skip(from) {
        let mut branches = line.branches.iter().filter(|branch| branch.ply == ply).peekable();
        if branches.peek().is_some() && !(ply == from && is_open) {
            text.push('(');
            push_line(text, line, ply, true);
            text.push(')');
            for branch in branches {
                text.push('(');
                push_line(text, &branch.line, 0, false);
                text.push(')');
            }
            return;
        }
        let color = before.turn();
        let word = mv.square().map_or("PA".to_owned(), |square| square.to_string());
        text.push(';');
        push(text, if color == Color::Black { "B" } else { "W" }, &word);
        if let Some(note) = note {
            push_note(text, note, color);
        }
    }
}

fn push_note(text: &mut String, note: &Note, color: Color) {
    if let Some(eval) = note.eval {
        let value = if color == Color::Black { eval } else { 0.0 - eval };
        push(text, "V", &value.to_string());
    }
    if let Some(seconds) = note.seconds {
        push(text, "ET", &seconds.to_string());
    }
    if let Some(clock) = note.clock {
        push(text, if color == Color::Black { "BL" } else { "WL" }, &clock.to_string());
    }
    match note.mark {
        Some(Mark::Good) => text.push_str("TE[1]"),
        Some(Mark::Brilliant) => text.push_str("TE[2]"),
        Some(Mark::Mistake) => text.push_str("BM[1]"),
        Some(Mark::Blunder) => text.push_str("BM[2]"),
        Some(Mark::Interesting) => text.push_str("IT[]"),
        Some(Mark::Dubious) => text.push_str("DO[]"),
        None => {}
    }
    if !note.comment.is_empty() {
        push(text, "C", &note.comment);
    }
}

/// Writes a property with a value, in which brackets and backslashes are escaped, and what looks like
/// the beginning of a game.
fn push(text: &mut String, name: &str, value: &str) {
    text.push_str(name);
    text.push('[');
    let mut last = ' ';
    for c in value.chars() {
        if matches!(c, ']' | '\\') || (last == '(' && c == ';') {
            text.push('\\');
        }
        text.push(c);
        last = c;
    }
    text.push(']');
}
