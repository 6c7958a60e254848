//! Functions of modules: imported ones, funs and all others.

use std::sync::OnceLock;

use super::Mfa;
use crate::machine::Target;
use crate::term::Atom;

/// An imported function, which is looked up on its first call.
#[derive(Debug)]
pub struct Slot {
    /// Its name.
    pub mfa: Mfa,
    /// The result of the lookup. It stays valid, because a module that is missing stays missing.
    pub target: OnceLock<Target>,
}

/// A fun of a module.
#[derive(Clone, Copy, Debug)]
pub struct LambdaInfo {
    /// The function that implements it.
    pub name: Atom,
    /// The number of arguments of a call.
    pub arity: u32,
    /// The number of free variables.
    pub free: u32,
    /// Its first instruction.
    pub entry: u32,
    /// Its index among the module's funs.
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
    /// The instruction at which a call starts.
    pub entry: u32,
}
