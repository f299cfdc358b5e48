//! A sitting as a text that a page keeps.

use super::{Refusal, Sitting};
use crate::wire::ErrorCode;

impl Sitting {
    /// Everything worth keeping.
    pub fn saved(&self) -> String {
        String::new()
    }

    /// The sitting that was saved as a text; chance comes from `seed`.
    ///
    /// # Errors
    /// If it is no such text.
    pub fn restore(_saved: &str, _seed: u64) -> Result<Sitting, Refusal> {
        Err(Refusal::new(ErrorCode::BadSaved, "not yet"))
    }
}
