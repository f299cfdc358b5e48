#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use obverse_studio::sitting::{Setup, Sitting};
use obverse_studio::wire::Resumed;

// Every line is a message of a page; what is saved after them can be read.
fuzz_target!(|text: &str| {
    let setup = Setup { seed: 1, threads: 1 };
    let mut sitting = Sitting::new(setup);
    sitting.attend(Duration::ZERO, "", Resumed::New);
    for (i, line) in text.lines().enumerate() {
        sitting.receive(Duration::from_millis(i as u64), line);
    }
    let saved = sitting.saved();
    let again = Sitting::restore(&saved, setup).expect("what was saved can be read");
    assert_eq!(again.saved(), saved);
});
