//! Escapes invisible characters.
//!
//! A control character moves the cursor, a bidirectional one reorders what follows it, and an
//! invisible one makes two different texts look the same. Every output that shows text of a program
//! passes it through here.

use mazurka_trace::is_invisible;

/// The text with every character that is invisible, or that changes how others are shown, written
/// as `\n` or `\u{202e}`.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        match is_invisible(c) {
            true => visible.extend(c.escape_default()),
            false => visible.push(c),
        }
    }
    visible
}

/// The same for a text of several lines: line breaks and tabs stay.
#[must_use]
pub fn visible_lines(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        match is_invisible(c) && !matches!(c, '\n' | '\t') {
            true => visible.extend(c.escape_default()),
            false => visible.push(c),
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        let check = |text, expected| assert_eq!(visible(text), expected);
        check("plain é 日本 👍🏽", "plain é 日本 👍🏽");
        check(
            "two\nlines\u{1b}\u{7f}\u{9b}",
            "two\\nlines\\u{1b}\\u{7f}\\u{9b}",
        );
        check(
            "a\u{202e}b\u{202a}\u{2066}c\u{2069}",
            "a\\u{202e}b\\u{202a}\\u{2066}c\\u{2069}",
        );
        check(
            "\u{200b}\u{200f}\u{feff}\u{ad}",
            "\\u{200b}\\u{200f}\\u{feff}\\u{ad}",
        );
        check("\u{2028}\u{2029}\u{2060}", "\\u{2028}\\u{2029}\\u{2060}");
        assert_eq!(visible_lines("a\tb\n\u{202e}c\r"), "a\tb\n\\u{202e}c\\r");
    }
}
