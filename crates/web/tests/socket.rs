//! The app on a real socket: games, bad clients, many clients, restarts.

mod common;

use std::time::Duration;

use common::{Page, Server, eventually};
use futures_util::SinkExt;
use obverse_web::Config;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{self, Message};

const MESSAGE_BYTES_MAX: usize = 4 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_the_engine_is_played_to_its_end() {
    let server = Server::start().await;
    let mut page = server.page().await;
    let game = json!({"type": "new-game", "size": 6, "black": "human", "white": "engine:level=2"});
    page.send(game).await;
    let mut n_engine_moves = 0;
    let result = loop {
        let state = page.until("state").await;
        for event in state["events"].as_array().unwrap() {
            n_engine_moves += usize::from(event["kind"] == "moved" && event["side"] == "white");
        }
        if state["game"]["status"] == "over" {
            break state["game"]["result"].clone();
        }
        if state["game"]["status"] == "going" && state["can"]["play"] == true {
            let square = &state["position"]["legal"][0]["square"];
            page.send(json!({"type": "play", "square": square, "node": state["node"]})).await;
        }
    };
    assert!(n_engine_moves > 10);
    assert_eq!(result["by"], "discs");
    let discs = |side: &str| result["discs"][side].as_i64().unwrap();
    assert_eq!(result["score"]["discs"], discs("black") - discs("white"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_game_is_judged_to_the_end() {
    let server = Server::start().await;
    let mut page = server.page().await;
    let moves = "f5d6c3d3c4f4f6f3e6e7d7c5b5c6f7f8e8d8g6g5h5h4";
    page.send(json!({"type": "import", "text": moves})).await;
    page.send(json!({"type": "review", "effort": {"kind": "level", "level": 2}})).await;
    let done = page.find(|m| m["type"] == "review" && m["status"] == "done").await;
    assert_eq!(done["done"], moves.len() / 2);
    assert_eq!(done["moves"].as_array().unwrap().len(), moves.len() / 2);
    assert!(done["totals"]["black"]["accuracy"].is_number());
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_answered_and_harms_nobody() {
    let server = Server::start().await;
    let mut page = server.connect().await;
    page.send(json!({"type": "play", "square": "f5", "id": 3})).await;
    let error = page.until("error").await;
    assert_eq!((&error["code"], &error["to"]), (&json!("no-hello"), &json!(3)));
    page.socket.send(Message::text("{")).await.unwrap();
    assert_eq!(page.until("error").await["code"], "bad-message");
    page.send(json!({"type": "hello", "version": 1})).await;
    page.until("state").await;
    for nonsense in ["", "[]", "null", "{\"type\":1}", "{\"type\":\"play\",\"square\":\"\u{0}\"}"] {
        page.socket.send(Message::text(nonsense)).await.unwrap();
        page.until("error").await;
    }
    page.socket.send(Message::binary(vec![0, 159, 146, 150])).await.unwrap();
    page.until("error").await;
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    page.socket.send(Message::text(deep)).await.unwrap();
    assert_eq!(page.until("error").await["code"], "bad-message");
    assert!(page.is_alive().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_version_is_sent_away() {
    let server = Server::start().await;
    let mut page = server.connect().await;
    page.send(json!({"type": "hello", "version": 999})).await;
    assert_eq!(page.next().await, Some(json!({"type": "bye", "reason": "version"})));
    assert_eq!(page.next().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_message_ends_its_connection_and_no_other() {
    let server = Server::start().await;
    let mut other = server.page().await;
    let mut page = server.page().await;
    let text = format!("{{\"type\":\"import\",\"text\":\"{}\"}}", "x".repeat(MESSAGE_BYTES_MAX));
    // It may be gone before all of it is sent.
    let _ = page.socket.send(Message::text(text)).await;
    while page.next().await.is_some() {}
    assert!(other.is_alive().await);
    // A long one is fine, but not everything can be imported.
    let text = "x".repeat(MESSAGE_BYTES_MAX - 1000);
    other.send(json!({"type": "import", "text": text})).await;
    assert_eq!(other.until("error").await["code"], "too-large");
    assert!(other.is_alive().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_ends_its_connection_and_no_other() {
    let server = Server::start().await;
    let mut other = server.page().await;
    let mut page = server.page().await;
    for _ in 0..2000 {
        if page.socket.send(Message::text("{\"type\":\"ping\"}")).await.is_err() {
            break;
        }
    }
    let mut last = Value::Null;
    while let Some(message) = page.next().await {
        last = message;
    }
    assert_eq!(last, json!({"type": "bye", "reason": "too-fast"}));
    assert!(other.is_alive().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_cannot_open_a_socket() {
    let server = Server::start().await;
    let refused = |name: &'static str, value: Option<&str>| {
        let mut request = server.request();
        match value {
            Some(value) => request.headers_mut().insert(name, value.parse().unwrap()),
            None => request.headers_mut().remove(name),
        };
        async move {
            match tokio_tungstenite::connect_async(request).await {
                Err(tungstenite::Error::Http(response)) => response.status().as_u16(),
                other => panic!("found {other:?}, expected a refusal"),
            }
        }
    };
    assert_eq!(refused("origin", Some("http://evil.example")).await, 403);
    assert_eq!(refused("origin", Some("null")).await, 403);
    assert_eq!(refused("origin", None).await, 403);
    assert_eq!(refused("host", Some("evil.example")).await, 421);
    assert_eq!(server.app.n_sittings(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_vanishes_stops_its_search() {
    let server = Server::start().await;
    let mut page = server.page().await;
    page.send(json!({"type": "analyze", "on": true})).await;
    page.find(|m| m["type"] == "analysis" && m["squares"] != json!([])).await;
    assert_eq!(server.app.n_jobs(), 1);
    // No goodbye: the connection just ends.
    drop(page);
    eventually("the search goes on", || server.app.n_jobs() == 0).await;
    assert_eq!(server.app.n_sittings(), 1, "the sitting waits for its page");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_harms_nobody() {
    let server = Server::start().await;
    let mut slow = server.page().await;
    let mut other = server.page().await;
    slow.send(json!({"type": "analyze", "on": true, "lines": 10})).await;
    // It asks for much and reads nothing of it.
    for i in 0..150 {
        slow.send(json!({"type": "search-tree", "depth": 4, "id": i})).await;
    }
    for _ in 0..5 {
        assert!(other.is_alive().await);
        other.send(json!({"type": "analyze", "on": true})).await;
        other.find(|m| m["type"] == "analysis" && m["squares"] != json!([])).await;
        other.send(json!({"type": "analyze", "on": false})).await;
    }
    // When it reads again all its answers are there.
    let mut n_answers = 0;
    while n_answers < 150 {
        n_answers += usize::from(slow.until("search-tree").await["to"] == n_answers);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_reads_is_given_up() {
    let patience = Duration::from_millis(200);
    let server = Server::with(Config { table_mib: 1, patience, ..Config::default() }).await;
    let mut page = server.page().await;
    page.send(json!({"type": "analyze", "on": true})).await;
    // More than the system keeps for a connection.
    for _ in 0..150 {
        page.send(json!({"type": "search-tree", "depth": 5})).await;
    }
    eventually("its search goes on", || server.app.n_jobs() == 0).await;
    assert_eq!(server.app.n_sittings(), 1, "the sitting waits for its page");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_sittings_are_all_answered() {
    let server = Server::start().await;
    let mut tasks = Vec::new();
    for i in 0..10 {
        let mut page = server.page().await;
        tasks.push(tokio::spawn(async move {
            page.send(json!({"type": "analyze", "on": true})).await;
            for _ in 0..5 {
                click(&mut page, i).await;
            }
            page
        }));
    }
    let mut pages = Vec::new();
    for task in tasks {
        pages.push(task.await.unwrap());
    }
    assert_eq!((server.app.n_sittings(), server.app.n_jobs()), (10, 10));
    // Nobody is forgotten while all go on: each hears of something better than the first glance.
    for page in &mut pages {
        page.find(|m| depth(m) >= 6).await;
    }
    drop(pages);
    eventually("some search goes on", || server.app.n_jobs() == 0).await;
}

/// Makes a move and waits for the values of the next one.
async fn click(page: &mut Page, i: usize) {
    page.send(json!({"type": "walk", "to": "last"})).await;
    let state = page.until("state").await;
    let legal = state["position"]["legal"].as_array().unwrap();
    let square = &legal[i % legal.len()]["square"];
    page.send(json!({"type": "play", "square": square})).await;
    let node = page.until("state").await["node"].clone();
    page.find(|m| m["type"] == "analysis" && m["node"] == node && m["squares"] != json!([])).await;
}

fn depth(message: &Value) -> u64 {
    message["squares"][0]["value"]["depth"].as_u64().unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_comes_back_to_its_sitting() {
    let server = Server::start().await;
    let mut page = server.connect().await;
    page.send(json!({"type": "hello", "version": 1})).await;
    let sitting = page.until("welcome").await["sitting"].clone();
    page.send(json!({"type": "enter", "node": 0, "moves": ["f5", "d6"]})).await;
    page.find(|m| m["type"] == "state" && m["node"] == 2).await;
    // Reloaded: the new connection comes before the old one is gone.
    let mut again = server.connect().await;
    again.send(json!({"type": "hello", "version": 1, "sitting": sitting})).await;
    assert_eq!(again.until("welcome").await["resumed"], "kept");
    assert_eq!(again.until("state").await["node"], 2);
    assert_eq!(page.until("bye").await["reason"], "taken-over");
    assert_eq!(page.next().await, None);
    assert!(again.is_alive().await);
    assert_eq!(server.app.n_sittings(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_nothing() {
    let server = Server::start().await;
    let mut page = server.page().await;
    let game = json!({"type": "new-game", "size": 8, "black": "human", "white": "engine:level=1",
                      "black_clock": {"time_ms": 600_000}});
    page.send(game).await;
    page.send(json!({"type": "play", "square": "f5"})).await;
    // The engine has answered.
    let before = page.find(|m| m["type"] == "state" && m["game"]["tip"] == 2).await;
    let saved = page.until("saved").await["text"].clone();
    server.stop().await;
    assert_eq!(page.until("bye").await["reason"], "shutdown");

    let server = Server::start().await;
    let mut page = server.connect().await;
    let hello = json!({"type": "hello", "version": 1, "sitting": "gone", "saved": saved});
    page.send(hello).await;
    assert_eq!(page.until("welcome").await["resumed"], "restored");
    let after = page.until("state").await;
    assert_eq!(after["position"], before["position"]);
    assert_eq!(after["game"]["players"], before["game"]["players"]);
    assert_eq!(after["game"]["status"], "going");
    // And the game goes on.
    let square = &after["position"]["legal"][0]["square"];
    page.send(json!({"type": "play", "square": square})).await;
    page.find(|m| m["type"] == "state" && m["game"]["tip"] == 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_cannot_be_read_gives_a_new_sitting() {
    let server = Server::start().await;
    let mut page = server.connect().await;
    page.send(json!({"type": "hello", "version": 1, "saved": "{}"})).await;
    let mut kinds = Vec::new();
    for _ in 0..4 {
        let message = page.next().await.unwrap();
        if message["type"] == "error" {
            assert_eq!(message["code"], "bad-saved");
        }
        kinds.push(message["type"].as_str().unwrap().to_owned());
    }
    kinds.sort();
    assert_eq!(kinds, ["error", "state", "tree", "welcome"]);
    assert!(page.is_alive().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_hall_makes_room_by_forgetting_the_deserted() {
    let server = Server::start().await;
    let mut pages = Vec::new();
    for _ in 0..64 {
        pages.push(server.page().await);
    }
    let mut late = server.connect().await;
    late.send(json!({"type": "hello", "version": 1})).await;
    assert_eq!(late.next().await, Some(json!({"type": "bye", "reason": "full"})));
    drop(pages.pop());
    // The server sees that it is gone before long.
    loop {
        let mut late = server.connect().await;
        late.send(json!({"type": "hello", "version": 1})).await;
        if late.next().await.unwrap()["type"] == "welcome" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.app.n_sittings(), 64);
    assert!(pages[0].is_alive().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn move_now_ends_a_long_thought() {
    let server = Server::start().await;
    let mut page = server.page().await;
    let game = json!({"type": "new-game", "size": 8, "black": "engine:time=1h", "white": "human"});
    page.send(game).await;
    page.find(|m| m["type"] == "state" && m["game"]["thinking"] == true).await;
    page.send(json!({"type": "move-now"})).await;
    let state = page.find(|m| m["type"] == "state" && m["game"]["tip"] == 1).await;
    assert_eq!(state["position"]["turn"], "white");
}
