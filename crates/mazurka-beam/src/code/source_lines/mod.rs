//! Finds the source lines of receives and their clauses. The line table does not have them, but the
//! abstract code does, which the compiler stores with `+debug_info`.
//!
//! The file does not record which clause of the source an instruction comes from. The compiler
//! reorders clauses, merges clauses with equal bodies, and moves funs into separate functions. So
//! the messages of each source clause are traced through the tests of a compiled receive: an
//! instruction that may accept them may come from the clause. If several clauses remain, the lines
//! of the instructions that follow decide. If that is not enough, the result has no line, because
//! no line is better than a wrong one.

mod assign;
mod compiled;
mod forms;
mod matching;
mod receives;
mod shape;
mod walk;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::Code;
use forms::Forms;

/// The lines of receives and clauses.
#[derive(Debug, Default)]
pub(super) struct SourceLines {
    /// The lines of receives, by their instructions.
    pub(super) receives: FxHashMap<u32, u32>,
    /// The lines of clauses, by the instructions that accept a message.
    pub(super) clauses: FxHashMap<u32, u32>,
}

/// Finds the lines of a module's receives in a chunk of abstract code. The result is empty if the
/// chunk is damaged or unknown.
pub(super) fn find(code: &Code, chunk: &[u8]) -> SourceLines {
    if code.receives.is_empty() {
        return SourceLines::default();
    }
    let Some(bytes) = forms::unpack(chunk) else {
        return SourceLines::default();
    };
    let forms = Forms::read(&bytes);
    let found = forms.and_then(|forms| {
        let receives = receives::find(&forms)?;
        Some(assign::assign(code, &forms, &receives))
    });
    found.unwrap_or_default()
}
