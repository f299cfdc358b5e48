//! A file of records that grows, and the small file beside it that tells how far it has come.
//!
//! Records are added first and told of afterwards, so what lies beyond those told of was being
//! written when the program was killed; it is cut off and made again. The small file is JSON, and also
//! names the settings the records were made with: other ones cannot go on with the same file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};

use anyhow::{Context, Result, bail};
use obverse_lab::record::{RECORD_BYTES, Record};
use serde::{Deserialize, Serialize};

use crate::{input, output};

const VERSION: u32 = 1;

pub(super) struct Ledger {
    path: String,
    file: File,
    state: State,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    version: u32,
    /// How many games the records are of, if they are of games.
    games: u64,
    records: u64,
    settings: Settings,
}

/// What the records depend on, by name.
pub(super) type Settings = BTreeMap<String, String>;

/// Settings of these names and values.
pub(super) fn settings<const N: usize>(pairs: [(&str, String); N]) -> Settings {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A short name for the contents of a file: FNV-1a, 64 bits.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{sum:016x}")
}

impl Ledger {
    /// Opens a file to go on with it, or begins a new one.
    ///
    /// # Errors
    /// If it is something else, was made with other settings, or somebody else is writing it.
    pub(super) fn open(path: &str, settings: Settings) -> Result<Ledger> {
        let state_path = state_path(path);
        let cannot_write = || format!("cannot write {path}");
        let options = || OpenOptions::new().create(true).append(true).open(path);
        let file = options().with_context(cannot_write)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("{path}: another run is writing it"),
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let found = file.metadata().with_context(cannot_write)?.len();
        if !std::fs::exists(&state_path)? {
            if found > 0 {
                bail!("{path}: found no {state_path} beside it, expected both or neither");
            }
            let state = State { version: VERSION, games: 0, records: 0, settings };
            let ledger = Ledger { path: path.to_owned(), file, state };
            ledger.save_state()?;
            return Ok(ledger);
        }
        let state = State::read(&state_path)?;
        state.check(&settings).with_context(|| path.to_owned())?;
        let expected = state.records.saturating_mul(RECORD_BYTES as u64);
        if found < expected {
            bail!("{path}: found {found} bytes, expected {expected} or more as {state_path} says");
        }
        let mut ledger = Ledger { path: path.to_owned(), file, state };
        ledger.file.set_len(expected).with_context(cannot_write)?;
        ledger.file.seek(SeekFrom::End(0))?;
        Ok(ledger)
    }

    pub(super) fn games(&self) -> u64 {
        self.state.games
    }

    pub(super) fn records(&self) -> u64 {
        self.state.records
    }

    /// Adds records, of so many games.
    pub(super) fn add(&mut self, records: &[Record], n_games: u64) -> Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(Record::to_bytes).collect();
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path))?;
        self.state.games += n_games;
        self.state.records += records.len() as u64;
        self.save_state()
    }

    fn save_state(&self) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(&self.state)?;
        text.push(b'\n');
        output::replace(&state_path(&self.path), &text)
    }
}

impl State {
    fn read(path: &str) -> Result<State> {
        let state: State = serde_json::from_str(&input::text(path)?)
            .with_context(|| format!("{path}: expected the state of a file of records"))?;
        if state.version != VERSION {
            bail!("{path}: found version {}, expected {VERSION}", state.version);
        }
        Ok(state)
    }

    fn check(&self, settings: &Settings) -> Result<()> {
        if self.settings.keys().ne(settings.keys()) {
            let names =
                |settings: &Settings| settings.keys().cloned().collect::<Vec<_>>().join(", ");
            bail!(
                "found a file made by another command, by {}; expected one made by {}",
                names(&self.settings),
                names(settings)
            );
        }
        for ((name, found), expected) in self.settings.iter().zip(settings.values()) {
            if found != expected {
                bail!(
                    "found a file made with {name} {found}, expected {name} {expected}; \
                     go on with the same settings, or begin another file"
                );
            }
        }
        Ok(())
    }
}

fn state_path(path: &str) -> String {
    format!("{path}.state")
}
