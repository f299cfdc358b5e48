//! The queue on many machines: `JetStream`, the part of NATS that keeps what it is told. Only this file
//! and `nats/connection.rs` do input and output.
//!
//! Four streams, their names beginning with `OBVERSE_`:
//!
//! | stream | subjects | what |
//! |---|---|---|
//! | `JOBS` | `obverse.v1.jobs.CLASS.CAMPAIGN.CHUNK` | chunks, a work queue |
//! | `RESULTS` | `obverse.v1.results.CAMPAIGN.CHUNK` | what came of them |
//! | `TICKETS` | `obverse.v1.tickets.CAMPAIGN.HASH` | who asked: lines of files |
//! | `CAMPAIGNS` | `obverse.v1.campaigns.CAMPAIGN` | what was asked, and whether all of it was |
//!
//! A chunk's name is made of its questions, and a subject holds one message at most: what is submitted
//! twice is there once, however much later. Workers lease chunks by two consumers, one a class, and
//! renew the leases; a worker that is not heard of loses its chunk to another.

mod connection;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

pub use self::connection::Options;
use self::connection::connect;
use crate::chunk::sum;
use crate::wire::{self, Tickets};
use crate::{Chunk, Class, Error, Lease, Offer, Results, Token, Transport};

const PREFIX: &str = "obverse.v1";
const JOBS: &str = "OBVERSE_JOBS";
const RESULTS: &str = "OBVERSE_RESULTS";
const TICKETS: &str = "OBVERSE_TICKETS";
const CAMPAIGNS: &str = "OBVERSE_CAMPAIGNS";

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a job that was given back rests before somebody tries again.
const REST: Duration = Duration::from_secs(1);

/// How long a lease lasts if nobody ever asked for something else.
const LEASE: Duration = Duration::from_secs(30);

/// How many chunks may wait if nobody ever asked for something else.
const N_CHUNKS_MAX: i64 = 100_000;

/// A list of questions.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Campaign {
    /// Its name.
    pub name: String,
    /// What is asked.
    pub task: String,
    /// How many positions were submitted.
    pub tickets: u64,
    /// How many different questions that makes.
    pub questions: u64,
    /// How many bad lines there were.
    pub bad: u64,
    /// Whether all was submitted.
    pub complete: bool,
    /// Whether it was cancelled.
    #[serde(default)]
    pub cancelled: bool,
}

/// How many messages there are of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Chunks that nobody has.
    pub waiting: u64,
    /// Chunks that somebody has.
    pub leased: u64,
    /// Chunks that were handed out more than once.
    pub again: u64,
    /// Messages with results.
    pub results: u64,
    /// Bytes of everything.
    pub bytes: u64,
}

/// Checks that a name can be part of a subject.
///
/// # Errors
/// If not, with the reason.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_fine) {
        return Err(format!("found {name:?}, expected letters, digits, - and _, at most 64"));
    }
    Ok(())
}

/// A connection to the queue.
pub struct Nats {
    runtime: Runtime,
    client: Client,
    context: Context,
    campaign: Arc<str>,
    options: Options,
    consumers: Mutex<[Option<PullConsumer>; 2]>,
    results: Mutex<Reader>,
    tickets: Mutex<Reader>,
    lease: Mutex<Duration>,
}

impl std::fmt::Debug for Nats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Nats at {:?}", self.options.servers)
    }
}

/// A stream that is read from some message on.
struct Reader {
    stream: &'static str,
    filter: String,
    /// Made when it is needed; it does not outlive every server.
    consumer: Option<PullConsumer>,
    /// What was fetched but not taken.
    waiting: VecDeque<(u64, Vec<u8>)>,
    /// The sequence number of the last message taken, and fetched.
    taken: u64,
    fetched: u64,
}

impl Reader {
    fn new(stream: &'static str, filter: String) -> Reader {
        Reader { stream, filter, consumer: None, waiting: VecDeque::new(), taken: 0, fetched: 0 }
    }

    fn begin_after(&mut self, sequence: u64) {
        self.consumer = None;
        self.waiting.clear();
        (self.taken, self.fetched) = (sequence, sequence);
    }
}

impl Nats {
    /// Connects to the servers, and makes the streams if there are none.
    ///
    /// # Errors
    /// If no server can be reached, or it refuses.
    pub fn connect(options: Options, campaign: &str) -> Result<Nats, Error> {
        check_name(campaign).map_err(Error::Refused)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Error::Refused(format!("cannot start a thread: {error}")))?;
        let client = runtime.block_on(connect(&options))?;
        let context = {
            let _inside = runtime.enter();
            let mut context = jetstream::new(client.clone());
            context.set_timeout(PATIENCE);
            context
        };
        let nats = Nats {
            runtime,
            client,
            context,
            campaign: campaign.into(),
            lease: Mutex::new(options.lease.unwrap_or(LEASE)),
            options,
            consumers: Mutex::default(),
            results: Mutex::new(Reader::new(RESULTS, format!("{PREFIX}.results.{campaign}.>"))),
            tickets: Mutex::new(Reader::new(TICKETS, format!("{PREFIX}.tickets.{campaign}.>"))),
        };
        nats.set_up()?;
        Ok(nats)
    }

    fn set_up(&self) -> Result<(), Error> {
        let base = stream::Config {
            storage: StorageType::File,
            num_replicas: self.options.n_replicas.unwrap_or(1),
            discard: DiscardPolicy::New,
            max_messages_per_subject: 1,
            discard_new_per_subject: true,
            ..stream::Config::default()
        };
        let named = |name: &str, kind: &str| stream::Config {
            name: name.to_owned(),
            subjects: vec![format!("{PREFIX}.{kind}.>")],
            ..base.clone()
        };
        let configs = [
            stream::Config {
                retention: RetentionPolicy::WorkQueue,
                max_messages: self.options.n_chunks_max.unwrap_or(N_CHUNKS_MAX),
                ..named(JOBS, "jobs")
            },
            named(RESULTS, "results"),
            named(TICKETS, "tickets"),
            stream::Config {
                discard: DiscardPolicy::Old,
                discard_new_per_subject: false,
                ..named(CAMPAIGNS, "campaigns")
            },
        ];
        self.runtime.block_on(async {
            for config in configs {
                let name = config.name.clone();
                let stream = self
                    .context
                    .get_or_create_stream(config)
                    .await
                    .map_err(|error| away(&format!("cannot make the stream {name}"), &error))?;
                let found = &stream.cached_info().config;
                let wanted = self.changed(found.clone());
                if wanted != *found {
                    self.context.update_stream(wanted).await.map_err(|error| {
                        away(&format!("cannot change the stream {name}"), &error)
                    })?;
                }
            }
            Ok(())
        })
    }

    /// A stream that was there, as we want it: what we do not ask for stays.
    fn changed(&self, mut config: stream::Config) -> stream::Config {
        config.num_replicas = self.options.n_replicas.unwrap_or(config.num_replicas);
        if config.name == JOBS {
            config.max_messages = self.options.n_chunks_max.unwrap_or(config.max_messages);
        }
        config
    }

    async fn stream(&self, name: &str) -> Result<Stream, Error> {
        let stream = self.context.get_stream(name).await;
        stream.map_err(|error| away(&format!("cannot find the stream {name}"), &error))
    }

    /// The consumer of a class, which all workers share.
    async fn consumer(&self, class: Class) -> Result<PullConsumer, Error> {
        let known =
            self.consumers.lock().unwrap_or_else(PoisonError::into_inner)[class as usize].clone();
        if let Some(consumer) = known {
            return Ok(consumer);
        }
        let config = pull::Config {
            durable_name: Some(class.name().to_owned()),
            filter_subject: format!("{PREFIX}.jobs.{}.>", class.name()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.options.lease.unwrap_or(LEASE),
            max_ack_pending: 1_000_000,
            max_waiting: 16_384,
            ..pull::Config::default()
        };
        let stream = self.stream(JOBS).await?;
        let mut consumer = stream
            .get_or_create_consumer(class.name(), config.clone())
            .await
            .map_err(|error| away("cannot make a consumer", &error))?;
        let found = consumer.cached_info().config.ack_wait;
        if self.options.lease.is_some_and(|lease| lease != found) {
            // To make one that is there changes it.
            consumer = stream
                .create_consumer(config)
                .await
                .map_err(|error| away("cannot change a consumer", &error))?;
        }
        *self.lease.lock().unwrap_or_else(PoisonError::into_inner) =
            consumer.cached_info().config.ack_wait;
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner)[class as usize] =
            Some(consumer.clone());
        Ok(consumer)
    }

    /// Publishes a message on a subject that may hold one only.
    async fn publish(&self, subject: String, bytes: Vec<u8>) -> Result<Offer, Error> {
        let sent = self.context.publish(subject, bytes.into()).await;
        let acked = match sent {
            Ok(ack) => ack.await,
            Err(error) => Err(error),
        };
        match acked {
            Ok(_) => Ok(Offer::Taken),
            Err(error) => {
                let text = whole(&error);
                if text.contains("maximum messages per subject") {
                    Ok(Offer::Known)
                } else if text.contains("maximum messages exceeded") {
                    Ok(Offer::Full)
                } else {
                    Err(Error::Away(text))
                }
            }
        }
    }

    /// Whether there are results of a chunk.
    async fn is_done(&self, chunk: &Chunk) -> Result<bool, Error> {
        let subject = format!("{PREFIX}.results.{}.{}", chunk.campaign, chunk.id());
        Ok(self.last(RESULTS, &subject).await?.is_some())
    }

    /// The last message of a subject, if there is one.
    async fn last(&self, name: &str, subject: &str) -> Result<Option<Vec<u8>>, Error> {
        let stream = self.context.get_stream_no_info(name).await;
        let stream = stream.map_err(|error| away("cannot find a stream", &error))?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message.payload.to_vec())),
            Err(error) => match error.kind() {
                stream::LastRawMessageErrorKind::NoMessageFound => Ok(None),
                _ => Err(away("cannot read a stream", &error)),
            },
        }
    }

    async fn put_results(&self, results: &Results) -> Result<(), Error> {
        if results.outcomes.is_empty() {
            return Ok(());
        }
        let subject = format!("{PREFIX}.results.{}.{}", results.campaign, results.id);
        match self.publish(subject, wire::write_results(results)).await? {
            Offer::Taken | Offer::Known => Ok(()),
            Offer::Full => Err(Error::Away("there is no room for results".to_owned())),
        }
    }

    /// Hands over results that nobody had to work for.
    ///
    /// # Errors
    /// If it is not certain that they are safe.
    pub fn publish_results(&self, results: &Results) -> Result<(), Error> {
        self.runtime.block_on(self.put_results(results))
    }

    /// Says who asked; once more does no harm.
    ///
    /// # Errors
    /// If it is not certain that it is safe.
    pub fn publish_tickets(&self, tickets: &Tickets) -> Result<(), Error> {
        let bytes = wire::write_tickets(tickets);
        let sum = sum(bytes.iter().copied());
        let subject = format!("{PREFIX}.tickets.{}.{sum:032x}", self.campaign);
        match self.runtime.block_on(self.publish(subject, bytes))? {
            Offer::Taken | Offer::Known => Ok(()),
            Offer::Full => Err(Error::Away("there is no room for tickets".to_owned())),
        }
    }

    /// Takes tickets of the campaign, if there are some.
    ///
    /// # Errors
    /// If the queue cannot be reached, or holds something else.
    pub fn tickets(&self) -> Result<Option<Tickets>, Error> {
        let Some(bytes) = self.take(&self.tickets, Duration::ZERO)? else { return Ok(None) };
        wire::read_tickets(&bytes)
            .map(Some)
            .map_err(|error| Error::Refused(format!("tickets that make no sense: {error}")))
    }

    /// Takes the next message of a stream, if there is one within this time.
    fn take(&self, reader: &Mutex<Reader>, wait: Duration) -> Result<Option<Vec<u8>>, Error> {
        let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
        if reader.waiting.is_empty() {
            let fetched = self.runtime.block_on(async {
                if reader.consumer.is_none() {
                    let consumer =
                        self.reader(reader.stream, &reader.filter, reader.fetched).await?;
                    reader.consumer = Some(consumer);
                }
                fetch(reader.consumer.as_ref().expect("just made"), 256, wait).await
            });
            match fetched {
                Ok(messages) => {
                    reader.fetched =
                        messages.last().map_or(reader.fetched, |(sequence, _)| *sequence);
                    reader.waiting.extend(messages);
                }
                Err(error) => {
                    reader.consumer = None;
                    return Err(error);
                }
            }
        }
        let Some((sequence, bytes)) = reader.waiting.pop_front() else { return Ok(None) };
        reader.taken = sequence;
        Ok(Some(bytes))
    }

    /// A consumer of our own that reads a stream from a sequence number on.
    async fn reader(&self, name: &str, filter: &str, after: u64) -> Result<PullConsumer, Error> {
        let config = pull::Config {
            filter_subject: filter.to_owned(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: after + 1 },
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_mins(1),
            ..pull::Config::default()
        };
        let stream = self.stream(name).await?;
        let consumer = stream.create_consumer(config).await;
        consumer.map_err(|error| away(&format!("cannot read the stream {name}"), &error))
    }

    /// Begins to take tickets and results after these sequence numbers.
    pub fn begin_after(&self, (tickets, results): (u64, u64)) {
        for (reader, sequence) in [(&self.tickets, tickets), (&self.results, results)] {
            reader.lock().unwrap_or_else(PoisonError::into_inner).begin_after(sequence);
        }
    }

    /// The sequence numbers of the last tickets and results taken.
    pub fn taken(&self) -> (u64, u64) {
        let taken =
            |reader: &Mutex<Reader>| reader.lock().unwrap_or_else(PoisonError::into_inner).taken;
        (taken(&self.tickets), taken(&self.results))
    }

    /// Says what a campaign is.
    ///
    /// # Errors
    /// If it is not certain that it is safe.
    ///
    /// # Panics
    /// Never: texts and numbers are JSON.
    pub fn describe(&self, campaign: &Campaign) -> Result<(), Error> {
        let subject = format!("{PREFIX}.campaigns.{}", campaign.name);
        let bytes = serde_json::to_vec(campaign).expect("texts and numbers are JSON");
        self.runtime.block_on(self.publish(subject, bytes)).map(|_| ())
    }

    /// The campaign, if there is one of its name.
    ///
    /// # Errors
    /// If the queue cannot be reached, or holds something else.
    pub fn campaign(&self) -> Result<Option<Campaign>, Error> {
        let subject = format!("{PREFIX}.campaigns.{}", self.campaign);
        let Some(bytes) = self.runtime.block_on(self.last(CAMPAIGNS, &subject))? else {
            return Ok(None);
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| Error::Refused(format!("a campaign makes no sense: {error}")))
    }

    /// All campaigns.
    ///
    /// # Errors
    /// If the queue cannot be reached, or holds something else.
    pub fn campaigns(&self) -> Result<Vec<Campaign>, Error> {
        let filter = format!("{PREFIX}.campaigns.>");
        self.runtime.block_on(async {
            let consumer = self.reader(CAMPAIGNS, &filter, 0).await?;
            let messages = fetch(&consumer, 10_000, Duration::ZERO).await?;
            let read = |(_, bytes): &(u64, Vec<u8>)| {
                serde_json::from_slice(bytes)
                    .map_err(|error| Error::Refused(format!("a campaign makes no sense: {error}")))
            };
            messages.iter().map(read).collect()
        })
    }

    /// How many messages of a campaign there are, or of all if none is named.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub fn census(&self, campaign: Option<&str>) -> Result<Census, Error> {
        let name = campaign.unwrap_or("*");
        self.runtime.block_on(async {
            let mut census = Census::default();
            for name in [JOBS, RESULTS, TICKETS, CAMPAIGNS] {
                census.bytes += self.stream(name).await?.cached_info().state.bytes;
            }
            census.results = self.count(RESULTS, &format!("{PREFIX}.results.{name}.*")).await?;
            for class in Class::ALL {
                let mut consumer = self.consumer(class).await?;
                let info = consumer.info().await.map_err(|error| away("cannot count", &error))?;
                census.leased += info.num_ack_pending as u64;
                census.again += info.num_redelivered as u64;
                let subject = format!("{PREFIX}.jobs.{}.{name}.*", class.name());
                census.waiting += self.n_jobs(&subject).await?;
            }
            // Jobs that somebody has are still in the stream.
            census.waiting = census.waiting.saturating_sub(census.leased);
            Ok(census)
        })
    }

    /// How many messages of a stream have such a subject.
    async fn count(&self, name: &str, filter: &str) -> Result<u64, Error> {
        let mut consumer = self.reader(name, filter, 0).await?;
        let info = consumer.info().await.map_err(|error| away("cannot count", &error))?;
        let (count, consumer_name) = (info.num_pending, info.name.clone());
        let stream = self.stream(name).await?;
        // It would go away by itself, but later.
        let _ = stream.delete_consumer(&consumer_name).await;
        Ok(count)
    }

    /// A work queue allows no other consumers, so its subjects are counted.
    async fn n_jobs(&self, filter: &str) -> Result<u64, Error> {
        let stream = self.stream(JOBS).await?;
        let mut subjects = stream
            .info_with_subjects(filter)
            .await
            .map_err(|error| away("cannot count the jobs", &error))?;
        let mut n = 0;
        while let Some(subject) = subjects.next().await {
            subject.map_err(|error| away("cannot count the jobs", &error))?;
            n += 1;
        }
        Ok(n)
    }

    /// Takes the waiting jobs of the campaign out of the queue; tells how many there were.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub fn cancel(&self) -> Result<u64, Error> {
        let subjects =
            Class::ALL.map(|class| format!("{PREFIX}.jobs.{}.{}.*", class.name(), self.campaign));
        self.runtime.block_on(async {
            let stream = self.stream(JOBS).await?;
            let mut n = 0;
            for subject in subjects {
                n += purge(&stream, &subject).await?;
            }
            Ok(n)
        })
    }

    /// Forgets the campaign: its jobs, tickets and results; tells how many messages there were.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub fn purge(&self) -> Result<u64, Error> {
        let mut n = self.cancel()?;
        let name = &self.campaign;
        self.runtime.block_on(async {
            for (stream, subject) in [
                (RESULTS, format!("{PREFIX}.results.{name}.*")),
                (TICKETS, format!("{PREFIX}.tickets.{name}.*")),
                (CAMPAIGNS, format!("{PREFIX}.campaigns.{name}")),
            ] {
                n += purge(&self.stream(stream).await?, &subject).await?;
            }
            Ok(n)
        })
    }

    /// Answers whoever asks which workers there are, from now on.
    pub fn answer_pings(&self, status: impl Fn() -> Vec<u8> + Send + 'static) {
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let Ok(mut pings) = client.subscribe(format!("{PREFIX}.ping")).await else { return };
            while let Some(ping) = pings.next().await {
                if let Some(reply) = ping.reply {
                    let _ = client.publish(reply, status().into()).await;
                }
            }
        });
    }

    /// Asks which workers there are, and waits so long for their answers.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub fn ping(&self, wait: Duration) -> Result<Vec<Vec<u8>>, Error> {
        self.runtime.block_on(async {
            let inbox = self.client.new_inbox();
            let mut replies = self
                .client
                .subscribe(inbox.clone())
                .await
                .map_err(|error| away("cannot listen", &error))?;
            let ping = format!("{PREFIX}.ping");
            let sent = self.client.publish_with_reply(ping, inbox, Vec::new().into()).await;
            sent.map_err(|error| away("cannot ask", &error))?;
            let mut found = Vec::new();
            let _ = tokio::time::timeout(wait, async {
                while let Some(reply) = replies.next().await {
                    // No worker is listening.
                    if reply.status.is_none() {
                        found.push(reply.payload.to_vec());
                    }
                }
            })
            .await;
            Ok(found)
        })
    }

    /// Sends what has not been sent yet.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub fn flush(&self) -> Result<(), Error> {
        self.runtime.block_on(async {
            match tokio::time::timeout(PATIENCE, self.client.flush()).await {
                Ok(flushed) => flushed.map_err(|error| away("cannot send", &error)),
                Err(_) => Err(Error::Away("no answer in time".to_owned())),
            }
        })
    }

    async fn say(&self, token: &Token, what: String) -> Result<(), Error> {
        let said = self.client.publish(token.0.clone(), what.into()).await;
        said.map_err(|error| away("cannot send", &error))
    }
}

impl Transport for Nats {
    fn offer(&self, chunk: &Chunk) -> Result<Offer, Error> {
        self.runtime.block_on(async {
            if self.is_done(chunk).await? {
                return Ok(Offer::Known);
            }
            self.put_chunk(chunk).await
        })
    }

    fn lease(&self, class: Class, wait: Duration) -> Result<Option<Lease>, Error> {
        self.runtime.block_on(async {
            let consumer = self.consumer(class).await?;
            let Some(message) = next(&consumer, wait).await? else { return Ok(None) };
            let token = Token(message.reply.as_ref().map(ToString::to_string).unwrap_or_default());
            let n_tries = message.info().map_or(1, |info| info.delivered.max(1) as u64);
            let chunk = match wire::read_chunk(&message.payload) {
                Ok(chunk) => chunk,
                Err(reason) => {
                    // Nobody can make anything of it.
                    self.say(&token, "+TERM".to_owned()).await?;
                    let subject = &message.subject;
                    return Err(Error::Refused(format!("set aside {subject}: {reason}")));
                }
            };
            // Its worker may have vanished after it was done.
            if n_tries > 1 && self.is_done(&chunk).await? {
                self.say(&token, "+ACK".to_owned()).await?;
                return Ok(None);
            }
            Ok(Some(Lease { token, chunk, n_tries }))
        })
    }

    fn renew(&self, token: &Token) -> Result<(), Error> {
        self.runtime.block_on(self.say(token, "+WPI".to_owned()))
    }

    fn finish(&self, token: &Token, results: &Results, rest: &[Chunk]) -> Result<(), Error> {
        self.runtime.block_on(async {
            for chunk in rest {
                if self.put_chunk(chunk).await? == Offer::Full {
                    return Err(Error::Away("the queue is full".to_owned()));
                }
            }
            self.put_results(results).await?;
            // If this gets lost, whoever gets the chunk next sees that it is done.
            self.say(token, "+ACK".to_owned()).await
        })
    }

    fn release(&self, token: &Token) -> Result<(), Error> {
        let nak = format!("-NAK {{\"delay\": {}}}", REST.as_nanos());
        self.runtime.block_on(self.say(token, nak))
    }

    fn results(&self, wait: Duration) -> Result<Option<Results>, Error> {
        let Some(bytes) = self.take(&self.results, wait)? else { return Ok(None) };
        wire::read_results(&bytes)
            .map(Some)
            .map_err(|error| Error::Refused(format!("results that make no sense: {error}")))
    }

    fn renewal(&self) -> Option<Duration> {
        Some(*self.lease.lock().unwrap_or_else(PoisonError::into_inner) / 3)
    }
}

impl Nats {
    async fn put_chunk(&self, chunk: &Chunk) -> Result<Offer, Error> {
        let (class, campaign) = (chunk.class.name(), &chunk.campaign);
        let subject = format!("{PREFIX}.jobs.{class}.{campaign}.{}", chunk.id());
        self.publish(subject, wire::write_chunk(chunk)).await
    }
}

/// Takes the next message, if there is one within this time.
async fn next(
    consumer: &PullConsumer,
    wait: Duration,
) -> Result<Option<async_nats::jetstream::Message>, Error> {
    let mut batch = batch(consumer, 1, wait).await?;
    match tokio::time::timeout(wait + PATIENCE, batch.next()).await {
        Ok(Some(Ok(message))) => Ok(Some(message)),
        Ok(Some(Err(error))) => Err(Error::Away(error.to_string())),
        Ok(None) => Ok(None),
        Err(_) => Err(Error::Away("no answer in time".to_owned())),
    }
}

/// The next messages, as many as there are within this time, with their sequence numbers.
async fn fetch(
    consumer: &PullConsumer,
    n_max: usize,
    wait: Duration,
) -> Result<Vec<(u64, Vec<u8>)>, Error> {
    // What is there is taken at once; only for the first one it is worth waiting.
    let mut messages = drain(consumer, n_max, Duration::ZERO).await?;
    if messages.is_empty() && !wait.is_zero() {
        messages = drain(consumer, 1, wait).await?;
    }
    Ok(messages)
}

async fn drain(
    consumer: &PullConsumer,
    n_max: usize,
    wait: Duration,
) -> Result<Vec<(u64, Vec<u8>)>, Error> {
    let mut batch = batch(consumer, n_max, wait).await?;
    let mut messages = Vec::new();
    loop {
        match tokio::time::timeout(wait + PATIENCE, batch.next()).await {
            Ok(Some(Ok(message))) => {
                let sequence = message.info().map_or(0, |info| info.stream_sequence);
                messages.push((sequence, message.payload.to_vec()));
            }
            Ok(Some(Err(error))) => return Err(Error::Away(error.to_string())),
            Ok(None) => return Ok(messages),
            Err(_) => return Err(Error::Away("no answer in time".to_owned())),
        }
    }
}

async fn batch(
    consumer: &PullConsumer,
    n_max: usize,
    wait: Duration,
) -> Result<pull::Batch, Error> {
    let requested = async {
        if wait.is_zero() {
            consumer.fetch().max_messages(n_max).messages().await
        } else {
            consumer.batch().max_messages(n_max).expires(wait).messages().await
        }
    };
    match tokio::time::timeout(PATIENCE, requested).await {
        Ok(batch) => batch.map_err(|error| away("cannot ask for messages", &error)),
        Err(_) => Err(Error::Away("no answer in time".to_owned())),
    }
}

async fn purge(stream: &Stream, subject: &str) -> Result<u64, Error> {
    let purged = stream.purge().filter(subject).await;
    purged.map(|done| done.purged).map_err(|error| away("cannot purge", &error))
}

fn away(what: &str, error: &dyn std::error::Error) -> Error {
    Error::Away(format!("{what}: {}", whole(error)))
}

/// An error with all that is behind it.
fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        source = inner.source();
    }
    text
}
