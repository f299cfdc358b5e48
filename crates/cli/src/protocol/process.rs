//! Another program, with which lines of text are exchanged.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::lines;

/// How long a program may take to leave after it was asked to.
const LEAVE_MAX: Duration = Duration::from_secs(1);

/// So many lines wait to be read; a program that says more has to wait.
const LINES_MAX: usize = 1 << 10;

/// A running program. It is asked to leave, and ended if it does not, when this is dropped.
pub(super) struct Process {
    /// What it is called in errors.
    name: String,
    child: Child,
    /// `None` when it was closed, so that the program sees the end of its input.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The last thing it complained about, when it has ended.
    last_words: Receiver<String>,
    /// What asks it to leave.
    farewell: &'static str,
}

impl Process {
    /// Starts the program that `words` name, the first of which is not empty.
    pub(super) fn start(words: &[String], farewell: &'static str) -> Result<Process> {
        let (program, arguments) = words.split_first().context("found no command to start")?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An interrupt at the terminal is ours to handle: the program is told to leave.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it is piped");
        let errors = child.stderr.take().expect("it is piped");
        let (sender, lines) = sync_channel(LINES_MAX);
        std::thread::spawn(move || forward(output, &sender));
        let (sender, last_words) = sync_channel(1);
        // If nobody wants to know them any more, that is fine.
        std::thread::spawn(move || sender.send(last_line(errors)));
        Ok(Process { name: program.clone(), child, input, lines, last_words, farewell })
    }

    /// What the program is called in errors.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn send(&mut self, line: &str) -> Result<()> {
        let input = self.input.as_mut().expect("it is closed only at the end");
        let sent = writeln!(input, "{line}").and_then(|()| input.flush());
        if sent.is_err() {
            bail!("{}", self.obituary());
        }
        Ok(())
    }

    /// The first answer that `read` takes, within `patience`; other lines are passed over.
    pub(super) fn await_line<T>(
        &mut self,
        patience: Duration,
        asked: &str,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Some(answer) = read(&line) {
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = patience.as_secs_f64();
                    bail!("{} did not answer {asked:?} within {seconds} s", self.name);
                }
                Err(RecvTimeoutError::Disconnected) => bail!("{}", self.obituary()),
            }
        }
    }

    /// Tells how the program ended, which it has or is about to.
    fn obituary(&mut self) -> String {
        let how = match self.wait(LEAVE_MAX) {
            Some(status) => format!("{} has ended ({status})", self.name),
            None => format!("{} does not listen any more", self.name),
        };
        match self.last_words.recv_timeout(LEAVE_MAX) {
            Ok(words) if !words.is_empty() => format!("{how}: {words}"),
            _ => how,
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already; then there is nobody to tell.
        let _ = self.send(self.farewell);
        self.input = None;
        if self.wait(LEAVE_MAX).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Passes lines on until there are no more, or nobody wants them.
fn forward(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    while let Some(line) = lines::next(&mut output) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Reads to the end and keeps the last line that is not blank.
fn last_line(errors: impl Read) -> String {
    let mut errors = BufReader::new(errors);
    let mut last = String::new();
    while let Some(line) = lines::next(&mut errors) {
        if !line.trim().is_empty() {
            line.trim().clone_into(&mut last);
        }
    }
    last
}
