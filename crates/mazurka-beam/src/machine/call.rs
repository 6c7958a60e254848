//! Calls and returns.

use super::ask::Waiting;
use super::exception::{Origin, Thrown};
use super::native::{Context, Next};
use super::process::State;
use super::run::{ARITY_MAX, After, LoopExit, Run, Runner, X_REGISTERS};
use super::stack::Damaged;
use super::{End, Native, Stop, Target, Unsupported};
use crate::code::{Address, CodeError, Mfa, Source};
use crate::ets::Request;
use crate::meter;
use crate::raise::{Class, Raise};
use crate::term::{Atom, Fun, Lambda, Term};

impl<'a> Runner<'a> {
    /// Starts a new process: calls its function.
    pub(super) fn start(&mut self, arguments: Vec<Term>) -> Stop {
        let Mfa { module, name, .. } = self.process.initial;
        let list = Term::list(arguments);
        match self.apply_list(module, name, &list, After::Return { frame: 0 }) {
            Ok(()) => self.go(),
            Err(exit) => self.settle(exit).unwrap_or_else(|| self.go()),
        }
    }

    #[inline(always)]
    pub(super) fn push_frame(&mut self) {
        self.process.stack.call(Address {
            module: self.code.name,
            pc: self.pc,
        });
    }

    /// Returns from the current function.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Run {
        match self.process.stack.leave() {
            Ok(Some(to)) => self.go_to(to.module, to.pc),
            Ok(None) => Err(LoopExit::Returned),
            Err(Damaged) => Err(self.damaged()),
        }
    }

    #[inline(always)]
    pub(super) fn go_to(&mut self, module: Atom, pc: u32) -> Run {
        if module != self.code.name {
            // The module is already loaded: code is loaded before it is called or returned to.
            self.code = match self.library.code(module) {
                Ok(code) => code,
                Err(_) => return Err(self.damaged()),
            };
        }
        self.pc = pc;
        Ok(())
    }

    /// The target of an import.
    #[inline(always)]
    pub(super) fn target(&self, import: u32) -> Run<Target> {
        let slot = &self.code.imports[import as usize];
        match slot.target.get() {
            Some(target) => Ok(*target),
            None => {
                let target = self.find(slot.mfa)?;
                Ok(*slot.target.get_or_init(|| target))
            }
        }
    }

    #[cold]
    fn find(&self, mfa: Mfa) -> Run<Target> {
        let found = Target::find(self.library, mfa);
        found.map_err(|error| self.unusable(mfa.module, error))
    }

    #[cold]
    fn unusable(&self, module: Atom, error: &CodeError) -> LoopExit {
        LoopExit::Stop(Box::new(Stop::Unsupported(Unsupported {
            what: format!("the module {} cannot be run: {error}", module.name()),
            place: self.place(),
            advice: "compile it again",
        })))
    }

    #[inline(always)]
    pub(super) fn call_external(&mut self, import: u32, after: After) -> Run {
        let target = self.target(import)?;
        if let Target::Code(address) = target {
            self.enter(address, after)
        } else {
            let mfa = self.code.imports[import as usize].mfa;
            self.call_target(target, mfa, after)
        }
    }

    #[inline(always)]
    fn enter(&mut self, address: Address, after: After) -> Run {
        self.prepare_frame(after);
        self.go_to(address.module, address.pc)
    }

    /// Adds a frame, or drops the current one for a tail call.
    #[inline(always)]
    fn prepare_frame(&mut self, after: After) {
        match after {
            After::Next => self.push_frame(),
            After::Return { frame } => self.deallocate(frame),
        }
    }

    /// Calls a function whose name is computed. Its arguments are in the first registers.
    pub(super) fn call(&mut self, mfa: Mfa, after: After) -> Run {
        let target = self.find(mfa)?;
        let after = match target {
            Target::Native(_) => self.return_first(after)?,
            Target::Code(_) | Target::Undefined => after,
        };
        self.call_target(target, mfa, after)
    }

    /// Before a tail call of a native function by name, returns from the caller, so that the caller
    /// is not in the stack trace.
    fn return_first(&mut self, after: After) -> Run<After> {
        let After::Return { frame } = after else {
            return Ok(after);
        };
        self.deallocate(frame);
        match self.process.stack.leave() {
            Ok(Some(to)) => {
                self.go_to(to.module, to.pc)?;
                Ok(After::Next)
            }
            Ok(None) => {
                self.code = self.library.nowhere();
                self.pc = 0;
                Ok(After::Return { frame: 0 })
            }
            Err(Damaged) => Err(self.damaged()),
        }
    }

    fn call_target(&mut self, target: Target, mfa: Mfa, after: After) -> Run {
        match target {
            Target::Code(address) => self.enter(address, after),
            Target::Native(native) => self.call_native(native, mfa, after),
            Target::Undefined => self.call_undefined(mfa, after),
        }
    }

    pub(super) fn call_native(&mut self, native: Native, mfa: Mfa, after: After) -> Run {
        let arity = (mfa.arity as usize).min(ARITY_MAX);
        let result = match native {
            Native::Pure(function) => function(&self.x[..arity]).map(Next::Value),
            Native::Local(function) => {
                let mut context = Context {
                    process: self.process,
                    effects: self.effects,
                    library: self.library,
                };
                function(&mut context, &self.x[..arity]).map(Next::Value)
            }
            Native::Asking(function) => {
                let mut context = Context {
                    process: self.process,
                    effects: self.effects,
                    library: self.library,
                };
                function(&mut context, &self.x[..arity])
            }
            Native::Control(control) => return self.control(control, mfa, after),
        };
        self.settle_native(result, mfa, after)
    }

    /// Handles the result of a native function whose arguments are in the registers: it returns,
    /// waits or fails.
    pub(super) fn settle_native(
        &mut self,
        result: Result<Next, Raise>,
        mfa: Mfa,
        after: After,
    ) -> Run {
        if meter::is_stopped() {
            return Err(LoopExit::Stop(Box::new(self.interrupted(Some(mfa)))));
        }
        let arity = (mfa.arity as usize).min(ARITY_MAX);
        self.record_places();
        match result {
            Ok(Next::Value(value)) => self.finish(value, after),
            Ok(next) => {
                let arguments = self.x[..arity].to_vec();
                self.proceed(next, mfa, arguments, after)
            }
            Err(raise) => {
                let arguments = self.x[..arity].to_vec();
                Err(self.native_failed(mfa, &arguments, raise))
            }
        }
    }

    /// Records the source locations of the newest effects.
    #[inline]
    pub(super) fn record_places(&mut self) {
        while self.places.len() < self.effects.len() {
            let here = Address {
                module: self.code.name,
                pc: self.pc.saturating_sub(1),
            };
            let place = self.process.own_place(self.library, here);
            self.places.push(place);
        }
    }

    /// The instruction `send`: the receiver and the message are in the first registers.
    pub(super) fn send(&mut self) -> Run {
        let mfa = Mfa {
            module: Atom::ERLANG,
            name: Atom::SEND,
            arity: 2,
        };
        self.call_native(Native::Asking(super::ask::send), mfa, After::Next)
    }

    /// Continues after a native function: it returns, waits, or ends the process.
    pub(super) fn proceed(
        &mut self,
        next: Next,
        mfa: Mfa,
        arguments: Vec<Term>,
        after: After,
    ) -> Run {
        let (stop, pending) = match next {
            Next::Value(value) => return self.finish(value, after),
            Next::End(reason) => {
                return Err(LoopExit::Stop(Box::new(Stop::Exit(End::Struck { reason }))));
            }
            Next::Unsupported(what) => {
                return Err(LoopExit::Stop(Box::new(self.unsupported(&what))));
            }
            Next::Liveness(operation, pending) => (Stop::Liveness(operation), pending),
            Next::Ask(operation, pending) => (Stop::Ask(operation), pending),
            Next::Names(pending) => (Stop::Names, pending),
            Next::Table(what, pending) => {
                let by = self.process.pid;
                (Stop::Table(Request { by, what }), pending)
            }
            Next::Receive {
                constraint,
                timeout_ms,
                pending,
            } => (
                Stop::Receive {
                    constraint,
                    timeout_ms,
                },
                pending,
            ),
        };
        if self.tests {
            let stop = self.unsupported(&format!("{mfa} in the tests of a receive"));
            return Err(LoopExit::Stop(Box::new(stop)));
        }
        self.process.state = State::Native(Box::new(Waiting {
            at: Address {
                module: self.code.name,
                pc: self.pc,
            },
            pending,
            mfa,
            arguments,
            after,
        }));
        Err(LoopExit::Stop(Box::new(stop)))
    }

    /// Returns from a native function.
    pub(super) fn finish(&mut self, value: Term, after: After) -> Run {
        self.x[0] = value;
        match after {
            After::Next => Ok(()),
            After::Return { frame } => {
                self.deallocate(frame);
                self.leave()
            }
        }
    }

    pub(super) fn context(&mut self) -> Context<'_> {
        Context {
            process: self.process,
            effects: self.effects,
            library: self.library,
        }
    }

    /// Calls a function that does not exist. Its module may define `$handle_undefined_function`.
    #[cold]
    fn call_undefined(&mut self, mfa: Mfa, after: After) -> Run {
        let arguments = Term::list(self.x[..mfa.arity as usize].iter().cloned());
        let substitute = match self.library.code(mfa.module) {
            Ok(code) => code.export(Atom::new("$handle_undefined_function"), 2),
            Err(_) => None,
        };
        if let Some(Target::Code(address)) = substitute {
            self.x[0] = mfa.name.into();
            self.x[1] = arguments;
            return self.enter(address, after);
        }
        // The real machine calls its error handler here, so the caller has a frame as for any other
        // call.
        self.prepare_frame(after);
        Err(LoopExit::Raise(Box::new(Thrown {
            class: Class::Error,
            reason: Atom::UNDEF.into(),
            origin: Origin::Undefined { mfa, arguments },
        })))
    }

    /// The instruction `apply`: the module and the function come after the arguments.
    pub(super) fn apply(&mut self, arity: u8, after: After) -> Run {
        let count = usize::from(arity);
        let (module, name) = (self.x[count].clone(), self.x[count + 1].clone());
        match (&module, &name) {
            (Term::Atom(module), Term::Atom(name)) => {
                let mfa = Mfa {
                    module: *module,
                    name: *name,
                    arity: arity.into(),
                };
                self.call(mfa, after)
            }
            _ => {
                let arguments = Term::list(self.x[..count].iter().cloned());
                Err(self.apply_failed([module, name, arguments]))
            }
        }
    }

    #[cold]
    pub(super) fn apply_failed(&self, arguments: [Term; 3]) -> LoopExit {
        let mfa = Mfa {
            module: Atom::ERLANG,
            name: Atom::APPLY,
            arity: 3,
        };
        self.native_failed(mfa, &arguments, Raise::badarg())
    }

    /// Calls a function with a list of arguments.
    pub(super) fn apply_list(
        &mut self,
        module: Atom,
        name: Atom,
        arguments: &Term,
        after: After,
    ) -> Run {
        match self.spread(arguments) {
            Some(arity) => {
                let mfa = Mfa {
                    module,
                    name,
                    arity,
                };
                self.call(mfa, after)
            }
            None => Err(self.apply_failed([module.into(), name.into(), arguments.clone()])),
        }
    }

    /// Writes the elements of a list to the first registers. Returns their number, or `None` if the
    /// term is not a proper list or is too long.
    pub(super) fn spread(&mut self, list: &Term) -> Option<u32> {
        let mut elements = list.elements();
        let mut count = 0;
        for element in elements.by_ref().take(ARITY_MAX) {
            self.x[count] = element.clone();
            count += 1;
        }
        matches!(elements.rest(), Term::Nil).then_some(count as u32)
    }

    /// Calls a fun with its arguments in the first registers.
    pub(super) fn call_fun(&mut self, fun: &Term, arity: u8, after: After) -> Run {
        let count = usize::from(arity);
        let Term::Fun(shared) = fun else {
            return Err(self.not_called(Atom::BADFUN, fun.clone(), after));
        };
        if shared.arity() != u32::from(arity) {
            let arguments = Term::list(self.x[..count].iter().cloned());
            let reason = Term::tuple([fun.clone(), arguments]);
            return Err(self.not_called(Atom::BADARITY, reason, after));
        }
        match &**shared {
            &Fun::Export {
                module,
                name,
                arity,
            } => self.call(
                Mfa {
                    module,
                    name,
                    arity,
                },
                after,
            ),
            Fun::Local(lambda) => self.call_lambda(fun, lambda, count, after),
        }
    }

    /// Raises the exception for a fun that cannot be called. The real machine has already added a
    /// frame at this point, so the caller appears twice in traces.
    #[cold]
    fn not_called(&mut self, name: Atom, reason: Term, after: After) -> LoopExit {
        self.prepare_frame(after);
        super::run::fail(Raise::error_with(name, reason))
    }

    fn call_lambda(&mut self, fun: &Term, lambda: &Lambda, count: usize, after: After) -> Run {
        let code = if lambda.module == self.code.name {
            self.code
        } else {
            match self.library.code(lambda.module) {
                Ok(code) => code,
                Err(_) => return Err(self.not_called(Atom::BADFUN, fun.clone(), after)),
            }
        };
        let entry = code.lambdas.get(lambda.index as usize).filter(|entry| {
            entry.unique == lambda.unique && entry.free as usize == lambda.environment.len()
        });
        let Some(entry) = entry else {
            return Err(self.not_called(Atom::BADFUN, fun.clone(), after));
        };
        for (x, value) in self.x[count..X_REGISTERS]
            .iter_mut()
            .zip(&lambda.environment)
        {
            *x = value.clone();
        }
        self.prepare_frame(after);
        self.code = code;
        self.pc = entry.entry;
        Ok(())
    }

    pub(super) fn make_fun(&self, number: u32, environment: &[Source]) -> Term {
        let entry = &self.code.lambdas[number as usize];
        Term::fun(Fun::Local(Lambda {
            module: self.code.name,
            index: number,
            unique: entry.unique,
            arity: entry.arity,
            environment: environment
                .iter()
                .map(|&from| self.get(from).clone())
                .collect(),
        }))
    }
}
