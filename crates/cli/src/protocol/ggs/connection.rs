//! The connection of a [`Client`] to the server, made again when it is lost.

use std::io::{BufReader, ErrorKind, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use crossbeam_channel::{Receiver, after, bounded, never, select, tick};

use super::client::Client;
use crate::player::fresh_seed;
use crate::protocol::search::{Found, Searcher, Setup};
use crate::protocol::{Act, Acts, lines};

/// How long the server may take to answer the door.
const CONNECT_MAX: Duration = Duration::from_secs(30);

/// A server that says nothing for so long is gone, though nobody has hung up.
const SILENCE_MAX: Duration = Duration::from_mins(15);

/// A client, a server and a terminal.
pub(crate) struct Connection<'a> {
    pub(crate) client: Client,
    pub(crate) address: String,
    /// Lines that somebody types; their end is the wish to leave.
    pub(crate) typed: Receiver<String>,
    /// Ctrl-C.
    pub(crate) interrupts: Receiver<()>,
    pub(crate) out: &'a mut dyn Write,
}

/// Why a connection has ended.
enum End {
    Lost(String),
    Left,
}

impl Connection<'_> {
    /// Plays until the client leaves.
    ///
    /// # Errors
    /// If the server refuses the client.
    pub(crate) fn run(mut self, setup: Setup) -> Result<()> {
        let (mut searcher, found) = Searcher::start(setup);
        let start = Instant::now();
        let mut acts = Acts::default();
        loop {
            let end = match connect(&self.address) {
                Ok(stream) => self.talk(&stream, &mut searcher, &found, start)?,
                Err(error) => End::Lost(format!("{error:#}")),
            };
            let End::Lost(why) = end else { return Ok(()) };
            let Some(wait) = self.client.lost(&mut acts) else { return Ok(()) };
            for act in acts.take() {
                if act == Act::Stop {
                    searcher.stop();
                }
            }
            // Somewhat more or less, so that many clients do not come back all at once.
            let wait = wait.mul_f64(0.8 + 0.4 * (fresh_seed() as f64 / u64::MAX as f64));
            let seconds = wait.as_secs_f64();
            writeln!(self.out, "{}: {why}; again in {seconds:.1} s", self.address)?;
            self.out.flush()?;
            if self.is_over_before(wait) {
                return Ok(());
            }
        }
    }

    /// Waits; tells whether somebody wanted to leave meanwhile.
    fn is_over_before(&mut self, wait: Duration) -> bool {
        let timer = after(wait);
        loop {
            select! {
                recv(timer) -> _ => return false,
                recv(self.interrupts) -> _ => return true,
                recv(self.typed) -> line => match line {
                    Ok(line) if line.trim() == "quit" => return true,
                    Ok(_) => {}
                    Err(_) => return true,
                },
            }
        }
    }

    fn talk(
        &mut self,
        stream: &TcpStream,
        searcher: &mut Searcher,
        found: &Receiver<Found>,
        start: Instant,
    ) -> Result<End> {
        let (sender, said) = bounded(256);
        let input = stream.try_clone().context("cannot read from the server")?;
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(line) = lines::next(&mut input) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let (ticks, nobody) = (tick(Duration::from_secs(1)), never());
        let mut acts = Acts::default();
        let (mut is_typing, mut heard) = (true, Instant::now());
        self.client.connected(&mut acts);
        loop {
            let typed = if is_typing { &self.typed } else { &nobody };
            select! {
                recv(said) -> line => match line {
                    Ok(line) => {
                        heard = Instant::now();
                        self.client.line(&line, &mut acts).map_err(|error| anyhow!(error))?;
                    }
                    Err(_) => return Ok(End::Lost("the connection is lost".to_owned())),
                },
                recv(found) -> found => {
                    self.client.found(found.context("the engine is gone")?, &mut acts);
                }
                recv(typed) -> line => if let Ok(line) = line {
                    self.client.typed(&line, &mut acts);
                } else {
                    is_typing = false;
                    self.client.leave(&mut acts);
                },
                recv(self.interrupts) -> _ => self.client.leave(&mut acts),
                recv(ticks) -> _ => self.client.tick(start.elapsed(), &mut acts),
            }
            let end = self.perform(&mut acts, stream, searcher)?;
            if end.is_some() || heard.elapsed() > SILENCE_MAX {
                let _ = stream.shutdown(Shutdown::Both);
                return Ok(end.unwrap_or(End::Lost("the server says nothing".to_owned())));
            }
        }
    }

    fn perform(
        &mut self,
        acts: &mut Acts,
        mut stream: &TcpStream,
        searcher: &mut Searcher,
    ) -> Result<Option<End>> {
        let mut end = None;
        for act in acts.take() {
            match act {
                Act::Say(line) => {
                    let sent = stream.write_all(format!("{line}\n").as_bytes());
                    if let Err(error) = sent {
                        end = end.or(Some(End::Lost(error.to_string())));
                    }
                }
                Act::Log(line) => writeln!(self.out, "{line}")?,
                Act::Begin(search) => searcher.begin(search),
                Act::Stop => searcher.stop(),
                Act::Quit => end = Some(End::Left),
                other => bail!("the client cannot {other:?}"),
            }
        }
        self.out.flush()?;
        Ok(end)
    }
}

/// Connects to the first of the server's addresses that answers.
fn connect(address: &str) -> Result<TcpStream> {
    let addresses = address.to_socket_addrs().context("the server cannot be found")?;
    let mut problem = std::io::Error::from(ErrorKind::AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_MAX) {
            Ok(stream) => {
                // Moves are short and wanted at once.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => problem = error,
        }
    }
    Err(problem).context("cannot connect")
}
