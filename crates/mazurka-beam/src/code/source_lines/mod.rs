//! The source lines of receives and of their clauses. The instructions do not tell them, but the
//! abstract code does, which the compiler keeps if it is told to.
//!
//! Which clause of the source an instruction comes from is not written anywhere. The compiler orders
//! clauses as it likes, makes one of two that do the same, and puts funs into functions of their own.
//! So the messages of a clause are followed through the tests of a receive: the instructions that may
//! take them are those that may come from the clause. Where that leaves a choice, lines that are
//! known of what follows help, and where it is still left, nothing is said: no line is better than a
//! wrong one.

mod assign;
mod forms;
mod receives;
mod shape;
mod taker;
mod walk;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::Code;
use forms::Forms;

/// The lines that the abstract code tells.
#[derive(Debug, Default)]
pub(super) struct SourceLines {
    /// Those of receives, by their instructions.
    pub(super) receives: FxHashMap<u32, u32>,
    /// Those of their clauses, by the instructions that take a message.
    pub(super) clauses: FxHashMap<u32, u32>,
}

/// Looks for the lines of a module's receives in this chunk. What is damaged or unknown tells none.
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
