//! The web app: HTTP, one WebSocket a sitting, the page.
//!
//! [`App::router`] is all of it as a service that needs no socket; [`App::serve`] puts it on one.
//!
//! - `guard` lets in whom it may: no other web page can drive the engine.
//! - `page` has the files of the page, built into the program.
//! - `socket` is one connection, `outbox` what waits to be sent on it.
//! - `hall` keeps the sittings, which outlive their connections; the rules of a sitting are in the
//!   crate `studio`.
//! - `room` has the engines, and divides their time among the sittings.

mod guard;
mod hall;
mod outbox;
mod page;
mod room;
mod socket;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::guard::Guard;
use crate::hall::Hall;

/// How the app is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Threads that search together.
    pub threads: usize,
    /// The size of the table for 8×8 in mebibytes; the other sizes have smaller ones.
    pub table_mib: usize,
    /// A folder with the page, instead of the one built in.
    pub page: Option<PathBuf>,
    /// How long a page may take to read a message before it is given up.
    pub patience: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config { threads: 1, table_mib: 64, page: None, patience: Duration::from_secs(30) }
    }
}

/// The web app.
#[derive(Clone)]
pub struct App {
    hall: Arc<Hall>,
    page: Option<PathBuf>,
}

impl App {
    /// The app, without a sitting.
    pub fn new(config: Config) -> App {
        let hall = Hall::new(config.threads, config.table_mib, config.patience);
        App { hall: Arc::new(hall), page: config.page }
    }

    /// The app as it is reached at an address.
    pub fn router(&self, addr: SocketAddr) -> Router {
        let guard = Guard::new(addr);
        Router::new()
            .route("/socket", get(socket::upgrade))
            .with_state(Arc::clone(&self.hall))
            .merge(page::router(self.page.as_deref()))
            .layer(middleware::from_fn_with_state(guard, guard::check))
            .layer(middleware::map_response(guard::harden))
    }

    /// How many sittings there are, attended or waiting for their page.
    pub fn n_sittings(&self) -> usize {
        self.hall.n_sittings()
    }

    /// How many jobs the engines have.
    pub fn n_jobs(&self) -> usize {
        self.hall.n_jobs()
    }

    /// Serves until `end` comes; then says goodbye to the pages.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve(
        &self,
        listener: TcpListener,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let router = self.router(listener.local_addr()?);
        let hall = Arc::clone(&self.hall);
        let end = async move {
            end.await;
            hall.close().await;
        };
        // A page waits for each message: none is kept back for the next one.
        let listener = listener.tap_io(|stream| {
            // If it cannot be had it will do without.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).with_graceful_shutdown(end).await
    }
}
