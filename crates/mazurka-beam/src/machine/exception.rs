//! Raising and catching exceptions.

use super::process::Handler;
use super::run::{LoopExit, Run, Runner, fail};
use super::{End, Stop, trace};
use crate::code::{Mfa, Register, Source};
use crate::raise::{Class, Raise};
use crate::term::{Atom, Term};

/// An exception that was raised and not caught yet.
#[derive(Debug)]
pub(super) struct Thrown {
    pub class: Class,
    pub reason: Term,
    pub origin: Origin,
}

/// The origin of an exception, which determines the first entry of its stack trace.
#[derive(Debug)]
pub(super) enum Origin {
    /// The current instruction.
    Here,
    /// The current function: no clause matches its arguments.
    NoClause,
    /// The current function, which passed its arguments and error info explicitly.
    Explicit {
        arguments: Option<Term>,
        info: Option<Term>,
    },
    /// A native function.
    Native { mfa: Mfa, arguments: Term },
    /// A function that does not exist.
    Undefined { mfa: Mfa, arguments: Term },
    /// The exception is raised with this list of calls.
    Given(Term),
    /// The exception is raised again with this trace, in the form that handlers get.
    Again(Term),
}

impl Runner<'_> {
    /// Jumps to the innermost handler. If there is none, the process ends.
    pub(super) fn unwind(&mut self, thrown: Thrown) -> Option<Stop> {
        let trace = self.trace(&thrown);
        let Some(handler) = self.process.handlers.pop() else {
            return Some(Stop::Exit(End::Raised {
                class: thrown.class,
                reason: thrown.reason,
                trace: self.build_stacktrace(&trace),
            }));
        };
        self.process.stack.unwind(handler.frame);
        self.x[0] = thrown.class.atom().into();
        self.x[1] = thrown.reason;
        self.x[2] = trace;
        match self.go_to(handler.module, handler.pc) {
            Ok(()) => None,
            Err(exit) => self.settle(exit),
        }
    }

    pub(super) fn push_handler(&mut self, y: u16, pc: u32) {
        let slot = self.process.stack.slot(y);
        self.process.handlers.push(Handler {
            module: self.code.name,
            pc,
            frame: self.process.stack.frame(),
            slot,
        });
        self.put(Register::Y(y), Term::Nil);
    }

    fn is_active(&self, y: u16) -> bool {
        let slot = self.process.stack.slot(y);
        let frame = self.process.stack.frame();
        let handler = self.process.handlers.last();
        handler.is_some_and(|handler| handler.slot == slot && handler.frame == frame)
    }

    /// Whether the current function handles exceptions itself.
    pub(super) fn is_handled_here(&self) -> bool {
        let frame = self.process.stack.frame();
        let handler = self.process.handlers.last();
        handler.is_some_and(|handler| handler.frame == frame)
    }

    pub(super) fn pop_handler(&mut self, y: u16) -> Run {
        if !self.is_active(y) {
            return Err(self.damaged());
        }
        self.process.handlers.pop();
        self.put(Register::Y(y), Term::Nil);
        Ok(())
    }

    /// Ends a `catch`. Its handler is still active if nothing was raised.
    pub(super) fn catch_end(&mut self, y: u16) {
        if self.is_active(y) {
            self.process.handlers.pop();
        } else {
            let reason = std::mem::replace(&mut self.x[1], Term::Nil);
            self.x[0] = match &self.x[0] {
                Term::Atom(Atom::THROW) => reason,
                Term::Atom(Atom::ERROR) => {
                    let stack = self.build_stacktrace(&self.x[2]);
                    let reason = Term::tuple([reason, stack]);
                    Term::tuple([Atom::EXIT_TAG.into(), reason])
                }
                _ => Term::tuple([Atom::EXIT_TAG.into(), reason]),
            };
            self.x[2] = Term::Nil;
        }
        self.put(Register::Y(y), Term::Nil);
    }

    /// The instruction `raise`: the class is in the trace.
    pub(super) fn raise_again(&self, trace: Source, reason: Source) -> LoopExit {
        let trace = self.get(trace).clone();
        LoopExit::Raise(Box::new(Thrown {
            class: trace::class_of(&trace).unwrap_or(Class::Error),
            reason: self.get(reason).clone(),
            origin: Origin::Again(trace),
        }))
    }

    /// The instruction `raw_raise`: class, reason and trace are in the first registers.
    pub(super) fn raw_raise(&mut self) -> Run {
        let class = match &self.x[0] {
            Term::Atom(class) => class_named(*class),
            _ => None,
        };
        let Some(class) = class else {
            self.x[0] = Atom::BADARG.into();
            return Ok(());
        };
        Err(LoopExit::Raise(Box::new(Thrown {
            class,
            reason: self.x[1].clone(),
            origin: Origin::Again(self.x[2].clone()),
        })))
    }

    #[cold]
    pub(super) fn no_function_clause(&self) -> LoopExit {
        LoopExit::Raise(Box::new(Thrown {
            class: Class::Error,
            reason: Atom::FUNCTION_CLAUSE.into(),
            origin: Origin::NoClause,
        }))
    }

    /// A native function raised an exception.
    #[cold]
    pub(super) fn native_failed(&self, mfa: Mfa, arguments: &[Term], raise: Raise) -> LoopExit {
        // Functions whose purpose is to raise exceptions do not appear in traces.
        let raises = mfa.module == Atom::ERLANG
            && mfa.arity == 1
            && matches!(mfa.name, Atom::ERROR | Atom::EXIT | Atom::THROW);
        if raises {
            return fail(raise);
        }
        let arguments = Term::list(arguments.iter().cloned());
        LoopExit::Raise(Box::new(Thrown {
            class: raise.class,
            reason: raise.reason,
            origin: Origin::Native { mfa, arguments },
        }))
    }
}

/// The exception class with this name.
pub(super) fn class_named(name: Atom) -> Option<Class> {
    match name {
        Atom::ERROR => Some(Class::Error),
        Atom::EXIT => Some(Class::Exit),
        Atom::THROW => Some(Class::Throw),
        _ => None,
    }
}
