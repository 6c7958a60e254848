//! Text for people: how findings, races and sequences of events read.

mod messages;
mod sequence;
mod shorten;
mod story;
mod verdict;

pub use messages::Messages;
pub use sequence::Sequence;
pub use shorten::{shorten, width};
pub use story::{process_with_role, write_race, write_sequence};
pub use verdict::{write_advice, write_verdict};

use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// How things are set off on a terminal.
pub mod style {
    use super::{AnsiColor, Style};

    /// Headings.
    pub const BOLD: Style = Style::new().bold();
    /// Good news.
    pub const GOOD: Style = AnsiColor::Green.on_default().bold();
    /// Bad news.
    pub const BAD: Style = AnsiColor::Red.on_default().bold();
    /// Neither.
    pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
}

/// `text` set off by a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// `1 execution`, `2 executions`.
pub fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
