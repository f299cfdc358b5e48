//! Literal dialogues with the program in every protocol, readable as documentation: `tests/protocol/*.md`.
//!
//! A block of code is one dialogue; what stands behind its fence are the arguments of `obverse`.
//!
//! | Line | |
//! |---|---|
//! | `> text` | said to the program; `\t`, `\r`, `\xff` are bytes and `{70000*x}` repeats |
//! | `< text` | what it says next; `[..]` stands for anything |
//! | `< ...` | any lines, up to one that matches the next |
//! | `~` | it says nothing for a while |
//!
//! At the end its input ends, and it must have nothing more to say and leave with status 0. Of `ggs` the
//! program is the client and the dialogue the server: `PORT` in the arguments is where it listens,
//! `! hang up` ends the connection and awaits the next, and `! it gives up` is the end of one that leaves
//! with status 2.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long silence is listened to.
const SILENCE: Duration = Duration::from_millis(200);

#[test]
fn nboard_is_spoken_as_documented() {
    check("nboard.md");
}

#[test]
fn gtp_is_spoken_as_documented() {
    check("gtp.md");
}

#[test]
fn cassio_is_spoken_to_as_documented() {
    check("cassio.md");
}

#[test]
fn xboard_is_spoken_to_as_documented() {
    check("xboard.md");
}

#[test]
fn ggs_is_spoken_to_as_documented() {
    check("ggs.md");
}

/// One block of a file.
struct Dialogue {
    arguments: Vec<String>,
    /// Each with the number of its line in the file.
    lines: Vec<(usize, String)>,
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol").join(name);
    let text = std::fs::read_to_string(&path).expect("the dialogues are there");
    let dialogues = dialogues(&text);
    assert!(!dialogues.is_empty(), "{name} has no dialogue");
    for dialogue in dialogues {
        let at = dialogue.lines.first().map_or(0, |line| line.0);
        if let Err(problem) = hold(&dialogue) {
            panic!("{name}, dialogue at line {at}: {problem}");
        }
    }
}

fn dialogues(text: &str) -> Vec<Dialogue> {
    let mut dialogues: Vec<Dialogue> = Vec::new();
    let mut is_open = false;
    for (i, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                let arguments = shlex::split(info).expect("quotation marks that end");
                dialogues.push(Dialogue { arguments, lines: Vec::new() });
            }
        } else if is_open && !line.trim().is_empty() {
            dialogues.last_mut().expect("one is open").lines.push((i + 1, line.to_owned()));
        }
    }
    assert!(!is_open, "the last block does not end");
    dialogues
}

/// The program and the way to it.
struct Partner {
    child: Child,
    listener: Option<TcpListener>,
    to: Option<Box<dyn Write>>,
    /// To hang up.
    stream: Option<TcpStream>,
    from: Receiver<String>,
    /// What a client prints, which is not looked at but has to go somewhere.
    printed: Option<Receiver<String>>,
    /// A line that was read but not yet used.
    ahead: Option<String>,
    /// All that was said, for the report.
    log: String,
}

impl Drop for Partner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hold(dialogue: &Dialogue) -> Result<(), String> {
    let mut partner = Partner::start(&dialogue.arguments)?;
    let mut lines = dialogue.lines.iter().peekable();
    while let Some((number, line)) = lines.next() {
        let step = match line.split_at(line.len().min(2)) {
            ("> " | ">", text) => partner.say(text),
            ("< ", "...") => match lines.next() {
                Some((_, next)) => partner.await_match(next.strip_prefix("< ").unwrap_or("")),
                None => partner.skip_all(),
            },
            ("< " | "<", pattern) => partner.expect(pattern),
            ("~", "") => partner.expect_silence(),
            ("! ", "hang up") => partner.hang_up(),
            ("! ", "it gives up") => return partner.leaves(2),
            _ => Err("found no >, <, ~ or !".to_owned()),
        };
        step.map_err(|problem| {
            format!("line {number}: {line}\n{problem}\nso far:\n{}", partner.log)
        })?;
    }
    partner.end().map_err(|problem| format!("at the end: {problem}\nso far:\n{}", partner.log))
}

impl Partner {
    fn start(arguments: &[String]) -> Result<Partner, String> {
        let is_client = arguments.first().is_some_and(|name| name == "ggs");
        let listener = is_client.then(|| TcpListener::bind("127.0.0.1:0").expect("a free port"));
        let port = listener.as_ref().map_or(0, |l| l.local_addr().expect("it is bound").port());
        let mut child = Command::new(env!("CARGO_BIN_EXE_obverse"))
            .args(arguments.iter().map(|argument| argument.replace("PORT", &port.to_string())))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("OBVERSE_GGS_PASSWORD", "secret")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let (output, input) = (child.stdout.take(), child.stdin.take());
        let said = forward(output.expect("it is piped"));
        let (ahead, log) = (None, String::new());
        if !is_client {
            let to: Option<Box<dyn Write>> = input.map(|input| Box::new(input) as _);
            let (stream, from) = (None, said);
            let printed = None;
            return Ok(Partner { child, listener, to, stream, from, printed, ahead, log });
        }
        // A client leaves at the end of its input.
        child.stdin = input;
        let (to, stream, from) = (None, None, channel().1);
        let printed = Some(said);
        let mut partner = Partner { child, listener, to, stream, from, printed, ahead, log };
        partner.accept()?;
        Ok(partner)
    }

    /// Awaits the client.
    fn accept(&mut self) -> Result<(), String> {
        let listener = self.listener.as_ref().expect("only clients are awaited");
        listener.set_nonblocking(true).expect("it can be");
        let deadline = Instant::now() + PATIENCE;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                Err(error) => return Err(format!("nobody connects: {error}")),
            }
        };
        stream.set_nonblocking(false).map_err(|error| error.to_string())?;
        let clone = || stream.try_clone().map_err(|error| error.to_string());
        self.from = forward(clone()?);
        self.to = Some(Box::new(clone()?));
        self.stream = Some(stream);
        Ok(())
    }

    fn hang_up(&mut self) -> Result<(), String> {
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        self.accept()
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        let _ = writeln!(self.log, "> {}", text.chars().take(100).collect::<String>());
        let mut bytes = unescape(text);
        bytes.push(b'\n');
        let to = self.to.as_mut().ok_or("nobody listens")?;
        to.write_all(&bytes).and_then(|()| to.flush()).map_err(|error| error.to_string())
    }

    fn next(&mut self, patience: Duration) -> Result<Option<String>, String> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        match self.from.recv_timeout(patience) {
            Ok(line) => {
                let _ = writeln!(self.log, "< {line}");
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Err("it says nothing".to_owned()),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
        }
    }

    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        match self.next(PATIENCE)? {
            Some(line) if matches(&line, pattern) => Ok(()),
            Some(line) => Err(format!("found {line:?}, expected {pattern:?}")),
            None => Err(format!("found the end, expected {pattern:?}")),
        }
    }

    fn await_match(&mut self, pattern: &str) -> Result<(), String> {
        loop {
            match self.next(PATIENCE)? {
                Some(line) if matches(&line, pattern) => return Ok(()),
                Some(_) => {}
                None => return Err(format!("found the end, expected {pattern:?}")),
            }
        }
    }

    fn skip_all(&mut self) -> Result<(), String> {
        self.to = None;
        while self.next(PATIENCE)?.is_some() {}
        Ok(())
    }

    fn expect_silence(&mut self) -> Result<(), String> {
        match self.next(SILENCE) {
            Ok(line) => Err(format!("found {line:?}, expected silence")),
            Err(_) => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.to = None;
        if let Some(stream) = self.stream.take() {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            // A client goes on until it is told to stop, by the end of its own input.
            drop(self.child.stdin.take());
        } else if let Some(line) = self.next(PATIENCE)? {
            return Err(format!("found {line:?}, expected nothing more"));
        }
        self.leaves(0)
    }

    fn leaves(&mut self, expected: i32) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.code() == Some(expected) => return Ok(()),
                Some(status) => {
                    let printed: Vec<String> = self.printed.iter().flatten().collect();
                    return Err(format!("it ended with {status}; printed {printed:?}"));
                }
                None if Instant::now() > deadline => return Err("it does not end".to_owned()),
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

/// The lines of a stream as they come.
fn forward(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(text).is_err() {
                return;
            }
            line.clear();
        }
    });
    lines
}

/// Whether a line is what a pattern says, in which `[..]` stands for anything.
fn matches(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The bytes that a line of a dialogue stands for.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut n_used = c.len_utf8();
        match rest.as_bytes() {
            [b'\\', b't', ..] => (n_used, ()) = (2, bytes.push(b'\t')),
            [b'\\', b'r', ..] => (n_used, ()) = (2, bytes.push(b'\r')),
            [b'\\', b'x', ..] => {
                bytes.push(u8::from_str_radix(&rest[2..4], 16).expect("two hexadecimal digits"));
                n_used = 4;
            }
            [b'{', ..] => {
                let end = rest.find('}').expect("a brace that closes");
                let (n, what) = rest[1..end].split_once('*').expect("a number and a text");
                bytes.extend(what.repeat(n.parse().expect("a number")).bytes());
                n_used = end + 1;
            }
            _ => bytes.extend(c.to_string().bytes()),
        }
        rest = &rest[n_used..];
    }
    bytes
}
