//! Lines that fit the terminal.

use super::visible;
use terminal_size::{Width, terminal_size};

/// The width of output that does not go to a terminal.
const WIDTH_ELSEWHERE: usize = 80;

/// The width of the terminal in columns.
#[must_use]
pub fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok();
    columns
        .and_then(|columns| columns.parse().ok())
        .or_else(|| terminal_size().map(|(Width(columns), _)| columns.into()))
        .unwrap_or(WIDTH_ELSEWHERE)
}

/// The text on one line, with invisible characters made visible, and cut to `width` columns.
#[must_use]
pub fn shorten(text: &str, width: usize) -> String {
    let visible = visible(text);
    if visible.chars().count() <= width {
        return visible;
    }
    let kept: String = visible.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// The place of an event in `width` columns. Of a long path, the end is kept, which is the most
/// informative part.
pub(crate) fn shorten_place(place: &str, width: usize) -> String {
    let visible = visible(place);
    let columns = visible.chars().count();
    if columns <= width {
        return visible;
    }
    let left_out = columns + 1 - width.max(1);
    let kept: String = visible.chars().skip(left_out).collect();
    format!("…{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_place_is_kept() {
        assert_eq!(shorten_place("src/a.rs:12", 11), "src/a.rs:12");
        assert_eq!(shorten_place("src/a.rs:12", 8), "…a.rs:12");
        assert_eq!(shorten_place("src/a.rs:12", 0), "…");
    }

    #[test]
    fn shortens() {
        assert_eq!(shorten("hello", 5), "hello");
        assert_eq!(shorten("hello!", 5), "hell…");
        assert_eq!(shorten("two\nlines\u{1b}", 30), "two\\nlines\\u{1b}");
        assert_eq!(shorten("ééé", 3), "ééé");
    }
}
