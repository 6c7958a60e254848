//! Instructions with resolved operands: labels are indices, and terms are registers or constants.

use std::fmt;

use super::{Arities, Binary, Select};
use crate::loader::Opcode;
use crate::machine::Pure;
use crate::term::Atom;

/// No label: a failure raises an exception.
pub const NO_LABEL: u32 = u32::MAX;

/// A register or constant that an instruction reads, packed into four bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Source(u32);

/// A register or constant that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// An argument register.
    X(u16),
    /// A register in the stack frame.
    Y(u16),
    /// An index into the module's constants.
    Constant(u32),
}

impl Source {
    /// The maximum number of constants of a module.
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

    /// A constant, whose index is less than [`Source::CONSTANTS_MAX`].
    pub(super) fn constant(number: u32) -> Source {
        Source(Source::CONSTANT | number & Source::INDEX)
    }

    /// Unpacks the source.
    #[inline(always)]
    pub fn get(self) -> SourceKind {
        match self.0 & !Source::INDEX {
            Source::X => SourceKind::X(self.0 as u16),
            Source::Y => SourceKind::Y(self.0 as u16),
            _ => SourceKind::Constant(self.0 & Source::INDEX),
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

/// A register that an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// An argument register.
    X(u16),
    /// A register in the stack frame.
    Y(u16),
}

/// An operand of `fmove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatOperand {
    /// A floating-point register.
    Float(u16),
    /// A term in a register, or a constant.
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

/// A pure BIF that an instruction calls.
#[derive(Clone, Copy, Debug)]
pub struct Bif {
    /// The function.
    pub function: Pure,
    /// Its index among the module's imports, which gives its name.
    pub import: u32,
    /// The jump target if it fails.
    pub fail: u32,
}

/// An instruction.
///
/// `fail` is the jump target if a test fails or a BIF raises an exception.
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
    /// A tail call. Files have no such instruction; it replaces `call_fun` before a return, so that
    /// the frame is freed before the call.
    CallFunLast { arity: u8, fun: Source, frame: u16 },
    MakeFun { lambda: u32, to: Register, environment: Box<[Source]> },
    Return,

    // BIFs.
    Bif1 { bif: Bif, argument: Source, to: Register },
    Bif2 { bif: Bif, one: Source, other: Source, to: Register },
    /// Calls a BIF that is not pure, or has neither one nor two arguments.
    Bif { import: u32, fail: u32, arguments: Box<[Source]>, to: Register },
    /// `+`. The BIF is called unless the operands and the sum are integers of 64 bits.
    Add { bif: Bif, one: Source, other: Source, to: Register },
    /// `-`. The BIF is called unless the operands and the difference are integers of 64 bits.
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

    // Type tests.
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
    /// Waits for a message that matches. At `fail` is the instruction that waits or times out; `info`
    /// is the index of its `ReceiveInfo`.
    Receive { fail: u32, to: Register, info: u32 },
    /// The message does not match.
    Mismatch,
    /// The message matches this clause. Clauses are numbered across all receives of the module.
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
    FloatMove { from: FloatOperand, to: FloatOperand },
    FloatConvert { from: Source, to: u16 },
    FloatArithmetic { operation: Float, one: u16, other: u16, to: u16 },
    FloatNegate { from: u16, to: u16 },

    /// An instruction on binaries.
    Binary(Box<Binary>),
    /// An instruction that is not supported.
    Unsupported(Opcode),
    /// The end of the code, which only damaged code reaches.
    End,
}

impl Instruction {
    /// The jump target of a test that fails.
    #[rustfmt::skip]
    pub fn test_label(&self) -> Option<u32> {
        use Instruction as I;
        match self {
            I::GetMapElements { fail, .. } | I::HasMapFields { fail, .. }
            | I::IsLess { fail, .. } | I::IsAtLeast { fail, .. }
            | I::IsEqual { fail, .. } | I::IsNotEqual { fail, .. }
            | I::IsExactlyEqual { fail, .. } | I::IsNotExactlyEqual { fail, .. }
            | I::IsInteger { fail, .. } | I::IsFloat { fail, .. } | I::IsNumber { fail, .. }
            | I::IsAtom { fail, .. } | I::IsBoolean { fail, .. } | I::IsPid { fail, .. }
            | I::IsReference { fail, .. } | I::IsPort { fail, .. } | I::IsNil { fail, .. }
            | I::IsBinary { fail, .. } | I::IsBitString { fail, .. } | I::IsList { fail, .. }
            | I::IsNonemptyList { fail, .. } | I::IsTuple { fail, .. }
            | I::IsTaggedTuple { fail, .. } | I::HasArity { fail, .. } | I::IsMap { fail, .. }
            | I::IsFunction { fail, .. } | I::IsFunctionOf { fail, .. } => Some(*fail),
            _ => None,
        }
    }
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
