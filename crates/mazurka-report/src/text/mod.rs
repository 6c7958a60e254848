//! Reports, findings, races and sequences of events as text.
//!
//! The text contains colours; a caller that does not write to a terminal removes them, as
//! `anstream` does.

mod abbreviate;
mod across;
mod counts;
mod daemons;
mod errors;
mod estimate;
mod explain;
mod headline;
mod messages;
mod models;
mod names;
mod replay;
mod report;
mod sequence;
mod shorten;
mod source;
mod stop;
mod story;
mod visible;
mod warnings;
mod ways;
mod wrap;

pub use abbreviate::abbreviate;
pub use across::{models_text, write_differences, write_models};
pub(crate) use counts::{DETAILS, rows};
pub(crate) use daemons::names as stopped_daemons;
pub(crate) use errors::{explanation, title};
pub use estimate::about;
pub(crate) use explain::{Explained, names, shown};
pub(crate) use headline::{headline, left_out, noun};
pub use messages::Messages;
pub use names::Names;
pub use sequence::Sequence;
pub(crate) use sequence::placed;
pub(crate) use shorten::shorten_place;
pub use shorten::{shorten, width};
pub(crate) use source::{file_of, parts, place_in};
pub use story::process_with_role;
pub(crate) use story::{EVENTS_MAX, in_order, ordered};
pub use visible::{visible, visible_lines};

use wrap::wrap;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io;

/// Styles for terminals.
pub mod style {
    use super::{AnsiColor, Style};

    /// Headings.
    pub const BOLD: Style = Style::new().bold();
    /// Good news.
    pub const GOOD: Style = AnsiColor::Green.on_default().bold();
    /// Bad news.
    pub const BAD: Style = AnsiColor::Red.on_default().bold();
    /// Less important text.
    pub const FAINT: Style = Style::new().dimmed();
    /// Neither good nor bad.
    pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
}

/// `text` in a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// `1 execution`, `2 executions`.
#[must_use]
pub fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// `a, b or c`
pub(crate) fn listed(items: &[impl AsRef<str>], last: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((only, [])) => (*only).to_owned(),
        Some((end, others)) => format!("{} {last} {end}", others.join(", ")),
        None => "none".to_owned(),
    }
}

/// A line without its colours.
pub(crate) fn without_colours(line: &str) -> String {
    strip_str(line).to_string()
}

/// The text that `write` writes, without colours.
pub(crate) fn plain(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text).expect("writing to a vector does not fail");
    strip_str(&String::from_utf8_lossy(&text)).to_string()
}
