//! Files of games: the games one by one, and the positions of each as lines of a batch.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use memmap2::Mmap;
use obverse_board::notation::{Damaged, Record, Records};
use serde_json::Value;

use super::lines::{Asked, Bad, Line, Meter, Shard};

/// The extensions of files that hold nothing but games. A file of transcripts may have any; it is read
/// line by line, and each line is the position after its moves.
const EXTENSIONS: [&str; 4] = ["wtb", "ggf", "sgf", "pgn"];

/// Whether a file is one of games, by its name.
pub(super) fn is_games(path: &str) -> bool {
    let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Hands over the games of a file with their numbers, from 1; `take` says whether to go on.
///
/// An archive may be larger than the memory: the system brings in the parts that are being read.
pub(super) fn each(
    path: &str,
    take: &mut dyn FnMut(u64, Result<Record, Damaged>) -> bool,
) -> Result<bool> {
    let mut file = File::open(path).with_context(|| format!("cannot open {path}"))?;
    let mut games = |bytes: &[u8]| {
        (1..).zip(Records::new(bytes, Some(path))).all(|(number, record)| take(number, record))
    };
    if file.metadata().is_ok_and(|meta| meta.is_file()) {
        #[expect(unsafe_code, reason = "maps a file, which no safe interface offers")]
        // SAFETY: the bytes are only read, and nothing follows from their values but what they say. If
        // somebody cuts the file short meanwhile the system ends the program; --resume goes on.
        let bytes = unsafe { Mmap::map(&file) }.with_context(|| format!("cannot read {path}"))?;
        Ok(games(&bytes))
    } else {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {path}"))?;
        Ok(games(&bytes))
    }
}

/// Reads the positions of all games of a file, each of which counts as a line, and so does a damaged
/// game. The id of a position is the number of its game and that of the move that is to come.
pub(super) fn read(
    path: &str,
    shard: Option<Shard>,
    meter: &Meter,
    take: &mut dyn FnMut(Line) -> bool,
) -> Result<bool> {
    let name: Arc<str> = path.into();
    let mut n_lines = 0;
    let go_on = each(path, &mut |game, record| match record {
        Ok(record) => {
            let n_moves = record.game().moves().len();
            let positions = record.game().steps().map(|step| step.0);
            let last = record.game().position();
            let positions = positions.chain((!last.is_over()).then_some(last));
            (1..=n_moves + 1).zip(positions).all(|(mv, position)| {
                n_lines += 1;
                let id = Some(Value::from(format!("{game}.{mv}")));
                let content = Ok(Asked { id, position });
                hand_over(
                    Line { file: Some(Arc::clone(&name)), number: n_lines, content },
                    shard,
                    meter,
                    take,
                )
            })
        }
        Err(damaged) => {
            n_lines += 1;
            let content = Err(Bad { reason: damaged.to_string(), text: String::new() });
            hand_over(
                Line { file: Some(Arc::clone(&name)), number: n_lines, content },
                shard,
                meter,
                take,
            )
        }
    })?;
    // How much of a file a game is, is not told.
    let bytes = fs::metadata(path).map_or(0, |meta| meta.len());
    meter.bytes.fetch_add(bytes, Ordering::Relaxed);
    Ok(go_on)
}

fn hand_over(
    line: Line,
    shard: Option<Shard>,
    meter: &Meter,
    take: &mut dyn FnMut(Line) -> bool,
) -> bool {
    meter.lines.fetch_add(1, Ordering::Relaxed);
    if shard.is_some_and(|shard| !shard.takes(line.number)) {
        meter.others.fetch_add(1, Ordering::Relaxed);
        return true;
    }
    take(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_every_game_is_a_line() {
        let folder = std::env::temp_dir().join(format!("obverse-games-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("games.PGN");
        fs::write(&path, "1. f5 d6 2. c3 *\n\n1. f5 f5 *\n\n1. e6 *\n").unwrap();
        let path = path.display().to_string();
        assert!(is_games(&path) && !is_games("games.txt") && !is_games("pgn"));
        let lines = |shard: Option<Shard>| {
            let meter = Meter::default();
            let mut lines = Vec::new();
            read(&path, shard, &meter, &mut |line| {
                let content = line.content.map(|asked| {
                    let id = asked.id.unwrap().as_str().unwrap().to_owned();
                    (id, asked.position.empties().count())
                });
                lines.push((line.number, content.map_err(|bad| bad.reason)));
                true
            })
            .unwrap();
            (lines, meter.lines.into_inner())
        };
        let (all, n_lines) = lines(None);
        assert_eq!((n_lines, all.len()), (7, 7));
        let good = |i: usize| all[i].1.clone().unwrap();
        assert_eq!([good(0), good(3)], [("1.1".to_owned(), 60), ("1.4".to_owned(), 57)]);
        assert_eq!([good(5), good(6)], [("3.1".to_owned(), 60), ("3.2".to_owned(), 59)]);
        assert!(all[4].1.as_ref().unwrap_err().starts_with("game 2, line 3"), "{all:?}");
        let mut parts: Vec<_> =
            (1..=3).flat_map(|i| lines(Some(format!("{i}/3").parse().unwrap())).0).collect();
        parts.sort_by_key(|(number, _)| *number);
        assert_eq!(parts, all);
        fs::remove_dir_all(&folder).unwrap();
    }
}
