//! How to reach the queue: arguments that all commands of a cluster share.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use obverse_cluster::Error;
use obverse_cluster::nats::{Nats, Options};

use crate::watch::Interrupt;

#[derive(clap::Args, Debug, Clone)]
pub(crate) struct Server {
    /// A server, such as nats://HOST:4222 or tls://HOST:4222; several are one cluster
    /// [default: NATS_URL, or nats://127.0.0.1:4222]
    #[arg(long = "server", value_name = "URL", value_delimiter = ',')]
    urls: Vec<String>,

    /// Log in as this user, with the password in OBVERSE_NATS_PASSWORD or --password-file
    #[arg(long, value_name = "NAME")]
    user: Option<String>,

    /// Read the password from this file
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,

    /// Log in with the token in this file, or in OBVERSE_NATS_TOKEN
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    token_file: Option<PathBuf>,

    /// Log in with this file of credentials
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "token_file"])]
    creds: Option<PathBuf>,

    /// Use TLS, and trust the certificates in this file
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,

    /// Show this certificate to the server
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// From now on, how long a worker may be silent before its work goes to another [at first: 30s]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    lease: Option<Duration>,

    /// From now on, on how many servers of a cluster everything is kept [at first: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: Option<u8>,

    /// From now on, how many chunks of positions may wait in the queue [at first: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    queue_max: Option<u32>,

    /// How long the servers may be away, or without room, before this gives up
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = humantime::parse_duration)]
    patience: Duration,
}

/// Which list of questions is meant.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct CampaignArg {
    /// The name of the list of positions
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = campaign)]
    pub(crate) campaign: String,
}

fn campaign(text: &str) -> Result<String, String> {
    obverse_cluster::nats::check_name(text).map(|()| text.to_owned())
}

impl Server {
    /// Connects, or tells why not.
    pub(crate) fn connect(&self, campaign: &str, name: &str) -> Result<Nats> {
        Ok(Nats::connect(self.options(name)?, campaign)?)
    }

    /// Connects, whenever that is possible; `None` if somebody lost patience.
    pub(crate) fn insist(&self, name: &str, interrupt: &Interrupt) -> Result<Option<Nats>> {
        let mut told = None;
        loop {
            match Nats::connect(self.options(name)?, "main") {
                Ok(nats) => return Ok(Some(nats)),
                Err(Error::Away(why)) => {
                    if told.as_ref() != Some(&why) {
                        say(&format!("waiting for the queue: {why}"));
                        told = Some(why);
                    }
                }
                Err(error) => return Err(error.into()),
            }
            let end = Instant::now() + Duration::from_secs(1);
            while Instant::now() < end {
                if interrupt.is_asked() {
                    return Ok(None);
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    fn options(&self, name: &str) -> Result<Options> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let servers = if self.urls.is_empty() {
            let url = variable("NATS_URL").unwrap_or_else(|| "nats://127.0.0.1:4222".to_owned());
            url.split(',').map(str::to_owned).collect()
        } else {
            self.urls.clone()
        };
        let secret = |path: &PathBuf| {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            Ok::<String, anyhow::Error>(text.trim_end_matches(['\r', '\n']).to_owned())
        };
        let user = match &self.user {
            None => None,
            Some(user) => {
                let password = match &self.password_file {
                    Some(path) => Some(secret(path)?),
                    None => variable("OBVERSE_NATS_PASSWORD"),
                };
                let Some(password) = password else {
                    bail!(
                        "found a user without a password; expected --password-file FILE, or OBVERSE_NATS_PASSWORD"
                    );
                };
                Some((user.clone(), password))
            }
        };
        let token = match &self.token_file {
            Some(path) => Some(secret(path)?),
            None => variable("OBVERSE_NATS_TOKEN"),
        };
        Ok(Options {
            servers,
            user,
            token,
            creds: self.creds.clone(),
            ca: self.tls_ca.clone(),
            certificate: self.tls_cert.clone().zip(self.tls_key.clone()),
            name: name.to_owned(),
            lease: self.lease.map(|lease| lease.max(Duration::from_millis(100))),
            n_replicas: self.replicas.map(Into::into),
            n_chunks_max: self.queue_max.map(Into::into),
        })
    }
}

/// Prints a line on standard error.
pub(crate) fn say(text: &str) {
    let mut err = anstream::stderr();
    let _ = std::io::Write::write_fmt(&mut err, format_args!("{text}\n"));
}

/// Somebody who tries again while the queue is away.
pub(crate) struct Patience<'a> {
    interrupt: &'a Interrupt,
    limit: Duration,
}

impl Server {
    pub(crate) fn patience<'a>(&self, interrupt: &'a Interrupt) -> Patience<'a> {
        Patience { interrupt, limit: self.patience }
    }
}

impl Patience<'_> {
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_asked()
    }

    /// Does something to the queue; if that is away, tries again for a while.
    pub(crate) fn persist<T>(&self, mut act: impl FnMut() -> Result<T, Error>) -> Result<T> {
        let start = Instant::now();
        let mut is_told = false;
        loop {
            match act() {
                Ok(done) => {
                    if is_told {
                        say("the queue is back");
                    }
                    return Ok(done);
                }
                Err(Error::Away(why)) if start.elapsed() < self.limit && !self.is_interrupted() => {
                    if !std::mem::replace(&mut is_told, true) {
                        say(&format!("the queue is away: {why}; trying again"));
                    }
                }
                Err(error) => return Err(error.into()),
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}
