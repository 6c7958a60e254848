//! Why a module cannot be run.

use thiserror::Error;

use super::Mfa;
use crate::loader::LoadError;

/// Why a module cannot be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CodeError {
    /// Its file was refused.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// An instruction has operands that it cannot have.
    #[error("{function}: instruction {instruction} ({opcode}): {problem}")]
    Instruction {
        /// The function that it belongs to.
        function: Mfa,
        /// Its number in the function.
        instruction: usize,
        /// Its name.
        opcode: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The file has a module of another name.
    #[error("{file} has the module {found}, which is not what its name says")]
    Misnamed {
        /// The file.
        file: String,
        /// The module in it.
        found: String,
    },
}
