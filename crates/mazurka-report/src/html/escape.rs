//! Escapes text inside the page, so that it cannot become markup.

/// JSON inside a `<script>` element. JSON has `<` in strings only, where it may be escaped, so
/// that nothing ends the element or starts a comment.
pub(super) fn json(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Text inside an element.
pub(super) fn text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_ends_the_script() {
        let value = "</script><!-- \u{2028} \" \\ &";
        let json = serde_json::to_string(value).unwrap();
        let escaped = super::json(&json);
        assert!(!escaped.contains('<') && !escaped.contains('\u{2028}'));
        let back: String = serde_json::from_str(&escaped).unwrap();
        assert_eq!(back, value);
        assert_eq!(super::text("<a> & b"), "&lt;a&gt; &amp; b");
    }
}
