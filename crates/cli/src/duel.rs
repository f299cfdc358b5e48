//! One game between two programs.

use std::time::{Duration, Instant};

use obverse_board::notation::record::Note;
use obverse_board::{Color, Counting, Game};

use crate::player::Mover;

/// A game that was played, and how it ended.
pub(crate) struct Played {
    pub(crate) game: Game,
    /// Who broke off or broke the rules, and how; that side has lost.
    pub(crate) forfeit: Option<(Color, String)>,
    /// How much black and white thought.
    pub(crate) effort: [Effort; 2],
    /// What whoever made a move thought of it, and how long.
    pub(crate) notes: Vec<Note>,
}

/// How long a side thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) moves: u32,
    pub(crate) time: Duration,
}

impl Effort {
    pub(crate) fn add(&mut self, other: Effort) {
        self.moves += other.moves;
        self.time += other.time;
    }

    /// `None` before the first move.
    pub(crate) fn seconds_per_move(self) -> Option<f64> {
        (self.moves > 0).then(|| self.time.as_secs_f64() / f64::from(self.moves))
    }
}

/// Plays `game` to its end, or returns `None` once `is_stopped` says so.
pub(crate) fn play(
    mut game: Game,
    [black, white]: [&mut dyn Mover; 2],
    is_stopped: impl Fn() -> bool,
) -> Option<Played> {
    let mut effort = [Effort::default(); 2];
    let (mut forfeit, mut notes) = (None, Vec::new());
    while !game.is_over() {
        if is_stopped() {
            return None;
        }
        if game.settle() {
            continue;
        }
        let side = game.position().turn();
        let (mover, effort) = match side {
            Color::Black => (&mut *black, &mut effort[0]),
            Color::White => (&mut *white, &mut effort[1]),
        };
        let start = Instant::now();
        let answer = mover.choose(&game);
        let time = start.elapsed();
        effort.add(Effort { moves: 1, time });
        // The opening and passes have no notes.
        notes.resize(game.moves().len(), Note::default());
        let outcome = answer.and_then(|mv| Ok(game.apply(mv)?));
        if let Err(error) = outcome {
            forfeit = Some((side, format!("{error:#}")));
            break;
        }
        notes.push(note(mover.eval(), time));
    }
    Some(Played { game, forfeit, effort, notes })
}

/// As many digits as mean something.
fn note(eval: Option<f64>, time: Duration) -> Note {
    let eval = eval.map(|discs| (discs * 100.0).round() / 100.0);
    let millis = time.as_millis() as f64;
    Note { eval, seconds: (millis > 0.0).then_some(millis / 1000.0), ..Note::default() }
}

impl Played {
    /// The disc difference for `color`, the empties to the winner; a forfeited game is lost by all
    /// the discs of the board.
    pub(crate) fn discs(&self, color: Color) -> i32 {
        if let Some((side, _)) = &self.forfeit {
            let all = i32::from(self.game.start().size().area());
            return if *side == color { -all } else { all };
        }
        i32::from(self.game.position().score_for(color, Counting::WinnerTakesEmpties).0)
    }
}
