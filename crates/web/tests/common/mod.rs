//! A server on a port of its own, and pages that are programs.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use obverse_web::{App, Config};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Longer than anything takes, even on a busy machine: then something is wrong.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A server that runs.
pub(crate) struct Server {
    pub(crate) app: App,
    pub(crate) addr: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        Server::with(Config { table_mib: 1, ..Config::default() }).await
    }

    pub(crate) async fn with(config: Config) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let app = App::new(config);
        let (end, ended) = oneshot::channel();
        let served = app.clone();
        let task = tokio::spawn(async move {
            served.serve(listener, async { ended.await.unwrap_or_default() }).await
        });
        Server { app, addr, end: Some(end), task }
    }

    pub(crate) async fn stop(mut self) {
        self.end.take().unwrap().send(()).unwrap();
        tokio::time::timeout(PATIENCE, &mut self.task).await.unwrap().unwrap().unwrap();
    }

    /// The request of a page for its socket.
    pub(crate) fn request(&self) -> Request {
        let mut request = format!("ws://{}/socket", self.addr).into_client_request().unwrap();
        let origin = format!("http://{}", self.addr).parse().unwrap();
        request.headers_mut().insert("origin", origin);
        request
    }

    /// A page that has not said hello.
    pub(crate) async fn connect(&self) -> Page {
        let (socket, _) = tokio_tungstenite::connect_async(self.request()).await.unwrap();
        Page { socket }
    }

    /// A page that has been welcomed and shown everything.
    pub(crate) async fn page(&self) -> Page {
        let mut page = self.connect().await;
        page.send(json!({"type": "hello", "version": 1})).await;
        page.until("state").await;
        page
    }
}

/// A page.
pub(crate) struct Page {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Page {
    pub(crate) async fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message; `None` if the connection has ended.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            match tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("no answer")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_))
                | Err(
                    tungstenite::Error::ConnectionClosed
                    | tungstenite::Error::Protocol(_)
                    | tungstenite::Error::Io(_),
                ) => return None,
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next message of a type.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed, expected {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The next message that satisfies `is_it`.
    pub(crate) async fn find(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await.expect("closed, expected more");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Whether it is still answered.
    pub(crate) async fn is_alive(&mut self) -> bool {
        self.send(json!({"type": "ping", "id": 77})).await;
        self.until("pong").await["to"] == 77
    }
}

/// Waits until something is so.
pub(crate) async fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
