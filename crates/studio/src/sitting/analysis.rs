//! What the engine thinks of the position on the board.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use obverse_board::{Move, Position};
use obverse_engine::{Candidate, Certainty, Level, Limits, Value};

use super::{Order, Refusal, Report, Sitting};
use crate::clock;
use crate::tree::NodeId;
use crate::view::{self, for_black, tenths};
use crate::wire::{AnalysisStatus, ErrorCode, LimitWire, SquareValue, ToPage, ValueWire};
use crate::work::{Job, JobId, News, Think, least_certain};

/// The most lines that are shown.
pub(super) const LINES_MAX: u32 = 10;
const LINES: u32 = 3;

/// How far a hint thinks, and how long at most.
const HINT_LEVEL: u8 = 12;
const HINT_TIME: Duration = Duration::from_secs(2);

/// How many positions are remembered.
const KNOWN_MAX: usize = 2000;

/// The longest time that can be asked for.
const TIME_MAX: Duration = Duration::from_hours(24);
const DEPTH_MAX: u32 = 60;

/// The analysis of whatever is on the board.
#[derive(Debug)]
pub(super) struct Analysis {
    pub(super) is_on: bool,
    pub(super) lines: u32,
    pub(super) limit: LimitWire,
    job: Option<JobId>,
    /// What was told last is about this.
    shown: Option<Shown>,
    known: HashMap<Position, Known>,
}

/// What an analysis is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shown {
    node: NodeId,
    position: Position,
    is_on: bool,
    lines: u32,
    limit: LimitWire,
}

/// What is known about a position.
#[derive(Clone, Debug, Default)]
struct Known {
    candidates: Vec<Candidate>,
    nodes: u64,
    worked: Duration,
    /// The limit that was reached.
    reached: Option<LimitWire>,
}

/// A hint that is being thought about.
#[derive(Debug)]
pub(super) struct Hinting {
    job: JobId,
    node: NodeId,
    best: Option<Candidate>,
}

impl Default for Analysis {
    fn default() -> Analysis {
        Analysis {
            is_on: false,
            lines: LINES,
            limit: LimitWire::None,
            job: None,
            shown: None,
            known: HashMap::new(),
        }
    }
}

impl Sitting {
    pub(super) fn analyze(
        &mut self,
        on: bool,
        lines: Option<u32>,
        limit: Option<LimitWire>,
    ) -> Result<(), Refusal> {
        let lines = lines.unwrap_or(self.analysis.lines);
        let limit = limit.unwrap_or(self.analysis.limit);
        if lines > LINES_MAX {
            let expected = format!("0 to {LINES_MAX}");
            return Err(bad_limit(lines, &expected));
        }
        limits(limit, 1)?;
        self.analysis.is_on = on;
        (self.analysis.lines, self.analysis.limit) = (lines, limit);
        Ok(())
    }

    /// Makes the analysis follow the board.
    pub(super) fn follow_board(&mut self) {
        let (node, position) = (self.at, self.position());
        let Analysis { is_on, lines, limit, .. } = self.analysis;
        let shown = Shown { node, position, is_on, lines, limit };
        if self.analysis.shown == Some(shown) || !self.is_attended {
            return;
        }
        let before = self.analysis.shown.replace(shown);
        let is_same_work = before.is_some_and(|before| {
            let same_lines = Shown { node, lines, ..before };
            same_lines == shown
        });
        if !is_same_work {
            self.stop_analysis();
            self.start_analysis(position, limit);
        }
        let was_on = before.is_some_and(|before| before.is_on);
        if is_on || was_on || self.analysis.known.contains_key(&position) {
            self.tell_analysis();
        }
    }

    fn start_analysis(&mut self, position: Position, limit: LimitWire) {
        let is_known = self.analysis.known.get(&position).is_some_and(|known| {
            known.reached == Some(limit)
                || least_certain(&known.candidates) == Some(Certainty::Proven)
        });
        if !self.analysis.is_on || position.is_over() || is_known {
            return;
        }
        let (limits, time) = limits(limit, self.n_threads).unwrap_or((Limits::NONE, None));
        let top = position.moves().count() as usize;
        let counting = self.table.counting;
        let job = self.order(Job::Think(Think { position, counting, limits, time, top }));
        self.analysis.job = Some(job);
    }

    pub(super) fn stop_analysis(&mut self) {
        if let Some(job) = self.analysis.job.take() {
            self.out.orders.push(Order::Stop(job));
        }
    }

    /// Forgets what it showed, so that it begins anew when somebody looks.
    pub(super) fn suspend_analysis(&mut self) {
        self.stop_analysis();
        self.analysis.shown = None;
    }

    /// Forgets everything: values are for another counting.
    pub(super) fn forget_values(&mut self) {
        self.suspend_analysis();
        self.analysis.known.clear();
    }

    pub(super) fn is_analysis(&self, job: JobId) -> bool {
        self.analysis.job == Some(job)
    }

    pub(super) fn hear_analysis(&mut self, report: Report) {
        let Some(Shown { position, limit, .. }) = self.analysis.shown else { return };
        if let Some(News::Thought(candidates)) = report.news {
            self.learn(position, candidates);
        }
        if let Some(known) = self.analysis.known.get_mut(&position) {
            (known.nodes, known.worked) = (report.nodes, report.worked);
            if report.is_done {
                known.reached = Some(limit);
            }
        }
        if report.is_done {
            self.analysis.job = None;
        }
        self.tell_analysis();
    }

    /// Remembers the values of all moves of a position, unless better ones are known.
    pub(super) fn learn(&mut self, position: Position, candidates: Vec<Candidate>) {
        if candidates.len() != position.moves().count() as usize {
            return;
        }
        let known = &mut self.analysis.known;
        if known.len() >= KNOWN_MAX && !known.contains_key(&position) {
            known.clear();
        }
        let known = known.entry(position).or_default();
        if least_certain(&candidates) >= least_certain(&known.candidates) {
            known.candidates = candidates;
        }
    }

    fn tell_analysis(&mut self) {
        let position = self.position();
        let nothing = Known::default();
        let known = self.analysis.known.get(&position).unwrap_or(&nothing);
        let best = known.candidates.first().map_or(0.0, |best| tenths(best.value.discs));
        let square = |candidate: &Candidate| {
            let loss = tenths(best - tenths(candidate.value.discs)).max(0.0);
            SquareValue {
                square: candidate.mv.to_string(),
                value: candidate.value.into(),
                loss,
                best: loss <= 0.0,
            }
        };
        let lines = known.candidates.iter().take(self.analysis.lines as usize);
        let status = match (self.analysis.is_on, self.analysis.job) {
            (false, _) => AnalysisStatus::Off,
            (true, Some(_)) => AnalysisStatus::Running,
            (true, None) => AnalysisStatus::Done,
        };
        let seconds = known.worked.as_secs_f64();
        let message = ToPage::Analysis {
            node: self.at,
            status,
            squares: known.candidates.iter().map(square).collect(),
            lines: lines.map(Into::into).collect(),
            black: self.value_for_black(position),
            nodes: known.nodes,
            time_ms: known.worked.as_millis() as u64,
            speed: if seconds > 0.0 { (known.nodes as f64 / seconds) as u64 } else { 0 },
        };
        self.out.messages.push(message);
    }

    /// What a position is worth for Black, as far as is known.
    fn value_for_black(&self, position: Position) -> Option<ValueWire> {
        if position.is_over() {
            let discs = position.score_for(position.turn(), self.table.counting).0.into();
            let value = Value { discs, certainty: Certainty::Proven };
            return Some(for_black(value, position.turn()));
        }
        let best = self.analysis.known.get(&position)?.candidates.first()?;
        Some(for_black(best.value, position.turn()))
    }

    // Hints.

    pub(super) fn hint(&mut self) -> Result<(), Refusal> {
        let position = self.position();
        if position.is_over() {
            return Err(Refusal::new(ErrorCode::GameOver, "the game is over"));
        }
        self.stop_hint();
        let level = Level::new(HINT_LEVEL).expect("there is this level");
        let limits: Limits = level.into();
        let known = self.analysis.known.get(&position).and_then(|known| known.candidates.first());
        let is_enough =
            |best: &&Candidate| best.value.certainty >= Certainty::Estimate(limits.depth);
        if let Some(best) = known.filter(is_enough).cloned() {
            self.tell_hint(self.at, &best);
            return Ok(());
        }
        let time = Some(HINT_TIME);
        let counting = self.table.counting;
        let job = self.order(Job::Think(Think { position, counting, limits, time, top: 1 }));
        self.hinting = Some(Hinting { job, node: self.at, best: None });
        Ok(())
    }

    pub(super) fn stop_hint(&mut self) {
        if let Some(hinting) = self.hinting.take() {
            self.out.orders.push(Order::Stop(hinting.job));
        }
    }

    pub(super) fn is_hint(&self, job: JobId) -> bool {
        self.hinting.as_ref().is_some_and(|hinting| hinting.job == job)
    }

    pub(super) fn hear_hint(&mut self, report: Report) {
        let Some(hinting) = &mut self.hinting else { return };
        if let Some(News::Thought(candidates)) = report.news {
            hinting.best = candidates.into_iter().next();
        }
        if report.is_done {
            let Some(Hinting { node, best, .. }) = self.hinting.take() else { return };
            if let Some(best) = best.filter(|_| self.tree.get(node).is_some()) {
                self.tell_hint(node, &best);
            }
        }
    }

    fn tell_hint(&mut self, node: NodeId, best: &Candidate) {
        let position = self.tree.node(node).position;
        let flips = match best.mv {
            Move::Place(square) => view::flips(position, square),
            Move::Pass => Vec::new(),
        };
        self.out.messages.push(ToPage::Hint {
            node,
            mv: best.mv.to_string(),
            flips,
            value: best.value.into(),
            line: view::moves(&best.line),
        });
    }
}

/// How far to think, and how long.
pub(super) fn limits(
    limit: LimitWire,
    threads: u32,
) -> Result<(Limits, Option<Duration>), Refusal> {
    Ok(match limit {
        LimitWire::None => (Limits::NONE, None),
        LimitWire::Level { level } => (read_level(level)?.into(), None),
        LimitWire::Depth { depth } if (1..=DEPTH_MAX).contains(&depth) => {
            (Limits { depth, end_from: depth, proof_from: depth, ..Limits::NONE }, None)
        }
        LimitWire::Depth { depth } => {
            return Err(bad_limit(depth, &format!("1 to {DEPTH_MAX}")));
        }
        LimitWire::Time { time_ms } => {
            let time = read_time(time_ms)?;
            (clock::limits(time.saturating_mul(threads)), Some(time))
        }
    })
}

pub(super) fn read_level(level: u8) -> Result<Level, Refusal> {
    Level::new(level).ok_or_else(|| bad_limit(level, &format!("1 to {}", Level::MAX)))
}

pub(super) fn read_time(time_ms: u64) -> Result<Duration, Refusal> {
    let time = Duration::from_millis(time_ms);
    if time.is_zero() || time > TIME_MAX {
        return Err(bad_limit(time_ms, &format!("1 to {}", TIME_MAX.as_millis())));
    }
    Ok(time)
}

fn bad_limit(found: impl Display + Copy, expected: &str) -> Refusal {
    let text = format!("found {found}, expected {expected}");
    Refusal::new(ErrorCode::BadLimit, text).found(&found).expected(&expected)
}
