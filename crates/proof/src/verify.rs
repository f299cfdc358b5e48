//! The verifier: whether the lines of a certificate prove what it claims, if its leaves are true.

use std::collections::HashSet;

use crate::rules::{Board, Field};
use crate::{Certificate, Claim, How, Refusal, Sense};

/// A bound that must be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The line of the certificate.
    pub line: u64,
    /// The board.
    pub board: Board,
    /// What is claimed of it.
    pub claim: Claim,
}

/// Checks the tree of a certificate; returns the leaves, on whose truth all depends.
///
/// Every claim follows from the line of its position, to the letter: a line for a weaker or a stronger
/// bound is none, and a line that no claim needs is one too many.
///
/// # Errors
/// If something is missing, wrong or too much.
pub fn verify(certificate: &Certificate) -> Result<Vec<Leaf>, Refusal> {
    let field = certificate.field;
    let mut leaves = Vec::new();
    let mut used = HashSet::new();
    let mut open: Vec<(Board, Claim)> =
        certificate.claims.iter().map(|claim| (certificate.root, *claim)).collect();
    while let Some((board, claim)) = open.pop() {
        // A side that cannot move passes; a game that is over is counted.
        if board.is_over(field) {
            let score = board.score(field, certificate.counting);
            let is_true = match claim.sense {
                Sense::AtLeast => score >= claim.bound,
                Sense::AtMost => score <= claim.bound,
            };
            if !is_true {
                let name = name(board, field);
                return Err(Refusal(format!(
                    "{name} is over, and its score {score} is not {claim}"
                )));
            }
            continue;
        }
        if board.moves(field) == 0 {
            open.push((board.pass(), claim.turned()));
            continue;
        }
        let key = (board.least(field), claim);
        let Some(entry) = certificate.entries.get(&key) else {
            return Err(Refusal(format!("there is no line for {} {claim}", name(board, field))));
        };
        if !used.insert(entry.line) {
            continue;
        }
        let moves = entry.board.moves(field);
        let refuse = |why: String| Err(Refusal(format!("line {}: {why}", entry.line)));
        match (entry.how, claim.sense) {
            (How::Leaf, _) => leaves.push(Leaf { line: entry.line, board: entry.board, claim }),
            (How::Move(disc), Sense::AtLeast) => {
                if moves & disc == 0 {
                    return refuse("the move is not legal".to_owned());
                }
                open.push((entry.board.play(disc), claim.turned()));
            }
            (How::All, Sense::AtMost) => {
                let mut rest = moves;
                while rest != 0 {
                    let disc = rest & rest.wrapping_neg();
                    open.push((entry.board.play(disc), claim.turned()));
                    rest ^= disc;
                }
            }
            (How::Move(_), Sense::AtMost) => {
                return refuse("one move proves no upper bound".to_owned());
            }
            (How::All, Sense::AtLeast) => {
                return refuse("a lower bound is proven by one move".to_owned());
            }
        }
    }
    match certificate.entries.values().find(|entry| !used.contains(&entry.line)) {
        Some(entry) => Err(Refusal(format!("line {}: nothing needs it", entry.line))),
        None => Ok(leaves),
    }
}

fn name(board: Board, field: Field) -> String {
    format!("X {:016x} O {:016x} ({}x{})", board.mover, board.other, field.side, field.side)
}
