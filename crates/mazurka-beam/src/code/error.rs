//! Errors in modules.

use thiserror::Error;

use super::Mfa;
use crate::loader::LoadError;

/// The reason why a module cannot be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The file cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// An instruction has invalid operands.
    #[error("{function}: instruction {instruction} ({opcode}): {problem}")]
    Instruction {
        /// The function that contains it.
        function: Mfa,
        /// Its index in the function.
        instruction: usize,
        /// Its name.
        opcode: &'static str,
        /// The problem.
        problem: &'static str,
    },
    /// The name of the file is not that of its module.
    #[error("{file} contains the module {found}; its name must be {found}.beam")]
    Misnamed {
        /// The file.
        file: String,
        /// The module in it.
        found: String,
    },
}
