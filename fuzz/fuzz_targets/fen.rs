#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::notation::Form;

fuzz_target!(|text: &str| obverse_fuzz::round_trip(Form::Fen, text));
