//! Questions to the solver, answered by as many threads and machines as there are.
//!
//! A [`Question`] asks something of a position: its score, whether it is a win, whether the score lies
//! in some window, what a level of play thinks of it. Questions are filed by the least of the eight
//! symmetric boards, so what was answered once need not be asked again. The [`Coordinator`] hands out
//! [`Chunk`]s of questions and matches the answers with those who wait for them; a [`Crew`] of threads
//! answers them. Between the two is a [`Transport`]: a [queue in memory](MemoryTransport) on one machine,
//! [NATS](nats) on many. All else is the same.
//!
//! [`prove`] grows a tree of moves down to positions that can be solved, and asks just those that decide
//! whether a claim holds.
//!
//! Only `nats.rs` does input or output. The coordinator, the assignments of workers and the proof tree
//! are state machines without threads or clocks; `crew.rs` gives them threads.

mod answer;
mod assignment;
mod chunk;
mod coordinator;
pub mod cost;
mod crew;
mod memory;
pub mod nats;
pub mod prove;
mod question;
mod solver;
mod transport;
pub mod wire;

pub use answer::{Answer, Estimate, MoveBounds, Outcome, Results};
pub use assignment::{Assignment, Begin, TRIES_MAX};
pub use chunk::{Builder, Chunk, ChunkId, Class, Job};
pub use coordinator::{Coordinator, Desk, MemoryDesk};
pub use crew::{Control, Crew, Event, Tally};
pub use memory::MemoryTransport;
pub use question::{Limits, Question, Task};
pub use solver::{EngineShop, Shop, Solver, all_moves, engine_name, table_mib};
pub use transport::{Error, Lease, Offer, Token, Transport};
