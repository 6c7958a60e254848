//! Traces messages of a given shape through the tests of a receive.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::super::binary::Visitor;
use super::super::{
    Binary, Code, FloatOperand, Instruction, NO_LABEL, Register, Source, SourceKind,
};
use super::shape::{Shape, ShapeId, Shapes};
use crate::term::{Atom, Term};

/// The maximum number of steps for one message.
const STEPS_MAX: usize = 20_000;

/// The instructions of a receive that may accept a message of this shape. `None` if its tests take
/// too many steps or contain an unexpected instruction.
pub(super) fn accepts(
    code: &Code,
    receive: u32,
    shapes: &Shapes<'_>,
    message: ShapeId,
) -> Option<BTreeSet<u32>> {
    let Instruction::Receive { to, .. } = code.instructions.get(receive as usize)? else {
        return None;
    };
    let mut start = State::default();
    start.write((*to).into(), message);
    let mut walk = Walk {
        code,
        shapes,
        open: vec![(receive + 1, start)],
        found: BTreeSet::new(),
    };
    let mut seen = FxHashSet::default();
    while let Some(step) = walk.open.pop() {
        if !seen.insert(step.clone()) {
            continue;
        }
        if seen.len() > STEPS_MAX || !walk.step(step.0, step.1) {
            return None;
        }
    }
    Some(walk.found)
}

/// The registers with a known shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State(Vec<(u32, ShapeId)>);

impl State {
    fn read(&self, source: Source) -> ShapeId {
        let known = key(source).and_then(|key| {
            let at = self.0.binary_search_by_key(&key, |&(key, _)| key).ok()?;
            Some(self.0[at].1)
        });
        known.unwrap_or(Shapes::ANY)
    }

    fn write(&mut self, to: Source, shape: ShapeId) {
        let Some(key) = key(to) else {
            return;
        };
        match (self.0.binary_search_by_key(&key, |&(key, _)| key), shape) {
            (Ok(at), Shapes::ANY) => _ = self.0.remove(at),
            (Err(_), Shapes::ANY) => {}
            (Ok(at), shape) => self.0[at].1 = shape,
            (Err(at), shape) => self.0.insert(at, (key, shape)),
        }
    }
}

/// A unique number of a register.
fn key(source: Source) -> Option<u32> {
    match source.get() {
        SourceKind::X(x) => Some(x.into()),
        SourceKind::Y(y) => Some(1 << 16 | u32::from(y)),
        SourceKind::Constant(_) => None,
    }
}

struct Walk<'a, 'f> {
    code: &'a Code,
    shapes: &'a Shapes<'f>,
    open: Vec<(u32, State)>,
    found: BTreeSet<u32>,
}

impl Walk<'_, '_> {
    /// Executes one instruction. Returns whether it is one that the tests of receives are known to
    /// contain.
    fn step(&mut self, pc: u32, mut state: State) -> bool {
        use Instruction as I;
        let (code, shapes) = (self.code, self.shapes);
        let Some(instruction) = code.instructions.get(pc as usize) else {
            return false;
        };
        if let Some((fail, holds)) = self.test(instruction, &state) {
            if holds != Some(true) {
                self.open.push((fail, state.clone()));
            }
            if holds != Some(false) {
                self.open.push((pc + 1, state));
            }
            return true;
        }
        match instruction {
            I::Accept { .. } => {
                self.found.insert(pc);
                return true;
            }
            I::Mismatch | I::NoMatch { .. } | I::NoCaseClause { .. } | I::NoIfClause => {
                return true;
            }
            I::Jump { to } => {
                self.open.push((*to, state));
                return true;
            }
            I::Select { term, fail, table } => {
                let found = match shapes.get(state.read(*term)) {
                    Shape::Any | Shape::Float => None,
                    // An atom that does not exist in the program is in no table.
                    Shape::Atom(name) => {
                        Some(Atom::existing(name).and_then(|atom| table.find(&atom.into())))
                    }
                    Shape::Int(int) => Some(table.find(&Term::Int(*int))),
                    _ => Some(None),
                };
                self.select(found, *fail, table.labels(), &state);
                return true;
            }
            I::SelectArity { term, fail, table } => {
                let found = match shapes.get(state.read(*term)) {
                    Shape::Tuple { elements, is_whole } => {
                        is_whole.then(|| table.find(elements.len()))
                    }
                    Shape::Any => None,
                    _ => Some(None),
                };
                self.select(found, *fail, table.labels(), &state);
                return true;
            }
            _ if self.run(instruction, &mut state) => {}
            _ => return false,
        }
        self.open.push((pc + 1, state));
        true
    }

    /// Applies an instruction that continues with the next one, unless it fails. Returns whether
    /// the instruction is a known one.
    fn run(&mut self, instruction: &Instruction, state: &mut State) -> bool {
        use Instruction as I;
        let shapes = self.shapes;
        match instruction {
            I::Move { from, to } => state.write((*to).into(), state.read(*from)),
            I::Swap { one, other } => {
                let (one, other) = (Source::from(*one), Source::from(*other));
                let (first, second) = (state.read(one), state.read(other));
                state.write(one, second);
                state.write(other, first);
            }
            I::GetElement { from, index, to } => {
                let element = shapes.element(state.read(*from), *index as usize);
                state.write((*to).into(), element);
            }
            I::GetList { from, head, tail } => {
                let (first, rest) = shapes.head_and_tail(state.read(*from));
                state.write((*head).into(), first);
                state.write((*tail).into(), rest);
            }
            I::GetHead { from, to } => {
                let (head, _) = shapes.head_and_tail(state.read(*from));
                state.write((*to).into(), head);
            }
            I::GetTail { from, to } => {
                let (_, tail) = shapes.head_and_tail(state.read(*from));
                state.write((*to).into(), tail);
            }
            I::PutList { to, .. } | I::PutTuple { to, .. } => {
                state.write((*to).into(), Shapes::ANY);
            }
            I::GetMapElements { fail, pairs, .. } => {
                self.open.push((*fail, state.clone()));
                for &(_, to) in pairs {
                    state.write(to.into(), Shapes::ANY);
                }
            }
            I::Bif1 { bif, to, .. }
            | I::Bif2 { bif, to, .. }
            | I::Add { bif, to, .. }
            | I::Subtract { bif, to, .. } => self.result(bif.fail, *to, state),
            I::Bif { fail, to, .. } => self.result(*fail, *to, state),
            I::FloatMove { to, .. } => {
                if let FloatOperand::Term(to) = to {
                    state.write(*to, Shapes::ANY);
                }
            }
            I::FloatConvert { .. } | I::FloatArithmetic { .. } | I::FloatNegate { .. } => {}
            I::Binary(binary) => {
                let mut effect = Effect::default();
                binary.visit(&mut effect);
                for to in effect.writes {
                    state.write(to.into(), Shapes::ANY);
                }
                let jumps = effect.jumps.into_iter();
                self.open.extend(jumps.map(|label| (label, state.clone())));
            }
            _ => return false,
        }
        true
    }

    /// Sets the result of a BIF, which may fail.
    fn result(&mut self, fail: u32, to: Register, state: &mut State) {
        if fail != NO_LABEL {
            self.open.push((fail, state.clone()));
        }
        state.write(to.into(), Shapes::ANY);
    }

    /// Continues at the label that was found, or at all labels if the term is not known.
    fn select(
        &mut self,
        found: Option<Option<u32>>,
        fail: u32,
        labels: impl Iterator<Item = u32>,
        state: &State,
    ) {
        match found {
            Some(label) => self.open.push((label.unwrap_or(fail), state.clone())),
            None => {
                let labels = labels.chain([fail]);
                self.open.extend(labels.map(|label| (label, state.clone())));
            }
        }
    }

    /// The jump target of a test that fails, and the result of the test, if it is known. `None` if
    /// the instruction is not a test.
    fn test(&self, instruction: &Instruction, state: &State) -> Option<(u32, Option<bool>)> {
        use Instruction as I;
        use Shape as S;
        // The result is known unless the term is unknown.
        let is = |fail: &u32, term: &Source, test: fn(&Shape<'_>) -> bool| {
            let shape = self.shapes.get(state.read(*term));
            Some((*fail, (*shape != S::Any).then(|| test(shape))))
        };
        match instruction {
            I::IsInteger { fail, term } => is(fail, term, |s| matches!(s, S::Int(_))),
            I::IsFloat { fail, term } => is(fail, term, |s| matches!(s, S::Float)),
            I::IsNumber { fail, term } => is(fail, term, |s| matches!(s, S::Int(_) | S::Float)),
            I::IsAtom { fail, term } => is(fail, term, |s| matches!(s, S::Atom(_))),
            I::IsBoolean { fail, term } => {
                is(fail, term, |s| matches!(s, S::Atom("true" | "false")))
            }
            I::IsPid { fail, term }
            | I::IsReference { fail, term }
            | I::IsPort { fail, term }
            | I::IsFunction { fail, term }
            | I::IsFunctionOf { fail, term, .. } => {
                let (fail, holds) = is(fail, term, |s| matches!(s, S::Opaque))?;
                // An opaque term may be of any of these types.
                Some((fail, holds.filter(|&holds| !holds)))
            }
            I::IsNil { fail, term } => is(fail, term, |s| matches!(s, S::Nil)),
            I::IsList { fail, term } => is(fail, term, |s| matches!(s, S::Nil | S::Cons(..))),
            I::IsNonemptyList { fail, term } => is(fail, term, |s| matches!(s, S::Cons(..))),
            I::IsTuple { fail, term } => is(fail, term, |s| matches!(s, S::Tuple { .. })),
            I::IsMap { fail, term } => is(fail, term, |s| matches!(s, S::Map)),
            I::IsBitString { fail, term } => is(fail, term, |s| matches!(s, S::Bits)),
            I::IsBinary { fail, term } => {
                let (fail, holds) = is(fail, term, |s| matches!(s, S::Bits))?;
                // Its length may not be a multiple of 8 bits.
                Some((fail, holds.filter(|&holds| !holds)))
            }
            I::Binary(binary) => match &**binary {
                Binary::Start { fail, from, .. } => {
                    let (fail, holds) = is(fail, from, |s| matches!(s, S::Bits))?;
                    // If it is a bit string, the instructions that follow decide.
                    (holds == Some(false)).then_some((fail, holds))
                }
                _ => None,
            },
            I::HasArity { fail, term, arity } => {
                let shape = state.read(*term);
                Some((*fail, self.has_arity(shape, *arity)))
            }
            I::IsTaggedTuple {
                fail,
                term,
                arity,
                tag,
            } => {
                let shape = state.read(*term);
                let first = self.shapes.element(shape, 0);
                let tagged = self.equals(first, &Term::Atom(*tag));
                Some((*fail, both(self.has_arity(shape, *arity), tagged)))
            }
            I::IsExactlyEqual { fail, one, other } => Some((*fail, self.same(state, *one, *other))),
            I::IsNotExactlyEqual { fail, one, other } => {
                let same = self.same(state, *one, *other);
                Some((*fail, same.map(|same| !same)))
            }
            I::IsLess { fail, .. }
            | I::IsAtLeast { fail, .. }
            | I::IsEqual { fail, .. }
            | I::IsNotEqual { fail, .. }
            | I::HasMapFields { fail, .. } => Some((*fail, None)),
            _ => None,
        }
    }

    fn has_arity(&self, shape: ShapeId, arity: u32) -> Option<bool> {
        match self.shapes.get(shape) {
            Shape::Any => None,
            Shape::Tuple { elements, is_whole } if *is_whole => {
                Some(elements.len() == arity as usize)
            }
            Shape::Tuple { elements, .. } => (elements.len() > arity as usize).then_some(false),
            _ => Some(false),
        }
    }

    /// Whether two terms are equal, if one of them is a constant.
    fn same(&self, state: &State, one: Source, other: Source) -> Option<bool> {
        let (term, constant) = match (one.get(), other.get()) {
            (SourceKind::Constant(constant), _) => (other, constant),
            (_, SourceKind::Constant(constant)) => (one, constant),
            _ => return None,
        };
        let constant = self.code.constants.get(constant as usize)?;
        self.equals(state.read(term), constant)
    }

    fn equals(&self, shape: ShapeId, constant: &Term) -> Option<bool> {
        match (self.shapes.get(shape), constant) {
            (Shape::Any, _) => None,
            (Shape::Atom(name), Term::Atom(atom)) => Some(atom.name() == *name),
            (Shape::Int(one), Term::Int(other)) => Some(one == other),
            (Shape::Nil, Term::Nil) => Some(true),
            (Shape::Opaque, Term::Fun(_))
            | (Shape::Float, Term::Float(_))
            | (Shape::Cons(..), Term::Cons(_))
            | (Shape::Tuple { .. }, Term::Tuple(_))
            | (Shape::Map, Term::Map(_))
            | (Shape::Bits, Term::Bits(_)) => None,
            _ => Some(false),
        }
    }
}

/// The conjunction of two results that may be unknown.
fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// The registers that an instruction on binaries writes, and its jump targets.
#[derive(Default)]
struct Effect {
    writes: Vec<Register>,
    jumps: Vec<u32>,
}

impl Visitor for Effect {
    fn read(&mut self, _: Source) {}

    fn write(&mut self, register: Register) {
        self.writes.push(register);
    }

    fn jump(&mut self, label: u32) {
        if label != NO_LABEL {
            self.jumps.push(label);
        }
    }
}
