//! The rules once more, walked one disc at a time: slow, plain, and independent of the kernels.

use std::collections::HashMap;

use obverse_board::{Bitboard, Board, Direction, Size, Square};

/// What is on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    Empty,
    Player,
    Opponent,
}

use Cell::{Empty, Opponent, Player};

/// A board as an array of cells.
#[derive(Clone)]
pub(crate) struct Oracle {
    pub(crate) size: Size,
    cells: [Cell; 64],
}

impl Oracle {
    pub(crate) fn new(size: Size, board: Board) -> Oracle {
        let cells = Square::ALL.map(|square| match () {
            () if board.player().contains(square) => Player,
            () if board.opponent().contains(square) => Opponent,
            () => Empty,
        });
        Oracle { size, cells }
    }

    /// The neighbour in a direction, if it is on this board.
    fn step(&self, square: Square, direction: Direction) -> Option<Square> {
        let next = square.step(direction)?;
        (next.column() < self.size.side() && next.row() < self.size.side()).then_some(next)
    }

    fn cell(&self, square: Square) -> Cell {
        self.cells[usize::from(square.index())]
    }

    fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let side = self.size.side();
        Square::ALL.into_iter().filter(move |s| s.column() < side && s.row() < side)
    }

    fn empties(&self) -> impl Iterator<Item = Square> {
        self.squares().filter(|&square| self.cell(square) == Empty)
    }

    pub(crate) fn flips(&self, square: Square) -> Vec<Square> {
        Direction::ALL.into_iter().flat_map(|direction| self.flips_in(square, direction)).collect()
    }

    fn flips_in(&self, square: Square, direction: Direction) -> Vec<Square> {
        let mut run = Vec::new();
        let mut at = square;
        loop {
            match self.step(at, direction) {
                Some(next) if self.cell(next) == Opponent => {
                    run.push(next);
                    at = next;
                }
                Some(next) if self.cell(next) == Player => return run,
                _ => return Vec::new(),
            }
        }
    }

    pub(crate) fn moves(&self) -> Vec<Square> {
        self.empties().filter(|&square| !self.flips(square).is_empty()).collect()
    }

    /// The board after a move, seen by the other side.
    pub(crate) fn play(&self, square: Square) -> Oracle {
        let mut next = self.clone();
        for flipped in self.flips(square) {
            next.cells[usize::from(flipped.index())] = Player;
        }
        next.cells[usize::from(square.index())] = Player;
        next.pass()
    }

    pub(crate) fn pass(&self) -> Oracle {
        let cells = self.cells.map(|cell| match cell {
            Player => Opponent,
            Opponent => Player,
            Empty => Empty,
        });
        Oracle { size: self.size, cells }
    }

    /// The number of games of `depth` plies, a pass being a ply or free.
    pub(crate) fn perft(&self, depth: u32, pass_is_ply: bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if moves.is_empty() {
            return match self.pass() {
                passed if passed.moves().is_empty() => 1,
                passed => passed.perft(depth - u32::from(pass_is_ply), pass_is_ply),
            };
        }
        moves.into_iter().map(|square| self.play(square).perft(depth - 1, pass_is_ply)).sum()
    }

    /// Empty squares next to an opponent's disc with a square of the 8×8 board behind it.
    pub(crate) fn potential(&self) -> Vec<Square> {
        let is_potential = |square: &Square| {
            Direction::ALL.into_iter().any(|direction| {
                square.step(direction).is_some_and(|next| {
                    self.cell(next) == Opponent && next.step(direction).is_some()
                })
            })
        };
        Square::ALL.into_iter().filter(|&s| self.cell(s) == Empty).filter(is_potential).collect()
    }

    /// The definition of stability as the documentation of `kernel::stable` gives it.
    pub(crate) fn stable(&self, edges: &mut Edges) -> Bitboard {
        let mut stable = Bitboard::EMPTY;
        for start in self.edge_starts() {
            let line = self.ray(start.0, start.1);
            let cells: Vec<Cell> = line.iter().map(|&square| self.cell(square)).collect();
            for (square, survives) in line.into_iter().zip(edges.survivors(&cells)) {
                if survives {
                    stable = stable.with(square);
                }
            }
        }
        loop {
            let before = stable;
            for square in self.squares().filter(|&square| self.cell(square) == Player) {
                if AXES.into_iter().all(|axis| self.is_safe_along(square, axis, stable)) {
                    stable = stable.with(square);
                }
            }
            if stable == before {
                return stable;
            }
        }
    }

    fn edge_starts(&self) -> [(Square, Direction); 4] {
        let last = self.size.side() - 1;
        let at = |column, row| Square::at(column, row).unwrap();
        [
            (at(0, 0), Direction::East),
            (at(0, 0), Direction::South),
            (at(0, last), Direction::East),
            (at(last, 0), Direction::South),
        ]
    }

    /// A square and all beyond it in a direction.
    fn ray(&self, square: Square, direction: Direction) -> Vec<Square> {
        std::iter::successors(Some(square), |&square| self.step(square, direction)).collect()
    }

    fn is_safe_along(&self, square: Square, axis: [Direction; 2], stable: Bitboard) -> bool {
        let neighbours = axis.map(|direction| self.step(square, direction));
        let line_ends_here = neighbours.contains(&None);
        let line_is_full = axis.iter().all(|&direction| {
            self.ray(square, direction).into_iter().all(|square| self.cell(square) != Empty)
        });
        let is_beside_stable = neighbours.into_iter().flatten().any(|next| stable.contains(next));
        line_ends_here || line_is_full || is_beside_stable
    }
}

const AXES: [[Direction; 2]; 4] = [
    [Direction::East, Direction::West],
    [Direction::South, Direction::North],
    [Direction::SouthEast, Direction::NorthWest],
    [Direction::SouthWest, Direction::NorthEast],
];

/// Which player's discs of an edge survive every way to fill it; remembers what it has found.
#[derive(Default)]
pub(crate) struct Edges(HashMap<Vec<Cell>, Vec<bool>>);

impl Edges {
    pub(crate) fn survivors(&mut self, line: &[Cell]) -> Vec<bool> {
        if let Some(known) = self.0.get(line) {
            return known.clone();
        }
        let mut survives: Vec<bool> = line.iter().map(|&cell| cell == Player).collect();
        for i in (0..line.len()).filter(|&i| line[i] == Empty) {
            for (mover, other) in [(Player, Opponent), (Opponent, Player)] {
                let next = self.survivors(&place(line, i, mover, other));
                for (survives, next) in survives.iter_mut().zip(next) {
                    *survives &= next;
                }
            }
        }
        self.0.insert(line.to_vec(), survives.clone());
        survives
    }
}

/// The line after `mover` places a disc on cell `i`, whether or not that flips anything.
fn place(line: &[Cell], i: usize, mover: Cell, other: Cell) -> Vec<Cell> {
    let mut next = line.to_vec();
    next[i] = mover;
    let right: Vec<usize> = (i + 1..line.len()).collect();
    let left: Vec<usize> = (0..i).rev().collect();
    for path in [right, left] {
        let run = path.iter().take_while(|&&j| line[j] == other).count();
        if path.get(run).is_some_and(|&j| line[j] == mover) {
            for &j in &path[..run] {
                next[j] = mover;
            }
        }
    }
    next
}

/// The set of some squares.
pub(crate) fn set(squares: impl IntoIterator<Item = Square>) -> Bitboard {
    squares.into_iter().collect()
}
