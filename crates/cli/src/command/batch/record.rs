//! One line of output: what was found out about a position. Version 1; `docs/batch-format.md` tells what
//! the fields mean.

use obverse_board::notation::Form;
use obverse_board::{Counting, Game, Move, Position, Score};
use obverse_cluster::{Answer, Limits, MoveBounds, Question};
use obverse_engine::Certainty;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) const VERSION: u32 = 1;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Record {
    pub(crate) version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    pub(crate) line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<Value>,
    /// As it was given, in OBF.
    pub(crate) position: String,
    pub(crate) empties: u32,
    pub(crate) counting: String,
    pub(crate) task: String,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best: Option<String>,
    pub(crate) proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<EstimateRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<MoveRecord>,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    pub(crate) engine: String,
    /// Whether it was known before, or found out for an earlier line.
    pub(crate) known: bool,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct EstimateRecord {
    pub(crate) discs: f32,
    /// `estimate` or `selective`.
    pub(crate) certainty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) percent: Option<u8>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct MoveRecord {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
}

impl Record {
    /// The question it answers, and the answer, on the board of the question.
    ///
    /// # Errors
    /// If it makes no sense: what was found and what was expected.
    pub(crate) fn answer(&self) -> Result<(Question, Answer), String> {
        let position = Position::parse(&self.position).map_err(|error| error.to_string())?;
        let counting = [Counting::Discs, Counting::WinnerTakesEmpties]
            .into_iter()
            .find(|counting| counting.to_string() == self.counting)
            .ok_or_else(|| format!("found counting {:?}", self.counting))?;
        let task = self.task.parse()?;
        let (question, symmetry) = Question::new(position, counting, task, Limits::default());
        let mv = |text: &str| match text {
            "pass" => Ok(Move::Pass),
            text => text.parse().map(Move::Place).map_err(|error| format!("{text:?}: {error}")),
        };
        let bounds = |lower: i8, upper: i8| {
            let area = position.size().area() as i8;
            if lower > upper || lower < -area || upper > area {
                return Err(format!("found bounds {lower} to {upper}"));
            }
            Ok((Score(lower), Score(upper)))
        };
        let moves = self.moves.iter().map(|m| {
            let (lower, upper) = bounds(m.lower, m.upper)?;
            Ok(MoveBounds { mv: mv(&m.mv)?, lower, upper })
        });
        let (lower, upper) = bounds(self.lower, self.upper)?;
        let answer = Answer {
            lower,
            upper,
            best: self.best.as_deref().map(mv).transpose()?,
            proven: self.proven,
            estimate: None,
            moves: moves.collect::<Result<_, String>>()?,
            nodes: self.nodes,
            micros: (self.seconds.max(0.0) * 1e6) as u64,
            engine: self.engine.as_str().into(),
        };
        // The other way round: from the position to the board of the question.
        Ok((question, answer.turned_back(&question, symmetry.inverse())))
    }
}

/// Who asked: a line of a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ticket {
    pub(crate) file: Option<std::sync::Arc<str>>,
    pub(crate) line: u64,
    pub(crate) id: Option<Value>,
    pub(crate) position: Position,
}

impl Ticket {
    /// Its record, given the answer to its question.
    pub(crate) fn record(self, question: &Question, answer: &Answer, known: bool) -> Record {
        let Question { task, limits, .. } = *question;
        let symmetry = Question::new(self.position, question.counting(), task, limits).1;
        let answer = answer.turned_back(question, symmetry);
        let estimate = answer.estimate.map(|estimate| {
            let (certainty, depth, percent) = match estimate.certainty {
                Certainty::Estimate(depth) => ("estimate", Some(depth), None),
                Certainty::Selective(percent) => ("selective", None, Some(percent)),
                Certainty::Proven => ("proven", None, None),
            };
            EstimateRecord {
                discs: (estimate.discs * 100.0).round() / 100.0,
                certainty: certainty.to_owned(),
                depth,
                percent,
            }
        });
        Record {
            version: VERSION,
            file: self.file.as_deref().map(str::to_owned),
            line: self.line,
            id: self.id,
            position: obf(self.position),
            empties: question.n_empties(),
            counting: question.counting().to_string(),
            task: question.task.to_string(),
            lower: answer.lower.0,
            upper: answer.upper.0,
            best: answer.best.map(|mv| mv.to_string()),
            proven: answer.proven,
            estimate,
            moves: answer
                .moves
                .iter()
                .map(|m| MoveRecord { mv: m.mv.to_string(), lower: m.lower.0, upper: m.upper.0 })
                .collect(),
            nodes: answer.nodes,
            seconds: answer.micros as f64 / 1e6,
            engine: answer.engine.to_string(),
            known,
        }
    }
}

/// A position as output and tickets have it.
pub(crate) fn obf(position: Position) -> String {
    Form::Obf.print(&Game::new(position)).expect("every position has this form")
}
