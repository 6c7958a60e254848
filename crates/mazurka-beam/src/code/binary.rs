//! Instructions on binaries, with their operands resolved.

use super::{Register, Source};
use crate::loader::Opcode;

/// An instruction on binaries.
#[derive(Debug)]
pub struct Binary {
    /// Which one.
    pub opcode: Opcode,
    /// As the compiler's listings have them.
    pub operands: Box<[Operand]>,
}

/// An operand of an instruction on binaries.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A number that is part of the instruction.
    Number(u64),
    /// A register, to read or to write.
    Register(Register),
    /// A constant.
    Constant(Source),
    /// Where to go on after a failure: [`super::NO_LABEL`] raises an exception.
    Label(u32),
    /// A list of operands.
    List(Box<[Operand]>),
}

impl Operand {
    /// What can be read from: a register or a constant.
    pub fn source(&self) -> Option<Source> {
        match self {
            Operand::Register(register) => Some((*register).into()),
            Operand::Constant(source) => Some(*source),
            _ => None,
        }
    }
}
