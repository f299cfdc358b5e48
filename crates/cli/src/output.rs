//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};

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

/// A file that is written piece by piece and takes its place when it is finished.
pub(crate) struct Replacement {
    path: String,
    file: File,
}

impl Replacement {
    pub(crate) fn create(path: &str) -> Result<Replacement> {
        let file = File::create(beside(path)).with_context(|| format!("cannot write {path}"))?;
        Ok(Replacement { path: path.to_owned(), file })
    }

    /// Puts the file in its place; tells where that is.
    pub(crate) fn finish(self) -> Result<String> {
        let put = || {
            self.file.sync_all()?;
            fs::rename(beside(&self.path), &self.path)
        };
        put().with_context(|| format!("cannot write {}", self.path))?;
        Ok(self.path.clone())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // What was not finished is of no use; after it was, there is nothing to remove.
        let _ = fs::remove_file(beside(&self.path));
    }
}

/// In the same folder, because a file can be moved at once only within a file system.
fn beside(path: &str) -> String {
    format!("{path}.new")
}
