#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_proof::{Certificate, Writer, verify};

fuzz_target!(|bytes: &[u8]| {
    let Ok(certificate) = Certificate::read(bytes) else { return };
    let _ = verify(&certificate);
    // Written again, its lines are the same.
    let mut lines: Vec<_> = certificate.entries.iter().collect();
    lines.sort_by_key(|(_, entry)| entry.line);
    let mut text = Vec::new();
    let root = (certificate.field, certificate.counting, certificate.root);
    let mut writer = Writer::new(&mut text, root.0, root.1, root.2, "= 0").expect("memory");
    for ((_, claim), entry) in lines {
        writer.add(entry.board, *claim, entry.how).expect("memory");
    }
    writer.finish().expect("memory");
    let again = Certificate::read(&text[..]).expect("it was written");
    assert_eq!(again.entries, certificate.entries);
});
