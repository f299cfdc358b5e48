//! The files that are read, and the names that WTHOR's games refer to.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use obverse_board::notation::wthor::{Contents, NameList, Names};
use obverse_board::notation::{Format, Records};

/// The extensions of files of games, by which they are found in a folder.
const EXTENSIONS: [&str; 9] = ["wtb", "ggf", "sgf", "pgn", "txt", "obf", "srn", "fen", "xot"];

pub(super) struct Sources {
    paths: Vec<PathBuf>,
    /// Files of names that count for all games, of players and of tournaments.
    given: [Option<PathBuf>; 2],
    /// The names that were last needed, and where they are from.
    last: Option<([Option<PathBuf>; 2], Rc<Names>)>,
}

/// A file in memory.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    names: Rc<Names>,
}

impl Source {
    pub(super) fn records(&self) -> Records<'_> {
        Records::new(&self.bytes, Some(&self.name)).with_names(&self.names)
    }
}

impl Sources {
    pub(super) fn new(
        inputs: &[String],
        players: Option<&String>,
        tournaments: Option<&String>,
    ) -> Result<Sources> {
        let mut paths = Vec::new();
        let mut given = [None, None];
        for input in inputs {
            let path = PathBuf::from(input);
            if input != "-" && path.is_dir() {
                paths.extend(games_in(&path)?);
                continue;
            }
            // Names among the inputs are there to be used.
            match extension(&path).as_str() {
                "jou" => given[0] = Some(path),
                "trn" => given[1] = Some(path),
                _ => paths.push(path),
            }
        }
        for (given, option) in given.iter_mut().zip([players, tournaments]) {
            if let Some(path) = option {
                *given = Some(PathBuf::from(path));
            }
        }
        Ok(Sources { paths, given, last: None })
    }

    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    /// Reads the file of this index.
    pub(super) fn read(&mut self, i: usize) -> Result<Source> {
        let path = self.paths[i].clone();
        let mut bytes = Vec::new();
        let name = if path == Path::new("-") {
            std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
            "standard input".to_owned()
        } else {
            bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            path.display().to_string()
        };
        let is_wthor = Records::new(&bytes, Some(&name)).format() == Format::Wthor;
        let names = if is_wthor { self.names(&path)? } else { Rc::default() };
        Ok(Source { name, bytes, names })
    }

    /// The names that were given, for files that are written.
    pub(super) fn given_names(&mut self) -> Result<Names> {
        Ok(self.load(self.given.clone())?.as_ref().clone())
    }

    /// The names for the games of a file: those given, or else those beside it.
    fn names(&mut self, path: &Path) -> Result<Rc<Names>> {
        let mut files = self.given.clone();
        for (file, wanted) in files.iter_mut().zip(["jou", "trn"]) {
            if file.is_none() {
                *file = beside(path, wanted)?;
            }
        }
        self.load(files)
    }

    fn load(&mut self, files: [Option<PathBuf>; 2]) -> Result<Rc<Names>> {
        if let Some((_, names)) = self.last.as_ref().filter(|last| last.0 == files) {
            return Ok(Rc::clone(names));
        }
        let mut names = Names::default();
        let [players, tournaments] = &files;
        if let Some(path) = players {
            names.players = name_list(path, Contents::Players)?;
        }
        if let Some(path) = tournaments {
            names.tournaments = name_list(path, Contents::Tournaments)?;
        }
        let names = Rc::new(names);
        self.last = Some((files, Rc::clone(&names)));
        Ok(names)
    }
}

fn name_list(path: &Path, contents: Contents) -> Result<NameList> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let list = NameList::parse(&bytes, contents);
    list.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// The file of names with this extension beside a file of games: the one with the same stem, or else
/// the only one.
fn beside(games: &Path, wanted: &str) -> Result<Option<PathBuf>> {
    if games == Path::new("-") {
        return Ok(None);
    }
    let mut found: Vec<PathBuf> =
        files_in(folder(games))?.into_iter().filter(|path| extension(path) == wanted).collect();
    if let Some(i) = found.iter().position(|path| path.file_stem() == games.file_stem()) {
        return Ok(Some(found.swap_remove(i)));
    }
    if let [first, second, ..] = &found[..] {
        let option = if wanted == "jou" { "--players" } else { "--tournaments" };
        let (first, second) = (first.display(), second.display());
        bail!("{}: found {first} and {second} beside it, choose with {option}", games.display());
    }
    Ok(found.pop())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The files of games in a folder, in the order of their names.
fn games_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_games = |path: &PathBuf| EXTENSIONS.contains(&extension(path).as_str());
    let games: Vec<PathBuf> = files_in(folder)?.into_iter().filter(is_games).collect();
    if games.is_empty() {
        let names = EXTENSIONS.join(", ");
        bail!("{}: found no file of games, expected one with {names}", folder.display());
    }
    Ok(games)
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let place = || format!("cannot read {}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(place)? {
        paths.push(entry.with_context(place)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
