//! What GTP tells of a position: the board, the legal moves, the result.

use obverse_board::{Color, Counting, Position, Square};

use super::wire;
use crate::wire::legal;

/// The board for people: a1 at the top left, as everywhere in Othello.
pub(super) fn show(position: Position) -> String {
    let side = position.size().side();
    let letters: String =
        (0..side).map(|column| format!(" {}", char::from(b'A' + column))).collect();
    let mut text = format!("{} to move\n  {letters}\n", name(position.turn()));
    for row in 0..side {
        text.push_str(&format!("{:>2}{}\n", row + 1, cells(position, row)));
    }
    let [black, white] = [Color::Black, Color::White].map(|c| position.discs(c).count());
    format!("{text}X (black) {black}, O (white) {white}")
}

/// The board for GoGui, which draws the first row at the top and numbers rows from the bottom. It is
/// told the last row first, so that every square keeps its name; the board it draws is upside down.
pub(super) fn gogui_board(position: Position) -> String {
    let rows = (0..position.size().side()).rev();
    let rows: Vec<String> = rows.map(|row| cells(position, row)[1..].to_owned()).collect();
    rows.join("\n")
}

fn cells(position: Position, row: u8) -> String {
    let squares = (0..position.size().side()).filter_map(|column| Square::at(column, row));
    squares.map(|s| format!(" {}", position.color_at(s).map_or('.', Color::letter))).collect()
}

/// The moves of the side to move; nothing if the game is over, which is how GoGui knows.
pub(super) fn legal_moves(position: Position) -> String {
    let moves = if position.is_over() { Vec::new() } else { legal(position) };
    moves.into_iter().map(wire::vertex).collect::<Vec<_>>().join(" ")
}

/// `B+12`, `W+12` or `0`, the empty squares to the winner.
///
/// # Errors
/// If the game is not over.
pub(super) fn final_score(position: Position) -> Result<String, String> {
    if !position.is_over() {
        return Err("cannot score: the game is not over".to_owned());
    }
    let score = position.score_for(Color::Black, Counting::WinnerTakesEmpties).0;
    Ok(match score {
        0 => "0".to_owned(),
        1.. => format!("B+{score}"),
        ..0 => format!("W+{}", -score),
    })
}

/// The result in words.
pub(super) fn final_result(position: Position) -> String {
    if !position.is_over() {
        return "The game is not over.".to_owned();
    }
    let [black, white] = [Color::Black, Color::White].map(|c| position.discs(c).count());
    let who = match position.score_for(Color::Black, Counting::WinnerTakesEmpties).0 {
        0 => "Draw.".to_owned(),
        score @ 1.. => format!("Black wins by {score} discs."),
        score => format!("White wins by {} discs.", -score),
    };
    format!("{who} On the board are B {black} and W {white}.")
}

pub(super) fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::{Game, Size};

    #[test]
    fn gogui_is_told_the_last_row_first() {
        let board = gogui_board(Game::parse("start:4x4 b1").unwrap().position());
        assert_eq!(board, ". . . .\n. X O .\n. X X .\n. X . .");
        assert_eq!(legal_moves(Position::start(Size::Four)), "B1 A2 D3 C4");
    }

    #[test]
    fn results_say_who_won() {
        // White loses all its discs, and the empty squares go to black.
        let wipeout = Game::parse("e6f4e3f6g5d6e7f5c5").unwrap().position();
        assert_eq!(final_score(wipeout).as_deref(), Ok("B+64"));
        assert_eq!(final_result(wipeout), "Black wins by 64 discs. On the board are B 13 and W 0.");
        assert_eq!(legal_moves(wipeout), "");
        assert!(final_score(Position::start(Size::Eight)).is_err());
    }
}
