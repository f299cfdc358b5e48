#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_board::notation::{Form, Format, Record, Records};

fuzz_target!(|bytes: &[u8]| {
    for record in Records::new(bytes, None).flatten() {
        for form in [Form::Ggf, Form::Sgf, Form::Pgn] {
            let once = rewrite(form, &record);
            assert_eq!(once.game(), record.game());
            // What a form cannot say was lost; the rest stays.
            assert_eq!(rewrite(form, &once), once);
        }
    }
});

/// The record as it is read after it was written.
fn rewrite(form: Form, record: &Record) -> Record {
    let text = form.print_record(record).expect("these forms can say every game");
    let mut records = Records::new(text.as_bytes(), None);
    assert_eq!(records.format(), Format::Text(form), "{text}");
    let read = records.next().expect("a game").expect("it was just written");
    assert!(records.next().is_none(), "{text}");
    read
}
