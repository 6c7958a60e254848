//! Text in XML.

use mazurka_trace::is_invisible;
use std::fmt::Write;

/// Escapes a text for an element or a quoted attribute. Characters that XML does not allow are
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
            // An XML reader would convert it to a line feed.
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

/// XML 1.0, production 2, without the control characters that it discourages and without invisible
/// characters.
fn is_allowed(c: char) -> bool {
    !is_invisible(c)
}

#[cfg(test)]
pub(crate) mod tests {
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

    /// Whether elements are closed in order, attributes quoted, and texts free of what must be
    /// escaped: as much of XML as we write.
    #[track_caller]
    pub(crate) fn check_well_formed(xml: &str) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = xml;
        let mut roots = 0;
        if rest.starts_with("<?xml") {
            rest = rest.split_once("?>").expect("the declaration ends").1;
        }
        while let Some(start) = rest.find('<') {
            check_text(&rest[..start]);
            let end = rest[start..].find('>').expect("a tag ends") + start;
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "closed in order");
                continue;
            }
            let tag_without_end = tag.strip_suffix('/').unwrap_or(tag);
            let name = tag_without_end.split_whitespace().next().expect("a name");
            check_attributes(tag_without_end[name.len()..].trim());
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!(rest.trim(), "", "nothing after the end");
        assert!(open.is_empty(), "{open:?} are not closed");
        assert_eq!(roots, 1, "one root");
    }

    #[track_caller]
    fn check_attributes(mut rest: &str) {
        let mut names = Vec::new();
        while !rest.is_empty() {
            let (name, value) = rest.split_once("=\"").expect("a value in quotes");
            assert!(
                !name.is_empty() && !name.contains(char::is_whitespace),
                "{name}"
            );
            assert!(!names.contains(&name), "{name} twice");
            names.push(name);
            let (value, after) = value.split_once('"').expect("quotes are closed");
            check_text(value);
            rest = after.trim_start();
        }
    }

    #[track_caller]
    fn check_text(text: &str) {
        for (at, _) in text.match_indices('&') {
            let name = text[at + 1..].split(';').next().unwrap_or_default();
            let known = ["amp", "lt", "gt", "quot", "apos"].contains(&name);
            let number = name
                .strip_prefix('#')
                .is_some_and(|n| n.parse::<u32>().is_ok());
            assert!(known || number, "&{name}");
        }
        let wrong = |c: char| c.is_control() && !"\n\t\r".contains(c) || c == '\u{ffff}';
        assert!(!text.contains(wrong), "{text:?}");
    }

    #[test]
    fn the_check_can_fail() {
        for wrong in [
            "<a>",
            "<a></b>",
            "<a b=c/>",
            "<a>&x;</a>",
            "<a/><b/>",
            "<a b=\"1\" b=\"2\"/>",
        ] {
            assert!(
                std::panic::catch_unwind(|| check_well_formed(wrong)).is_err(),
                "{wrong}"
            );
        }
        check_well_formed("<?xml version=\"1.0\"?>\n<a b=\"c\"><d/>&lt;</a>\n");
    }
}
