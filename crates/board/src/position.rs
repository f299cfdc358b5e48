//! A board of some size with colors and a side to move.

use std::fmt;

use crate::{Bitboard, Board, Color, Counting, Move, Score, Size, Square};

/// The discs of both colors, whose turn it is, and how large the board is.
///
/// Any placing of discs is a position, also one that no game reaches
/// (see [`reach`](crate::reach)).
///
/// ```
/// use obverse_board::{Color, Position, Size, Square};
/// let start = Position::start(Size::Eight);
/// assert_eq!(start.turn(), Color::Black);
/// let next = start.play(Square::F5).unwrap();
/// assert_eq!(next.turn(), Color::White);
/// let refusal = start.play(Square::A1).unwrap_err();
/// assert_eq!(refusal.to_string(), "a1 is not a legal move for black: it would flip no disc");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    turn: Color,
    size: Size,
}

impl Position {
    /// The standard start: black on e4 and d5, black to move.
    pub const fn start(size: Size) -> Position {
        Position { board: Board::start(size), turn: Color::Black, size }
    }

    /// The mirrored start: black on d4 and e5, black to move.
    pub const fn mirrored(size: Size) -> Position {
        Position { board: Board::start(size).pass(), turn: Color::Black, size }
    }

    /// The position with these discs.
    ///
    /// # Errors
    /// If a square holds two discs, or one lies outside the board.
    pub fn new(
        size: Size,
        black: Bitboard,
        white: Bitboard,
        turn: Color,
    ) -> Result<Position, SetupError> {
        if let Some(square) = (black & white).first() {
            return Err(SetupError::TwoDiscs(square));
        }
        if let Some(square) = ((black | white) - size.squares()).first() {
            return Err(SetupError::Outside(square, size));
        }
        let board = Board::new(black, white);
        Ok(Position { board: if turn == Color::Black { board } else { board.pass() }, turn, size })
    }

    /// The discs as the side to move sees them.
    #[inline]
    pub const fn board(self) -> Board {
        self.board
    }

    /// The side to move.
    #[inline]
    pub const fn turn(self) -> Color {
        self.turn
    }

    /// The board's size.
    #[inline]
    pub const fn size(self) -> Size {
        self.size
    }

    /// The discs of one color.
    #[inline]
    pub fn discs(self, color: Color) -> Bitboard {
        if color == self.turn { self.board.player() } else { self.board.opponent() }
    }

    /// The color of the disc on `square`, if there is one.
    pub fn color_at(self, square: Square) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|&color| self.discs(color).contains(square))
    }

    /// The empty squares of the board.
    #[inline]
    pub fn empties(self) -> Bitboard {
        self.size.squares() - self.board.occupied()
    }

    /// The squares where the side to move may place a disc.
    #[inline]
    pub fn moves(self) -> Bitboard {
        self.board.moves() & self.size.squares()
    }

    /// Whether neither side can move.
    #[inline]
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.pass_unchecked().moves().is_empty()
    }

    /// Whether the side to move has no move but the other side has.
    #[inline]
    pub fn must_pass(self) -> bool {
        self.moves().is_empty() && self.pass_unchecked().moves().any()
    }

    /// The position after the side to move places a disc on `square`.
    ///
    /// # Errors
    /// If the rules forbid it, with the reason.
    pub fn play(self, square: Square) -> Result<Position, IllegalMove> {
        if self.moves().contains(square) {
            return Ok(self.play_unchecked(square));
        }
        Err(IllegalMove { mv: Move::Place(square), turn: self.turn, reason: self.refusal(square) })
    }

    /// Why `square`, which is not a legal move, is not.
    fn refusal(self, square: Square) -> Reason {
        let others_moves = self.pass_unchecked().moves();
        if !self.size.squares().contains(square) {
            Reason::OffBoard(self.size)
        } else if let Some(color) = self.color_at(square) {
            Reason::Occupied(color)
        } else if self.moves().is_empty() {
            if others_moves.is_empty() { Reason::GameOver } else { Reason::MustPass }
        } else if others_moves.contains(square) {
            Reason::NotYourTurn
        } else {
            Reason::FlipsNothing
        }
    }

    /// The position after a move on `square`, which must be legal.
    #[inline]
    #[must_use = "a position is a value: this returns the next one"]
    pub fn play_unchecked(self, square: Square) -> Position {
        debug_assert!(self.size.squares().contains(square), "{square} is off the board");
        Position { board: self.board.play_unchecked(square), turn: !self.turn, size: self.size }
    }

    /// The position after a pass.
    ///
    /// # Errors
    /// If the side to move has a move, or nobody has.
    pub fn pass(self) -> Result<Position, IllegalMove> {
        let refuse = |reason| Err(IllegalMove { mv: Move::Pass, turn: self.turn, reason });
        if let Some(square) = self.moves().first() {
            refuse(Reason::CanMove(square))
        } else if self.is_over() {
            refuse(Reason::GameOver)
        } else {
            Ok(self.pass_unchecked())
        }
    }

    /// The same discs with the other side to move, whether or not the rules allow it.
    #[inline]
    #[must_use = "a position is a value: this returns the next one"]
    pub const fn pass_unchecked(self) -> Position {
        let turn = match self.turn {
            Color::Black => Color::White,
            Color::White => Color::Black,
        };
        Position { board: self.board.pass(), turn, size: self.size }
    }

    /// The position after any move, a pass included.
    ///
    /// # Errors
    /// If the rules forbid it, with the reason.
    pub fn apply(self, mv: Move) -> Result<Position, IllegalMove> {
        match mv {
            Move::Place(square) => self.play(square),
            Move::Pass => self.pass(),
        }
    }

    /// The same side to move on another board of the same size.
    pub(crate) const fn with_board(self, board: Board) -> Position {
        Position { board, ..self }
    }

    /// The disc difference for `color`, as if the game ended here.
    pub fn score_for(self, color: Color, counting: Counting) -> Score {
        let score = self.board.score(self.size, counting);
        if color == self.turn { score } else { -score }
    }
}

/// Why discs do not make a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The square holds a black and a white disc.
    TwoDiscs(Square),
    /// The square is outside a board of this size.
    Outside(Square, Size),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::TwoDiscs(square) => {
                write!(f, "{square} holds a black and a white disc")
            }
            SetupError::Outside(square, size) => {
                write!(f, "a disc on {square} is outside the {size} board")
            }
        }
    }
}

impl std::error::Error for SetupError {}

/// A move the rules forbid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// What was tried.
    pub mv: Move,
    /// Whose turn it was.
    pub turn: Color,
    /// Why it is forbidden.
    pub reason: Reason,
}

/// Why a move is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The square is outside the board of this size.
    OffBoard(Size),
    /// The square holds a disc of this color.
    Occupied(Color),
    /// No opponent's disc would be turned over.
    FlipsNothing,
    /// The other side could move there, but it is not its turn.
    NotYourTurn,
    /// The side to move has no move and can only pass.
    MustPass,
    /// A pass, although there are moves, the first of which is this.
    CanMove(Square),
    /// Neither side can move.
    GameOver,
}

impl Reason {
    /// A short fixed name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::OffBoard(_) => "off-board",
            Reason::Occupied(_) => "occupied",
            Reason::FlipsNothing => "flips-nothing",
            Reason::NotYourTurn => "not-your-turn",
            Reason::MustPass => "must-pass",
            Reason::CanMove(_) => "can-move",
            Reason::GameOver => "game-over",
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalMove { mv, turn, reason } = *self;
        match reason {
            Reason::CanMove(square) => {
                return write!(f, "{turn} may not pass: it has a move, for example {square}");
            }
            Reason::GameOver => {
                return write!(f, "{mv} is not a legal move: the game is over");
            }
            _ => write!(f, "{mv} is not a legal move for {turn}: ")?,
        }
        match reason {
            Reason::OffBoard(size) => write!(f, "it is off the {size} board"),
            Reason::Occupied(color) => write!(f, "it is occupied by a {color} disc"),
            Reason::FlipsNothing => write!(f, "it would flip no disc"),
            Reason::NotYourTurn => {
                write!(f, "it would be a move for {}, whose turn it is not", !turn)
            }
            Reason::MustPass => write!(f, "{turn} has no move and must pass"),
            Reason::CanMove(_) | Reason::GameOver => Ok(()),
        }
    }
}

impl std::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(size: Size, black: &[Square], white: &[Square], turn: Color) -> Position {
        let set = |squares: &[Square]| squares.iter().copied().collect();
        Position::new(size, set(black), set(white), turn).unwrap()
    }

    #[track_caller]
    fn check_refusal(position: Position, square: Square, reason: Reason) {
        let error = position.play(square).unwrap_err();
        assert_eq!(error, IllegalMove { mv: Move::Place(square), turn: position.turn(), reason });
    }

    #[test]
    fn the_starts_have_four_moves_each() {
        for size in Size::ALL {
            for start in [Position::start(size), Position::mirrored(size)] {
                assert_eq!(start.moves().count(), 4);
                assert_eq!(start.board().occupied(), size.center());
            }
        }
        let mirrored = Position::mirrored(Size::Eight);
        assert_eq!(mirrored.color_at(Square::D4), Some(Color::Black));
        assert_eq!(mirrored.color_at(Square::E5), Some(Color::Black));
        assert_eq!(Position::start(Size::Eight).color_at(Square::E4), Some(Color::Black));
    }

    #[test]
    fn each_refusal_has_its_reason() {
        let start = Position::start(Size::Eight);
        check_refusal(start, Square::D4, Reason::Occupied(Color::White));
        check_refusal(start, Square::A1, Reason::FlipsNothing);
        check_refusal(start, Square::E3, Reason::NotYourTurn);
        check_refusal(Position::start(Size::Four), Square::E1, Reason::OffBoard(Size::Four));
        assert_eq!(start.pass().unwrap_err().reason, Reason::CanMove(Square::D3));

        // Black b1 can take a1-c1 only if white stands between; here black has nothing to flip.
        let stuck = position(Size::Eight, &[Square::B1], &[Square::A1], Color::Black);
        assert!(stuck.must_pass());
        check_refusal(stuck, Square::C1, Reason::MustPass);
        let passed = stuck.pass().unwrap();
        assert_eq!(
            (passed.turn(), passed.discs(Color::Black)),
            (Color::White, stuck.discs(Color::Black))
        );

        let over = position(Size::Eight, &[Square::A1], &[], Color::White);
        assert!(over.is_over() && !over.must_pass());
        check_refusal(over, Square::B1, Reason::GameOver);
        assert_eq!(over.pass().unwrap_err().reason, Reason::GameOver);
    }

    #[test]
    fn a_disc_outside_the_board_or_on_another_is_no_position() {
        let a1 = Bitboard::of(Square::A1);
        let error = Position::new(Size::Eight, a1, a1, Color::Black).unwrap_err();
        assert_eq!(error, SetupError::TwoDiscs(Square::A1));
        let e1 = Bitboard::of(Square::E1);
        let error = Position::new(Size::Four, a1, e1, Color::Black).unwrap_err();
        assert_eq!(error.to_string(), "a disc on e1 is outside the 4x4 board");
    }

    #[test]
    fn the_two_countings_differ_by_the_empties() {
        let end = position(
            Size::Four,
            &[Square::A1],
            &[Square::C1, Square::C2, Square::D4],
            Color::Black,
        );
        assert_eq!(end.score_for(Color::Black, Counting::Discs), Score(-2));
        assert_eq!(end.score_for(Color::Black, Counting::WinnerTakesEmpties), Score(-14));
        assert_eq!(end.score_for(Color::White, Counting::WinnerTakesEmpties), Score(14));
        let draw = position(Size::Four, &[Square::A1], &[Square::D4], Color::Black);
        assert_eq!(draw.score_for(Color::White, Counting::WinnerTakesEmpties), Score(0));
    }
}
