//! What waits to be sent on a connection.
//!
//! A page that reads slowly must not make the program remember everything it could have said: of
//! analyses only the last one matters, and of the rest there is a bound.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use obverse_studio::wire::ToPage;
use tokio::sync::Notify;

/// More than this is waiting: nobody reads.
const BYTES_MAX: usize = 32 << 20;

/// What waits to be sent on a connection.
#[derive(Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    n_bytes: usize,
    is_closed: bool,
}

struct Waiting {
    text: String,
    is_analysis: bool,
}

impl Outbox {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message.
    pub(crate) fn push(&self, message: &ToPage) {
        let text = serde_json::to_string(message).expect("messages are made of plain data");
        let is_analysis = matches!(message, ToPage::Analysis { .. });
        let mut queue = self.queue();
        if queue.is_closed {
            return;
        }
        if is_analysis {
            queue.forget_analysis();
        }
        queue.n_bytes += text.len();
        queue.waiting.push_back(Waiting { text, is_analysis });
        if queue.n_bytes > BYTES_MAX {
            queue.waiting.clear();
            queue.is_closed = true;
        }
        drop(queue);
        self.changed.notify_one();
    }

    /// Takes no more messages; those that wait are still sent.
    pub(crate) fn close(&self) {
        self.queue().is_closed = true;
        self.changed.notify_one();
    }

    /// The next message; `None` when there will be none.
    pub(crate) async fn pop(&self) -> Option<String> {
        loop {
            {
                let mut queue = self.queue();
                if let Some(Waiting { text, .. }) = queue.waiting.pop_front() {
                    queue.n_bytes -= text.len();
                    return Some(text);
                }
                if queue.is_closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }
}

impl Queue {
    fn forget_analysis(&mut self) {
        if let Some(i) = self.waiting.iter().position(|waiting| waiting.is_analysis) {
            self.n_bytes -= self.waiting.remove(i).map_or(0, |waiting| waiting.text.len());
        }
    }
}
