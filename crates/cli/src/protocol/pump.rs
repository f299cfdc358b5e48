//! Lets a [`Dialogue`] talk: lines come in, searches run, lines go out.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use obverse_board::notation::Form;

use super::search::{Searcher, Setup};
use super::{Act, Acts, Dialogue, lines};

/// So many lines are read ahead, and so many may wait for an answer to what was asked before them.
/// Whoever says more has to wait.
const LINES_AHEAD: usize = 256;

/// At the end of the input it is answered what was asked before it, if that does not take longer.
const LINGER: Duration = Duration::from_mins(1);

/// No file of a game is larger.
const FILE_BYTES_MAX: u64 = 1 << 24;

/// A conversation over a stream in each direction.
pub(crate) struct Pump<'a> {
    pub(crate) setup: Setup,
    /// Where games are kept that are to be learned.
    pub(crate) learned: Option<&'a str>,
    pub(crate) out: &'a mut dyn Write,
}

impl Pump<'_> {
    /// Talks until the other side says goodbye or nothing more.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub(crate) fn run(
        mut self,
        input: impl Read + Send + 'static,
        dialogue: &mut dyn Dialogue,
    ) -> Result<()> {
        let (sender, said) = bounded(LINES_AHEAD);
        // It ends with the input, or with the program.
        std::thread::spawn(move || forward(input, &sender));
        let (mut searcher, found) = Searcher::start(self.setup.clone());
        let (nothing, mut acts) = (never(), Acts::default());
        let mut ended_at: Option<Instant> = None;
        loop {
            let is_full = ended_at.is_some() || dialogue.n_waiting() >= LINES_AHEAD;
            let listen: &Receiver<String> = if is_full { &nothing } else { &said };
            let left = ended_at.map_or(Duration::MAX, |at| LINGER.saturating_sub(at.elapsed()));
            select! {
                recv(listen) -> line => match line {
                    Ok(line) => dialogue.line(&line, &mut acts),
                    Err(_) => ended_at = Some(Instant::now()),
                },
                recv(found) -> found => {
                    dialogue.found(found.expect("the searcher is there"), &mut acts);
                }
                default(left) => return Ok(()),
            }
            if self.perform(&mut acts, &mut searcher, dialogue)? {
                return Ok(());
            }
            if ended_at.is_some() && !dialogue.is_busy() {
                return Ok(());
            }
        }
    }

    /// Does what is to be done; tells whether to leave.
    fn perform(
        &mut self,
        acts: &mut Acts,
        searcher: &mut Searcher,
        dialogue: &mut dyn Dialogue,
    ) -> Result<bool> {
        let mut leaves = false;
        // What is done may lead to more that is to be done.
        loop {
            let todo = acts.take();
            if todo.is_empty() {
                self.out.flush()?;
                return Ok(leaves);
            }
            for act in todo {
                match act {
                    Act::Say(line) => writeln!(self.out, "{line}")?,
                    Act::Log(line) => writeln!(anstream::stderr(), "{line}")?,
                    Act::Begin(search) => searcher.begin(search),
                    Act::Stop => searcher.stop(),
                    Act::Count => {
                        let (nodes, time) = searcher.effort();
                        dialogue.counted(nodes, time, acts);
                    }
                    Act::Forget => searcher.forget(),
                    Act::Resize(config) => searcher.resize(config),
                    Act::Read(path) => {
                        let bytes = read(&path).map_err(|error| format!("{error:#}"));
                        dialogue.file(bytes, acts);
                    }
                    Act::Learn(game) => {
                        let kept = self.learn(&game).map_err(|error| format!("{error:#}"));
                        dialogue.learned(kept, acts);
                    }
                    Act::Quit => leaves = true,
                }
            }
        }
    }

    fn learn(&self, game: &obverse_board::Game) -> Result<()> {
        let Some(path) = self.learned else { return Ok(()) };
        let line = Form::Ggf.print(game)? + "\n";
        let file = OpenOptions::new().create(true).append(true).open(path);
        // One write, so that two programs can share the file.
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .with_context(|| format!("cannot write {path}"))
    }
}

/// The bytes of a file of reasonable size.
fn read(path: &str) -> Result<Vec<u8>> {
    let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| path.to_owned())?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("found more than {FILE_BYTES_MAX} bytes in {path}, expected a game");
    }
    Ok(bytes)
}

fn forward(input: impl Read, lines: &Sender<String>) {
    let mut input = BufReader::new(input);
    while let Some(line) = lines::next(&mut input) {
        if lines.send(line).is_err() {
            return;
        }
    }
}
