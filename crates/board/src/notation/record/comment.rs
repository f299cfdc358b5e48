//! Comments, and the facts that formats without a place for them keep there.

/// The name and the value of a line `Name: value`.
pub(in crate::notation) fn fact(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(": ")?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some((name, value))
}

/// A line of a comment such that it is not read as a fact.
pub(in crate::notation) fn guarded(line: &str) -> String {
    let needs_blank = line.starts_with(' ') || fact(line).is_some();
    if needs_blank { format!(" {line}") } else { line.to_owned() }
}

/// Adds a line that may have been guarded.
pub(in crate::notation) fn add_line(comment: &mut String, line: &str) {
    if !comment.is_empty() {
        comment.push('\n');
    }
    comment.push_str(line.strip_prefix(' ').unwrap_or(line));
}

/// Adds a text that begins in a line of its own.
pub(in crate::notation) fn add_text(comment: &mut String, text: &str) {
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}

/// Removes the blanks around a comment.
pub(super) fn trim(comment: &mut String) {
    let trimmed = comment.trim();
    if trimmed.len() < comment.len() {
        *comment = trimmed.to_owned();
    }
}
