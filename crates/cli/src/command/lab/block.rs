//! Records that have been made and not been saved.

use std::time::{Duration, Instant};

use anyhow::Result;
use obverse_engine::classic::Rng;
use obverse_lab::record::Record;
use obverse_lab::shuffle;

use super::ledger::Ledger;

/// A block is saved when it has so many records (5 MB), so that those of a game are far apart.
const BLOCK_RECORDS: usize = 1 << 18;

/// Or after so long, so that a killed run has not much to do again.
const BLOCK_TIME: Duration = Duration::from_mins(5);

/// Games, or batches of leaves, that have been made and not been saved.
pub(super) struct Block<'a> {
    ledger: &'a mut Ledger,
    seed: u64,
    records: Vec<Record>,
    n_games: u64,
    begun: Instant,
}

impl<'a> Block<'a> {
    pub(super) fn new(ledger: &'a mut Ledger, seed: u64) -> Block<'a> {
        Block { ledger, seed, records: Vec::new(), n_games: 0, begun: Instant::now() }
    }

    pub(super) fn add(&mut self, game: &[Record]) -> Result<()> {
        self.records.extend(game);
        self.n_games += 1;
        if self.records.len() >= BLOCK_RECORDS || self.begun.elapsed() >= BLOCK_TIME {
            self.save()?;
        }
        Ok(())
    }

    pub(super) fn save(&mut self) -> Result<()> {
        if self.n_games > 0 {
            let mut rng = Rng::new(self.seed ^ self.ledger.games());
            shuffle(&mut self.records, &mut rng);
            self.ledger.add(&self.records, self.n_games)?;
            self.records.clear();
            self.n_games = 0;
        }
        self.begun = Instant::now();
        Ok(())
    }
}
