//! Stack traces.
//!
//! A handler gets a trace as a tuple: the class, the list of calls that are already complete, and then
//! a module and an instruction for each further call. Only `build_stacktrace` looks up lines.

use super::exception::{Origin, Thrown, class_named};
use super::run::Runner;
use crate::bits;
use crate::code::{Address, Mfa};
use crate::raise::Class;
use crate::term::{Atom, Map, Term};

/// The maximum number of calls in a trace, as in the real machine.
const DEPTH_MAX: usize = 8;

/// Modules that are built into the real machine, whose traces have no lines for them.
const PRELOADED: &[&str] = &[
    "atomics",
    "counters",
    "erl_init",
    "erl_prim_loader",
    "erl_tracer",
    "erlang",
    "erts_code_purger",
    "erts_dirty_process_signal_handler",
    "erts_internal",
    "erts_literal_area_collector",
    "erts_trace_cleaner",
    "init",
    "persistent_term",
    "prim_buffer",
    "prim_eval",
    "prim_file",
    "prim_inet",
    "prim_net",
    "prim_socket",
    "prim_zip",
    "socket_registry",
    "zlib",
];

impl Runner<'_> {
    /// The trace of an exception, in the form that handlers get.
    pub(super) fn trace(&self, thrown: &Thrown) -> Term {
        let class = Term::from(thrown.class.atom());
        let here = self.here();
        let (complete, first) = match &thrown.origin {
            Origin::Here => (Term::Nil, here),
            Origin::NoClause => {
                let function = here.and_then(|here| self.function(here));
                let arity = function.map_or(0, |mfa| mfa.arity.min(255) as usize);
                let arguments = Term::list(self.x[..arity].iter().map(bits::seen));
                (self.full_calls(function, Some(arguments), here, None), None)
            }
            Origin::Explicit { arguments, info } => {
                let function = here.and_then(|here| self.function(here));
                let complete = self.full_calls(function, arguments.clone(), here, info.clone());
                (complete, None)
            }
            Origin::Native { mfa, arguments } => {
                let info = error_module(mfa.module).map(|module| {
                    let entry = (Term::from(Atom::MODULE), Term::atom(module));
                    Term::Map(Map::from_iter([entry]))
                });
                (
                    self.full_calls(Some(*mfa), Some(arguments.clone()), None, info),
                    here,
                )
            }
            Origin::Undefined { mfa, arguments } => (
                self.full_calls(Some(*mfa), Some(arguments.clone()), None, None),
                None,
            ),
            Origin::Given(list) => return Term::tuple([class, list.clone()]),
            Origin::Again(trace) => {
                let rest = match trace {
                    Term::Tuple(tuple) => tuple.get(1..).unwrap_or(&[]),
                    _ => &[],
                };
                return Term::tuple(std::iter::once(class).chain(rest.iter().cloned()));
            }
        };
        let complete = Term::list_onto(
            complete.elements().cloned().collect::<Vec<_>>(),
            self.entry(),
        );
        let mut trace = vec![class, complete];
        let complete = trace[1].elements().count();
        let mut add = |address: Address| {
            trace.push(address.module.into());
            trace.push(Term::Int(address.pc.into()));
        };
        first.into_iter().for_each(&mut add);
        let left = DEPTH_MAX - complete - usize::from(first.is_some());
        // Repeated calls from the same address appear once, as in the real machine.
        let mut previous = None;
        let calls = self.process.stack.calls();
        calls
            .filter(|&address| previous.replace(address) != Some(address))
            .filter(|&address| self.function(address).is_some())
            .take(left)
            .for_each(add);
        Term::tuple(trace)
    }

    /// The current stack trace.
    pub(super) fn calls(&self) -> Term {
        let trace = self.trace(&Thrown {
            class: Class::Error,
            reason: Term::Nil,
            origin: Origin::Here,
        });
        self.build_stacktrace(&trace)
    }

    /// The initial function, for a process that was started with `apply` and has called nothing yet.
    fn entry(&self) -> Term {
        let initial = self.process.initial;
        let begins = self.code.functions.is_empty() && self.process.stack.frame() == 0;
        if begins && initial.module == Atom::ERLANG && initial.name == Atom::APPLY {
            Term::list([self.call_at(Some(initial), None, None, None)])
        } else {
            Term::Nil
        }
    }

    /// The current instruction.
    fn here(&self) -> Option<Address> {
        let here = Address {
            module: self.code.name,
            pc: self.pc.checked_sub(1)?,
        };
        self.function(here).is_some().then_some(here)
    }

    /// The stack trace as an Erlang list.
    pub(super) fn build_stacktrace(&self, trace: &Term) -> Term {
        let Term::Tuple(tuple) = trace else {
            // It is already a list.
            return trace.clone();
        };
        let [_, complete, addresses @ ..] = &***tuple else {
            return Term::Nil;
        };
        let (addresses, _) = addresses.as_chunks();
        let calls = addresses.iter().map(|address| match address {
            [Term::Atom(module), Term::Int(pc)] => {
                let address = Address {
                    module: *module,
                    pc: *pc as u32,
                };
                self.call_at(self.function(address), None, Some(address), None)
            }
            _ => Term::Nil,
        });
        let calls = Term::list(calls);
        Term::list_onto(complete.elements().cloned().collect::<Vec<_>>(), calls)
    }

    /// The function that contains an instruction.
    fn function(&self, address: Address) -> Option<Mfa> {
        let code = self.library.code(address.module).ok()?;
        Some(code.function_at(address.pc)?.mfa)
    }

    /// A list with the call of this function, or an empty list if the function is unknown.
    fn full_calls(
        &self,
        function: Option<Mfa>,
        arguments: Option<Term>,
        address: Option<Address>,
        info: Option<Term>,
    ) -> Term {
        match function {
            Some(_) => Term::list([self.call_at(function, arguments, address, info)]),
            None => Term::Nil,
        }
    }

    /// `{Module, Function, Arity or arguments, Information}`.
    fn call_at(
        &self,
        function: Option<Mfa>,
        arguments: Option<Term>,
        address: Option<Address>,
        info: Option<Term>,
    ) -> Term {
        let Some(mfa) = function else {
            return Term::Nil;
        };
        let mut facts = Vec::new();
        if let Some(address) = address
            && !PRELOADED.contains(&address.module.name())
            && let Ok(code) = self.library.code(address.module)
            && let Some(location) = code.location_at(address.pc)
        {
            let file = location.file.chars();
            let file = file
                .map(|c| Term::Int(i64::from(u32::from(c))))
                .collect::<Vec<_>>();
            facts.push(Term::tuple([Atom::FILE.into(), Term::list(file)]));
            let line = Term::Int(location.line.into());
            facts.push(Term::tuple([Atom::LINE.into(), line]));
        }
        facts.extend(info.map(|info| Term::tuple([Atom::ERROR_INFO.into(), info])));
        Term::tuple([
            mfa.module.into(),
            mfa.name.into(),
            arguments.unwrap_or_else(|| Term::Int(mfa.arity.into())),
            Term::list(facts),
        ])
    }

    /// The current location, for messages to people.
    pub(super) fn place(&self) -> String {
        self.place_from(self.here())
    }

    /// The location of the call of the current function.
    pub(super) fn caller_place(&self) -> String {
        self.place_from(None)
    }

    /// The innermost call and, if it is not in the program's own code, the innermost one that is.
    fn place_from(&self, here: Option<Address>) -> String {
        let places = || {
            let addresses = here.into_iter().chain(self.process.stack.calls());
            addresses.filter_map(|address| self.place_at(address))
        };
        let initial = self.process.initial;
        match places().next() {
            None => initial.to_string(),
            Some((place, true)) => place,
            Some((place, false)) => match places().find(|(_, is_own)| *is_own) {
                Some((own, _)) => format!("{place}, called from {own}"),
                None => format!("{place}, in the process that {initial} started"),
            },
        }
    }

    /// A location as text, and whether it is in the program's own code.
    fn place_at(&self, address: Address) -> Option<(String, bool)> {
        let code = self.library.code(address.module).ok()?;
        let function = code.function_at(address.pc)?.mfa;
        let place = match code.location_at(address.pc) {
            Some(location) => format!("{function} ({}:{})", location.file, location.line),
            None => function.to_string(),
        };
        Some((place, code.is_own))
    }
}

/// The exception class in a trace of the form that handlers get.
pub(super) fn class_of(trace: &Term) -> Option<Class> {
    let Term::Tuple(tuple) = trace else {
        return None;
    };
    match tuple.first()? {
        Term::Atom(class) => class_named(*class),
        _ => None,
    }
}

/// The module that formats errors of the native functions of a module.
fn error_module(module: Atom) -> Option<&'static str> {
    Some(match module.name() {
        "erlang" | "erts_internal" | "atomics" | "counters" | "persistent_term" => {
            "erl_erts_errors"
        }
        "binary" | "ets" | "lists" | "maps" | "math" | "re" | "unicode" => "erl_stdlib_errors",
        "os" => "erl_kernel_errors",
        _ => return None,
    })
}

/// The first calls of a list, up to the maximum length of a trace. Calls without location info get an
/// empty list.
pub(super) fn given(list: &Term) -> Term {
    let call = |call: &Term| match call {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Fun(_), _] | [Term::Atom(_), _, _] => {
                Term::tuple(tuple.iter().cloned().chain([Term::Nil]))
            }
            _ => call.clone(),
        },
        _ => call.clone(),
    };
    Term::list(
        list.elements()
            .take(DEPTH_MAX)
            .map(call)
            .collect::<Vec<_>>(),
    )
}
