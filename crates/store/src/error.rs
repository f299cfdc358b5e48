//! What can go wrong with a store.

use std::fmt;

/// Why a store could not be read or written.
#[derive(Debug)]
pub enum Error {
    /// The database says so.
    Sqlite(rusqlite::Error),
    /// The file is a database of something else, or of a later version.
    Foreign {
        /// What was found.
        found: String,
    },
    /// A row holds what no program of ours writes.
    Corrupt(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Sqlite(error) => error.fmt(f),
            Error::Foreign { found } => {
                write!(f, "found {found}, expected a store of solved positions of version 1")
            }
            Error::Corrupt(what) => write!(f, "the store is damaged: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Sqlite(error)
    }
}
