//! A finished proof as a certificate.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;

use anyhow::{Context, Result};
use obverse_board::{Counting, Position};
use obverse_cluster::prove::{Claim, Prover};
use obverse_proof::{Board, Claim as Bound, Counting as Count, Field, How, Writer};

/// How long a certificate is.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Written {
    pub(super) lines: u64,
    pub(super) leaves: u64,
}

/// Writes the certificate of proofs of the same position, whole or not at all.
pub(super) fn write(
    path: &str,
    position: Position,
    counting: Counting,
    claim: &str,
    provers: &[Prover],
) -> Result<Written> {
    let new = format!("{path}.new");
    let written = try_write(&new, position, counting, claim, provers);
    let written = written.with_context(|| format!("cannot write {path}"))?;
    std::fs::rename(&new, path).with_context(|| format!("cannot write {path}"))?;
    Ok(written)
}

fn try_write(
    path: &str,
    position: Position,
    counting: Counting,
    claim: &str,
    provers: &[Prover],
) -> std::io::Result<Written> {
    let file = File::create(path)?;
    let field = Field { side: position.size().side().into() };
    let count = match counting {
        Counting::Discs => Count::Discs,
        Counting::WinnerTakesEmpties => Count::WinnerTakesEmpties,
    };
    let out = BufWriter::new(&file);
    let mut writer = Writer::new(out, field, count, board(position), claim)?;
    let mut seen = HashSet::new();
    let mut leaves = 0;
    let mut outcome = Ok(());
    for prover in provers {
        prover.each_line(&mut |position, claim, mv, is_leaf| {
            let (board, bound) = (board(position), bound(claim));
            if outcome.is_err() || !seen.insert((board, bound)) {
                return;
            }
            leaves += u64::from(is_leaf);
            let how = match mv {
                _ if is_leaf => How::Leaf,
                Some(square) => How::Move(1 << square.index()),
                None => How::All,
            };
            outcome = writer.add(board, bound, how);
        });
    }
    outcome?;
    let lines = writer.finish()?;
    file.sync_all()?;
    Ok(Written { lines, leaves })
}

fn board(position: Position) -> Board {
    let board = position.board();
    Board { mover: board.player().0, other: board.opponent().0 }
}

fn bound(claim: Claim) -> Bound {
    match claim {
        Claim::AtLeast(bound) => Bound::at_least(bound.into()),
        Claim::AtMost(bound) => Bound::at_most(bound.into()),
    }
}
