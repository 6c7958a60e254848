//! Instructions as they are run: every label an index, every operand ready to be read.

use std::fmt;

use super::{Arities, Binary, Select};
use crate::loader::Opcode;
use crate::machine::Pure;
use crate::term::Atom;

/// The label that stands for none: a failure raises an exception.
pub const NO_LABEL: u32 = u32::MAX;

/// Where a term is read from, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Source(u32);

/// Where a term is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// An argument register.
    X(u16),
    /// A register in the stack frame.
    Y(u16),
    /// A constant of the module, by number.
    Constant(u32),
}

impl Source {
    /// As many constants as a module may have.
    pub(super) const CONSTANTS_MAX: usize = 1 << 30;

    const X: u32 = 0;
    const Y: u32 = 1 << 30;
    const CONSTANT: u32 = 2 << 30;
    const INDEX: u32 = (1 << 30) - 1;

    /// An argument register.
    pub fn x(number: u16) -> Source {
        Source(Source::X | u32::from(number))
    }

    /// A register in the stack frame.
    pub fn y(number: u16) -> Source {
        Source(Source::Y | u32::from(number))
    }

    /// A constant, the number of which is below [`Source::CONSTANTS_MAX`].
    pub(super) fn constant(number: u32) -> Source {
        Source(Source::CONSTANT | number & Source::INDEX)
    }

    /// Where it is.
    #[inline(always)]
    pub fn get(self) -> From {
        match self.0 & !Source::INDEX {
            Source::X => From::X(self.0 as u16),
            Source::Y => From::Y(self.0 as u16),
            _ => From::Constant(self.0 & Source::INDEX),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl std::convert::From<Register> for Source {
    fn from(register: Register) -> Source {
        match register {
            Register::X(x) => Source::x(x),
            Register::Y(y) => Source::y(y),
        }
    }
}

/// Where a term is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// An argument register.
    X(u16),
    /// A register in the stack frame.
    Y(u16),
}

/// Where a float is read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A floating-point register.
    Float(u16),
    /// Somewhere else: it is a term.
    Term(Source),
}

/// An operation on two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// A pure BIF in an instruction of its own.
#[derive(Clone, Copy, Debug)]
pub struct Bif {
    /// What runs.
    pub function: Pure,
    /// Its number among the module's imports, for its name.
    pub import: u32,
    /// Where to go on when it fails.
    pub fail: u32,
}

/// An instruction.
///
/// `fail` is where to go on when a test fails or a BIF raises an exception.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields are the operands of the instruction of that name")]
#[rustfmt::skip]
pub enum Instruction {
    // Calls.
    Call { target: u32 },
    CallLast { target: u32, frame: u16 },
    CallOnly { target: u32 },
    CallExternal { import: u32 },
    CallExternalLast { import: u32, frame: u16 },
    CallExternalOnly { import: u32 },
    Apply { arity: u8 },
    ApplyLast { arity: u8, frame: u16 },
    CallFun { arity: u8, fun: Source },
    /// There is no such instruction in files, but a call that has nothing left to do after it must
    /// not keep its frame.
    CallFunLast { arity: u8, fun: Source, frame: u16 },
    MakeFun { lambda: u32, to: Register, environment: Box<[Source]> },
    Return,

    // BIFs.
    Bif1 { bif: Bif, argument: Source, to: Register },
    Bif2 { bif: Bif, one: Source, other: Source, to: Register },
    /// A BIF with any number of arguments, or one that is not pure.
    Bif { import: u32, fail: u32, arguments: Box<[Source]>, to: Register },
    /// `+`, the BIF for other numbers than small integers.
    Add { bif: Bif, one: Source, other: Source, to: Register },
    /// `-`, the BIF for other numbers than small integers.
    Subtract { bif: Bif, one: Source, other: Source, to: Register },

    // The stack.
    Allocate { frame: u16 },
    Deallocate { frame: u16 },
    Trim { count: u16 },
    Clear { registers: Box<[u16]> },

    // Terms.
    Move { from: Source, to: Register },
    Swap { one: Register, other: Register },
    GetList { from: Source, head: Register, tail: Register },
    GetHead { from: Source, to: Register },
    GetTail { from: Source, to: Register },
    PutList { head: Source, tail: Source, to: Register },
    PutTuple { to: Register, elements: Box<[Source]> },
    GetElement { from: Source, index: u32, to: Register },
    SetElement { value: Source, tuple: Register, index: u32 },
    UpdateRecord { from: Source, to: Register, updates: Box<[(u32, Source)]> },
    PutMap { exact: bool, fail: u32, from: Source, to: Register, pairs: Box<[(Source, Source)]> },
    GetMapElements { fail: u32, from: Source, pairs: Box<[(Source, Register)]> },
    HasMapFields { fail: u32, from: Source, keys: Box<[Source]> },

    // Comparisons.
    IsLess { fail: u32, one: Source, other: Source },
    IsAtLeast { fail: u32, one: Source, other: Source },
    IsEqual { fail: u32, one: Source, other: Source },
    IsNotEqual { fail: u32, one: Source, other: Source },
    IsExactlyEqual { fail: u32, one: Source, other: Source },
    IsNotExactlyEqual { fail: u32, one: Source, other: Source },

    // Tests of types.
    IsInteger { fail: u32, term: Source },
    IsFloat { fail: u32, term: Source },
    IsNumber { fail: u32, term: Source },
    IsAtom { fail: u32, term: Source },
    IsBoolean { fail: u32, term: Source },
    IsPid { fail: u32, term: Source },
    IsReference { fail: u32, term: Source },
    IsPort { fail: u32, term: Source },
    IsNil { fail: u32, term: Source },
    IsBinary { fail: u32, term: Source },
    IsBitString { fail: u32, term: Source },
    IsList { fail: u32, term: Source },
    IsNonemptyList { fail: u32, term: Source },
    IsTuple { fail: u32, term: Source },
    IsTaggedTuple { fail: u32, term: Source, arity: u32, tag: Atom },
    HasArity { fail: u32, term: Source, arity: u32 },
    IsMap { fail: u32, term: Source },
    IsFunction { fail: u32, term: Source },
    IsFunctionOf { fail: u32, term: Source, arity: Source },

    // Branches.
    Select { term: Source, fail: u32, table: Box<Select> },
    SelectArity { term: Source, fail: u32, table: Box<Arities> },
    Jump { to: u32 },

    // Messages.
    Send,
    /// Waits for a message that matches, or for the end of time at `fail`.
    Receive { fail: u32, to: Register, reception: u32 },
    /// The message does not match.
    Mismatch,
    /// The message matches this clause, of all that the module's receives have.
    Accept { clause: u32 },
    Wait,
    WaitFor { timeout: Source },
    Timeout,
    ReserveMarker { to: Register },

    // Exceptions.
    NoFunctionClause,
    NoMatch { value: Source },
    NoIfClause,
    NoCaseClause { value: Source },
    NoTryClause { value: Source },
    NoRecord { value: Source },
    /// `try` and `catch`.
    Try { y: u16, handler: u32 },
    TryEnd { y: u16 },
    TryCase { y: u16 },
    CatchEnd { y: u16 },
    Raise { trace: Source, reason: Source },
    RawRaise,
    BuildStacktrace,

    // Floats.
    FloatMove { from: Place, to: Place },
    FloatConvert { from: Source, to: u16 },
    FloatArithmetic { operation: Float, one: u16, other: u16, to: u16 },
    FloatNegate { from: u16, to: u16 },

    /// An instruction on binaries.
    Binary(Box<Binary>),
    /// An instruction that is not modelled.
    Unsupported(Opcode),
    /// The end of the code, which nothing reaches unless it is damaged.
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert_eq!(size_of::<Source>(), 4);
        assert_eq!(size_of::<Register>(), 4);
        assert!(size_of::<Instruction>() <= 32);
    }
}
