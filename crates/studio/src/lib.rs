//! A sitting at the board as a pure state machine: messages in, messages out.
//!
//! [`sitting::Sitting`] is one person's sitting: it hears what the page says, plays, analyzes, judges,
//! loads and saves, and says what the page has to show. It never waits and never searches: what needs an
//! engine it orders as a [`work::Job`], and whoever has one works on it when there is time, as a
//! [`work::Work`]. So the same code serves many people at one server, or one in a browser.
//!
//! ```
//! use std::time::Duration;
//! use obverse_studio::sitting::{Order, Setup, Sitting};
//! use obverse_studio::wire::{Resumed, ToPage};
//!
//! let mut sitting = Sitting::new(Setup { seed: 1, threads: 1 });
//! sitting.attend(Duration::ZERO, "name", Resumed::New);
//! let game = r#"{"type":"new-game","size":8,"black":"human","white":"engine:level=3"}"#;
//! sitting.receive(Duration::ZERO, game);
//! let output = sitting.receive(Duration::from_secs(1), r#"{"type":"play","square":"f5"}"#);
//! assert!(output.messages.iter().any(|message| matches!(message, ToPage::State(_))));
//! // The engine's move has been ordered; its news go to `Sitting::hear`.
//! assert!(matches!(output.orders[..], [Order::Start(..)]));
//! ```
//!
//! [`wire`] has the messages; [`judge`], [`clock`] and [`pace`] also serve the command line.
//!
//! There is no socket, no thread, no clock and no randomness in here but what the caller brings.

pub mod clock;
pub mod judge;
pub mod opening;
mod overlay;
pub mod pace;
mod picture;
mod search_tree;
pub mod seat;
pub mod sitting;
pub mod tree;
pub mod view;
pub mod wire;
pub mod work;
