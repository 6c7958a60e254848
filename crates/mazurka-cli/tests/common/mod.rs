//! Runs the real binary in a directory of its own.

#![allow(dead_code, reason = "no test file uses all of it")]

pub mod schema;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A text without its line breaks and indents.
pub fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Asserts that `check` refuses these options for a program of the gallery, with this error message.
#[track_caller]
pub fn refused(options: &str, expected: &str) {
    let ran = Place::new().expect(2, &format!("check gallery:fan-in {options}"));
    assert!(ran.stderr.contains(expected), "{options}\n{}", ran.stderr);
    assert_eq!(ran.stdout, "", "{options}");
}

/// A directory in which the binary runs.
pub struct Place {
    directory: TempDir,
}

/// What the binary did.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Place {
        Place {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The command, not yet started.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command
            .args(line.split_whitespace())
            .current_dir(self.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "80");
        command
    }

    /// Runs a command line of words without spaces.
    pub fn run(&self, line: &str) -> Ran {
        self.command(line).output().unwrap().into()
    }

    /// Runs a line that a report shows, by a shell.
    pub fn shell(&self, line: &str) -> Ran {
        let binary = Path::new(env!("CARGO_BIN_EXE_mazurka"));
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&folders);
        let ours = binary.parent().map(Path::to_owned);
        Command::new("sh")
            .args(["-c", line])
            .current_dir(self.path())
            .env(
                "PATH",
                std::env::join_paths(ours.into_iter().chain(folders)).unwrap(),
            )
            .env("NO_COLOR", "1")
            .env("COLUMNS", "80")
            .output()
            .unwrap()
            .into()
    }

    /// Runs it and expects this exit code.
    pub fn expect(&self, code: i32, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(code), "mazurka {line}\n{ran:#?}");
        ran
    }

    /// Checks a program and expects this exit code.
    pub fn check(&self, code: i32, line: &str) -> Value {
        let ran = self.expect(code, &format!("check {line} --format json"));
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        match &report {
            // Of several tests.
            Value::Array(reports) => reports.iter().for_each(schema::check_report),
            one => schema::check_report(one),
        }
        report
    }

    pub fn write(&self, name: &str, contents: &str) {
        std::fs::write(self.path().join(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The names of the files in a directory, sorted.
    pub fn list(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path().join(name)).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The example of Vidal 2022 that the repository ships.
pub fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/traces/race-variant.json")
}
