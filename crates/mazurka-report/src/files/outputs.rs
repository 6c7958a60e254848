//! The files that a command writes. They do not replace files that Mazurka did not write.

use super::{FileError, Kind, write};
use mazurka_files::is_same;
use std::path::{Path, PathBuf};

/// Which files a command may write.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    inputs: Vec<PathBuf>,
    force: bool,
}

impl Outputs {
    /// The outputs of a command that reads these files. With `force` it replaces files that
    /// Mazurka did not write, but never its own inputs.
    #[must_use]
    pub fn new(inputs: Vec<PathBuf>, force: bool) -> Outputs {
        Outputs { inputs, force }
    }

    /// Checks whether this file could be written now. The file does not change.
    ///
    /// # Errors
    /// It cannot, or must not, be written.
    pub fn check(&self, file: &Path, kind: Kind) -> Result<(), FileError> {
        self.may_replace(file, kind)?;
        let writable = mazurka_files::must_be_writable(file);
        writable.map_err(|error| FileError::Write {
            path: file.to_owned(),
            error,
        })
    }

    /// Writes a file as a whole or not at all.
    ///
    /// # Errors
    /// It cannot, or must not, be written.
    pub fn write(&self, file: &Path, kind: Kind, contents: &str) -> Result<(), FileError> {
        self.may_replace(file, kind)?;
        write(file, contents)
    }

    fn may_replace(&self, file: &Path, kind: Kind) -> Result<(), FileError> {
        let path = || file.to_owned();
        if self.inputs.iter().any(|input| is_same(input, file)) {
            return Err(FileError::IsInput { path: path() });
        }
        // If there is no file, or it is a device, nothing can be lost.
        if self.force || !file.is_file() {
            return Ok(());
        }
        match kind.is_own(file) {
            Ok(true) => Ok(()),
            // A file that cannot be read cannot be recognised as one of ours.
            Ok(false) | Err(_) => Err(FileError::Foreign { path: path(), kind }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, contents: &str| {
            let file = folder.path().join(name);
            fs::write(&file, contents).unwrap();
            file
        };
        let source = at("m.erl", "-module(m).\n");
        let trace = at("t.json", "{\n  \"mazurka\": \"trace\",\n");
        let page = at("r.html", "<!DOCTYPE html>\n<p>mine</p>\n");
        let empty = at("empty", "");
        let check = |force: bool, file: &Path, kind: Kind| {
            let outputs = Outputs::new(vec![source.clone()], force);
            outputs.check(file, kind).map_err(|error| error.to_string())
        };
        for force in [false, true] {
            let error = check(force, &source, Kind::Html).unwrap_err();
            assert!(
                error.ends_with("m.erl: this command reads it; give another file"),
                "{error}"
            );
            assert_eq!(check(force, &trace, Kind::Execution), Ok(()));
            assert_eq!(check(force, &empty, Kind::Html), Ok(()));
            assert_eq!(check(force, &folder.path().join("new"), Kind::Html), Ok(()));
            assert_eq!(check(force, Path::new("/dev/null"), Kind::Html), Ok(()));
            assert_eq!(check(force, &page, Kind::Html).is_ok(), force);
            assert_eq!(
                check(force, &trace, Kind::Html).is_ok(),
                force,
                "of another kind"
            );
        }
        let error = check(false, &page, Kind::Html).unwrap_err();
        let expected = "r.html: it exists and is not an HTML report that Mazurka wrote; give \
                        another file, or --force";
        assert!(error.ends_with(expected), "{error}");
        let outputs = Outputs::new(Vec::new(), false);
        assert!(outputs.write(&page, Kind::Html, "new").is_err());
        assert_eq!(
            fs::read_to_string(&page).unwrap(),
            "<!DOCTYPE html>\n<p>mine</p>\n"
        );
    }
}
