//! The discs as the side to move sees them.
//!
//! A [`Board`] knows no colors, only *player* and *opponent*: what is good for black to move is
//! good for white to move with the colors exchanged, and search needs no more. After a move the two
//! change places. It is 16 bytes and `Copy`, so there is nothing to undo.

use crate::{Bitboard, Counting, Score, Size, Square, kernel};

/// The discs of the player (the side to move) and of the opponent.
///
/// Legal moves are those of the 8×8 board; on a smaller one intersect them with
/// [`Size::squares`], or use a [`Position`](crate::Position), which does.
///
/// ```
/// use obverse_board::{Board, Size, Square};
/// let board = Board::start(Size::Eight);
/// assert_eq!(board.moves().count(), 4);
/// let next = board.play(Square::F5).unwrap();
/// assert_eq!((next.opponent().count(), next.player().count()), (4, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    player: Bitboard,
    opponent: Bitboard,
}

const _: () = assert!(size_of::<Board>() == 16);

impl Board {
    /// The board with these discs.
    ///
    /// # Panics
    /// If a square holds a disc of both.
    #[inline]
    #[track_caller]
    pub const fn new(player: Bitboard, opponent: Bitboard) -> Board {
        assert!(player.0 & opponent.0 == 0, "a square holds two discs");
        Board { player, opponent }
    }

    /// The standard start: the player (black) on e4 and d5, the opponent on d4 and e5, or the same
    /// in the middle of a smaller board.
    pub const fn start(size: Size) -> Board {
        // The center is two pairs of neighbours, one above the other.
        let first = size.center().0.trailing_zeros();
        Board { player: Bitboard(0x0102 << first), opponent: Bitboard(0x0201 << first) }
    }

    /// The player's discs.
    #[inline]
    pub const fn player(self) -> Bitboard {
        self.player
    }

    /// The opponent's discs.
    #[inline]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    /// The squares that hold a disc.
    #[inline]
    pub const fn occupied(self) -> Bitboard {
        Bitboard(self.player.0 | self.opponent.0)
    }

    /// The squares where the player may move on 8×8: empty, and outflanking some discs.
    #[inline]
    pub fn moves(self) -> Bitboard {
        Bitboard(kernel::moves(self.player.0, self.opponent.0))
    }

    /// The opponent's discs that the player turns over with a disc on `square`.
    ///
    /// None if the square is occupied or the move illegal.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        if self.occupied().contains(square) {
            return Bitboard::EMPTY;
        }
        Bitboard(kernel::flips(self.player.0, self.opponent.0, square.index()))
    }

    /// The board after the player moves on `square`, seen by the other side; `None` if illegal.
    #[inline]
    pub fn play(self, square: Square) -> Option<Board> {
        let flips = self.flips(square);
        flips.any().then(|| self.after(square, flips))
    }

    /// The board after the player moves on `square`, which must be a legal move.
    #[inline]
    #[must_use = "a board is a value: this returns the next one"]
    pub fn play_unchecked(self, square: Square) -> Board {
        debug_assert!(self.moves().contains(square), "{square} is not legal in {self:?}");
        let flips = Bitboard(kernel::flips(self.player.0, self.opponent.0, square.index()));
        self.after(square, flips)
    }

    /// The board after a disc on `square` turned over `flips`, seen by the other side.
    #[inline]
    fn after(self, square: Square, flips: Bitboard) -> Board {
        Board {
            player: self.opponent ^ flips,
            opponent: self.player | flips | Bitboard::of(square),
        }
    }

    /// The same discs with the other side to move.
    #[inline]
    #[must_use = "a board is a value: this returns the next one"]
    pub const fn pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Player's discs that no continuation of the game on `size` can ever flip.
    ///
    /// A subset of all such discs; [`kernel::stable`] says which.
    ///
    /// ```
    /// use obverse_board::{Bitboard, Board, Size, Square};
    /// let player = Bitboard::from_iter([Square::A1, Square::B1, Square::D4]);
    /// let board = Board::new(player, Bitboard::EMPTY);
    /// assert_eq!(board.stable(Size::Eight), player.without(Square::D4));
    /// ```
    #[inline]
    pub fn stable(self, size: Size) -> Bitboard {
        Bitboard(kernel::stable_on(self.player.0, self.opponent.0, size))
    }

    /// The result of a finished game on `size` for the player.
    pub const fn score(self, size: Size, counting: Counting) -> Score {
        let (own, other) = (self.player.count() as i8, self.opponent.count() as i8);
        let empties = size.area() as i8 - own - other;
        let difference = own - other;
        Score(match counting {
            Counting::WinnerTakesEmpties if difference > 0 => difference + empties,
            Counting::WinnerTakesEmpties if difference < 0 => difference - empties,
            _ => difference,
        })
    }
}
