//! What a record says beside its moves, as names and values: the tags of PGN, and what other formats
//! have no place of their own for.

use super::{Clock, Date, Ending, Komi, Outcome, Record, Variant};
use crate::Color;
use crate::notation::scan;

impl Record {
    /// Every fact that is known, as a name and a value, in the order in which PGN writes them.
    ///
    /// Reading them back one by one gives the same record.
    pub fn facts(&self) -> Vec<(&str, String)> {
        let mut facts: Vec<(&str, String)> = Vec::new();
        let mut add = |name, value: String| {
            if !value.is_empty() {
                facts.push((name, value));
            }
        };
        let area = self.game().start().size().area();
        add("Event", self.event.clone());
        add("Site", self.site.clone());
        if let Some(date) = &self.date {
            add("Date", date.full_day_text());
            add("Time", date.time_text(' ').unwrap_or_default());
        }
        add("Round", self.round.clone());
        add("Black", self.black.name.clone());
        add("White", self.white.name.clone());
        if let Some(outcome) = self.outcome {
            add("Result", result_text(outcome, area));
            if outcome.ending != Ending::Played {
                add("Termination", outcome.ending.name().to_owned());
            }
        }
        add("BlackElo", number(self.black.rating));
        add("WhiteElo", number(self.white.rating));
        let clocks = [self.clocks.black, self.clocks.white];
        let [black, white] = clocks;
        if let Some(control) = black.and_then(time_control).filter(|_| black == white) {
            add("TimeControl", control);
        } else {
            let text = |clock: Option<Clock>| clock.map(|clock| clock.to_string());
            add("BlackClock", text(black).unwrap_or_default());
            add("WhiteClock", text(white).unwrap_or_default());
        }
        add("Variant", self.variant.map(|variant| variant.to_string()).unwrap_or_default());
        if let Some(komi) = &self.komi {
            add("Komi", number(komi.value));
            add("KomiBlack", komi.black.clone());
            add("KomiWhite", komi.white.clone());
        }
        add("Theoretical", self.theoretical.map(|n| n.to_string()).unwrap_or_default());
        // An extra of a name that was written already would change it.
        let n_known = facts.len();
        for (name, value) in &self.extras {
            if facts[..n_known].iter().all(|fact| fact.0 != name) {
                facts.push((name, value.clone()));
            }
        }
        facts
    }

    /// Takes up a fact of this name; a value that its field cannot hold is kept among the extras.
    pub fn set_fact(&mut self, name: &str, value: &str) {
        if self.set_known(name, value).is_none() {
            // All names begin with a capital letter, by which they are known in comments.
            let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
            self.extras.push((first.to_ascii_uppercase() + rest, value.to_owned()));
        }
    }

    fn set_known(&mut self, name: &str, value: &str) -> Option<()> {
        if matches!(value, "" | "?" | "-" | "*" | "????.??.??") && is_known(name) {
            return Some(());
        }
        let finite = || scan::number(value);
        match name {
            "Event" => value.clone_into(&mut self.event),
            "Site" => value.clone_into(&mut self.site),
            "Round" => value.clone_into(&mut self.round),
            "Black" => value.clone_into(&mut self.black.name),
            "White" => value.clone_into(&mut self.white.name),
            "BlackElo" => self.black.rating = Some(finite()?),
            "WhiteElo" => self.white.rating = Some(finite()?),
            "Date" => {
                let is_first = self.date.replace(Date::parse(value)?).is_none();
                self.retry("Time", is_first);
            }
            "Time" => self.date.as_mut()?.set_time(value)?,
            "Result" => {
                let is_first = self.outcome.replace(parse_result(value)?).is_none();
                self.retry("Termination", is_first);
            }
            "Termination" => self.outcome.as_mut()?.ending = parse_ending(value)?,
            "TimeControl" => {
                let clock = parse_time_control(value)?;
                (self.clocks.black, self.clocks.white) = (Some(clock), Some(clock));
            }
            "BlackClock" => self.clocks.black = Some(Clock::parse(value)?),
            "WhiteClock" => self.clocks.white = Some(Clock::parse(value)?),
            "Variant" => self.variant = Some(Variant::parse(value)?),
            "Komi" => self.komi.get_or_insert_with(Komi::default).value = Some(finite()?),
            "KomiBlack" => {
                value.clone_into(&mut self.komi.get_or_insert_with(Komi::default).black);
            }
            "KomiWhite" => {
                value.clone_into(&mut self.komi.get_or_insert_with(Komi::default).white);
            }
            "Theoretical" => self.theoretical = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// Takes up a fact that came before the first of those it belongs to.
    fn retry(&mut self, name: &str, is_first: bool) {
        let mut extras = self.extras.iter();
        if is_first && let Some(i) = extras.position(|extra| extra.0 == name) {
            let (name, value) = self.extras.remove(i);
            self.set_fact(&name, &value);
        }
    }
}

/// Whether a field has the fact of this name.
fn is_known(name: &str) -> bool {
    const KNOWN: [&str; 19] = [
        "Event",
        "Site",
        "Date",
        "Time",
        "Round",
        "Black",
        "White",
        "Result",
        "Termination",
        "BlackElo",
        "WhiteElo",
        "TimeControl",
        "BlackClock",
        "WhiteClock",
        "Variant",
        "Komi",
        "KomiBlack",
        "KomiWhite",
        "Theoretical",
    ];
    KNOWN.contains(&name)
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The result as PGN writes it: the discs `34-30`, or who won.
pub(in crate::notation) fn result_text(outcome: Outcome, area: u8) -> String {
    match (outcome.tally(area), outcome.winner) {
        (Some([black, white]), _) => format!("{black}-{white}"),
        (None, Some(Color::Black)) => "1-0".to_owned(),
        (None, Some(Color::White)) => "0-1".to_owned(),
        (None, None) => "1/2-1/2".to_owned(),
    }
}

/// Reads `34-30`, `1-0`, `0-1` or `1/2-1/2`.
pub(in crate::notation) fn parse_result(text: &str) -> Option<Outcome> {
    let won = |winner| Some(Outcome { winner, discs: None, ending: Ending::Played });
    match text {
        "1-0" => return won(Some(Color::Black)),
        "0-1" => return won(Some(Color::White)),
        "1/2-1/2" | "1/2" => return Some(Outcome::by(0.0, Ending::Played)),
        _ => {}
    }
    let (black, white) = text.split_once('-')?;
    let discs = |text: &str| text.trim().parse().ok().filter(|n| (0.0..=1000.0).contains(n));
    let (black, white): (f64, f64) = (discs(black)?, discs(white)?);
    Some(Outcome::by(black - white, Ending::Played))
}

fn parse_ending(text: &str) -> Option<Ending> {
    let text = text.to_ascii_lowercase();
    if let Some(ending) = Ending::ALL.into_iter().find(|ending| ending.name() == text) {
        return Some(ending);
    }
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match () {
        () if says(&["resign"]) => Some(Ending::Resigned),
        () if says(&["time"]) => Some(Ending::Timeout),
        () if says(&["abandon", "forfeit", "disconnect", "rules infraction"]) => Some(Ending::Left),
        () => None,
    }
}

/// `300` or `300+5`, if that says all.
fn time_control(clock: Clock) -> Option<String> {
    let Clock { main, increment, grace } = clock;
    match (increment, grace) {
        (0, 0) => Some(main.to_string()),
        (_, 0) => Some(format!("{main}+{increment}")),
        _ => None,
    }
}

fn parse_time_control(text: &str) -> Option<Clock> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(Clock { main: main.parse().ok()?, increment: increment.parse().ok()?, grace: 0 })
}
