//! Funs: functions as values.

use super::{Atom, Term, release};

/// A fun.
#[derive(Clone, Debug)]
pub enum Fun {
    /// `fun m:f/a`.
    Export {
        /// The module.
        module: Atom,
        /// The function.
        name: Atom,
        /// How many arguments it takes.
        arity: u32,
    },
    /// `fun(…) -> … end`, or `fun f/a`.
    Local(Lambda),
}

/// A fun that was made by an expression, with the values of the variables that it uses.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The module whose code it is.
    pub module: Atom,
    /// Which of the module's funs it is.
    pub index: u32,
    /// What tells it from the fun of the same number in another version of the module.
    pub unique: u32,
    /// How many arguments it takes when it is called.
    pub arity: u32,
    /// The values that it brings along.
    pub environment: Vec<Term>,
}

impl Fun {
    /// How many arguments it takes when it is called.
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
