//! The search backwards.
//!
//! Positions are kept in layers by their number of discs. The search sweeps over the layers from
//! the position asked about down to the start, again and again; in each it takes back moves of the
//! most promising positions and puts what was there before into the layer below. So it soon reaches
//! the start with something, and each further sweep adds the next best on every level: a beam whose
//! width grows as long as there is time. When all layers have run dry everything has been tried.
//! (The pattern is known from programming contests as Chokudai search.)
//!
//! A position of many discs has thousands of predecessors, nearly all of them poor. It hands down
//! the best few and goes back into its layer, from where it can hand down the next few later.
//!
//! When memory is full the search starts afresh with other noise in its order. Nothing is random:
//! the noise is a hash of the position.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::promise::promise;
use super::refute::{is_wrong_turn, never_placed};
use super::retract::each_predecessor;
use super::{Refutation, Tried, Verdict, starts};
use crate::{Game, Position, Square};

/// How many predecessors a position hands down at a time.
const HANDED_DOWN: usize = 16;
/// How much less promising it is each time after.
const FATIGUE: i32 = 30;
/// How many predecessors are looked at in a layer before it is the next one's turn, if one position
/// does not have more.
const LAYER_WORK: u64 = 1000;
/// The promise varies by up to this much from run to run.
const NOISE: u64 = 30;
/// How many positions the first run may store. Each run may store twice as many as the one before:
/// what luck can find is found soon, and what takes trying everything needs the room.
const STORED_FIRST: usize = 1 << 18;
/// How many positions a run may store at most. Each takes up to 150 bytes.
const STORED_MAX: usize = 1 << 20;
/// A game from the mirrored start is good enough after so many times the positions it took to find
/// it, and so many more.
const PATIENCE: u64 = 5;
const PATIENCE_MIN: u64 = 3_000_000;

/// Searches a game that leads to `position`, which is not a start.
pub(super) fn search(position: Position, keep_going: &mut dyn FnMut() -> bool) -> Verdict {
    let discs_min = position.board().occupied().count();
    let tried = Tried { positions: 0, discs_min };
    let mut search = Search { position, keep_going, tried, mirrored: None };
    let (mut salt, mut stored_max) = (0, STORED_FIRST);
    loop {
        match search.run(salt, stored_max) {
            Outcome::Found(game) => return Verdict::Reachable(game),
            Outcome::Full => (salt, stored_max) = (salt + 1, STORED_MAX.min(2 * stored_max)),
            Outcome::Ended(otherwise) => {
                let mirrored = search.mirrored.map(|(game, _)| Verdict::Reachable(game));
                return mirrored.unwrap_or(otherwise);
            }
        }
    }
}

struct Search<'a> {
    position: Position,
    keep_going: &'a mut dyn FnMut() -> bool,
    tried: Tried,
    /// A game from the mirrored start, and how many positions had been looked at by then.
    mirrored: Option<(Game, u64)>,
}

enum Outcome {
    /// A game from the standard start.
    Found(Game),
    /// No more room.
    Full,
    /// The verdict, unless there is a game from the mirrored start.
    Ended(Verdict),
}

impl Search<'_> {
    /// Sweeps over the layers until one of the outcomes.
    fn run(&mut self, salt: u64, stored_max: usize) -> Outcome {
        let mut layers = Layers::new(self.position, salt);
        while !layers.are_dry() {
            for discs in (0..layers.heaps.len()).rev() {
                if layers.heaps[discs].is_empty() {
                    continue;
                }
                if self.is_patience_over() || !(self.keep_going)() {
                    return Outcome::Ended(Verdict::NotRefuted(self.tried));
                }
                let turn_end = self.tried.positions + LAYER_WORK;
                while self.tried.positions < turn_end {
                    if layers.nodes.len() + HANDED_DOWN > stored_max {
                        return Outcome::Full;
                    }
                    let Some(entry) = layers.heaps[discs].pop() else { break };
                    if let Some(game) = self.expand(&entry, &mut layers) {
                        return Outcome::Found(game);
                    }
                }
            }
        }
        Outcome::Ended(Verdict::Unreachable(Refutation::Exhausted(self.tried.positions)))
    }

    /// Whether there is a game from the mirrored start and hardly hope for one from the standard
    /// start.
    fn is_patience_over(&self) -> bool {
        let positions = self.tried.positions;
        self.mirrored.as_ref().is_some_and(|&(_, at)| positions > PATIENCE * at + PATIENCE_MIN)
    }

    /// Hands down the next few predecessors of a position; gives the game if one of them is the
    /// standard start.
    fn expand(&mut self, entry: &Entry, layers: &mut Layers) -> Option<Game> {
        let position = layers.nodes[entry.node as usize].position;
        let [standard, mirrored] = starts(position);
        let mut candidates = Vec::new();
        let mut found = None;
        each_predecessor(position, &mut |before, square| {
            self.tried.positions += 1;
            if before == standard || (before == mirrored && found.is_none()) {
                found = Some((before, square));
            } else if let Some(promise) = promise(before)
                && !is_wrong_turn(before)
            {
                let hash = layers.hash(before);
                let promise = promise + (hash % NOISE) as i32;
                candidates.push(Candidate { promise, tie: (hash >> 32) as u32, before, square });
            }
        });
        let n_discs = position.board().occupied().count() - 1;
        self.tried.discs_min = self.tried.discs_min.min(n_discs);
        if let Some((start, square)) = found {
            let game = layers.game(start, square, entry.node, self.position);
            if start == standard {
                return Some(game);
            }
            self.mirrored.get_or_insert((game, self.tried.positions));
        }
        layers.hand_down(entry, candidates);
        None
    }
}

/// A predecessor of a position.
struct Candidate {
    promise: i32,
    tie: u32,
    before: Position,
    square: Square,
}

/// All positions found in one run.
struct Layers {
    salt: u64,
    nodes: Vec<Node>,
    seen: HashSet<Position, BuildHasherDefault<Mixer>>,
    /// For each number of discs, the positions with predecessors not yet handed down.
    heaps: Vec<BinaryHeap<Entry>>,
}

/// A position and how it goes on from there to the one asked about.
struct Node {
    position: Position,
    /// The next disc placed, and the position after it.
    next: Option<(Square, u32)>,
}

const _: () = assert!(size_of::<Node>() == 32);

/// A place in the queue of a layer; the greatest comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    promise: i32,
    /// Decides between equal promises, so that the order does not depend on the history.
    tie: u32,
    node: u32,
    /// How many of the predecessors have been handed down.
    n_handed_down: u32,
}

impl Layers {
    fn new(position: Position, salt: u64) -> Layers {
        let n_layers = position.board().occupied().count() as usize + 1;
        let heaps = (0..n_layers).map(|_| BinaryHeap::new()).collect();
        let mut layers = Layers { salt, nodes: Vec::new(), seen: HashSet::default(), heaps };
        layers.push(position, None, 0, 0);
        if position.is_over() {
            layers.push(position.pass_unchecked(), None, 0, 0);
        }
        layers
    }

    fn are_dry(&self) -> bool {
        self.heaps.iter().all(BinaryHeap::is_empty)
    }

    fn push(&mut self, position: Position, next: Option<(Square, u32)>, promise: i32, tie: u32) {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { position, next });
        let discs = position.board().occupied().count() as usize;
        self.heaps[discs].push(Entry { promise, tie, node, n_handed_down: 0 });
    }

    /// Puts the next best of the candidates into their layer and the position that they precede
    /// back into its own, if there are more of them.
    fn hand_down(&mut self, entry: &Entry, mut candidates: Vec<Candidate>) {
        let first = entry.n_handed_down as usize;
        let end = candidates.len().min(first + HANDED_DOWN);
        candidates.sort_unstable_by_key(|c| Reverse((c.promise, c.tie)));
        for &Candidate { promise, tie, before, square } in &candidates[first..end] {
            let is_placeable = never_placed(before.board().occupied(), before.size()).is_empty();
            if is_placeable && self.seen.insert(before) {
                self.push(before, Some((square, entry.node)), promise, tie);
            }
        }
        if end < candidates.len() {
            let discs = self.nodes[entry.node as usize].position.board().occupied().count();
            let promise = entry.promise - FATIGUE;
            let n_handed_down = end as u32;
            self.heaps[discs as usize].push(Entry { promise, n_handed_down, ..*entry });
        }
    }

    /// The game that begins with a disc on `square` at `start`, goes on from `node` and ends at
    /// `end`.
    fn game(&self, start: Position, square: Square, node: u32, end: Position) -> Game {
        let mut game = Game::new(start);
        let mut next = Some((square, node));
        while let Some((square, node)) = next {
            game.play(square).expect("a move that was taken back can be made again");
            next = self.nodes[node as usize].next;
        }
        // The last move may have been followed by a pass. After the end of a game there is none,
        // and either side may be nominally to move.
        if game.position() != end {
            game.settle();
        }
        debug_assert!(game.position() == end || game.is_over());
        game
    }

    fn hash(&self, position: Position) -> u64 {
        let mut mixer = Mixer(self.salt);
        position.hash(&mut mixer);
        mixer.finish()
    }
}

/// A small fixed hash: the standard one is slower and differs from one process to the next.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, word: u64) {
        // The golden ratio: an odd number without a pattern. The upper half of a product depends on
        // all bits, the lower half does not.
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    /// Variants of an enum come this way.
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
}
