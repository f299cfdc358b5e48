//! The coordinator: it asks every question once, however many wait for the answer.
//!
//! It has no thread and no clock. Whoever runs it moves chunks from [`Coordinator::front`] to a
//! transport, and hands back every outcome by [`Coordinator::take`].

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;

use obverse_board::Score;

use crate::{Builder, Chunk, Job, Question};

/// Where tickets wait for the answer to a question.
pub trait Desk<T> {
    /// Why it cannot be reached.
    type Error;

    /// Adds a ticket; tells whether it is the first for its question.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn wait(&mut self, question: &Question, ticket: T) -> Result<bool, Self::Error>;

    /// Takes away all tickets for a question, in the order they came.
    ///
    /// # Errors
    /// If it cannot be read.
    fn take(&mut self, question: &Question) -> Result<Vec<T>, Self::Error>;
}

/// A desk in memory.
#[derive(Debug)]
pub struct MemoryDesk<T>(HashMap<Question, Vec<T>>);

impl<T> Default for MemoryDesk<T> {
    fn default() -> MemoryDesk<T> {
        MemoryDesk(HashMap::new())
    }
}

impl<T> Desk<T> for MemoryDesk<T> {
    type Error = Infallible;

    fn wait(&mut self, question: &Question, ticket: T) -> Result<bool, Infallible> {
        let tickets = self.0.entry(*question).or_default();
        tickets.push(ticket);
        Ok(tickets.len() == 1)
    }

    fn take(&mut self, question: &Question) -> Result<Vec<T>, Infallible> {
        Ok(self.0.remove(question).unwrap_or_default())
    }
}

/// Asks questions and knows who waits for the answers.
#[derive(Debug)]
pub struct Coordinator<T, D: Desk<T>> {
    desk: D,
    builder: Builder,
    ready: VecDeque<Chunk>,
    /// Questions that were asked and not answered.
    n_open: u64,
    ticket: std::marker::PhantomData<T>,
}

impl<T, D: Desk<T>> Coordinator<T, D> {
    /// Asks in the name of a campaign.
    pub fn new(campaign: Arc<str>, desk: D) -> Coordinator<T, D> {
        Coordinator {
            desk,
            builder: Builder::new(campaign),
            ready: VecDeque::new(),
            n_open: 0,
            ticket: std::marker::PhantomData,
        }
    }

    /// Asks a question on behalf of whoever has the ticket; `known` are true bounds on the score.
    ///
    /// # Errors
    /// If the desk fails.
    pub fn ask(
        &mut self,
        question: Question,
        known: (Score, Score),
        ticket: T,
    ) -> Result<(), D::Error> {
        if self.desk.wait(&question, ticket)? {
            self.n_open += 1;
            self.ready.extend(self.builder.add(Job { question, known }));
        }
        Ok(())
    }

    /// Does not wait for more jobs to fill the last chunk.
    pub fn flush(&mut self) {
        self.ready.extend(self.builder.flush());
    }

    /// The chunk to offer next.
    pub fn front(&self) -> Option<&Chunk> {
        self.ready.front()
    }

    /// Says that the first chunk has been offered.
    pub fn offered(&mut self) {
        self.ready.pop_front();
    }

    /// Those who have been waiting for the answer to a question; nobody if it came before.
    ///
    /// # Errors
    /// If the desk fails.
    pub fn take(&mut self, question: &Question) -> Result<Vec<T>, D::Error> {
        let tickets = self.desk.take(question)?;
        if !tickets.is_empty() {
            self.n_open = self.n_open.saturating_sub(1);
        }
        Ok(tickets)
    }

    /// How many questions are not answered.
    pub fn n_open(&self) -> u64 {
        self.n_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Limits, Task};
    use obverse_board::{Counting, Position};

    fn question(text: &str) -> Question {
        let position = Position::parse(text).unwrap();
        Question::new(position, Counting::Discs, Task::Exact, Limits::default()).0
    }

    const ALL: (Score, Score) = (Score(-64), Score(64));

    #[test]
    fn a_question_is_asked_once_and_everybody_gets_the_answer() {
        let mut coordinator = Coordinator::new("main".into(), MemoryDesk::default());
        // Four symmetric first moves, and twice the same.
        for (ticket, text) in ["f5", "d3", "c4", "e6", "f5"].iter().enumerate() {
            let Ok(()) = coordinator.ask(question(text), ALL, ticket);
        }
        coordinator.flush();
        // Far from the end it is hard, so it is alone.
        let chunk = coordinator.front().cloned().unwrap();
        assert_eq!((chunk.class, chunk.jobs.len()), (Class::Hard, 1));
        coordinator.offered();
        assert_eq!(coordinator.front(), None);
        assert_eq!(coordinator.n_open(), 1);
        let Ok(tickets) = coordinator.take(&question("f5"));
        assert_eq!(tickets, [0, 1, 2, 3, 4]);
        // It comes a second time.
        let Ok(tickets) = coordinator.take(&question("f5"));
        assert_eq!((tickets, coordinator.n_open()), (vec![], 0));
    }
}
