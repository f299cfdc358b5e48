//! What makes the players of Obverse stronger and is never part of play.
//!
//! A match asks which of two players is better. [`Openings`] says from where they play; every opening
//! is played twice with the colors exchanged, and [`Pairs`] counts the results by such pairs, because
//! the two games of a pair are not independent of each other. [`Sprt`] tells as early as possible
//! whether one player is better by some Elo, and [`Ratings`] compare more than two.
//!
//! ```
//! use obverse_lab::{Pairs, Sprt, Verdict};
//!
//! // Of 150 pairs 12 were lost twice, 40 by half a point, 60 even, 30 and 8 won.
//! let pairs = Pairs::from([12, 40, 60, 30, 8]);
//! let elo = pairs.elo().expect("there are pairs of more than one result");
//! assert_eq!((elo.value.round(), elo.error.round()), (-21.0, 28.0));
//! // Is the first player better by 20 Elo? No, and that is wrong in one of twenty cases at most.
//! let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
//! assert_eq!(sprt.verdict(&pairs), Some(Verdict::Rejected));
//! ```
//!
//! The evaluation is made in four steps. [`selfplay`] lets the engine play and makes [`record`]s of
//! the positions, [`mod@label`] gives them better labels, [`fit`] finds the weights that predict those
//! best, and [`probcut`] measures what a search by these weights may leave out. [`accuracy`] tells how
//! good the judgement has become.
//!
//! The crate prints nothing, starts no program and reads no file.

pub mod accuracy;
pub mod bases;
pub mod fit;
pub mod label;
pub mod leaves;
mod openings;
mod pairs;
pub mod probcut;
pub mod prune;
mod ratings;
pub mod record;
pub mod selfplay;
mod shuffle;
mod sprt;
mod walk;

pub use openings::{OpeningError, Openings};
pub use pairs::{Elo, Pairs};
pub use ratings::Ratings;
pub use shuffle::shuffle;
pub use sprt::{Sprt, SprtError, Verdict};
