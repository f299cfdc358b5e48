//! The last looks decide together.
//!
//! Whoever moves last gets a little too much, and which move profits from that changes with every depth: a move
//! that comes out best at one depth alone is often not the best. So the moves that were best at one of the last
//! depths are compared by their values at all of these, the last one counting most. Mostly that is one move, and
//! seldom more than two.

use crate::table::NO_MOVE;

/// How much the last looks count, the last one first.
const SHARES: [i32; 4] = [4, 3, 2, 1];

/// The last looks.
#[derive(Default)]
pub(super) struct Trail {
    /// The last one first.
    looks: Vec<Look>,
}

struct Look {
    depth: u32,
    best: u8,
    /// What moves that were best, here or in another look, are worth at this depth.
    values: Vec<(u8, i32)>,
}

/// A value that is not there yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gap {
    pub(super) square: u8,
    pub(super) depth: u32,
    /// About what it should be.
    pub(super) guess: Option<i32>,
}

impl Trail {
    /// Adds a look and the move that came out best; it takes the place of one as far.
    pub(super) fn add(&mut self, depth: u32, best: u8) {
        self.looks.retain(|look| look.depth != depth);
        self.looks.insert(0, Look { depth, best, values: Vec::new() });
        self.looks.truncate(SHARES.len());
    }

    /// A value that is needed to compare the moves that were best, until there is none.
    pub(super) fn gap(&self) -> Option<Gap> {
        let square = |look: &Look| look.best;
        self.looks.iter().map(square).filter(|&square| self.has_rivals(square)).find_map(|square| {
            let look = self.looks.iter().find(|look| look.value(square).is_none())?;
            let mut others = self.looks.iter().filter_map(|look| look.value(square));
            let guess = others.next_back().or(look.values.first().map(|&(_, value)| value));
            Some(Gap { square, depth: look.depth, guess })
        })
    }

    /// Tells what a move is worth at a depth.
    pub(super) fn tell(&mut self, square: u8, depth: u32, value: i32) {
        if let Some(look) = self.looks.iter_mut().find(|look| look.depth == depth) {
            look.values.push((square, value));
        }
    }

    /// The move that is best by all looks together, and what it is worth by the last one; `None` if one move was
    /// best in all of them.
    ///
    /// There must be no gaps.
    pub(super) fn verdict(&self) -> Option<(u8, i32)> {
        let mut best = (i32::MIN, NO_MOVE);
        for square in self.looks.iter().map(|look| look.best) {
            if !self.has_rivals(square) {
                return None;
            }
            let values = self.looks.iter().filter_map(|look| look.value(square));
            let sum = SHARES.iter().zip(values).map(|(share, value)| share * value).sum();
            // Of equals the one that the later look prefers.
            if sum > best.0 {
                best = (sum, square);
            }
        }
        let last = self.looks.first()?;
        Some((best.1, last.value(best.1)?))
    }

    /// Whether another move was best in one of the looks.
    fn has_rivals(&self, square: u8) -> bool {
        self.looks.iter().any(|look| look.best != square)
    }
}

impl Look {
    fn value(&self, square: u8) -> Option<i32> {
        self.values.iter().find(|(its, _)| *its == square).map(|&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trail of looks at depths from 3 on with these best moves.
    fn trail(best: &[u8]) -> Trail {
        let mut trail = Trail::default();
        for (depth, &best) in (3..).zip(best) {
            trail.add(depth, best);
        }
        trail
    }

    /// Fills all gaps with what `value` says of a square and a depth; which there were.
    fn fill(trail: &mut Trail, value: impl Fn(u8, u32) -> i32) -> Vec<(u8, u32)> {
        let mut gaps = Vec::new();
        while let Some(Gap { square, depth, .. }) = trail.gap() {
            trail.tell(square, depth, value(square, depth));
            gaps.push((square, depth));
        }
        gaps
    }

    #[test]
    fn a_move_that_is_always_best_needs_no_comparison() {
        let trail = trail(&[19; 6]);
        assert_eq!((trail.gap(), trail.verdict()), (None, None));
        let nothing = Trail::default();
        assert_eq!((nothing.gap(), nothing.verdict()), (None, None));
    }

    #[test]
    fn a_move_must_be_better_by_all_looks_together() {
        // The second move is better at depth 6 alone, by so much.
        let verdict = |lead: i32| {
            let mut trail = trail(&[19, 19, 19, 20]);
            let gaps = fill(&mut trail, |square, depth| match (square, depth) {
                (20, 6) => 100 + lead,
                (20, _) => 90,
                _ => 100,
            });
            assert_eq!(gaps.len(), 8, "{gaps:?}");
            trail.verdict()
        };
        assert_eq!(verdict(14), Some((19, 100)));
        assert_eq!(verdict(15), Some((20, 115)), "of equals the one of the last look");
        assert_eq!(verdict(16), Some((20, 116)));
    }

    #[test]
    fn what_is_known_is_not_asked_for() {
        let mut trail = trail(&[19, 20]);
        trail.tell(20, 4, 7);
        let gap = trail.gap();
        assert_eq!(gap, Some(Gap { square: 20, depth: 3, guess: Some(7) }));
        assert_eq!(fill(&mut trail, |_, _| 0), [(20, 3), (19, 4), (19, 3)]);
        assert_eq!(trail.verdict(), Some((20, 7)));
    }

    #[test]
    fn what_is_long_ago_is_forgotten() {
        let trail = trail(&[19, 20, 20, 20, 20]);
        assert_eq!((trail.gap(), trail.verdict()), (None, None));
    }

    #[test]
    fn a_look_takes_the_place_of_one_as_far() {
        let mut trail = trail(&[19, 19, 20]);
        trail.add(5, 19);
        assert_eq!(trail.gap(), None);
    }
}
