//! Whether two paths refer to the same file, despite links, different spellings or a different case.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether both paths refer to the same existing regular file.
#[must_use]
pub fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one_is), Ok(other_is)) = (fs::metadata(one), fs::metadata(other)) else {
        return false;
    };
    if !one_is.is_file() || !other_is.is_file() {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (one_is.dev(), one_is.ino()) == (other_is.dev(), other_is.ino())
    }
    #[cfg(not(unix))]
    {
        place(one) == place(other)
    }
}

/// The path without links, `.` and `..`. Also works for a file that does not exist yet.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    if let Ok(whole) = fs::canonicalize(path) {
        return whole;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_relative_parts() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::write(at("b"), "").unwrap();
        symlink(at("a"), at("soft")).unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        fs::create_dir(at("d")).unwrap();
        for other in ["a", "soft", "hard", "d/../a"] {
            assert!(is_same(&at("a"), &at(other)), "{other}");
        }
        assert!(!is_same(&at("a"), &at("b")));
        assert!(!is_same(&at("new"), &at("new")), "the file does not exist");
        assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
        assert_eq!(place(&at("d/../new")), place(&at("new")));
    }
}
