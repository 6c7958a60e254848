//! The kinds of files that Mazurka writes, and how it recognises them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A kind of file that Mazurka writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A trace or a log.
    Execution,
    /// The web page.
    Html,
    /// A picture.
    Svg,
    /// A Mermaid diagram.
    Mermaid,
    /// A tree of executions.
    Dot,
    /// JUnit XML.
    JUnit,
    /// SARIF.
    Sarif,
    /// A manual page.
    Man,
}

/// Marks a web page written by Mazurka.
pub(crate) const HTML_MARK: &str = "<meta name=\"generator\" content=\"Mazurka\">";
/// Marks a picture written by Mazurka.
pub const SVG_MARK: &str = "<metadata>Mazurka</metadata>";
/// The second line of a Mermaid diagram written by Mazurka.
pub(crate) const MERMAID_MARK: &str = "    %% Mazurka\n";
/// The second line of a tree written by Mazurka.
pub(crate) const DOT_MARK: &str = "  comment=\"Mazurka\";\n";

impl Kind {
    /// What it is, with its article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Execution => "a trace or log",
            Kind::Html => "an HTML report",
            Kind::Svg => "an SVG picture",
            Kind::Mermaid => "a Mermaid diagram",
            Kind::Dot => "a tree of executions",
            Kind::JUnit => "a JUnit report",
            Kind::Sarif => "a SARIF report",
            Kind::Man => "a manual page",
        }
    }

    /// Whether Mazurka may have written the existing file. An empty file counts: replacing it loses
    /// nothing.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn is_own(self, file: &Path) -> io::Result<bool> {
        /// All marks are in the first bytes.
        const HEAD_MAX: u64 = 4_096;
        let mut head = Vec::new();
        File::open(file)?.take(HEAD_MAX).read_to_end(&mut head)?;
        Ok(head.is_empty() || self.begins(&String::from_utf8_lossy(&head)))
    }

    fn begins(self, head: &str) -> bool {
        let starts = |text: &str| head.starts_with(text);
        let has = |text: &str| head.contains(text);
        match self {
            Kind::Execution => {
                let marks = ["trace", "log"].map(|kind| format!("{{\n  \"mazurka\": \"{kind}\","));
                marks.iter().any(|mark| starts(mark))
            }
            Kind::Html => starts("<!DOCTYPE html>") && has(HTML_MARK),
            Kind::Svg => starts("<svg") && has(SVG_MARK),
            Kind::Mermaid => starts(&format!("sequenceDiagram\n{MERMAID_MARK}")),
            Kind::Dot => starts("digraph executions {") && has(DOT_MARK),
            Kind::JUnit => starts("<?xml") && has("<testsuites name=\"mazurka\""),
            Kind::Sarif => has("\"name\": \"Mazurka\""),
            Kind::Man => has("\n.TH mazurka") || starts(".TH mazurka"),
        }
    }
}
