//! What Obverse has found out, kept in a database. No other crate knows that it is `SQLite`.
//!
//! [`Knowledge`] is a file of solved positions: what is proven of each, what it cost and which engine
//! proved it. Results of many runs on many machines end up in one such file.
//!
//! ```
//! use obverse_board::{Counting, Position, Score};
//! use obverse_store::{Added, Finding, Key, Knowledge};
//!
//! let mut knowledge = Knowledge::in_memory()?;
//! let (key, _) = Key::of(Position::parse("start:4x4").unwrap(), Counting::Discs);
//! let finding = Finding {
//!     lower: Score(-8), upper: Score(-8), best: None, nodes: 1021, micros: 90, engine: "mine".into(),
//! };
//! assert_eq!(knowledge.add(key, &finding)?, Added::New);
//! assert_eq!(knowledge.find(key)?, Some(finding));
//! # Ok::<(), obverse_store::Error>(())
//! ```

mod error;
mod key;
mod knowledge;
mod waiting;

pub use error::Error;
pub use key::Key;
pub use knowledge::{Added, Contradiction, Finding, Knowledge};
pub use waiting::Waiting;
