//! The engine as a judge of moves.

use obverse_board::{Counting, Game, Position};
use obverse_engine::{Answer, Engine, Question};
use obverse_studio::judge::{Reach, Review, UNTIMED_EMPTIES_MAX, judge, rounded};

use super::Effort;
use crate::watch::{self, Interrupt};

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

impl Judge<'_> {
    /// Judges a game from its end, because what the engine learns about a position is still in its
    /// table when it comes to the one before; `tell` hears how many moves are done.
    pub(crate) fn review(&mut self, game: &Game, tell: &mut dyn FnMut(u64)) -> Review {
        let mut review = Review::new(game);
        let mut n_done = 0;
        for (position, judged) in review.moves.iter_mut().rev().filter(|(_, j)| !j.is_pass()) {
            let (counting, top) = (self.counting, self.top);
            let mut ask = |position, reach, top| self.ask(position, reach, top);
            judged.verdict = judge(*position, judged.mv, counting, top, &mut ask);
            if judged.verdict.is_none() {
                break;
            }
            n_done += 1;
            tell(n_done);
        }
        review
    }

    /// The best moves of a position, as many as are wanted.
    pub(super) fn think(&mut self, position: Position) -> Answer {
        rounded(self.answer(position, Reach::Usual, self.top))
    }

    fn ask(&mut self, position: Position, reach: Reach, top: usize) -> Option<Answer> {
        let answer = self.answer(position, reach, top);
        (!self.interrupt.is_asked()).then_some(answer)
    }

    fn answer(&mut self, position: Position, reach: Reach, top: usize) -> Answer {
        let limits = match reach {
            Reach::Usual => self.effort.limits(self.n_threads),
            Reach::Limits(limits) => limits,
        };
        let question = Question { position, counting: self.counting, limits, top };
        let monitor = self.interrupt.monitor();
        let is_near = position.empties().count() <= UNTIMED_EMPTIES_MAX;
        let time = self.effort.time().filter(|_| !is_near);
        watch::within(time, &monitor, || self.engine.think(question, &monitor, &mut |_| {}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_engine::Config;

    fn judge(engine: &mut Engine, interrupt: Interrupt) -> Judge<'_> {
        Judge {
            engine,
            interrupt,
            effort: Effort::Depth(2),
            counting: Counting::WinnerTakesEmpties,
            top: 1,
            n_threads: 1,
        }
    }

    #[test]
    fn it_tells_how_far_it_is_and_stops_when_asked() {
        let game = Game::parse("f5d6c3d3c4f4").unwrap();
        let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
        let mut told = Vec::new();
        let review =
            judge(&mut engine, Interrupt::default()).review(&game, &mut |n_done| told.push(n_done));
        assert!(review.is_complete());
        assert_eq!(told, [1, 2, 3, 4, 5, 6]);
        let review =
            judge(&mut engine, Interrupt::asked()).review(&game, &mut |_| panic!("it was stopped"));
        assert_eq!(review.n_judged(), 0);
    }
}
