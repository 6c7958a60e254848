//! Files beside the report: pictures, and what other tools read.

use crate::args::{Output, Pictures};
use crate::exit::say_error;
use anyhow::{Result, bail};
use mazurka_report::diagram::Picture;
use mazurka_report::{Exit, Outcome, files, html, junit, sarif};
use std::path::{Path, PathBuf};

/// Options with the files that they name, in a fixed order.
type Named<'a> = Vec<(&'static str, &'a Path)>;

impl Pictures {
    fn files(&self) -> Named<'_> {
        let mut files = Vec::new();
        for (option, file) in [("--svg", &self.svg), ("--mermaid", &self.mermaid)] {
            if let Some(file) = file.as_deref() {
                files.push((option, file));
            }
        }
        files
    }

    /// Whether all files can be written: better said before a long check than after.
    pub fn check(&self) -> Result<()> {
        check(&self.files())
    }

    /// Writes the pictures of executions. `none` says why there are none, if so. The exit code is
    /// that for bad usage if something could not be written.
    pub fn write(&self, pictures: &[Picture], none: &str, exit: Exit) -> Exit {
        let mut all_written = true;
        for (option, file) in self.files() {
            if pictures.is_empty() {
                eprintln!("{none}: {} is not written", file.display());
            }
            for (number, picture) in (1..).zip(pictures) {
                let diagram = match &picture.diagram {
                    Ok(diagram) => diagram,
                    Err(error) => {
                        eprintln!("{}: no picture: {error}", picture.title);
                        continue;
                    }
                };
                let contents = match option {
                    "--svg" => diagram.to_svg(&picture.title),
                    _ => diagram.to_mermaid(),
                };
                all_written &= write(&numbered(file, number), &contents);
            }
        }
        if all_written { exit } else { Exit::Usage }
    }
}

impl Output {
    fn files(&self) -> Named<'_> {
        let mut files = self.pictures.files();
        for (option, file) in [
            ("--html", &self.html),
            ("--dot", &self.dot),
            ("--junit", &self.junit),
            ("--sarif", &self.sarif),
        ] {
            if let Some(file) = file.as_deref() {
                files.push((option, file));
            }
        }
        files
    }

    /// Whether all files can be written: better said before a long check than after.
    pub fn check(&self) -> Result<()> {
        check(&self.files())
    }

    /// Writes all that was asked for. What cannot be written is told; the exit code is then that
    /// for bad usage.
    pub fn write(&self, outcomes: &[Outcome], exit: Exit) -> Exit {
        let pictures: Vec<Picture> = match self.pictures.files().is_empty() {
            true => Vec::new(),
            false => outcomes.iter().flat_map(Outcome::pictures).collect(),
        };
        let exit = self.pictures.write(&pictures, "No error to draw", exit);
        let mut all_written = true;
        if let Some(file) = &self.html {
            let outcomes: Vec<&Outcome> = outcomes.iter().collect();
            all_written &= write(file, &html(&outcomes));
        }
        if let Some(file) = &self.dot {
            for (number, dot) in (1..).zip(outcomes.iter().filter_map(Outcome::to_dot)) {
                all_written &= write(&numbered(file, number), &dot);
            }
        }
        if let Some(file) = &self.junit {
            all_written &= write(file, &junit(outcomes));
        }
        if let Some(file) = &self.sarif {
            all_written &= write(file, &sarif(outcomes));
        }
        if all_written { exit } else { Exit::Usage }
    }
}

fn check(named: &Named<'_>) -> Result<()> {
    for (place, (option, file)) in named.iter().enumerate() {
        files::must_be_writable(file)?;
        // Devices may be given as often as one likes.
        let same = named[..place].iter().find(|(_, other)| other == file);
        if let Some((other, _)) = same.filter(|_| !file.exists() || file.is_file()) {
            bail!(
                "{other} and {option} both name {}: give one another file",
                file.display()
            );
        }
    }
    Ok(())
}

/// Whether it was written.
fn write(file: &Path, contents: &str) -> bool {
    let written = files::write(file, contents);
    if let Err(error) = &written {
        say_error(&error.to_string());
    }
    written.is_ok()
}

/// `bug.svg`, `bug-2.svg`, `bug-3.svg`.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = part(file.file_stem());
    let name = match file.extension() {
        Some(extension) => format!("{stem}-{number}.{}", part(Some(extension))),
        None => format!("{stem}-{number}"),
    };
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_before_the_extension() {
        let name = |file: &str, number| numbered(Path::new(file), number).display().to_string();
        assert_eq!(name("out/bug.svg", 1), "out/bug.svg");
        assert_eq!(name("out/bug.svg", 2), "out/bug-2.svg");
        assert_eq!(name("bug", 3), "bug-3");
        assert_eq!(name("a.b.svg", 2), "a.b-2.svg");
    }
}
