//! A plain solver: it tries the moves that leave the opponent the fewest replies first (a corner counts twice), and remembers
//! what it has seen. Nothing else.

use crate::rules::{Board, Counting, Field};
use crate::{Claim, Sense};

/// Entries of the memory; each holds a whole board, so that it never mistakes one for another.
const N_ENTRIES: usize = 1 << 20;

/// Boards with fewer empty squares are not worth remembering, nor sorting the moves of.
const PLAIN_EMPTIES: u32 = 5;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    bound: i8,
    reached: bool,
}

/// Solves one board after the other.
pub struct Solver {
    field: Field,
    counting: Counting,
    memory: Vec<Option<Entry>>,
    /// Boards visited.
    pub nodes: u64,
}

impl Solver {
    /// For boards of this size and games counted so.
    pub fn new(field: Field, counting: Counting) -> Solver {
        Solver { field, counting, memory: vec![None; N_ENTRIES], nodes: 0 }
    }

    /// Whether a claim is true.
    pub fn holds(&mut self, board: Board, claim: Claim) -> bool {
        match claim.sense {
            Sense::AtLeast => self.reaches(board, claim.bound),
            Sense::AtMost => !self.reaches(board, claim.bound + 1),
        }
    }

    /// Whether the side to move can score `bound` or more.
    fn reaches(&mut self, board: Board, bound: i32) -> bool {
        if board.n_empties(self.field) < PLAIN_EMPTIES {
            return self.reaches_near(board, bound, false);
        }
        self.nodes += 1;
        let moves = board.moves(self.field);
        if moves == 0 {
            if board.pass().moves(self.field) == 0 {
                return board.score(self.field, self.counting) >= bound;
            }
            return !self.reaches(board.pass(), 1 - bound);
        }
        let slot = slot(board);
        if let Some(entry) = self.memory[slot]
            && (entry.board, i32::from(entry.bound)) == (board, bound)
        {
            return entry.reached;
        }
        // No position has more than 33 moves.
        let mut next = [(0, board); 33];
        let mut n_moves = 0;
        let mut rest = moves;
        while rest != 0 {
            let disc = rest & rest.wrapping_neg();
            let after = board.play(disc);
            let replies = after.moves(self.field);
            let corners = replies & self.field.corners();
            next[n_moves] = (replies.count_ones() + corners.count_ones(), after);
            n_moves += 1;
            rest ^= disc;
        }
        next[..n_moves].sort_unstable_by_key(|(n_replies, _)| *n_replies);
        let reached = next[..n_moves].iter().any(|(_, after)| !self.reaches(*after, 1 - bound));
        self.memory[slot] = Some(Entry { board, bound: bound as i8, reached });
        reached
    }
}

impl Solver {
    /// The same near the end: every empty square is tried, and a disc that turns nothing over is no move.
    /// `passed` tells whether the other side has just passed.
    fn reaches_near(&mut self, board: Board, bound: i32, passed: bool) -> bool {
        self.nodes += 1;
        let mut rest = self.field.squares() & !(board.mover | board.other);
        let mut can_move = false;
        while rest != 0 {
            let disc = rest & rest.wrapping_neg();
            rest ^= disc;
            let after = board.play(disc);
            if after.mover == board.other {
                continue;
            }
            can_move = true;
            if !self.reaches_near(after, 1 - bound, false) {
                return true;
            }
        }
        if can_move {
            false
        } else if passed {
            // Neither side can move: the other side's view is turned back.
            board.score(self.field, self.counting) >= bound
        } else {
            !self.reaches_near(board.pass(), 1 - bound, true)
        }
    }
}

/// Where a board is remembered.
fn slot(board: Board) -> usize {
    let mixed = (board.mover ^ board.other.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 44) as usize % N_ENTRIES
}
