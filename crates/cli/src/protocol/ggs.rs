//! The Generic Game Server: a client that plays on its Othello service.

pub(crate) mod client;
pub(crate) mod connection;
pub(crate) mod policy;
mod wire;
