//! A game of a match as it is saved: one line of GGF.
//!
//! `PB` and `PW` name the players, `RE` is the result and `CO` begins with the number of the game in
//! its match, from which it is known when the match is taken up again. Other programs read it as any
//! other game.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};

use anyhow::{Context, Result, bail};
use obverse_board::notation::Form;
use obverse_board::{Color, Counting, Game};

use super::hall::color_of_first;
use crate::duel::Played;
use crate::input;

pub(super) struct Record {
    /// From 1; the first player is black in the odd ones.
    pub(super) number: usize,
    /// For the first player.
    pub(super) discs: i32,
    /// Whether the first or the second player forfeited it.
    pub(super) forfeit: Option<usize>,
    /// As it is saved, with the end of the line.
    pub(super) line: String,
}

impl Record {
    /// The largest number of a game.
    pub(super) const NUMBER_MAX: usize = 2_000_000;

    pub(super) fn new(number: usize, names: &[String; 2], played: &Played) -> Record {
        let first = color_of_first(number);
        let [black, white] = match first {
            Color::Black => [&names[0], &names[1]],
            Color::White => [&names[1], &names[0]],
        };
        let mut comment = format!("game {number}");
        let mut result = None;
        if let Some((side, how)) = &played.forfeit {
            comment += &format!("; {side} forfeits: {how}");
            result = Some(format!("RE[{:+}:l]", played.discs(Color::Black)));
        }
        let line = Form::Ggf.print(&played.game).expect("every game has this form");
        let (black, white, comment) = (value(black), value(white), value(&comment));
        let line = line.replacen("TY[", &format!("PB[{black}]PW[{white}]CO[{comment}]TY["), 1);
        let mut line = result.map_or(line.clone(), |result| line.replacen("RE[?]", &result, 1));
        line.push('\n');
        let forfeit = played.forfeit.as_ref().map(|(side, _)| usize::from(*side != first));
        Record { number, discs: played.discs(first), forfeit, line }
    }

    /// What there is to tell about a forfeited game.
    pub(super) fn complaint(&self, played: &Played) -> Option<String> {
        let (side, how) = played.forfeit.as_ref()?;
        let player = ["A", "B"][self.forfeit?];
        Some(format!("game {}: {player} ({side}) forfeits: {how}", self.number))
    }

    /// The games saved in a file, and the file with its end ready for more of them.
    ///
    /// A last line without an end was being written when the program was stopped; it is cut off.
    pub(super) fn open(path: &str) -> Result<(Vec<Record>, File)> {
        let options = || OpenOptions::new().create(true).append(true).open(path);
        let mut file = options().with_context(|| format!("cannot write {path}"))?;
        let text = input::large_text(path)?;
        let end = text.rfind('\n').map_or(0, |i| i + 1);
        let mut records = Vec::new();
        for (i, line) in text[..end].lines().enumerate() {
            if !line.trim().is_empty() {
                let place = || format!("{path}: line {}", i + 1);
                records.push(Record::read(line).with_context(place)?);
            }
        }
        if end < text.len() {
            // What does not even begin as a game is not ours to cut.
            if !"(;GM[Othello]".starts_with(text[end..].get(..13).unwrap_or(&text[end..])) {
                bail!("{path}: found {:?}, expected saved games or no file", &text[end..]);
            }
            file.set_len(end as u64).with_context(|| format!("cannot write {path}"))?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok((records, file))
    }

    fn read(line: &str) -> Result<Record> {
        let game = Game::parse(line)?;
        let comment = tag(line, "CO").context("found no CO tag, expected CO[game 1]")?;
        let number = comment.strip_prefix("game ").and_then(|rest| {
            let number = rest.split(';').next()?.parse().ok()?;
            (1..=Record::NUMBER_MAX).contains(&number).then_some(number)
        });
        let number = number.with_context(|| format!("found CO[{comment}], expected CO[game 1]"))?;
        let forfeited = tag(line, "RE").and_then(|result| {
            result.strip_suffix(":l")?.parse::<i32>().ok().filter(|discs| *discs != 0)
        });
        let black = match (forfeited, game.result(Counting::WinnerTakesEmpties)) {
            (Some(discs), _) => discs,
            (None, Some(score)) => i32::from(score.0),
            (None, None) => bail!("game {number} is not finished, expected finished games only"),
        };
        let discs = if color_of_first(number) == Color::Black { black } else { -black };
        let forfeit = forfeited.map(|_| usize::from(discs > 0));
        Ok(Record { number, discs, forfeit, line: line.to_owned() })
    }

    /// Checks that the game belongs to a match of these players from these openings.
    pub(super) fn check(&self, names: &[String; 2], openings: &[Game]) -> Result<()> {
        let Record { number, line, .. } = self;
        let players = [tag(line, "PB"), tag(line, "PW")].map(|name| name.unwrap_or("?"));
        let mut expected = [value(&names[0]), value(&names[1])];
        if color_of_first(*number) == Color::White {
            expected.reverse();
        }
        if expected != players {
            let ([black, white], [expected_black, expected_white]) = (players, expected);
            bail!(
                "game {number} was played by {black} and {white}, \
                 expected {expected_black} and {expected_white}"
            );
        }
        let game = Game::parse(line)?;
        let opening = &openings[(number - 1) / 2];
        if game.start() != opening.start() || !game.moves().starts_with(opening.moves()) {
            bail!(
                "game {number} began in another way, \
                 expected the same --openings and --seed as when it was played"
            );
        }
        Ok(())
    }
}

/// A text as the value of a tag, which no bracket may end.
fn value(text: &str) -> String {
    let replace = |c| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(replace).collect()
}

/// The value of a tag.
fn tag<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!("]{name}["))? + name.len() + 2;
    line[start..].split(']').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> [String; 2] {
        ["random:seed=1".to_owned(), "nboard:sh -c '[ a ]'".to_owned()]
    }

    fn played(moves: &str, forfeit: Option<(Color, String)>) -> Played {
        Played { game: Game::parse(moves).unwrap(), forfeit, effort: Default::default() }
    }

    /// A game that white loses without a disc.
    const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn what_is_saved_is_read_again() {
        for (number, forfeit, discs) in [
            (1, None, 64),
            (2, None, -64),
            (3, Some(Color::White), 64),
            (4, Some(Color::White), -64),
            (5, Some(Color::Black), -64),
        ] {
            let moves = if forfeit.is_some() { "f5d6" } else { WIPEOUT };
            let forfeit = forfeit.map(|side| (side, "it [said]\nnothing".to_owned()));
            let record = Record::new(number, &names(), &played(moves, forfeit));
            assert_eq!(record.discs, discs, "{}", record.line);
            let read = Record::read(record.line.trim_end()).expect(&record.line);
            assert_eq!(
                (read.number, read.discs, read.forfeit),
                (record.number, record.discs, record.forfeit)
            );
            let openings =
                vec![Game::new(obverse_board::Position::start(obverse_board::Size::Eight)); 3];
            read.check(&names(), &openings).expect(&record.line);
        }
    }

    #[test]
    fn a_game_of_another_match_is_told_apart() {
        let record = Record::new(1, &names(), &played(WIPEOUT, None));
        let record = Record::read(record.line.trim_end()).unwrap();
        let error = |names: [String; 2], opening: &str| {
            let openings = [Game::parse(opening).unwrap()];
            record.check(&names, &openings).expect_err(opening).to_string()
        };
        let [first, second] = names();
        assert_eq!(
            error([second, first], "e6f4"),
            "game 1 was played by random:seed=1 and nboard:sh -c '( a )', \
             expected nboard:sh -c '( a )' and random:seed=1"
        );
        assert!(error(names(), "f5d6").starts_with("game 1 began in another way"));
    }

    #[test]
    fn what_is_no_finished_game_is_refused() {
        let error = |line: &str| Record::read(line).err().expect(line).to_string();
        let record = Record::new(1, &names(), &played("f5d6", None));
        assert_eq!(
            error(record.line.trim_end()),
            "game 1 is not finished, expected finished games only"
        );
        let plain = Form::Ggf.print(&Game::parse(WIPEOUT).unwrap()).unwrap();
        assert_eq!(error(&plain), "found no CO tag, expected CO[game 1]");
        let numbered = plain.replacen("TY[", "CO[game 0]TY[", 1);
        assert_eq!(error(&numbered), "found CO[game 0], expected CO[game 1]");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", comment in "\\PC{0,20}") {
            let _ = Record::read(&text);
            let _ = Record::read(&format!("(;GM[Othello]CO[{comment}]RE[{comment}]BO[4 -----O*--*O----- *];)"));
        }
    }
}
