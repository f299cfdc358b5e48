//! What a proof is going to cost.

use std::io::Write;

use anyhow::Result;
use obverse_cluster::cost::NODES_PER_SECOND;
use obverse_cluster::prove::{Forecast, Goal, Oracle, forecast};
use serde::Serialize;

use crate::{Answer, wire};

#[derive(Serialize)]
struct PlanWire {
    claims: Vec<ClaimWire>,
    leaves: f64,
    lines: f64,
    nodes: f64,
    core_hours: f64,
    certificate_mb: f64,
}

#[derive(Serialize)]
struct ClaimWire {
    claim: String,
    leaves: f64,
    lines: f64,
    nodes: f64,
    /// The standard error of the nodes, as a share.
    error: f64,
}

/// The walks are the same each time.
const SEED: u64 = 1;

pub(super) fn print(
    out: &mut dyn Write,
    goals: impl Iterator<Item = Goal>,
    oracle: &mut dyn Oracle,
    n_walks: u32,
    json: bool,
) -> Result<Answer> {
    let mut area = 64;
    let claims: Vec<ClaimWire> = goals
        .map(|goal| {
            area = goal.position.size().area();
            let Forecast { leaves, lines, nodes, error } = forecast(goal, oracle, n_walks, SEED);
            ClaimWire { claim: goal.claim.to_string(), leaves, lines, nodes, error }
        })
        .collect();
    let sum = |of: fn(&ClaimWire) -> f64| claims.iter().map(of).sum::<f64>();
    let nodes = sum(|claim| claim.nodes);
    let lines = sum(|claim| claim.lines);
    let wire = PlanWire {
        leaves: sum(|claim| claim.leaves),
        lines,
        nodes,
        core_hours: nodes / NODES_PER_SECOND / 3600.0,
        // The squares, a bound and how it is proven.
        certificate_mb: lines * (f64::from(area) + 12.0) / 1e6,
        claims,
    };
    if json {
        wire::print(out, &wire)?;
        return Ok(Answer::Yes);
    }
    for claim in &wire.claims {
        let ClaimWire { claim, leaves, lines, nodes, error } = claim;
        writeln!(
            out,
            "{claim:9} {leaves:.2e} leaves, {lines:.2e} lines, {nodes:.2e} nodes (± {:.0} %)",
            100.0 * error
        )?;
    }
    writeln!(out, "in all    {:.2e} leaves, {:.2e} nodes", wire.leaves, wire.nodes)?;
    writeln!(
        out,
        "cost      {:.3e} core hours at {:.0} million nodes a second",
        wire.core_hours,
        NODES_PER_SECOND / 1e6
    )?;
    writeln!(out, "size      {:.2e} MB of certificate", wire.certificate_mb)?;
    writeln!(
        out,
        "estimated by {n_walks} walks; transpositions make a tree smaller, surprises larger"
    )?;
    Ok(Answer::Yes)
}
