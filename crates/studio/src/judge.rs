//! A game, judged move by move.
//!
//! Each move is compared with the best one that an engine finds. How the engine is asked, and for how
//! long, is up to whoever asks: [`judge`] only says what to ask and what the answers amount to.

use obverse_board::{Color, Counting, Game, Move, Position};
use obverse_engine::{Answer, Candidate, Certainty, Limits, Value};

use crate::view::{tenths, turned};

/// What a move loses at least to be a mistake or a blunder, in discs.
const MISTAKE: f32 = 4.0;
const BLUNDER: f32 = 10.0;

/// What a move loses at least not to count as accurate.
const INACCURATE: f32 = 1.0;

/// So near the end a proof takes no time worth limiting, and on a busy machine a limit could miss it.
pub const UNTIMED_EMPTIES_MAX: u32 = 12;

/// A game and what its moves are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The moves in the order of the game, each with the position it is played in.
    pub moves: Vec<(Position, Judged)>,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Counted from 1 without the passes; a pass has the number of the move before it.
    pub number: u32,
    /// Who plays it.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// How many moves there were to choose from.
    pub n_choices: u32,
    /// `None` for passes, and where the analysis has not got yet.
    pub verdict: Option<Verdict>,
}

/// What a move is worth, and what the best one is; values are those of the side that moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// What the move is worth.
    pub value: Value,
    /// Best first; the first is never worth less than the move that was played. There is one.
    pub top: Vec<Candidate>,
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// It loses 4 discs or more.
    Mistake,
    /// It loses 10 discs or more.
    Blunder,
}

/// One player's moves, summed up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// Moves that were judged.
    pub moves: u32,
    /// Those where there was a choice.
    pub choices: u32,
    /// The accurate ones of them.
    pub accurate: u32,
    /// Moves that lose 4 discs or more, but not 10.
    pub mistakes: u32,
    /// Moves that lose 10 discs or more.
    pub blunders: u32,
    /// Discs lost by moves whose loss is proven.
    pub proven: f32,
    /// Selective.
    pub selective: f32,
    /// Estimated.
    pub estimated: f32,
}

/// How far an engine is asked to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// As far as it thinks about every position of the game.
    Usual,
    /// As far as this, whatever is usual.
    Limits(Limits),
}

/// Asks an engine for the best moves of a position, as many as wanted; `None` if it was interrupted.
pub type Ask<'a> = dyn FnMut(Position, Reach, usize) -> Option<Answer> + 'a;

impl Review {
    /// A game none of whose moves has been judged.
    pub fn new(game: &Game) -> Review {
        let mut number = 0;
        let moves = game.steps().map(|(position, mv)| {
            number += u32::from(mv != Move::Pass);
            let n_choices = position.moves().count().max(1);
            let side = position.turn();
            (position, Judged { number, side, mv, n_choices, verdict: None })
        });
        Review { moves: moves.collect() }
    }

    /// The moves without the passes.
    pub fn placed(&self) -> impl DoubleEndedIterator<Item = &Judged> {
        self.moves.iter().map(|(_, judged)| judged).filter(|judged| !judged.is_pass())
    }

    /// How many moves have been judged.
    pub fn n_judged(&self) -> usize {
        self.placed().filter(|judged| judged.verdict.is_some()).count()
    }

    /// Whether all have been.
    pub fn is_complete(&self) -> bool {
        self.n_judged() == self.placed().count()
    }

    /// One player's moves, summed up.
    pub fn total(&self, side: Color) -> Total {
        let mut total = Total::default();
        for judged in self.placed().filter(|judged| judged.side == side) {
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
    /// Discs lost in all.
    pub fn lost(&self) -> f32 {
        self.proven + self.selective + self.estimated
    }

    /// The share of accurate moves among those with a choice.
    pub fn accuracy(&self) -> Option<f32> {
        (self.choices > 0).then(|| self.accurate as f32 / self.choices as f32)
    }
}

impl Judged {
    /// Whether it is a pass.
    pub fn is_pass(&self) -> bool {
        self.mv == Move::Pass
    }

    /// What the game is worth for Black after the move.
    pub fn for_black(&self) -> Option<Value> {
        let value = self.verdict.as_ref()?.value;
        Some(if self.side == Color::Black { value } else { turned(value) })
    }
}

impl Verdict {
    /// The best move.
    ///
    /// # Panics
    /// If there is none, which [`judge`] never returns.
    pub fn best(&self) -> &Candidate {
        self.top.first().expect("a move was played, so there is a best one")
    }

    /// By how many discs the best move is better.
    pub fn loss(&self) -> f32 {
        tenths(self.best().value.discs - self.value.discs)
    }

    /// How the loss is known: as well as the less certain of the two values.
    pub fn certainty(&self) -> Certainty {
        self.best().value.certainty.min(self.value.certainty)
    }

    /// How bad that is.
    pub fn fault(&self) -> Option<Fault> {
        match self.loss() {
            loss if loss >= BLUNDER => Some(Fault::Blunder),
            loss if loss >= MISTAKE => Some(Fault::Mistake),
            _ => None,
        }
    }
}

/// What a move is worth among the `top` best; `None` if interrupted.
///
/// # Panics
/// If the move is illegal.
pub fn judge(
    position: Position,
    mv: Move,
    counting: Counting,
    n_top: usize,
    ask: &mut Ask<'_>,
) -> Option<Verdict> {
    let mut top = rounded(ask(position, Reach::Usual, n_top)?).candidates;
    let best = top.first()?.value;
    let value = if let Some(i) = top.iter().position(|candidate| candidate.mv == mv) {
        let value = top[i].value;
        // Of several best moves the one that was played is named.
        if value == best {
            top[..=i].rotate_right(1);
        }
        value
    } else {
        let (value, line) = value_after(position, mv, counting, best.certainty, ask)?;
        let is_missed = value.discs > best.discs && best.certainty < Certainty::Proven;
        if is_missed || value == best {
            // The first search missed it, or it is just as good.
            let line = std::iter::once(mv).chain(line).collect();
            top.insert(0, Candidate { mv, value, line });
            top.truncate(n_top);
        }
        // Nothing is better than what is proven best.
        Value { discs: value.discs.min(top[0].value.discs), ..value }
    };
    Some(Verdict { value, top })
}

/// What a move is worth that is not among the best, found with as much care as those; and what
/// should follow.
fn value_after(
    position: Position,
    mv: Move,
    counting: Counting,
    certainty: Certainty,
    ask: &mut Ask<'_>,
) -> Option<(Value, Vec<Move>)> {
    let next = position.apply(mv).expect("the moves of a game are legal");
    if next.is_over() {
        let discs = next.score_for(position.turn(), counting).0.into();
        return Some((Value { discs, certainty: Certainty::Proven }, Vec::new()));
    }
    let limits = match certainty {
        // One move less, because one has been made: the horizon is the same.
        Certainty::Estimate(depth) => {
            Limits { depth: depth.saturating_sub(1), end_from: 0, proof_from: 0, ..Limits::NONE }
        }
        Certainty::Selective(_) => Limits { proof_from: 0, ..Limits::NONE },
        Certainty::Proven => Limits::NONE,
    };
    let answer = rounded(ask(next, Reach::Limits(limits), 1)?);
    let reply = answer.candidates.into_iter().next()?;
    let value = turned(reply.value);
    let certainty = match value.certainty {
        Certainty::Estimate(depth) => Certainty::Estimate(depth + 1),
        other => other,
    };
    Some((Value { certainty, ..value }, reply.line))
}

/// With the values as they are shown, so that what is shown adds up.
pub fn rounded(mut answer: Answer) -> Answer {
    for candidate in &mut answer.candidates {
        candidate.value.discs = tenths(candidate.value.discs);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Size;
    use obverse_engine::classic::{Rng, Spec, duel};
    use obverse_engine::{Config, Engine, Level, Monitor, Question};

    const COUNTING: Counting = Counting::WinnerTakesEmpties;

    fn random_game(size: Size, seed: u64) -> Game {
        let mut player = "random".parse::<Spec>().unwrap().player(seed);
        duel::self_play(Position::start(size), &mut player, 0, &mut Rng::new(seed))
    }

    fn review(game: &Game, usual: Limits, n_top: usize) -> Review {
        let mut engine = Engine::new(Config { threads: 1, table_mib: 1 });
        let mut ask = |position, reach, top| {
            let limits = match reach {
                Reach::Usual => usual,
                Reach::Limits(limits) => limits,
            };
            let question = Question { position, counting: COUNTING, limits, top };
            Some(engine.think(question, &Monitor::default(), &mut |_| {}))
        };
        let mut review = Review::new(game);
        for (position, judged) in review.moves.iter_mut().rev().filter(|(_, j)| !j.is_pass()) {
            judged.verdict = judge(*position, judged.mv, COUNTING, n_top, &mut ask);
        }
        review
    }

    #[test]
    fn no_move_is_better_than_the_best() {
        for (size, seed) in [(Size::Four, 1), (Size::Six, 2), (Size::Eight, 3), (Size::Eight, 4)] {
            for (depth, top) in [(1, 1), (3, 2), (4, 60)] {
                let limits = Limits { depth, end_from: depth, proof_from: depth, ..Limits::NONE };
                let review = review(&random_game(size, seed), limits, top);
                assert!(review.is_complete());
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
        let review = review(&game, Level::new(10).unwrap().into(), 1);
        let [black, white] = [Color::Black, Color::White].map(|side| review.total(side));
        assert_eq!([black, white].map(|total| total.lost() > total.proven), [false; 2]);
        let result = game.result(COUNTING).unwrap();
        // With best play it is -10.
        assert_eq!((-10.0 - black.lost() + white.lost()) as i8, result.0);
    }

    #[test]
    fn what_was_not_reached_is_not_judged() {
        let game = random_game(Size::Six, 1);
        let (position, mv) = game.steps().next().unwrap();
        assert_eq!(judge(position, mv, COUNTING, 1, &mut |_, _, _| None), None);
        let review = Review::new(&game);
        assert_eq!((review.n_judged(), review.is_complete()), (0, false));
        assert_eq!(review.total(Color::Black), Total::default());
    }
}
