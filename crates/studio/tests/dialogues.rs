//! Dialogues between a page and a sitting, to the letter.
//!
//! Each file of `dialogue/` is one. `>` is what the page says and `<` what it is told; `# comment`
//! stays as it is; `@ 1500` lets so many milliseconds pass, `@ work` does all the jobs, `@ leave` and
//! `@ come` are the page going and coming (`@ welcome` also shows how it is
//! welcomed), `@ restore` begins anew from the saved text. There are
//! no values of the engine in them: those may change.
//!
//! `SNAPSHOTS=overwrite cargo test -p obverse-studio` writes them anew after a change that is meant.

mod common;

use common::{Desk, SETUP};
use obverse_studio::sitting::Sitting;
use obverse_studio::wire::{Resumed, ToPage};

/// Jobs of a dialogue: more than any has.
const JOBS_MAX: usize = 200;

#[test]
fn dialogues_are_as_written() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogue");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let script = std::fs::read_to_string(&path).unwrap();
        let expected = snapbox::Data::read_from(&path, None);
        snapbox::assert_data_eq!(perform(&script), expected.raw());
    }
}

fn perform(script: &str) -> String {
    let mut desk = Desk::new(Sitting::new(SETUP));
    let mut text = String::new();
    for line in script.lines().filter(|line| !line.starts_with('<')) {
        text.push_str(line);
        text.push('\n');
        let messages = if let Some(message) = line.strip_prefix("> ") {
            desk.send(message)
        } else {
            match line.strip_prefix("@ ") {
                None => Vec::new(),
                Some("come" | "welcome") => desk.attend(Resumed::Kept),
                Some("leave") => desk.leave(),
                Some("work") => desk.work(JOBS_MAX),
                Some("restore") => {
                    let saved = desk.sitting.saved();
                    desk = Desk::new(Sitting::restore(&saved, SETUP).unwrap());
                    desk.attend(Resumed::Restored)
                }
                Some(ms) => desk.wait(ms.parse().unwrap()),
            }
        };
        for message in messages.iter().filter(|message| !is_boilerplate(message, line)) {
            text.push_str(&format!("< {}\n", serde_json::to_string(message).unwrap()));
        }
    }
    text
}

/// What would be the same every time is shown in one place only.
fn is_boilerplate(message: &ToPage, line: &str) -> bool {
    match message {
        ToPage::Welcome(_) => line != "@ welcome",
        ToPage::Saved { .. } => line != "@ 500",
        _ => false,
    }
}
