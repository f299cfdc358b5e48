//! What the fuzz targets have in common.

use obverse_board::notation::Form;

/// What can be read prints, and reads back the same.
pub fn round_trip(form: Form, text: &str) {
    let Ok(game) = form.parse(text) else { return };
    if let Ok(printed) = form.print(&game) {
        assert_eq!(form.parse(&printed).as_ref(), Ok(&game), "{printed}");
    }
}
