#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::notation::Form;
use obverse_board::notation::obf::Problem;

fuzz_target!(|text: &str| {
    obverse_fuzz::round_trip(Form::Obf, text);
    for (_, problem) in Problem::parse_lines(text) {
        if let Ok(problem) = problem {
            let best = problem.moves.iter().map(|known| known.1).max();
            assert!(best <= problem.score);
        }
    }
});
