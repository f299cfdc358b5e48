//! `obverse convert`: files of games in another format.

mod check;
mod report;
mod sink;
mod source;

use std::io::Write;

use anyhow::{Context, Result, bail};
use obverse_board::notation::Format;
use obverse_board::notation::record::Date;

use self::report::Report;
use self::sink::Sink;
use self::source::Sources;
use crate::Answer;

/// Convert files of games into another format, or check them.
///
/// The format of each file is told from its contents: GGF, SGF, PGN, WTHOR, lists with the moves of
/// a game or a position a line (transcripts, XOT, OBF, SRN, FEN), or one position in any notation.
/// - reads standard input; a folder stands for the files of games in it.
///
/// A damaged game is reported with its file, number, place and reason, and the others are converted;
/// the exit status is then 1.
///
/// WTHOR (.wtb) has its names in two other files, .jou and .trn, which are looked for in the same
/// folder. As an output, --out FILE.wtb writes FILE.jou and FILE.trn too; a folder gets a file for each
/// year. With --players and --tournaments the names in these files keep their numbers.
///
/// --check converts nothing: it reads and replays every game, writes it again in the format it came
/// in, and compares, WTHOR byte for byte.
///
/// --json prints: files, games, finished, unfinished, passes, damaged (file, game, line, character,
/// reason) and what was written: format, out, variations_lost, names_changed; with --check, changed
/// (file, game, reason). It needs --out or --check.
///
/// Examples:
///   obverse convert WTH_2024.wtb --to pgn --out 2024.pgn
///   obverse convert *.ggf games.sgf --to wthor --out games.wtb
///   obverse convert xot.txt --to sgf > xot.sgf
///   obverse convert games.pgn --to transcript
///   obverse convert wthor/ --check
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::doc_markdown, reason = "the manual names keys of JSON as they are")]
pub(crate) struct Args {
    /// The files; - for standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<String>,

    /// The format to write: ggf, sgf, pgn, wthor, transcript, obf, srn, fen, …
    #[arg(long, value_name = "FORMAT", required_unless_present = "check")]
    to: Option<Format>,

    /// Where to write it (default: standard output)
    #[arg(long, value_name = "FILE")]
    out: Option<String>,

    /// The names of WTHOR's players (.jou), instead of those beside its games
    #[arg(long, value_name = "FILE")]
    players: Option<String>,

    /// The names of WTHOR's tournaments (.trn), instead of those beside its games
    #[arg(long, value_name = "FILE")]
    tournaments: Option<String>,

    /// The day on which a WTHOR file says it was made, such as 2026-02-24 (default: today)
    #[arg(long, value_name = "DATE")]
    created: Option<String>,

    /// Read, replay, write again and compare; convert nothing
    #[arg(long, conflicts_with_all = ["to", "out"])]
    check: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        if self.json && !self.check && self.out.is_none() {
            bail!("--json: found no --out, expected a file for the games");
        }
        let (players, tournaments) = (self.players.as_ref(), self.tournaments.as_ref());
        let mut sources = Sources::new(&self.inputs, players, tournaments)?;
        let mut report = Report::default();
        match self.to {
            None => {
                for i in 0..sources.len() {
                    report.open();
                    let source = sources.read(i)?;
                    check::file(&source, &mut report)?;
                    report.close(&source.name)?;
                }
            }
            Some(format) => {
                let mut sink = self.sink(format, &mut sources, out)?;
                for i in 0..sources.len() {
                    let source = sources.read(i)?;
                    report.open();
                    for record in source.records() {
                        if let Some(record) = report.count(&source.name, record)? {
                            sink.write(&source.name, &record, &mut report)?;
                        }
                    }
                    report.close(&source.name)?;
                }
                report.written = sink.finish()?;
            }
        }
        match self.to {
            _ if self.json => report.print_json(out, self.to)?,
            None => report.print_check(out)?,
            Some(_) if self.out.is_some() => report.print(out)?,
            Some(_) => {}
        }
        if let Some(format) = self.to {
            report.print_losses(format)?;
        }
        Ok(if report.is_clean() { Answer::Yes } else { Answer::No })
    }

    fn sink<'a>(
        &self,
        format: Format,
        sources: &mut Sources,
        out: &'a mut dyn Write,
    ) -> Result<Sink<'a>> {
        match (format, &self.out) {
            (Format::Wthor, None) => {
                bail!("--to wthor: found no --out, expected a .wtb file or a folder")
            }
            (Format::Wthor, Some(path)) => {
                Sink::wthor(path, sources.given_names()?, self.created()?)
            }
            (Format::Text(form), None) => Ok(Sink::stream(form, out)),
            (Format::Text(form), Some(path)) => Sink::file(form, path),
        }
    }

    /// Century, year of it, month and day.
    fn created(&self) -> Result<[u8; 4]> {
        let date = match &self.created {
            None => Date::from_unix(
                std::time::UNIX_EPOCH
                    .elapsed()
                    .context("the clock shows a time before 1970")?
                    .as_secs(),
            ),
            Some(text) => Date::parse(text).filter(|date| date.day > 0),
        };
        let Some(date) = date else {
            let found = self.created.as_deref().unwrap_or_default();
            bail!("--created: found {found:?}, expected a day such as 2026-02-24");
        };
        Ok([(date.year / 100) as u8, (date.year % 100) as u8, date.month, date.day])
    }
}
