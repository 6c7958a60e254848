//! The container format: an IFF form of chunks, each with a name of four letters. The whole file
//! may be compressed.

use std::borrow::Cow;
use std::fmt;

use flate2::read::GzDecoder;

use super::LoadError;
use crate::bytes::{Fault, Problem, Reader, Reading, inflate};

/// The name of a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChunkId(pub [u8; 4]);

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl fmt::Debug for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Undoes the compression that `erlc +compressed` adds.
pub(super) fn unzip<'a>(file: &str, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, LoadError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.into());
    }
    match inflate(GzDecoder::new(bytes)) {
        Ok(plain) => Ok(plain.into()),
        Err(problem) => Err(LoadError::NotBeam {
            file: file.into(),
            offset: 0,
            problem,
        }),
    }
}

/// The chunks of a file.
pub(super) struct Chunks<'a> {
    file: &'a str,
    chunks: Vec<(ChunkId, &'a [u8])>,
}

impl<'a> Chunks<'a> {
    pub(super) fn find(file: &'a str, bytes: &'a [u8]) -> Result<Self, LoadError> {
        match split(bytes) {
            Ok(chunks) => Ok(Chunks { file, chunks }),
            Err(Fault { offset, problem }) => Err(LoadError::NotBeam {
                file: file.into(),
                offset,
                problem,
            }),
        }
    }

    /// Reads a chunk that every module must have.
    pub(super) fn required<T>(
        &self,
        id: [u8; 4],
        read: impl FnOnce(&mut Reader<'a>) -> Reading<T>,
    ) -> Result<T, LoadError> {
        match self.get(id) {
            Some(bytes) => read(&mut Reader::new(bytes)).map_err(|fault| self.error(id, fault)),
            None => Err(self.error(id, Reader::new(&[]).fault(Problem::Missing))),
        }
    }

    /// Reads a chunk that may be missing, which means that it is empty.
    pub(super) fn optional<T: Default>(
        &self,
        id: [u8; 4],
        read: impl FnOnce(&mut Reader<'a>) -> Reading<T>,
    ) -> Result<T, LoadError> {
        match self.get(id) {
            Some(_) => self.required(id, read),
            None => Ok(T::default()),
        }
    }

    pub(super) fn error(&self, id: [u8; 4], fault: Fault) -> LoadError {
        LoadError::Chunk {
            file: self.file.into(),
            chunk: ChunkId(id),
            offset: fault.offset,
            problem: fault.problem,
        }
    }

    fn get(&self, id: [u8; 4]) -> Option<&'a [u8]> {
        let found = self.chunks.iter().find(|(other, _)| other.0 == id);
        found.map(|&(_, bytes)| bytes)
    }
}

fn split(bytes: &[u8]) -> Reading<Vec<(ChunkId, &[u8])>> {
    let mut reader = Reader::new(bytes);
    if reader.array()? != *b"FOR1" {
        return Err(Reader::new(bytes).fault(Problem::Expected("FOR1")));
    }
    let size = reader.u32()? as usize;
    // Bytes after the form are ignored, as in the real loader.
    let mut form = reader.clone();
    if reader.take(size).is_err() {
        return Err(form.fault(Problem::Truncated));
    }
    if form.array()? != *b"BEAM" {
        return Err(form.fault(Problem::Expected("BEAM")));
    }
    let end = reader.offset();
    let mut chunks = Vec::new();
    while form.offset() < end {
        let id = ChunkId(form.array()?);
        let size = form.u32()? as usize;
        chunks.push((id, form.take(size)?));
        // Chunks start at multiples of four bytes. The padding of the last one may be missing.
        let padding = size.next_multiple_of(4) - size;
        form.take(padding.min(end.saturating_sub(form.offset())))?;
    }
    Ok(chunks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let text = match Chunks::find("m.beam", bytes) {
            Ok(found) => format!("{:?}", found.chunks),
            Err(error) => error.to_string(),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn forms() {
        check(b"FOR1\0\0\0\x04BEAM", "[]");
        check(
            b"FOR1\0\0\0\x1bBEAMAbcd\0\0\0\x01x\0\0\0Efgh\0\0\0\x01y\0\0",
            "[(Abcd, [120]), (Efgh, [121])]",
        );
        check(b"", "m.beam: not a BEAM file: offset 0: truncated");
        check(
            b"\x7fELF....",
            "m.beam: not a BEAM file: offset 0: FOR1 is expected here",
        );
        check(
            b"FOR1\0\0\0\x05BEAM",
            "m.beam: not a BEAM file: offset 8: truncated",
        );
        check(
            b"FOR1\0\0\0\x0cBEAMAbcd\0\0\0\x01",
            "m.beam: not a BEAM file: offset 20: truncated",
        );
    }
}
