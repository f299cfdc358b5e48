//! What the coordinator and the workers need of whatever lies between them.

use std::fmt;
use std::time::Duration;

use crate::{Chunk, Class, Results};

/// A queue of chunks and one of results.
///
/// A chunk that is taken is leased: whoever takes it renews the lease in time, or somebody else gets the
/// chunk too. So a chunk may be done twice, and results may come twice; whoever takes them must not mind.
pub trait Transport: Sync {
    /// Offers a chunk.
    ///
    /// # Errors
    /// If it is not certain that somebody will get it; offering it again does no harm.
    fn offer(&self, chunk: &Chunk) -> Result<Offer, Error>;

    /// Takes a chunk, if there is one within this time.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    fn lease(&self, class: Class, wait: Duration) -> Result<Option<Lease>, Error>;

    /// Says that the chunk is still being worked on.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    fn renew(&self, token: &Token) -> Result<(), Error>;

    /// Offers again what is left of a chunk, hands over its results, and then gives up the lease: the
    /// chunk is done.
    ///
    /// # Errors
    /// If it is not certain that all of this is safe; doing it again does no harm.
    fn finish(&self, token: &Token, results: &Results, rest: &[Chunk]) -> Result<(), Error>;

    /// Gives the chunk back.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    fn release(&self, token: &Token) -> Result<(), Error>;

    /// Takes results, if there are some within this time.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    fn results(&self, wait: Duration) -> Result<Option<Results>, Error>;

    /// How often a lease must be renewed; never if `None`.
    fn renewal(&self) -> Option<Duration>;
}

/// What became of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Somebody will get it.
    Taken,
    /// It was there already, or has been done.
    Known,
    /// There are too many already: try again later.
    Full,
}

/// A chunk that was handed out.
#[derive(Clone, PartialEq, Debug)]
pub struct Lease {
    /// By which it is renewed, finished or released.
    pub token: Token,
    /// The chunk.
    pub chunk: Chunk,
    /// How often it has been handed out, this time included.
    pub n_tries: u64,
}

/// Stands for a lease.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Token(pub String);

/// Why a queue could not do what it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// It cannot be reached, or does not answer; later it may.
    Away(String),
    /// It refuses; trying again is no use.
    Refused(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Away(why) => write!(f, "the queue does not answer: {why}"),
            Error::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}
