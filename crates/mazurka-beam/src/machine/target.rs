//! The targets of calls.

use super::Native;
use crate::code::{Absent, Address, CodeError, Library, Mfa};

/// The target of a call.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A function of a module.
    Code(Address),
    /// A native function.
    Native(Native),
    /// The function does not exist.
    Undefined,
}

impl Target {
    /// Looks up a function. Native functions take precedence over those of the module.
    ///
    /// # Errors
    /// The module exists but cannot be run.
    pub fn find(library: &Library, mfa: Mfa) -> Result<Target, &CodeError> {
        if let Ok(code) = library.code(mfa.module)
            && let Some(target) = code.export(mfa.name, mfa.arity)
        {
            return Ok(target);
        }
        if let Some(native) = Native::find(mfa, library.release()) {
            return Ok(Target::Native(native));
        }
        match library.code(mfa.module) {
            Ok(_) | Err(Absent::NotFound) => Ok(Target::Undefined),
            Err(Absent::Unusable(error)) => Err(error),
        }
    }
}
