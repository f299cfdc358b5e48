//! Where the games of a tournament are played, some side by side.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use obverse_board::{Color, Game, Move};

use super::schedule::{Fixture, Schedule};
use crate::duel::{self, Played};
use crate::player::{Mover, Seat};

/// The games of a tournament that are left to play.
pub(super) struct Hall<'a> {
    pub(super) seats: &'a [Seat],
    pub(super) schedule: &'a Schedule,
    pub(super) openings: Vec<Game>,
    pub(super) seed: u64,
    /// The numbers of the games, from 1.
    pub(super) todo: Vec<usize>,
}

impl Hall<'_> {
    /// Plays on `n_tables` until all games are played or `stop` is set, and tells of each as it ends.
    ///
    /// # Errors
    /// If a player cannot be started for the first time, or `on_end` fails.
    pub(super) fn play(
        &self,
        n_tables: usize,
        stop: &AtomicBool,
        on_end: impl FnMut(Fixture, Played) -> Result<()> + Send,
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        // Every table tells of its game itself and goes on after that, so that it does not begin one
        // that is not wanted any more.
        let on_end = Mutex::new(on_end);
        let failed = Mutex::new(Ok(()));
        std::thread::scope(|scope| {
            for _ in 0..n_tables.min(self.todo.len()) {
                scope.spawn(|| {
                    if let Err(error) = self.play_some(&next, stop, &on_end) {
                        stop.store(true, Ordering::Relaxed);
                        let mut failed = failed.lock().expect("nobody panics");
                        // The first failure is the cause of others.
                        if failed.is_ok() {
                            *failed = Err(error);
                        }
                    }
                });
            }
        });
        failed.into_inner().expect("nobody panics")
    }

    /// One table: its players are started when they are first needed, and play game after game.
    fn play_some(
        &self,
        next: &AtomicUsize,
        stop: &AtomicBool,
        on_end: &Mutex<impl FnMut(Fixture, Played) -> Result<()>>,
    ) -> Result<()> {
        let is_stopped = || stop.load(Ordering::Relaxed);
        let mut movers: Vec<Option<Box<dyn Mover>>> = self.seats.iter().map(|_| None).collect();
        while let Some(&number) = self.todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let fixture = self.schedule.fixture(number);
            for i in fixture.players {
                if movers[i].is_none() {
                    movers[i] = Some(self.start(i)?);
                }
            }
            let [first, second] =
                movers.get_disjoint_mut(fixture.players).expect("nobody plays against itself");
            let (Some(first), Some(second)) = (first, second) else { bail!("a player is missing") };
            let seed = self.seed.wrapping_add(0x9e37_79b9 * fixture.i_pair() as u64);
            first.begin(seed);
            second.begin(seed.wrapping_add(1));
            let [black, white] = match fixture.color_of_first() {
                Color::Black => [first, second],
                Color::White => [second, first],
            };
            let opening = self.openings[fixture.i_opening].clone();
            let played = duel::play(opening, [&mut **black, &mut **white], is_stopped);
            let Some(played) = played else { return Ok(()) };
            if let Some((side, _)) = &played.forfeit {
                // Whatever state it is in, it is not asked again.
                let i = fixture.by_color()[usize::from(*side == Color::White)];
                movers[i] = Some(self.start(i).unwrap_or_else(|error| Box::new(Absent(error))));
            }
            on_end.lock().expect("nobody panics")(fixture, played)?;
        }
        Ok(())
    }

    fn start(&self, i: usize) -> Result<Box<dyn Mover>> {
        let seat = &self.seats[i];
        let mover = seat.mover().with_context(|| seat.to_string())?;
        mover.with_context(|| format!("{seat} is no program"))
    }
}

/// A program that could not be started again: it loses its games, and the others play on.
struct Absent(anyhow::Error);

impl Mover for Absent {
    fn begin(&mut self, _seed: u64) {}

    fn choose(&mut self, _game: &Game) -> Result<Move> {
        bail!("it could not be started again: {:#}", self.0)
    }
}
