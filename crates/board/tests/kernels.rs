//! Every back-end this CPU can run, against a slow walk of the rules.

mod common;

use common::oracle::{Edges, Oracle, set};
use common::{Random, for_each_kernel};
use obverse_board::kernel::{self, Kernel, Replies};
use obverse_board::{Bitboard, Board, Position, Size, Square};

/// A board with all that the oracle has to say about it.
struct Case {
    size: Size,
    p: u64,
    o: u64,
    moves: u64,
    potential: u64,
    /// For every empty square of the board.
    flips: Vec<(u8, u64)>,
}

impl Case {
    fn new(size: Size, board: Board) -> Case {
        let oracle = Oracle::new(size, board);
        let empties = size.squares() - board.occupied();
        let flips = |square: Square| (square.index(), set(oracle.flips(square)).0);
        let flips: Vec<(u8, u64)> = empties.into_iter().map(flips).collect();
        let legal = flips.iter().filter(|&&(_, flips)| flips != 0);
        Case {
            size,
            p: board.player().0,
            o: board.opponent().0,
            moves: legal.map(|&(index, _)| 1 << index).sum(),
            potential: set(oracle.potential()).0,
            flips,
        }
    }

    fn check<K: Kernel>(&self, kernel: K) {
        let Case { size, p, o, .. } = *self;
        let board = format!("{} on {size}: p {p:#018x}, o {o:#018x}", K::NAME);
        let squares = size.squares().0;
        assert_eq!(kernel.moves(p, o) & squares, self.moves, "moves, {board}");
        let (moves, potential) = kernel.moves_and_potential(p, o);
        assert_eq!((moves & squares, potential), (self.moves, self.potential), "both, {board}");
        for &(index, flips) in &self.flips {
            assert_eq!(kernel.flips(p, o, index), flips, "flips of {index}, {board}");
        }
        for four in self.flips.chunks(4) {
            let four = [0, 1, 2, 3].map(|i| *four.get(i).unwrap_or(&four[0]));
            let replies = kernel.replies(p, o, four.map(|(index, _)| index));
            let player = four.map(|(_, flips)| o ^ flips);
            let opponent = four.map(|(index, flips)| p | flips | 1 << index);
            let moves = [0, 1, 2, 3].map(|i| kernel::Portable.moves(player[i], opponent[i]));
            let expected = Replies { player, opponent, moves };
            assert_eq!(replies, expected, "replies to {four:?}, {board}");
        }
    }
}

fn check_all<K: Kernel>(kernel: K, cases: &[Case]) {
    for case in cases {
        case.check(kernel);
    }
}

#[test]
fn the_selected_back_end_is_one_that_this_cpu_can_run() {
    fn push<K: Kernel>(_: K, names: &mut Vec<&str>) {
        names.push(K::NAME);
    }
    let mut names = Vec::new();
    for_each_kernel!(push(&mut names));
    assert!(names.contains(&kernel::NAME), "{} is not in {names:?}", kernel::NAME);
    assert_eq!(kernel::cpu_lacks(), None);
}

#[test]
fn moves_and_flips_agree_with_the_walk_on_scattered_discs() {
    let mut random = Random(1);
    for size in Size::ALL {
        let n = if size == Size::Eight { 100_000 } else { 20_000 };
        let cases: Vec<Case> = (0..n).map(|_| Case::new(size, random.board(size))).collect();
        for_each_kernel!(check_all(&cases));
    }
}

#[test]
fn moves_and_flips_agree_with_the_walk_in_games() {
    let mut random = Random(2);
    for size in Size::ALL {
        let positions = (0..500).flat_map(|_| random.game(size));
        let cases: Vec<Case> =
            positions.map(|position| Case::new(size, position.board())).collect();
        for_each_kernel!(check_all(&cases));
    }
}

#[test]
fn a_line_of_every_length_flips_in_every_direction() {
    // From every square, each ray filled with opponent's discs up to one of the player's.
    let mut cases = Vec::new();
    for square in Square::ALL {
        for direction in obverse_board::Direction::ALL {
            let mut run = Bitboard::EMPTY;
            let mut at = square;
            while let Some(next) = at.step(direction) {
                cases.push(Case::new(Size::Eight, Board::new(Bitboard::of(next), run)));
                run = run.with(next);
                cases.push(Case::new(Size::Eight, Board::new(Bitboard::EMPTY, run)));
                at = next;
            }
        }
    }
    for_each_kernel!(check_all(&cases));
}

#[test]
fn the_raw_functions_are_those_of_the_selected_back_end() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let board = random.board(Size::Eight);
        let case = Case::new(Size::Eight, board);
        let (p, o) = (case.p, case.o);
        assert_eq!(kernel::moves(p, o), case.moves);
        assert_eq!(kernel::potential(p, o), case.potential);
        assert_eq!(kernel::moves_and_potential(p, o), (case.moves, case.potential));
        assert_eq!(board.stable(Size::Eight).0, kernel::stable(p, o));
        for (index, flips) in case.flips {
            assert_eq!(kernel::flips(p, o, index), flips);
            let others = kernel::Portable.flips(o, p, index);
            let counts = (flips.count_ones(), others.count_ones());
            assert_eq!(kernel::flip_counts(p, o, index), counts);
            assert_eq!(kernel::replies(p, o, [index; 4]).player, [o ^ flips; 4]);
        }
    }
}

#[test]
fn last_flips_agree_with_the_walk() {
    fn check<K: Kernel>(kernel: K, cases: &[(u64, u8, (u32, u32))]) {
        for &(p, index, expected) in cases {
            assert_eq!(kernel.last_flips(p, index), expected, "{}: {p:#x}, {index}", K::NAME);
        }
    }
    let mut random = Random(4);
    let mut cases = Vec::new();
    for i in 0..100_000 {
        let square = Square::ALL[i % 64];
        // Also boards of nearly one color only, for long runs.
        let player = match i / 64 % 4 {
            0 => random.next() & random.next() & random.next(),
            1 => random.next() | random.next() | random.next(),
            _ => random.next(),
        };
        let player = Bitboard(player).without(square);
        let board = Board::new(player, !player.with(square));
        let count = |board| Oracle::new(Size::Eight, board).flips(square).len() as u32;
        cases.push((player.0, square.index(), (count(board), count(board.pass()))));
    }
    for_each_kernel!(check(&cases));
}

#[test]
fn last_flips_are_right_for_every_state_of_every_line() {
    fn check<K: Kernel>(kernel: K) {
        for square in Square::ALL {
            for axis in [[2, 6], [0, 4], [1, 5], [3, 7]] {
                let line: Vec<Square> = axis
                    .into_iter()
                    .flat_map(|i| {
                        let direction = obverse_board::Direction::ALL[i];
                        std::iter::successors(square.step(direction), move |s| s.step(direction))
                    })
                    .collect();
                for bits in 0..1_u32 << line.len() {
                    let own = line.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
                    let p = set(own.map(|(_, &square)| square));
                    let o = set(line.iter().copied()) - p;
                    // On an otherwise empty board all flips are along this line. In a full one they
                    // are too if all other discs are of the color flipped: nothing brackets them.
                    let own = kernel.flips(p.0, o.0, square.index()).count_ones();
                    let others = kernel.flips(o.0, p.0, square.index()).count_ones();
                    let (last, _) = kernel.last_flips(p.0, square.index());
                    let (_, last_others) =
                        kernel.last_flips((!o).without(square).0, square.index());
                    assert_eq!((last, last_others), (own, others), "{} {square} {p:?}", K::NAME);
                }
            }
        }
    }
    for_each_kernel!(check());
}

#[test]
fn perft_is_the_same_on_every_back_end() {
    fn perft<K: Kernel>(kernel: K, p: u64, o: u64, depth: u32) -> u64 {
        let moves = Bitboard(kernel.moves(p, o));
        if depth == 0 || moves.is_empty() {
            return 1; // No game from the start passes or ends within so few moves.
        }
        let next = |square: Square| {
            let flips = kernel.flips(p, o, square.index());
            perft(kernel, o ^ flips, p | flips | 1 << square.index(), depth - 1)
        };
        moves.into_iter().map(next).sum()
    }
    fn check<K: Kernel>(kernel: K) {
        let start = Board::start(Size::Eight);
        let counts = [4, 12, 56, 244, 1396, 8200, 55092, 390_216];
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(kernel, start.player().0, start.opponent().0, depth), count);
        }
    }
    for_each_kernel!(check());
}

/// Boards to test stability on: scattered discs with few empty squares, and games.
fn boards(random: &mut Random, size: Size, n: usize) -> Vec<Board> {
    let mut boards: Vec<Board> = (0..n).map(|_| random.board(size)).collect();
    boards.extend((0..n / 50).flat_map(|_| random.game(size)).map(Position::board));
    boards
}

#[test]
fn stability_agrees_with_its_definition() {
    let mut random = Random(5);
    let mut edges = Edges::default();
    for size in Size::ALL {
        let cases: Vec<(Board, Bitboard)> = boards(&mut random, size, 10_000)
            .into_iter()
            .map(|board| (board, Oracle::new(size, board).stable(&mut edges)))
            .collect();
        let n_stable: u32 = cases.iter().map(|(_, stable)| stable.count()).sum();
        assert!(n_stable > 20_000, "too few stable discs to tell: {n_stable}");
        for (board, stable) in &cases {
            assert_eq!(board.stable(size), *stable, "{size} {board:?}");
        }
        if size == Size::Eight {
            fn check<K: Kernel>(kernel: K, cases: &[(Board, Bitboard)]) {
                for (board, stable) in cases {
                    let found = kernel.stable(board.player().0, board.opponent().0);
                    assert_eq!(found, stable.0, "{} {board:?}", K::NAME);
                }
            }
            for_each_kernel!(check(&cases));
        }
    }
}

#[test]
fn every_state_of_every_edge_agrees_with_the_definition() {
    let mut edges = Edges::default();
    for size in Size::ALL {
        let side = u32::from(size.side());
        for state in 0..3_u32.pow(side) {
            let digit = |i: u8| state / 3_u32.pow(u32::from(i)) % 3;
            let cells = |color: u32| (0..size.side()).filter(move |&i| digit(i) == color);
            let last = size.side() - 1;
            let place: [fn(u8, u8) -> Square; 4] = [
                |i, _| Square::at(i, 0).unwrap(),
                |i, last| Square::at(i, last).unwrap(),
                |i, _| Square::at(0, i).unwrap(),
                |i, last| Square::at(last, i).unwrap(),
            ];
            for place in place {
                let side = |color| set(cells(color).map(|i| place(i, last)));
                let board = Board::new(side(1), side(2));
                let expected = Oracle::new(size, board).stable(&mut edges);
                assert_eq!(board.stable(size), expected, "{size} {board:?}");
            }
        }
    }
}

#[test]
fn no_stable_disc_is_ever_flipped() {
    let mut random = Random(6);
    for size in Size::ALL {
        for board in boards(&mut random, size, 20_000) {
            let (mut p, mut o) = (Bitboard::EMPTY, Bitboard::EMPTY);
            let mut board = board;
            let mut passes = 0;
            while passes < 2 {
                // What is stable stays so, on both sides.
                p |= board.stable(size);
                o |= board.pass().stable(size);
                assert!(board.player().contains_all(p), "{size} {board:?} {p:?}");
                assert!(board.opponent().contains_all(o), "{size} {board:?} {o:?}");
                let moves = board.moves() & size.squares();
                if moves.is_empty() {
                    passes += 1;
                    board = board.pass();
                } else {
                    passes = 0;
                    let choice = random.below(moves.count() as usize);
                    board = board.play_unchecked(moves.into_iter().nth(choice).unwrap());
                }
                (p, o) = (o, p);
            }
        }
    }
}
