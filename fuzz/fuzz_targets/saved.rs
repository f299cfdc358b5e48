#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use obverse_studio::sitting::{Setup, Sitting};
use obverse_studio::wire::Resumed;

// A text that a page has kept, or tampered with, is refused or makes a sitting that works.
fuzz_target!(|text: &str| {
    let setup = Setup { seed: 1, threads: 1 };
    if let Ok(mut sitting) = Sitting::restore(text, setup) {
        sitting.attend(Duration::ZERO, "", Resumed::Restored);
        sitting.receive(Duration::ZERO, r#"{"type":"walk","to":"last"}"#);
        sitting.receive(Duration::ZERO, r#"{"type":"take-back"}"#);
        sitting.tick(Duration::from_secs(9));
        let saved = sitting.saved();
        assert_eq!(Sitting::restore(&saved, setup).expect("it was saved").saved(), saved);
    }
});
