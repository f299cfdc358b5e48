//! Random lines through every protocol: whatever is said, the program neither dies nor hangs.
//!
//! A run that fails prints its seed. `cargo xtask babble 10000000` says as many lines as one likes.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How many lines each protocol is told, unless the environment says otherwise.
const N_LINES: u64 = 50_000;

/// How long the program may take to leave in the end.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn nboard_survives_random_lines() {
    babble("nboard", NBOARD, "quit\n");
}

#[test]
fn gtp_survives_random_lines() {
    babble("gtp", GTP, "quit\n");
}

#[test]
fn cassio_survives_random_lines() {
    babble("cassio", CASSIO, "ENGINE-PROTOCOL quit\n");
}

#[test]
fn xboard_survives_random_lines() {
    babble("xboard", XBOARD, "quit\n");
}

#[test]
fn the_client_of_the_game_server_survives_random_lines() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port().to_string();
    let server = ["--host", "127.0.0.1", "--port", &port, "--user", "alice", "--time", "1s..1h"];
    let mut child = start("ggs", &server);
    drain(child.stdout.take().expect("it is piped"));
    let (mut stream, _) = listener.accept().expect("the client connects");
    let answers = drain(stream.try_clone().expect("a socket can be shared"));
    let door = ": Enter login (yours, or one you'd like to use).\n: Enter your password.\nREADY\n";
    stream.write_all(door.as_bytes()).expect("the client listens");
    let mut talker = Talker::new(GGS);
    talker.talk(&mut stream);
    drop(child.stdin.take());
    drop(stream);
    leave(&mut child, &talker);
    assert!(answers.join().expect("nobody panics") > 0, "it never said a word");
}

/// Says random lines and then goodbye.
fn babble(name: &str, templates: &'static [&'static str], goodbye: &str) {
    let mut child = start(name, &[]);
    let answers = drain(child.stdout.take().expect("it is piped"));
    let mut input = child.stdin.take().expect("it is piped");
    let mut talker = Talker::new(templates);
    talker.talk(&mut input);
    input.write_all(goodbye.as_bytes()).expect("the program listens");
    leave(&mut child, &talker);
    assert!(answers.join().expect("nobody panics") > 0, "it never said a word");
}

fn start(name: &str, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_obverse"))
        .args([name, "--threads", "1", "--table-mib", "1", "--time-max", "1ms"])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("OBVERSE_GGS_PASSWORD", "secret")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the program runs")
}

/// Reads all that is said, so that the program never waits for us; returns the number of bytes.
fn drain(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let (mut buffer, mut n_bytes) = (vec![0; 1 << 16], 0);
        while let Ok(n) = stream.read(&mut buffer) {
            if n == 0 {
                break;
            }
            n_bytes += n;
        }
        n_bytes
    })
}

fn leave(child: &mut Child, talker: &Talker) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            assert!(status.success(), "seed {}: it ended with {status}", talker.seed);
            return;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("seed {}: it does not end", talker.seed);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Who says random lines.
struct Talker {
    templates: &'static [&'static str],
    seed: u64,
    state: u64,
}

impl Talker {
    fn new(templates: &'static [&'static str]) -> Talker {
        let fresh = || std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        let seed = setting("OBVERSE_BABBLE_SEED").unwrap_or_else(fresh);
        Talker { templates, seed, state: seed }
    }

    fn talk(&mut self, to: &mut impl Write) {
        let n_lines = setting("OBVERSE_BABBLE_LINES").unwrap_or(N_LINES);
        let mut n_said = 0;
        while n_said < n_lines {
            let line = self.line();
            // It must not leave before the end.
            if contains_ignoring_case(&line, b"quit") {
                continue;
            }
            n_said += 1;
            let sent = to.write_all(&line).and_then(|()| to.write_all(b"\n"));
            if let Err(error) = sent {
                panic!("seed {}: after {n_said} lines: {error}", self.seed);
            }
        }
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn line(&mut self) -> Vec<u8> {
        match self.below(2000) {
            // Longer than is read.
            0 => vec![b' ' + self.below(90) as u8; 70_000],
            1..100 => (0..self.below(80)).map(|_| self.below(256) as u8).collect(),
            100..400 => {
                let mut line = self.sentence().into_bytes();
                for _ in 0..=self.below(4) {
                    if !line.is_empty() {
                        let at = self.below(line.len());
                        match self.below(3) {
                            0 => line[at] = self.below(256) as u8,
                            1 => drop(line.remove(at)),
                            _ => line.truncate(at),
                        }
                    }
                }
                line
            }
            _ => self.sentence().into_bytes(),
        }
    }

    /// A template with its places filled.
    fn sentence(&mut self) -> String {
        let template = self.pick(self.templates);
        let mut text = String::new();
        for part in template.split_inclusive('}') {
            let Some((before, kind)) = part.split_once('{') else {
                text += part;
                continue;
            };
            text += before;
            text += &match kind.trim_end_matches('}') {
                "n" => self.pick(NUMBERS).to_owned(),
                "small" => self.pick(&["1", "2", "x", "0", "-1"]).to_owned(),
                "move" => self.square(),
                "color" => self.pick(&["b", "w", "black", "WHITE", "red", ""]).to_owned(),
                "board" => self.board(&['X', 'O', '-']),
                "ggf" => self.game(),
                "fen" => self.fen(),
                "row" => self.row(),
                "word" => self.pick(WORDS).to_owned(),
                other => unreachable!("no such place: {other}"),
            };
        }
        text
    }

    fn square(&mut self) -> String {
        match self.below(12) {
            0 => self.pick(&["pass", "PA", "@@@@", "--", "i9", "a0", ""]).to_owned(),
            1 => self.pick(WORDS).to_owned(),
            // A move of an opening often enough for games to get somewhere.
            2..6 => self.pick(&["f5", "d6", "c3", "d3", "c4", "f4", "e6", "f6"]).to_owned(),
            _ => {
                let (column, row) = (self.below(8) as u8, self.below(8) as u8);
                format!("{}{}", char::from(b'a' + column), row + 1)
            }
        }
    }

    fn board(&mut self, cells: &[char; 3]) -> String {
        let n = [64, 64, 64, 36, 16, 63, 65, 0][self.below(8)];
        let fill = self.below(4);
        (0..n)
            .map(|i| match (fill, i) {
                (0, 27 | 36) => cells[1],
                (0, 28 | 35) => cells[0],
                (0, _) => cells[2],
                _ => cells[self.below(3)],
            })
            .collect()
    }

    fn game(&mut self) -> String {
        let (size, board) =
            (self.pick(&["8", "8", "8", "6", "4", "10", "x"]), self.board(&['*', 'O', '-']));
        let (kind, time) = (self.pick(&["8", "8k", "s8r20", "8a", "6"]), self.pick(NUMBERS));
        let mut text = format!("(;GM[Othello]TY[{kind}]TI[{time}:00]BO[{size} {board} *]");
        for i in 0..self.below(12) {
            let color = if i % 2 == 0 { 'B' } else { 'W' };
            let (mv, eval, time) = (self.square(), self.pick(NUMBERS), self.pick(NUMBERS));
            let _ = write!(text, "{color}[{mv}/{eval}/{time}]");
        }
        text + ";)"
    }

    fn fen(&mut self) -> String {
        let rows: Vec<String> =
            (0..8).map(|_| self.board(&['p', 'P', '1']).chars().take(8).collect()).collect();
        format!("{} {} - - 0 1", rows.join("/"), self.pick(&["w", "b", "x"]))
    }

    fn row(&mut self) -> String {
        let n = [8, 8, 8, 8, 6, 4, 10][self.below(7)];
        let cells: Vec<&str> = (0..n).map(|_| self.pick(&["-", "-", "*", "O"])).collect();
        let number = 1 + self.below(8);
        format!("| {number} {} {number}", cells.join(" "))
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

fn contains_ignoring_case(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "6",
    "12",
    "60",
    "64",
    "-1",
    "-64",
    "0.5",
    "1e30",
    "-1e30",
    "nan",
    "inf",
    "99999999999999999999",
    "-99999999999999999999",
    "4294967295",
    "",
    "x",
    "1:30",
    "0x10",
];

const WORDS: &[&str] = &[
    "", "x", "start", "é", "\u{0}", "(;", ";)", "[", "]]", "%s%n", "../..", "true", "Othello", "#",
];

const NBOARD: &[&str] = &[
    "nboard {n}",
    "set depth {n}",
    "set game {ggf}",
    "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)",
    "set contempt {n}",
    "set {word} {n}",
    "move {move}",
    "move {move}/{n}/{n}",
    "{move}",
    "hint {n}",
    "go",
    "ping {n}",
    "learn",
    "analyze",
    "{word} {word}",
];

const GTP: &[&str] = &[
    "{n} {word}",
    "protocol_version",
    "{n} list_commands",
    "known_command {word}",
    "boardsize {n}",
    "boardsize 4",
    "clear_board",
    "komi {n}",
    "play {color} {move}",
    "play {color} {move}",
    "gogui-play_sequence {color} {move} {color} {move}",
    "genmove {color}",
    "reg_genmove {color}",
    "undo",
    "time_settings {n} {n} {n}",
    "time_left {color} {n} {n}",
    "final_score",
    "showboard",
    "loadsgf {word} {n}",
    "loadsgf tests/protocol/game.sgf {n}",
    "list_games",
    "set_game {word}",
    "set_level {n}",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
    "gogui-analyze_commands",
    "obverse-values",
    "obverse-value",
    "obverse-line",
    "# interrupt",
    "{word} {word} # {word}",
];

const CASSIO: &[&str] = &[
    "",
    "ENGINE-PROTOCOL",
    "ENGINE-PROTOCOL init",
    "ENGINE-PROTOCOL get-version",
    "ENGINE-PROTOCOL new-position",
    "ENGINE-PROTOCOL empty-hash",
    "ENGINE-PROTOCOL stop",
    "ENGINE-PROTOCOL get-search-infos",
    "ENGINE-PROTOCOL midgame-search {board}X {n} {n} {n} {n}",
    "ENGINE-PROTOCOL endgame-search {board}O {n} {n} {n}",
    "ENGINE-PROTOCOL midgame-search {board} X -64 64 {n} 73",
    "ENGINE-PROTOCOL endgame-search {board} O -64 64 {n}",
    "ENGINE-PROTOCOL feed-hash {board}X {n} {n} {n} {n} {move}{move}",
    "ENGINE-PROTOCOL {word} {n}",
    "{word}",
];

const XBOARD: &[&str] = &[
    "xboard",
    "protover {n}",
    "new",
    "variant {word}",
    "variant reversi",
    "force",
    "go",
    "playother",
    "usermove P@{move}",
    "usermove P@{move}",
    "usermove @@@@",
    "{move}",
    "setboard {fen}",
    "undo",
    "remove",
    "level {n} {n} {n}",
    "level 40 {n}:{n} {n}",
    "st {n}",
    "sd {n}",
    "time {n}",
    "otim {n}",
    "post",
    "nopost",
    "hard",
    "easy",
    "analyze",
    "exit",
    ".",
    "?",
    "hint",
    "bk",
    "ping {n}",
    "memory {small}",
    "cores {small}",
    "result {word}",
    "{word} {n}",
];

const GGS: &[&str] = &[
    "READY",
    "READY",
    "",
    "/os: + match .{n} 1720 alice 1720 bob 8 R",
    "/os: - match .{n} 1720 alice 1720 bob 8 R {n}",
    "/os: +   .{n} 1720.0 bob {n}//02:00 s8r20 R 1720.0 alice",
    "/os: -   .{n} 1720.0 bob {n}//02:00 8 R 1720.0 alice",
    "/os: join .{n} 8 K?",
    "/os: update .{n} 8 K?",
    "/os: update .{n}.1 s8 K?",
    "/os: end .{n} {n}",
    "/os: error .{n} {word}",
    "/os: {word} {word} {n}",
    "|alice    (1720.0 *) {n},0:0//02:00,0:0",
    "|alice    (1720.0 O) 00:10,0:0/00:01/02:00,0:0",
    "|bob      (1720.0 O) {n}/{n}/{n}",
    "{row}",
    "{row}\n{row}\n{row}\n{row}\n{row}\n{row}\n{row}\n{row}\n|* to move\nREADY",
    "|* to move",
    "|O to move",
    "|{word}",
    ": + /os 1",
    ": - /os 1",
    ": {word}",
    "{word}",
];
