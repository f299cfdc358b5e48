//! Questions are handed out in chunks, so that the queue costs little next to the work.

use std::fmt;
use std::sync::Arc;

use obverse_board::Score;

use crate::{Question, cost};

/// A question and what is known of its answer beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// The question.
    pub question: Question,
    /// True bounds on the score.
    pub known: (Score, Score),
}

impl Job {
    /// Asks a question of which nothing is known.
    pub fn new(question: Question) -> Job {
        let area = question.size().area() as i8;
        Job { question, known: (Score(-area), Score(area)) }
    }
}

/// How hard jobs are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// A thread each.
    Easy,
    /// One after the other, on all threads.
    Hard,
}

impl Class {
    /// Both.
    pub const ALL: [Class; 2] = [Class::Easy, Class::Hard];

    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Easy => "easy",
            Class::Hard => "hard",
        }
    }
}

/// Tells chunks apart: the same for the same questions in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ChunkId(pub u128);

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Jobs that one worker does together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The list of questions it belongs to.
    pub campaign: Arc<str>,
    /// How hard its jobs are.
    pub class: Class,
    /// The jobs, at least one.
    pub jobs: Vec<Job>,
}

impl Chunk {
    /// Its id, made of its questions alone.
    pub fn id(&self) -> ChunkId {
        id(self.jobs.iter())
    }

    /// The same jobs, each in a chunk of its own.
    pub fn singles(&self) -> impl Iterator<Item = Chunk> + '_ {
        self.jobs.iter().map(|job| Chunk { jobs: vec![*job], ..self.clone() })
    }
}

pub(crate) fn id<'a>(jobs: impl Iterator<Item = &'a Job>) -> ChunkId {
    ChunkId(sum(jobs.flat_map(|job| job.question.to_bytes())))
}

/// FNV-1a of 128 bits.
pub(crate) fn sum(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |sum, byte| {
        (sum ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

/// Jobs of a chunk should take about so long together: much longer than the queue needs for them, and
/// short enough that little is lost when a worker is.
const MICROS_AIM: f64 = 500_000.0;

/// No chunk has more jobs, so that no message gets too large.
const JOBS_MAX: usize = 256;

/// A job that takes longer than this on one thread is done by all threads together.
const HARD_MICROS_MIN: f64 = 20_000_000.0;

/// Puts jobs into chunks, in the order they come: the same jobs give the same chunks.
#[derive(Debug)]
pub struct Builder {
    campaign: Arc<str>,
    jobs: Vec<Job>,
    micros: f64,
}

impl Builder {
    /// For jobs of this campaign.
    pub fn new(campaign: Arc<str>) -> Builder {
        Builder { campaign, jobs: Vec::new(), micros: 0.0 }
    }

    /// Adds a job; returns a chunk if that makes one.
    pub fn add(&mut self, job: Job) -> Option<Chunk> {
        let micros = cost::micros(&job.question);
        if micros >= HARD_MICROS_MIN {
            let campaign = Arc::clone(&self.campaign);
            return Some(Chunk { campaign, class: Class::Hard, jobs: vec![job] });
        }
        self.jobs.push(job);
        self.micros += micros;
        if self.micros >= MICROS_AIM || self.jobs.len() >= JOBS_MAX { self.flush() } else { None }
    }

    /// The jobs that are not yet in a chunk, as one.
    pub fn flush(&mut self) -> Option<Chunk> {
        self.micros = 0.0;
        let jobs = std::mem::take(&mut self.jobs);
        let campaign = Arc::clone(&self.campaign);
        (!jobs.is_empty()).then_some(Chunk { campaign, class: Class::Easy, jobs })
    }

    /// How many jobs are not yet in a chunk.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether all jobs are in chunks.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }
}
