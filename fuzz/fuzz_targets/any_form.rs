#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::Game;
use obverse_board::notation::Form;

fuzz_target!(|text: &str| {
    if let Ok(game) = Game::parse(text) {
        let srn = Form::Srn.print(&game).expect("every position has an SRN");
        assert_eq!(Form::Srn.parse(&srn).map(|game| game.position()), Ok(game.position()));
    }
});
