//! Text in XML.

use std::fmt::Write;

/// A text as it stands in an element or in a quoted attribute. What XML cannot have at all is
/// replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\n' | '\t' => escaped.push(c),
            // A reader would make a line feed of it.
            '\r' => escaped.push_str("&#13;"),
            c if is_allowed(c) => escaped.push(c),
            c => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    escaped
}

/// The same for an attribute, in which line breaks would become blanks.
pub(crate) fn attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// XML 1.0, production 2, without the control characters that it discourages.
fn is_allowed(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(
            escape("<a b=\"c\">&'\u{0}\u{1b}\u{ffff}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&apos;\\u{0}\\u{1b}\\u{ffff}"
        );
        assert_eq!(escape("two\nlines\r"), "two\nlines&#13;");
        assert_eq!(attribute("two\nlines\t"), "two&#10;lines&#9;");
    }
}
