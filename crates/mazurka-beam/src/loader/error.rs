//! Why a file was refused.

use thiserror::Error;

use super::ChunkId;
use crate::bytes::Problem;

/// Why a file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        source: mazurka_files::ReadError,
    },
    /// It is something else, or not all of it is there.
    #[error("{file}: not a BEAM file: offset {offset}: {problem}")]
    NotBeam {
        /// The file.
        file: String,
        /// Bytes from its start, after decompression.
        offset: usize,
        /// What is wrong there.
        problem: Problem,
    },
    /// A part of it is damaged, missing, or newer than this loader.
    #[error("{file}: chunk {chunk}, offset {offset}: {problem}")]
    Chunk {
        /// The file.
        file: String,
        /// The part.
        chunk: ChunkId,
        /// Bytes from the start of the part, after decompression.
        offset: usize,
        /// What is wrong there.
        problem: Problem,
    },
}
