//! The bit arithmetic under the rules, on plain `u64`s: what search calls a billion times.
//!
//! Throughout, `p` is the set of the discs of the side to move (the player), `o` that of the
//! opponent, and `index` the square row × 8 + column (modulo 64). The two sets must be disjoint.
//! Nothing here knows the size of the board: all is as on 8×8, and because nothing ever stands
//! outside a smaller board, flips are right on every size and moves need only be intersected with
//! [`Size::squares`]. Where the rim matters there are two functions, such as [`stable`] for 8×8 and
//! [`stable_on`] for any size.
//!
//! # Back-ends
//!
//! There are four, interchangeable to the bit: [`Portable`], `Avx2` and `Avx512` (on x86-64 only),
//! and `Neon` (on aarch64 only). Each is built for its architecture whether or not the build
//! may use it, so that tests and benchmarks can compare all that the CPU has; each is a token, a
//! value of which proves that the CPU can run it. The functions of this module are those of the one
//! that the compiler was allowed to assume ([`NAME`]); they are inlined and cost no dispatch.
//!
//! A program should ask [`cpu_lacks`] before anything else, and refuse to start on a CPU that lacks
//! what it was built for.
//!
//! ```
//! use obverse_board::{Board, Size, kernel};
//! let start = Board::start(Size::Eight);
//! let (p, o) = (start.player().0, start.opponent().0);
//! assert_eq!(kernel::moves(p, o), 0x0000_1020_0408_0000);
//! assert_eq!(kernel::flips(p, o, 37), 1 << 36); // f5 flips e5
//! ```

mod cpu;
mod portable;
mod stability;
mod tables;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Portable;

pub use cpu::cpu_lacks;

use crate::Size;

// The one place where a back-end is chosen.
cfg_select! {
    all(
        target_arch = "x86_64",
        target_feature = "avx512f", target_feature = "avx512bw", target_feature = "avx512cd",
        target_feature = "avx512dq", target_feature = "avx512vl", target_feature = "avx2",
        target_feature = "bmi1", target_feature = "bmi2", target_feature = "lzcnt",
        target_feature = "popcnt",
    ) => {
        type Selected = Avx512;
        // SAFETY: the build assumes every feature that the token stands for.
        #[expect(unsafe_code, reason = "the build vouches for the CPU")]
        const SELECTED: Selected = unsafe { Avx512::new_unchecked() };
    }
    all(
        target_arch = "x86_64",
        target_feature = "avx2", target_feature = "bmi1", target_feature = "bmi2",
        target_feature = "lzcnt", target_feature = "popcnt",
    ) => {
        type Selected = Avx2;
        // SAFETY: the build assumes every feature that the token stands for.
        #[expect(unsafe_code, reason = "the build vouches for the CPU")]
        const SELECTED: Selected = unsafe { Avx2::new_unchecked() };
    }
    all(target_arch = "aarch64", target_feature = "neon") => {
        type Selected = Neon;
        // SAFETY: the build assumes every feature that the token stands for.
        #[expect(unsafe_code, reason = "the build vouches for the CPU")]
        const SELECTED: Selected = unsafe { Neon::new_unchecked() };
    }
    _ => {
        type Selected = Portable;
        const SELECTED: Selected = Portable;
    }
}

/// The name of the back-end that the functions of this module use.
pub const NAME: &str = Selected::NAME;

mod sealed {
    /// Keeps the back-ends to those of this module.
    pub trait Sealed {}
}

/// A back-end: a value of the type proves that the CPU can run it.
///
/// The functions of this module say what each method returns.
pub trait Kernel: Copy + std::fmt::Debug + sealed::Sealed {
    /// A short lower-case name.
    const NAME: &'static str;

    /// The back-end, if this CPU can run it.
    fn detect() -> Option<Self>;

    /// See [`moves`].
    fn moves(self, p: u64, o: u64) -> u64;

    /// See [`moves_and_potential`].
    fn moves_and_potential(self, p: u64, o: u64) -> (u64, u64);

    /// See [`flips`].
    fn flips(self, p: u64, o: u64, index: u8) -> u64;

    /// See [`last_flips`].
    fn last_flips(self, p: u64, index: u8) -> (u32, u32);

    /// See [`replies`].
    fn replies(self, p: u64, o: u64, indices: [u8; 4]) -> Replies;

    /// See [`stable`].
    fn stable(self, p: u64, o: u64) -> u64;
}

/// What four moves of one board lead to: four boards as the opponent, who is to move there, sees
/// them; see [`replies`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replies {
    /// The discs of the side to move after each.
    pub player: [u64; 4],
    /// The discs of the side that made the move.
    pub opponent: [u64; 4],
    /// The moves of the side to move.
    pub moves: [u64; 4],
}

/// The empty squares of 8×8 from which the player outflanks at least one run of opponent's discs.
///
/// On a smaller board intersect them with [`Size::squares`].
#[inline]
pub fn moves(p: u64, o: u64) -> u64 {
    SELECTED.moves(p, o)
}

/// The empty squares next to an opponent's disc that has a square behind it: places where the
/// player might get a move. A measure for ordering moves, not a rule.
///
/// “Behind” is on the far side as seen from the empty square, occupied or not, so that discs on the
/// rim do not count across it. The rim is that of 8×8, on smaller boards too; there intersect the
/// result with [`Size::squares`].
#[inline]
pub fn potential(p: u64, o: u64) -> u64 {
    portable::potential(p, o)
}

/// [`moves`] and [`potential`] at once, which costs little more than the moves alone.
#[inline]
pub fn moves_and_potential(p: u64, o: u64) -> (u64, u64) {
    SELECTED.moves_and_potential(p, o)
}

/// The opponent's discs that a player's disc on the square `index` turns over, on any board size.
///
/// The square must be empty; whatever the move's legality, no flips means it is illegal.
#[inline]
pub fn flips(p: u64, o: u64, index: u8) -> u64 {
    SELECTED.flips(p, o, index)
}

/// How many discs the player, and how many the opponent, would flip by moving on the last empty
/// square `index` of an 8×8 board.
///
/// The opponent's discs are all others, so only `p` is needed; bit `index` of it must be clear. Both
/// numbers come from the same lookups. On a smaller board use [`flip_counts`].
///
/// ```
/// use obverse_board::kernel::{flip_counts, last_flips};
/// let (p, o) = (0x0000_0000_0000_0070, !0x0000_0000_0000_0071);
/// assert_eq!(last_flips(p, 0), (3, 0)); // a1 flips b1, c1 and d1
/// assert_eq!(last_flips(p, 0), flip_counts(p, o, 0));
/// ```
#[inline]
pub fn last_flips(p: u64, index: u8) -> (u32, u32) {
    SELECTED.last_flips(p, index)
}

/// How many discs the player, and how many the opponent, would flip by moving on the empty square
/// `index`, on any board size and with any number of empty squares.
#[inline]
pub fn flip_counts(p: u64, o: u64, index: u8) -> (u32, u32) {
    (flips(p, o, index).count_ones(), flips(o, p, index).count_ones())
}

/// The boards after four moves of the same board, and the opponent's moves there.
///
/// With vectors this takes a quarter less time than [`flips`] and [`moves`] for one square after the
/// other. The squares must be empty. They need not differ, so a rest of fewer than four can be
/// padded; nor be legal moves, but what follows an illegal one means nothing.
#[inline]
pub fn replies(p: u64, o: u64, indices: [u8; 4]) -> Replies {
    SELECTED.replies(p, o, indices)
}

/// Player's discs that no continuation of the game on 8×8 can ever flip: a subset of all such.
///
/// A disc is counted if along each of its four lines it is safe, that is, if
///
/// * the line ends at the disc, so that it cannot be outflanked, or
/// * all squares of the line are occupied, or
/// * a neighbour on the line is a player's disc already known to be stable, or
/// * the line is an edge of the board, and the disc survives every way to fill its empty squares.
#[inline]
pub fn stable(p: u64, o: u64) -> u64 {
    SELECTED.stable(p, o)
}

/// [`stable`] on a board of any size. The slower way, except for 8×8.
#[inline]
pub fn stable_on(p: u64, o: u64, size: Size) -> u64 {
    if size == Size::Eight { stable(p, o) } else { stability::stable(p, o, size) }
}
