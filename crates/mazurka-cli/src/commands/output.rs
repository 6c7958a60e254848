//! Writes files beside the report: diagrams, and files for other tools.

use crate::args::{Output, Pictures};
use crate::exit::print_error;
use anyhow::{Result, bail};
use mazurka_files::{place, shown};
use mazurka_report::diagram::Picture;
use mazurka_report::files::{Kind, Outputs};
use mazurka_report::{Exit, Outcome, html, junit, sarif};
use std::path::{Path, PathBuf};

/// An output file and the option that names it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The option.
    pub option: &'static str,
    /// The kind of file.
    pub kind: Kind,
    /// Its path.
    pub file: &'a Path,
}

impl Pictures {
    fn files(&self) -> Vec<Named<'_>> {
        named([
            ("--svg", Kind::Svg, &self.svg),
            ("--mermaid", Kind::Mermaid, &self.mermaid),
        ])
    }

    /// Checks, before a long run, that all files and `more` can be written and replace none of the
    /// `inputs` that the command reads.
    pub fn check(&self, more: Option<Named<'_>>, inputs: Vec<PathBuf>) -> Result<Outputs> {
        let outputs = Outputs::new(inputs, self.force);
        let files: Vec<Named<'_>> = more.into_iter().chain(self.files()).collect();
        check(&outputs, &files)?;
        Ok(outputs)
    }

    /// Writes the diagrams of executions. `none` is printed if there is none. Returns `exit`, or the
    /// code for bad usage if a file could not be written.
    pub fn write(&self, outputs: &Outputs, pictures: &[Picture], none: &str, exit: Exit) -> Exit {
        let mut all_written = true;
        for Named { kind, file, .. } in self.files() {
            if pictures.is_empty() {
                eprintln!("{none}: {} is not written", shown(file));
            }
            for (number, picture) in (1..).zip(pictures) {
                let diagram = match &picture.diagram {
                    Ok(diagram) => diagram,
                    Err(error) => {
                        eprintln!("{}: no picture: {error}", picture.title);
                        continue;
                    }
                };
                let contents = match kind {
                    Kind::Svg => diagram.to_svg(&picture.title),
                    _ => diagram.to_mermaid(),
                };
                all_written &= write(outputs, kind, &numbered(file, number), &contents);
            }
        }
        if all_written { exit } else { Exit::Usage }
    }
}

impl Output {
    /// Checks, before a long run, that all files can be written and replace none of the `inputs` that
    /// the command reads.
    pub fn check(&self, inputs: Vec<PathBuf>) -> Result<Outputs> {
        let outputs = Outputs::new(inputs, self.pictures.force);
        let mut files = self.pictures.files();
        files.extend(named([
            ("--html", Kind::Html, &self.html),
            ("--dot", Kind::Dot, &self.dot),
            ("--junit", Kind::JUnit, &self.junit),
            ("--sarif", Kind::Sarif, &self.sarif),
        ]));
        check(&outputs, &files)?;
        Ok(outputs)
    }

    /// Writes all files of the options. A file that cannot be written is reported, and the exit code is
    /// then the one for bad usage.
    pub fn write(&self, outputs: &Outputs, outcomes: &[Outcome], exit: Exit) -> Exit {
        let pictures: Vec<Picture> = match self.pictures.files().is_empty() {
            true => Vec::new(),
            false => outcomes.iter().flat_map(Outcome::pictures).collect(),
        };
        let none = "No error to draw";
        let exit = self.pictures.write(outputs, &pictures, none, exit);
        let mut all_written = true;
        let mut write = |kind, file: &Path, contents: &str| {
            all_written &= write(outputs, kind, file, contents);
        };
        if let Some(file) = &self.html {
            let outcomes: Vec<&Outcome> = outcomes.iter().collect();
            write(Kind::Html, file, &html(&outcomes));
        }
        if let Some(file) = &self.dot {
            for (number, dot) in (1..).zip(outcomes.iter().filter_map(Outcome::to_dot)) {
                write(Kind::Dot, &numbered(file, number), &dot);
            }
        }
        if let Some(file) = &self.junit {
            write(Kind::JUnit, file, &junit(outcomes));
        }
        if let Some(file) = &self.sarif {
            write(Kind::Sarif, file, &sarif(outcomes));
        }
        if all_written { exit } else { Exit::Usage }
    }
}

/// The options that were given.
fn named<'a, const N: usize>(
    options: [(&'static str, Kind, &'a Option<PathBuf>); N],
) -> Vec<Named<'a>> {
    let given = options.into_iter().filter_map(|(option, kind, file)| {
        let file = file.as_deref()?;
        Some(Named { option, kind, file })
    });
    given.collect()
}

fn check(outputs: &Outputs, files: &[Named<'_>]) -> Result<()> {
    for (at, named) in files.iter().enumerate() {
        let file = named.file;
        outputs.check(file, named.kind)?;
        // Devices may be given several times.
        let mut others = files[..at].iter();
        let same = others.find(|other| place(other.file) == place(file));
        if let Some(other) = same.filter(|_| !file.exists() || file.is_file()) {
            bail!(
                "{} and {} both write to {}: choose two different files",
                other.option,
                named.option,
                shown(file)
            );
        }
    }
    Ok(())
}

/// Writes a file and reports whether that worked; prints the error if not.
fn write(outputs: &Outputs, kind: Kind, file: &Path, contents: &str) -> bool {
    let written = outputs.write(file, kind, contents);
    if let Err(error) = &written {
        print_error(&error.to_string());
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
