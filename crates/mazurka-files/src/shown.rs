//! File names as text. A name may contain any bytes, such as line breaks and invalid UTF-8.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The name on one line. Bytes that are not UTF-8 and control characters are escaped like `\xff`;
/// invisible characters and those that change the text direction are escaped like `\u{202e}`.
#[must_use]
pub fn shown(path: &Path) -> String {
    let mut text = String::new();
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in part.valid().chars() {
            match character {
                c if c.is_ascii_control() => push_byte(&mut text, c as u8),
                c if is_hidden(c) => drop(write!(text, "\\u{{{:x}}}", u32::from(c))),
                c => text.push(c),
            }
        }
        part.invalid()
            .iter()
            .for_each(|byte| push_byte(&mut text, *byte));
    }
    text
}

fn push_byte(text: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\\x{byte:02x}");
}

/// Whether a character is invisible or changes the text direction.
fn is_hidden(character: char) -> bool {
    matches!(u32::from(character),
        0x80..=0x9f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff)
}

/// The path for a name that a user gave: the file with exactly this name or, if there is none, the file
/// whose name is [shown](shown()) like this.
#[must_use]
pub fn named(text: &str) -> PathBuf {
    let literal = PathBuf::from(text);
    if !text.contains('\\') || literal.exists() {
        return literal;
    }
    match meant(text) {
        Some(meant) if meant.exists() => meant,
        _ => literal,
    }
}

/// The inverse of [`shown()`].
fn meant(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        if let Some(digits) = after.strip_prefix('x').and_then(|after| after.get(..2)) {
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            // `x` and the two digits have one byte each.
            rest = &after[3..];
        } else if let Some(after) = after.strip_prefix("u{") {
            let (digits, after) = after.split_once('}')?;
            let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            rest = after;
        } else {
            bytes.push(b'\\');
            rest = after;
        }
    }
    bytes.extend(rest.as_bytes());
    of_bytes(bytes).map(PathBuf::from)
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn names_are_shown_on_one_line_and_parsed_back() {
        let folder = tempfile::tempdir().unwrap();
        for (name, expected) in [
            (&b"plain.erl"[..], "plain.erl"),
            (b"two\nlines", "two\\x0alines"),
            (b"a\xff\xfeb", "a\\xff\\xfeb"),
            ("λ\u{202e}x".as_bytes(), "λ\\u{202e}x"),
            (b"back\\slash", "back\\slash"),
        ] {
            let path = folder.path().join(OsString::from_vec(name.to_vec()));
            std::fs::write(&path, "").unwrap();
            let text = shown(&path);
            assert!(text.ends_with(expected), "{text}");
            assert_eq!(named(&text), path);
        }
        assert_eq!(named("no\\x41"), PathBuf::from("no\\x41"));
        assert_eq!(named("no\\xzz\\"), PathBuf::from("no\\xzz\\"));
    }
}
