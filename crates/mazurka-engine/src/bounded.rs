//! Text of limited length: values in reports may be of any size.

use rustc_hash::FxHasher;
use std::fmt::{self, Write};
use std::hash::Hasher;

/// Text that keeps its first characters and states how many were left out.
///
/// Text that is cut ends with a hash of what was left out, so that different values stay different
/// where text identifies them: findings and shared objects. Writing fails as soon as
/// [`LOOK_MAX`](Self::LOOK_MAX) characters have been seen, so a huge value is not rendered to its end.
///
/// ```
/// use mazurka_engine::Bounded;
///
/// assert_eq!(Bounded::debug(&[1, 2, 3]), "[1, 2, 3]");
/// let text = Bounded::debug(&vec![7_u8; 1_000_000]);
/// assert!(text.starts_with("[7, 7, 7, "));
/// assert!(text.contains("… (more than 98000 more characters, #"));
/// ```
pub struct Bounded {
    text: String,
    /// Number of characters that are still kept.
    keep_left: usize,
    /// Number of characters left out.
    left_out: usize,
    /// Hash of the characters left out.
    hasher: FxHasher,
    /// Number of characters that are still read.
    look_left: usize,
}

impl Bounded {
    /// Number of characters of a value that are kept.
    pub const KEEP_MAX: usize = 2_000;
    /// Number of characters that are read; those after them are not counted.
    pub const LOOK_MAX: usize = 100_000;
    /// Number of characters that are kept of the output of a program in one step.
    pub const OUTPUT_MAX: usize = 50_000;

    /// Empty text that keeps this many characters.
    #[must_use]
    pub fn new(keep: usize) -> Bounded {
        Bounded {
            text: String::new(),
            keep_left: keep,
            left_out: 0,
            hasher: FxHasher::default(),
            look_left: Bounded::LOOK_MAX.max(keep),
        }
    }

    /// What `write` writes. It should return the first error that it gets, which means that there is
    /// enough text.
    pub fn text(write: impl FnOnce(&mut Bounded) -> fmt::Result) -> String {
        let mut bounded = Bounded::new(Bounded::KEEP_MAX);
        _ = write(&mut bounded);
        bounded.finish()
    }

    /// A value as `{:?}` shows it.
    pub fn debug(value: &(impl fmt::Debug + ?Sized)) -> String {
        Bounded::text(|text| write!(text, "{value:?}"))
    }

    /// The given text, cut after this many characters.
    #[must_use]
    pub fn cut(text: &str, keep: usize) -> String {
        let mut bounded = Bounded::new(keep);
        _ = bounded.write_str(text);
        bounded.finish()
    }

    /// The text, with the number of characters left out.
    #[must_use]
    pub fn finish(self) -> String {
        let Bounded {
            mut text,
            left_out,
            hasher,
            look_left,
            ..
        } = self;
        if left_out > 0 {
            let more = if look_left == 0 { "more than " } else { "" };
            let hash = hasher.finish() >> 32;
            _ = write!(text, "… ({more}{left_out} more characters, #{hash:08x})");
        }
        text
    }
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let upto = |text: &str, count: usize| match text.len() <= count {
            true => text.len(),
            false => { text.char_indices() }
                .nth(count)
                .map_or(text.len(), |(at, _)| at),
        };
        let looked = &text[..upto(text, self.look_left)];
        let (kept, rest) = looked.split_at(upto(looked, self.keep_left));
        let kept_count = kept.chars().count();
        let rest_count = rest.chars().count();
        self.text.push_str(kept);
        self.keep_left -= kept_count;
        self.look_left -= kept_count + rest_count;
        if rest_count > 0 {
            self.left_out += rest_count;
            self.hasher.write(rest.as_bytes());
        }
        match self.look_left {
            0 => Err(fmt::Error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays_as_it_is() {
        assert_eq!(Bounded::cut("", 3), "");
        assert_eq!(Bounded::cut("äöü", 3), "äöü");
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let cut = Bounded::cut("äöüß€", 3);
        assert!(cut.starts_with("äöü… (2 more characters, #"), "{cut}");
    }

    #[test]
    fn what_is_left_out_still_tells_values_apart() {
        let one = Bounded::cut("same beginning, one", 4);
        let two = Bounded::cut("same beginning, two", 4);
        assert_ne!(one, two);
        assert_eq!(one, Bounded::cut("same beginning, one", 4));
    }

    #[test]
    fn pieces_make_the_same_text_as_the_whole() {
        let mut pieces = Bounded::new(5);
        for piece in ["abc", "def", "ghi"] {
            pieces.write_str(piece).expect("little text");
        }
        let pieces = pieces.finish();
        assert!(
            pieces.starts_with("abcde… (4 more characters, #"),
            "{pieces}"
        );
    }

    #[test]
    fn an_endless_value_is_left_early() {
        struct Endless;
        impl fmt::Debug for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("and on ")?;
                }
            }
        }
        let text = Bounded::debug(&Endless);
        assert!(
            text.contains("… (more than 98000 more characters, #"),
            "{text}"
        );
    }
}
