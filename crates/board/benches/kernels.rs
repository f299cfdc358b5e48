//! The kernels on recorded nodes of endgame searches, for every back-end this CPU can run.
//!
//! One item is one call (for `replies` one move of the four), so that 500 Mitem/s are 2 ns a call.
//! Calls are independent of each other, except in the `…_chained` ones, where each waits for the
//! result of the one before. Compare back-ends only in a build for the newest of them
//! (`target-cpu=native`): elsewhere their calls are not inlined.

use std::hint::black_box;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::ItemsCount;
#[cfg(target_arch = "aarch64")]
use obverse_board::kernel::Neon;
use obverse_board::kernel::{self, Kernel, Portable};
#[cfg(target_arch = "x86_64")]
use obverse_board::kernel::{Avx2, Avx512};
use obverse_board::perft::{Passes, perft};
use obverse_board::{Board, Position, Size};

fn main() {
    divan::main();
}

/// The names of the back-ends to compare.
fn kernels() -> Vec<&'static str> {
    let mut names = vec![Portable::NAME];
    #[cfg(target_arch = "x86_64")]
    names.extend(Avx2::detect().map(|_| Avx2::NAME));
    #[cfg(target_arch = "x86_64")]
    names.extend(Avx512::detect().map(|_| Avx512::NAME));
    #[cfg(target_arch = "aarch64")]
    names.extend(Neon::detect().map(|_| Neon::NAME));
    names
}

/// Evaluates an expression with the back-end of this name.
macro_rules! with_kernel {
    ($name:expr, $kernel:ident => $body:expr) => {
        match $name {
            #[cfg(target_arch = "x86_64")]
            Avx2::NAME => {
                let $kernel = Avx2::detect().expect("it was listed");
                $body
            }
            #[cfg(target_arch = "x86_64")]
            Avx512::NAME => {
                let $kernel = Avx512::detect().expect("it was listed");
                $body
            }
            #[cfg(target_arch = "aarch64")]
            Neon::NAME => {
                let $kernel = Neon::detect().expect("it was listed");
                $body
            }
            _ => {
                let $kernel = Portable;
                $body
            }
        }
    };
}

/// Benchmarks a function of a back-end and the nodes; its results must be those of `Portable`.
macro_rules! bench {
    ($bencher:expr, $name:expr, $nodes:expr, $per_node:expr, $kernel:ident => $pass:expr) => {{
        let nodes = &$nodes[..];
        let expected = {
            let $kernel = Portable;
            $pass(nodes)
        };
        with_kernel!($name, $kernel => {
            assert_eq!($pass(nodes), expected);
            let bencher = $bencher.counter(ItemsCount::new(nodes.len() * $per_node));
            bencher.bench_local(|| $pass(black_box(nodes)));
        });
    }};
}

/// A sum of which each term counts, in its place.
fn mix(sum: u64, term: u64) -> u64 {
    sum.rotate_left(1) ^ term
}

#[divan::bench(args = kernels())]
fn moves(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.moves, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |sum, &(p, o)| mix(sum, kernel.moves(p, o)))
    });
}

#[divan::bench(args = kernels())]
fn moves_chained(bencher: Bencher, name: &str) {
    let zero = black_box(0);
    bench!(bencher, name, NODES.moves, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |last, &(p, o)| kernel.moves(p ^ last & zero, o ^ last & zero))
    });
}

#[divan::bench(args = kernels())]
fn moves_and_potential(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.moves, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |sum, &(p, o)| {
            let (moves, potential) = kernel.moves_and_potential(p, o);
            mix(mix(sum, moves), potential)
        })
    });
}

#[divan::bench(args = kernels())]
fn flips(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.flips, 1, kernel => |nodes: &[(u64, u64, u64)]| {
        nodes.iter().fold(0, |sum, &(p, o, index)| mix(sum, kernel.flips(p, o, index as u8)))
    });
}

#[divan::bench(args = kernels())]
fn flips_chained(bencher: Bencher, name: &str) {
    let zero = black_box(0);
    bench!(bencher, name, NODES.flips, 1, kernel => |nodes: &[(u64, u64, u64)]| {
        nodes.iter().fold(0, |last, &(p, o, index)| {
            kernel.flips(p ^ last & zero, o ^ last & zero, index as u8)
        })
    });
}

#[divan::bench(args = kernels())]
fn last_flips(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.last, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |sum, &(p, index)| {
            let (own, other) = kernel.last_flips(p, index as u8);
            mix(sum, u64::from(own | other << 8))
        })
    });
}

#[divan::bench(args = kernels())]
fn last_flips_chained(bencher: Bencher, name: &str) {
    let zero = black_box(0);
    bench!(bencher, name, NODES.last, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |last, &(p, index)| {
            let (own, other) = kernel.last_flips(p ^ last & zero, index as u8);
            u64::from(own | other << 8)
        })
    });
}

#[divan::bench(args = kernels())]
fn replies(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.fours, 4, kernel => |nodes: &[(u64, u64, [u8; 4])]| {
        nodes.iter().fold(0, |sum, &(p, o, indices)| {
            let replies = kernel.replies(p, o, indices);
            let both = replies.player.into_iter().zip(replies.moves);
            both.fold(sum, |sum, (player, moves)| mix(sum, player) ^ u64::from(moves.count_ones()))
        })
    });
}

/// What `replies` does at once, one move after the other.
#[divan::bench(args = kernels())]
fn replies_singly(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.fours, 4, kernel => |nodes: &[(u64, u64, [u8; 4])]| {
        nodes.iter().fold(0, |sum, &(p, o, indices)| {
            indices.into_iter().fold(sum, |sum, index| {
                let flips = kernel.flips(p, o, index);
                let moves = kernel.moves(o ^ flips, p | flips | 1 << index);
                mix(sum, flips) ^ u64::from(moves.count_ones())
            })
        })
    });
}

#[divan::bench(args = kernels())]
fn stable(bencher: Bencher, name: &str) {
    bench!(bencher, name, NODES.moves, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |sum, &(p, o)| mix(sum, kernel.stable(p, o)))
    });
}

#[divan::bench(args = kernels())]
fn stable_chained(bencher: Bencher, name: &str) {
    let zero = black_box(0);
    bench!(bencher, name, NODES.moves, 1, kernel => |nodes: &[(u64, u64)]| {
        nodes.iter().fold(0, |last, &(p, o)| kernel.stable(p ^ last & zero, o ^ last & zero))
    });
}

/// With the selected back-end.
#[divan::bench]
fn perft_to_depth_10(bencher: Bencher) {
    bencher.counter(ItemsCount::new(24_571_284_u64)).bench(|| {
        assert_eq!(perft(Position::start(Size::Eight), 10, Passes::Ply), 24_571_284);
    });
}

/// What searches asked the kernels.
#[derive(Default)]
struct Nodes {
    moves: Vec<(u64, u64)>,
    // Indices are as wide as the boards, lest the compiler load all at once and take them apart.
    flips: Vec<(u64, u64, u64)>,
    last: Vec<(u64, u64)>,
    /// Four moves each.
    fours: Vec<(u64, u64, [u8; 4])>,
}

static NODES: LazyLock<Nodes> = LazyLock::new(|| {
    let mut nodes = Nodes::default();
    let mut random = Random(1);
    let mut n_searched = 0;
    while n_searched < 48 {
        // Random games to 9 to 14 empty squares, then a null-window search.
        if let Some((p, o)) = random.board(9 + n_searched % 6) {
            nodes.search(p, o, -1, 1);
            n_searched += 1;
        }
    }
    thin(&mut nodes.moves);
    thin(&mut nodes.flips);
    thin(&mut nodes.last);
    thin(&mut nodes.fours);
    nodes
});

/// Keeps 4096 of the nodes, spread evenly, in an order that no branch predictor can learn by heart.
fn thin<T: Copy>(nodes: &mut Vec<T>) {
    const N: usize = 4096;
    assert!(nodes.len() >= N, "only {} nodes recorded", nodes.len());
    *nodes = (0..N).map(|i| nodes[i * nodes.len() / N]).collect();
    let mut random = Random(2);
    for i in (1..N).rev() {
        nodes.swap(i, random.below(i + 1));
    }
}

impl Nodes {
    /// The exact score of a position if it is within the bounds, else a bound; as endgame solvers
    /// do it, but for their tables and cuts.
    fn search(&mut self, p: u64, o: u64, mut alpha: i32, beta: i32) -> i32 {
        let empty = !(p | o);
        let n_empty = empty.count_ones();
        if n_empty == 1 {
            let index = empty.trailing_zeros() as u8;
            self.last.push((p, u64::from(index)));
            let difference = 2 * p.count_ones() as i32 - 63;
            return match kernel::last_flips(p, index) {
                (0, 0) => difference + difference.signum(),
                (0, other) => difference - 1 - 2 * other as i32,
                (own, _) => difference + 1 + 2 * own as i32,
            };
        }
        // With up to four empty squares they are tried, not the moves generated.
        let moves = if n_empty <= 4 { empty } else { self.moves(p, o) };
        let mut children = Vec::new();
        for index in obverse_board::Bitboard(moves).into_iter().map(obverse_board::Square::index) {
            self.flips.push((p, o, u64::from(index)));
            let flips = kernel::flips(p, o, index);
            if flips != 0 {
                let (p, o) = (o ^ flips, p | flips | 1 << index);
                // Few replies first, as far as that pays.
                let key = if n_empty > 6 { self.moves(p, o).count_ones() } else { 0 };
                children.push((key, p, o));
            }
        }
        if n_empty > 6 {
            self.record_fours(p, o, moves);
        }
        if children.is_empty() {
            if kernel::moves(o, p) == 0 {
                let board = Board::new(obverse_board::Bitboard(p), obverse_board::Bitboard(o));
                let counting = obverse_board::Counting::WinnerTakesEmpties;
                return i32::from(board.score(Size::Eight, counting).0);
            }
            return -self.search(o, p, -beta, -alpha);
        }
        children.sort_by_key(|&(key, ..)| key);
        let mut best = i32::MIN;
        for (_, p, o) in children {
            best = best.max(-self.search(p, o, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn moves(&mut self, p: u64, o: u64) -> u64 {
        self.moves.push((p, o));
        kernel::moves(p, o)
    }

    fn record_fours(&mut self, p: u64, o: u64, moves: u64) {
        let squares: Vec<_> = obverse_board::Bitboard(moves).into_iter().collect();
        for four in squares.chunks_exact(4) {
            self.fours.push((p, o, [0, 1, 2, 3].map(|i| four[i].index())));
        }
    }
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((((z ^ z >> 31) >> 32) * n as u64) >> 32) as usize
    }

    /// A board with this many empty squares from a random game, unless that ended before.
    fn board(&mut self, n_empty: u32) -> Option<(u64, u64)> {
        let mut position = Position::start(Size::Eight);
        while position.empties().count() > n_empty {
            if position.is_over() {
                return None;
            }
            let moves = position.moves();
            position = if moves.is_empty() {
                position.pass_unchecked()
            } else {
                let choice = self.below(moves.count() as usize);
                position
                    .play_unchecked(moves.into_iter().nth(choice).expect("it is below the count"))
            };
        }
        Some((position.board().player().0, position.board().opponent().0))
    }
}
