//! What a call leads to.

use super::Native;
use crate::code::{Absent, Address, CodeError, Library, Mfa};

/// What a call leads to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A function of a module.
    Code(Address),
    /// A native function.
    Native(Native),
    /// There is no such function.
    Undefined,
}

impl Target {
    /// Looks a function up. Natives win over what the module itself has.
    ///
    /// # Errors
    /// Its module is there, and cannot be run.
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
