//! One game between two programs.

use obverse_board::{Color, Counting, Game};

use crate::player::Mover;

/// A game that was played, and how it ended.
pub(crate) struct Played {
    pub(crate) game: Game,
    /// Who broke off or broke the rules, and how; that side has lost.
    pub(crate) forfeit: Option<(Color, String)>,
}

/// Plays `game` to its end.
pub(crate) fn play(mut game: Game, [black, white]: [&mut dyn Mover; 2]) -> Played {
    let mut forfeit = None;
    while !game.is_over() {
        if game.settle() {
            continue;
        }
        let side = game.position().turn();
        let mover = match side {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let outcome = mover.choose(&game).and_then(|mv| Ok(game.apply(mv)?));
        if let Err(error) = outcome {
            forfeit = Some((side, format!("{error:#}")));
            break;
        }
    }
    Played { game, forfeit }
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
