//! `obverse batch cost`: what positions cost, against what was predicted.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};

use anyhow::{Context, Result, bail};
use obverse_cluster::cost::{Model, n_moves};
use obverse_cluster::{Question, Task, cost};
use serde::Serialize;

use super::record::Record;
use crate::{Answer, wire};

/// Compare what positions cost to solve with what was predicted.
///
/// IN are outputs of `obverse batch solve`. For each number of empty squares it prints how many positions
/// were solved, the nodes of a typical one (the geometric mean) and of all divided by their number, how far
/// the prediction is off for the typical one, and the speed. Then the coefficients that would fit best;
/// those in use are in crates/cluster/src/cost.rs.
///
/// Examples:
///   obverse batch cost scores.jsonl
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Results of `obverse batch solve`
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CostWire {
    by_empties: Vec<Row>,
    base: f64,
    per_empty: f64,
    per_move: f64,
    /// The standard deviation of the logarithm of the nodes about the fit.
    spread: f64,
}

#[derive(Serialize)]
struct Row {
    empties: u32,
    positions: usize,
    typical_nodes: f64,
    mean_nodes: f64,
    /// Predicted for the typical one, divided by that.
    predicted: f64,
    nodes_per_second: f64,
}

/// A solved position.
struct Case {
    n_empties: u32,
    n_moves: u32,
    nodes: f64,
    seconds: f64,
    predicted: f64,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let mut cases = Vec::new();
        for path in &self.inputs {
            let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
            for (i, line) in BufReader::new(file).lines().enumerate() {
                let place = || format!("{path}, line {}", i + 1);
                let record: Record =
                    serde_json::from_str(&line.with_context(place)?).with_context(place)?;
                if record.known || !record.proven || record.nodes == 0 {
                    continue;
                }
                let (question, _) =
                    record.answer().map_err(anyhow::Error::msg).with_context(place)?;
                if question.task == Task::Exact {
                    cases.push(case(&question, &record));
                }
            }
        }
        let Some((model, spread)) = fit(&cases) else {
            bail!("found {} solved positions, expected more, of different kinds", cases.len());
        };
        let wire = CostWire {
            by_empties: rows(&cases),
            base: model.base,
            per_empty: model.per_empty,
            per_move: model.per_move,
            spread,
        };
        if self.json {
            wire::print(out, &wire)?;
            return Ok(Answer::Yes);
        }
        writeln!(out, "empties positions  typical nodes     mean nodes  predicted  M nodes/s")?;
        for row in &wire.by_empties {
            let Row { empties, positions, typical_nodes, mean_nodes, predicted, .. } = row;
            let speed = row.nodes_per_second / 1e6;
            writeln!(
                out,
                "{empties:7} {positions:9} {typical_nodes:14.0} {mean_nodes:14.0} {predicted:9.2}x {speed:10.1}"
            )?;
        }
        let CostWire { base, per_empty, per_move, spread, .. } = &wire;
        writeln!(
            out,
            "best fit  log10 nodes = {base:.3} + {per_empty:.4} empties + {per_move:.4} moves, \
             give or take {spread:.2}"
        )?;
        Ok(Answer::Yes)
    }
}

fn case(question: &Question, record: &Record) -> Case {
    Case {
        n_empties: question.n_empties(),
        n_moves: n_moves(question),
        nodes: record.nodes as f64,
        seconds: record.seconds,
        predicted: cost::nodes(question),
    }
}

fn rows(cases: &[Case]) -> Vec<Row> {
    let mut groups: BTreeMap<u32, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        groups.entry(case.n_empties).or_default().push(case);
    }
    let row = |(empties, group): (u32, Vec<&Case>)| {
        let n = group.len() as f64;
        let mean = |of: fn(&Case) -> f64| group.iter().map(|case| of(case)).sum::<f64>() / n;
        let typical = 10_f64.powf(mean(|case| case.nodes.log10()));
        Row {
            empties,
            positions: group.len(),
            typical_nodes: typical,
            mean_nodes: mean(|case| case.nodes),
            predicted: 10_f64.powf(mean(|case| case.predicted.log10())) / typical,
            nodes_per_second: mean(|case| case.nodes) / mean(|case| case.seconds).max(1e-9),
        }
    };
    groups.into_iter().map(row).collect()
}

/// The model that fits best by least squares, and how far it is off; none if there are too few cases.
fn fit(cases: &[Case]) -> Option<(Model, f64)> {
    let features = |case: &Case| [1.0, f64::from(case.n_empties), f64::from(case.n_moves)];
    let mut sums = [[0.0; 4]; 3];
    for case in cases {
        let x = features(case);
        for (row, xi) in sums.iter_mut().zip(x) {
            for (sum, xj) in row.iter_mut().zip(x.iter().chain([&case.nodes.log10()])) {
                *sum += xi * xj;
            }
        }
    }
    let [base, per_empty, per_move] = solve(sums)?;
    let model = Model { base, per_empty, per_move };
    let error = |case: &Case| case.nodes.log10() - model.log_nodes(case.n_empties, case.n_moves);
    let squares: f64 = cases.iter().map(|case| error(case).powi(2)).sum();
    Some((model, (squares / cases.len() as f64).sqrt()))
}

/// Solves three linear equations.
fn solve(mut rows: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for i in 0..3 {
        let pivot = (i..3).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i].abs() < 1e-9 {
            return None;
        }
        for j in (0..3).filter(|j| *j != i) {
            let factor = rows[j][i] / rows[i][i];
            let pivot = rows[i];
            for (value, above) in rows[j].iter_mut().zip(pivot) {
                *value -= factor * above;
            }
        }
    }
    Some([0, 1, 2].map(|i| rows[i][3] / rows[i][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_what_the_nodes_were_made_of() {
        let cases: Vec<Case> = (0..60)
            .map(|i| {
                let (n_empties, n_moves) = (10 + i % 7, 5 + i % 11);
                let log = 0.5 + 0.3 * f64::from(n_empties) + 0.02 * f64::from(n_moves);
                let nodes = 10_f64.powf(log);
                Case { n_empties, n_moves, nodes, seconds: 1.0, predicted: nodes }
            })
            .collect();
        let (model, spread) = fit(&cases).unwrap();
        assert!((model.base - 0.5).abs() < 1e-6 && (model.per_empty - 0.3).abs() < 1e-6);
        assert!((model.per_move - 0.02).abs() < 1e-6 && spread < 1e-6);
        assert!(fit(&cases[..1]).is_none());
        assert_eq!(rows(&cases).len(), 7);
    }
}
