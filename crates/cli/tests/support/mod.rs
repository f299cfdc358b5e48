//! What the tests of batches and clusters share: positions, the program, and real NATS servers.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use obverse_board::notation::Form;
use obverse_board::{Game, Position};
use obverse_engine::classic::{Rng, Spec, duel};

/// Nothing in these tests takes longer than this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A folder of a test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Positions of random games in OBF, with so many empty squares, all different.
pub(crate) fn positions(n: usize, n_empties: u32) -> Vec<String> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut player = "random".parse::<Spec>().unwrap().player(seed);
        let start = Position::parse("start").unwrap();
        let game = duel::self_play(start, &mut player, 0, &mut Rng::new(seed));
        let near = game.steps().map(|step| step.0).find(|p| p.empties().count() == n_empties);
        found.extend(near.map(|position| Form::Obf.print(&Game::new(position)).unwrap()));
        if found.len() == n {
            break;
        }
    }
    found
}

/// Writes lines to a file.
pub(crate) fn write(path: &Path, lines: &[String]) {
    fs::write(path, lines.join("\n") + "\n").expect("the file can be written");
}

/// The program, in a folder.
pub(crate) fn obverse(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obverse"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    for variable in ["NATS_URL", "OBVERSE_NATS_TOKEN", "OBVERSE_NATS_PASSWORD"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program to its end, which must come in time.
#[track_caller]
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    let child = obverse(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    wait(child.expect("the program runs"))
}

/// Waits for a program to end, which must come in time.
#[track_caller]
pub(crate) fn wait(mut child: Child) -> Output {
    let end = Instant::now() + PATIENCE;
    // Read on the side, so that it never waits for us.
    let read = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let stdout = read(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let stderr = read(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it did not end in time: {}", String::from_utf8_lossy(&stderr.join().unwrap()));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

#[track_caller]
pub(crate) fn check_status(output: &Output, expected: i32) {
    let (out, err) = texts(output);
    assert_eq!(output.status.code(), Some(expected), "{out}{err}");
}

/// What was printed, and the errors.
pub(crate) fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The JSON a command printed.
#[track_caller]
pub(crate) fn json(output: &Output) -> serde_json::Value {
    let (out, err) = texts(output);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

/// The records of an output by line, each of which must be there once; without what depends on time.
#[track_caller]
pub(crate) fn records(path: &Path) -> BTreeMap<u64, serde_json::Value> {
    let text = fs::read_to_string(path).expect("the output is there");
    let mut records = BTreeMap::new();
    for line in text.lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).expect("a record");
        let fields = record.as_object_mut().expect("an object");
        fields.remove("seconds");
        fields.remove("file");
        let number = fields["line"].as_u64().expect("a number");
        let before = records.insert(number, record);
        assert!(before.is_none(), "line {number} is there twice");
    }
    records
}

/// What is proven in an output, by line.
#[track_caller]
pub(crate) fn scores(path: &Path) -> BTreeMap<u64, (i64, i64)> {
    let bound = |record: &serde_json::Value, name: &str| record[name].as_i64().expect("a number");
    records(path).iter().map(|(n, r)| (*n, (bound(r, "lower"), bound(r, "upper")))).collect()
}

/// Waits until something is so, which must come in time.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// A program that is killed when the test is over.
pub(crate) struct Running(pub(crate) Option<Child>);

impl Running {
    pub(crate) fn start(mut command: Command) -> Running {
        Running(Some(command.spawn().expect("the program runs")))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it is running")
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        let child = self.child();
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }

    /// Sends it a signal by name: `STOP`, `CONT`, `TERM`, `INT`.
    pub(crate) fn signal(&mut self, name: &str) {
        let pid = self.child().id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Output {
        wait(self.0.take().expect("it is running"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Ports that nobody uses.
pub(crate) fn free_ports(n: usize) -> Vec<u16> {
    let listeners: Vec<TcpListener> =
        (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

/// A NATS server with a store of its own.
pub(crate) struct Broker {
    pub(crate) url: String,
    port: u16,
    arguments: Vec<String>,
    folder: PathBuf,
    server: Running,
}

impl Broker {
    /// Starts one that keeps its data in a folder, with more arguments.
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Broker {
        let port = free_ports(1)[0];
        let store = folder.join(format!("jetstream-{port}"));
        let mut arguments: Vec<String> =
            ["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"].map(str::to_owned).into();
        arguments.push(store.display().to_string());
        arguments.extend(more.iter().map(|&text| text.to_owned()));
        Broker::with(folder, port, arguments)
    }

    /// Starts one with just these arguments, which have it listen to the port.
    pub(crate) fn with(folder: &Path, port: u16, arguments: Vec<String>) -> Broker {
        let server = launch(folder, port, &arguments);
        let url = format!("nats://127.0.0.1:{port}");
        let mut broker = Broker { url, port, arguments, folder: folder.to_owned(), server };
        broker.wait_until_up();
        broker
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill();
    }

    pub(crate) fn restart(&mut self) {
        self.server = launch(&self.folder, self.port, &self.arguments);
        self.wait_until_up();
    }

    /// Waits until this server says that it is up; that somebody listens to the port is not enough.
    /// A free port may stay taken for a moment: a process that another test is just starting has
    /// inherited the socket it was found with. The server then gives up, and is started again.
    fn wait_until_up(&mut self) {
        let log = log(&self.folder, self.port);
        until("the server is ready", || {
            if self.server.child().try_wait().expect("it can be waited for").is_some() {
                self.server = launch(&self.folder, self.port, &self.arguments);
            }
            fs::read_to_string(&log).expect("the log can be read").contains("Server is ready")
        });
    }

    /// Publishes a message by the plain protocol, as any program might.
    pub(crate) fn publish(&self, subject: &str, payload: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        let n = payload.len();
        write!(
            stream,
            "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {n}\r\n{payload}\r\nPING\r\n"
        )
        .expect("it can be sent");
        let mut answer = Vec::new();
        let mut buffer = [0; 4096];
        while !answer.windows(4).any(|bytes| bytes == b"PONG") {
            let n = stream.read(&mut buffer).expect("the server answers");
            assert!(n > 0, "{}", String::from_utf8_lossy(&answer));
            answer.extend(&buffer[..n]);
        }
    }
}

fn log(folder: &Path, port: u16) -> PathBuf {
    folder.join(format!("nats-{port}.log"))
}

fn launch(folder: &Path, port: u16, arguments: &[String]) -> Running {
    let places = ["nats-server", "/usr/sbin/nats-server", "/usr/local/sbin/nats-server"];
    for place in places {
        let log = fs::File::create(log(folder, port)).expect("the log can be written");
        let command = Command::new(place).args(arguments).stderr(log).stdout(Stdio::null()).spawn();
        if let Ok(child) = command {
            return Running(Some(child));
        }
    }
    panic!("nats-server is not installed: `cargo xtask test` installs it where it may");
}

/// The name by which a server's JSON status says whether something is so.
#[track_caller]
pub(crate) fn status(folder: &Path, broker: &Broker) -> Option<serde_json::Value> {
    let output = run(folder, &["cluster", "status", "--json", "--server", &broker.url]);
    serde_json::from_slice(&output.stdout).ok()
}
