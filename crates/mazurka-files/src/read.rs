//! Reads files up to a size limit: `/dev/zero` has no end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system returned an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path is a directory.
    #[error("it is a directory")]
    Directory,
    /// The path is a device, a pipe or a socket.
    #[error("it is not a regular file")]
    Special,
    /// The file is larger than the limit for its kind.
    #[error("it is larger than {} MiB, the limit for such files", .0 >> 20)]
    TooLarge(u64),
    /// The file is not UTF-8 text.
    #[error("it is not text in UTF-8")]
    NotText,
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
/// The path is not such a file, or cannot be read.
pub fn read(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    look(path, max)?;
    read_stream(path, max)
}

/// Reads a regular text file of at most `max` bytes.
///
/// # Errors
/// The path is not such a file, or cannot be read.
pub fn read_text(path: &Path, max: u64) -> Result<String, ReadError> {
    String::from_utf8(read(path, max)?).map_err(|_| ReadError::NotText)
}

/// Reads at most `max` bytes of a file, or of a pipe such as `/dev/stdin`.
///
/// # Errors
/// The path has more bytes, is a directory, or cannot be read.
pub fn read_stream(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ReadError::Directory);
    }
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > max {
        true => Err(ReadError::TooLarge(max)),
        false => Ok(bytes),
    }
}

/// Checks that this is a regular file of at most `max` bytes. Does not open it, so a pipe without a
/// writer does not block.
///
/// # Errors
/// The path is not such a file.
pub fn look(path: &Path, max: u64) -> Result<(), ReadError> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(ReadError::Directory);
    }
    if !found.is_file() {
        return Err(ReadError::Special);
    }
    match found.len() > max {
        true => Err(ReadError::TooLarge(max)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert!(matches!(read(&file, 4), Err(ReadError::TooLarge(4))));
        assert!(matches!(read_stream(&file, 4), Err(ReadError::TooLarge(4))));
        assert!(matches!(read(folder.path(), 9), Err(ReadError::Directory)));
        fs::write(&file, [0xff]).unwrap();
        assert!(matches!(read_text(&file, 9), Err(ReadError::NotText)));
        assert!(matches!(
            read(&folder.path().join("b"), 9),
            Err(ReadError::Io(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_limited_or_refused() {
        let zero = Path::new("/dev/zero");
        assert!(matches!(read(zero, 9), Err(ReadError::Special)));
        let error = read_stream(zero, 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "it is larger than 1 MiB, the limit for such files");
        assert_eq!(read_stream(Path::new("/dev/null"), 9).unwrap(), b"");
    }
}
