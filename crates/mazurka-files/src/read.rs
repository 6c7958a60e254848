//! A file that is read within a limit: `/dev/zero` has no end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// It is a device, a pipe or a socket.
    #[error("it is not a regular file")]
    Special,
    /// It is larger than what is read of such files.
    #[error("it is larger than {} MiB, the limit for such files", .0 >> 20)]
    TooLarge(u64),
    /// It is not text.
    #[error("it is not text in UTF-8")]
    NotText,
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
/// It is not one, or cannot be read.
pub fn read(path: &Path, max: u64) -> Result<Vec<u8>, ReadError> {
    look(path, max)?;
    read_stream(path, max)
}

/// Reads a regular file of at most `max` bytes that is text.
///
/// # Errors
/// It is not one, or cannot be read.
pub fn read_text(path: &Path, max: u64) -> Result<String, ReadError> {
    String::from_utf8(read(path, max)?).map_err(|_| ReadError::NotText)
}

/// Reads at most `max` bytes of a file, or of a pipe such as `/dev/stdin`.
///
/// # Errors
/// It has more, is a directory, or cannot be read.
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

/// An error unless this is a regular file of at most `max` bytes. It is not opened, so a pipe
/// without a writer does not block.
///
/// # Errors
/// It is not one.
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
    fn what_is_too_large_is_refused() {
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
    fn devices_have_a_limit_or_are_refused() {
        let zero = Path::new("/dev/zero");
        assert!(matches!(read(zero, 9), Err(ReadError::Special)));
        let error = read_stream(zero, 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "it is larger than 1 MiB, the limit for such files");
        assert_eq!(read_stream(Path::new("/dev/null"), 9).unwrap(), b"");
    }
}
