//! Lines of text from a stream that may hold anything.

use std::io::BufRead;

/// The longest line that is read. No message of any protocol is nearly as long; the rest of a longer
/// line is passed over.
const LINE_BYTES_MAX: usize = 1 << 16;

/// The next line without its end, whatever bytes it is made of; `None` at the end of the stream.
pub(super) fn next(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // Whoever cannot be read has nothing more to say.
            Err(_) => &[],
        };
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend(&part[..part.len().min(LINE_BYTES_MAX - line.len())]);
        let n_read = end.map_or(buffer.len(), |end| end + 1);
        input.consume(n_read);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    any.then(|| String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        // A small buffer, so that lines come in several pieces.
        let mut input = std::io::BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| next(&mut input)).collect()
    }

    #[test]
    fn every_kind_of_end_ends_a_line() {
        assert_eq!(all(b"one\ntwo\r\n\nfour"), ["one", "two", "", "four"]);
        assert_eq!(all(b""), Vec::<String>::new());
        assert_eq!(all(b"\n"), [""]);
    }

    #[test]
    fn any_bytes_are_text() {
        assert_eq!(all(b"a\xffb\0c\n"), ["a\u{fffd}b\0c"]);
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut bytes = vec![b'x'; 3 * LINE_BYTES_MAX];
        bytes.extend(b"\nnext\n");
        let lines = all(&bytes);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [LINE_BYTES_MAX, 4]);
        assert_eq!(lines[1], "next");
    }
}
