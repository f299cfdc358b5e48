//! Whom the prover asks: the engine for its opinion, the store for what is known.

use std::sync::Arc;

use obverse_board::{Counting, Position, Score};
use obverse_cluster::prove::Oracle;
use obverse_engine::eval::Weights;
use obverse_engine::{Config, Engine, Limits, Monitor, Question};
use obverse_store::Key;

use crate::command::batch::memory::Memory;

pub(super) struct Thinker {
    engine: Engine,
    counting: Counting,
    pub(super) memory: Memory,
}

/// Looks a few moves ahead need no larger table.
const TABLE_MIB: usize = 16;

impl Thinker {
    pub(super) fn new(weights: Arc<Weights>, counting: Counting, memory: Memory) -> Thinker {
        let config = Config { threads: 1, table_mib: TABLE_MIB };
        Thinker { engine: Engine::with_weights(config, weights), counting, memory }
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
}
