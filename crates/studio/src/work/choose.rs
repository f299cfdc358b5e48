//! A program chooses its move.

use std::time::Duration;

use obverse_board::{Move, Position};
use obverse_engine::classic::Spec;
use obverse_engine::{Limits, Question, Value};

use super::ask::Asker;
use super::{Bench, Choose, Ended, News, Patience};
use crate::clock::{Budget, Pacer};
use crate::pace::Pace;
use crate::seat::Seat;

#[derive(Clone, Debug)]
pub(super) struct Choosing {
    pub(super) job: Choose,
    asker: Asker,
    pacer: Option<Pacer>,
}

impl Choosing {
    pub(super) fn new(job: Choose) -> Choosing {
        Choosing { job, asker: Asker::default(), pacer: None }
    }

    pub(super) fn patience(&self, threads: u32) -> Patience {
        let Seat::Engine(pace) = self.job.seat else { return Patience::Forever };
        match self.plan(pace, threads).1 {
            Some(budget) => Patience::Elapsed(budget.hard),
            None => Patience::Forever,
        }
    }

    /// How far the engine thinks and how long: as its name says, and as the game's clock allows.
    fn plan(&self, pace: Pace, threads: u32) -> (Limits, Option<Budget>) {
        let (limits, own) = pace.plan(self.job.position, Duration::ZERO, threads);
        let game = self.job.clock.map(|(clock, left)| clock.budget(left, self.job.position));
        let budget = match (own, game) {
            (Some(own), Some(game)) => {
                Some(Budget { soft: game.soft, hard: own.hard.min(game.hard) })
            }
            (own, game) => own.or(game),
        };
        (limits, budget)
    }

    pub(super) fn run(&mut self, bench: &mut Bench<'_>, tell: &mut dyn FnMut(News)) -> Ended {
        let Choose { seat, position, seed, .. } = self.job;
        let moves = position.moves();
        let (mv, value) = match (moves.first(), seat) {
            (Some(only), _) if moves.count() == 1 => (Move::Place(only), None),
            (_, Seat::Engine(pace)) => match self.think(pace, bench) {
                Some((mv, value)) => (mv, Some(value)),
                None => return Ended::Interrupted,
            },
            (_, Seat::Classic(spec)) => {
                match seeded(spec, position).player(seed).choose(position) {
                    Some(mv) => (mv, None),
                    None => return Ended::Done,
                }
            }
            (_, Seat::Human) => return Ended::Done,
        };
        tell(News::Chosen { mv, value });
        Ended::Done
    }

    fn think(&mut self, pace: Pace, bench: &mut Bench<'_>) -> Option<(Move, Value)> {
        let Choose { position, counting, .. } = self.job;
        let (limits, budget) = self.plan(pace, bench.threads);
        let paced = budget.filter(|budget| budget.soft < Duration::MAX);
        let mut pacer = self.pacer.or_else(|| paced.map(Pacer::new));
        let question = Question { position, counting, limits, top: 1 };
        let elapsed = bench.elapsed;
        self.asker.begin();
        let answer = self.asker.ask(bench, question, &mut |answer| {
            let Some((pacer, best)) = pacer.as_mut().zip(answer.best()) else { return false };
            pacer.is_enough(elapsed(), best.mv, best.value.discs)
        });
        self.pacer = pacer;
        answer?.candidates.into_iter().next().map(|best| (best.mv, best.value))
    }
}

/// The player for one move: a random one with a seed of its own would draw the same number every time
/// it is made anew.
fn seeded(spec: Spec, position: Position) -> Spec {
    match spec {
        Spec::Random { seed: Some(seed) } => {
            let n_empties = u64::from(position.empties().count());
            Spec::Random { seed: Some(seed.wrapping_mul(64).wrapping_add(n_empties)) }
        }
        other => other,
    }
}
