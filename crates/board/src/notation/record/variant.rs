//! The kind of a game as servers name it: `8`, `s8r20`, `8k`, `6a`.

use std::fmt;

use crate::Color;

/// The board of a game and the rules that are not the plain ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// The side length, 4 to 14; 88 is the octagon, a 10×10 board without its corners.
    pub side: u8,
    /// How the players got their colors.
    pub colors: Colors,
    /// Whether fewer discs win.
    pub anti: bool,
    /// The number of discs of a random start.
    pub random: Option<u8>,
}

/// How players get their colors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colors {
    /// In turn.
    Plain,
    /// Whoever offered the game wanted this one.
    Wanted(Color),
    /// Two games at once, one with each color.
    Synchro,
    /// They bid for them.
    Komi,
}

impl Variant {
    /// The plain game on a board of this side length.
    pub const fn plain(side: u8) -> Variant {
        Variant { side, colors: Colors::Plain, anti: false, random: None }
    }

    /// Reads a kind such as `s8r20`, the letters in any order.
    pub fn parse(text: &str) -> Option<Variant> {
        let mut variant = Variant::plain(0);
        let mut rest = text.trim();
        while let Some(c) = rest.chars().next() {
            let n_digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            if c.is_ascii_digit() {
                let (number, after) = rest.split_at(n_digits(rest));
                let side = number.parse().ok().filter(|side| matches!(side, 4..=14 | 88))?;
                if variant.side != 0 {
                    return None;
                }
                (variant.side, rest) = (side, after);
                continue;
            }
            rest = &rest[c.len_utf8()..];
            let colors = match c.to_ascii_lowercase() {
                'a' => {
                    variant.anti = true;
                    continue;
                }
                'r' => {
                    let (number, after) = rest.split_at(n_digits(rest));
                    variant.random =
                        Some(if number.is_empty() { 0 } else { number.parse().ok()? });
                    rest = after;
                    continue;
                }
                's' => Colors::Synchro,
                'k' => Colors::Komi,
                'b' => Colors::Wanted(Color::Black),
                'w' => Colors::Wanted(Color::White),
                _ => return None,
            };
            // A synchro game may be for komi too; that it is synchro says less.
            if variant.colors == Colors::Plain || variant.colors == Colors::Synchro {
                variant.colors = colors;
            }
        }
        (variant.side != 0).then_some(variant)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.colors == Colors::Synchro {
            f.write_str("s")?;
        }
        write!(f, "{}", self.side)?;
        match self.colors {
            Colors::Komi => f.write_str("k")?,
            Colors::Wanted(Color::Black) => f.write_str("b")?,
            Colors::Wanted(Color::White) => f.write_str("w")?,
            Colors::Plain | Colors::Synchro => {}
        }
        if self.anti {
            f.write_str("a")?;
        }
        match self.random {
            Some(n) => write!(f, "r{n}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_servers_write_them() {
        for text in ["8", "88", "4", "14", "s8r20", "8k", "8b", "8w", "6a", "8ar12", "8r0"] {
            let variant = Variant::parse(text).expect(text);
            assert_eq!(variant.to_string(), text);
        }
        assert_eq!(Variant::parse("8kr").unwrap().random, Some(0));
        assert_eq!(Variant::parse("sk8").unwrap().colors, Colors::Komi);
        for text in ["", "s", "3", "15", "8x", "8 8", "8r999", "8é"] {
            assert_eq!(Variant::parse(text), None, "{text}");
        }
    }
}
