//! Who waits for the answer to which question: tickets, in the same file as what is known.
//!
//! For lists of questions that are too long for memory, or must outlive the program.

use rusqlite::{OptionalExtension, params};

use crate::{Error, Knowledge};

pub(crate) const SCHEMA: &str = "
CREATE TABLE waiting (question BLOB NOT NULL, ticket TEXT NOT NULL);
CREATE INDEX waiting_question ON waiting (question);
CREATE TABLE asked (question BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE mark (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
";

/// The tickets and marks of a store.
#[derive(Debug)]
pub struct Waiting<'a>(pub &'a mut Knowledge);

impl Waiting<'_> {
    /// Adds a ticket; tells whether it is the first for its question.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, question: &[u8], ticket: &str) -> Result<bool, Error> {
        self.0.begin()?;
        let db = &self.0.db;
        let mut query = db.prepare_cached("SELECT 1 FROM waiting WHERE question = ?1 LIMIT 1")?;
        let is_first = query.query_row([question], |_| Ok(())).optional()?.is_none();
        db.prepare_cached("INSERT INTO waiting VALUES (?1, ?2)")?
            .execute(params![question, ticket])?;
        Ok(is_first)
    }

    /// Adds a question without a ticket; tells whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_once(&mut self, question: &[u8]) -> Result<bool, Error> {
        self.0.begin()?;
        let insert = "INSERT OR IGNORE INTO asked VALUES (?1)";
        Ok(self.0.db.prepare_cached(insert)?.execute([question])? == 1)
    }

    /// Takes away all tickets for a question, in the order they were added.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn take(&mut self, question: &[u8]) -> Result<Vec<String>, Error> {
        self.0.begin()?;
        let db = &self.0.db;
        let mut query =
            db.prepare_cached("SELECT ticket FROM waiting WHERE question = ?1 ORDER BY rowid")?;
        let tickets: Result<Vec<String>, _> =
            query.query_map([question], |row| row.get(0))?.collect();
        let tickets = tickets?;
        if !tickets.is_empty() {
            db.prepare_cached("DELETE FROM waiting WHERE question = ?1")?.execute([question])?;
        }
        Ok(tickets)
    }

    /// How many tickets there are.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn len(&self) -> Result<u64, Error> {
        let count = "SELECT count(*) FROM waiting";
        Ok(self.0.db.query_row(count, [], |row| row.get::<_, i64>(0))? as u64)
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// How far something has come, by name; 0 if nobody has said.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn mark(&self, name: &str) -> Result<u64, Error> {
        let mut query = self.0.db.prepare_cached("SELECT at FROM mark WHERE name = ?1")?;
        let at: Option<i64> = query.query_row([name], |row| row.get(0)).optional()?;
        Ok(at.unwrap_or(0) as u64)
    }

    /// Says how far something has come.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn set_mark(&mut self, name: &str, at: u64) -> Result<(), Error> {
        self.0.begin()?;
        let mut insert = self.0.db.prepare_cached("INSERT OR REPLACE INTO mark VALUES (?1, ?2)")?;
        insert.execute(params![name, at as i64])?;
        Ok(())
    }
}
