//! The names of players and tournaments.

use std::collections::HashMap;

use super::{Contents, HEADER_BYTES, Header};
use crate::notation::Inexpressible;

/// The names that games refer to by number.
#[derive(Clone, Debug)]
pub struct Names {
    /// Of players.
    pub players: NameList,
    /// Of tournaments.
    pub tournaments: NameList,
}

impl Default for Names {
    /// No names but those of nobody and no tournament, which come first.
    fn default() -> Names {
        let list = |contents| NameList {
            contents,
            head: None,
            bytes: Vec::new(),
            numbers: HashMap::new(),
        };
        Names { players: list(Contents::Players), tournaments: list(Contents::Tournaments) }
    }
}

/// A file of names.
#[derive(Clone, Debug)]
pub struct NameList {
    contents: Contents,
    /// The head of the file that was read.
    head: Option<Header>,
    bytes: Vec<u8>,
    /// The number of each name.
    numbers: HashMap<String, u16>,
}

impl NameList {
    /// Reads a file of names.
    ///
    /// # Errors
    /// If it is none, or its length is not what its head tells.
    pub fn parse(bytes: &[u8], contents: Contents) -> Result<NameList, String> {
        let Some(header) = Header::from_bytes(bytes) else {
            return Err(format!("found {} bytes, expected a head of {HEADER_BYTES}", bytes.len()));
        };
        let names = &bytes[HEADER_BYTES..];
        let (n_names, n_bytes) = (usize::from(header.n_names), contents.name_bytes());
        if names.len() != n_names * n_bytes {
            return Err(format!(
                "found {} bytes of names, expected {n_names} names of {n_bytes}",
                names.len()
            ));
        }
        let mut list = NameList {
            contents,
            head: Some(header),
            bytes: names.to_vec(),
            numbers: HashMap::new(),
        };
        // Of equal names the first counts.
        for number in 0..header.n_names {
            list.numbers.entry(list.name(number)).or_insert(number);
        }
        Ok(list)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.contents.name_bytes()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The name of this number, or one that tells the number.
    pub fn name(&self, number: u16) -> String {
        let n_bytes = self.contents.name_bytes();
        let Some(bytes) = self.bytes.chunks_exact(n_bytes).nth(usize::from(number)) else {
            let kind = if self.contents == Contents::Players { "player" } else { "tournament" };
            return format!("{kind} {number}");
        };
        // The files are in Latin-1, in which a byte is the number of its character.
        bytes.iter().take_while(|b| **b != 0).map(|b| char::from(*b)).collect()
    }

    /// The number of a name, which is added if it is new; also whether it had to be changed, because
    /// it is too long or has a character the files do not know.
    ///
    /// # Errors
    /// If there are too many names already.
    pub fn number(&mut self, name: &str) -> Result<(u16, bool), Inexpressible> {
        if self.is_empty() {
            // The first name is that of nobody in particular.
            let first = if self.contents == Contents::Players { "???" } else { "Diverses parties" };
            self.add(first)?;
        }
        if name.is_empty() {
            return Ok((0, false));
        }
        let fitted = self.fit(name);
        let is_changed = fitted != name;
        if let Some(number) = self.numbers.get(&fitted) {
            return Ok((*number, is_changed));
        }
        Ok((self.add(&fitted)?, is_changed))
    }

    /// The name as the files can hold it.
    fn fit(&self, name: &str) -> String {
        let latin = |c: char| if c.is_control() || u32::from(c) > 255 { '?' } else { c };
        // The last byte is always 0.
        name.trim().chars().map(latin).take(self.contents.name_bytes() - 1).collect()
    }

    fn add(&mut self, name: &str) -> Result<u16, Inexpressible> {
        let number = u16::try_from(self.len())
            .ok()
            .filter(|n| *n < u16::MAX)
            .ok_or(Inexpressible("WTHOR holds no more than 65,535 names"))?;
        let end = self.bytes.len() + self.contents.name_bytes();
        self.bytes.extend(name.chars().map(|c| u32::from(c) as u8));
        self.bytes.resize(end, 0);
        self.numbers.insert(name.to_owned(), number);
        self.head = None;
        Ok(number)
    }

    /// As a file holds them.
    pub fn to_bytes(&self, created: [u8; 4]) -> Vec<u8> {
        let n_names = self.len() as u16;
        let header = self.head.unwrap_or_else(|| Header::names(created, n_names));
        [&header.to_bytes()[..], &self.bytes].concat()
    }
}
