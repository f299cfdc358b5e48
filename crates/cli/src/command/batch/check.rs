//! `obverse batch check`: whether results can be true together.

use std::io::Write;

use anyhow::Result;
use obverse_board::{Counting, Position, Score};
use obverse_proof::{Board, Claim, Counting as Count, Field, Solver};
use obverse_store::{Added, Finding, Key, Knowledge};
use serde::Serialize;

use super::record::obf;
use super::source::{Item, Source};
use crate::command::verify::Resolve;
use crate::{Answer, wire};

/// Check whether results can be true together.
///
/// IN is a store, or an output of `obverse batch solve`. It is checked that no two results of a position
/// contradict each other; that no position is worse than one of its moves, nor better than all of them,
/// where those are known; and with --resolve that a sample of them is right, by the plain solver of
/// `obverse verify`, which shares no code with the one that found them.
///
/// The exit status is 1 if something is wrong.
///
/// Examples:
///   obverse batch check all.store
///   obverse batch check scores.jsonl --resolve 100
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A store, or results
    #[arg(value_name = "IN")]
    input: String,

    /// Solve some anew: all, a number of them, or a percentage
    #[arg(long, value_name = "all|N|P%", default_value = "0")]
    resolve: Resolve,

    /// Solve none with more empty squares than this anew
    #[arg(long, value_name = "N", default_value_t = 16)]
    resolve_empties: u32,

    /// What the sample is drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct CheckWire {
    positions: u64,
    contradictions: u64,
    /// Positions that do not fit to their moves.
    inconsistent: u64,
    resolved: u64,
    wrong: u64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let source = Source::open(&self.input)?;
        let mut wire = CheckWire::default();
        let mut told = Vec::new();
        // Results are put together in a store of their own, to find those of the same position.
        let store = match source {
            Source::Store(store) => store,
            Source::Records(_) => {
                let mut store = Knowledge::temporary()?;
                source.each(&mut |Item { key, finding, .. }| {
                    if let Added::Contradiction(found) = store.add(key, &finding)? {
                        told.push(format!("{}: {found}", obf(key.position())));
                    }
                    Ok(())
                })?;
                store.commit()?;
                told.clear();
                store
            }
        };
        for found in store.contradictions()? {
            wire.contradictions += 1;
            told.push(format!("{}: {found}", obf(found.key.position())));
        }
        let mut sample = Vec::new();
        store.each(&mut |key, finding| {
            wire.positions += 1;
            if let Some(why) = misfit(&store, key, &finding)? {
                wire.inconsistent += 1;
                told.push(format!("{}: {why}", obf(key.position())));
            }
            if key.position().empties().count() <= self.resolve_empties
                && self.resolve != Resolve::Number(0)
            {
                sample.push((key, finding.lower, finding.upper));
            }
            Ok::<(), anyhow::Error>(())
        })?;
        self.resolve.sample(&mut sample, self.seed);
        for (key, lower, upper) in sample {
            wire.resolved += 1;
            if !is_right(key, lower, upper) {
                wire.wrong += 1;
                let name = obf(key.position());
                told.push(format!("{name}: the score is not from {lower} to {upper}"));
            }
        }
        let is_fine = wire.contradictions + wire.inconsistent + wire.wrong == 0;
        if self.json {
            wire::print(out, &wire)?;
        } else {
            let CheckWire { positions, contradictions, inconsistent, resolved, wrong } = &wire;
            for text in &told {
                writeln!(out, "{text}")?;
            }
            writeln!(out, "positions {positions}")?;
            writeln!(
                out,
                "wrong     {contradictions} contradictions, {inconsistent} that do not fit to their \
                 moves, {wrong} of {resolved} solved anew"
            )?;
        }
        Ok(if is_fine { Answer::Yes } else { Answer::No })
    }
}

/// Why a position does not fit to what is known of its moves, if so.
fn misfit(store: &Knowledge, key: Key, finding: &Finding) -> Result<Option<String>> {
    let position = key.position();
    let next: Vec<Position> = if position.must_pass() {
        vec![position.pass_unchecked()]
    } else {
        position.moves().into_iter().map(|mv| position.play_unchecked(mv)).collect()
    };
    if next.is_empty() {
        let score = position.score_for(position.turn(), key.counting());
        let is_in = (finding.lower..=finding.upper).contains(&score);
        return Ok((!is_in).then(|| format!("the game is over, and its score {score}")));
    }
    let mut most = Some(Score(i8::MIN));
    for next in next {
        let Some(known) = store.find(Key::of(next, key.counting()).0)? else {
            most = None;
            continue;
        };
        if -known.upper > finding.upper {
            return Ok(Some(format!("at most {}, but a move has {}", finding.upper, -known.upper)));
        }
        most = most.map(|most| most.max(-known.lower));
    }
    let is_too_high = most.is_some_and(|most| most < finding.lower);
    Ok(is_too_high.then(|| format!("at least {}, but no move has that", finding.lower)))
}

/// Whether bounds are true, by the plain solver.
fn is_right(key: Key, lower: Score, upper: Score) -> bool {
    let board = key.position().board();
    let board = Board { mover: board.player().0, other: board.opponent().0 };
    let counting = match key.counting() {
        Counting::Discs => Count::Discs,
        Counting::WinnerTakesEmpties => Count::WinnerTakesEmpties,
    };
    let mut solver = Solver::new(Field { side: key.size().side().into() }, counting);
    solver.holds(board, Claim::at_least(lower.0.into()))
        && solver.holds(board, Claim::at_most(upper.0.into()))
}
