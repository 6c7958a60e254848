//! What modules call in each other.

use std::sync::OnceLock;

use super::Mfa;
use crate::machine::Target;
use crate::term::Atom;

/// A function of another module, looked up when it is called for the first time.
#[derive(Debug)]
pub struct Slot {
    /// Its name.
    pub mfa: Mfa,
    /// What is there, once it is known. A module that is not there will never be.
    pub target: OnceLock<Target>,
}

/// A fun of a module.
#[derive(Clone, Copy, Debug)]
pub struct Lambda {
    /// The function that has its code.
    pub name: Atom,
    /// How many arguments the fun takes.
    pub arity: u32,
    /// How many values it brings along.
    pub free: u32,
    /// Where it begins.
    pub entry: u32,
    /// Its number among the module's funs.
    pub index: u32,
    /// A hash of its code.
    pub unique: u32,
}

/// A function of a module.
#[derive(Clone, Copy, Debug)]
pub struct FunctionInfo {
    /// Its name.
    pub mfa: Mfa,
    /// Its first instruction, which raises `function_clause`.
    pub start: u32,
    /// Where it begins when it is called.
    pub entry: u32,
}
