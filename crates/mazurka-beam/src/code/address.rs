//! Addresses of instructions, and names of functions.

use std::fmt;

use crate::term::Atom;

/// The address of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The module.
    pub module: Atom,
    /// The index of the instruction in the module.
    pub pc: u32,
}

/// The name of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mfa {
    /// The module.
    pub module: Atom,
    /// The function's name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: u32,
}

impl fmt::Display for Mfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::term::write_atom(self.module, f)?;
        f.write_str(":")?;
        crate::term::write_atom(self.name, f)?;
        write!(f, "/{}", self.arity)
    }
}

impl fmt::Debug for Mfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
