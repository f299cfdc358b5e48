//! What is known already, and what is found out: the store as the commands see it.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use obverse_board::{Score, Square};
use obverse_cluster::{Answer, Question, wire};
use obverse_store::{Added, Contradiction, Finding, Key, Knowledge};

pub(crate) struct Memory {
    pub(crate) knowledge: Knowledge,
    /// For messages.
    name: String,
    /// Estimates of other engines are not ours.
    engine: Arc<str>,
}

/// What is known of a question beforehand.
pub(crate) enum Known {
    /// The answer.
    Answer(Box<Answer>),
    /// Bounds on the score.
    Bounds(Score, Score),
}

impl Memory {
    /// Opens a store; without a path, one that goes away with the program.
    pub(crate) fn open(path: Option<&str>, engine: Arc<str>) -> Result<Memory> {
        let name = path.unwrap_or("the temporary store").to_owned();
        let knowledge = match path {
            Some(path) => Knowledge::open(Path::new(path)),
            None => Knowledge::temporary(),
        };
        let knowledge = knowledge.with_context(|| format!("cannot open {name}"))?;
        Ok(Memory { knowledge, name, engine })
    }

    /// What is known of a question.
    pub(crate) fn known(&self, question: &Question) -> Result<Known> {
        self.find(question).with_context(|| format!("cannot read {}", self.name))
    }

    fn find(&self, question: &Question) -> Result<Known> {
        let area = question.size().area() as i8;
        let (mut lower, mut upper) = (Score(-area), Score(area));
        if let Some(found) = self.knowledge.find(key(question))? {
            (lower, upper) = (found.lower, found.upper);
            if question.is_settled_by(lower, upper) {
                let answer = Answer {
                    lower,
                    upper,
                    best: found.best,
                    proven: true,
                    estimate: None,
                    moves: Vec::new(),
                    nodes: found.nodes,
                    micros: found.micros,
                    engine: found.engine,
                };
                return Ok(Known::Answer(Box::new(answer)));
            }
        }
        if let Some(text) = self.knowledge.answer(&question.to_bytes())? {
            let answer = wire::read_answer(&text).map_err(anyhow::Error::msg)?;
            if answer.proven || answer.engine == self.engine {
                return Ok(Known::Answer(Box::new(answer)));
            }
        }
        Ok(Known::Bounds(lower, upper))
    }

    /// Keeps an answer; the contradiction if it cannot be true together with what is known.
    pub(crate) fn learn(
        &mut self,
        question: &Question,
        answer: &Answer,
    ) -> Result<Option<Box<Contradiction>>> {
        let learned = self.add(question, answer);
        learned.with_context(|| format!("cannot write {}", self.name))
    }

    fn add(&mut self, question: &Question, answer: &Answer) -> Result<Option<Box<Contradiction>>> {
        let area = question.size().area() as i8;
        let says_something = answer.lower.0 > -area || answer.upper.0 < area;
        if says_something {
            let finding = Finding {
                lower: answer.lower,
                upper: answer.upper,
                best: answer.best.filter(|_| answer.lower.0 > -area || answer.proven),
                nodes: answer.nodes,
                micros: answer.micros,
                engine: Arc::clone(&answer.engine),
            };
            if let Added::Contradiction(told) = self.knowledge.add(key(question), &finding)? {
                return Ok(Some(told));
            }
        }
        for m in &answer.moves {
            let next = question.position().apply(m.mv).map_err(|error| {
                anyhow::anyhow!("an answer of {} has a bad move: {error}", answer.engine)
            })?;
            let finding = Finding {
                lower: -m.upper,
                upper: -m.lower,
                best: None,
                nodes: 0,
                micros: 0,
                engine: Arc::clone(&answer.engine),
            };
            let (key, _) = Key::of(next, question.counting());
            if let Added::Contradiction(told) = self.knowledge.add(key, &finding)? {
                return Ok(Some(told));
            }
        }
        if !question.is_settled_by(answer.lower, answer.upper) {
            let text = wire::write_answer(answer);
            self.knowledge.add_answer(&question.to_bytes(), &text)?;
        }
        Ok(None)
    }

    /// Makes what was learned last.
    pub(crate) fn commit(&mut self) -> Result<()> {
        self.knowledge.commit().with_context(|| format!("cannot write {}", self.name))
    }
}

fn key(question: &Question) -> Key {
    Key::of(question.position(), question.counting()).0
}

/// Whether an answer from outside is possible at all: moves that are legal, bounds within the board.
pub(crate) fn is_sound(question: &Question, answer: &Answer) -> Result<(), String> {
    let area = question.size().area() as i8;
    if answer.lower.0 < -area || answer.upper.0 > area {
        return Err(format!(
            "found bounds {} to {} on a board of {area} squares",
            answer.lower, answer.upper
        ));
    }
    let position = question.position();
    let is_legal = |mv: obverse_board::Move| match mv.square() {
        Some(square) => position.moves().contains(square),
        None => position.must_pass(),
    };
    let mut moves = answer.best.into_iter().chain(answer.moves.iter().map(|m| m.mv));
    match moves.find(|mv| !is_legal(*mv)) {
        Some(mv) => {
            let square = mv.square().map(Square::index);
            Err(format!("found the move {mv} ({square:?}), which is not legal"))
        }
        None => Ok(()),
    }
}
