//! Errors of the loader.

use thiserror::Error;

use super::ChunkId;
use crate::bytes::Problem;

/// The reason why a file cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// The cause.
        source: mazurka_files::ReadError,
    },
    /// The file is of another kind, or it is truncated.
    #[error("{file}: not a BEAM file: offset {offset}: {problem}")]
    NotBeam {
        /// The file.
        file: String,
        /// Position in bytes from the start of the file, after decompression.
        offset: usize,
        /// The problem at that position.
        problem: Problem,
    },
    /// A chunk is damaged, missing, or newer than this loader.
    #[error("{file}: chunk {chunk}, offset {offset}: {problem}")]
    Chunk {
        /// The file.
        file: String,
        /// The chunk.
        chunk: ChunkId,
        /// Position in bytes from the start of the chunk, after decompression.
        offset: usize,
        /// The problem at that position.
        problem: Problem,
    },
}
