//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::Write;

use anyhow::{Context, Result};

/// Checks that a file can be written, before hours are spent on what it should hold.
pub(crate) fn check(path: &str) -> Result<()> {
    let new = beside(path);
    let written = File::create(&new).and_then(|_| fs::remove_file(&new));
    written.with_context(|| format!("cannot write {path}"))
}

/// Puts a file in the place of another. Whatever happens, one of the two is there, and whole.
pub(crate) fn replace(path: &str, bytes: &[u8]) -> Result<()> {
    let new = beside(path);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| format!("cannot write {path}"))
}

/// In the same folder, because a file can be moved at once only within a file system.
fn beside(path: &str) -> String {
    format!("{path}.new")
}
