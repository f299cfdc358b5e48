//! Games with all that is known of them survive being written and read, in every format.

mod common;

use common::games::record;
use obverse_board::notation::record::Note;
use obverse_board::notation::{Form, Format, Record, Records};
use proptest::prelude::*;

/// The games of a file, all of which can be read.
fn read(bytes: &[u8]) -> Vec<Record> {
    Records::new(bytes, None).map(|record| record.unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// Games one after the other as a file holds them.
fn file(records: &[Record], form: Form) -> String {
    let print = |record| form.print_record(record).unwrap() + form.separator();
    records.iter().map(print).collect()
}

/// The record without what GGF cannot say: variations, marks on moves, clocks after them.
fn as_ggf(mut record: Record) -> Record {
    record.line.branches.clear();
    for note in &mut record.line.notes {
        (note.mark, note.clock) = (None, None);
    }
    while record.line.notes.last() == Some(&Note::default()) {
        record.line.notes.pop();
    }
    record
}

proptest! {
    #[test]
    fn sgf_and_pgn_keep_everything(records in prop::collection::vec(record(), 1..4)) {
        for form in [Form::Sgf, Form::Pgn] {
            let text = file(&records, form);
            prop_assert_eq!(Records::new(text.as_bytes(), None).format(), Format::Text(form));
            prop_assert_eq!(&read(text.as_bytes()), &records, "{}", text);
        }
    }

    #[test]
    fn ggf_keeps_all_but_variations(records in prop::collection::vec(record(), 1..4)) {
        let text = file(&records, Form::Ggf);
        let expected: Vec<Record> = records.into_iter().map(as_ggf).collect();
        prop_assert_eq!(text.lines().count(), expected.len(), "one game a line");
        prop_assert_eq!(&read(text.as_bytes()), &expected, "{}", text);
    }

    #[test]
    fn a_record_is_kept_from_format_to_format(record in record()) {
        let mut kept = as_ggf(record);
        for form in [Form::Ggf, Form::Sgf, Form::Pgn, Form::Ggf, Form::Pgn, Form::Sgf] {
            let text = form.print_record(&kept).unwrap();
            let read = read(text.as_bytes()).remove(0);
            prop_assert_eq!(&read, &kept, "{}", text);
            kept = read;
        }
    }
}
