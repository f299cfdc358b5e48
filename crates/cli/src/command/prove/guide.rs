//! Who shows the prover the way: a solver that remembers, where it can be afforded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use obverse_board::Score;
use obverse_cluster::{Answer, Question, Task, cost, engine_name, table_mib};
use obverse_engine::eval::Weights;
use obverse_engine::solve::{Goal, Request};
use obverse_engine::{Config, Engine, Monitor};

use crate::watch::Interrupt;

#[derive(clap::Args, Debug)]
pub(super) struct GuideArgs {
    /// How to find the move that is enough [default: auto, with --cluster eval]
    #[arg(long, value_enum, value_name = "HOW")]
    guide: Option<GuideArg>,

    /// The size of the guide's table in MiB [default: by the number of empty squares]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    guide_table_mib: Option<u32>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum GuideArg {
    /// Solve where that is expected to cost little enough, else evaluate
    Auto,
    /// Evaluate
    Eval,
    /// Solve, whatever it costs
    Solve,
}

/// The most nodes a question may be expected to cost: about twenty minutes of one thread, which a proof
/// that is worth a certificate may well spend beforehand.
const NODES_MAX: f64 = 1e10;

impl GuideArgs {
    /// The guide, if there is to be one, of a proof from so many empty squares.
    pub(super) fn guide(
        &self,
        is_cluster: bool,
        n_threads: usize,
        n_empties: u32,
        weights: &Arc<Weights>,
        interrupt: &Interrupt,
    ) -> Option<Guide> {
        // One machine that shows many the way would keep them waiting.
        let usual = if is_cluster { GuideArg::Eval } else { GuideArg::Auto };
        let nodes_max = match self.guide.unwrap_or(usual) {
            GuideArg::Auto => NODES_MAX,
            GuideArg::Solve => f64::INFINITY,
            GuideArg::Eval => return None,
        };
        let table_mib =
            self.guide_table_mib.map_or_else(|| table_mib(n_empties), |mib| mib as usize);
        Some(Guide {
            nodes_max,
            engine: None,
            config: Config { threads: n_threads, table_mib },
            weights: Arc::clone(weights),
            name: engine_name(weights).into(),
            monitor: interrupt.monitor(),
            effort: Effort::default(),
        })
    }
}

/// What a guide has done.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Effort {
    pub(super) n_solved: u64,
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

/// Settles claims with an engine that remembers the last ones: they are of the same tree, so most has
/// been seen.
pub(super) struct Guide {
    /// What a question may be expected to cost.
    nodes_max: f64,
    /// Made when it is needed.
    engine: Option<Engine>,
    config: Config,
    weights: Arc<Weights>,
    name: Arc<str>,
    /// Stopped by Ctrl-C.
    monitor: Monitor,
    pub(super) effort: Effort,
}

impl Guide {
    /// Whether it should be asked.
    pub(super) fn affords(&self, question: &Question) -> bool {
        cost::nodes(question) <= self.nodes_max
    }

    /// The answer, if nobody stops it.
    pub(super) fn solve(&mut self, question: &Question, known: (Score, Score)) -> Option<Answer> {
        let Task::Window(low, high) = question.task else { return None };
        let (config, weights) = (self.config, &self.weights);
        let engine =
            self.engine.get_or_insert_with(|| Engine::with_weights(config, Arc::clone(weights)));
        let request = Request {
            goal: Goal::Window(Score(low), Score(high)),
            known,
            ..Request::exact(question.position(), question.counting())
        };
        let start = Instant::now();
        let proof = engine.solve(request, &self.monitor, &mut |_| {});
        let time = start.elapsed();
        self.effort.n_solved += 1;
        self.effort.nodes += proof.nodes;
        self.effort.time += time;
        (!proof.stopped).then(|| Answer {
            lower: proof.lower,
            upper: proof.upper,
            best: proof.best,
            proven: true,
            estimate: None,
            moves: Vec::new(),
            nodes: proof.nodes,
            micros: time.as_micros() as u64,
            engine: Arc::clone(&self.name),
        })
    }
}
