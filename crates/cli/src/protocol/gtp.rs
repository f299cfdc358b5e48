//! The Go Text Protocol, version 2, as programs for Othello speak it.

pub(crate) mod engine;
pub(crate) mod host;
mod rules;
mod timing;
mod wire;
