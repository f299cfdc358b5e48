//! The day of a game, as far as it is known.

use std::fmt;

/// A year, perhaps with a month, a day and a time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// From 1; 0 if it is not known.
    pub month: u8,
    /// From 1; 0 if it is not known.
    pub day: u8,
    /// Hours, minutes and seconds.
    pub time: Option<[u8; 3]>,
    /// The time's zone as written, such as `GMT`.
    pub zone: String,
}

impl Date {
    /// Some day of a year.
    pub const fn in_year(year: u16) -> Date {
        Date { year, month: 0, day: 0, time: None, zone: String::new() }
    }

    /// Reads every form seen in files: `2004.09.18_05:54:38.MDT`, `2014-02-21 20:52:27 GMT`,
    /// `1977.??.??`, `1977`, and seconds since 1970.
    pub fn parse(text: &str) -> Option<Date> {
        let text = text.trim();
        if text.len() > 4 && text.bytes().all(|b| b.is_ascii_digit()) {
            return Date::from_unix(text.parse().ok()?);
        }
        let n_day = text.find(|c: char| !(c.is_ascii_digit() || ".-/?".contains(c)));
        let (day, rest) = text.split_at(n_day.unwrap_or(text.len()));
        let mut parts = day.split(['.', '-', '/']);
        let year = parts.next()?.parse().ok().filter(|year| *year > 0)?;
        let mut next = |max: u8| match parts.next() {
            None | Some("" | "?" | "??") => Some(0),
            Some(part) => part.parse().ok().filter(|n| (1..=max).contains(n)),
        };
        let (month, day) = (next(12)?, next(31)?);
        if (month == 0 && day > 0) || parts.next().is_some() {
            return None;
        }
        let mut date = Date { month, day, ..Date::in_year(year) };
        let rest = rest.trim_start_matches(['_', ' ', 'T', ',']);
        if !rest.is_empty() {
            date.set_time(rest)?;
        }
        Some(date)
    }

    /// Sets the time of `05:54:38.MDT`, `05:54:38 MDT` or `05:54:38`.
    pub(super) fn set_time(&mut self, text: &str) -> Option<()> {
        let n_time = text.find(|c: char| !(c.is_ascii_digit() || c == ':'));
        let (time, zone) = text.split_at(n_time.unwrap_or(text.len()));
        let mut parts = time.split(':').map(|part| part.parse::<u8>().ok());
        let mut next = |max| parts.next()?.filter(|n| *n < max);
        // 60 for the leap second.
        let time = [next(24)?, next(60)?, next(61)?];
        let zone = zone.trim_matches(['.', ' ', '_']);
        let is_zone = |c: char| c.is_ascii_alphanumeric() || "+-:".contains(c);
        if parts.next().is_some() || zone.len() > 10 || !zone.chars().all(is_zone) {
            return None;
        }
        (self.time, self.zone) = (Some(time), zone.to_owned());
        Some(())
    }

    /// The date of so many seconds after 1970 began in Greenwich.
    pub fn from_unix(seconds: u64) -> Option<Date> {
        // The calendar repeats every 400 years, which are 146,097 days; counted from a March, the leap
        // day is the last of a year (Howard Hinnant, "chrono-compatible low-level date algorithms").
        let days = seconds / 86400 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = 400 * era + year_of_era + u64::from(month <= 2);
        let second = seconds % 86400;
        Some(Date {
            year: year.try_into().ok()?,
            month: month as u8,
            day: day as u8,
            time: Some([(second / 3600) as u8, (second / 60 % 60) as u8, (second % 60) as u8]),
            zone: "GMT".to_owned(),
        })
    }

    /// The day with `separator` between its parts, as far as it is known.
    pub(in crate::notation) fn day_text(&self, separator: char) -> String {
        let mut text = format!("{:04}", self.year);
        if self.month > 0 {
            text += &format!("{separator}{:02}", self.month);
        }
        if self.day > 0 {
            text += &format!("{separator}{:02}", self.day);
        }
        text
    }

    /// The day as PGN writes it: `1977.??.??` if only the year is known.
    pub(super) fn full_day_text(&self) -> String {
        let n_unknown = usize::from(self.month == 0) + usize::from(self.day == 0);
        self.day_text('.') + &".??".repeat(n_unknown)
    }

    /// The time and its zone with `separator` between them.
    pub(in crate::notation) fn time_text(&self, separator: char) -> Option<String> {
        let [hours, minutes, seconds] = self.time?;
        let mut text = format!("{hours:02}:{minutes:02}:{seconds:02}");
        if !self.zone.is_empty() {
            text += &format!("{separator}{}", self.zone);
        }
        Some(text)
    }
}

impl fmt::Display for Date {
    /// As GGF writes it: `2004.09.18_05:54:38.MDT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.day_text('.'))?;
        self.time_text('.').map_or(Ok(()), |time| write!(f, "_{time}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let date = Date::parse(text).expect(text);
        assert_eq!(date.to_string(), expected);
        assert_eq!(Date::parse(expected), Some(date));
    }

    #[test]
    fn dates_are_read_as_files_write_them() {
        check("2004.09.18_05:54:38.MDT", "2004.09.18_05:54:38.MDT");
        check("2014-02-21 20:52:27 GMT", "2014.02.21_20:52:27.GMT");
        check("2014-02-21T20:52:27", "2014.02.21_20:52:27");
        check("1977", "1977");
        check("1977.??.??", "1977");
        check("1977.5.??", "1977.05");
        check("1996-05-06", "1996.05.06");
        // Seconds since 1970, as the first games of GGS have them.
        check("945277754", "1999.12.15_17:09:14.GMT");
        check("951782400", "2000.02.29_00:00:00.GMT");
        check("951868800", "2000.03.01_00:00:00.GMT");
        check("86399", "1970.01.01_23:59:59.GMT");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "?",
            "????.??.??",
            "last week",
            "1977.13.01",
            "1977.01.32",
            "1977.??.05",
            "0",
            "2004.09.18_25:00:00",
            "2004.09.18 noon",
            "99999999999999999999",
            "18446744073709551615",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
