//! The analysis for people: a line a move, the graph, and the totals.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use obverse_board::{Color, Game, Position};
use obverse_engine::{Answer, Candidate};
use obverse_studio::judge::{Fault, Judged, Review, Total, Verdict};

use super::graph;
use super::judge::Judge;
use crate::command::show;
use crate::draw;

const FAINT: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();
const MISTAKE: Style = AnsiColor::Yellow.on_default();
const BLUNDER: Style = AnsiColor::Red.on_default().bold();

/// How many moves of a line are shown.
const LINE_MAX: usize = 12;

pub(super) fn print(
    out: &mut dyn Write,
    review: &Review,
    judge: &Judge,
    game: &Game,
    is_plain: bool,
    has_top: bool,
) -> Result<()> {
    let n_moves = review.placed().count();
    if !review.is_complete() {
        let n_judged = review.n_judged();
        writeln!(out, "Stopped: only the last {n_judged} of {n_moves} moves are analyzed.\n")?;
    }
    writeln!(out, "{HEAD}  #    played  value  best  value  lost     black  known as{HEAD:#}")?;
    for (_, judged) in &review.moves {
        print_move(out, judged)?;
        if let Some(verdict) = judged.verdict.as_ref().filter(|_| has_top) {
            let moves: Vec<String> = verdict.top.iter().map(move_and_value).collect();
            writeln!(out, "{FAINT}         {}{FAINT:#}", moves.join("  "))?;
        }
    }
    writeln!(
        out,
        "\nDiscs ahead: X (black) above, O (white) below; {}, {}",
        judge.counting, judge.effort
    )?;
    writeln!(out, "{}", graph::draw(review, is_plain))?;
    print_totals(out, review)?;
    writeln!(
        out,
        "\n{}",
        show::summary(game.position(), obverse_board::notation::Coords::Letters)
    )?;
    Ok(())
}

fn print_move(out: &mut dyn Write, judged: &Judged) -> Result<()> {
    let letter = judged.side.letter();
    if judged.is_pass() {
        writeln!(out, "     {letter}  pass")?;
        return Ok(());
    }
    let (number, played) = (judged.number, judged.mv.to_string());
    let (Some(verdict), Some(black)) = (&judged.verdict, judged.for_black()) else {
        writeln!(out, "{number:3}  {letter}  {played:6}  {FAINT}not analyzed{FAINT:#}")?;
        return Ok(());
    };
    let Candidate { mv: best, value: best_value, .. } = verdict.best();
    let (style, mark) = mark(verdict);
    // Where the best move was played there is nothing to compare.
    let best_style = if *best == judged.mv { FAINT } else { Style::new() };
    writeln!(
        out,
        "{number:3}  {letter}  {played:6} {:>6}  {best_style}{best:4} {:>6}{best_style:#}  \
         {style}{:>4} {mark:2}{style:#}  {:>6}  {}",
        draw::discs(verdict.value),
        draw::discs(*best_value),
        loss(verdict.loss()),
        draw::discs(black),
        verdict.certainty(),
        best = best.to_string(),
    )?;
    Ok(())
}

fn mark(verdict: &Verdict) -> (Style, &'static str) {
    match verdict.fault() {
        None => (Style::new(), ""),
        Some(Fault::Mistake) => (MISTAKE, "?"),
        Some(Fault::Blunder) => (BLUNDER, "??"),
    }
}

/// Nothing for nothing, so that losses stand out.
fn loss(discs: f32) -> String {
    if discs > 0.0 { number(discs) } else { "-".to_owned() }
}

/// With a decimal only where there is one.
fn number(discs: f32) -> String {
    let text = format!("{discs:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn move_and_value(candidate: &Candidate) -> String {
    format!("{} {}", candidate.mv, draw::discs(candidate.value))
}

fn print_totals(out: &mut dyn Write, review: &Review) -> Result<()> {
    writeln!(
        out,
        "{HEAD}            lost  proven  selective  estimate  mistakes  blunders  accuracy{HEAD:#}"
    )?;
    for side in [Color::Black, Color::White] {
        let total @ Total { mistakes, blunders, .. } = review.total(side);
        let accuracy =
            total.accuracy().map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share));
        writeln!(
            out,
            "{}  {:>5}  {:>6}  {:>9}  {:>8}  {mistakes:8}  {blunders:8}  {accuracy:>8}",
            draw::side(side),
            number(total.lost()),
            loss(total.proven),
            loss(total.selective),
            loss(total.estimated),
        )?;
    }
    Ok(())
}

pub(super) fn print_position(
    out: &mut dyn Write,
    position: Position,
    judge: &Judge<'_>,
    answer: &Answer,
    is_complete: bool,
) -> Result<()> {
    if position.is_over() {
        writeln!(out, "{}", show::summary(position, obverse_board::notation::Coords::Letters))?;
        return Ok(());
    }
    let side = draw::side(position.turn());
    writeln!(out, "{side} to move; {}, {}", judge.counting, judge.effort)?;
    if !is_complete {
        writeln!(out, "Stopped: these are the best moves so far.")?;
    }
    for Candidate { mv, value, line } in &answer.candidates {
        let shown: Vec<String> = line.iter().take(LINE_MAX).map(ToString::to_string).collect();
        let (text, known) = (draw::discs(*value), value.certainty.to_string());
        writeln!(out, "{:4} {text:>6}  {known:21}  {}", mv.to_string(), shown.join(" "))?;
    }
    Ok(())
}
