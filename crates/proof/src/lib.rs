//! Certificates of proofs, and the verifier that trusts nobody.
//!
//! A [`Certificate`] claims something of a position's score and lists the positions that prove it: where
//! one move is enough, the move; where all moves must be looked at, that; and at the end of the tree,
//! bounds that can be solved anew. [`verify`](fn@verify) checks the tree, and [`Solver`] the bounds.
//!
//! The crate shares no code with the prover: it has rules of its own, written plainly, and a solver that
//! does nothing clever. It depends on nothing, and is meant to be read in one sitting: `rules.rs`,
//! `solver.rs`, `certificate.rs`, `verify.rs`. `docs/certificate-format.md` tells the format.
//!
//! ```
//! use obverse_proof::{Certificate, Solver, verify};
//!
//! // On 4×4 the first player loses by 8 discs at least, and this is why.
//! let text = "obverse certificate 1\ncounting discs\nposition -----OX--XO----- X\nclaim <= -8\n\
//!             -----OX--XO----- <= -8 leaf\nend 1\n";
//! let certificate = Certificate::read(text.as_bytes())?;
//! let leaves = verify(&certificate)?;
//! let mut solver = Solver::new(certificate.field, certificate.counting);
//! assert!(leaves.iter().all(|leaf| solver.holds(leaf.board, leaf.claim)));
//! # Ok::<(), obverse_proof::Refusal>(())
//! ```

mod certificate;
mod rules;
mod solver;
mod verify;

pub use certificate::{Certificate, Claim, Entry, How, Refusal, Sense, Writer};
pub use rules::{Board, Counting, Field};
pub use solver::Solver;
pub use verify::{Leaf, verify};
