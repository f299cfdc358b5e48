//! The numbers of the search, with how they were found.

/// Up to this many empties a thread searches by itself and remembers only in its own cache.
pub(super) const NEAR_MAX: u32 = 11;

/// The size of a thread's cache in KiB.
pub(crate) const CACHE_KIB: usize = 512;

/// From this many empties on idle threads are given moves to search.
pub(super) const SPLIT_MIN: u32 = 14;

/// From this many empties on the children are looked up in the table before any is searched.
pub(super) const ETC_MIN: u32 = 13;

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
