//! What was read and written, and what was damaged.

use std::io::Write;

use anyhow::Result;
use obverse_board::notation::{Damaged, Format, Record};
use serde::Serialize;

use crate::wire;

/// Counted over all files.
#[derive(Default)]
pub(super) struct Report {
    pub(super) n_files: usize,
    n_games: usize,
    n_finished: usize,
    n_passes: usize,
    /// Games that cannot be read, and those that the format cannot hold.
    damaged: Vec<Problem>,
    /// How many the format could not hold.
    n_refused: usize,
    /// Games that are not the same when they are written again.
    changed: Vec<Problem>,
    pub(super) n_variations_lost: usize,
    pub(super) n_names_changed: usize,
    /// The files that were written.
    pub(super) written: Vec<String>,
    /// The number of the game in its file that was counted last.
    number: usize,
}

/// A game that is not as it should be.
#[derive(Serialize)]
struct Problem {
    file: String,
    game: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<usize>,
    reason: String,
}

#[derive(Serialize)]
struct ReportWire<'a> {
    files: usize,
    games: usize,
    finished: usize,
    unfinished: usize,
    passes: usize,
    damaged: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<&'a [Problem]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variations_lost: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names_changed: Option<usize>,
}

impl Report {
    /// Begins with a file.
    pub(super) fn open(&mut self) {
        (self.n_files, self.number) = (self.n_files + 1, 0);
    }

    /// Ends with a file, which should have had a game.
    pub(super) fn close(&mut self, file: &str) -> Result<()> {
        if self.number == 0 {
            self.number = 1;
            let problem = self.problem(file, "found nothing, expected a game".to_owned())?;
            self.damaged.push(problem);
        }
        Ok(())
    }

    /// Counts a game, or reports that it is damaged.
    pub(super) fn count(
        &mut self,
        file: &str,
        record: Result<Record, Damaged>,
    ) -> Result<Option<Record>> {
        match record {
            Ok(record) => {
                self.number += 1;
                self.n_games += 1;
                self.n_finished += usize::from(record.game().is_over());
                let passes = record.game().moves().iter().filter(|mv| mv.square().is_none());
                self.n_passes += passes.count();
                Ok(Some(record))
            }
            Err(damaged) => {
                self.number = damaged.number;
                writeln!(anstream::stderr(), "{file}: {damaged}")?;
                let (line, character) = damaged.place.unzip();
                let (file, reason) = (file.to_owned(), damaged.reason);
                self.damaged.push(Problem { file, game: damaged.number, line, character, reason });
                Ok(None)
            }
        }
    }

    /// Reports that the format cannot hold the game that was counted last.
    pub(super) fn refuse(&mut self, file: &str, reason: String) -> Result<()> {
        self.n_refused += 1;
        let problem = self.problem(file, reason)?;
        self.damaged.push(problem);
        Ok(())
    }

    /// Reports that the game that was counted last is another one when it is written again.
    pub(super) fn change(&mut self, file: &str, reason: String) -> Result<()> {
        let problem = self.problem(file, reason)?;
        self.changed.push(problem);
        Ok(())
    }

    fn problem(&self, file: &str, reason: String) -> Result<Problem> {
        writeln!(anstream::stderr(), "{file}: game {}: {reason}", self.number)?;
        let file = file.to_owned();
        Ok(Problem { file, game: self.number, line: None, character: None, reason })
    }

    pub(super) fn is_clean(&self) -> bool {
        self.damaged.is_empty() && self.changed.is_empty()
    }

    /// Says in a line what was written.
    pub(super) fn print(&self, out: &mut dyn Write) -> Result<()> {
        let games = counted(self.n_games - self.n_refused, "game");
        let files = counted(self.n_files, "file");
        let place = match &self.written[..] {
            [first, _, _, _, ..] => {
                let folder = std::path::Path::new(first).parent().unwrap_or(first.as_ref());
                format!("{} in {}", counted(self.written.len(), "file"), folder.display())
            }
            few => few.join(", "),
        };
        let damaged = match self.damaged.len() {
            0 => String::new(),
            n => format!("; {n} left out"),
        };
        writeln!(out, "{games} of {files} written to {place}{damaged}")?;
        Ok(())
    }

    /// Says in a line what was checked.
    pub(super) fn print_check(&self, out: &mut dyn Write) -> Result<()> {
        let changed = match self.changed.len() {
            0 => "all the same when written again".to_owned(),
            n => format!("{n} not the same when written again"),
        };
        writeln!(
            out,
            "{}, {}: {} damaged, {} unfinished, {}, {changed}",
            counted(self.n_files, "file"),
            counted(self.n_games, "game"),
            self.damaged.len(),
            self.n_games - self.n_finished,
            counted(self.n_passes, "pass"),
        )?;
        Ok(())
    }

    pub(super) fn print_json(&self, out: &mut dyn Write, format: Option<Format>) -> Result<()> {
        let is_check = format.is_none();
        let written = |n: usize| (!is_check).then_some(n);
        wire::print(
            out,
            &ReportWire {
                files: self.n_files,
                games: self.n_games,
                finished: self.n_finished,
                unfinished: self.n_games - self.n_finished,
                passes: self.n_passes,
                damaged: &self.damaged,
                changed: is_check.then_some(&self.changed),
                format: format.map(Format::name),
                out: (!is_check).then_some(&self.written),
                variations_lost: written(self.n_variations_lost),
                names_changed: written(self.n_names_changed),
            },
        )
    }

    /// Says what the format has no place for.
    pub(super) fn print_losses(&self, format: Format) -> Result<()> {
        let mut stderr = anstream::stderr();
        if self.n_variations_lost > 0 {
            let variations = counted(self.n_variations_lost, "variation");
            writeln!(stderr, "note: {variations} left out, which {format} has no place for")?;
        }
        if self.n_names_changed > 0 {
            let games = counted(self.n_names_changed, "game");
            writeln!(stderr, "note: names in {games} shortened to what {format} can hold")?;
        }
        Ok(())
    }
}

fn counted(n: usize, noun: &str) -> String {
    match (n, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "pass") => format!("{n} passes"),
        _ => format!("{n} {noun}s"),
    }
}
