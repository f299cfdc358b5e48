//! The commands, one a file: its arguments with their manual, and what it does.

pub(crate) mod analyze;
pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod convert;
pub(crate) mod kply;
pub(crate) mod lab;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod tiny;
pub(crate) mod tree;
pub(crate) mod verify;
pub(crate) mod worker;
