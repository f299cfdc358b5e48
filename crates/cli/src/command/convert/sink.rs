//! Where converted games go.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use obverse_board::notation::wthor::{Names, Writer};
use obverse_board::notation::{Form, Inexpressible, Record};

use super::report::Report;
use crate::output::{self, Replacement};

pub(super) enum Sink<'a> {
    /// Text, wherever it goes.
    Stream(Form, BufWriter<&'a mut dyn Write>),
    /// Text in a file that appears when it is whole.
    File(Form, BufWriter<Replacement>),
    /// WTHOR's files, which appear in the end.
    Wthor(Box<Wthor>),
}

pub(super) struct Wthor {
    place: Place,
    /// The games of each year; 0 has those of which it is not known.
    years: BTreeMap<u16, Writer>,
    names: Names,
    created: [u8; 4],
}

enum Place {
    File(PathBuf),
    Folder(PathBuf),
}

impl<'a> Sink<'a> {
    pub(super) fn stream(form: Form, out: &'a mut dyn Write) -> Sink<'a> {
        Sink::Stream(form, BufWriter::new(out))
    }

    pub(super) fn file(form: Form, path: &str) -> Result<Sink<'a>> {
        Ok(Sink::File(form, BufWriter::new(Replacement::create(path)?)))
    }

    pub(super) fn wthor(path: &str, names: Names, created: [u8; 4]) -> Result<Sink<'a>> {
        let path = PathBuf::from(path);
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let place = match extension.as_str() {
            "wtb" => Place::File(path),
            "" => Place::Folder(path),
            _ if path.is_dir() => Place::Folder(path),
            _ => bail!(
                "--out: found {:?}, expected a .wtb file or a folder for WTHOR",
                path.display().to_string()
            ),
        };
        let years = BTreeMap::new();
        Ok(Sink::Wthor(Box::new(Wthor { place, years, names, created })))
    }

    /// Writes a game; one that the format cannot hold is reported.
    pub(super) fn write(&mut self, file: &str, record: &Record, report: &mut Report) -> Result<()> {
        let written = match self {
            Sink::Stream(form, out) => print(*form, record, report, out)?,
            Sink::File(form, out) => print(*form, record, report, out)?,
            Sink::Wthor(wthor) => {
                let year = record.date.as_ref().map_or(0, |date| date.year);
                let writer = wthor.years.entry(year).or_default();
                report.n_variations_lost += record.line.n_branches();
                writer.push(record, &mut wthor.names).map(|is_changed| {
                    report.n_names_changed += usize::from(is_changed);
                })
            }
        };
        if let Err(error) = written {
            report.refuse(file, error.to_string())?;
        }
        Ok(())
    }

    /// Completes the files and returns their names.
    pub(super) fn finish(self) -> Result<Vec<String>> {
        match self {
            Sink::Stream(_, mut out) => {
                out.flush()?;
                Ok(Vec::new())
            }
            Sink::File(_, out) => {
                let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                Ok(vec![file.finish()?])
            }
            Sink::Wthor(wthor) => wthor.finish(),
        }
    }
}

fn print(
    form: Form,
    record: &Record,
    report: &mut Report,
    out: &mut dyn Write,
) -> Result<Result<(), Inexpressible>> {
    match form.print_record(record) {
        Ok(text) => {
            out.write_all(text.as_bytes())?;
            out.write_all(form.separator().as_bytes())?;
            if !form.has_variations() {
                report.n_variations_lost += record.line.n_branches();
            }
            Ok(Ok(()))
        }
        Err(error) => Ok(Err(error)),
    }
}

impl Wthor {
    fn finish(self) -> Result<Vec<String>> {
        let Wthor { place, years, names, created } = self;
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let (players, tournaments) = match place {
            Place::File(path) => {
                if years.len() > 1 {
                    let name = |year: &u16| match year {
                        0 => "an unknown year".to_owned(),
                        year => year.to_string(),
                    };
                    let years: Vec<String> = years.keys().map(name).collect();
                    bail!(
                        "{}: found games of {}, expected those of one year: \
                         write them into a folder, which gets a file for each",
                        path.display(),
                        years.join(", ")
                    );
                }
                let names = (path.with_extension("jou"), path.with_extension("trn"));
                let (year, writer) = years.into_iter().next().unwrap_or_default();
                files.push((path, writer.finish(created, year)));
                names
            }
            Place::Folder(folder) => {
                fs::create_dir_all(&folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
                for (year, writer) in years {
                    let path = folder.join(format!("WTH_{year:04}.wtb"));
                    files.push((path, writer.finish(created, year)));
                }
                (folder.join("WTH.JOU"), folder.join("WTH.TRN"))
            }
        };
        files.push((players, names.players.to_bytes(created)));
        files.push((tournaments, names.tournaments.to_bytes(created)));
        files.into_iter().map(|(path, bytes)| replace(&path, &bytes)).collect()
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<String> {
    let path = path.display().to_string();
    output::replace(&path, bytes)?;
    Ok(path)
}
