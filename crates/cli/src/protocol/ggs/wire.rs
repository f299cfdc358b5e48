//! What the Generic Game Server says.
//!
//! A message is a line and those after it that begin with `|`; `READY` ends it, or the next message
//! does. Messages of the Othello service begin with `/os:`, those of the server itself with `:`.

use obverse_board::notation::record;
use obverse_board::{Color, Position, Size, Square};
use obverse_studio::clock::Clock;

/// A message has at most so many lines; a longer one is none of those that matter.
const LINES_MAX: usize = 400;

/// Puts lines together to messages.
#[derive(Default, Debug)]
pub(super) struct Framer {
    lines: Vec<String>,
}

impl Framer {
    /// Takes a line, and returns the message that it ends.
    pub(super) fn push(&mut self, line: &str) -> Option<Vec<String>> {
        let line = line.trim_end().trim_start_matches('\u{7}');
        if line == "READY" {
            return self.flush();
        }
        if line.starts_with('|') {
            if !self.lines.is_empty() && self.lines.len() < LINES_MAX {
                self.lines.push(line.to_owned());
            }
            return None;
        }
        let message = self.flush();
        if !line.is_empty() {
            self.lines.push(line.to_owned());
        }
        message
    }

    fn flush(&mut self) -> Option<Vec<String>> {
        (!self.lines.is_empty()).then(|| std::mem::take(&mut self.lines))
    }
}

/// Who is asked for at the door, if it is that: it has no `READY`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prompt {
    Login,
    Password,
}

pub(super) fn prompt(line: &str) -> Option<Prompt> {
    let line = line.trim_start_matches(':').trim();
    if line.starts_with("Enter login") {
        Some(Prompt::Login)
    } else if line.starts_with("Enter your password") {
        Some(Prompt::Password)
    } else {
        None
    }
}

/// What a message says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Event {
    /// Somebody offers a game.
    Offer(Offer),
    /// An offer is no longer there.
    Withdrawn(String),
    /// A match begins.
    Begin { id: String, players: [String; 2], kind: String },
    /// A match, or one of the two games of it, has ended.
    End { id: String, result: String },
    /// How a game stands.
    Stand(Stand),
    /// The service did not like something.
    Error(String),
    /// The Othello service is there, or gone.
    Service(bool),
    /// Anything else.
    Other,
}

/// A game that is offered.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Offer {
    pub(super) id: String,
    pub(super) from: String,
    /// Nobody in particular if empty.
    pub(super) to: String,
    pub(super) clock: Option<Clock>,
    pub(super) kind: String,
    pub(super) rated: bool,
}

/// How a game stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stand {
    pub(super) id: String,
    /// The position, or why it cannot be played.
    pub(super) position: Result<Position, String>,
    /// The players by the color that stands beside their clock. The order of names in the
    /// announcement of a match says nothing about colors.
    pub(super) players: Vec<(String, Color, Option<Clock>)>,
}

impl Event {
    pub(super) fn parse(message: &[String]) -> Event {
        let Some((header, body)) = message.split_first() else { return Event::Other };
        let mut words = header.split_whitespace();
        match words.next() {
            Some("/os:") => {}
            Some(":") => {
                return match (words.next(), words.next()) {
                    (Some("+"), Some("/os")) => Event::Service(true),
                    (Some("-"), Some("/os")) => Event::Service(false),
                    _ => Event::Other,
                };
            }
            _ => return Event::Other,
        }
        let words: Vec<&str> = words.collect();
        let event = match &words[..] {
            ["+", "match", rest @ ..] => begin(rest),
            ["-", "match", rest @ ..] => end(rest, 7),
            ["end", rest @ ..] => end(rest, 1),
            ["join" | "update", rest @ ..] => stand(rest, body),
            ["+", id, rest @ ..] if id.starts_with('.') => offer(id, rest),
            ["-", id, ..] if id.starts_with('.') => Some(Event::Withdrawn((*id).to_owned())),
            ["error" | "ERR" | "illegal" | "fatal-timeout", ..] => {
                Some(Event::Error(words.join(" ")))
            }
            _ => None,
        };
        event.unwrap_or(Event::Other)
    }
}

/// `.5 1720 alice 1720 bob 8b U`
fn begin(words: &[&str]) -> Option<Event> {
    let [id, _, first, _, second, rest @ ..] = words else { return None };
    let kind = rest.first().copied().unwrap_or_default().to_owned();
    let players = [first, second].map(|name| (*name).to_owned());
    Some(Event::Begin { id: (*id).to_owned(), players, kind })
}

/// The same with the result after it: a number, or words such as `aborted`.
fn end(words: &[&str], n_before: usize) -> Option<Event> {
    let id = (*words.first()?).to_owned();
    Some(Event::End { id, result: words.get(n_before..).unwrap_or_default().join(" ") })
}

/// `.8 1720.0 alice 01:00//02:00 8b U 1720.0 bob`
fn offer(id: &str, words: &[&str]) -> Option<Event> {
    let [_, from, time, kind, mode, rest @ ..] = words else { return None };
    Some(Event::Offer(Offer {
        id: id.to_owned(),
        from: (*from).to_owned(),
        to: rest.get(1).copied().unwrap_or_default().to_owned(),
        clock: clock(time),
        kind: (*kind).to_owned(),
        rated: mode.contains('R'),
    }))
}

/// `.5 8b K?`, and below it the clocks, the board and the side to move.
fn stand(words: &[&str], body: &[String]) -> Option<Event> {
    let id = (*words.first()?).to_owned();
    let mut players = Vec::new();
    let mut rows: Vec<Vec<Option<Color>>> = Vec::new();
    let mut turn = None;
    for line in body {
        let line = line.trim_start_matches('|');
        if let Some(player) = player(line) {
            players.push(player);
        } else if let Some(row) = row(line) {
            rows.push(row);
        } else if let [side, "to", "move"] = line.split_whitespace().collect::<Vec<_>>()[..] {
            turn = disc(side);
        }
    }
    Some(Event::Stand(Stand { id, position: position(&rows, turn), players }))
}

/// A board that begins a game may stand before the current one, so the last rows count.
fn position(rows: &[Vec<Option<Color>>], turn: Option<Color>) -> Result<Position, String> {
    let side = rows.last().map_or(0, Vec::len);
    let size = Size::from_side(side)
        .ok_or_else(|| format!("found a board of {side} columns, expected one of 4, 6 or 8"))?;
    let turn = turn.ok_or("found no side to move")?;
    let rows = rows.len().checked_sub(side).map(|first| &rows[first..]);
    let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == side));
    let rows = rows.ok_or_else(|| format!("found no {side} rows of {side} squares"))?;
    let discs = |color| {
        let squares = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let has = |&(x, y): &(usize, usize)| rows[y][x] == Some(color);
        squares.filter(has).filter_map(|(x, y)| Square::at(x as u8, y as u8)).collect()
    };
    let position = Position::new(size, discs(Color::Black), discs(Color::White), turn);
    position.map_err(|error| error.to_string())
}

/// ` 4 - - - O * - - - 4`
fn row(line: &str) -> Option<Vec<Option<Color>>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [first, cells @ .., last] = &words[..] else { return None };
    let is_labelled = first == last && first.parse::<u8>().is_ok();
    let is_row = is_labelled && cells.iter().all(|&cell| cell == "-" || disc(cell).is_some());
    (is_row && !cells.is_empty()).then(|| cells.iter().map(|cell| disc(cell)).collect())
}

fn disc(word: &str) -> Option<Color> {
    match word {
        "*" => Some(Color::Black),
        "O" => Some(Color::White),
        _ => None,
    }
}

/// `alice    (1720.0 *) 00:59,0:0//02:00,0:0`
fn player(line: &str) -> Option<(String, Color, Option<Clock>)> {
    let (name, rest) = line.split_once('(')?;
    let (rating, time) = rest.split_once(')')?;
    let color = disc(rating.split_whitespace().last()?)?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), color, clock(time)))
}

/// A clock, each part of which may be followed by a comma and how many moves it is for.
fn clock(text: &str) -> Option<Clock> {
    let parts = text.trim().split('/').map(|part| part.split(',').next().unwrap_or_default());
    record::Clock::parse(&parts.collect::<Vec<_>>().join("/")).map(Clock::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_board::Game;
    use proptest::prelude::*;
    use std::time::Duration;

    fn messages(text: &str) -> Vec<Vec<String>> {
        let mut framer = Framer::default();
        text.lines().filter_map(|line| framer.push(line)).collect()
    }

    fn event(text: &str) -> Event {
        Event::parse(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    const UPDATE: &str = "\
/os: update .5 8b K?
|  1: f5//3.47
|alice    (1720.0 *) 00:56,1:0//02:00,1:0
|bob      (1720.0 O) 01:00,0:0/00:05,0:0/02:00,0:0
|
|   A B C D E F G H
| 1 - - - - - - - - 1
| 2 - - - - - - - - 2
| 3 - - - - - - - - 3
| 4 - - - O * - - - 4
| 5 - - - * * * - - 5
| 6 - - - - - - - - 6
| 7 - - - - - - - - 7
| 8 - - - - - - - - 8
|   A B C D E F G H
|
|O to move";

    #[test]
    fn messages_end_with_ready_or_with_the_next() {
        let text = "\u{7}/os: one\r\n|two\nREADY\n\n: three\n/os: four\n|five\nREADY\nREADY\n|six\nREADY\n";
        let expected = vec![vec!["/os: one", "|two"], vec![": three"], vec!["/os: four", "|five"]];
        assert_eq!(messages(text), expected);
    }

    #[test]
    fn the_door_is_known() {
        assert_eq!(prompt(": Enter login (yours, or one you'd like to use)."), Some(Prompt::Login));
        assert_eq!(prompt(": Enter your password."), Some(Prompt::Password));
        assert_eq!(prompt("READY"), None);
    }

    #[test]
    fn a_game_has_a_board_and_clocks() {
        let Event::Stand(stand) = event(UPDATE) else { panic!("it is an update") };
        assert_eq!(stand.id, ".5");
        assert_eq!(stand.position, Ok(Game::parse("f5").unwrap().position()));
        let seconds = Duration::from_secs;
        let clock =
            |time, increment| Some(Clock { time: seconds(time), increment: seconds(increment) });
        assert_eq!(
            stand.players,
            [
                ("alice".to_owned(), Color::Black, clock(56, 0)),
                ("bob".to_owned(), Color::White, clock(60, 5))
            ]
        );
    }

    #[test]
    fn of_two_boards_the_last_counts() {
        let start = UPDATE.replace("| 5 - - - * * * - - 5", "| 5 - - - * O - - - 5");
        let (_, rows) = start.split_once("H\n").unwrap();
        let join = UPDATE.replace("update", "join").replace("|  1:", &format!("{rows}\n|  1:"));
        let Event::Stand(stand) = event(&join) else { panic!("it is a game") };
        assert_eq!(stand.position, Ok(Game::parse("f5").unwrap().position()));
    }

    #[test]
    fn offers_and_matches_are_read() {
        let Event::Offer(offer) =
            event("/os: +   .8 1720.0 alice    05:00/00:12/02:00  s8r20 R 1720.0 bob")
        else {
            panic!("it is an offer")
        };
        assert_eq!((&offer.id[..], &offer.from[..], &offer.to[..]), (".8", "alice", "bob"));
        assert_eq!((&offer.kind[..], offer.rated), ("s8r20", true));
        assert_eq!(offer.clock.map(|clock| clock.time.as_secs()), Some(300));
        assert_eq!(
            event("/os: -   .8 1720.0 alice    01:00//02:00       8b U 1720.0 bob"),
            Event::Withdrawn(".8".to_owned())
        );
        assert_eq!(
            event("/os: + match .5 1720 alice 1720 bob 8b U"),
            Event::Begin {
                id: ".5".to_owned(),
                players: ["alice".to_owned(), "bob".to_owned()],
                kind: "8b".to_owned()
            }
        );
        let end =
            |id: &str, result: &str| Event::End { id: id.to_owned(), result: result.to_owned() };
        assert_eq!(event("/os: - match .5 1720 alice 1720 bob 8b U -64.00"), end(".5", "-64.00"));
        assert_eq!(
            event("/os: - match .5 1720 alice 1720 bob 8b U bob left"),
            end(".5", "bob left")
        );
        assert_eq!(event("/os: end .5.1 +12.00"), end(".5.1", "+12.00"));
        assert_eq!(event(": + /os 1"), Event::Service(true));
        assert_eq!(event("/os: .5 A 1720 bob: good game"), Event::Other);
        assert_eq!(
            event("/os: error .5 not your turn"),
            Event::Error("error .5 not your turn".to_owned())
        );
    }

    #[test]
    fn boards_of_other_sizes_are_told_apart() {
        let row = format!("|10 {}10", "- ".repeat(10));
        let large = format!("/os: join .7 10 K?\n{}\n|* to move", vec![row; 10].join("\n"));
        let Event::Stand(stand) = event(&large) else { panic!("it is a game") };
        assert_eq!(
            stand.position.unwrap_err(),
            "found a board of 10 columns, expected one of 4, 6 or 8"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(/os: )?(join|update|[+] match|- match|end|[+] [.]1|error)? ?\\PC{0,60}",
            body in prop::collection::vec("[|]?[ 0-9*O()/:,.a-zA-Z-]{0,30}", 0..12),
        ) {
            let mut message = vec![text];
            message.extend(body);
            let _ = Event::parse(&message);
        }
    }
}
