//! The rules of Reversi on the square board: 8×8 (Othello), 6×6 and 4×4.
//!
//! Two sides, black (X) and white (O), place discs in turn. A move puts a disc on an empty square so
//! that in at least one of the eight directions it encloses a straight unbroken run of the
//! opponent's discs between itself and another disc of the mover; all discs so enclosed are turned
//! over. A side that has no move passes; when neither has one the game is over and the discs are
//! counted.
//!
//! Read in this order: [`Square`] and [`Bitboard`] (a set of squares), [`Board`] (the discs as the
//! side to move sees them), [`Position`] (with colors and a size), [`Game`] (with its moves). Then
//! [`notation`] for every way people write them down, [`Symmetry`], [`mod@perft`], and [`reach`] for
//! the question whether any game leads to a position. Search works with the [`kernel`] directly.
//!
//! ```
//! use obverse_board::{Position, Size, Square};
//!
//! let position = Position::start(Size::Eight);
//! let moves: Vec<String> = position.moves().into_iter().map(|m| m.to_string()).collect();
//! assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
//! let position = position.play(Square::F5)?;
//! # Ok::<(), obverse_board::IllegalMove>(())
//! ```
//!
//! The crate has no dependencies, does no I/O, and has no clock and no randomness of its own.

mod bitboard;
mod board;
mod color;
mod game;
pub mod kernel;
pub mod notation;
pub mod perft;
mod position;
pub mod reach;
mod score;
mod size;
mod square;
mod symmetry;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use game::{Game, Move};
pub use position::{IllegalMove, Position, Reason, SetupError};
pub use score::{Counting, Score};
pub use size::Size;
pub use square::{Direction, ParseSquareError, Square};
pub use symmetry::Symmetry;
