//! A sitting at the board as a pure state machine: messages in, messages out.

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
