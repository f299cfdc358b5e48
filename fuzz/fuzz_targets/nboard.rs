#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|script: &[u8]| obverse_cli::rehearsal::nboard(script));
