//! The engine: a table, what each thread remembers, and threads to use them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use obverse_board::{Counting, Size};

use crate::eval::Weights;
use crate::search::Memory;
use crate::table::Table;

/// How much of the machine a solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Threads that search together, at least one.
    pub threads: usize,
    /// The size of the shared table in mebibytes, at least one.
    pub table_mib: usize,
}

/// A handle by which another thread can watch and stop a solver.
///
/// A monitor that has been stopped stays so; take a new one for work that should not be.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) nodes: Arc<AtomicU64>,
}

impl Monitor {
    /// Makes every solve under this monitor return soon with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Roughly how many positions the solves under this monitor have visited.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// The engine: it proves scores ([`Engine::solve`]) and chooses moves ([`Engine::think`]).
///
/// What it learns about positions stays in its table from one call to the next.
pub struct Engine {
    pub(crate) table: Table,
    pub(crate) memories: Vec<Memory>,
    pub(crate) weights: Arc<Weights>,
    /// Counts searches; the lowest bit is the counting of the last one.
    pub(crate) epoch: u8,
    /// The size of the boards in the table: the same discs mean something else on another size.
    size: Size,
}

impl Engine {
    /// An engine with an empty table and the built-in evaluation.
    pub fn new(config: Config) -> Engine {
        Engine::with_weights(config, Weights::built_in())
    }

    /// An engine with an empty table and an evaluation of one's own.
    pub fn with_weights(config: Config, weights: Arc<Weights>) -> Engine {
        Engine {
            table: Table::new(config.table_mib.max(1)),
            memories: (0..config.threads.max(1)).map(|_| Memory::new()).collect(),
            weights,
            epoch: 0,
            size: Size::Eight,
        }
    }

    /// The evaluation.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Forgets all positions.
    pub fn forget(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Prepares for a search: bounds of another board size or counting are not mistaken for its own.
    pub(crate) fn get_ready(&mut self, size: Size, counting: Counting) {
        let takes = counting == Counting::WinnerTakesEmpties;
        let other_size = std::mem::replace(&mut self.size, size) != size;
        if other_size {
            self.table.clear();
        }
        if other_size || self.epoch & 1 != u8::from(takes) {
            for memory in &mut self.memories {
                memory.clear();
            }
        }
        // Bounds of a search under the other counting are no use: the lowest bit tells them apart.
        self.epoch = (self.epoch.wrapping_add(2) & !1) | u8::from(takes);
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine of {} threads with {:?}", self.memories.len(), self.weights)
    }
}

/// Runs `$body` with a [`Worker`](crate::search::Worker) for the size and counting, whose helpers run
/// meanwhile in threads of their own.
///
/// The search is compiled for each kind of board; a closure cannot be generic over that.
macro_rules! with_worker {
    ($engine:expr, $size:expr, $counting:expr, $monitor:expr, $nodes_max:expr, |$worker:ident| $body:expr) => {{
        use obverse_board::{Counting, Size};
        let (size, counting): (Size, Counting) = ($size, $counting);
        let engine: &mut Engine = $engine;
        macro_rules! run {
            ($full:literal, $takes:literal) => {{
                let shared = crate::search::Shared {
                    table: &engine.table,
                    weights: &engine.weights,
                    stop: &$monitor.stop,
                    epoch: engine.epoch,
                    pool: crate::search::Pool::new(),
                    nodes: &$monitor.nodes,
                    nodes_max: $nodes_max,
                };
                let arena = crate::search::Arena::<$full, $takes>::new(size, counting);
                let (first, others) =
                    engine.memories.split_first_mut().expect("there is at least one thread");
                std::thread::scope(|scope| {
                    for memory in others {
                        let shared = &shared;
                        scope.spawn(move || Worker::new(shared, arena, memory).help());
                    }
                    let _sends_helpers_home = shared.pool.finisher();
                    let mut own = Worker::new(&shared, arena, first);
                    let $worker = &mut own;
                    let result = $body;
                    own.report_nodes();
                    result
                })
            }};
        }
        match (size == Size::Eight, counting == Counting::WinnerTakesEmpties) {
            (true, true) => run!(true, true),
            (true, false) => run!(true, false),
            (false, true) => run!(false, true),
            (false, false) => run!(false, false),
        }
    }};
}
pub(crate) use with_worker;
