//! How fast the app answers when several sittings keep it busy.
//!
//! `cargo run --release -p obverse-web --example load -- [SITTINGS [CLICKS [THREADS]]]`
//!
//! Each sitting has the analysis on, without a limit, looks at its values for a while and clicks a
//! legal square, again and again. Measured is the time from a click to the new board, and to the first
//! values on it.

#![allow(clippy::print_stdout, reason = "this is a program for the terminal")]

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use obverse_web::{App, Config};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long somebody looks at the values before the next click.
const LOOK: Duration = Duration::from_millis(300);

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let mut number = |default: usize| numbers.next().unwrap_or(default);
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (n_sittings, n_clicks, threads) = (number(10), number(20), number(all));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let addr = listener.local_addr().expect("an address");
    let app = App::new(Config { threads, table_mib: 256, ..Config::default() });
    tokio::spawn(async move { app.serve(listener, std::future::pending()).await });
    let mut tasks = Vec::new();
    for i in 0..n_sittings {
        tasks.push(tokio::spawn(sit(addr, i, n_clicks)));
    }
    let (mut boards, mut values) = (Vec::new(), Vec::new());
    for task in tasks {
        for (board, value) in task.await.expect("a sitting") {
            boards.push(board);
            values.push(value);
        }
    }
    println!("{n_sittings} sittings, {n_clicks} clicks each, {threads} threads");
    print("board ", &mut boards);
    print("values", &mut values);
}

fn print(what: &str, times: &mut [Duration]) {
    times.sort();
    let part = |part: usize| times[(times.len() - 1) * part / 100];
    println!("{what}: median {:?}, 95 % {:?}, worst {:?}", part(50), part(95), part(100));
}

/// Clicks, and measures the times to the board and to the values.
async fn sit(addr: std::net::SocketAddr, i: usize, n_clicks: usize) -> Vec<(Duration, Duration)> {
    let mut request = format!("ws://{addr}/socket").into_client_request().expect("a request");
    let origin = format!("http://{addr}").parse().expect("an origin");
    request.headers_mut().insert("origin", origin);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a server");
    send(&mut socket, json!({"type": "hello", "version": 1})).await;
    send(&mut socket, json!({"type": "analyze", "on": true})).await;
    let mut state = next(&mut socket, |message| message["type"] == "state").await;
    let mut times = Vec::new();
    for _ in 0..n_clicks {
        // Messages of the last position come in meanwhile and must not be left in the way.
        let look = next(&mut socket, |_| false);
        let _ = tokio::time::timeout(LOOK, look).await;
        let legal = state["position"]["legal"].as_array().expect("a list");
        if legal.is_empty() {
            break;
        }
        let square = &legal[i % legal.len()]["square"];
        let click = Instant::now();
        send(&mut socket, json!({"type": "play", "square": square})).await;
        state = next(&mut socket, |message| message["type"] == "state").await;
        let board = click.elapsed();
        let node = &state["node"];
        next(&mut socket, |message| message["node"] == *node && message["squares"][0].is_object())
            .await;
        times.push((board, click.elapsed()));
    }
    times
}

async fn send(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("a connection");
}

async fn next(socket: &mut Socket, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = socket.next().await.expect("a connection").expect("a message");
        if let Message::Text(text) = message {
            let value: Value = serde_json::from_str(&text).expect("JSON");
            if is_it(&value) {
                return value;
            }
        }
    }
}
