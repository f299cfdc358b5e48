//! A game, judged move by move.
//!
//! The engine begins at the end: what it learns about a position is still in its table when it comes
//! to the one before, of which it is a part.

use obverse_board::{Color, Counting, Game, Move, Position};
use obverse_engine::{Answer, Candidate, Certainty, Engine, Limits, Question, Value};

use super::Effort;
use crate::watch::{self, Interrupt};

/// What a move loses at least to be a mistake or a blunder, in discs.
const MISTAKE: f32 = 4.0;
const BLUNDER: f32 = 10.0;

/// What a move loses at least not to count as accurate.
const INACCURATE: f32 = 1.0;

/// So near the end a proof takes no time worth limiting, and on a busy machine a limit could miss it.
const UNTIMED_EMPTIES_MAX: u32 = 12;

/// The engine, and how it is to judge.
pub(crate) struct Judge<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) interrupt: Interrupt,
    pub(crate) effort: Effort,
    pub(crate) counting: Counting,
    /// How many moves of each position are compared.
    pub(crate) top: usize,
    pub(crate) n_threads: u32,
}

/// A game and what its moves are worth.
pub(crate) struct Review {
    pub(super) effort: Effort,
    pub(super) counting: Counting,
    pub(super) moves: Vec<Judged>,
}

/// A move of a game.
pub(super) struct Judged {
    /// Counted from 1 without the passes; a pass has the number of the move before it.
    pub(super) number: u32,
    pub(super) side: Color,
    pub(super) mv: Move,
    /// How many moves there were to choose from.
    pub(super) n_choices: u32,
    /// `None` for passes, and where the analysis was stopped before it got there.
    pub(super) verdict: Option<Verdict>,
}

/// What a move is worth, and what the best one is; values are those of the side that moves.
pub(super) struct Verdict {
    pub(super) value: Value,
    /// Best first; the first is never worth less than the move that was played.
    pub(super) top: Vec<Candidate>,
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fault {
    Mistake,
    Blunder,
}

/// One player's moves, summed up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Total {
    /// Moves that were judged.
    pub(super) moves: u32,
    /// Those where there was a choice, and the accurate ones of them.
    pub(super) choices: u32,
    pub(super) accurate: u32,
    pub(super) mistakes: u32,
    pub(super) blunders: u32,
    /// Discs lost by moves whose loss is proven, selective and estimated.
    pub(super) proven: f32,
    pub(super) selective: f32,
    pub(super) estimated: f32,
}

impl Review {
    /// Judges a game; `tell` hears how many moves are done.
    pub(crate) fn new(game: &Game, judge: &mut Judge<'_>, tell: &mut dyn FnMut(u64)) -> Review {
        let mut number = 0;
        let mut moves: Vec<(Position, Judged)> = Vec::new();
        for (position, mv) in game.steps() {
            number += u32::from(mv != Move::Pass);
            let n_choices = position.moves().count().max(1);
            let side = position.turn();
            moves.push((position, Judged { number, side, mv, n_choices, verdict: None }));
        }
        let mut n_done = 0;
        for (position, judged) in moves.iter_mut().rev().filter(|(_, judged)| !judged.is_pass()) {
            judged.verdict = judge.judge(*position, judged.mv);
            if judged.verdict.is_none() {
                break;
            }
            n_done += 1;
            tell(n_done);
        }
        let moves = moves.into_iter().map(|(_, judged)| judged).collect();
        Review { effort: judge.effort, counting: judge.counting, moves }
    }

    /// The moves without the passes.
    pub(super) fn placed(&self) -> impl DoubleEndedIterator<Item = &Judged> {
        self.moves.iter().filter(|judged| !judged.is_pass())
    }

    pub(super) fn n_judged(&self) -> usize {
        self.moves.iter().filter(|judged| judged.verdict.is_some()).count()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.n_judged() == self.placed().count()
    }

    pub(super) fn total(&self, side: Color) -> Total {
        let mut total = Total::default();
        for judged in self.moves.iter().filter(|judged| judged.side == side) {
            let Some(verdict) = &judged.verdict else { continue };
            let loss = verdict.loss();
            total.moves += 1;
            total.choices += u32::from(judged.n_choices > 1);
            total.accurate += u32::from(judged.n_choices > 1 && loss < INACCURATE);
            total.mistakes += u32::from(verdict.fault() == Some(Fault::Mistake));
            total.blunders += u32::from(verdict.fault() == Some(Fault::Blunder));
            *match verdict.certainty() {
                Certainty::Proven => &mut total.proven,
                Certainty::Selective(_) => &mut total.selective,
                Certainty::Estimate(_) => &mut total.estimated,
            } += loss;
        }
        total
    }
}

impl Total {
    pub(super) fn lost(&self) -> f32 {
        self.proven + self.selective + self.estimated
    }

    /// The share of accurate moves among those with a choice.
    pub(super) fn accuracy(&self) -> Option<f32> {
        (self.choices > 0).then(|| self.accurate as f32 / self.choices as f32)
    }
}

impl Judged {
    pub(super) fn is_pass(&self) -> bool {
        self.mv == Move::Pass
    }

    /// What the game is worth for Black after the move.
    pub(super) fn for_black(&self) -> Option<Value> {
        let value = self.verdict.as_ref()?.value;
        Some(if self.side == Color::Black { value } else { turned(value) })
    }
}

impl Verdict {
    pub(super) fn best(&self) -> &Candidate {
        self.top.first().expect("a move was played, so there is a best one")
    }

    /// By how many discs the best move is better.
    pub(super) fn loss(&self) -> f32 {
        tenths(self.best().value.discs - self.value.discs)
    }

    /// How the loss is known: as well as the less certain of the two values.
    pub(super) fn certainty(&self) -> Certainty {
        self.best().value.certainty.min(self.value.certainty)
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        match self.loss() {
            loss if loss >= BLUNDER => Some(Fault::Blunder),
            loss if loss >= MISTAKE => Some(Fault::Mistake),
            _ => None,
        }
    }
}

impl Judge<'_> {
    /// The best moves of a position, as many as are wanted.
    pub(super) fn think(&mut self, position: Position) -> Answer {
        self.ask(position, self.effort.limits(self.n_threads), self.top)
    }

    /// What a move is worth; `None` if interrupted.
    fn judge(&mut self, position: Position, mv: Move) -> Option<Verdict> {
        let mut top = self.think(position).candidates;
        let best = top.first()?.value;
        let value = if let Some(i) = top.iter().position(|candidate| candidate.mv == mv) {
            let value = top[i].value;
            // Of several best moves the one that was played is named.
            if value == best {
                top[..=i].rotate_right(1);
            }
            value
        } else {
            let (value, line) = self.value_after(position, mv, best.certainty)?;
            let is_missed = value.discs > best.discs && best.certainty < Certainty::Proven;
            if is_missed || value == best {
                // The first search missed it, or it is just as good.
                let line = std::iter::once(mv).chain(line).collect();
                top.insert(0, Candidate { mv, value, line });
                top.truncate(self.top);
            }
            // Nothing is better than what is proven best.
            Value { discs: value.discs.min(top[0].value.discs), ..value }
        };
        (!self.interrupt.is_asked()).then_some(Verdict { value, top })
    }

    /// What a move is worth that is not among the best, found with as much care as those; and what
    /// should follow.
    fn value_after(
        &mut self,
        position: Position,
        mv: Move,
        certainty: Certainty,
    ) -> Option<(Value, Vec<Move>)> {
        let next = position.apply(mv).expect("the moves of a game are legal");
        if next.is_over() {
            let discs = next.score_for(position.turn(), self.counting).0.into();
            return Some((Value { discs, certainty: Certainty::Proven }, Vec::new()));
        }
        let limits = match certainty {
            // One move less, because one has been made: the horizon is the same.
            Certainty::Estimate(depth) => Limits {
                depth: depth.saturating_sub(1),
                end_from: 0,
                proof_from: 0,
                ..Limits::NONE
            },
            Certainty::Selective(_) => Limits { proof_from: 0, ..Limits::NONE },
            Certainty::Proven => Limits::NONE,
        };
        let reply = self.ask(next, limits, 1).candidates.into_iter().next()?;
        let value = turned(reply.value);
        let certainty = match value.certainty {
            Certainty::Estimate(depth) => Certainty::Estimate(depth + 1),
            other => other,
        };
        Some((Value { certainty, ..value }, reply.line))
    }

    fn ask(&mut self, position: Position, limits: Limits, top: usize) -> Answer {
        let question = Question { position, counting: self.counting, limits, top };
        let monitor = self.interrupt.monitor();
        let is_near = position.empties().count() <= UNTIMED_EMPTIES_MAX;
        let time = self.effort.time().filter(|_| !is_near);
        let mut answer =
            watch::within(time, &monitor, || self.engine.think(question, &monitor, &mut |_| {}));
        for candidate in &mut answer.candidates {
            candidate.value.discs = tenths(candidate.value.discs);
        }
        answer
    }
}

/// The value for the other side.
fn turned(value: Value) -> Value {
    Value { discs: tenths(-value.discs), ..value }
}

/// Rounded as it is shown, so that what is shown adds up.
pub(super) fn tenths(discs: f32) -> f32 {
    // Adding zero turns minus zero into zero.
    (discs * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;
    use obverse_engine::classic::{Rng, duel};
    use obverse_engine::{Config, Level};

    fn engine() -> Engine {
        Engine::new(Config { threads: 1, table_mib: 1 })
    }

    fn judge(engine: &mut Engine, effort: Effort, top: usize) -> Judge<'_> {
        Judge {
            engine,
            interrupt: Interrupt::default(),
            effort,
            counting: Counting::WinnerTakesEmpties,
            top,
            n_threads: 1,
        }
    }

    fn random_game(size: Size, seed: u64) -> Game {
        let mut player = "random".parse::<obverse_engine::classic::Spec>().unwrap().player(seed);
        duel::self_play(Position::start(size), &mut player, 0, &mut Rng::new(seed))
    }

    #[test]
    fn no_move_is_better_than_the_best() {
        for (size, seed) in [(Size::Four, 1), (Size::Six, 2), (Size::Eight, 3), (Size::Eight, 4)] {
            for (depth, top) in [(1, 1), (3, 2), (4, 60)] {
                let game = random_game(size, seed);
                let mut n_told = 0;
                let mut engine = engine();
                let mut judge = judge(&mut engine, Effort::Depth(depth), top);
                let review = Review::new(&game, &mut judge, &mut |_| n_told += 1);
                assert!(review.is_complete());
                assert_eq!(n_told, review.placed().count());
                for judged in review.placed() {
                    let verdict = judged.verdict.as_ref().unwrap();
                    assert!(verdict.loss() >= 0.0, "{size:?} {seed} move {}", judged.number);
                    assert!(verdict.top.len() <= top);
                    if judged.n_choices == 1 {
                        assert_eq!(verdict.best().mv, judged.mv);
                        assert!(verdict.loss() <= 0.0);
                    }
                }
            }
        }
    }

    #[test]
    fn proven_losses_add_up_to_the_result() {
        let game = random_game(Size::Four, 7);
        let mut engine = engine();
        let mut judge = judge(&mut engine, Effort::Level(Level::new(10).unwrap()), 1);
        let review = Review::new(&game, &mut judge, &mut |_| {});
        let [black, white] = [Color::Black, Color::White].map(|side| review.total(side));
        assert_eq!([black, white].map(|total| total.lost() > total.proven), [false; 2]);
        let result = game.result(Counting::WinnerTakesEmpties).unwrap();
        // With best play it is -10.
        assert_eq!((-10.0 - black.lost() + white.lost()) as i8, result.0);
    }

    #[test]
    fn what_was_not_reached_is_not_judged() {
        let game = random_game(Size::Six, 1);
        let mut engine = engine();
        let mut judge = judge(&mut engine, Effort::Depth(2), 1);
        judge.interrupt = Interrupt::asked();
        let review = Review::new(&game, &mut judge, &mut |_| {});
        assert_eq!((review.n_judged(), review.is_complete()), (0, false));
        assert_eq!(review.total(Color::Black), Total::default());
    }
}
