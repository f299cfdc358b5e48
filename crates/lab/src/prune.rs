//! Fewer vectors: those that are seen most.
//!
//! Most patterns are hardly ever seen, and a file of weights has room for the vectors of some. How often each is
//! seen is counted in records; all numbers of empty squares of a stretch count alike.

use std::ops::Range;

use obverse_engine::eval::{Anchor, N_FACTORS, Stretch, Weights, n_weights, patterns, tied};

use crate::record::Record;

const N_BASES: usize = 65;

/// How often each pattern was seen with each number of empty squares.
pub struct Census {
    groups: Vec<Group>,
}

#[derive(Clone, Default)]
struct Group {
    n_records: u64,
    /// By weight; empty until there is a record.
    sights: Vec<u32>,
}

/// What became of a stretch.
#[derive(Clone, PartialEq, Debug)]
pub struct Pruned {
    /// Its fewest empty squares.
    pub from: u32,
    /// How many vectors it had.
    pub before: usize,
    /// How many it has.
    pub after: usize,
    /// The share of all that was seen whose vector is gone.
    pub lost: f64,
}

/// Why weights cannot be pruned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PruneError {
    /// There is no record with as many empty squares as a stretch has that must lose vectors.
    Unseen(Range<u32>),
    /// A stretch would lie across two of those there are.
    Across(u32),
}

impl Default for Census {
    fn default() -> Census {
        Census { groups: vec![Group::default(); N_BASES] }
    }
}

impl Census {
    /// Counts what is seen in a record.
    pub fn add(&mut self, record: &Record) {
        let Group { n_records, sights } = &mut self.groups[record.n_empties() as usize];
        sights.resize(n_weights(), 0);
        *n_records += 1;
        for pattern in patterns(record.board) {
            sights[tied(pattern) as usize] += 1;
        }
    }

    /// The bytes of weights with these stretches, each with the fewest empty squares and the most vectors it may
    /// have, and what became of each.
    ///
    /// # Errors
    /// If a stretch lies across two there are, or nothing like it was counted.
    pub fn prune(
        &self,
        weights: &Weights,
        stretches: &[(u32, usize)],
    ) -> Result<(Vec<u8>, Vec<Pruned>), PruneError> {
        let (theirs, heads) = weights.vectors();
        let (mut left, mut told) = (Vec::new(), Vec::new());
        for (i, &(from, most)) in stretches.iter().enumerate() {
            let to = stretches.get(i + 1).map_or(N_BASES as u32, |next| next.0);
            let after = theirs.partition_point(|stretch| stretch.n_empties <= from);
            let source = &theirs[after.saturating_sub(1)];
            if theirs.get(after.max(1)).is_some_and(|next| next.n_empties < to) {
                return Err(PruneError::Across(from));
            }
            let first = if i == 0 { 0 } else { from };
            let (stretch, pruned) = self.cut(source, from, first..to, most)?;
            left.push(stretch);
            told.push(pruned);
        }
        let bases: Vec<f32> = (0..N_BASES as u32).map(|n| weights.base(n)).collect();
        let anchors: Vec<Anchor> = weights.anchors().map(|n| weights.set(n)).collect();
        Ok((Weights::print(&bases, &anchors, &left, &heads), told))
    }

    /// A stretch with the vectors of `source` that are seen most with so many empty squares.
    fn cut(
        &self,
        source: &Stretch,
        from: u32,
        n_empties: Range<u32>,
        most: usize,
    ) -> Result<(Stretch, Pruned), PruneError> {
        let mut vectors = source.vectors.clone();
        let mut order: Vec<usize> = (0..vectors.len())
            .filter(|&weight| vectors[weight].iter().any(|factor| *factor != 0.0))
            .collect();
        let before = order.len();
        let shares = self.shares(n_empties.clone());
        if before > most && shares.is_empty() {
            return Err(PruneError::Unseen(n_empties));
        }
        let mut lost = 0.0;
        if before > most {
            order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
            for weight in order.drain(most..) {
                vectors[weight] = [0.0; N_FACTORS];
                lost += shares[weight];
            }
        }
        let pruned = Pruned { from, before, after: order.len(), lost };
        Ok((Stretch { n_empties: from, vectors, layer: source.layer }, pruned))
    }

    /// The share of each weight in all that was seen with these numbers of empty squares; nothing if that was
    /// nothing.
    fn shares(&self, n_empties: Range<u32>) -> Vec<f64> {
        let groups = &self.groups[n_empties.start as usize..n_empties.end as usize];
        let seen: Vec<&Group> = groups.iter().filter(|group| group.n_records > 0).collect();
        let mut shares = vec![0.0; if seen.is_empty() { 0 } else { n_weights() }];
        for group in &seen {
            let all: f64 = group.sights.iter().map(|&n| f64::from(n)).sum();
            for (share, &n) in shares.iter_mut().zip(&group.sights) {
                *share += f64::from(n) / all / seen.len() as f64;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Source;
    use obverse_board::{Position, Score, Size};
    use obverse_engine::classic::Rng;

    /// Positions of random games.
    fn census() -> (Census, Vec<Record>) {
        let (mut census, mut records, mut rng) = (Census::default(), Vec::new(), Rng::new(1));
        for _ in 0..40 {
            let mut position = Position::start(Size::Eight);
            while position.moves().any() {
                let (board, score, source) = (position.board(), Score(0), Source::Search);
                records.push(Record { board, value: Some(0), score, source });
                let nth = rng.below(u64::from(position.moves().count())) as usize;
                position = position.play_unchecked(position.moves().into_iter().nth(nth).unwrap());
            }
        }
        for record in &records {
            census.add(record);
        }
        (census, records)
    }

    #[test]
    fn what_is_seen_most_is_kept() {
        let (census, records) = census();
        let weights = Weights::built_in();
        let ours = weights.vectors().0;
        let all: Vec<(u32, usize)> = ours.iter().map(|s| (s.n_empties, n_weights())).collect();
        let (bytes, told) = census.prune(&weights, &all).unwrap();
        assert!(told.iter().all(|p| p.before == p.after && p.after > 10_000 && p.lost == 0.0));
        let same = Weights::parse(&bytes).unwrap();
        // The last stretch divided, and few vectors for one part of it.
        let last = all.last().unwrap().0;
        let mut divided = all.clone();
        divided.push((last + 10, 1000));
        let (bytes, told) = census.prune(&weights, &divided).unwrap();
        let pruned = Weights::parse(&bytes).unwrap();
        let Pruned { from, before, after, lost } = told[all.len()];
        assert_eq!((from, after), (last + 10, 1000));
        assert!(before > after && lost > 0.0 && lost < 0.05, "{told:?}");
        let (mut changed, mut seen) = (0, 0);
        for record in records {
            let near = |other: &Weights| {
                (other.discs(record.board) - weights.discs(record.board)).abs() < 0.5
            };
            assert!(near(&same));
            if record.n_empties() < last + 10 {
                assert!(near(&pruned), "{record:?}");
            } else {
                (changed, seen) = (changed + u32::from(!near(&pruned)), seen + 1);
            }
        }
        assert!(changed > 0 && changed < seen / 2, "{changed} of {seen}");
    }

    #[test]
    fn what_cannot_be_told_is_an_error() {
        let (census, _) = census();
        let weights = Weights::built_in();
        let first = weights.vectors().0[0].n_empties;
        assert_eq!(census.prune(&weights, &[(first, 9)]).err(), Some(PruneError::Across(first)));
        let stretches: Vec<(u32, usize)> =
            weights.vectors().0.iter().map(|s| (s.n_empties, 9)).collect();
        let unseen = Census::default().prune(&weights, &stretches).err();
        assert_eq!(unseen, Some(PruneError::Unseen(0..stretches[1].0)));
    }
}
