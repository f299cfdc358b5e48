//! Whether files are the same when they are read and written again.

use anyhow::Result;
use obverse_board::notation::wthor::{Entry, GAME_BYTES, Games, HEADER_BYTES};
use obverse_board::notation::{Form, Format, Record, Records};

use super::report::Report;
use super::source::Source;

/// Reads, replays and compares the games of a file.
pub(super) fn file(source: &Source, report: &mut Report) -> Result<()> {
    let records = source.records();
    match (records.format(), Games::new(&source.bytes)) {
        (Format::Wthor, Ok(games)) => {
            for (i, record) in records.enumerate() {
                let Some(record) = report.count(&source.name, record)? else { continue };
                if let Err(reason) = compare_bytes(&games, i, &record, &source.bytes) {
                    report.change(&source.name, reason)?;
                }
            }
        }
        (Format::Wthor, Err(_)) => {
            for record in records {
                report.count(&source.name, record)?;
            }
        }
        (Format::Text(form), _) => {
            for record in records {
                let Some(record) = report.count(&source.name, record)? else { continue };
                if let Err(reason) = compare_text(form, &record) {
                    report.change(&source.name, reason)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether the game of this index has the same bytes when its moves and scores are written again.
fn compare_bytes(games: &Games<'_>, i: usize, record: &Record, file: &[u8]) -> Result<(), String> {
    if i == 0 && games.header.to_bytes() != file[..HEADER_BYTES] {
        return Err("the head of the file is another when written again".to_owned());
    }
    let old = games.get(i)?;
    let entry = Entry::of(record).map_err(|error| error.to_string())?;
    let new = Entry { tournament: old.tournament, black: old.black, white: old.white, ..entry };
    let at = HEADER_BYTES + i * GAME_BYTES;
    match new.to_bytes().iter().zip(&file[at..]).position(|(new, old)| new != old) {
        None => Ok(()),
        Some(byte) => Err(format!("byte {byte} of the game is another when written again")),
    }
}

/// Whether the game is the same when it is written and read again.
fn compare_text(form: Form, record: &Record) -> Result<(), String> {
    let text = form.print_record(record).map_err(|error| error.to_string())?;
    match Records::new(text.as_bytes(), None).next() {
        Some(Ok(read)) if read == *record => Ok(()),
        Some(Ok(_)) => Err(format!("another game when written as {form} and read again")),
        Some(Err(damaged)) => Err(format!("written as {form}, it cannot be read: {damaged}")),
        None => Err(format!("written as {form}, it cannot be found")),
    }
}
