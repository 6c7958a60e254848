//! Resolves operands.

use rustc_hash::FxHashMap;

use crate::code::{FloatOperand, NO_LABEL, Register, Source};
use crate::loader::{self, Module, Operand};
use crate::term::Term;

/// A resolved operand or instruction, or the problem with it.
pub(super) type Resolved<T> = Result<T, &'static str>;

/// Resolves the operands of a module's instructions and collects the module's constants.
pub(super) struct Resolver<'a> {
    pub(super) module: &'a Module,
    /// The OTP release whose BIFs are used.
    pub(super) release: u32,
    /// For each label the index of its instruction.
    pub(super) labels: Vec<u32>,
    pub(super) constants: Vec<Term>,
    /// The constants of atoms, small integers and literals, so that each is stored once.
    atoms: FxHashMap<u32, Source>,
    ints: FxHashMap<i64, Source>,
    literals: FxHashMap<u32, Source>,
    /// The instructions after the current one in its function.
    pub(super) following: &'a [loader::Instruction],
}

impl<'a> Resolver<'a> {
    pub(super) fn new(module: &'a Module, release: u32, labels: Vec<u32>) -> Resolver<'a> {
        Resolver {
            module,
            release,
            labels,
            constants: Vec::new(),
            atoms: FxHashMap::default(),
            ints: FxHashMap::default(),
            literals: FxHashMap::default(),
            following: &[],
        }
    }

    /// A label that must be given.
    pub(super) fn label(&self, operand: &Operand) -> Resolved<u32> {
        match self.fail(operand)? {
            NO_LABEL => Err("a label is expected"),
            label => Ok(label),
        }
    }

    /// A label that may be missing, which gives [`NO_LABEL`].
    pub(super) fn fail(&self, operand: &Operand) -> Resolved<u32> {
        match operand {
            Operand::Label(0) => Ok(NO_LABEL),
            Operand::Label(label) => match self.labels.get(*label as usize) {
                Some(&place) if place != NO_LABEL => Ok(place),
                _ => Err("a label is not defined"),
            },
            _ => Err("a label is expected"),
        }
    }

    pub(super) fn import(&self, operand: &Operand) -> Resolved<u32> {
        let import: u32 = small(operand)?;
        match self.module.imports.get(import as usize) {
            Some(found) if found.arity < 256 => Ok(import),
            _ => Err("there is no such import"),
        }
    }

    pub(super) fn lambda(&self, operand: &Operand) -> Resolved<u32> {
        let lambda: u32 = small(operand)?;
        match self.module.lambdas.get(lambda as usize) {
            Some(found) if found.arity < 256 => Ok(lambda),
            _ => Err("there is no such fun"),
        }
    }

    /// A register or a constant.
    pub(super) fn source(&mut self, operand: &Operand) -> Resolved<Source> {
        match operand {
            Operand::X(x) => Ok(Source::x(*x)),
            Operand::Y(y) => Ok(Source::y(*y)),
            Operand::Literal(number) => match self.literals.get(number) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add_constant(self.constant(operand)?)?;
                    self.literals.insert(*number, source);
                    Ok(source)
                }
            },
            Operand::Atom(atom) => match self.atoms.get(&atom.index()) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add_constant(Term::Atom(*atom))?;
                    self.atoms.insert(atom.index(), source);
                    Ok(source)
                }
            },
            Operand::Integer(Term::Int(int)) => match self.ints.get(int) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add_constant(Term::Int(*int))?;
                    self.ints.insert(*int, source);
                    Ok(source)
                }
            },
            operand => self.add_constant(self.constant(operand)?),
        }
    }

    fn add_constant(&mut self, constant: Term) -> Resolved<Source> {
        if self.constants.len() >= Source::CONSTANTS_MAX {
            return Err("too many constants");
        }
        self.constants.push(constant);
        Ok(Source::constant(self.constants.len() as u32 - 1))
    }

    /// The value of a constant operand.
    pub(super) fn constant(&self, operand: &Operand) -> Resolved<Term> {
        match operand {
            Operand::Integer(integer) => Ok(integer.clone()),
            Operand::Atom(atom) => Ok(Term::Atom(*atom)),
            Operand::Nil => Ok(Term::Nil),
            Operand::Character(character) => Ok(Term::Int(i64::from(*character))),
            Operand::Unsigned(number) => match i64::try_from(*number) {
                Ok(number) => Ok(Term::Int(number)),
                Err(_) => Err("a number is too large"),
            },
            Operand::Literal(number) => match self.module.literals.get(*number as usize) {
                Some(literal) => Ok(literal.clone()),
                None => Err("there is no such literal"),
            },
            _ => Err("a constant is expected"),
        }
    }

    pub(super) fn sources(&mut self, operand: &Operand) -> Resolved<Box<[Source]>> {
        let Operand::List(items) = operand else {
            return Err("a list is expected");
        };
        items.iter().map(|item| self.source(item)).collect()
    }

    pub(super) fn pairs<T>(
        &mut self,
        items: &[Operand],
        mut pair: impl FnMut(&mut Self, &Operand, &Operand) -> Resolved<T>,
    ) -> Resolved<Box<[T]>> {
        let (pairs, []) = items.as_chunks() else {
            return Err("a list of pairs is expected");
        };
        let pairs = pairs.iter().map(|[one, other]| pair(self, one, other));
        pairs.collect()
    }

    pub(super) fn float_operand(&mut self, operand: &Operand) -> Resolved<FloatOperand> {
        match operand {
            Operand::Float(_) => Ok(FloatOperand::Float(float_register(operand)?)),
            operand => Ok(FloatOperand::Term(self.source(operand)?)),
        }
    }
}

/// A non-negative number that fits into `T`.
pub(super) fn small<T: TryFrom<u64>>(operand: &Operand) -> Resolved<T> {
    let number = match operand {
        Operand::Unsigned(number) => *number,
        Operand::Integer(Term::Int(number)) => {
            u64::try_from(*number).map_err(|_| "a number is negative")?
        }
        _ => return Err("a number is expected"),
    };
    T::try_from(number).map_err(|_| "a number is too large")
}

pub(super) fn register(operand: &Operand) -> Resolved<Register> {
    match operand {
        Operand::X(x) => Ok(Register::X(*x)),
        Operand::Y(y) => Ok(Register::Y(*y)),
        _ => Err("a register is expected"),
    }
}

pub(super) fn y_register(operand: &Operand) -> Resolved<u16> {
    match operand {
        Operand::Y(y) => Ok(*y),
        _ => Err("a Y register is expected"),
    }
}

/// The number of floating-point registers.
const FLOAT_REGISTERS: u16 = 1024;

pub(super) fn float_register(operand: &Operand) -> Resolved<u16> {
    match operand {
        Operand::Float(number) if *number < FLOAT_REGISTERS => Ok(*number),
        _ => Err("a float register is expected"),
    }
}
