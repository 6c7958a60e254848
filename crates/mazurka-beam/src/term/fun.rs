//! Funs: functions as values.

use super::{Atom, Term, release};

/// A fun.
#[derive(Clone, Debug)]
pub enum Fun {
    /// `fun m:f/a`.
    Export {
        /// The function's module.
        module: Atom,
        /// Its name.
        name: Atom,
        /// Its number of arguments.
        arity: u32,
    },
    /// `fun(…) -> … end`, or `fun f/a`.
    Local(Lambda),
}

/// A fun created by a fun expression, with the values of its free variables.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The module that contains its code.
    pub module: Atom,
    /// Its index among the module's funs.
    pub index: u32,
    /// A hash that distinguishes it from the fun of the same index in another version of the
    /// module.
    pub unique: u32,
    /// The number of arguments of a call.
    pub arity: u32,
    /// The values of its free variables.
    pub environment: Vec<Term>,
}

impl Fun {
    /// The number of arguments of a call.
    pub fn arity(&self) -> u32 {
        match self {
            Fun::Export { arity, .. } => *arity,
            Fun::Local(lambda) => lambda.arity,
        }
    }
}

impl Drop for Lambda {
    fn drop(&mut self) {
        release::release(self);
    }
}
