//! Measurements of games and of searches.
//!
//! Everything is a count; whoever wants times takes them around [`Algorithm::search`], which
//! searches one position once, and adds the nodes to an [`Effort`].

use obverse_board::perft::Passes;
use obverse_board::{Game, Move, Position};

use super::{Algorithm, Depth, Eval, Lookahead, Player, Rng, duel};

/// What was counted in some games.
///
/// ```
/// use obverse_board::{Position, Size};
/// use obverse_engine::classic::{Rng, Spec, stats::GameStats};
///
/// let mut player = "random".parse::<Spec>()?.player(7);
/// let stats = GameStats::measure(Position::start(Size::Four), &mut player, 0, 100, &mut Rng::new(1));
/// assert_eq!(stats.games(), 100);
/// assert!(stats.discs_per_game() <= 12.0);
/// # Ok::<(), obverse_engine::classic::ParseSpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameStats {
    games: u64,
    /// Discs placed, which is also the number of positions in which there was a move.
    discs: u64,
    passes: u64,
    /// Legal moves in all those positions.
    choices: u64,
}

impl GameStats {
    /// Counts `n_games` games in which `player` plays both sides after a random opening.
    ///
    /// The opening is part of the game. See [`duel::self_play`] to count games one by one.
    pub fn measure(
        start: Position,
        player: &mut Player,
        opening_plies: u32,
        n_games: u64,
        rng: &mut Rng,
    ) -> GameStats {
        let mut stats = GameStats::default();
        for _ in 0..n_games {
            stats.add(&duel::self_play(start, player, opening_plies, rng));
        }
        stats
    }

    /// Counts one more game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        for (position, mv) in game.steps() {
            match mv {
                Move::Pass => self.passes += 1,
                Move::Place(_) => {
                    self.discs += 1;
                    self.choices += u64::from(position.moves().count());
                }
            }
        }
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The average length of a game in discs placed.
    pub fn discs_per_game(&self) -> f64 {
        average(self.discs, self.games)
    }

    /// The average length of a game in plies: discs placed and passes.
    pub fn plies_per_game(&self) -> f64 {
        average(self.discs + self.passes, self.games)
    }

    /// The average number of passes in a game.
    pub fn passes_per_game(&self) -> f64 {
        average(self.passes, self.games)
    }

    /// The average branching factor: legal moves per position in which there is one.
    pub fn branching_factor(&self) -> f64 {
        average(self.choices, self.discs)
    }
}

/// What searching some positions to one depth with one algorithm cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The depth.
    pub depth: Depth,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How many positions were searched.
    pub searches: u64,
    /// How many positions were visited in all these searches.
    pub nodes: u64,
}

impl Effort {
    /// The effort of no search so far.
    pub const fn new(depth: Depth, algorithm: Algorithm) -> Effort {
        Effort { depth, algorithm, searches: 0, nodes: 0 }
    }

    /// Adds the nodes of one more search.
    pub fn add(&mut self, nodes: u64) {
        self.searches += 1;
        self.nodes += nodes;
    }

    /// The average number of nodes of a search.
    pub fn nodes_per_search(&self) -> f64 {
        average(self.nodes, self.searches)
    }

    /// The effective branching factor: the `depth`-th root of the average number of nodes.
    ///
    /// A tree that branches evenly by this factor has about as many leaves as the search had nodes.
    pub fn branching_factor(&self) -> f64 {
        self.nodes_per_search().powf(1.0 / f64::from(self.depth.plies()))
    }
}

/// Searches every position with both algorithms at every depth from 1 to `depth_max`.
///
/// The result is in order of depth, minimax before alpha-beta.
pub fn efforts(
    positions: &[Position],
    depth_max: Depth,
    eval: Eval,
    passes: Passes,
) -> Vec<Effort> {
    let mut efforts = Vec::new();
    for depth in depth_max.up_to() {
        for algorithm in Algorithm::ALL {
            let lookahead = Lookahead { depth, eval, passes };
            let mut effort = Effort::new(depth, algorithm);
            for &position in positions {
                effort.add(algorithm.search(lookahead, position).nodes);
            }
            efforts.push(effort);
        }
    }
    efforts
}

/// Positions with a move, each from a random game of its own that was stopped at a random ply.
///
/// Empty if `start` is over.
pub fn sample(start: Position, n_positions: usize, rng: &mut Rng) -> Vec<Position> {
    if start.is_over() {
        return Vec::new();
    }
    let plies_max = u64::from(start.empties().count());
    let draw = |_| {
        let plies = rng.below(plies_max);
        let position = duel::opening(start, plies as u32, rng);
        if position.must_pass() { position.pass_unchecked() } else { position }
    };
    (0..n_positions).map(draw).collect()
}

/// The quotient, or 0 where there is nothing to average.
fn average(sum: u64, n: u64) -> f64 {
    if n == 0 { 0.0 } else { sum as f64 / n as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Bitboard, Color, Size, Square};

    #[test]
    fn the_counts_are_those_of_the_game() {
        // Black must pass, white plays c1, and that is all.
        let (black, white) = (Bitboard::of(Square::B1), Bitboard::of(Square::A1));
        let stuck = Position::new(Size::Eight, black, white, Color::Black).unwrap();
        let mut game = Game::new(stuck);
        game.play(Square::C1).unwrap();
        let mut stats = GameStats::default();
        assert_eq!((stats.discs_per_game(), stats.branching_factor()), (0.0, 0.0));
        stats.add(&game);
        assert_eq!((stats.games(), stats.discs_per_game(), stats.plies_per_game()), (1, 1.0, 2.0));
        assert_eq!((stats.passes_per_game(), stats.branching_factor()), (1.0, 1.0));
    }

    #[test]
    fn samples_have_a_move() {
        for size in Size::ALL {
            let positions = sample(Position::start(size), 200, &mut Rng::new(1));
            assert_eq!(positions.len(), 200);
            assert!(positions.iter().all(|position| position.moves().any()));
        }
        let over =
            Position::new(Size::Four, Bitboard::EMPTY, Bitboard::EMPTY, Color::Black).unwrap();
        assert_eq!(sample(over, 3, &mut Rng::new(1)), []);
    }

    #[test]
    fn alphabeta_branches_less_than_minimax() {
        let positions = sample(Position::start(Size::Eight), 20, &mut Rng::new(1));
        let depth_max = Depth::new(4).unwrap();
        let efforts = efforts(&positions, depth_max, Eval::Discs, Passes::Ply);
        assert_eq!(efforts.len(), 8);
        for pair in efforts.chunks(2) {
            assert_eq!((pair[0].depth, pair[0].searches), (pair[1].depth, 20));
            let [minimax, alphabeta] = [pair[0].branching_factor(), pair[1].branching_factor()];
            assert!(alphabeta <= minimax, "{alphabeta} > {minimax}");
        }
        assert!(efforts[7].branching_factor() < 0.8 * efforts[6].branching_factor());
    }

    #[test]
    fn the_effective_branching_factor_is_a_root() {
        let mut effort = Effort::new(Depth::new(2).unwrap(), Algorithm::Minimax);
        effort.add(9);
        effort.add(23);
        assert_eq!((effort.nodes_per_search(), effort.branching_factor()), (16.0, 4.0));
    }
}
