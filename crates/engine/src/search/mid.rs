//! A number of moves ahead, then the evaluation.
//!
//! Values are in 1/128 disc. A pass takes no depth.

use obverse_board::kernel;

use super::order::{Child, Children, SQUARE_VALUE, by_square, late_move_reduction};
use super::params::{MID_ETC_MIN, MID_EVAL_ORDER_MIN, MID_MOBILITY_WORTH, MID_SPLIT_MIN};
use super::split::Ahead;
use super::{Care, NONE, Worker};
use crate::eval::{UNIT, Windows};
use crate::table::{Draft, Known, NO_MOVE};

impl<const FULL: bool, const TAKES: bool> Worker<'_, FULL, TAKES> {
    /// Asks whether the player's value `depth` moves ahead exceeds `alpha`.
    ///
    /// The result is meaningless if [`Worker::is_cancelled`] afterwards.
    #[inline]
    pub(crate) fn mid(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        alpha: i32,
        depth: u32,
        n_empties: u32,
    ) -> i32 {
        match depth {
            0 => {
                self.nodes += 1;
                self.estimate(p, o, windows, n_empties)
            }
            1 => self.mid_1(p, o, windows, alpha, n_empties),
            _ => self.mid_n(p, o, windows, alpha, depth, n_empties),
        }
    }

    /// The player's value a few moves ahead, for sorting moves.
    #[inline]
    pub(super) fn look(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        depth: u32,
        n_empties: u32,
    ) -> i32 {
        let limit = (self.arena.area() + 1) * UNIT;
        self.pv(p, o, windows, (-limit, limit), depth, n_empties)
    }

    /// One move ahead.
    fn mid_1(&mut self, p: u64, o: u64, windows: &Windows, alpha: i32, n_empties: u32) -> i32 {
        self.nodes += 1;
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            if self.arena.moves(o, p) == 0 {
                return self.arena.score(p, o) * UNIT;
            }
            return -self.mid_1(o, p, &windows.pass(), !alpha, n_empties);
        }
        let mut best = NONE;
        for mut moves in by_square(moves) {
            while moves != 0 {
                let s = moves.trailing_zeros() as u8;
                moves &= moves - 1;
                let f = kernel::flips(p, o, s);
                self.nodes += 1;
                let after = (o ^ f, p | f | 1 << s);
                let value = -self.estimate_after(after, windows, (s, f), n_empties - 1);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        best
    }

    /// Two moves ahead or more.
    fn mid_n(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        alpha: i32,
        depth: u32,
        n_empties: u32,
    ) -> i32 {
        debug_assert!(depth < n_empties, "to the end is another search");
        self.nodes += 1;
        if self.nodes > 1 << 12 {
            self.report_nodes();
        }
        // Step 1. Nobody waits for the answer.
        if self.is_cancelled() {
            return NONE;
        }
        // Step 2. The opponent's stable discs alone keep the player down.
        if let Some(score) = self.stability_cut(p, o, alpha.div_euclid(UNIT), n_empties) {
            return score * UNIT;
        }
        // Step 3. The position has been searched before.
        let table = self.shared.table;
        let draft = Draft { depth: depth as u8, care: self.care.0 };
        let found = table.get(p, o, self.shared.epoch).unwrap_or(Known::nothing(draft));
        let known = self.seen(found, draft);
        if let Some(value) = known.cut(alpha) {
            return value;
        }
        // Step 4. A pass, or the end.
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            if self.arena.moves(o, p) == 0 {
                return self.arena.score(p, o) * UNIT;
            }
            return -self.mid_n(o, p, &windows.pass(), !alpha, depth, n_empties);
        }
        // Step 5. A shorter search says that the answer is hardly in doubt.
        if let Some(value) = self.probcut_mid(p, o, windows, alpha, depth, n_empties) {
            return value;
        }
        // Step 6. Make every move; one that leads to a position known to be good enough is enough.
        let mut children = Children::new();
        if let Some(value) = self.expand_mid(p, o, moves, alpha, depth, &mut children) {
            return value;
        }
        // Step 7. Try the move that was best before: if it is good enough, the others need no sorting.
        let first = children.bring_first(known.best);
        let (mut value, mut best) = (NONE, NO_MOVE);
        if let Some(child) = first {
            let below = windows.play(child.square, child.p ^ o);
            value = self.try_nth(0, child, &below, alpha, depth - 1, n_empties - 1);
            best = child.square;
        }
        // Step 8. Sort the others and try one after the other; idle threads help from the second on.
        if value <= alpha && !self.is_cancelled() {
            let n_tried = usize::from(first.is_some());
            self.score_mid(o, windows, known.best, depth, n_empties, &mut children);
            let others = self.try_mid(&children, n_tried, alpha, depth, n_empties, o, windows);
            if others.0 > value {
                (value, best) = others;
            }
        }
        // Step 9. Remember.
        if !self.is_cancelled() {
            table.put(p, o, found.with(draft, alpha, value, best), self.shared.epoch);
        }
        value
    }

    /// The player's value within the window from `alpha` to `beta`.
    pub(crate) fn pv(
        &mut self,
        p: u64,
        o: u64,
        windows: &Windows,
        (alpha, beta): (i32, i32),
        depth: u32,
        n_empties: u32,
    ) -> i32 {
        if depth < 2 {
            return self.mid(p, o, windows, beta - 1, depth, n_empties);
        }
        self.nodes += 1;
        if self.is_cancelled() {
            return NONE;
        }
        let moves = self.arena.moves(p, o);
        if moves == 0 {
            if self.arena.moves(o, p) == 0 {
                return self.arena.score(p, o) * UNIT;
            }
            return -self.pv(o, p, &windows.pass(), (-beta, -alpha), depth, n_empties);
        }
        let table = self.shared.table;
        let draft = Draft { depth: depth as u8, care: self.care.0 };
        let found = table.get(p, o, self.shared.epoch).unwrap_or(Known::nothing(draft));
        let mut children = Children::new();
        // No child is known to be good enough for more than anything.
        let _ = self.expand_mid(p, o, moves, i32::MAX, depth, &mut children);
        self.score_mid(o, windows, found.best, depth, n_empties, &mut children);
        let (value, best) =
            self.pv_children(&mut children, (alpha, beta), depth, n_empties, o, windows);
        if !self.is_cancelled() {
            let known = Known { best: found.best, ..Known::nothing(draft) };
            let known = if value > alpha && value < beta {
                known.with(draft, value - 1, value, best).with(draft, value, value, best)
            } else {
                known.with(draft, alpha, value, best)
            };
            table.put(p, o, known, self.shared.epoch);
        }
        value
    }

    /// The best value of children within a window and its move: the first is searched with the whole
    /// window, the others are only asked whether they are better.
    ///
    /// The best child comes to the front of those searched before it.
    pub(crate) fn pv_children(
        &mut self,
        children: &mut Children,
        (mut alpha, beta): (i32, i32),
        depth: u32,
        n_empties: u32,
        o: u64,
        windows: &Windows,
    ) -> (i32, u8) {
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        let mut i = 0;
        while i < children.len() {
            if i > 0 {
                let (value, square) =
                    self.try_mid(children, i, alpha.max(best), depth, n_empties, o, windows);
                if self.is_cancelled() {
                    break;
                }
                if value <= alpha.max(best) {
                    best = best.max(value);
                    break;
                }
                // This one is better: how good is it?
                let at = children.as_slice().iter().position(|child| child.square == square);
                children.as_mut_slice()[i..=at.unwrap_or(i)].rotate_right(1);
            }
            let child = children.as_slice()[i];
            let below = windows.play(child.square, child.p ^ o);
            let bounds = (-beta, -alpha.max(best));
            let value = -self.pv(child.p, child.o, &below, bounds, depth - 1, n_empties - 1);
            if self.is_cancelled() {
                break;
            }
            if value > best {
                (best, best_square) = (value, child.square);
                if value >= beta {
                    break;
                }
                alpha = alpha.max(value);
            }
            i += 1;
        }
        (best, best_square)
    }

    /// Makes every move and collects the children; the answer, if one of them gives it at once.
    fn expand_mid(
        &self,
        p: u64,
        o: u64,
        mut moves: u64,
        alpha: i32,
        depth: u32,
        children: &mut Children,
    ) -> Option<i32> {
        let table = self.shared.table;
        let looks_up = depth >= MID_ETC_MIN && alpha != i32::MAX;
        while moves != 0 {
            let s = moves.trailing_zeros();
            moves &= moves - 1;
            let f = kernel::flips(p, o, s as u8);
            let child = Child { p: o ^ f, o: p | f | 1 << s, square: s as u8, key: 0 };
            if looks_up {
                table.prefetch(child.p, child.o);
            }
            children.push(child);
        }
        if looks_up {
            let draft = Draft { depth: depth as u8 - 1, care: self.care.0 };
            for child in children.as_slice() {
                let known = table.get(child.p, child.o, self.shared.epoch);
                let upper = known.map_or(i16::MAX, |known| self.seen(known, draft).upper);
                if -i32::from(upper) > alpha {
                    return Some(-i32::from(upper));
                }
            }
        }
        None
    }

    /// What the table says to a search of this draft.
    #[inline]
    fn seen(&self, found: Known, draft: Draft) -> Known {
        if self.is_literal && found.draft.depth != draft.depth {
            Known { best: found.best, ..Known::nothing(draft) }
        } else {
            found.as_seen_by(draft)
        }
    }

    /// Says how promising each child is and sorts them.
    fn score_mid(
        &mut self,
        o: u64,
        windows: &Windows,
        table_move: u8,
        depth: u32,
        n_empties: u32,
        children: &mut Children,
    ) {
        let ahead = super::order::mid_look_ahead_depth(depth);
        for child in children.as_mut_slice() {
            let Child { p: cp, o: co, square, .. } = *child;
            let mobility = self.arena.mobility(cp, co);
            child.key = if square == table_move {
                i32::MAX
            } else if depth < MID_EVAL_ORDER_MIN {
                // The search of a child hardly costs more than its estimate.
                i32::from(SQUARE_VALUE[usize::from(square & 63)]) - mobility * UNIT
            } else if ahead == 0 {
                self.nodes += 1;
                let by = (square, cp ^ o);
                let value = self.estimate_after((cp, co), windows, by, n_empties - 1);
                -value - mobility * MID_MOBILITY_WORTH
            } else {
                let below = windows.play(square, cp ^ o);
                let value = self.look(cp, co, &below, ahead, n_empties - 1);
                -value - mobility * MID_MOBILITY_WORTH
            };
        }
        children.sort();
    }

    /// Asks the children from `first` on, in order, whether one exceeds `alpha`.
    #[expect(clippy::too_many_arguments, reason = "the state of a node is in registers")]
    fn try_mid(
        &mut self,
        children: &Children,
        first: usize,
        alpha: i32,
        depth: u32,
        n_empties: u32,
        o: u64,
        windows: &Windows,
    ) -> (i32, u8) {
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        for i in first..children.len() {
            if i > 0
                && depth >= MID_SPLIT_MIN
                && i + 1 < children.len()
                && self.shared.pool.has_idle()
            {
                let ahead = Ahead::Moves(depth - 1);
                return self.split(children, i, (best, best_square), alpha, n_empties, ahead);
            }
            let child = children.as_slice()[i];
            let below = windows.play(child.square, child.p ^ o);
            let value = self.try_nth(i, child, &below, alpha, depth - 1, n_empties - 1);
            if self.is_cancelled() {
                return (NONE, NO_MOVE);
            }
            if value > best {
                (best, best_square) = (value, child.square);
                if value > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// What the move to the `i`th child is worth against `alpha`, looking `depth` moves ahead from there.
    ///
    /// Of a late move a shorter look, with the same side to move last, may be enough.
    pub(super) fn try_nth(
        &mut self,
        i: usize,
        child: Child,
        windows: &Windows,
        alpha: i32,
        depth: u32,
        n_empties: u32,
    ) -> i32 {
        let less = if self.care == Care::QUICK { late_move_reduction(i, depth) } else { 0 };
        if less > 0 {
            let value = -self.mid(child.p, child.o, windows, !alpha, depth - less, n_empties);
            if value <= alpha || self.is_cancelled() {
                return value;
            }
        }
        -self.mid(child.p, child.o, windows, !alpha, depth, n_empties)
    }
}
