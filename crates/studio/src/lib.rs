//! A sitting at the board as a pure state machine: messages in, messages out.

pub mod wire;
