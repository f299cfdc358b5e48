//! `obverse ggs`: the engine as a player on the Generic Game Server.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use crossbeam_channel::{bounded, never};
use obverse_engine::Level;

use super::talk::{EngineArgs, level, time};
use crate::protocol::ggs::client::{Client, Settings};
use crate::protocol::ggs::connection::Connection;
use crate::protocol::ggs::policy::{Policy, Rated};
use crate::{Answer, input};

/// The environment variable that may hold the password.
const PASSWORD: &str = "OBVERSE_GGS_PASSWORD";

/// Play on the Generic Game Server (GGS).
///
/// It logs in, accepts offers that the options allow and plays: rated and synchro games, on boards of
/// 4x4, 6x6 and 8x8, from the usual start or a random one, by the server's clock. Komi and anti games
/// are declined. One match is played at a time, which may be two games. When the connection is lost it
/// comes back, after a second at first and after five minutes at most, and goes on with the games that
/// the server has kept.
///
/// The password is in the environment variable `OBVERSE_GGS_PASSWORD` or in a file. What is typed goes to
/// the server as it is; `quit`, the end of the input or Ctrl-C leave when the match has ended, and
/// Ctrl-C twice at once.
///
/// Examples:
///   obverse ggs --user obverse --password-file secret.txt
///   obverse ggs --user obverse --rated only --kinds 8,s8r20 --time 1m..30m --level 20
///   obverse ggs --user obverse --ask '8 5:00 bob' --matches 1
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The name to play under
    #[arg(long, value_name = "NAME")]
    user: String,

    /// A file whose first line is the password
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,

    /// The server
    #[arg(long, default_value = "skatgame.net")]
    host: String,

    /// Its port
    #[arg(long, default_value_t = 5000)]
    port: u16,

    /// Whether to accept games that count for the rating
    #[arg(long, value_enum, default_value = "any")]
    rated: Rated,

    /// Kinds of games to accept, as the server names them (default: all that can be played)
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    kinds: Vec<String>,

    /// The least and the most time a side may have for a game
    #[arg(long, value_name = "MIN..MAX", default_value = "10s..1h", value_parser = times)]
    time: (Duration, Duration),

    /// Whose offers to accept (default: anybody's)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    opponents: Vec<String>,

    /// Whose offers to decline
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    ignore: Vec<String>,

    /// How many offers may wait at the server; 0 takes none
    #[arg(long, value_name = "N", default_value_t = 1)]
    open: u32,

    /// Ask for a game whenever none is played, for example '8 5:00 bob'
    #[arg(long, value_name = "REQUEST")]
    ask: Option<String>,

    /// Leave after so many matches
    #[arg(long, value_name = "N")]
    matches: Option<u32>,

    /// Do not read standard input, to run without a terminal
    #[arg(long)]
    detached: bool,

    /// The level of play, 1 to 30 (default: what the clock allows)
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<Level>,

    #[command(flatten)]
    engine: EngineArgs,
}

fn times(text: &str) -> Result<(Duration, Duration), String> {
    let (least, most) = text
        .split_once("..")
        .ok_or_else(|| format!("found {text:?}, expected two times such as 1m..30m"))?;
    let (least, most) = (time(least)?, time(most)?);
    if least > most {
        return Err(format!("found {text:?}, expected the least time first"));
    }
    Ok((least, most))
}

impl Args {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer> {
        let setup = self.engine.setup()?;
        let client = Client::new(Settings {
            password: self.password()?,
            policy: Policy {
                kinds: self.kinds.clone(),
                rated: self.rated,
                time: self.time,
                opponents: self.opponents.clone(),
                ignored: self.ignore.clone(),
            },
            open: self.open,
            ask: self.ask.clone(),
            n_matches: self.matches,
            level: self.level,
            threads: self.engine.n_threads(),
            user: self.user,
        });
        let (sender, interrupts) = bounded(1);
        ctrlc::set_handler(move || {
            if sender.try_send(()).is_err() {
                #[allow(clippy::exit, reason = "somebody has lost patience")]
                std::process::exit(2);
            }
        })
        .context("cannot watch for Ctrl-C")?;
        let typed = if self.detached {
            never()
        } else {
            let (sender, typed) = bounded(16);
            std::thread::spawn(move || {
                for line in std::io::stdin().lines() {
                    if !line.is_ok_and(|line| sender.send(line).is_ok()) {
                        return;
                    }
                }
            });
            typed
        };
        let address = format!("{}:{}", self.host, self.port);
        Connection { client, address, typed, interrupts, out }.run(setup)?;
        Ok(Answer::Yes)
    }

    fn password(&self) -> Result<String> {
        let (text, place) = match &self.password_file {
            Some(path) => (input::text(path)?, path.as_str()),
            None => (std::env::var(PASSWORD).unwrap_or_default(), PASSWORD),
        };
        match text.lines().next() {
            Some(password) if !password.is_empty() => Ok(password.to_owned()),
            _ => bail!("found no password in {place}, expected {PASSWORD} or --password-file"),
        }
    }
}
