//! Characters that cannot be seen, or that change how others are shown.

use std::fmt::Write;

/// Control characters, those that join, break or reorder text without being seen, and those that
/// are no characters.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' // soft hyphen
            | '\u{34f}' // combining grapheme joiner
            | '\u{61c}' // Arabic letter mark
            | '\u{115f}'..='\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
            | '\u{180e}' // Mongolian vowel separator
            | '\u{200b}'..='\u{200f}' // zero-width characters, directional marks
            | '\u{2028}'..='\u{202e}' // separators of lines and paragraphs, embeddings, overrides
            | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, isolates
            | '\u{feff}' // byte order mark
            | '\u{fff9}'..='\u{fffb}' // interlinear annotations
            | '\u{fffe}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e007f}' // tags
        )
}

/// A JSON document in which such characters are escapes. They occur in strings only, so the document means
/// the same. Line breaks between the values stay.
#[must_use]
pub fn escape_invisible(json: String) -> String {
    let is_escaped = |c: char| is_invisible(c) && c != '\n';
    if !json.contains(is_escaped) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if !is_escaped(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(escaped, "\\u{unit:04x}").expect("a string takes everything");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_means_the_same() {
        let value = "a\u{202e}b\u{200b}\u{feff}\u{2028}\u{e0041}\n\té";
        let json = serde_json::to_string_pretty(&[value]).unwrap();
        let escaped = escape_invisible(json);
        assert_eq!(
            escaped,
            "[\n  \"a\\u202eb\\u200b\\ufeff\\u2028\\udb40\\udc41\\n\\té\"\n]"
        );
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&escaped).unwrap(),
            [value]
        );
    }
}
