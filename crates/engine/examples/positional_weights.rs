//! The tournament that chose the default weights of the positional evaluation.
//!
//! `cargo run --release -p obverse-engine --example positional_weights` plays it and prints the
//! tables of `docs/log/positional-weights.md`. Every game is fixed by the seeds below, so the same
//! tables come out on every machine.

#![expect(clippy::print_stdout, reason = "an example program may print")]

use std::cmp::Ordering;

use obverse_board::perft::Passes;
use obverse_board::{Counting, Game, Position, Score, Size};
use obverse_engine::classic::{
    AlphaBeta, Depth, Eval, Lookahead, Order, Player, Rng, Weights, duel,
};

const OPENING_PLIES: u32 = 8;

fn main() {
    // A wide net first; the best of it at greater depth; a finer net around them; the final.
    let wide =
        grid(&[-50.0, -20.0, -10.0, 0.0, 10.0, 20.0, 50.0], &[0.0, 10.0, 25.0, 50.0, 100.0, 200.0]);
    let best = round_robin(&wide, 3, 50, 1);
    round_robin(&best[..8], 4, 500, 2);
    let fine = grid(&[-20.0, -10.0, 0.0], &[75.0, 100.0, 125.0, 150.0]);
    let best = round_robin(&fine, 4, 200, 3);
    round_robin(&best[..4], 5, 500, 4);
    // What the weights are worth: the default, the square values alone, and counting discs.
    let alone = Weights { parity: 0.0, mobility: 0.0 };
    let ladder = [Eval::Positional(Weights::default()), Eval::Positional(alone), Eval::Discs];
    round_robin(&ladder, 4, 500, 5);
}

fn grid(parities: &[f64], mobilities: &[f64]) -> Vec<Eval> {
    let row = |&parity| mobilities.iter().map(move |&mobility| Weights { parity, mobility });
    parities.iter().flat_map(row).map(Eval::Positional).collect()
}

/// Plays and prints a round robin; gives the players back, the best first.
///
/// Each pair plays every opening twice, with colors exchanged.
fn round_robin(field: &[Eval], depth: u8, n_openings: usize, seed: u64) -> Vec<Eval> {
    let depth = Depth::new(depth).expect("a depth");
    let openings = openings(n_openings, seed);
    let mut standings: Vec<(Eval, Tally)> =
        field.iter().map(|&eval| (eval, Tally::default())).collect();
    for other in 1..field.len() {
        let (before, after) = standings.split_at_mut(other);
        for one in before {
            play_pair(one, &mut after[0], depth, &openings);
        }
    }
    standings.sort_by(|a, b| b.1.score().total_cmp(&a.1.score()));
    print(depth, &standings, n_openings);
    standings.into_iter().map(|(eval, _)| eval).collect()
}

fn play_pair(
    one: &mut (Eval, Tally),
    other: &mut (Eval, Tally),
    depth: Depth,
    openings: &[Position],
) {
    let mut first = player(one.0, depth);
    let mut second = player(other.0, depth);
    for &start in openings {
        let game = duel::play(start, &mut first, &mut second);
        let swapped = duel::play(start, &mut second, &mut first);
        for result in [score(&game), -score(&swapped)] {
            one.1.add(result);
            other.1.add(-result);
        }
    }
}

/// The result for black.
fn score(game: &Game) -> Score {
    game.result(Counting::Discs).expect("the game is over")
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Tally {
    fn add(&mut self, result: Score) {
        match result.cmp(&Score(0)) {
            Ordering::Greater => self.wins += 1,
            Ordering::Equal => self.draws += 1,
            Ordering::Less => self.losses += 1,
        }
    }

    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points per game, a draw being half a point.
    fn score(self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games())
    }
}

fn openings(n_openings: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let start = Position::start(Size::Eight);
    (0..n_openings).map(|_| duel::opening(start, OPENING_PLIES, &mut rng)).collect()
}

fn player(eval: Eval, depth: Depth) -> Player {
    let lookahead = Lookahead { depth, eval, passes: Passes::Ply };
    // The order changes no move, only the time.
    AlphaBeta::new(lookahead).with_order(Order::Positional).into()
}

fn print(depth: Depth, standings: &[(Eval, Tally)], n_openings: usize) {
    let n_players = standings.len();
    println!("\nDepth {depth}, {n_players} players, {n_openings} openings for each pair:\n");
    println!("| Parity | Mobility | Wins | Draws | Losses | Score |");
    println!("|--:|--:|--:|--:|--:|--:|");
    for (eval, tally) in standings {
        let weights = match eval {
            Eval::Discs => "discs | -".to_owned(),
            Eval::Positional(Weights { parity, mobility }) => format!("{parity} | {mobility}"),
        };
        let Tally { wins, draws, losses } = tally;
        let percent = 100.0 * tally.score();
        println!("| {weights} | {wins} | {draws} | {losses} | {percent:.1} % |");
    }
}
