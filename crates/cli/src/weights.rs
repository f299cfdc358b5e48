//! Evaluations from files.

use std::sync::Arc;

use anyhow::{Context, Result};
use obverse_engine::eval::Weights;

/// Reads a file of weights; an error names it.
pub(crate) fn read(path: &str) -> Result<Arc<Weights>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
    Ok(Arc::new(Weights::parse(&bytes).with_context(|| path.to_owned())?))
}

/// The weights of a file, or the built-in ones.
pub(crate) fn read_or_built_in(path: Option<&str>) -> Result<Arc<Weights>> {
    path.map_or_else(|| Ok(Weights::built_in()), read)
}
