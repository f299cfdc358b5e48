//! The commands, one a file: its arguments with their manual, and what it does.

pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod show;
