#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::notation::wthor::{Contents, Entry, Games, NameList};
use obverse_board::notation::Record;

fuzz_target!(|bytes: &[u8]| {
    for contents in [Contents::Players, Contents::Tournaments] {
        if let Ok(list) = NameList::parse(bytes, contents) {
            assert_eq!(list.to_bytes([0; 4]), bytes);
        }
    }
    let Ok(games) = Games::new(bytes) else { return };
    for i in 0..bytes.len() / 68 {
        let Ok(entry) = games.get(i) else { continue };
        let Ok(game) = entry.game() else { continue };
        assert_eq!(Entry::of(&Record::new(game)).map(|new| new.moves), Ok(entry.moves));
    }
});
