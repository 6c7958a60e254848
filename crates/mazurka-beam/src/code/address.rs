//! Places in code, and names of functions.

use std::fmt;

use crate::term::Atom;

/// An instruction of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The module.
    pub module: Atom,
    /// The number of the instruction.
    pub pc: u32,
}

/// The name of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mfa {
    /// The module.
    pub module: Atom,
    /// The function.
    pub name: Atom,
    /// How many arguments it takes.
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
