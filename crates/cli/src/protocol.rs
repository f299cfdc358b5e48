//! The protocols that programs of the field speak with each other.

pub(crate) mod nboard;
mod process;
