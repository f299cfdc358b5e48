//! A game of a tournament as it is saved: one line of GGF.
//!
//! The players, the result, and of every move its value and time are in it; the number of the game is
//! its round, by which it is known when the tournament is taken up again. Other programs read it as
//! any other game.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};

use anyhow::{Context, Result, anyhow, bail};
use obverse_board::notation::record::{Ending, Outcome};
use obverse_board::notation::{Form, Record, Records};
use obverse_board::{Color, Game};

use super::schedule::{Fixture, Schedule};
use crate::duel::Played;
use crate::input;

pub(super) struct Saved {
    pub(super) number: usize,
    /// For black.
    pub(super) discs: i32,
    /// Who forfeited it.
    pub(super) forfeit: Option<Color>,
    record: Record,
}

impl Saved {
    pub(super) fn new(fixture: Fixture, names: &[String], played: &Played) -> Saved {
        let discs = played.discs(Color::Black);
        let mut record = Record::new(played.game.clone());
        record.line.notes.clone_from(&played.notes);
        let [black, white] = fixture.by_color();
        record.black.name.clone_from(&names[black]);
        record.white.name.clone_from(&names[white]);
        "Obverse".clone_into(&mut record.site);
        record.round = fixture.number.to_string();
        if let Some((side, how)) = &played.forfeit {
            record.outcome = Some(Outcome::by(discs.into(), Ending::Left));
            record.comment = format!("{side} forfeits: {how}");
        }
        let forfeit = played.forfeit.as_ref().map(|(side, _)| *side);
        Saved { number: fixture.number, discs, forfeit, record }
    }

    /// As it is saved, with the end of the line.
    pub(super) fn line(&self) -> String {
        Form::Ggf.print_record(&self.record).expect("every game has this form") + "\n"
    }

    /// The games saved in a file, and the file with its end ready for more of them.
    ///
    /// A last line without an end was being written when the program was stopped; it is cut off.
    pub(super) fn open(path: &str) -> Result<(Vec<Saved>, File)> {
        let options = || OpenOptions::new().create(true).append(true).open(path);
        let mut file = options().with_context(|| format!("cannot write {path}"))?;
        let text = input::large_text(path)?;
        let end = text.rfind('\n').map_or(0, |i| i + 1);
        let mut games = Vec::new();
        for (i, line) in text[..end].lines().enumerate() {
            if !line.trim().is_empty() {
                let place = || format!("{path}: line {}", i + 1);
                games.push(Saved::read(line).with_context(place)?);
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
        Ok((games, file))
    }

    fn read(line: &str) -> Result<Saved> {
        let record = Records::new(line.as_bytes(), None).next();
        let record = record.context("found no game, expected one a line")?;
        let record = record.map_err(|error| anyhow!(error.reason))?;
        let round = &record.round;
        let number = round.parse().ok().filter(|n| (1..=Schedule::NUMBER_MAX).contains(n));
        let number = number.with_context(|| {
            format!("found the round {round:?}, expected the number of a game of a match")
        })?;
        let outcome = record.result();
        let Some(margin) = outcome.and_then(Outcome::margin) else {
            bail!("game {number} is not finished, expected finished games only");
        };
        let discs = margin as i32;
        let is_forfeited = outcome.is_some_and(|outcome| outcome.ending == Ending::Left);
        let loser = if discs > 0 { Color::White } else { Color::Black };
        Ok(Saved { number, discs, forfeit: is_forfeited.then_some(loser), record })
    }

    /// Checks that the game belongs to a tournament of these players from these openings.
    pub(super) fn check(
        &self,
        schedule: &Schedule,
        names: &[String],
        openings: &[Game],
    ) -> Result<()> {
        let Saved { number, record, .. } = self;
        let fixture = schedule.fixture(*number);
        let expected = fixture.by_color().map(|i| printed(&names[i]));
        let players = [&record.black.name, &record.white.name];
        if players != [&expected[0], &expected[1]] {
            let ([black, white], [expected_black, expected_white]) = (players, expected);
            bail!(
                "game {number} was played by {black} and {white}, \
                 expected {expected_black} and {expected_white}"
            );
        }
        let opening = &openings[fixture.i_opening];
        let game = record.game();
        if game.start() != opening.start() || !game.moves().starts_with(opening.moves()) {
            bail!(
                "game {number} began in another way, \
                 expected the same --openings and --seed as when it was played"
            );
        }
        Ok(())
    }
}

/// A name as it is read again: GGF has no brackets in it.
fn printed(name: &str) -> String {
    let replace = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    name.chars().map(replace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<String> {
        vec!["random:seed=1".to_owned(), "nboard:sh -c '[ a ]'".to_owned()]
    }

    fn played(moves: &str, forfeit: Option<(Color, String)>) -> Played {
        let game = Game::parse(moves).unwrap();
        Played { game, forfeit, effort: Default::default(), notes: Vec::new() }
    }

    /// A game that white loses without a disc.
    const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn what_is_saved_is_read_again() {
        let schedule = Schedule::new(2);
        for (number, forfeit, discs) in [
            (1, None, 64),
            (2, None, 64),
            (3, Some(Color::White), 64),
            (4, Some(Color::Black), -64),
        ] {
            let moves = if forfeit.is_some() { "f5d6" } else { WIPEOUT };
            let forfeit = forfeit.map(|side| (side, "it [said]\nnothing".to_owned()));
            let played = played(moves, forfeit);
            let saved = Saved::new(schedule.fixture(number), &names(), &played);
            assert_eq!(saved.discs, discs, "{}", saved.line());
            let read = Saved::read(saved.line().trim_end()).expect("it was just printed");
            assert_eq!(
                (read.number, read.discs, read.forfeit),
                (saved.number, saved.discs, saved.forfeit)
            );
            let openings =
                vec![Game::new(obverse_board::Position::start(obverse_board::Size::Eight)); 3];
            read.check(&schedule, &names(), &openings).expect("it is of this schedule");
        }
    }

    #[test]
    fn a_game_of_another_match_is_told_apart() {
        let schedule = Schedule::new(2);
        let saved = Saved::new(schedule.fixture(1), &names(), &played(WIPEOUT, None));
        let saved = Saved::read(saved.line().trim_end()).unwrap();
        let error = |names: &[String], opening: &str| {
            let openings = [Game::parse(opening).unwrap()];
            saved.check(&schedule, names, &openings).expect_err(opening).to_string()
        };
        let others: Vec<String> = names().into_iter().rev().collect();
        assert_eq!(
            error(&others, "e6f4"),
            "game 1 was played by random:seed=1 and nboard:sh -c '( a )', \
             expected nboard:sh -c '( a )' and random:seed=1"
        );
        assert!(error(&names(), "f5d6").starts_with("game 1 began in another way"));
    }

    #[test]
    fn what_is_no_finished_game_is_refused() {
        let error = |line: &str| Saved::read(line).err().expect(line).to_string();
        let saved = Saved::new(Schedule::new(2).fixture(1), &names(), &played("f5d6", None));
        assert_eq!(
            error(saved.line().trim_end()),
            "game 1 is not finished, expected finished games only"
        );
        let plain = Form::Ggf.print(&Game::parse(WIPEOUT).unwrap()).unwrap();
        assert_eq!(error(&plain), "found the round \"\", expected the number of a game of a match");
        let numbered = plain.replacen("TY[", "CO[Round: 0]TY[", 1);
        assert_eq!(
            error(&numbered),
            "found the round \"0\", expected the number of a game of a match"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", comment in "\\PC{0,20}") {
            let _ = Saved::read(&text);
            let _ = Saved::read(&format!(
                "(;GM[Othello]CO[Round: 1{comment}]RE[{comment}]BO[4 -----O*--*O----- *];)"
            ));
        }
    }
}
