//! Numbers as other programs write them, however large.

use std::time::Duration;

/// A year; no clock shows more, and a number that is larger means nothing else.
const SECONDS_MAX: f64 = 366.0 * 86_400.0;

/// A whole number in digits; one that is too large is the largest there is.
pub(super) fn whole(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u32::MAX))
}

/// A number of seconds, perhaps with a fraction. Less than none is none: some clocks run on.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan())?;
    Some(Duration::from_secs_f64(number.clamp(0.0, SECONDS_MAX)))
}

/// The beginning of what may be long.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_overflow() {
        assert_eq!(whole("12"), Some(12));
        assert_eq!(whole("99999999999999999999"), Some(u32::MAX));
        assert_eq!([whole(""), whole("-1"), whole("1.5"), whole("٣")], [None; 4]);
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(seconds("-3"), Some(Duration::ZERO));
        assert_eq!(seconds("1e300"), seconds("inf"));
        assert_eq!([seconds("nan"), seconds("x"), seconds("")], [None; 3]);
    }
}
