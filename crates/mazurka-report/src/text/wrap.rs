//! Sentences that fit the terminal.

use super::width;
use anstream::adapter::strip_str;

/// The text in lines that fit, the first after `first` columns of indent and the others after
/// `other`. Colours have no width.
pub(super) fn wrap(text: &str, first: usize, other: usize) -> String {
    wrap_to(text, first, other, width())
}

fn wrap_to(text: &str, first: usize, other: usize, width: usize) -> String {
    let mut wrapped = " ".repeat(first);
    let mut column = first;
    let mut is_start = true;
    for word in text.split(' ') {
        let length = strip_str(word).to_string().chars().count();
        if !is_start && column + 1 + length > width {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(other));
            column = other;
        } else if !is_start {
            wrapped.push(' ');
            column += 1;
        }
        is_start = false;
        if column + length <= width || length != word.chars().count() {
            wrapped.push_str(word);
            column += length;
            continue;
        }
        // A word longer than a line is broken where the line ends.
        for character in word.chars() {
            if column >= width && column > other {
                wrapped.push('\n');
                wrapped.push_str(&" ".repeat(other));
                column = other;
            }
            wrapped.push(character);
            column += 1;
        }
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words() {
        assert_eq!(wrap_to("one two three", 2, 4, 9), "  one two\n    three");
        assert_eq!(
            wrap_to("\u{1b}[1mone\u{1b}[0m two", 0, 0, 7),
            "\u{1b}[1mone\u{1b}[0m two"
        );
        assert_eq!(
            wrap_to("a 123456789", 2, 4, 8),
            "  a\n    1234\n    5678\n    9"
        );
        assert_eq!(wrap_to("", 2, 4, 5), "  ");
    }
}
