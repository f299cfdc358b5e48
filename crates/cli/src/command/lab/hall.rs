//! Where the games of a match are played, some side by side.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use obverse_board::{Color, Game};

use crate::duel::{self, Played};
use crate::player::{Mover, Seat};

/// The games of a match that are left to play.
pub(super) struct Hall<'a> {
    pub(super) seats: [&'a Seat; 2],
    /// One for each pair of games.
    pub(super) openings: Vec<Game>,
    pub(super) seed: u64,
    /// The numbers of the games, from 1.
    pub(super) todo: Vec<usize>,
}

/// The first player is black in the games of odd number.
pub(super) const fn color_of_first(number: usize) -> Color {
    if number % 2 == 1 { Color::Black } else { Color::White }
}

impl Hall<'_> {
    /// Plays on `n_tables` until all games are played or `stop` is set, and tells of each as it ends.
    ///
    /// # Errors
    /// If a player cannot be started, or `on_end` fails.
    pub(super) fn play(
        &self,
        n_tables: usize,
        stop: &AtomicBool,
        on_end: impl FnMut(usize, Played) -> Result<()> + Send,
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

    /// One table: its players are started once and play game after game.
    fn play_some(
        &self,
        next: &AtomicUsize,
        stop: &AtomicBool,
        on_end: &Mutex<impl FnMut(usize, Played) -> Result<()>>,
    ) -> Result<()> {
        let is_stopped = || stop.load(Ordering::Relaxed);
        let mut movers = [self.start(0)?, self.start(1)?];
        while let Some(&number) = self.todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let i_pair = (number - 1) / 2;
            let seed = self.seed.wrapping_add(0x9e37_79b9 * i_pair as u64);
            movers[0].begin(seed);
            movers[1].begin(seed.wrapping_add(1));
            let [first, second] = &mut movers;
            let [black, white] = match color_of_first(number) {
                Color::Black => [first, second],
                Color::White => [second, first],
            };
            let opening = self.openings[i_pair].clone();
            let played = duel::play(opening, [&mut **black, &mut **white], is_stopped);
            let Some(played) = played else { return Ok(()) };
            let loser = played.forfeit.as_ref().map(|(side, _)| *side);
            on_end.lock().expect("nobody panics")(number, played)?;
            if let Some(side) = loser {
                let i = usize::from(side != color_of_first(number));
                movers[i] = self.start(i)?;
            }
        }
        Ok(())
    }

    fn start(&self, i: usize) -> Result<Box<dyn Mover>> {
        let seat = self.seats[i];
        let mover = seat.mover().with_context(|| seat.to_string())?;
        mover.with_context(|| format!("{seat} is no program"))
    }
}
