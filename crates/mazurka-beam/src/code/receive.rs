//! Finds what the clauses of a receive depend on, apart from the message.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;

use super::binary::Visitor;
use super::required::{self, Required};
use super::{Code, CodeError, FloatOperand, Instruction, NO_LABEL, Register, Source, SourceKind};
use crate::bif;
use crate::term::{Atom, Term};

/// What the clauses of a receive depend on, apart from the message.
#[derive(Debug)]
pub struct ReceiveInfo {
    /// The Y registers that it reads.
    pub reads: Reads,
    /// The size of a frame with all Y registers that it reads or writes.
    pub frame: u16,
    /// Whether it calls `self/0`.
    pub asks_self: bool,
    /// An element that the message must have, if the tests start with that.
    pub required: Option<Required>,
}

impl ReceiveInfo {
    /// The element that the message must have, if there is one, and the value that it must be equal
    /// to. `registers` are the values of the registers that the receive reads.
    #[must_use]
    pub fn required<'r>(&self, registers: &'r [Term]) -> Option<(u32, &'r Term)> {
        let Required { element, register } = self.required?;
        let Reads::Some(reads) = &self.reads else {
            return None;
        };
        let at = reads.binary_search(&register).ok()?;
        Some((element, registers.get(at)?))
    }
}

/// A set of Y registers.
#[derive(Debug, PartialEq, Eq)]
pub enum Reads {
    /// These registers, in ascending order.
    Some(Box<[u16]>),
    /// Possibly all registers, because the clauses contain an instruction that is not analysed.
    All,
}

/// Analyses all receives of a module, and numbers the receives and their clauses.
///
/// # Errors
/// A receive does not wait if no message matches.
pub(super) fn find(code: &mut Code) -> Result<(), CodeError> {
    for pc in 0..code.instructions.len() {
        if let Instruction::Accept { clause } = &mut code.instructions[pc] {
            *clause = code.taken.len() as u32;
            code.taken.push(AtomicU64::new(0));
        }
        let Instruction::Receive { fail, to, .. } = code.instructions[pc] else {
            continue;
        };
        if !matches!(
            code.instructions[fail as usize],
            Instruction::Wait | Instruction::WaitFor { .. } | Instruction::Timeout
        ) {
            return Err(not_a_wait(code, pc));
        }
        let found = ReceiveInfo {
            required: required::find(code, pc as u32 + 1, to),
            ..analyse(code, pc as u32 + 1)
        };
        code.receives.push(found);
        let number = code.receives.len() as u32 - 1;
        if let Instruction::Receive { info, .. } = &mut code.instructions[pc] {
            *info = number;
        }
    }
    Ok(())
}

fn not_a_wait(code: &Code, pc: usize) -> CodeError {
    let function = code.function_at(pc as u32).map(|info| info.mfa);
    CodeError::Instruction {
        function: function.unwrap_or(super::Mfa {
            module: code.name,
            name: Atom::UNDEFINED,
            arity: 0,
        }),
        instruction: pc,
        opcode: "loop_rec",
        problem: "the instruction at its label does not wait",
    }
}

/// Follows all paths from `start` up to the instructions that accept or skip the message.
fn analyse(code: &Code, start: u32) -> ReceiveInfo {
    let mut analysis = Analysis::default();
    let mut seen = BTreeSet::new();
    let mut next = vec![start];
    while let Some(pc) = next.pop() {
        if !seen.insert(pc) {
            continue;
        }
        let Some(instruction) = code.instructions.get(pc as usize) else {
            continue;
        };
        if !analysis.visit(code, instruction, pc, &mut next) {
            return ReceiveInfo {
                reads: Reads::All,
                frame: 0,
                asks_self: true,
                required: None,
            };
        }
    }
    let highest = analysis.reads.last().max(analysis.writes.last());
    ReceiveInfo {
        frame: highest.map_or(0, |&y| y.saturating_add(1)),
        reads: Reads::Some(analysis.reads.into_iter().collect()),
        asks_self: analysis.asks_self,
        required: None,
    }
}

#[derive(Default)]
struct Analysis {
    reads: BTreeSet<u16>,
    writes: BTreeSet<u16>,
    asks_self: bool,
}

impl Analysis {
    /// Records the registers that an instruction reads and writes, and its successors. Returns
    /// whether the instruction is one of those that clauses of a receive are known to contain.
    fn visit(
        &mut self,
        code: &Code,
        instruction: &Instruction,
        pc: u32,
        next: &mut Vec<u32>,
    ) -> bool {
        use Instruction as I;
        match instruction {
            I::Accept { .. } | I::Mismatch => return true,
            I::Jump { to } => {
                next.push(*to);
                return true;
            }
            I::Select { term, fail, table } => {
                self.read(*term);
                next.push(*fail);
                next.extend(table.labels());
                return true;
            }
            I::SelectArity { term, fail, table } => {
                self.read(*term);
                next.push(*fail);
                next.extend(table.labels());
                return true;
            }
            I::Binary(binary) => binary.visit(&mut BinaryVisitor {
                analysis: self,
                next,
            }),
            // The clauses cannot raise an exception, but the compiler may leave the instruction.
            I::NoMatch { .. } | I::NoCaseClause { .. } | I::NoIfClause => return true,
            _ if self.data(instruction) || self.test(instruction, next) => {}
            _ if self.bif(code, instruction, next) => {}
            _ => return false,
        }
        next.push(pc + 1);
        true
    }

    /// Visits instructions that move, build or decompose terms, and those on floats. Returns
    /// whether the instruction is one of them.
    fn data(&mut self, instruction: &Instruction) -> bool {
        use Instruction as I;
        match instruction {
            I::Move { from, to } | I::GetHead { from, to } | I::GetTail { from, to } => {
                self.read(*from);
                self.write(*to);
            }
            I::GetElement { from, to, .. } => {
                self.read(*from);
                self.write(*to);
            }
            I::Swap { one, other } => {
                for register in [*one, *other] {
                    self.read(register.into());
                    self.write(register);
                }
            }
            I::GetList { from, head, tail } => {
                self.read(*from);
                self.write(*head);
                self.write(*tail);
            }
            I::PutList { head, tail, to } => {
                self.read(*head);
                self.read(*tail);
                self.write(*to);
            }
            I::PutTuple { to, elements } => {
                elements.iter().for_each(|&element| self.read(element));
                self.write(*to);
            }
            I::FloatMove { from, to } => {
                if let FloatOperand::Term(source) = from {
                    self.read(*source);
                }
                if let FloatOperand::Term(source) = to
                    && let SourceKind::Y(y) = source.get()
                {
                    self.writes.insert(y);
                }
            }
            I::FloatConvert { from, .. } => self.read(*from),
            I::FloatArithmetic { .. } | I::FloatNegate { .. } => {}
            _ => return false,
        }
        true
    }

    /// Visits tests, including those on maps. Returns whether the instruction is one of them.
    fn test(&mut self, instruction: &Instruction, next: &mut Vec<u32>) -> bool {
        use Instruction as I;
        match instruction {
            I::GetMapElements { fail, from, pairs } => {
                self.read(*from);
                for &(key, to) in pairs {
                    self.read(key);
                    self.write(to);
                }
                next.push(*fail);
            }
            I::HasMapFields { fail, from, keys } => {
                self.read(*from);
                keys.iter().for_each(|&key| self.read(key));
                next.push(*fail);
            }
            I::IsLess { fail, one, other }
            | I::IsAtLeast { fail, one, other }
            | I::IsEqual { fail, one, other }
            | I::IsNotEqual { fail, one, other }
            | I::IsExactlyEqual { fail, one, other }
            | I::IsNotExactlyEqual { fail, one, other }
            | I::IsFunctionOf {
                fail,
                term: one,
                arity: other,
            } => {
                self.read(*one);
                self.read(*other);
                next.push(*fail);
            }
            I::IsInteger { fail, term }
            | I::IsFloat { fail, term }
            | I::IsNumber { fail, term }
            | I::IsAtom { fail, term }
            | I::IsBoolean { fail, term }
            | I::IsPid { fail, term }
            | I::IsReference { fail, term }
            | I::IsPort { fail, term }
            | I::IsNil { fail, term }
            | I::IsBinary { fail, term }
            | I::IsBitString { fail, term }
            | I::IsList { fail, term }
            | I::IsNonemptyList { fail, term }
            | I::IsTuple { fail, term }
            | I::IsTaggedTuple { fail, term, .. }
            | I::HasArity { fail, term, .. }
            | I::IsMap { fail, term }
            | I::IsFunction { fail, term } => {
                self.read(*term);
                next.push(*fail);
            }
            _ => return false,
        }
        true
    }

    /// Visits calls of BIFs. Returns whether the instruction is a call of a known BIF without
    /// effects.
    fn bif(&mut self, code: &Code, instruction: &Instruction, next: &mut Vec<u32>) -> bool {
        use Instruction as I;
        match instruction {
            I::Bif1 { bif, argument, to } => {
                self.read(*argument);
                self.write(*to);
                jump(bif.fail, next);
            }
            I::Bif2 {
                bif,
                one,
                other,
                to,
            }
            | I::Add {
                bif,
                one,
                other,
                to,
            }
            | I::Subtract {
                bif,
                one,
                other,
                to,
            } => {
                self.read(*one);
                self.read(*other);
                self.write(*to);
                jump(bif.fail, next);
            }
            I::Bif {
                import,
                fail,
                arguments,
                to,
            } => {
                let Some(name) = code.imports.get(*import as usize) else {
                    return false;
                };
                match (name.mfa.name.name(), name.mfa.arity) {
                    ("self", 0) => self.asks_self = true,
                    ("node", 0 | 1) => {}
                    _ if bif::is_pure(name.mfa.module, name.mfa.name, name.mfa.arity) => {}
                    _ => return false,
                }
                arguments.iter().for_each(|&argument| self.read(argument));
                self.write(*to);
                jump(*fail, next);
            }
            _ => return false,
        }
        true
    }

    fn read(&mut self, source: Source) {
        if let SourceKind::Y(y) = source.get() {
            self.reads.insert(y);
        }
    }

    fn write(&mut self, register: Register) {
        if let Register::Y(y) = register {
            self.writes.insert(y);
        }
    }
}

/// Records what an instruction on binaries reads and writes, and its successors.
struct BinaryVisitor<'a> {
    analysis: &'a mut Analysis,
    next: &'a mut Vec<u32>,
}

impl Visitor for BinaryVisitor<'_> {
    fn read(&mut self, source: Source) {
        self.analysis.read(source);
    }

    fn write(&mut self, register: Register) {
        self.analysis.write(register);
    }

    fn jump(&mut self, label: u32) {
        jump(label, self.next);
    }
}

fn jump(label: u32, next: &mut Vec<u32>) {
    if label != NO_LABEL {
        next.push(label);
    }
}
