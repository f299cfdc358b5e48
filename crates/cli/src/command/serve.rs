//! `obverse serve`: the web app.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use obverse_web::{App, Config};
use tokio::net::TcpListener;

use super::solve::all_threads;
use crate::Answer;

/// Where the app is if nobody says otherwise.
const ADDR: &str = "127.0.0.1:8064";

/// How many ports after that are tried.
const PORTS: u16 = 20;

const TABLE_MIB: usize = 256;

/// Serve the web app: play, analyze and learn in the browser.
///
/// This is what `obverse` does without a command. The app is for this machine alone: it listens on
/// 127.0.0.1, and no other web page can use it. If port 8064 is in use, the next free one is taken,
/// unless --addr asks for a port. Ctrl-C ends it; games are kept by the browser.
///
/// Examples:
///   obverse
///   obverse serve --no-open
///   obverse serve --addr 127.0.0.1:9000 --threads 2
#[derive(clap::Args, Debug, Default)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes any free one [default: 127.0.0.1:8064]
    #[arg(long, value_name = "ADDR")]
    addr: Option<SocketAddr>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Threads that search together [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The size of the engine's table in mebibytes [default: 256]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table: Option<u32>,

    /// Serve the page from this folder instead of the one built in, to work on it
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        if let Some(page) = self.page.as_ref().filter(|page| !page.join("index.html").is_file()) {
            bail!("found no index.html in {}, expected the folder of the page", page.display());
        }
        let runtime = tokio::runtime::Runtime::new().context("cannot start the server")?;
        runtime.block_on(self.serve(out))?;
        Ok(Answer::Yes)
    }

    async fn serve(self, out: &mut dyn Write) -> Result<()> {
        let listener = self.listen(out).await?;
        let addr = listener.local_addr()?;
        let url = format!("http://{addr}/");
        if !addr.ip().is_loopback() {
            writeln!(out, "Everybody who can reach {addr} can use this.")?;
        }
        writeln!(out, "Obverse is at {url} (Ctrl-C ends it)")?;
        out.flush()?;
        let app = App::new(Config {
            threads: self.threads.map_or_else(all_threads, usize::from),
            table_mib: self.table.map_or(TABLE_MIB, |mib| mib as usize),
            page: self.page,
            ..Config::default()
        });
        if !self.no_open && opener::open_browser(&url).is_err() {
            writeln!(out, "Found no browser to open: open that address in one.")?;
            out.flush()?;
        }
        let end = async {
            // Without signals it ends when the process does.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        app.serve(listener, end).await.context("the server failed")
    }

    /// Takes the address asked for, or the first free port from the usual one on.
    async fn listen(&self, out: &mut dyn Write) -> Result<TcpListener> {
        if let Some(addr) = self.addr {
            return match TcpListener::bind(addr).await {
                Ok(listener) => Ok(listener),
                Err(error) if error.kind() == ErrorKind::AddrInUse => bail!(
                    "{addr} is in use, perhaps by another obverse; \
                     use another port, or leave --addr out to take the next free one"
                ),
                Err(error) => Err(error).with_context(|| format!("cannot listen on {addr}")),
            };
        }
        let usual: SocketAddr = ADDR.parse().expect("an address");
        for port in usual.port()..usual.port() + PORTS {
            match TcpListener::bind((usual.ip(), port)).await {
                Ok(listener) => {
                    if port != usual.port() {
                        writeln!(out, "Port {} is in use, so this is on {port}.", usual.port())?;
                    }
                    return Ok(listener);
                }
                Err(error) if error.kind() == ErrorKind::AddrInUse => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot listen on {ADDR}"));
                }
            }
        }
        let last = usual.port() + PORTS - 1;
        bail!("ports {} to {last} are all in use; choose one with --addr", usual.port());
    }
}
