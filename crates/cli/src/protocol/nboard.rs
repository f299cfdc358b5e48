//! The NBoard protocol, version 2: how GUIs and engines of the field talk.

pub(crate) mod engine;
pub(crate) mod host;
mod wire;
