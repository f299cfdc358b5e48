//! The analysis as JSON, version 1 as all of it.

use std::io::Write;

use anyhow::Result;
use obverse_board::{Color, Game};
use obverse_engine::{Answer, Candidate, Certainty, Value};
use obverse_studio::judge::{Fault, Judged, Review, Total};
use obverse_studio::view::tenths;
use serde::Serialize;

use super::judge::Judge;
use crate::wire;

/// A game with what its moves are worth.
#[derive(Serialize)]
pub(crate) struct ReviewWire {
    counting: String,
    effort: String,
    /// Whether every move was judged.
    complete: bool,
    moves: Vec<JudgedWire>,
    black: TotalWire,
    white: TotalWire,
    /// The end of the game.
    position: wire::PositionWire,
}

#[derive(Serialize)]
struct JudgedWire {
    number: u32,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    verdict: Option<VerdictWire>,
}

#[derive(Serialize)]
struct VerdictWire {
    value: ValueWire,
    best: String,
    best_value: ValueWire,
    lost: f32,
    /// `mistake` or `blunder`.
    fault: Option<&'static str>,
    /// What the game is worth for Black after the move.
    for_black: f32,
    top: Vec<CandidateWire>,
}

/// In discs, for the side that moves.
#[derive(Serialize)]
struct ValueWire {
    discs: f32,
    /// `proven`, `selective` or `estimate`.
    certainty: &'static str,
    /// How sure a selective search was of what it left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u8>,
    /// How many moves ahead an estimate looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

#[derive(Serialize)]
struct CandidateWire {
    #[serde(rename = "move")]
    mv: String,
    value: ValueWire,
    line: Vec<String>,
}

#[derive(Serialize)]
struct TotalWire {
    moves: u32,
    lost: f32,
    lost_proven: f32,
    lost_selective: f32,
    lost_estimate: f32,
    mistakes: u32,
    blunders: u32,
    /// The share of the moves with a choice that lose less than one disc.
    accuracy: Option<f32>,
}

#[derive(Serialize)]
struct BestWire {
    position: wire::PositionWire,
    counting: String,
    effort: String,
    complete: bool,
    moves: Vec<CandidateWire>,
}

pub(super) fn print_review(
    out: &mut dyn Write,
    review: &Review,
    game: &Game,
    judge: &Judge<'_>,
) -> Result<()> {
    wire::print(out, &self::review(review, game, judge))
}

pub(crate) fn review(review: &Review, game: &Game, judge: &Judge<'_>) -> ReviewWire {
    ReviewWire {
        counting: judge.counting.to_string(),
        effort: judge.effort.to_string(),
        complete: review.is_complete(),
        moves: review.moves.iter().map(|(_, judged)| judge_move(judged)).collect(),
        black: total(review.total(Color::Black)),
        white: total(review.total(Color::White)),
        position: wire::position(game),
    }
}

pub(super) fn print_position(
    out: &mut dyn Write,
    game: &Game,
    judge: &Judge<'_>,
    answer: &Answer,
    complete: bool,
) -> Result<()> {
    let wire = BestWire {
        position: wire::position(game),
        counting: judge.counting.to_string(),
        effort: judge.effort.to_string(),
        complete,
        moves: answer.candidates.iter().map(candidate).collect(),
    };
    wire::print(out, &wire)
}

fn judge_move(judged: &Judged) -> JudgedWire {
    let verdict = judged.verdict.as_ref().zip(judged.for_black()).map(|(verdict, for_black)| {
        let best = verdict.best();
        VerdictWire {
            value: value(verdict.value),
            best: best.mv.to_string(),
            best_value: value(best.value),
            lost: verdict.loss(),
            fault: verdict.fault().map(|fault| match fault {
                Fault::Mistake => "mistake",
                Fault::Blunder => "blunder",
            }),
            for_black: for_black.discs,
            top: verdict.top.iter().map(candidate).collect(),
        }
    });
    let (number, side) = (judged.number, wire::color(judged.side));
    JudgedWire { number, side, mv: judged.mv.to_string(), verdict }
}

fn candidate(candidate: &Candidate) -> CandidateWire {
    CandidateWire {
        mv: candidate.mv.to_string(),
        value: value(candidate.value),
        line: candidate.line.iter().map(ToString::to_string).collect(),
    }
}

fn value(Value { discs, certainty }: Value) -> ValueWire {
    let (certainty, percent, depth) = match certainty {
        Certainty::Proven => ("proven", None, None),
        Certainty::Selective(percent) => ("selective", Some(percent), None),
        Certainty::Estimate(depth) => ("estimate", None, Some(depth)),
    };
    ValueWire { discs, certainty, percent, depth }
}

fn total(total: Total) -> TotalWire {
    // Sums of tenths are tenths, but not of binary numbers.
    TotalWire {
        moves: total.moves,
        lost: tenths(total.lost()),
        lost_proven: tenths(total.proven),
        lost_selective: tenths(total.selective),
        lost_estimate: tenths(total.estimated),
        mistakes: total.mistakes,
        blunders: total.blunders,
        accuracy: total.accuracy(),
    }
}
