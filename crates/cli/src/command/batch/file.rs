//! Files of JSON lines that grow, and can be continued after whatever happened.
//!
//! A line counts when its end is written. What follows the last end was being written when the program
//! was killed; it is cut off, and made again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};

use anyhow::{Context, Result, bail};
use serde::Serialize;

/// A file that grows by lines, or standard output.
pub(crate) struct Growing {
    path: String,
    out: BufWriter<Sink>,
}

enum Sink {
    File(File),
    Stdout,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::Stdout => std::io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::Stdout => std::io::stdout().flush(),
        }
    }
}

impl Growing {
    /// Opens a file to go on with it, or begins one; `each` gets every line that is there.
    ///
    /// # Errors
    /// If there is something already and `resume` is not set, or somebody else is writing it.
    pub(crate) fn open(
        path: &str,
        resume: bool,
        each: &mut dyn FnMut(u64, &[u8]) -> Result<()>,
    ) -> Result<Growing> {
        if path == "-" {
            let out = BufWriter::with_capacity(1 << 16, Sink::Stdout);
            return Ok(Growing { path: "standard output".to_owned(), out });
        }
        let cannot_write = || format!("cannot write {path}");
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .with_context(cannot_write)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("{path}: another run is writing it"),
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let meta = file.metadata().with_context(cannot_write)?;
        if !meta.is_file() {
            // A pipe or a device has no past to go on with.
            let out = BufWriter::with_capacity(1 << 16, Sink::File(file));
            return Ok(Growing { path: path.to_owned(), out });
        }
        let n_bytes = meta.len();
        if n_bytes > 0 && !resume {
            bail!("{path} is there already; --resume goes on with it");
        }
        let mut n_whole = 0;
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let n = reader
                .read_until(b'\n', &mut line)
                .with_context(|| format!("cannot read {path}"))?;
            if line.pop() != Some(b'\n') {
                break;
            }
            each(number, &line).with_context(|| format!("{path}, line {number}"))?;
            n_whole += n as u64;
        }
        if n_whole < n_bytes {
            file.set_len(n_whole).with_context(cannot_write)?;
        }
        file.seek(SeekFrom::End(0)).with_context(cannot_write)?;
        Ok(Growing {
            path: path.to_owned(),
            out: BufWriter::with_capacity(1 << 16, Sink::File(file)),
        })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let written = serde_json::to_writer(&mut self.out, line)
            .map_err(std::io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"));
        written.with_context(|| format!("cannot write {}", self.path))
    }

    /// Makes what was added last.
    pub(crate) fn sync(&mut self) -> Result<()> {
        let synced = self.out.flush().and_then(|()| match self.out.get_ref() {
            // A pipe or a device has nothing to make last.
            Sink::File(file) if file.metadata()?.is_file() => file.sync_data(),
            Sink::File(_) | Sink::Stdout => Ok(()),
        });
        synced.with_context(|| format!("cannot write {}", self.path))
    }
}

/// Lines of files that are done: a bit each, in words of 64.
#[derive(Default, Debug)]
pub(crate) struct Done {
    files: HashMap<Option<String>, HashMap<u64, u64>>,
    n: u64,
}

impl Done {
    /// Adds a line; tells whether it is new.
    pub(crate) fn add(&mut self, file: Option<&str>, line: u64) -> bool {
        let words = match self.files.get_mut(&file.map(str::to_owned)) {
            Some(words) => words,
            None => self.files.entry(file.map(str::to_owned)).or_default(),
        };
        let (word, bit) = (words.entry(line / 64).or_default(), 1 << (line % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        self.n += u64::from(is_new);
        is_new
    }

    pub(crate) fn contains(&self, file: Option<&str>, line: u64) -> bool {
        if self.n == 0 {
            return false;
        }
        let words = self.files.get(&file.map(str::to_owned));
        words
            .and_then(|words| words.get(&(line / 64)))
            .is_some_and(|word| word & (1 << (line % 64)) != 0)
    }

    pub(crate) const fn len(&self) -> u64 {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn done_knows_each_line_of_each_file() {
        let mut done = Done::default();
        assert!(!done.contains(None, 1));
        assert!(done.add(None, 1) && !done.add(None, 1));
        assert!(done.add(Some("a"), 1000) && done.add(Some("b"), 64));
        assert!(done.contains(Some("a"), 1000) && !done.contains(Some("b"), 1000));
        assert!(!done.contains(Some("a"), u64::MAX) && !done.contains(Some("c"), 1));
        assert_eq!(done.len(), 3);
    }
}
