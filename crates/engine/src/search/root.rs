//! The position that was asked about: its moves, and the questions put to the search.

use obverse_board::{Board, Move, Square, kernel};

use super::order::{Child, Children};
use super::params::{END_ROOM, MID_ROOM, STEADY_QUESTIONS};
use super::{Care, NONE, Worker};
use crate::eval::{UNIT, Windows};
use crate::table::NO_MOVE;

/// More moves than a game has, with passes.
const LINE_MAX: usize = 120;

/// The root of a search, with the moves that are to be considered.
pub(crate) struct Root<'a, 'b, const FULL: bool, const TAKES: bool> {
    pub(crate) worker: &'a mut Worker<'b, FULL, TAKES>,
    o: u64,
    n_empties: u32,
    windows: Windows,
    /// Best first, as far as is known.
    children: Children,
}

/// What is known of the score at the end, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
    /// The move that reaches the lower bound, if one was found to.
    pub(crate) best: u8,
    /// Whether the search was stopped before the bounds were narrow enough.
    pub(crate) stopped: bool,
}

/// What a look some moves ahead found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) value: i32,
    pub(crate) best: u8,
    /// Whether it was stopped before all moves were compared.
    pub(crate) stopped: bool,
}

impl<'a, 'b, const FULL: bool, const TAKES: bool> Root<'a, 'b, FULL, TAKES> {
    /// The root at a board where the player has a move.
    pub(crate) fn new(
        worker: &'a mut Worker<'b, FULL, TAKES>,
        board: Board,
    ) -> Root<'a, 'b, FULL, TAKES> {
        let (p, o) = (board.player().0, board.opponent().0);
        let n_empties = worker.arena.empties(p, o).count_ones();
        let windows = Worker::<FULL, TAKES>::windows(p, o);
        let mut children = Children::new();
        let mut moves = worker.arena.moves(p, o);
        while moves != 0 {
            let s = moves.trailing_zeros();
            moves &= moves - 1;
            let f = kernel::flips(p, o, s as u8);
            let (cp, co) = (o ^ f, p | f | 1 << s);
            let below = windows.play(s as u8, f);
            let key = -worker.estimate(cp, co, &below, n_empties - 1)
                - worker.arena.mobility(cp, co) * UNIT;
            children.push(Child { p: cp, o: co, square: s as u8, key });
        }
        children.sort();
        Root { worker, o, n_empties, windows, children }
    }

    pub(crate) const fn n_empties(&self) -> u32 {
        self.n_empties
    }

    pub(crate) const fn n_moves(&self) -> usize {
        self.children.len()
    }

    /// The move thought best.
    pub(crate) fn first(&self) -> u8 {
        self.children.as_slice().first().map_or(NO_MOVE, |child| child.square)
    }

    /// Takes a move out of consideration.
    pub(crate) fn exclude(&mut self, square: u8) {
        self.children.remove(square);
    }

    /// Puts a move back, before all others.
    pub(crate) fn include_first(&mut self, child: Child) {
        self.children.insert_first(child);
    }

    pub(crate) fn area(&self) -> i32 {
        self.worker.arena.area()
    }

    /// The move that the evaluation alone thinks best, and what it says.
    pub(crate) fn glance(&mut self) -> (i32, u8) {
        let mut value_of = |child: &Child| {
            let windows = self.windows.play(child.square, child.p ^ self.o);
            -self.worker.estimate(child.p, child.o, &windows, self.n_empties - 1)
        };
        let values = self.children.as_slice().iter().map(|child| (value_of(child), child.square));
        values.max_by_key(|(value, _)| *value).unwrap_or((NONE, NO_MOVE))
    }

    /// The move to a child and those that the table expects to follow.
    pub(crate) fn line(&self, child: Child) -> Vec<Move> {
        let place = |square: u8| Square::new(square).map(Move::Place);
        let mut line: Vec<Move> = place(child.square).into_iter().collect();
        let (mut p, mut o) = (child.p, child.o);
        while line.len() < LINE_MAX {
            let moves = self.worker.arena.moves(p, o);
            if moves == 0 {
                if self.worker.arena.moves(o, p) == 0 {
                    break;
                }
                line.push(Move::Pass);
                (p, o) = (o, p);
                continue;
            }
            let known = self.worker.shared.table.get(p, o, self.worker.shared.epoch);
            let Some(known) = known else { break };
            if known.best >= 64 || moves >> known.best & 1 == 0 {
                break;
            }
            line.extend(place(known.best));
            let f = kernel::flips(p, o, known.best);
            (p, o) = (o ^ f, p | f | 1 << known.best);
        }
        while line.last() == Some(&Move::Pass) {
            line.pop();
        }
        line
    }

    /// The child that a move leads to.
    pub(crate) fn child(&self, square: u8) -> Option<Child> {
        self.children.as_slice().iter().find(|child| child.square == square).copied()
    }

    /// Makes room for a position in `share` of the nodes visited so far. Between two questions no thread
    /// is searching.
    fn make_room(&self, share: u64) {
        self.worker.shared.table.make_room(self.worker.total_nodes() / share);
    }

    /// Looks `depth` moves ahead; `None` if the search was stopped before it had compared two moves.
    pub(crate) fn look(&mut self, depth: u32, care: Care, guess: Option<i32>) -> Option<Look> {
        self.worker.care = care;
        let limit = (self.worker.arena.area() + 1) * UNIT;
        // A window about the value of the search before, opened further on the side that fails.
        let mut width = 2 * UNIT;
        let (mut alpha, mut beta) =
            guess.map_or((-limit, limit), |guess| (guess - width, guess + width));
        loop {
            self.make_room(MID_ROOM);
            let bounds = (alpha.max(-limit), beta.min(limit));
            let (value, best) = self.worker.pv_children(
                &mut self.children,
                bounds,
                depth,
                self.n_empties,
                self.o,
                &self.windows,
            );
            self.worker.report_nodes();
            let is_inside = value > bounds.0 && value < bounds.1;
            if self.worker.is_cancelled() {
                // What was found so far is at least as good as the move searched first.
                return is_inside.then_some(Look { value, best, stopped: true });
            }
            if is_inside {
                self.children.bring_first(best);
                return Some(Look { value, best, stopped: false });
            }
            width *= 3;
            if value <= alpha {
                alpha = value - width;
            } else {
                beta = value + width;
            }
        }
    }

    /// What one move is worth, looking `depth` moves ahead and no farther, even where more is known; `None` if
    /// the search was stopped.
    pub(crate) fn look_at(
        &mut self,
        square: u8,
        depth: u32,
        care: Care,
        guess: Option<i32>,
    ) -> Option<i32> {
        let mut only = Children::new();
        only.push(self.child(square)?);
        let all = std::mem::replace(&mut self.children, only);
        self.worker.is_literal = true;
        let look = self.look(depth, care, guess);
        self.worker.is_literal = false;
        self.children = all;
        look.filter(|look| !look.stopped).map(|look| look.value)
    }

    /// Asks about the score at the end until it is known, or known not to lie between `low` and
    /// `high`. `tell` hears of every answer.
    pub(crate) fn narrow(
        &mut self,
        care: Care,
        (low, high): (i32, i32),
        known: (i32, i32),
        guess: i32,
        tell: &mut dyn FnMut(Bounds, u64),
    ) -> Bounds {
        self.worker.care = care;
        let area = self.worker.arena.area();
        let mut bounds = Bounds { lower: known.0, upper: known.1, best: NO_MOVE, stopped: false };
        // Where the winner takes the empties every score is even.
        let unit = if TAKES { 2 } else { 1 };
        let mut step = unit;
        let mut n_asked = 0;
        let mut target = (guess.div_euclid(unit) * unit).clamp(low + 1, high);
        loop {
            let Bounds { lower, upper, .. } = bounds;
            if lower >= upper || lower >= high || upper <= low {
                return bounds;
            }
            self.make_room(END_ROOM);
            // Is it at least this much?
            let at_least = target.clamp(lower.max(low) + 1, upper.min(high));
            let (score, best) =
                self.worker.try_children(&self.children, at_least - 1, self.n_empties);
            self.worker.report_nodes();
            if self.worker.is_cancelled() || score == NONE {
                bounds.stopped = true;
                return bounds;
            }
            if score >= at_least {
                bounds = Bounds { lower: score, best, ..bounds };
                self.children.bring_first(best);
            } else {
                bounds.upper = score;
            }
            // Selective answers may contradict each other; the last one stands.
            if bounds.lower > bounds.upper {
                (bounds.lower, bounds.upper) = (score, score);
            }
            tell(bounds, self.worker.total_nodes());
            // Away from the answer, in growing steps when the guess is far off, until the score is between
            // two, then halve.
            target = if bounds.lower > -area && bounds.upper < area {
                bounds.lower + ((bounds.upper - bounds.lower) / 2 / unit * unit).max(unit)
            } else if score >= at_least {
                bounds.lower + step
            } else {
                bounds.upper - step + unit
            };
            n_asked += 1;
            if n_asked >= STEADY_QUESTIONS {
                step *= 2;
            }
        }
    }
}
