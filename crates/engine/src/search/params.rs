//! The numbers of the search, with how they were found.

/// Up to this many empties a thread searches by itself and remembers only in its own cache.
pub(super) const NEAR_MAX: u32 = 11;

/// A thread's cache has two to the power of this many entries of 32 bytes: 512 KiB.
pub(super) const CACHE_BITS: u32 = 14;

/// The size of what a thread remembers of the evaluation in KiB: from 128 to 512 all are alike.
pub(super) const MEMO_KIB: usize = 256;

/// From this many empties on idle threads are given moves to search.
pub(super) const SPLIT_MIN: u32 = 14;

/// From this many empties on the children are looked up in the table before any is searched.
pub(super) const ETC_MIN: u32 = 13;

/// From this many empties on moves are sorted by the evaluation.
pub(super) const EVAL_ORDER_MIN: u32 = 13;

/// What an answer less for the opponent is worth in sorting moves, in 1/128 disc. The evaluation
/// counts it too, but not how much smaller the tree gets: three discs save 9 % of the nodes of one,
/// and from two to six all are alike.
pub(super) const MOBILITY_WORTH: i32 = 512;

/// The same for an empty square beside the player's discs, where an answer may arise: 1 %.
pub(super) const POTENTIAL_WORTH: i32 = 128;

/// The same for a disc in a corner or beside one's own on the edge: 1 %.
pub(super) const CORNER_WORTH: i32 = 192;

/// What an answer less is worth far from the end.
pub(super) const MID_MOBILITY_WORTH: i32 = 32;

/// So far beyond the bound, in 1/128 disc, a move has promised enough: more counts a third of that.
pub(super) const PROMISE_ENOUGH: i32 = 16 * 128;

/// From this depth on moves are sorted by the evaluation.
pub(super) const MID_EVAL_ORDER_MIN: u32 = 3;

/// From this depth on the children are looked up in the table before any is searched.
pub(super) const MID_ETC_MIN: u32 = 5;

/// From this depth on idle threads are given moves to search.
pub(super) const MID_SPLIT_MIN: u32 = 6;

/// The table has room for one in so many of the nodes visited, when a search of a number of moves goes on.
pub(super) const MID_ROOM: u64 = 4;

/// The same for a search to the end. Those with many empties are few, and the less memory they are
/// spread over, the faster they are found: room for one in 16 to 8,192 takes about 5 % less time than for one
/// in 4, and no more nodes.
pub(super) const END_ROOM: u64 = 256;

/// So many questions about a score move on by the least step, as the guess is seldom far off; a step too great costs
/// a question more.
pub(super) const STEADY_QUESTIONS: u32 = 4;

/// By the number of empties, how high alpha must be for the opponent's stable discs to be counted:
/// below, they hardly ever decide. The values are those the field has settled on.
pub(super) static STABILITY_ALPHA: [i32; 64] = stability_alpha();

const fn stability_alpha() -> [i32; 64] {
    let mut table = [99; 64];
    let mut n = 4;
    while n < 48 {
        table[n] = match n {
            0..10 => 2 * n as i32 - 2,
            10..25 => 2 * n as i32,
            25.. => 48 + (n as i32 - 24) / 2 * 2 * 2 / 3,
        };
        n += 1;
    }
    table
}
