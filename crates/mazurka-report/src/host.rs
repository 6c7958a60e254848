//! The interface to the caller of a check: progress, interruption, details of errors.

use crate::options::CheckOptions;
use crate::subject::Subject;
use mazurka_engine::{Finding, Progress};
use mazurka_trace::Trace;
use mazurka_trace::is_invisible;
use std::path::Path;

/// The caller of a check.
pub trait Host {
    /// The command that replays an error, given its log. The `mazurka` command uses
    /// [`replay_command`].
    fn replay_line(
        &self,
        subject: &Subject,
        options: &CheckOptions,
        log: LogAt<'_>,
    ) -> Option<String>;

    /// The command that checks all executions of a program, one of which was replayed.
    fn check_line(&self, subject: &Subject) -> Option<String> {
        let _ = subject;
        None
    }

    /// Details that only the host has about an error, such as the backtrace of a panic. Called once
    /// for each distinct error, after the exploration.
    fn details(&mut self, finding: &Finding, trace: &Trace) -> Option<String> {
        let _ = (finding, trace);
        None
    }

    /// Called when the execution of a replay is over. What is run after that only explains it.
    fn replayed(&mut self) {}

    /// Shows the progress of the check. Called about ten times a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// A function that returns whether the user wants the check to stop. Called very often, and inside
    /// long steps of the program.
    fn interrupts(&self) -> fn() -> bool {
        || false
    }

    /// Whether the user wants it to stop.
    fn interrupted(&self) -> bool {
        self.interrupts()()
    }
}

/// Where a log is.
#[derive(Clone, Copy, Debug)]
pub enum LogAt<'l> {
    /// In this token, because it is short.
    Token(&'l str),
    /// In this file.
    File(&'l Path),
}

impl LogAt<'_> {
    /// As a word for a shell.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            LogAt::Token(token) => shell_word(token),
            LogAt::File(file) => shell_word(&file.to_string_lossy()),
        }
    }
}

/// `mazurka replay PROGRAM LOG`, with the bounds of the check, which a log does not contain.
#[must_use]
pub fn replay_command(subject: &Subject, options: &CheckOptions, log: LogAt<'_>) -> String {
    let mut line = format!("mazurka replay {} {}", shell_word(&subject.id), log.word());
    for setting in options.beside_log() {
        for word in setting.arguments(options, &CheckOptions::default()) {
            line += &format!(" {}", shell_word(&word));
        }
    }
    line
}

/// A word for a shell, in quotes if it needs them.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+,=:@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false if text.chars().any(is_invisible) => dollar_word(text),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// `$'a\u202eb'`, as bash and zsh read it, with invisible characters escaped.
fn dollar_word(text: &str) -> String {
    let mut word = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => word.extend(['\\', c]),
            c if !is_invisible(c) => word.push(c),
            c if c.is_ascii() => word += &format!("\\x{:02x}", u32::from(c)),
            c => word += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    word + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_for_the_shell() {
        assert_eq!(shell_word("mazurka-logs/a-1.json"), "mazurka-logs/a-1.json");
        assert_eq!(shell_word("my logs/it's.json"), r"'my logs/it'\''s.json'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("a\n\u{202e}'b"), r"$'a\x0a\U0000202e\'b'");
    }
}
