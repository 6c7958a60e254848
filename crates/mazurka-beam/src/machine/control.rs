//! Native functions that change the control flow of the process.

use super::exception::{Origin, Thrown, class_named};
use super::native::{Control, Row, row};
use super::process::{Call, State};
use super::receive::Input;
use super::run::{After, LoopExit, Run, Runner};
use super::{Constraint, Native, Stop, Unsupported, info, trace};
use crate::bif;
use crate::code::{Address, Mfa};
use crate::raise::{Class, Raise};
use crate::term::{Atom, Term};

const TABLE: &[Row<Control>] = &[
    ("erlang", "apply", 2, Control::ApplyFun),
    ("erlang", "apply", 3, Control::Apply),
    ("erlang", "hibernate", 3, Control::Hibernate),
    ("erlang", "error", 2, Control::Error),
    ("erlang", "error", 3, Control::Error),
    ("erlang", "raise", 3, Control::Raise),
    ("erlang", "nif_error", 1, Control::Missing),
    ("erlang", "nif_error", 2, Control::Missing),
    ("erlang", "halt", 0, Control::Halt),
    ("erlang", "halt", 1, Control::Halt),
    ("erlang", "halt", 2, Control::Halt),
    ("init", "stop", 0, Control::Halt),
    ("init", "stop", 1, Control::Halt),
    ("mazurka_eunit", "not_modelled", 3, Control::NotModelled),
    ("erlang", "process_info", 1, Control::ProcessInfo),
    ("erlang", "process_info", 2, Control::ProcessInfo),
    ("unicode", "characters_to_binary", 2, Control::Characters),
    ("unicode", "characters_to_list", 2, Control::Characters),
];

/// Looks up a function by name and arity.
pub(super) fn find(mfa: Mfa) -> Option<Control> {
    row(TABLE, mfa)
}

impl Runner<'_> {
    pub(super) fn control(&mut self, control: Control, mfa: Mfa, after: After) -> Run {
        match control {
            Control::ApplyFun => self.apply_fun(mfa, after),
            Control::Apply => {
                let (Term::Atom(module), Term::Atom(name)) = (&self.x[0], &self.x[1]) else {
                    let [module, name, arguments, ..] = &*self.x;
                    let arguments = [module.clone(), name.clone(), arguments.clone()];
                    return Err(self.apply_failed(arguments));
                };
                let (module, name, arguments) = (*module, *name, self.x[2].clone());
                self.apply_list(module, name, &arguments, after)
            }
            Control::Hibernate => self.hibernate(mfa),
            Control::Error => Err(self.error(mfa.arity)),
            Control::Raise => self.raise(after),
            Control::Missing => Err(self.missing()),
            Control::NotModelled => Err(self.not_modelled()),
            Control::Characters => self.characters(mfa, after),
            Control::ProcessInfo => self.process_info(mfa, after),
            Control::Halt => self.halt(mfa),
        }
    }

    /// Ends the whole machine. The process stays where it is.
    fn halt(&mut self, mfa: Mfa) -> Run {
        let status = match mfa.arity {
            0 => Term::Int(0),
            _ => self.x[0].clone(),
        };
        let is_text = matches!(&status, Term::Nil | Term::Cons(_));
        let is_abort = matches!(&status, Term::Atom(name) if name.name() == "abort");
        if !is_text && !is_abort && !matches!(status, Term::Int(0..)) {
            let arguments = self.x[..mfa.arity as usize].to_vec();
            return Err(self.native_failed(mfa, &arguments, Raise::badarg()));
        }
        self.process.state = State::Receive {
            at: Address {
                module: self.code.name,
                pc: self.pc.saturating_sub(1),
            },
            timeout_ms: 0,
        };
        Err(LoopExit::Stop(Box::new(Stop::Halt { status })))
    }

    fn apply_fun(&mut self, mfa: Mfa, after: After) -> Run {
        let (fun, arguments) = (self.x[0].clone(), self.x[1].clone());
        match self.spread(&arguments) {
            Some(arity) => self.call_fun(&fun, arity as u8, after),
            None => Err(self.native_failed(mfa, &[fun, arguments], Raise::badarg())),
        }
    }

    /// Drops the stack and waits for a message, which stays in the mailbox.
    fn hibernate(&mut self, mfa: Mfa) -> Run {
        let [module, name, arguments, ..] = &*self.x;
        let (Term::Atom(module_name), Term::Atom(function)) = (module, name) else {
            let arguments = [module.clone(), name.clone(), arguments.clone()];
            return Err(self.native_failed(mfa, &arguments, Raise::badarg()));
        };
        let (module, name, arguments) = (*module_name, *function, arguments.clone());
        if !is_proper(&arguments) {
            let arguments = [module.into(), name.into(), arguments];
            return Err(self.native_failed(mfa, &arguments, Raise::badarg()));
        }
        if self.tests {
            let stop = self.unsupported(&format!("{mfa} in the tests of a receive"));
            return Err(LoopExit::Stop(Box::new(stop)));
        }
        self.process.stack.clear();
        self.process.handlers.clear();
        self.process.state = State::Hibernating(Box::new(Call {
            module,
            name,
            arguments,
        }));
        Err(LoopExit::Stop(Box::new(Stop::Receive {
            constraint: Constraint::Anything(self.process.filter()),
            timeout_ms: None,
        })))
    }

    /// Resumes a hibernating process after a message arrived. No other message is before it in the
    /// mailbox, so the process can store it until it receives it.
    pub(super) fn wake_up(&mut self, call: Call, input: Input) -> Stop {
        if let Input::Message(message) = input {
            self.process.replies.insert(0, message);
        }
        let Call {
            module,
            name,
            arguments,
        } = call;
        match self.apply_list(module, name, &arguments, After::Return { frame: 0 }) {
            Ok(()) => self.go(),
            Err(exit) => self.settle(exit).unwrap_or_else(|| self.go()),
        }
    }

    /// `erlang:error(Reason, Arguments)` and `erlang:error(Reason, Arguments, Options)`.
    fn error(&self, arity: u32) -> LoopExit {
        let arguments = Some(&self.x[1]).filter(|term| is_proper(term)).cloned();
        let info = (arity == 3).then(|| error_info(&self.x[2])).flatten();
        LoopExit::Raise(Box::new(Thrown {
            class: Class::Error,
            reason: self.x[0].clone(),
            origin: Origin::Explicit { arguments, info },
        }))
    }

    /// `erlang:raise(Class, Reason, Trace)`, which returns `badarg` if its arguments are invalid.
    fn raise(&mut self, after: After) -> Run {
        let class = match &self.x[0] {
            Term::Atom(class) => class_named(*class),
            _ => None,
        };
        let list = &self.x[2];
        let Some(class) = class.filter(|_| is_stacktrace(list)) else {
            return self.finish(Atom::BADARG.into(), after);
        };
        Err(LoopExit::Raise(Box::new(Thrown {
            class,
            reason: self.x[1].clone(),
            origin: Origin::Given(trace::given(list)),
        })))
    }

    /// Handled here because the calls of the current process are on its stack.
    fn process_info(&mut self, mfa: Mfa, after: After) -> Run {
        let arguments = self.x[..mfa.arity as usize].to_vec();
        let calls = match info::needs_calls(&arguments) {
            true => self.calls(),
            false => Term::Nil,
        };
        let result = info::process_info(&mut self.context(), &arguments, calls);
        self.settle_native(result, mfa, after)
    }

    /// Native code converts UTF-8 and Latin-1; a function in Erlang converts all other encodings.
    fn characters(&mut self, mfa: Mfa, after: After) -> Run {
        let encoding = match &self.x[1] {
            Term::Atom(encoding) => encoding.name(),
            _ => "",
        };
        let native = bif::pure(mfa.module, mfa.name, mfa.arity, self.library.release());
        match native.filter(|_| matches!(encoding, "latin1" | "utf8" | "unicode")) {
            Some(native) => self.call_native(Native::Pure(native), mfa, after),
            None => {
                let name = Atom::new(&format!("{}_int", mfa.name.name()));
                self.call(Mfa { name, ..mfa }, after)
            }
        }
    }

    /// Stops because EUnit's driver found a test that it cannot run. The first registers hold a
    /// description, the module and the function of the generator.
    fn not_modelled(&self) -> LoopExit {
        let [what, module, function, ..] = &*self.x;
        let what = what.elements().filter_map(|character| match character {
            Term::Int(code) => char::from_u32(u32::try_from(*code).ok()?),
            _ => None,
        });
        LoopExit::Stop(Box::new(Stop::Unsupported(Unsupported {
            what: what.collect(),
            place: format!("{module}:{function}/0"),
            advice: "this kind of test is not supported; the tests after it did not run either; run them with EUnit",
        })))
    }

    /// Stops because the calling function should be native but is not implemented in this machine.
    fn missing(&self) -> LoopExit {
        let caller = self.code.function_at(self.pc.saturating_sub(1));
        let what = caller.map_or("erlang:nif_error".into(), |info| info.mfa.to_string());
        LoopExit::Stop(Box::new(Stop::Unsupported(Unsupported {
            what,
            place: self.caller_place(),
            advice: "this native function is not modelled; replace it in the tested code",
        })))
    }
}

/// The map in `[{error_info, Map}]`.
fn error_info(options: &Term) -> Option<Term> {
    options.elements().find_map(|option| match option {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(Atom::ERROR_INFO), map @ Term::Map(_)] => Some(map.clone()),
            _ => None,
        },
        _ => None,
    })
}

fn is_proper(list: &Term) -> bool {
    let mut elements = list.elements();
    elements.by_ref().for_each(drop);
    matches!(elements.rest(), Term::Nil)
}

/// Whether the term has the form of a stack trace, as `build_stacktrace` returns it.
fn is_stacktrace(list: &Term) -> bool {
    let is_call = |call: &Term| match call {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(_), Term::Atom(_), arity] => is_arity(arity),
            [Term::Atom(_), Term::Atom(_), arity, facts] => is_arity(arity) && is_proper(facts),
            [Term::Fun(_), arguments] => is_proper(arguments),
            [Term::Fun(_), arguments, facts] => is_proper(arguments) && is_proper(facts),
            _ => false,
        },
        _ => false,
    };
    is_proper(list) && list.elements().all(is_call)
}

fn is_arity(term: &Term) -> bool {
    matches!(term, Term::Int(0..)) || is_proper(term)
}
