//! Whom the prover asks: the engine for its opinion, the store for what is known.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use obverse_board::{Counting, Move, Position, Score};
use obverse_cluster::prove::{Claim, Oracle, Settled};
use obverse_cluster::{Limits as Cost, Question as Ask, Task};
use obverse_engine::eval::Weights;
use obverse_engine::{Config, Engine, Limits, Monitor, Question};
use obverse_store::Key;

use super::SYNC_EVERY;
use super::guide::{Effort, Guide};
use crate::command::batch::memory::{Known, Memory};

pub(super) struct Thinker {
    engine: Engine,
    counting: Counting,
    pub(super) memory: Memory,
    pub(super) guide: Option<Guide>,
    /// When what the guide found out was made to last.
    synced: Instant,
    /// What went wrong when nobody could be told.
    trouble: Option<anyhow::Error>,
}

/// Looks a few moves ahead need no larger table.
const TABLE_MIB: usize = 16;

impl Thinker {
    pub(super) fn new(
        weights: Arc<Weights>,
        counting: Counting,
        memory: Memory,
        guide: Option<Guide>,
    ) -> Thinker {
        let config = Config { threads: 1, table_mib: TABLE_MIB };
        Thinker {
            engine: Engine::with_weights(config, weights),
            counting,
            memory,
            guide,
            synced: Instant::now(),
            trouble: None,
        }
    }

    /// An error if something has gone wrong.
    pub(super) fn check(&mut self) -> Result<()> {
        self.trouble.take().map_or(Ok(()), Err)
    }

    /// What the guide has done.
    pub(super) fn effort(&self) -> Effort {
        self.guide.as_ref().map(|guide| guide.effort).unwrap_or_default()
    }

    /// What the store or else the guide says of a lower bound; nothing if it costs too much.
    fn guided(&mut self, question: &Ask, bound: i8) -> Result<Option<(Score, Option<Move>)>> {
        let Some(guide) = self.guide.as_mut().filter(|guide| guide.affords(question)) else {
            return Ok(None);
        };
        let known = match self.memory.known(question)? {
            Known::Answer(answer) if answer.lower.0 < bound || answer.best.is_some() => {
                return Ok(Some((answer.lower, answer.best)));
            }
            // The bound is known, but not the move that reaches it: it must be looked for.
            Known::Answer(answer) => (Score(-(question.size().area() as i8)), answer.upper),
            Known::Bounds(lower, upper) => (lower, upper),
        };
        let Some(answer) = guide.solve(question, known) else { return Ok(None) };
        if let Some(told) = self.memory.learn(question, &answer)? {
            return Err(anyhow!("contradiction: {told}"));
        }
        // The first may take long, and should not be lost.
        if self.synced.elapsed() >= SYNC_EVERY {
            self.memory.commit()?;
            self.synced = Instant::now();
        }
        Ok(Some((answer.lower, answer.best)))
    }
}

impl Oracle for Thinker {
    fn value(&mut self, position: Position, depth: u32) -> f32 {
        let limits = Limits { depth, end_from: 0, proof_from: 0, ..Limits::NONE };
        let question = Question { position, counting: self.counting, limits, top: 1 };
        let answer = self.engine.think(question, &Monitor::default(), &mut |_| {});
        answer.best().map_or(0.0, |best| best.value.discs)
    }

    fn known(&mut self, position: Position) -> Option<(Score, Score)> {
        let (key, _) = Key::of(position, self.counting);
        // A store that cannot be read is noticed when it is written.
        let found = self.memory.knowledge.find(key).ok()??;
        Some((found.lower, found.upper))
    }

    fn settle(&mut self, position: Position, claim: Claim) -> Option<Settled> {
        let Claim::AtLeast(bound) = claim else { return None };
        let (low, high) = claim.window();
        let task = Task::Window(low, high);
        let (question, symmetry) = Ask::new(position, self.counting, task, Cost::default());
        let (lower, best) = match self.guided(&question, bound) {
            Ok(answer) => answer?,
            Err(error) => {
                self.trouble.get_or_insert(error);
                return None;
            }
        };
        if lower.0 < bound {
            return Some(Settled::False);
        }
        let square = best?.square()?;
        Some(Settled::By(symmetry.inverse().apply_square(square, position.size())))
    }
}
