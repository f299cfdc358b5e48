#![no_main]

use libfuzzer_sys::fuzz_target;
use obverse_engine::classic::Spec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    }
});
