//! The sittings: each a task that owns its state machine and outlives its connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use obverse_studio::sitting::{Order, Output, Report, Setup, Sitting};
use obverse_studio::wire::{ByeReason, Resumed, ToPage};
use tokio::sync::mpsc;

use crate::outbox::Outbox;
use crate::room::{Room, Teller};

/// How long a sitting waits for its page to come back.
const WAIT: Duration = Duration::from_mins(15);

/// How many sittings there can be.
const SITTINGS_MAX: usize = 64;

/// How many messages of a page can wait; then it has to.
const INBOX: usize = 32;

/// All sittings, and the engines that work for them.
pub(crate) struct Hall {
    /// How long a page may take to read a message.
    pub(crate) patience: Duration,
    room: Room,
    desks: Mutex<Desks>,
}

#[derive(Default)]
struct Desks {
    by_name: HashMap<String, Desk>,
    n_made: u64,
    is_closed: bool,
}

/// Where a sitting can be reached.
#[derive(Clone)]
pub(crate) struct Desk {
    inbox: mpsc::Sender<Letter>,
    /// Since when nobody is there.
    left: Arc<Mutex<Option<Instant>>>,
}

/// What a sitting is told.
pub(crate) enum Letter {
    /// A page has come.
    Attend { connection: u64, outbox: Arc<Outbox>, resumed: Resumed },
    /// It has sent a message.
    Message { connection: u64, text: String },
    /// It is gone.
    Leave { connection: u64 },
    /// All is over.
    Close,
}

/// A page at a desk.
pub(crate) struct Place {
    pub(crate) desk: Desk,
    pub(crate) connection: u64,
}

impl Hall {
    pub(crate) fn new(n_threads: usize, table_mib: usize, patience: Duration) -> Hall {
        Hall { patience, room: Room::new(n_threads, table_mib), desks: Mutex::default() }
    }

    fn desks(&self) -> MutexGuard<'_, Desks> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings a page to the sitting it names, or to a new one.
    ///
    /// # Errors
    /// If there are too many, or all is over.
    pub(crate) async fn attend(
        self: &Arc<Hall>,
        name: Option<&str>,
        saved: Option<&str>,
        outbox: &Arc<Outbox>,
    ) -> Result<Place, ByeReason> {
        let known = name.and_then(|name| self.desks().by_name.get(name).cloned());
        if let Some(desk) = known {
            let connection = self.number();
            let outbox = Arc::clone(outbox);
            let letter = Letter::Attend { connection, outbox, resumed: Resumed::Kept };
            if desk.inbox.send(letter).await.is_ok() {
                return Ok(Place { desk, connection });
            }
        }
        let setup = Setup { seed: random(), threads: self.room.n_threads() as u32 };
        let (sitting, resumed, complaint) = match saved {
            None => (Sitting::new(setup), Resumed::New, None),
            Some(saved) => match Sitting::restore(saved, setup) {
                Ok(sitting) => (sitting, Resumed::Restored, None),
                Err(refusal) => (Sitting::new(setup), Resumed::New, Some(refusal)),
            },
        };
        let desk = self.open(sitting)?;
        let connection = self.number();
        let letter = Letter::Attend { connection, outbox: Arc::clone(outbox), resumed };
        desk.inbox.send(letter).await.map_err(|_| ByeReason::Shutdown)?;
        if let Some(refusal) = complaint {
            outbox.push(&refusal.message(None));
        }
        Ok(Place { desk, connection })
    }

    fn number(&self) -> u64 {
        let mut desks = self.desks();
        desks.n_made += 1;
        desks.n_made
    }

    /// Makes a desk for a sitting.
    fn open(self: &Arc<Hall>, sitting: Sitting) -> Result<Desk, ByeReason> {
        let number = self.number();
        let mut desks = self.desks();
        if desks.is_closed {
            return Err(ByeReason::Shutdown);
        }
        // The task of a sitting that failed has left its desk behind.
        desks.by_name.retain(|_, desk| !desk.inbox.is_closed());
        if desks.by_name.len() >= SITTINGS_MAX {
            desks.clear_one().ok_or(ByeReason::Full)?;
        }
        let name = format!("{:016x}{:016x}", random(), random());
        let (inbox, letters) = mpsc::channel(INBOX);
        let desk = Desk { inbox, left: Arc::default() };
        desks.by_name.insert(name.clone(), desk.clone());
        let keeper = Keeper {
            name,
            number,
            sitting,
            epoch: Instant::now(),
            left: Arc::clone(&desk.left),
            page: None,
            hall: Arc::clone(self),
            reports: mpsc::unbounded_channel(),
        };
        tokio::spawn(keeper.keep(letters));
        Ok(desk)
    }

    /// Says goodbye to all pages.
    pub(crate) async fn close(&self) {
        let desks: Vec<Desk> = {
            let mut desks = self.desks();
            desks.is_closed = true;
            desks.by_name.drain().map(|(_, desk)| desk).collect()
        };
        for desk in desks {
            // A sitting that is over needs no goodbye.
            let _ = desk.inbox.send(Letter::Close).await;
        }
    }

    /// How many sittings there are.
    pub(crate) fn n_sittings(&self) -> usize {
        self.desks().by_name.len()
    }

    /// How many jobs the engines have.
    pub(crate) fn n_jobs(&self) -> usize {
        self.room.n_jobs()
    }
}

impl Desks {
    /// Clears the desk that has been deserted for longest.
    fn clear_one(&mut self) -> Option<()> {
        let left = |desk: &Desk| *desk.left.lock().unwrap_or_else(PoisonError::into_inner);
        let deserted = self.by_name.iter().filter_map(|(name, desk)| Some((left(desk)?, name)));
        let (_, name) = deserted.min()?;
        let name = name.clone();
        // Its task ends when nobody can reach it any more.
        self.by_name.remove(&name).map(|_| ())
    }
}

impl Desk {
    /// Hands over a letter; whether there is still somebody to read it.
    pub(crate) async fn tell(&self, letter: Letter) -> bool {
        self.inbox.send(letter).await.is_ok()
    }
}

/// The task that owns a sitting.
struct Keeper {
    name: String,
    number: u64,
    sitting: Sitting,
    epoch: Instant,
    left: Arc<Mutex<Option<Instant>>>,
    page: Option<(u64, Arc<Outbox>)>,
    hall: Arc<Hall>,
    reports: (mpsc::UnboundedSender<Report>, mpsc::UnboundedReceiver<Report>),
}

impl Keeper {
    async fn keep(mut self, mut letters: mpsc::Receiver<Letter>) {
        let mut wake: Option<Duration> = None;
        loop {
            // Without a page nothing wakes it but time running out.
            let time = match (&self.page, wake) {
                (None, _) => Some(WAIT),
                (Some(_), wake) => wake.map(|wake| wake.saturating_sub(self.epoch.elapsed())),
            };
            let sleep = async {
                match time {
                    Some(time) => tokio::time::sleep(time).await,
                    None => std::future::pending().await,
                }
            };
            let output = tokio::select! {
                biased;
                letter = letters.recv() => match letter {
                    Some(Letter::Close) => {
                        self.dismiss(ByeReason::Shutdown);
                        break;
                    }
                    Some(letter) => self.read(letter),
                    None => break,
                },
                Some(report) = self.reports.1.recv() => {
                    let now = self.epoch.elapsed();
                    self.sitting.hear(now, report)
                }
                () = sleep => {
                    if self.page.is_none() {
                        break;
                    }
                    let now = self.epoch.elapsed();
                    self.sitting.tick(now)
                }
            };
            wake = output.wake;
            self.carry_out(output);
        }
        let output = self.sitting.leave(self.epoch.elapsed());
        self.carry_out(output);
        self.hall.desks().by_name.remove(&self.name);
        // A page that came just now has to come again.
        letters.close();
        while let Ok(letter) = letters.try_recv() {
            if let Letter::Attend { outbox, .. } = letter {
                outbox.push(&ToPage::Bye { reason: ByeReason::Shutdown });
                outbox.close();
            }
        }
    }

    fn read(&mut self, letter: Letter) -> Output {
        let now = self.epoch.elapsed();
        match letter {
            Letter::Attend { connection, outbox, resumed } => {
                self.dismiss(ByeReason::TakenOver);
                self.page = Some((connection, outbox));
                *self.left.lock().unwrap_or_else(PoisonError::into_inner) = None;
                self.sitting.attend(now, &self.name, resumed)
            }
            Letter::Message { connection, text } if self.is_at(connection) => {
                self.sitting.receive(now, &text)
            }
            Letter::Leave { connection } if self.is_at(connection) => {
                self.page = None;
                *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                self.sitting.leave(now)
            }
            // Of a page that has been sent away.
            Letter::Message { .. } | Letter::Leave { .. } | Letter::Close => self.sitting.tick(now),
        }
    }

    fn is_at(&self, connection: u64) -> bool {
        self.page.as_ref().is_some_and(|(other, _)| *other == connection)
    }

    fn dismiss(&mut self, reason: ByeReason) {
        if let Some((_, outbox)) = self.page.take() {
            outbox.push(&ToPage::Bye { reason });
            outbox.close();
        }
    }

    fn carry_out(&mut self, output: Output) {
        if let Some((_, outbox)) = &self.page {
            for message in &output.messages {
                outbox.push(message);
            }
        }
        let room = &self.hall.room;
        for order in output.orders {
            match order {
                Order::Start(id, job) => {
                    let reports = self.reports.0.clone();
                    let tell: Teller = Arc::new(move |report| {
                        // Nobody listens any more: then nobody wants to know.
                        let _ = reports.send(report);
                    });
                    room.start(self.number, id, &job, tell);
                }
                Order::Stop(id) => room.stop(self.number, id),
                Order::Hurry(id) => room.hurry(self.number, id),
            }
        }
    }
}

/// A random number that cannot be guessed.
fn random() -> u64 {
    getrandom::u64().expect("the system has random numbers")
}
