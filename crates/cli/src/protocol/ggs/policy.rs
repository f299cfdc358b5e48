//! Which games are accepted.

use std::time::Duration;

use obverse_board::Size;
use obverse_board::notation::record::{Colors, Variant};

use super::wire::Offer;

/// Whether games that count for the rating are wanted.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rated {
    /// Rated or not
    Any,
    /// Only rated games
    Only,
    /// Only unrated games
    Never,
}

/// Which games are accepted.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// The kinds of games, as the server names them; any that can be played if empty.
    pub(crate) kinds: Vec<String>,
    pub(crate) rated: Rated,
    /// The least and the most time for a game.
    pub(crate) time: (Duration, Duration),
    /// Whose offers are accepted; anybody's if empty.
    pub(crate) opponents: Vec<String>,
    /// Whose are not.
    pub(crate) ignored: Vec<String>,
}

impl Policy {
    pub(super) fn wants_rated(&self) -> bool {
        self.rated != Rated::Never
    }

    /// Why an offer is declined, if it is.
    pub(super) fn objection(&self, offer: &Offer) -> Option<String> {
        let Offer { from, kind, rated, clock, .. } = offer;
        if let Some(why) = unplayable(kind) {
            return Some(why);
        }
        if !self.kinds.is_empty() && !self.kinds.contains(kind) {
            return Some(format!("games of the kind {kind} are not wanted"));
        }
        if self.ignored.contains(from) {
            return Some(format!("{from} is ignored"));
        }
        if !self.opponents.is_empty() && !self.opponents.contains(from) {
            return Some(format!("{from} is not one of the opponents"));
        }
        match (self.rated, rated) {
            (Rated::Only, false) => return Some("only rated games are wanted".to_owned()),
            (Rated::Never, true) => return Some("only unrated games are wanted".to_owned()),
            _ => {}
        }
        let time = clock.map(|clock| clock.time)?;
        let (least, most) = self.time;
        if time < least || time > most {
            let [least, most] = [least, most].map(obverse_studio::clock::duration);
            return Some(format!("the time must be from {least} to {most}"));
        }
        None
    }
}

/// Why games of a kind cannot be played, if they cannot.
fn unplayable(kind: &str) -> Option<String> {
    let Some(variant) = Variant::parse(kind) else {
        return Some(format!("the kind {kind} is not known"));
    };
    if Size::from_side(variant.side.into()).is_none() {
        return Some(format!("boards of {} rows cannot be played", variant.side));
    }
    if variant.anti {
        return Some("anti games cannot be played".to_owned());
    }
    if variant.colors == Colors::Komi {
        return Some("komi games cannot be played".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use obverse_studio::clock::Clock;

    fn policy() -> Policy {
        Policy {
            kinds: Vec::new(),
            rated: Rated::Any,
            time: (Duration::from_mins(1), Duration::from_hours(1)),
            opponents: Vec::new(),
            ignored: vec!["mallory".to_owned()],
        }
    }

    fn offer(from: &str, kind: &str, seconds: u64, rated: bool) -> Offer {
        let clock = Clock { time: Duration::from_secs(seconds), increment: Duration::ZERO };
        Offer {
            id: ".8".to_owned(),
            from: from.to_owned(),
            to: "me".to_owned(),
            clock: Some(clock),
            kind: kind.to_owned(),
            rated,
        }
    }

    #[test]
    fn every_rule_declines_what_it_should() {
        let objection = |policy: &Policy, offer: Offer| policy.objection(&offer);
        let any = policy();
        assert_eq!(objection(&any, offer("bob", "8", 300, true)), None);
        assert_eq!(objection(&any, offer("bob", "s8r20", 300, false)), None);
        let why = |offer| objection(&any, offer).expect("it is declined");
        assert_eq!(why(offer("bob", "8a", 300, true)), "anti games cannot be played");
        assert_eq!(why(offer("bob", "8k", 300, true)), "komi games cannot be played");
        assert_eq!(why(offer("bob", "10", 300, true)), "boards of 10 rows cannot be played");
        assert_eq!(why(offer("bob", "88", 300, true)), "boards of 88 rows cannot be played");
        assert_eq!(why(offer("bob", "?", 300, true)), "the kind ? is not known");
        assert_eq!(why(offer("bob", "8", 30, true)), "the time must be from 1m to 1h");
        assert_eq!(why(offer("mallory", "8", 300, true)), "mallory is ignored");
        let rated = Policy { rated: Rated::Only, ..policy() };
        assert!(objection(&rated, offer("bob", "8", 300, false)).is_some());
        let unrated = Policy { rated: Rated::Never, ..policy() };
        assert!(objection(&unrated, offer("bob", "8", 300, true)).is_some());
        let choosy =
            Policy { opponents: vec!["alice".to_owned()], kinds: vec!["8".to_owned()], ..policy() };
        assert_eq!(objection(&choosy, offer("alice", "8", 300, true)), None);
        assert!(objection(&choosy, offer("bob", "8", 300, true)).is_some());
        assert!(objection(&choosy, offer("alice", "s8r20", 300, true)).is_some());
    }
}
