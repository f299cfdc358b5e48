#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::Size;
use obverse_board::notation::Coords;

fuzz_target!(|text: &str| {
    for size in Size::ALL {
        for coords in Coords::ALL {
            if let Ok(square) = coords.parse(text, size) {
                assert_eq!(coords.parse(&coords.print(square, size), size), Ok(square));
            }
            let _ = Coords::read(text, size, Some(coords));
        }
    }
});
