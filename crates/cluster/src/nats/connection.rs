//! Finding the servers and logging in.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};

use super::{PATIENCE, away};
use crate::Error;

/// Where the servers are, and who we are to them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`; several are one cluster.
    pub servers: Vec<String>,
    /// A user and a password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// A file of credentials.
    pub creds: Option<PathBuf>,
    /// Whom to trust besides the well-known: a file of root certificates.
    pub ca: Option<PathBuf>,
    /// Our own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// What we are called.
    pub name: String,
    /// How long a lease lasts from now on; as it is if none is named.
    pub lease: Option<Duration>,
    /// On how many servers everything is kept from now on.
    pub n_replicas: Option<usize>,
    /// How many chunks may wait at most from now on.
    pub n_chunks_max: Option<i64>,
}

pub(super) async fn connect(options: &Options) -> Result<Client, Error> {
    let cannot = |what: &str, path: &std::path::Path, error: &dyn std::fmt::Display| {
        Error::Refused(format!("cannot read the {what} {}: {error}", path.display()))
    };
    let mut connect = ConnectOptions::new()
        .name(&options.name)
        .connection_timeout(PATIENCE)
        .request_timeout(Some(PATIENCE))
        .ping_interval(Duration::from_secs(5));
    if let Some((user, password)) = &options.user {
        connect = connect.user_and_password(user.clone(), password.clone());
    }
    if let Some(token) = &options.token {
        connect = connect.token(token.clone());
    }
    if let Some(path) = &options.creds {
        connect = connect
            .credentials_file(path)
            .await
            .map_err(|error| cannot("credentials", path, &error))?;
    }
    if let Some(path) = &options.ca {
        std::fs::File::open(path).map_err(|error| cannot("certificate", path, &error))?;
        connect = connect.add_root_certificates(path.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.certificate {
        for path in [certificate, key] {
            std::fs::File::open(path).map_err(|error| cannot("certificate", path, &error))?;
        }
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    let servers = options.servers.join(", ");
    connect
        .connect(options.servers.as_slice())
        .await
        .map_err(|error| away(&format!("cannot connect to {servers}"), &error))
}
