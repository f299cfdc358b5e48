//! The players of Obverse: search, evaluation and the textbook agents.
//!
//! [`classic`] holds what a course on game playing builds: a random player, minimax, alpha-beta with
//! and without move ordering and a transposition table, a positional heuristic, Reversi on the tiny
//! 4×4 board, the search tree as data, and the measurements that compare them. Each search there
//! counts its nodes exactly, so that a student can check a program of their own against it.
//!
//! ```
//! use obverse_board::{Move, Position, Size, Square, perft::Passes};
//! use obverse_engine::classic::{Algorithm, Depth, Eval, Lookahead, Spec, duel};
//!
//! // Both algorithms find the same move and value; alpha-beta looks at fewer positions.
//! let depth = Depth::new(5).unwrap();
//! let lookahead = Lookahead { depth, eval: Eval::Discs, passes: Passes::Ply };
//! let start = Position::start(Size::Eight);
//! let minimax = Algorithm::Minimax.search(lookahead, start);
//! let alphabeta = Algorithm::AlphaBeta.search(lookahead, start);
//! assert_eq!(minimax.best, Some(Move::Place(Square::D3)));
//! assert_eq!((alphabeta.best, alphabeta.value), (minimax.best, minimax.value));
//! assert_eq!((minimax.nodes, alphabeta.nodes), (1713, 339));
//!
//! // Players have names, as they are typed on the command line.
//! let mut black = "alphabeta:depth=3,eval=positional".parse::<Spec>()?.player(1);
//! let mut white = "random:seed=7".parse::<Spec>()?.player(1);
//! let game = duel::play(start, &mut black, &mut white);
//! assert!(game.is_over());
//! # Ok::<(), obverse_engine::classic::ParseSpecError>(())
//! ```
//!
//! [`solve`] is the exact solver: the proven score and best move of a position.
//!
//! The crate depends on the rules alone. It prints nothing, reads no file, no environment and no
//! clock, and holds no global state: randomness comes from a seed, and whoever wants times measures
//! the calls.

pub mod classic;
mod engine;
pub mod eval;
mod level;
mod pages;
mod search;
pub mod solve;
mod table;
mod think;

pub use engine::{Config, Engine, Monitor};
pub use level::Level;
pub use think::{Answer, Candidate, Caution, Certainty, Limits, Question, Value};
