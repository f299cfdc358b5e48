//! One connection: what the page sends goes to its sitting, what the sitting says to the page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::future::FusedFuture;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{FutureExt, SinkExt, StreamExt};
use obverse_studio::sitting::{self, MESSAGE_BYTES_MAX};
use obverse_studio::wire::{ByeReason, FromPage, ToPage, VERSION};
use tokio::time::{sleep, timeout};

use crate::hall::{Desk, Hall, Letter, Place};
use crate::outbox::Outbox;

/// How long a page may take to say hello.
const HELLO: Duration = Duration::from_secs(10);
/// How often it is asked whether it is still there, and how long it may be silent.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// Messages a second, and how many at once.
const RATE: f64 = 60.0;
const BURST: f64 = 200.0;

/// Opens a WebSocket.
pub(crate) async fn upgrade(State(hall): State<Arc<Hall>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .on_upgrade(|socket| converse(hall, socket))
}

async fn converse(hall: Arc<Hall>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let outbox = Arc::new(Outbox::default());
    let mut writer = Box::pin(write(sink, Arc::clone(&outbox), hall.patience).fuse());
    // A writer that ends has nobody to write to.
    let place = tokio::select! {
        place = timeout(HELLO, greet(&hall, &mut stream, &outbox)) => place.ok().flatten(),
        () = &mut writer => None,
    };
    if let Some(Place { desk, connection }) = place {
        let reason = tokio::select! {
            reason = read(&mut stream, &desk, connection) => reason,
            () = &mut writer => None,
        };
        if let Some(reason) = reason {
            outbox.push(&ToPage::Bye { reason });
        }
        desk.tell(Letter::Leave { connection }).await;
    }
    outbox.close();
    let send_rest = async {
        if !writer.is_terminated() {
            (&mut writer).await;
        }
    };
    // What the page still sends is thrown away. Left unread, it would make the system throw away what
    // the page has not read yet.
    let drain = async { while let Some(Ok(_)) = stream.next().await {} };
    let _ = timeout(GOODBYE, async { tokio::join!(send_rest, drain) }).await;
}

/// Waits for the first message and brings the page to its sitting.
async fn greet(
    hall: &Arc<Hall>,
    stream: &mut SplitStream<WebSocket>,
    outbox: &Arc<Outbox>,
) -> Option<Place> {
    loop {
        let Some(Ok(message)) = stream.next().await else { return None };
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => Utf8Bytes::default(),
            Message::Close(_) => return None,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let refusal = match sitting::read(&text) {
            Ok((_, FromPage::Hello { version, sitting, saved })) => {
                if version != VERSION {
                    outbox.push(&ToPage::Bye { reason: ByeReason::Version });
                    return None;
                }
                let place = hall.attend(sitting.as_deref(), saved.as_deref(), outbox).await;
                return place.map_err(|reason| outbox.push(&ToPage::Bye { reason })).ok();
            }
            Ok((id, _)) => sitting::Refusal::no_hello().message(id),
            Err((id, refusal)) => refusal.message(id),
        };
        outbox.push(&refusal);
    }
}

/// Hands messages to the sitting until the page is gone, or is to be sent away.
async fn read(
    stream: &mut SplitStream<WebSocket>,
    desk: &Desk,
    connection: u64,
) -> Option<ByeReason> {
    let mut bucket = Bucket::new(Instant::now());
    loop {
        // Else it is silent, closed, or not a WebSocket any more.
        let Ok(Some(Ok(message))) = timeout(SILENCE, stream.next()).await else { return None };
        if !bucket.take(Instant::now()) {
            return Some(ByeReason::TooFast);
        }
        let text = match message {
            Message::Text(text) => text.as_str().to_owned(),
            // The sitting says what is wrong with it.
            Message::Binary(_) => String::new(),
            Message::Close(_) => return None,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        if !desk.tell(Letter::Message { connection, text }).await {
            return None;
        }
    }
}

/// Sends what the outbox has, and asks now and then whether the page is still there.
async fn write(mut sink: SplitSink<WebSocket, Message>, outbox: Arc<Outbox>, patience: Duration) {
    loop {
        let message = tokio::select! {
            message = outbox.pop() => match message {
                Some(text) => Message::Text(text.into()),
                None => break,
            },
            () = sleep(PING) => Message::Ping(Vec::new().into()),
        };
        match timeout(patience, sink.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    }
    let frame = CloseFrame { code: 1000, reason: Utf8Bytes::default() };
    let _ = timeout(GOODBYE, sink.send(Message::Close(Some(frame)))).await;
}

/// How many messages a page may still send: a bucket that fills up as time passes.
struct Bucket {
    level: f64,
    looked: Instant,
}

impl Bucket {
    fn new(now: Instant) -> Bucket {
        Bucket { level: BURST, looked: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.looked).as_secs_f64();
        self.level = (self.level + passed * RATE).min(BURST);
        self.looked = now;
        let is_enough = self.level >= 1.0;
        if is_enough {
            self.level -= 1.0;
        }
        is_enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_taken_and_floods_are_not() {
        let start = Instant::now();
        let mut bucket = Bucket::new(start);
        assert_eq!((0..1000).filter(|_| bucket.take(start)).count(), 200);
        let later = start + Duration::from_secs(1);
        assert_eq!((0..1000).filter(|_| bucket.take(later)).count(), 60);
    }
}
