#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_lab::record::{RECORD_BYTES, Record};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(records) = Record::read_all(&mut &bytes[..]) {
        let printed: Vec<u8> = records.iter().flat_map(Record::to_bytes).collect();
        assert_eq!(printed, bytes[..bytes.len() / RECORD_BYTES * RECORD_BYTES]);
        for record in &records {
            assert_eq!(record.position().empties().count(), record.n_empties());
        }
    }
});
