//! Dialogues without a partner, for fuzz targets: what is said comes from a script, and so does when a
//! search has something to say. Nothing is read, written or searched.

use std::time::Duration;

use obverse_board::{Counting, Move, Position, Score};
use obverse_engine::solve::Proof;
use obverse_engine::{Answer, Candidate, Certainty, Config, Value};

use super::ggs::client::{Client, Settings};
use super::ggs::policy::{Policy, Rated};
use super::search::{Found, Search, Task, What};
use super::{Act, Acts, Dialogue, cassio, gtp, lines, nboard, xboard};

/// A line that begins with this is no line: the search has found something.
const FOUND: char = '\u{1}';

/// A line that begins with this is no line: the search is over.
const OVER: char = '\u{2}';

const CONFIG: Config = Config { threads: 1, table_mib: 1 };

/// Plays a script to the engine's side of NBoard.
///
/// # Panics
/// If it says something that is no message.
pub fn nboard(script: &[u8]) {
    rehearse(&mut nboard::engine::Engine::new(1), script, &|said| {
        assert!(!said.contains('\n'), "one message a line: {said:?}");
    });
}

/// Plays a script to the engine's side of GTP.
///
/// # Panics
/// If it gives an answer that is none.
pub fn gtp(script: &[u8]) {
    rehearse(&mut gtp::engine::Engine::new(1, None), script, &|said| {
        assert!(said.starts_with(['=', '?']), "an answer begins with its sign: {said:?}");
        assert!(said.ends_with('\n') && !said.contains("\n\n"), "a blank line ends it: {said:?}");
    });
}

/// Plays a script to the engine's side of Cassio's protocol.
///
/// # Panics
/// If it says something that is no message.
pub fn cassio(script: &[u8]) {
    rehearse(&mut cassio::Engine::default(), script, &|said| {
        assert!(!said.contains('\n'), "one message a line: {said:?}");
    });
}

/// Plays a script to the engine's side of the XBoard protocol.
pub fn xboard(script: &[u8]) {
    rehearse(&mut xboard::Engine::new(CONFIG), script, &|_| {});
}

/// Plays a script to the client of the game server.
///
/// # Panics
/// If it cannot log in.
pub fn ggs(script: &[u8]) {
    let policy = Policy {
        kinds: Vec::new(),
        rated: Rated::Any,
        time: (Duration::ZERO, Duration::MAX),
        opponents: Vec::new(),
        ignored: Vec::new(),
    };
    let mut client = Client::new(Settings {
        user: "alice".to_owned(),
        password: "secret".to_owned(),
        policy,
        open: 1,
        ask: None,
        n_matches: None,
        level: None,
        threads: 1,
    });
    let (mut acts, mut search) = (Acts::default(), None);
    client.connected(&mut acts);
    for line in ["Enter login", "Enter your password", "READY"] {
        client.line(line, &mut acts).expect("the door is open");
    }
    for (i, line) in each(script).enumerate() {
        match answer(&line, &mut search) {
            Some(found) => client.found(found, &mut acts),
            None if client.line(&line, &mut acts).is_err() => return,
            None => client.tick(Duration::from_secs(i as u64), &mut acts),
        }
        for act in acts.take() {
            match act {
                Act::Say(said) => assert!(!said.contains('\n'), "one message a line: {said:?}"),
                Act::Begin(begun) => search = Some(begun),
                Act::Quit => return,
                _ => {}
            }
        }
    }
    let _ = client.lost(&mut acts);
}

fn rehearse(dialogue: &mut dyn Dialogue, script: &[u8], check: &dyn Fn(&str)) {
    let (mut acts, mut search) = (Acts::default(), None);
    for line in each(script) {
        match answer(&line, &mut search) {
            Some(found) => dialogue.found(found, &mut acts),
            None => dialogue.line(&line, &mut acts),
        }
        loop {
            let todo = acts.take();
            if todo.is_empty() {
                break;
            }
            for act in todo {
                match act {
                    Act::Say(said) => check(&said),
                    Act::Begin(begun) => search = Some(begun),
                    Act::Count => dialogue.counted(1, Duration::from_secs(1), &mut acts),
                    // The script is also the file, which is rarely a game.
                    Act::Read(_) => dialogue.file(Ok(script.to_vec()), &mut acts),
                    Act::Learn(_) => dialogue.learned(Ok(()), &mut acts),
                    Act::Quit => return,
                    Act::Stop | Act::Forget | Act::Resize(_) | Act::Log(_) => {}
                }
            }
        }
    }
}

fn each(mut script: &[u8]) -> impl Iterator<Item = String> + '_ {
    std::iter::from_fn(move || lines::next(&mut script))
}

/// What the search says at this line, if it is its turn.
fn answer(line: &str, search: &mut Option<Search>) -> Option<Found> {
    let is_last = line.starts_with(OVER);
    if !is_last && !line.starts_with(FOUND) {
        return None;
    }
    let begun = if is_last { search.take() } else { *search }?;
    let n = line.len() as u64;
    let what = match begun.task {
        Task::Think { question, .. } => What::Thought(thought(question.position, question.top, n)),
        Task::Prove(request) => What::Proof(proof(request.position, n)),
    };
    Some(Found { id: begun.id, what, time: Duration::from_millis(n), is_last })
}

/// An answer as an engine might give it: legal moves, in order, with some values.
fn thought(position: Position, top: usize, nodes: u64) -> Answer {
    let certainty = match nodes % 3 {
        0 => Certainty::Proven,
        1 => Certainty::Selective(99),
        _ => Certainty::Estimate(nodes as u32),
    };
    let moves = crate::wire::legal(position).into_iter().take(top);
    let moves = moves.filter(|_| !position.is_over());
    let candidate = |(i, mv): (usize, Move)| Candidate {
        mv,
        value: Value { discs: 3.5 - i as f32, certainty },
        line: vec![mv],
    };
    Answer { candidates: moves.enumerate().map(candidate).collect(), nodes, stopped: false }
}

fn proof(position: Position, nodes: u64) -> Proof {
    let score = position.score_for(position.turn(), Counting::WinnerTakesEmpties);
    let best = crate::wire::legal(position).first().copied();
    let (lower, upper) = if nodes.is_multiple_of(2) { (score, score) } else { (Score(-64), score) };
    Proof { lower, upper, best, line: best.into_iter().collect(), nodes, stopped: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn searches_of_a_script_are_answered() {
        nboard(b"hint 3\n\x01\n\x01\x01\n\x02\nanalyze\n\x02\ngo\nping 1\n\x02\n");
        gtp(b"genmove b\nname\n\x01\n\x02\nobverse-values\n\x02\nloadsgf x\nquit\n");
        let board = "---------------------------OX------XO---------------------------X";
        cassio(
            format!("ENGINE-PROTOCOL endgame-search {board} -64 64 100\n\x01\n\x02\n").as_bytes(),
        );
        xboard(b"post\nusermove P@f5\n\x01\n\x02\nanalyze\n\x01\n.\nexit\n");
        ggs(b"/os: + match .5 1 alice 1 bob 8 R\nREADY\n\x02\n/os: - match .5\nREADY\n");
    }

    proptest! {
        #[test]
        fn no_script_makes_anybody_panic(script in prop::collection::vec(any::<u8>(), 0..300)) {
            for play in [nboard, gtp, cassio, xboard, ggs] {
                play(&script);
            }
        }
    }
}
