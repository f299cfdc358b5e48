//! Solved positions: bounds that only ever get narrower.
//!
//! A result that does not fit to what is known is never stored over it: both are kept aside as a
//! [`Contradiction`], and the caller is told.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use obverse_board::{Move, Score, Square};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{Error, Key};

/// `Obvs` in ASCII: what tells our files from other databases.
const APPLICATION_ID: i32 = 0x4f62_7673;
const VERSION: i32 = 1;

const SCHEMA: &str = "
CREATE TABLE engine (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE position (
    size INTEGER NOT NULL,      -- squares along a side
    discs INTEGER NOT NULL,     -- counting: 1 discs, 0 winner takes empties
    player INTEGER NOT NULL,    -- the least of the eight symmetric boards, a1 the lowest bit
    opponent INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    upper INTEGER NOT NULL,
    best INTEGER,               -- 0 to 63 a1, b1, ...; 64 a pass
    nodes INTEGER NOT NULL,     -- of all searches together
    micros INTEGER NOT NULL,
    engine INTEGER NOT NULL REFERENCES engine,
    PRIMARY KEY (size, discs, player, opponent)
) WITHOUT ROWID;
CREATE TABLE answer (question BLOB PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contradiction (
    size INTEGER NOT NULL, discs INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
    lower INTEGER NOT NULL, upper INTEGER NOT NULL, engine TEXT NOT NULL,
    new_lower INTEGER NOT NULL, new_upper INTEGER NOT NULL, new_engine TEXT NOT NULL,
    UNIQUE (size, discs, player, opponent, new_lower, new_upper, new_engine)
);
";

/// What is proven of a position; scores are those of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// A move that reaches `lower`, on the board of the key.
    pub best: Option<Move>,
    /// Positions visited to find it out.
    pub nodes: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Who found it out.
    pub engine: Arc<str>,
}

impl Finding {
    /// Both together, if they do not contradict each other.
    fn with(&self, new: &Finding) -> Option<Finding> {
        let (lower, upper) = (self.lower.max(new.lower), self.upper.min(new.upper));
        // The best move goes with the lower bound it reaches.
        let (best, engine) = match new.lower.cmp(&self.lower) {
            Ordering::Greater => (new.best, &new.engine),
            Ordering::Equal if self.best.is_none() => (new.best, &new.engine),
            Ordering::Equal | Ordering::Less => (self.best, &self.engine),
        };
        (lower <= upper).then(|| Finding {
            lower,
            upper,
            best,
            nodes: self.nodes.saturating_add(new.nodes),
            micros: self.micros.saturating_add(new.micros),
            engine: Arc::clone(engine),
        })
    }
}

/// What came of adding a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Added {
    /// Nothing was known of the position.
    New,
    /// The bounds are narrower than before.
    Narrower,
    /// Nothing new.
    Same,
    /// It contradicts what is known, which stays as it is.
    Contradiction(Box<Contradiction>),
}

/// Two results of which one must be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The position.
    pub key: Key,
    /// What was known.
    pub known: (Score, Score),
    /// Who had found that out.
    pub engine: Arc<str>,
    /// What was found later.
    pub new: (Score, Score),
    /// Who found that out.
    pub new_engine: Arc<str>,
}

impl std::fmt::Display for Contradiction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Contradiction { known, engine, new, new_engine, .. } = self;
        write!(
            f,
            "{engine} found a score from {} to {}, {new_engine} one from {} to {}",
            known.0, known.1, new.0, new.1
        )
    }
}

/// A file of solved positions.
///
/// Additions are collected in a transaction: [`Knowledge::commit`] makes them last.
#[derive(Debug)]
pub struct Knowledge {
    pub(crate) db: Connection,
    in_transaction: bool,
}

impl Knowledge {
    /// Opens a file, or makes a new one.
    ///
    /// # Errors
    /// If it cannot be opened, or is something else.
    pub fn open(path: &Path) -> Result<Knowledge, Error> {
        Knowledge::with(Connection::open(path)?)
    }

    /// One that is forgotten in the end.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory() -> Result<Knowledge, Error> {
        Knowledge::with(Connection::open_in_memory()?)
    }

    /// One in a file without a name, which goes away with the program: for more than fits in memory.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn temporary() -> Result<Knowledge, Error> {
        Knowledge::with(Connection::open("")?)
    }

    fn with(db: Connection) -> Result<Knowledge, Error> {
        // Other processes may be writing; each transaction is short.
        db.busy_timeout(std::time::Duration::from_mins(1))?;
        db.set_prepared_statement_cache_capacity(32);
        let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let n_tables: u32 =
            db.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        if n_tables == 0 {
            // While another process does the same this fails at once, whatever the timeout.
            let is_busy = |error: &rusqlite::Error| {
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
            };
            let mut tries = 0;
            while let Err(error) = db.pragma_update(None, "journal_mode", "WAL") {
                tries += 1;
                if !is_busy(&error) || tries > 1000 {
                    return Err(error.into());
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            // Two processes may both find the file empty: only one of them makes the tables.
            db.execute_batch("BEGIN IMMEDIATE")?;
            if pragma("application_id")? != APPLICATION_ID {
                db.execute_batch(SCHEMA)?;
                db.execute_batch(crate::waiting::SCHEMA)?;
                db.pragma_update(None, "application_id", APPLICATION_ID)?;
                db.pragma_update(None, "user_version", VERSION)?;
            }
            db.execute_batch("COMMIT")?;
        }
        let (id, version) = (pragma("application_id")?, pragma("user_version")?);
        if (id, version) != (APPLICATION_ID, VERSION) {
            let found = if id == APPLICATION_ID {
                format!("version {version}")
            } else {
                "a database of another program".to_owned()
            };
            return Err(Error::Foreign { found });
        }
        // In WAL mode a crash of the program loses nothing with this, and one of the machine at most
        // the last transactions, but never the consistency of the file.
        db.pragma_update(None, "synchronous", "NORMAL")?;
        Ok(Knowledge { db, in_transaction: false })
    }

    /// What is known of a position.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn find(&self, key: Key) -> Result<Option<Finding>, Error> {
        let mut query = self.db.prepare_cached(
            "SELECT lower, upper, best, nodes, micros, name FROM position \
             JOIN engine ON engine.id = position.engine \
             WHERE size = ?1 AND discs = ?2 AND player = ?3 AND opponent = ?4",
        )?;
        query.query_row(key.columns(), |row| Ok(finding(row, 0))).optional()?.transpose()
    }

    /// Adds what has been found out about a position.
    ///
    /// # Errors
    /// If the file cannot be written.
    ///
    /// # Panics
    /// If the bounds are none: the lower one must not exceed the upper one.
    pub fn add(&mut self, key: Key, new: &Finding) -> Result<Added, Error> {
        assert!(new.lower <= new.upper, "bounds contradict themselves");
        self.begin()?;
        let (finding, added) = match self.find(key)? {
            None => (new.clone(), Added::New),
            Some(known) => match known.with(new) {
                None => return self.set_aside(key, &known, new),
                Some(both) if (both.lower, both.upper) == (known.lower, known.upper) => {
                    return Ok(Added::Same);
                }
                Some(both) => (both, Added::Narrower),
            },
        };
        let engine = self.engine(&finding.engine)?;
        let best = finding.best.map(|mv| mv.square().map_or(64, Square::index));
        let (size, discs, player, opponent) = key.columns();
        let mut insert = self.db.prepare_cached(
            "INSERT OR REPLACE INTO position VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        insert.execute(params![
            size,
            discs,
            player,
            opponent,
            finding.lower.0,
            finding.upper.0,
            best,
            finding.nodes.min(i64::MAX as u64) as i64,
            finding.micros.min(i64::MAX as u64) as i64,
            engine
        ])?;
        Ok(added)
    }

    fn set_aside(&mut self, key: Key, known: &Finding, new: &Finding) -> Result<Added, Error> {
        let (size, discs, player, opponent) = key.columns();
        let mut insert = self.db.prepare_cached(
            "INSERT OR IGNORE INTO contradiction VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        insert.execute(params![
            size,
            discs,
            player,
            opponent,
            known.lower.0,
            known.upper.0,
            &*known.engine,
            new.lower.0,
            new.upper.0,
            &*new.engine
        ])?;
        Ok(Added::Contradiction(Box::new(Contradiction {
            key,
            known: (known.lower, known.upper),
            engine: Arc::clone(&known.engine),
            new: (new.lower, new.upper),
            new_engine: Arc::clone(&new.engine),
        })))
    }

    fn engine(&self, name: &str) -> Result<i64, Error> {
        let mut query = self.db.prepare_cached("SELECT id FROM engine WHERE name = ?1")?;
        if let Some(id) = query.query_row([name], |row| row.get(0)).optional()? {
            return Ok(id);
        }
        self.db.execute("INSERT INTO engine (name) VALUES (?1)", [name])?;
        Ok(self.db.last_insert_rowid())
    }

    /// The answer to a question that bounds alone do not tell, as a text.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn answer(&self, question: &[u8]) -> Result<Option<String>, Error> {
        let mut query = self.db.prepare_cached("SELECT text FROM answer WHERE question = ?1")?;
        Ok(query.query_row([question], |row| row.get(0)).optional()?)
    }

    /// Keeps the answer to such a question; an older one is replaced.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_answer(&mut self, question: &[u8], text: &str) -> Result<(), Error> {
        self.begin()?;
        let mut insert = self.db.prepare_cached("INSERT OR REPLACE INTO answer VALUES (?1, ?2)")?;
        insert.execute(params![question, text])?;
        Ok(())
    }

    /// Makes what has been added last.
    ///
    /// # Errors
    /// If the file cannot be written; then nothing of it does.
    pub fn commit(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.in_transaction) {
            self.db.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        if !self.in_transaction {
            self.db.execute_batch("BEGIN IMMEDIATE")?;
            self.in_transaction = true;
        }
        Ok(())
    }

    /// How many positions there are.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn len(&self) -> Result<u64, Error> {
        Ok(self.db.query_row("SELECT count(*) FROM position", [], |row| row.get::<_, i64>(0))?
            as u64)
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// Hands over every position, in the order of the keys; `each` says whether to go on.
    ///
    /// # Errors
    /// If the file cannot be read, or what `each` fails with.
    pub fn each<E: From<Error>>(
        &self,
        each: &mut dyn FnMut(Key, Finding) -> Result<(), E>,
    ) -> Result<(), E> {
        let sqlite = |error| E::from(Error::Sqlite(error));
        let mut query = self
            .db
            .prepare(
                "SELECT size, discs, player, opponent, lower, upper, best, nodes, micros, name \
                 FROM position JOIN engine ON engine.id = position.engine \
                 ORDER BY size, discs, player, opponent",
            )
            .map_err(sqlite)?;
        let mut rows = query.query([]).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            each(key(row)?, finding(row, 4)?)?;
        }
        Ok(())
    }

    /// Hands over every question with its answer.
    ///
    /// # Errors
    /// If the file cannot be read, or what `each` fails with.
    #[allow(clippy::type_complexity, reason = "it is the same callback as that of `each`")]
    pub fn each_answer<E: From<Error>>(
        &self,
        each: &mut dyn FnMut(&[u8], &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let sqlite = |error| E::from(Error::Sqlite(error));
        let mut query = self.db.prepare("SELECT question, text FROM answer").map_err(sqlite)?;
        let mut rows = query.query([]).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let question: Vec<u8> = row.get(0).map_err(sqlite)?;
            let text: String = row.get(1).map_err(sqlite)?;
            each(&question, &text)?;
        }
        Ok(())
    }

    /// All contradictions that were found.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn contradictions(&self) -> Result<Vec<Contradiction>, Error> {
        let mut query = self.db.prepare(
            "SELECT size, discs, player, opponent, lower, upper, engine, new_lower, new_upper, \
             new_engine FROM contradiction",
        )?;
        let mut rows = query.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let score = |i| row.get::<_, i8>(i).map(Score);
            found.push(Contradiction {
                key: key(row)?,
                known: (score(4)?, score(5)?),
                engine: row.get::<_, String>(6)?.into(),
                new: (score(7)?, score(8)?),
                new_engine: row.get::<_, String>(9)?.into(),
            });
        }
        Ok(found)
    }
}

/// The key in the first columns of a row.
fn key(row: &Row<'_>) -> Result<Key, Error> {
    let columns = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    Key::from_columns(columns)
        .ok_or_else(|| Error::Corrupt(format!("found {columns:?}, expected a position")))
}

/// The finding in the columns from `first` on.
fn finding(row: &Row<'_>, first: usize) -> Result<Finding, Error> {
    let (lower, upper): (i8, i8) = (row.get(first)?, row.get(first + 1)?);
    if lower > upper || lower < -64 || upper > 64 {
        return Err(Error::Corrupt(format!("found a score from {lower} to {upper}")));
    }
    let best = match row.get::<_, Option<u8>>(first + 2)? {
        None => None,
        Some(64) => Some(Move::Pass),
        Some(index) => {
            let square = Square::new(index)
                .ok_or_else(|| Error::Corrupt(format!("found {index} as a square")))?;
            Some(Move::Place(square))
        }
    };
    Ok(Finding {
        lower: Score(lower),
        upper: Score(upper),
        best,
        nodes: row.get::<_, i64>(first + 3)?.max(0) as u64,
        micros: row.get::<_, i64>(first + 4)?.max(0) as u64,
        engine: row.get::<_, String>(first + 5)?.into(),
    })
}
