//! Chunks, results and tickets as they travel: JSON, version 1.
//!
//! Fields may be added within a version; none changes its meaning or goes away. A message of another
//! version, or one that makes no sense, is refused with the reason.

use obverse_board::{Counting, Move, Score, Size};
use obverse_engine::Certainty;
use serde::{Deserialize, Serialize};

use crate::chunk::id;
use crate::{Answer, Chunk, Class, Estimate, Job, Limits, MoveBounds, Outcome, Question, Results};

/// The version of all messages.
pub const VERSION: u32 = 1;

/// A question as it travels.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct QuestionWire {
    /// The discs of the side to move, then those of the other, 16 hexadecimal digits each; a1 is the
    /// lowest bit.
    board: String,
    /// Squares along a side.
    size: u8,
    /// `discs` or `winner-takes-empties`.
    counting: String,
    /// As [`crate::Task`] prints.
    task: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct JobWire {
    #[serde(flatten)]
    question: QuestionWire,
    lower: i8,
    upper: i8,
}

#[derive(Serialize, Deserialize)]
struct ChunkWire {
    version: u32,
    campaign: String,
    class: String,
    jobs: Vec<JobWire>,
}

#[derive(Serialize, Deserialize)]
struct ResultsWire {
    version: u32,
    campaign: String,
    worker: String,
    outcomes: Vec<OutcomeWire>,
}

#[derive(Serialize, Deserialize)]
struct OutcomeWire {
    job: JobWire,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// An answer as it travels and is stored.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct AnswerWire {
    lower: i8,
    upper: i8,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<EstimateWire>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveWire>,
    nodes: u64,
    micros: u64,
    engine: String,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct EstimateWire {
    discs: f32,
    #[serde(flatten)]
    certainty: CertaintyWire,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum CertaintyWire {
    Depth(u32),
    Percent(u8),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct MoveWire {
    #[serde(rename = "move")]
    mv: String,
    lower: i8,
    upper: i8,
}

impl From<&Question> for QuestionWire {
    fn from(question: &Question) -> QuestionWire {
        let board = question.board();
        QuestionWire {
            board: format!("{:016x}{:016x}", board.player().0, board.opponent().0),
            size: question.size().side(),
            counting: question.counting().to_string(),
            task: question.task.to_string(),
            time_ms: question.limits.time_ms,
            nodes: question.limits.nodes,
        }
    }
}

impl TryFrom<QuestionWire> for Question {
    type Error = String;

    fn try_from(wire: QuestionWire) -> Result<Question, String> {
        let half = |range| wire.board.get(range).and_then(|hex| u64::from_str_radix(hex, 16).ok());
        let (Some(player), Some(opponent), 32) = (half(0..16), half(16..32), wire.board.len())
        else {
            return Err(format!("found a board {:?}, expected 32 hexadecimal digits", wire.board));
        };
        let size = Size::from_side(wire.size.into())
            .ok_or_else(|| format!("found a board of size {}, expected 4, 6 or 8", wire.size))?;
        let counting = [Counting::Discs, Counting::WinnerTakesEmpties]
            .into_iter()
            .find(|counting| counting.to_string() == wire.counting)
            .ok_or_else(|| {
                format!(
                    "found counting {:?}, expected discs or winner-takes-empties",
                    wire.counting
                )
            })?;
        let limits = Limits { time_ms: wire.time_ms, nodes: wire.nodes };
        Question::of_discs(size, player, opponent, counting, wire.task.parse()?, limits)
    }
}

impl From<&Job> for JobWire {
    fn from(job: &Job) -> JobWire {
        let (lower, upper) = (job.known.0.0, job.known.1.0);
        JobWire { question: (&job.question).into(), lower, upper }
    }
}

impl TryFrom<JobWire> for Job {
    type Error = String;

    fn try_from(wire: JobWire) -> Result<Job, String> {
        let known = bounds(wire.lower, wire.upper)?;
        Ok(Job { question: wire.question.try_into()?, known })
    }
}

fn bounds(lower: i8, upper: i8) -> Result<(Score, Score), String> {
    if lower > upper || lower < -64 || upper > 64 {
        return Err(format!("found bounds {lower} to {upper}, expected -64 to 64 in order"));
    }
    Ok((Score(lower), Score(upper)))
}

fn read_move(text: &str) -> Result<Move, String> {
    if text == "pass" {
        return Ok(Move::Pass);
    }
    text.parse().map(Move::Place).map_err(|error| format!("found a move {text:?}: {error}"))
}

impl From<&Answer> for AnswerWire {
    fn from(answer: &Answer) -> AnswerWire {
        let estimate = |estimate: Estimate| EstimateWire {
            discs: estimate.discs,
            certainty: match estimate.certainty {
                Certainty::Estimate(depth) => CertaintyWire::Depth(depth),
                Certainty::Selective(percent) => CertaintyWire::Percent(percent),
                Certainty::Proven => CertaintyWire::Percent(100),
            },
        };
        let mv =
            |m: &MoveBounds| MoveWire { mv: m.mv.to_string(), lower: m.lower.0, upper: m.upper.0 };
        AnswerWire {
            lower: answer.lower.0,
            upper: answer.upper.0,
            best: answer.best.map(|mv| mv.to_string()),
            proven: answer.proven,
            estimate: answer.estimate.map(estimate),
            moves: answer.moves.iter().map(mv).collect(),
            nodes: answer.nodes,
            micros: answer.micros,
            engine: answer.engine.to_string(),
        }
    }
}

impl TryFrom<AnswerWire> for Answer {
    type Error = String;

    fn try_from(wire: AnswerWire) -> Result<Answer, String> {
        let (lower, upper) = bounds(wire.lower, wire.upper)?;
        let mv = |wire: MoveWire| {
            let (lower, upper) = bounds(wire.lower, wire.upper)?;
            Ok(MoveBounds { mv: read_move(&wire.mv)?, lower, upper })
        };
        let estimate = |wire: EstimateWire| Estimate {
            discs: wire.discs,
            certainty: match wire.certainty {
                CertaintyWire::Depth(depth) => Certainty::Estimate(depth),
                CertaintyWire::Percent(100) => Certainty::Proven,
                CertaintyWire::Percent(percent) => Certainty::Selective(percent),
            },
        };
        Ok(Answer {
            lower,
            upper,
            best: wire.best.as_deref().map(read_move).transpose()?,
            proven: wire.proven,
            estimate: wire.estimate.map(estimate),
            moves: wire.moves.into_iter().map(mv).collect::<Result<_, String>>()?,
            nodes: wire.nodes,
            micros: wire.micros,
            engine: wire.engine.into(),
        })
    }
}

/// A chunk as bytes.
///
/// # Panics
/// Never: texts and numbers are JSON.
pub fn write_chunk(chunk: &Chunk) -> Vec<u8> {
    let wire = ChunkWire {
        version: VERSION,
        campaign: chunk.campaign.to_string(),
        class: chunk.class.name().to_owned(),
        jobs: chunk.jobs.iter().map(Into::into).collect(),
    };
    serde_json::to_vec(&wire).expect("texts and numbers are JSON")
}

/// Reads a chunk.
///
/// # Errors
/// If it is none: what was found and what was expected.
pub fn read_chunk(bytes: &[u8]) -> Result<Chunk, String> {
    let wire: ChunkWire = read(bytes)?;
    check(wire.version)?;
    let class = Class::ALL
        .into_iter()
        .find(|class| class.name() == wire.class)
        .ok_or_else(|| format!("found class {:?}, expected easy or hard", wire.class))?;
    if wire.jobs.is_empty() {
        return Err("found no job, expected at least one".to_owned());
    }
    let jobs = wire.jobs.into_iter().map(TryInto::try_into).collect::<Result<_, String>>()?;
    Ok(Chunk { campaign: wire.campaign.into(), class, jobs })
}

/// Results as bytes.
///
/// # Panics
/// Never: texts and numbers are JSON.
pub fn write_results(results: &Results) -> Vec<u8> {
    let outcome = |(job, outcome): &(Job, Outcome)| {
        let (answer, error) = match outcome {
            Outcome::Answer(answer) => (Some(answer.into()), None),
            Outcome::Failed(reason) => (None, Some(reason.clone())),
        };
        OutcomeWire { job: job.into(), answer, error }
    };
    let wire = ResultsWire {
        version: VERSION,
        campaign: results.campaign.to_string(),
        worker: results.worker.to_string(),
        outcomes: results.outcomes.iter().map(outcome).collect(),
    };
    serde_json::to_vec(&wire).expect("texts and numbers are JSON")
}

/// Reads results.
///
/// # Errors
/// If they are none: what was found and what was expected.
pub fn read_results(bytes: &[u8]) -> Result<Results, String> {
    let wire: ResultsWire = read(bytes)?;
    check(wire.version)?;
    let outcome = |wire: OutcomeWire| {
        let job: Job = wire.job.try_into()?;
        let outcome = match (wire.answer, wire.error) {
            (Some(answer), None) => Outcome::Answer(answer.try_into()?),
            (None, Some(reason)) => Outcome::Failed(reason),
            _ => return Err("expected either an answer or an error".to_owned()),
        };
        Ok((job, outcome))
    };
    let outcomes: Vec<(Job, Outcome)> =
        wire.outcomes.into_iter().map(outcome).collect::<Result<_, String>>()?;
    let id = id(outcomes.iter().map(|(job, _)| job));
    Ok(Results { campaign: wire.campaign.into(), id, worker: wire.worker.into(), outcomes })
}

/// An answer as a text.
///
/// # Panics
/// Never: texts and numbers are JSON.
pub fn write_answer(answer: &Answer) -> String {
    serde_json::to_string(&AnswerWire::from(answer)).expect("texts and numbers are JSON")
}

/// Reads an answer.
///
/// # Errors
/// If it is none: what was found and what was expected.
pub fn read_answer(text: &str) -> Result<Answer, String> {
    read::<AnswerWire>(text.as_bytes())?.try_into()
}

/// What is asked of all positions of a list, and who asks: lines of a file.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Tickets {
    version: u32,
    /// The file they are from, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The lines.
    pub tickets: Vec<TicketWire>,
}

/// One line that asks something.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct TicketWire {
    /// Its number, from 1.
    pub line: u64,
    /// What its author calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<serde_json::Value>,
    /// The position as it was given, in OBF.
    pub position: String,
    #[serde(flatten)]
    question: QuestionWire,
}

impl TicketWire {
    /// A line that asks this.
    pub fn new(
        line: u64,
        id: Option<serde_json::Value>,
        position: String,
        question: &Question,
    ) -> TicketWire {
        TicketWire { line, id, position, question: question.into() }
    }

    /// What it asks.
    ///
    /// # Errors
    /// If that makes no sense.
    pub fn question(&self) -> Result<Question, String> {
        self.question.clone().try_into()
    }
}

impl Tickets {
    /// None yet, of this file.
    pub fn new(file: Option<String>) -> Tickets {
        Tickets { version: VERSION, file, tickets: Vec::new() }
    }
}

/// Tickets as bytes.
///
/// # Panics
/// Never: texts and numbers are JSON.
pub fn write_tickets(tickets: &Tickets) -> Vec<u8> {
    serde_json::to_vec(tickets).expect("texts and numbers are JSON")
}

/// Reads tickets.
///
/// # Errors
/// If they are none: what was found and what was expected.
pub fn read_tickets(bytes: &[u8]) -> Result<Tickets, String> {
    let tickets: Tickets = read(bytes)?;
    check(tickets.version)?;
    Ok(tickets)
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

fn check(version: u32) -> Result<(), String> {
    if version == VERSION {
        return Ok(());
    }
    Err(format!("found a message of version {version}, expected {VERSION}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;
    use obverse_board::{Position, Square};
    use proptest::prelude::*;

    fn chunk() -> Chunk {
        let ask = |text: &str, task| {
            let position = Position::parse(text).unwrap();
            let limits = Limits { time_ms: Some(1500), nodes: None };
            Job::new(Question::new(position, Counting::Discs, task, limits).0)
        };
        let jobs = vec![ask("start:4x4", Task::Exact), ask("f5d6", Task::Window(-1, 1))];
        Chunk { campaign: "main".into(), class: Class::Easy, jobs }
    }

    fn results() -> Results {
        let answer = Answer {
            lower: Score(-8),
            upper: Score(-8),
            best: Some(Move::Place(Square::B1)),
            proven: true,
            estimate: Some(Estimate { discs: 1.5, certainty: Certainty::Selective(95) }),
            moves: vec![MoveBounds { mv: Move::Pass, lower: Score(-8), upper: Score(64) }],
            nodes: 1021,
            micros: 90,
            engine: "obverse 1".into(),
        };
        let failed = Outcome::Failed("it broke".to_owned());
        let outcomes = chunk().jobs.into_iter().zip([Outcome::Answer(answer), failed]).collect();
        Results { campaign: "main".into(), id: chunk().id(), worker: "me".into(), outcomes }
    }

    #[test]
    fn messages_read_as_they_were_written() {
        assert_eq!(read_chunk(&write_chunk(&chunk())), Ok(chunk()));
        assert_eq!(read_results(&write_results(&results())), Ok(results()));
        let Outcome::Answer(answer) = results().outcomes.remove(0).1 else { panic!() };
        assert_eq!(read_answer(&write_answer(&answer)), Ok(answer));
        let mut tickets = Tickets::new(Some("in.txt".into()));
        let question = chunk().jobs[0].question;
        tickets.tickets.push(TicketWire::new(7, None, "-".to_owned(), &question));
        let read = read_tickets(&write_tickets(&tickets)).unwrap();
        assert_eq!(read, tickets);
        assert_eq!(read.tickets[0].question(), Ok(question));
    }

    #[test]
    fn the_chunk_looks_as_documented() {
        let text = String::from_utf8(write_chunk(&chunk())).unwrap();
        let golden = concat!(
            r#"{"version":1,"campaign":"main","class":"easy","jobs":["#,
            r#"{"board":"00000000000204000000000000040200","size":4,"counting":"discs","#,
            r#""task":"exact","time_ms":1500,"lower":-16,"upper":16},"#,
        );
        assert!(text.starts_with(golden), "{text}");
    }

    #[test]
    fn other_versions_and_nonsense_are_refused() {
        let text = String::from_utf8(write_chunk(&chunk())).unwrap();
        let error = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            read_chunk(text.replacen(from, to, 1).as_bytes()).unwrap_err()
        };
        let version = error("\"version\":1", "\"version\":2");
        assert_eq!(version, "found a message of version 2, expected 1");
        assert!(error("exact", "exactly").contains("exactly"));
        assert!(error("easy", "simple").contains("expected easy or hard"));
        assert!(error("\"size\":4", "\"size\":5").contains("expected 4, 6 or 8"));
        assert!(error("\"lower\":-16", "\"lower\":17").contains("found bounds 17 to 16"));
        assert!(error("00000000000204000000000000040200", "0").contains("32 hexadecimal"));
        assert!(error("00000000000204000000000000040200", &"f".repeat(32)).contains("a1"));
    }

    proptest! {
        #[test]
        fn nothing_makes_a_reader_panic(text in "\\PC{0,80}", at in 0..400_usize, byte: u8) {
            let _ = read_chunk(text.as_bytes());
            let _ = read_results(text.as_bytes());
            let _ = read_tickets(text.as_bytes());
            let mut bytes = write_chunk(&chunk());
            let n = bytes.len();
            bytes[at % n] = byte;
            let _ = read_chunk(&bytes);
            let mut bytes = write_results(&results());
            let n = bytes.len();
            bytes[at % n] = byte;
            let _ = read_results(&bytes);
        }
    }
}
