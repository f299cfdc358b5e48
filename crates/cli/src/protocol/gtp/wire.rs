//! What is said in GTP by both sides.
//!
//! The specification is Gunnar Farnebäck's "Specification of the Go Text Protocol, version 2, draft 2".
//! A square is named as everywhere in Othello, with a1 at the top left; Go has it at the bottom left.

use obverse_board::{Color, Move, Size, Square};

/// What a command is that is not well formed.
pub(super) const SYNTAX: &str = "syntax error";

/// A command, with the number the controller gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command {
    pub(super) id: String,
    pub(super) name: String,
    /// What follows the name, as it stands.
    pub(super) rest: String,
}

impl Command {
    /// The command a line holds; `None` if it holds none, as blank lines and comments do.
    pub(super) fn parse(line: &str) -> Option<Command> {
        let text = line.split('#').next().unwrap_or_default();
        let text: String = text
            .chars()
            .filter(|&c| c == '\t' || !c.is_control())
            .map(|c| if c == '\t' { ' ' } else { c })
            .collect();
        let text = text.trim();
        let (first, after) = text.split_once(' ').unwrap_or((text, ""));
        let has_id = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, command) = if has_id { (first, after.trim_start()) } else { ("", text) };
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        // A number alone is a command without a name, which nobody knows.
        (!text.is_empty()).then(|| Command {
            id: id.to_owned(),
            name: name.to_owned(),
            rest: rest.trim().to_owned(),
        })
    }

    pub(super) fn words(&self) -> Vec<&str> {
        self.rest.split_whitespace().collect()
    }
}

/// An answer to a command, up to the line that ends it: two ends of lines close it, so no line of it
/// is blank.
pub(super) fn answer(id: &str, answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    let blank = if text.is_empty() { "" } else { " " };
    format!("{sign}{id}{blank}{text}\n")
}

/// What an engine answers with a line, if the line is the beginning of an answer. The number may be
/// written as the specification says, `=12 F5`, or as Edax does, `= 12 F5`; none was asked for, so
/// it is passed over.
pub(super) fn read_answer(line: &str) -> Option<Result<&str, &str>> {
    let line = line.trim();
    let text = line.get(1..)?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    match line.as_bytes()[0] {
        b'=' => Some(Ok(text)),
        b'?' => Some(Err(text)),
        _ => None,
    }
}

/// `b`, `black`, `w` or `white`, in any case.
pub(super) fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A move in any case: `f5`, `PASS`.
pub(super) fn mv(text: &str, size: Size) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") || text.eq_ignore_ascii_case("pa") {
        return Some(Move::Pass);
    }
    let square: Square = text.parse().ok()?;
    size.squares().contains(square).then_some(Move::Place(square))
}

/// A move as GTP writes it: `F5`, `pass`.
pub(super) fn vertex(mv: Move) -> String {
    mv.square().map_or("pass".to_owned(), |square| square.to_string().to_uppercase())
}

/// `b` or `w`.
pub(super) fn letter(color: Color) -> char {
    if color == Color::Black { 'b' } else { 'w' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str, &str)>) {
        let command = Command::parse(line);
        let read = command.as_ref().map(|c| (&c.id[..], &c.name[..], &c.rest[..]));
        assert_eq!(read, expected, "{line:?}");
    }

    #[test]
    fn lines_are_cleaned_before_they_are_read() {
        check("name", Some(("", "name", "")));
        check("  12   play  b   F5 ", Some(("12", "play", "b   F5")));
        check(
            "play\tw\tpass # a comment",
            Some(("", "play", "w\tpass".replace('\t', " ").as_str())),
        );
        check("na\u{7}me\r", Some(("", "name", "")));
        check("# only a comment", None);
        check(" \t ", None);
        check("", None);
        check("42", Some(("42", "", "")));
        check("99999999999999999999 name", Some(("99999999999999999999", "name", "")));
    }

    #[test]
    fn an_answer_ends_with_a_blank_line_and_has_no_other() {
        assert_eq!(answer("", &Ok(String::new())), "=\n");
        assert_eq!(answer("7", &Ok("F5".to_owned())), "=7 F5\n");
        assert_eq!(answer("7", &Err("illegal move".to_owned())), "?7 illegal move\n");
        assert_eq!(answer("", &Ok("one\n\n\ntwo\n".to_owned())), "= one\ntwo\n");
    }

    #[test]
    fn answers_of_all_engines_are_read() {
        assert_eq!(read_answer("= F5"), Some(Ok("F5")));
        assert_eq!(read_answer("=12 F5\r"), Some(Ok("F5")));
        assert_eq!(read_answer("= "), Some(Ok("")));
        assert_eq!(read_answer("="), Some(Ok("")));
        assert_eq!(read_answer("?3 illegal move"), Some(Err("illegal move")));
        assert_eq!(read_answer("I think it is F5"), None);
        assert_eq!(read_answer(""), None);
    }

    #[test]
    fn moves_are_on_the_board() {
        assert_eq!(mv("F5", Size::Eight), mv("f5", Size::Eight));
        assert_eq!(mv("PASS", Size::Four), Some(Move::Pass));
        assert_eq!(mv("f5", Size::Four), None);
        assert_eq!(mv("resign", Size::Eight), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}") {
            let _ = Command::parse(&text);
            let _ = read_answer(&text);
            let _ = (color(&text), mv(&text, Size::Six));
        }
    }
}
