//! The loop that runs instructions.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use super::binary::Building;
use super::exception::{Origin, Thrown};
use super::process::Process;
use super::{Effect, End, Stop, Target, Unsupported};
use crate::code::{
    Address, Bif, Code, FloatOperand, Instruction, Library, Mfa, NO_LABEL, Register, Source,
    SourceKind,
};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Term, Tuple, compare, equal, exactly_equal};

/// As many argument registers as the loader accepts.
pub(super) const X_REGISTERS: usize = 1024;
/// The largest number of arguments.
pub(super) const ARITY_MAX: usize = 255;
const X_MASK: usize = X_REGISTERS - 1;
/// After how many instructions the meter is asked whether to go on.
pub(super) const ASK_EVERY: u64 = 1 << 14;

/// A process while it runs.
pub(super) struct Runner<'a> {
    pub library: &'a Library,
    pub code: &'a Code,
    /// The next instruction. The current one is right before it.
    pub pc: u32,
    pub x: &'a mut [Term; X_REGISTERS],
    pub floats: &'a mut [f64; X_REGISTERS],
    pub process: &'a mut Process,
    pub effects: &'a mut Vec<Effect>,
    /// Where the effects come from.
    pub places: &'a mut Vec<Address>,
    pub no_registers: &'a Rc<[Term]>,
    /// How many instructions may be run before the meter is asked whether to go on.
    pub left: u64,
    /// How many may be run after those.
    pub reserve: u64,
    /// Whether this is about the tests of a receive only.
    pub tests: bool,
    /// The binary that the next instructions put segments into.
    pub building: Option<Building>,
}

/// Why the loop was left.
pub(super) enum Trouble {
    Raise(Box<Thrown>),
    /// At a receive, which waits at the instruction at `fail`.
    Receive {
        fail: u32,
        info: u32,
    },
    /// The first function of the process has returned.
    Returned,
    /// Any other stop. Most are of the two kinds above, which need no memory.
    Stop(Box<Stop>),
    /// In the tests of a receive: whether it takes the message.
    Matches(bool),
}

pub(super) type Run<T = ()> = Result<T, Trouble>;

impl<'a> Runner<'a> {
    /// Runs on until the next stop.
    pub(super) fn go(&mut self) -> Stop {
        loop {
            let Err(trouble) = self.execute();
            if let Some(stop) = self.settle(trouble) {
                return stop;
            }
        }
    }

    /// Catches an exception, or tells why the process stops.
    pub(super) fn settle(&mut self, trouble: Trouble) -> Option<Stop> {
        match trouble {
            // What fails when the brake has stopped the step fails because of that.
            Trouble::Raise(_) if meter::is_stopped() => Some(self.interrupted(None)),
            Trouble::Raise(thrown) => self.unwind(*thrown),
            Trouble::Receive { fail, info } => Some(self.receive(fail, info)),
            Trouble::Returned => {
                let value = std::mem::replace(&mut self.x[0], Term::Nil);
                Some(Stop::Exit(End::Returned { value }))
            }
            Trouble::Stop(stop) => Some(*stop),
            Trouble::Matches(_) => Some(self.unsupported("a receive outside of a receive")),
        }
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(super) fn execute(&mut self) -> Result<std::convert::Infallible, Trouble> {
        use Instruction as I;
        loop {
            if self.left == 0 {
                self.refill()?;
            }
            self.left -= 1;
            let code = self.code;
            let instruction = &code.instructions[self.pc as usize];
            self.pc += 1;
            match instruction {
                I::Move { from, to } => {
                    let value = self.get(*from).clone();
                    self.put(*to, value);
                }
                I::Call { target } => {
                    self.push_frame();
                    self.pc = *target;
                }
                I::CallOnly { target } => self.pc = *target,
                I::CallLast { target, frame } => {
                    self.deallocate(*frame);
                    self.pc = *target;
                }
                I::Return => self.leave()?,
                I::CallExternal { import } => self.call_external(*import, After::Next)?,
                I::CallExternalLast { import, frame } => {
                    self.call_external(*import, After::Return { frame: *frame })?;
                }
                I::CallExternalOnly { import } => {
                    self.call_external(*import, After::Return { frame: 0 })?;
                }
                I::Apply { arity } => self.apply(*arity, After::Next)?,
                I::ApplyLast { arity, frame } => {
                    self.apply(*arity, After::Return { frame: *frame })?;
                }
                I::CallFun { arity, fun } => {
                    let fun = self.get(*fun).clone();
                    self.call_fun(&fun, *arity, After::Next)?;
                }
                I::CallFunLast { arity, fun, frame } => {
                    let fun = self.get(*fun).clone();
                    self.call_fun(&fun, *arity, After::Return { frame: *frame })?;
                }
                I::MakeFun {
                    lambda,
                    to,
                    environment,
                } => {
                    let fun = self.make_fun(*lambda, environment);
                    self.put(*to, fun);
                }

                I::Bif1 { bif, argument, to } => {
                    match (bif.function)(std::slice::from_ref(self.get(*argument))) {
                        Ok(value) => self.put(*to, value),
                        Err(raise) => {
                            let arguments = [self.get(*argument).clone()];
                            self.bif_failed(bif.import, bif.fail, &arguments, raise)?;
                        }
                    }
                }
                I::Bif2 {
                    bif,
                    one,
                    other,
                    to,
                } => self.bif2(bif, *one, *other, *to, false)?,
                I::Add {
                    bif,
                    one,
                    other,
                    to,
                } => match (self.get(*one), self.get(*other)) {
                    (Term::Int(a), Term::Int(b)) if let Some(sum) = a.checked_add(*b) => {
                        self.put(*to, Term::Int(sum));
                    }
                    _ => {
                        let is_own = self.increments(*one) || self.increments(*other);
                        self.bif2(bif, *one, *other, *to, is_own)?;
                    }
                },
                I::Subtract {
                    bif,
                    one,
                    other,
                    to,
                } => match (self.get(*one), self.get(*other)) {
                    (Term::Int(a), Term::Int(b)) if let Some(difference) = a.checked_sub(*b) => {
                        self.put(*to, Term::Int(difference));
                    }
                    _ => {
                        let is_own = self.increments(*other);
                        self.bif2(bif, *one, *other, *to, is_own)?;
                    }
                },
                I::Bif {
                    import,
                    fail,
                    arguments,
                    to,
                } => self.bif(*import, *fail, arguments, *to)?,

                I::Allocate { frame } => {
                    if !self.process.stack.allocate(*frame) {
                        return Err(self.endless());
                    }
                }
                I::Deallocate { frame } => self.deallocate(*frame),
                I::Trim { count } => self.deallocate(*count),
                I::Clear { registers } => {
                    for &y in registers {
                        self.put(Register::Y(y), Term::Nil);
                    }
                }

                I::Swap { one, other } => {
                    let first = self.get((*one).into()).clone();
                    let second = self.get((*other).into()).clone();
                    self.put(*one, second);
                    self.put(*other, first);
                }
                I::GetList { from, head, tail } => {
                    let Term::Cons(cons) = self.get(*from) else {
                        return Err(self.damaged());
                    };
                    let (first, rest) = (cons.head.clone(), cons.tail.clone());
                    self.put(*head, first);
                    self.put(*tail, rest);
                }
                I::GetHead { from, to } => {
                    let Term::Cons(cons) = self.get(*from) else {
                        return Err(self.damaged());
                    };
                    let value = cons.head.clone();
                    self.put(*to, value);
                }
                I::GetTail { from, to } => {
                    let Term::Cons(cons) = self.get(*from) else {
                        return Err(self.damaged());
                    };
                    let value = cons.tail.clone();
                    self.put(*to, value);
                }
                I::PutList { head, tail, to } => {
                    let list = Term::cons(self.get(*head).clone(), self.get(*tail).clone());
                    self.put(*to, list);
                }
                I::PutTuple { to, elements } => {
                    let tuple = Term::tuple(elements.iter().map(|&from| self.get(from).clone()));
                    self.put(*to, tuple);
                }
                I::GetElement { from, index, to } => {
                    let Term::Tuple(tuple) = self.get(*from) else {
                        return Err(self.damaged());
                    };
                    let Some(value) = tuple.get(*index as usize).cloned() else {
                        return Err(self.damaged());
                    };
                    self.put(*to, value);
                }
                I::SetElement {
                    value,
                    tuple,
                    index,
                } => {
                    let value = self.get(*value).clone();
                    let Some(Term::Tuple(tuple)) = self.slot(*tuple) else {
                        return Err(self.damaged());
                    };
                    if !Tuple::set(tuple, *index as usize, value) {
                        return Err(self.damaged());
                    }
                }
                I::UpdateRecord { from, to, updates } => {
                    let Term::Tuple(tuple) = self.get(*from) else {
                        return Err(self.damaged());
                    };
                    let mut tuple = tuple.clone();
                    for &(index, value) in updates {
                        let value = self.get(value).clone();
                        if !Tuple::set(&mut tuple, index as usize, value) {
                            return Err(self.damaged());
                        }
                    }
                    self.put(*to, Term::Tuple(tuple));
                }
                I::PutMap {
                    exact,
                    fail,
                    from,
                    to,
                    pairs,
                } => self.put_map(*exact, *fail, *from, *to, pairs)?,
                I::GetMapElements { fail, from, pairs } => {
                    self.get_map_elements(*fail, *from, pairs);
                }
                I::HasMapFields { fail, from, keys } => {
                    let has = match self.get(*from) {
                        Term::Map(map) => keys.iter().all(|&key| map.contains_key(self.get(key))),
                        _ => false,
                    };
                    self.check(has, *fail);
                }

                I::IsLess { fail, one, other } => {
                    let holds = self.order(*one, *other).is_lt();
                    self.check(holds, *fail);
                }
                I::IsAtLeast { fail, one, other } => {
                    let holds = self.order(*one, *other).is_ge();
                    self.check(holds, *fail);
                }
                I::IsEqual { fail, one, other } => {
                    let holds = equal(self.get(*one), self.get(*other));
                    self.check(holds, *fail);
                }
                I::IsNotEqual { fail, one, other } => {
                    let holds = !equal(self.get(*one), self.get(*other));
                    self.check(holds, *fail);
                }
                I::IsExactlyEqual { fail, one, other } => {
                    let holds = self.is_exactly_equal(*one, *other);
                    self.check(holds, *fail);
                }
                I::IsNotExactlyEqual { fail, one, other } => {
                    let holds = !self.is_exactly_equal(*one, *other);
                    self.check(holds, *fail);
                }

                I::IsInteger { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Int(_) | Term::Big(_));
                    self.check(holds, *fail);
                }
                I::IsFloat { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Float(_));
                    self.check(holds, *fail);
                }
                I::IsNumber { fail, term } => {
                    let holds = matches!(
                        self.get(*term),
                        Term::Int(_) | Term::Big(_) | Term::Float(_)
                    );
                    self.check(holds, *fail);
                }
                I::IsAtom { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Atom(_));
                    self.check(holds, *fail);
                }
                I::IsBoolean { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Atom(Atom::TRUE | Atom::FALSE));
                    self.check(holds, *fail);
                }
                I::IsPid { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Pid(_));
                    self.check(holds, *fail);
                }
                I::IsReference { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Reference(_));
                    self.check(holds, *fail);
                }
                I::IsPort { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Port(_));
                    self.check(holds, *fail);
                }
                I::IsNil { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Nil);
                    self.check(holds, *fail);
                }
                I::IsBinary { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Bits(bits) if bits.is_binary());
                    self.check(holds, *fail);
                }
                I::IsBitString { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Bits(_));
                    self.check(holds, *fail);
                }
                I::IsList { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Nil | Term::Cons(_));
                    self.check(holds, *fail);
                }
                I::IsNonemptyList { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Cons(_));
                    self.check(holds, *fail);
                }
                I::IsTuple { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Tuple(_));
                    self.check(holds, *fail);
                }
                I::IsTaggedTuple {
                    fail,
                    term,
                    arity,
                    tag,
                } => {
                    let holds = match self.get(*term) {
                        Term::Tuple(tuple) => {
                            tuple.len() == *arity as usize
                                && matches!(tuple.first(), Some(Term::Atom(first)) if first == tag)
                        }
                        _ => false,
                    };
                    self.check(holds, *fail);
                }
                I::HasArity { fail, term, arity } => {
                    let holds = match self.get(*term) {
                        Term::Tuple(tuple) => tuple.len() == *arity as usize,
                        _ => false,
                    };
                    self.check(holds, *fail);
                }
                I::IsMap { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Map(_));
                    self.check(holds, *fail);
                }
                I::IsFunction { fail, term } => {
                    let holds = matches!(self.get(*term), Term::Fun(_));
                    self.check(holds, *fail);
                }
                I::IsFunctionOf { fail, term, arity } => {
                    let holds = match (self.get(*term), self.get(*arity)) {
                        (Term::Fun(fun), Term::Int(arity)) => i64::from(fun.arity()) == *arity,
                        _ => false,
                    };
                    self.check(holds, *fail);
                }

                I::Select { term, fail, table } => {
                    self.pc = table.find(self.get(*term)).unwrap_or(*fail);
                }
                I::SelectArity { term, fail, table } => {
                    let label = match self.get(*term) {
                        Term::Tuple(tuple) => table.find(tuple.len()),
                        _ => None,
                    };
                    self.pc = label.unwrap_or(*fail);
                }
                I::Jump { to } => self.pc = *to,

                I::Send => self.send()?,
                I::Receive { fail, info, .. } => {
                    return Err(Trouble::Receive {
                        fail: *fail,
                        info: *info,
                    });
                }
                I::Mismatch if self.tests => return Err(Trouble::Matches(false)),
                I::Mismatch => {
                    return Err(Trouble::Stop(Box::new(
                        self.unsupported("a message that the receive does not take"),
                    )));
                }
                I::Accept { .. } if self.tests => return Err(Trouble::Matches(true)),
                I::Accept { clause } => {
                    // Not in one operation, which is slow: two threads that run the same code may
                    // lose a count, but never all.
                    let taken = &self.code.taken[*clause as usize];
                    taken.store(taken.load(Relaxed) + 1, Relaxed);
                }
                I::Timeout => {}
                I::Wait => return Err(self.wait(None)),
                I::WaitFor { timeout } => return Err(self.wait_for(*timeout)),
                I::ReserveMarker { to } => self.put(*to, Term::Nil),

                I::NoFunctionClause => return Err(self.no_function_clause()),
                I::NoMatch { value } => return Err(self.fail_with(Atom::BADMATCH, *value)),
                I::NoCaseClause { value } => {
                    return Err(self.fail_with(Atom::CASE_CLAUSE, *value));
                }
                I::NoTryClause { value } => return Err(self.fail_with(Atom::TRY_CLAUSE, *value)),
                I::NoRecord { value } => return Err(self.fail_with(Atom::BADRECORD, *value)),
                I::NoIfClause => return Err(fail(Raise::error(Atom::IF_CLAUSE))),
                I::Try { y, handler } => self.push_handler(*y, *handler),
                I::TryEnd { y } => self.pop_handler(*y)?,
                I::TryCase { y } => self.put(Register::Y(*y), Term::Nil),
                I::CatchEnd { y } => self.catch_end(*y),
                I::Raise { trace, reason } => return Err(self.raise_again(*trace, *reason)),
                I::RawRaise => self.raw_raise()?,
                I::BuildStacktrace => {
                    let list = self.build_stacktrace(&self.x[0]);
                    self.x[0] = list;
                }

                I::FloatMove { from, to } => match (*from, *to) {
                    (FloatOperand::Term(from), FloatOperand::Float(to)) => {
                        self.load_float(from, to)?
                    }
                    (FloatOperand::Float(from), FloatOperand::Term(to)) => {
                        self.store_float(from, to)
                    }
                    _ => return Err(self.damaged()),
                },
                I::FloatConvert { from, to } => self.convert_float(*from, *to)?,
                I::FloatArithmetic {
                    operation,
                    one,
                    other,
                    to,
                } => self.float_arithmetic(*operation, *one, *other, *to)?,
                I::FloatNegate { from, to } => {
                    self.floats[usize::from(*to) & X_MASK] =
                        -self.floats[usize::from(*from) & X_MASK];
                }

                I::Binary(instruction) => self.binary(instruction)?,
                I::Unsupported(opcode) => {
                    let what = format!("the instruction {}", opcode.name());
                    return Err(Trouble::Stop(Box::new(self.unsupported(&what))));
                }
                I::End => return Err(self.damaged()),
            }
        }
    }

    /// What is in a register, or a constant.
    #[inline(always)]
    pub(super) fn get(&self, source: Source) -> &Term {
        match source.get() {
            SourceKind::X(x) => &self.x[usize::from(x) & X_MASK],
            SourceKind::Y(y) => self.process.stack.get(y),
            SourceKind::Constant(constant) => &self.code.constants[constant as usize],
        }
    }

    /// A register, to change what is in it.
    #[inline(always)]
    pub(super) fn slot(&mut self, register: Register) -> Option<&mut Term> {
        match register {
            Register::X(x) => Some(&mut self.x[usize::from(x) & X_MASK]),
            Register::Y(y) => self.process.stack.get_mut(y),
        }
    }

    /// Writes to a register. A frame that is too small for it is a damaged file, which ends
    /// elsewhere: what is written there is lost.
    #[inline(always)]
    pub(super) fn put(&mut self, register: Register, value: Term) {
        if let Some(slot) = self.slot(register) {
            *slot = value;
        }
    }

    #[inline(always)]
    fn check(&mut self, holds: bool, fail: u32) {
        if !holds {
            self.pc = fail;
        }
    }

    #[inline(always)]
    fn order(&self, one: Source, other: Source) -> Ordering {
        match (self.get(one), self.get(other)) {
            (Term::Int(one), Term::Int(other)) => one.cmp(other),
            (one, other) => compare(one, other),
        }
    }

    #[inline(always)]
    fn is_exactly_equal(&self, one: Source, other: Source) -> bool {
        match (self.get(one), self.get(other)) {
            (Term::Int(one), Term::Int(other)) => one == other,
            (Term::Atom(one), Term::Atom(other)) => one == other,
            (Term::Nil, Term::Nil) => true,
            (one, other) if std::mem::discriminant(one) != std::mem::discriminant(other) => false,
            (one, other) => exactly_equal(one, other, self.library.zeros()),
        }
    }

    #[inline(always)]
    pub(super) fn deallocate(&mut self, count: u16) {
        self.process.stack.deallocate(count);
    }

    /// Calls a BIF of two arguments. `is_own` says that the real machine has an instruction of its
    /// own for that, which does not appear in traces: adding or subtracting a constant.
    fn bif2(&mut self, bif: &Bif, one: Source, other: Source, to: Register, is_own: bool) -> Run {
        let arguments = [self.get(one).clone(), self.get(other).clone()];
        match (bif.function)(&arguments) {
            Ok(value) => self.put(to, value),
            Err(raise) if is_own && bif.fail == NO_LABEL => return Err(fail(raise)),
            Err(raise) => self.bif_failed(bif.import, bif.fail, &arguments, raise)?,
        }
        Ok(())
    }

    /// Whether adding this is an instruction of its own. OTP 27 has none any more.
    fn increments(&self, source: Source) -> bool {
        const SMALL: std::ops::Range<i64> = -(1 << 59)..1 << 59;
        self.library.release() < 27
            && matches!(source.get(), SourceKind::Constant(_))
            && matches!(self.get(source), Term::Int(int) if SMALL.contains(int))
    }

    /// A BIF in an instruction of its own raised an exception.
    #[cold]
    fn bif_failed(&mut self, import: u32, fail: u32, arguments: &[Term], raise: Raise) -> Run {
        if meter::is_stopped() {
            let mfa = self.code.imports[import as usize].mfa;
            return Err(Trouble::Stop(Box::new(self.interrupted(Some(mfa)))));
        }
        if fail != NO_LABEL {
            self.pc = fail;
            return Ok(());
        }
        let mfa = self.code.imports[import as usize].mfa;
        Err(self.native_failed(mfa, arguments, raise))
    }

    fn bif(&mut self, import: u32, fail: u32, sources: &[Source], to: Register) -> Run {
        let arguments: Vec<Term> = sources.iter().map(|&from| self.get(from).clone()).collect();
        let mfa = self.code.imports[import as usize].mfa;
        let result = match self.target(import)? {
            Target::Native(super::Native::Pure(function)) => function(&arguments),
            Target::Native(super::Native::Local(function)) => {
                function(&mut self.context(), &arguments)
            }
            _ => {
                let stop = self.unsupported(&mfa.to_string());
                return Err(Trouble::Stop(Box::new(stop)));
            }
        };
        match result {
            Ok(value) => {
                self.put(to, value);
                Ok(())
            }
            Err(raise) => self.bif_failed(import, fail, &arguments, raise),
        }
    }

    #[cold]
    fn fail_with(&self, name: Atom, value: Source) -> Trouble {
        fail(Raise::error_with(name, self.get(value).clone()))
    }

    #[cold]
    pub(super) fn damaged(&self) -> Trouble {
        Trouble::Stop(Box::new(Stop::Unsupported(Unsupported {
            what: "an instruction that makes no sense".into(),
            place: self.place(),
            advice: "compile the module again; its file is damaged",
        })))
    }

    #[cold]
    pub(super) fn unsupported(&self, what: &str) -> Stop {
        Stop::Unsupported(Unsupported {
            what: what.to_string(),
            place: self.place(),
            advice: "it is not modelled; replace it in what is tested",
        })
    }

    /// Asks whether to go on, and takes the next instructions from the reserve.
    #[cold]
    fn refill(&mut self) -> Run {
        if !meter::ask(0) {
            return Err(Trouble::Stop(Box::new(self.interrupted(None))));
        }
        if self.reserve == 0 {
            return Err(self.endless());
        }
        self.left = self.reserve.min(ASK_EVERY);
        self.reserve -= self.left;
        Ok(())
    }

    /// The brake has stopped the step, in this native function if it is known.
    #[cold]
    pub(super) fn interrupted(&self, function: Option<Mfa>) -> Stop {
        let place = self.place();
        Stop::Interrupted {
            place: match function {
                Some(function) => format!("{function}, called in {place}"),
                None => place,
            },
        }
    }

    #[cold]
    fn endless(&self) -> Trouble {
        Trouble::Stop(Box::new(Stop::Endless {
            place: self.place(),
        }))
    }
}

/// An exception at the current instruction.
pub(super) fn fail(raise: Raise) -> Trouble {
    Trouble::Raise(Box::new(Thrown {
        class: raise.class,
        reason: raise.reason,
        origin: Origin::Here,
    }))
}

/// What comes after a call of a native function, or is to be done before any other.
#[derive(Clone, Copy, Debug)]
pub(super) enum After {
    /// The next instruction.
    Next,
    /// The frame, of this size, is dropped, and its function returns.
    Return { frame: u16 },
}
