//! Operands of instructions.

use super::compact::{self, Tagged, tag};
use crate::bytes::{Problem, Reader, Reading};
use crate::term::{Atom, Term};

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A number that is not a term: an arity, a size, or an index into a table.
    Unsigned(u64),
    /// An integer term.
    Integer(Term),
    /// An atom.
    Atom(Atom),
    /// The empty list.
    Nil,
    /// An argument register.
    X(u16),
    /// A register in the stack frame.
    Y(u16),
    /// A floating-point register.
    Float(u16),
    /// A label. 0 means none: an instruction that fails then raises an exception.
    Label(u32),
    /// A character.
    Character(u32),
    /// An index into the literal table.
    Literal(u32),
    /// A list of operands.
    List(Box<[Operand]>),
    /// The heap space that an instruction needs.
    Allocations(Box<[Allocation]>),
}

/// Heap space that an instruction needs. This machine has no such heap and ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// A number of words.
    Words(u32),
    /// A number of floats.
    Floats(u32),
    /// A number of funs.
    Funs(u32),
}

/// The tables that an operand may refer to: atoms, and the numbers of literals and labels.
pub(super) struct Context<'a> {
    pub atoms: &'a [Atom],
    pub literals: usize,
    pub labels: u32,
}

/// The number of X registers.
const X_REGISTERS: u64 = 1024;
/// An upper bound on the Y registers of a stack frame; the compiler uses at most 1024.
const Y_REGISTERS: u64 = 1 << 16;

// The first bytes of the extended operands.
const LIST: u8 = 0x17;
const FLOAT_REGISTER: u8 = 0x27;
const ALLOCATIONS: u8 = 0x37;
const LITERAL: u8 = 0x47;
const TYPED_REGISTER: u8 = 0x57;

impl Context<'_> {
    pub(super) fn read(&self, reader: &mut Reader<'_>) -> Reading<Operand> {
        let tagged = compact::read(reader)?;
        match tagged.first {
            LIST => {
                let count = compact::unsigned(reader)?;
                let count = reader.check_count(count, 1)?;
                // A list cannot contain a list, so reading does not recurse.
                let items = (0..count).map(|_| {
                    let tagged = compact::read(reader)?;
                    self.simple(&tagged, reader)
                });
                Ok(Operand::List(items.collect::<Reading<_>>()?))
            }
            ALLOCATIONS => {
                let count = compact::unsigned(reader)?;
                let count = reader.check_count(count, 2)?;
                let items = (0..count).map(|_| allocation(reader));
                Ok(Operand::Allocations(items.collect::<Reading<_>>()?))
            }
            _ => self.simple(&tagged, reader),
        }
    }

    fn simple(&self, tagged: &Tagged<'_>, reader: &mut Reader<'_>) -> Reading<Operand> {
        if tagged.tag() == tag::INTEGER {
            return Ok(Operand::Integer(tagged.integer().into()));
        }
        let number = tagged
            .unsigned()
            .ok_or_else(|| reader.fault(Problem::OutOfRange("an operand")))?;
        match tagged.tag() {
            tag::UNSIGNED => Ok(Operand::Unsigned(number)),
            tag::ATOM if number == 0 => Ok(Operand::Nil),
            tag::ATOM => super::atom(self.atoms, number, reader).map(Operand::Atom),
            tag::X => register(number, X_REGISTERS, reader).map(Operand::X),
            tag::Y => register(number, Y_REGISTERS, reader).map(Operand::Y),
            tag::LABEL => self.label(number, reader),
            tag::CHARACTER => match u32::try_from(number) {
                Ok(character) => Ok(Operand::Character(character)),
                Err(_) => Err(reader.fault(Problem::OutOfRange("a character"))),
            },
            tag::EXTENDED => self.extended(tagged.first, reader),
            _ => Err(reader.fault(Problem::UnknownOperand(tagged.first))),
        }
    }

    fn label(&self, number: u64, reader: &Reader<'_>) -> Reading<Operand> {
        match u32::try_from(number) {
            Ok(label) if label < self.labels => Ok(Operand::Label(label)),
            _ => Err(reader.fault(Problem::NoSuch {
                what: "label",
                index: number,
            })),
        }
    }

    fn extended(&self, kind: u8, reader: &mut Reader<'_>) -> Reading<Operand> {
        match kind {
            FLOAT_REGISTER => {
                let number = compact::unsigned(reader)?;
                register(number, X_REGISTERS, reader).map(Operand::Float)
            }
            LITERAL => {
                let index = compact::unsigned(reader)?;
                match u32::try_from(index) {
                    Ok(number) if (number as usize) < self.literals => Ok(Operand::Literal(number)),
                    _ => Err(reader.fault(Problem::NoSuch {
                        what: "literal",
                        index,
                    })),
                }
            }
            TYPED_REGISTER => {
                let tagged = compact::read(reader)?;
                let number = tagged.unsigned().unwrap_or(u64::MAX);
                let operand = match tagged.tag() {
                    tag::X => Operand::X(register(number, X_REGISTERS, reader)?),
                    tag::Y => Operand::Y(register(number, Y_REGISTERS, reader)?),
                    _ => return Err(reader.fault(Problem::Expected("a register"))),
                };
                // The type is a hint for the JIT compiler.
                compact::unsigned(reader)?;
                Ok(operand)
            }
            LIST | ALLOCATIONS => {
                Err(reader.fault(Problem::Expected("an operand other than a list")))
            }
            _ => Err(reader.fault(Problem::UnknownOperand(kind))),
        }
    }
}

fn register(number: u64, count: u64, reader: &Reader<'_>) -> Reading<u16> {
    match u16::try_from(number) {
        Ok(register) if number < count => Ok(register),
        _ => Err(reader.fault(Problem::OutOfRange("a register"))),
    }
}

fn allocation(reader: &mut Reader<'_>) -> Reading<Allocation> {
    let kind = compact::unsigned(reader)?;
    let count = compact::unsigned(reader)?;
    match (kind, u32::try_from(count)) {
        (0, Ok(count)) => Ok(Allocation::Words(count)),
        (1, Ok(count)) => Ok(Allocation::Floats(count)),
        (2, Ok(count)) => Ok(Allocation::Funs(count)),
        _ => Err(reader.fault(Problem::OutOfRange("an allocation"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let atoms = [Atom::OK, Atom::ERROR];
        let context = Context {
            atoms: &atoms,
            literals: 3,
            labels: 10,
        };
        let mut reader = Reader::new(bytes);
        let text = match context.read(&mut reader) {
            Ok(operand) => format!("{operand:?}"),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn all_tags() {
        check(&[0x50], "Unsigned(5)");
        check(&[0x51], "Integer(5)");
        check(&[0x02], "Nil");
        check(&[0x22], "Atom(error)");
        check(&[0x32], "offset 1: atom 3 does not exist");
        check(&[0x53], "X(5)");
        check(&[0x0b | 0xe0, 0xff], "offset 2: a register is out of range");
        check(&[0x54], "Y(5)");
        check(&[0x55], "Label(5)");
        check(&[0xa5], "offset 1: label 10 does not exist");
        check(&[0x56], "Character(5)");
    }

    #[test]
    fn extended() {
        check(&[0x27, 0x10], "Float(1)");
        check(&[0x47, 0x20], "Literal(2)");
        check(&[0x47, 0x30], "offset 2: literal 3 does not exist");
        check(&[0x57, 0x13, 0x40], "X(1)");
        check(&[0x57, 0x14, 0x40], "Y(1)");
        check(&[0x57, 0x10, 0x40], "offset 2: a register is expected here");
        check(
            &[0x17, 0x20, 0x12, 0x47, 0x00],
            "List([Atom(ok), Literal(0)])",
        );
        check(
            &[0x37, 0x20, 0x00, 0x30, 0x10, 0x20],
            "Allocations([Words(3), Floats(2)])",
        );
        check(
            &[0x17, 0x10, 0x17],
            "offset 3: an operand other than a list is expected here",
        );
        check(&[0x67], "offset 1: unknown operand kind 0x67");
        check(&[0x17, 0xf0, 0x12], "offset 2: truncated");
    }
}
