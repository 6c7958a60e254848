//! Annotations for GitHub: lines that a workflow prints so that GitHub shows findings beside the code.

use crate::location::Location;
use crate::outcome::{End, Kept, Outcome};
use crate::text::{count, process_with_role, visible, visible_lines};
use crate::verdict::Verdict;
use std::io::{self, Write};

impl Outcome {
    /// Writes a line for each error and warning, one if the check stopped early, and finally the
    /// verdict.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_github(&self, out: &mut impl Write) -> io::Result<()> {
        for kept in &self.found {
            let level = match kept.found.is_error {
                true if self.options.expect.contains(&kept.found.finding.kind) => "notice",
                true => "error",
                false => "warning",
            };
            self.write_found(out, level, kept)?;
        }
        let headline = self.headline();
        match (&self.end, self.verdict()) {
            (End::Fault(_), _) if self.fault().is_some() => {
                write_command(out, "error", &self.about("cannot be run"), &headline)?;
            }
            (End::Fault(fault), _) => {
                let about = self.about("not everything was explored");
                write_command(out, "error", &about, &fault.to_string())?;
            }
            (_, Verdict::Missing) => {
                write_command(
                    out,
                    "error",
                    &self.about("expected, and not found"),
                    &headline,
                )?;
            }
            (_, Verdict::Stopped) => {
                write_command(out, "notice", &self.about("stopped early"), &headline)?;
            }
            _ => {}
        }
        writeln!(
            out,
            "{}",
            plain_line(&format!("{}: {headline}", self.subject))
        )
    }

    fn write_found(&self, out: &mut impl Write, level: &str, kept: &Kept) -> io::Result<()> {
        let finding = &kept.found.finding;
        let mut properties = Vec::new();
        if let Some(at) = Location::of_finding(&self.subject, &kept.found.trace, finding) {
            properties.push(("file", at.file));
            properties.push(("line", at.line.to_string()));
            properties.extend(at.column.map(|column| ("col", column.to_string())));
        }
        let process = process_with_role(finding);
        properties.push(("title", format!("{} in process {process}", finding.kind)));
        let mut message = finding.message.clone();
        message += &format!(
            "\n{}, in {}",
            self.subject,
            count(kept.found.count, "execution")
        );
        if let Some(replay) = &kept.replay {
            message += &format!("\nReplay: {replay}");
        }
        write_command(out, level, &properties, &message)
    }

    fn about(&self, what: &str) -> [(&'static str, String); 1] {
        [("title", format!("{} {what}", self.subject.id))]
    }
}

fn write_command(
    out: &mut impl Write,
    level: &str,
    properties: &[(&str, String)],
    message: &str,
) -> io::Result<()> {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", property(value)))
        .collect();
    writeln!(out, "::{level} {}::{}", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    visible_lines(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that GitHub does not read as a command, whatever the name of the program is.
fn plain_line(text: &str) -> String {
    let line = visible(&text.replace(['\r', '\n'], " "));
    match line.trim_start().starts_with("::") {
        true => format!("mazurka {line}"),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let mut out = Vec::new();
        let properties = [("file", "a,b:c.rs".to_owned()), ("line", "3".to_owned())];
        write_command(&mut out, "error", &properties, "50% of\r\nit: \u{202e}a, b").unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "::error file=a%2Cb%3Ac.rs,line=3::50%25 of\\r%0Ait: \\u{202e}a, b\n"
        );
        assert_eq!(plain_line("::error::no\n"), "mazurka ::error::no ");
    }
}
