//! A queue in memory: for one machine, and for tests.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Chunk, ChunkId, Class, Error, Lease, Offer, Results, Token, Transport};

/// A queue of chunks and one of results, in memory.
///
/// Leases never end by themselves; tests end them with [`MemoryTransport::expire`].
#[derive(Debug)]
pub struct MemoryTransport {
    state: Mutex<State>,
    changed: Condvar,
    /// So many chunks of each class may wait.
    n_chunks_max: usize,
}

#[derive(Default, Debug)]
struct State {
    /// Waiting chunks with how often they have been handed out.
    waiting: BTreeMap<Class, VecDeque<(Chunk, u64)>>,
    leased: BTreeMap<Token, (Chunk, u64)>,
    /// All that wait or are leased.
    present: HashSet<ChunkId>,
    results: VecDeque<Results>,
    n_tokens: u64,
}

impl MemoryTransport {
    /// An empty one in which so many chunks of each class may wait.
    pub fn new(n_chunks_max: usize) -> MemoryTransport {
        MemoryTransport { state: Mutex::default(), changed: Condvar::new(), n_chunks_max }
    }

    /// Ends a lease as if its worker had not been heard of: the chunk is handed out again.
    pub fn expire(&self, token: &Token) {
        let mut state = self.lock();
        if let Some((chunk, n_tries)) = state.leased.remove(token) {
            state.waiting.entry(chunk.class).or_default().push_back((chunk, n_tries));
        }
        self.changed.notify_all();
    }

    /// The leases there are.
    pub fn leased(&self) -> Vec<Token> {
        self.lock().leased.keys().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `take` finds in the state, at once or when it changes.
    fn wait<T>(&self, wait: Duration, take: impl Fn(&mut State) -> Option<T>) -> Option<T> {
        let end = Instant::now() + wait;
        let mut state = self.lock();
        loop {
            if let Some(found) = take(&mut state) {
                return Some(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Transport for MemoryTransport {
    fn offer(&self, chunk: &Chunk) -> Result<Offer, Error> {
        let mut state = self.lock();
        if state.present.contains(&chunk.id()) {
            return Ok(Offer::Known);
        }
        let waiting = state.waiting.entry(chunk.class).or_default();
        if waiting.len() >= self.n_chunks_max {
            return Ok(Offer::Full);
        }
        waiting.push_back((chunk.clone(), 0));
        state.present.insert(chunk.id());
        self.changed.notify_all();
        Ok(Offer::Taken)
    }

    fn lease(&self, class: Class, wait: Duration) -> Result<Option<Lease>, Error> {
        Ok(self.wait(wait, |state| {
            let (chunk, n_tries) = state.waiting.get_mut(&class)?.pop_front()?;
            state.n_tokens += 1;
            let token = Token(state.n_tokens.to_string());
            state.leased.insert(token.clone(), (chunk.clone(), n_tries + 1));
            Some(Lease { token, chunk, n_tries: n_tries + 1 })
        }))
    }

    fn renew(&self, _: &Token) -> Result<(), Error> {
        Ok(())
    }

    fn finish(&self, token: &Token, results: &Results, rest: &[Chunk]) -> Result<(), Error> {
        let mut state = self.lock();
        if let Some((chunk, _)) = state.leased.remove(token) {
            state.present.remove(&chunk.id());
        }
        for chunk in rest {
            // Part of what was there, so there is room for it.
            if state.present.insert(chunk.id()) {
                state.waiting.entry(chunk.class).or_default().push_back((chunk.clone(), 0));
            }
        }
        if !results.outcomes.is_empty() {
            state.results.push_back(results.clone());
        }
        self.changed.notify_all();
        Ok(())
    }

    fn release(&self, token: &Token) -> Result<(), Error> {
        self.expire(token);
        Ok(())
    }

    fn results(&self, wait: Duration) -> Result<Option<Results>, Error> {
        Ok(self.wait(wait, |state| state.results.pop_front()))
    }

    fn renewal(&self) -> Option<Duration> {
        None
    }
}
