//! To the end of the game with more than eleven empties.

use obverse_board::kernel;

use super::order::{Child, Children, SQUARE_VALUE, corner_stability, promise};
use super::params::{
    CORNER_WORTH, ETC_MIN, EVAL_ORDER_MIN, MOBILITY_WORTH, POTENTIAL_WORTH, SPLIT_MIN,
};
use super::split::Ahead;
use super::{NONE, Worker};
use crate::eval::UNIT;
use crate::table::{Draft, Known, NO_MOVE};

impl<const FULL: bool, const TAKES: bool> Worker<'_, FULL, TAKES> {
    /// The same as [`Worker::end`] for any number of empties, with a move that reaches a score above
    /// `alpha`; if there is none, or it was not needed to know the score, with any or [`NO_MOVE`].
    pub(crate) fn far(&mut self, p: u64, o: u64, alpha: i32, n_empties: u32) -> (i32, u8) {
        self.nodes += 1;
        if self.nodes > 1 << 16 {
            self.report_nodes();
        }
        // Step 1. Nobody waits for the answer.
        if self.is_cancelled() {
            return (NONE, NO_MOVE);
        }
        // Step 2. The opponent's stable discs alone keep the player down.
        if let Some(score) = self.stability_cut(p, o, alpha, n_empties) {
            return (score, NO_MOVE);
        }
        // Step 3. The position has been searched before.
        let table = self.shared.table;
        let draft = Draft { depth: n_empties as u8, care: self.care.0 };
        let found = table.get(p, o, self.shared.epoch).unwrap_or(Known::nothing(draft));
        let known = found.as_seen_by(draft);
        if let Some(value) = known.cut(alpha * UNIT) {
            return (value / UNIT, known.best);
        }
        // Step 4. A pass, or the end.
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            if self.arena.moves(o, p) == 0 {
                return (self.arena.score(p, o), NO_MOVE);
            }
            return (-self.end(o, p, -alpha - 1, n_empties), NO_MOVE);
        }
        // Step 5. Make every move; one that takes all discs, or leads to a position known to be good
        // enough, is enough.
        let mut children = Children::new();
        if let Some(found) = self.expand(p, o, moves, alpha, n_empties, &mut children) {
            return found;
        }
        // Step 6. A short search says that the answer is hardly in doubt.
        if let Some(score) = self.probcut_end(p, o, alpha, n_empties) {
            return (score, NO_MOVE);
        }
        // Step 7. Sort them and try one after the other; idle threads help from the second on.
        self.score_children(p, o, known.best, alpha, n_empties, &mut children);
        let (score, best) = self.try_children(&children, alpha, n_empties);
        // Step 8. Remember.
        if !self.is_cancelled() {
            table.put(p, o, found.with(draft, alpha * UNIT, score * UNIT, best), self.shared.epoch);
        }
        (score, best)
    }

    /// Makes every move and collects the children; the answer, if one of them gives it at once.
    fn expand(
        &self,
        p: u64,
        o: u64,
        mut moves: u64,
        alpha: i32,
        n_empties: u32,
        children: &mut Children,
    ) -> Option<(i32, u8)> {
        let table = self.shared.table;
        let looks_up = n_empties >= ETC_MIN;
        while moves != 0 {
            let s = moves.trailing_zeros();
            moves &= moves - 1;
            let f = kernel::flips(p, o, s as u8);
            let child = Child { p: o ^ f, o: p | f | 1 << s, square: s as u8, key: 0 };
            if TAKES && child.p == 0 {
                return Some((self.arena.area(), s as u8));
            }
            if looks_up {
                table.prefetch(child.p, child.o);
            }
            children.push(child);
        }
        if looks_up {
            let draft = Draft { depth: n_empties as u8 - 1, care: self.care.0 };
            for child in children.as_slice() {
                let known = table.get(child.p, child.o, self.shared.epoch);
                let upper = known.map_or(i16::MAX, |known| known.as_seen_by(draft).upper);
                let score = -i32::from(upper) / UNIT;
                if score > alpha {
                    return Some((score, child.square));
                }
            }
        }
        None
    }

    /// Says how promising each child is and sorts them.
    fn score_children(
        &mut self,
        p: u64,
        o: u64,
        table_move: u8,
        alpha: i32,
        n_empties: u32,
        children: &mut Children,
    ) {
        let odd = self.arena.odd_quadrants(self.arena.empties(p, o));
        if n_empties >= EVAL_ORDER_MIN {
            let windows = Self::windows(p, o);
            let depth = super::order::look_ahead_depth(n_empties);
            for child in children.as_mut_slice() {
                let Child { p: cp, o: co, square, .. } = *child;
                child.key = if square == table_move {
                    i32::MAX
                } else {
                    let windows = windows.play(square, cp ^ o);
                    let value = -self.look(cp, co, &windows, depth, n_empties - 1);
                    promise(value - alpha * UNIT)
                        - self.arena.mobility(cp, co) * MOBILITY_WORTH
                        - self.arena.potential_mobility(cp, co) * POTENTIAL_WORTH
                        + corner_stability(co) * CORNER_WORTH
                };
            }
        } else {
            for child in children.as_mut_slice() {
                let Child { p, o, square, .. } = *child;
                child.key = if square == table_move {
                    i32::MAX
                } else {
                    -(self.arena.mobility(p, o) << 15) + (corner_stability(o) << 11)
                        - (self.arena.potential_mobility(p, o) << 5)
                        + i32::from(SQUARE_VALUE[usize::from(square & 63)])
                        + (odd >> square & 1) as i32 * 4
                };
            }
        }
        children.sort();
    }

    /// Searches children to the end, in order; the best score and its move.
    pub(crate) fn try_children(
        &mut self,
        children: &Children,
        alpha: i32,
        n_empties: u32,
    ) -> (i32, u8) {
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        for i in 0..children.len() {
            if i > 0
                && n_empties >= SPLIT_MIN
                && i + 1 < children.len()
                && self.shared.pool.has_idle()
            {
                return self.split(children, i, (best, best_square), alpha, n_empties, Ahead::End);
            }
            let child = children.as_slice()[i];
            let score = -self.end(child.p, child.o, -alpha - 1, n_empties - 1);
            if self.is_cancelled() {
                return (NONE, NO_MOVE);
            }
            if score > best {
                (best, best_square) = (score, child.square);
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }
}
