//! A player that chooses moves.

use obverse_board::{Move, Position};

use super::{AlphaBeta, Minimax, Random, Report};

/// Any of the textbook players, made by [`Spec::player`](super::Spec::player).
///
/// ```
/// use obverse_board::{Position, Size};
/// use obverse_engine::classic::Spec;
///
/// let mut player = "alphabeta:depth=4".parse::<Spec>()?.player(1);
/// let best = player.choose(Position::start(Size::Six));
/// let report = player.report().expect("it has searched");
/// assert_eq!(report.best, best);
/// # Ok::<(), obverse_engine::classic::ParseSpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    kind: Kind,
    report: Option<Report>,
}

#[derive(Clone, Debug)]
enum Kind {
    Random(Random),
    Minimax(Minimax),
    AlphaBeta(AlphaBeta),
}

impl Player {
    /// A legal move: a pass where it is forced, `None` when the game is over.
    pub fn choose(&mut self, position: Position) -> Option<Move> {
        let report = match &mut self.kind {
            Kind::Random(random) => return random.choose(position),
            Kind::Minimax(minimax) => minimax.search(position),
            Kind::AlphaBeta(alphabeta) => alphabeta.search(position),
        };
        self.report.insert(report).best
    }

    /// What the last search found; `None` before the first one and for a player that does not
    /// search.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}

impl From<Kind> for Player {
    fn from(kind: Kind) -> Player {
        Player { kind, report: None }
    }
}

impl From<Random> for Player {
    fn from(random: Random) -> Player {
        Kind::Random(random).into()
    }
}

impl From<Minimax> for Player {
    fn from(minimax: Minimax) -> Player {
        Kind::Minimax(minimax).into()
    }
}

impl From<AlphaBeta> for Player {
    fn from(alphabeta: AlphaBeta) -> Player {
        Kind::AlphaBeta(alphabeta).into()
    }
}
