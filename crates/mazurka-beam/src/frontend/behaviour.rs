//! Processes that run one of OTP's behaviours: which, and with which callback module.

use std::fmt;

use crate::machine::Start;
use crate::term::{Atom, Term};

/// A process that runs a behaviour.
pub(super) struct Behaviour<'s> {
    /// `gen_server`, `supervisor`, …
    kind: Atom,
    /// The callback module, if the behaviour has one.
    pub module: Option<Atom>,
    /// The name given at the start.
    name: Option<&'s Term>,
}

impl<'s> Behaviour<'s> {
    /// The behaviour that a process starts with: `gen:init_it/6`, or `gen:init_it/7` with a name.
    pub fn of(start: &'s Start) -> Option<Behaviour<'s>> {
        let (module, name) = (start.module.name(), start.name.name());
        let [_, _, Term::Atom(gen_module), Term::Atom(init), list] = &start.arguments[..] else {
            return None;
        };
        let starts_behaviour = (module, name) == ("proc_lib", "init_p")
            && (gen_module.name(), init.name()) == ("gen", "init_it");
        if !starts_behaviour {
            return None;
        }
        let arguments: Vec<&Term> = list.elements().collect();
        let (kind, name, module, argument) = match arguments[..] {
            [Term::Atom(kind), _, _, Term::Atom(module), argument, _] => {
                (*kind, None, *module, argument)
            }
            [
                Term::Atom(kind),
                _,
                _,
                name,
                Term::Atom(module),
                argument,
                _,
            ] => (*kind, given_name(name), *module, argument),
            _ => return None,
        };
        let (kind, module) = match (kind.name(), module.name(), argument) {
            ("gen_event", ..) => (kind, None),
            ("gen_server", "supervisor", Term::Tuple(parts)) => match &***parts {
                [_, Term::Atom(callback), _] => (module, Some(*callback)),
                _ => (module, None),
            },
            ("gen_server", "supervisor_bridge", list) => match list.elements().next() {
                Some(Term::Atom(callback)) => (module, Some(*callback)),
                _ => (module, None),
            },
            _ => (kind, Some(module)),
        };
        Some(Behaviour { kind, module, name })
    }

    /// The name of a process that is registered under `name`: `counter (gen_server cnt)`, or
    /// `cnt (gen_server)` if that is the callback module.
    pub fn registered(&self, name: &str) -> String {
        match self.module.map(Atom::name) {
            Some(module) if module != name => format!("{name} ({} {module})", self.kind.name()),
            _ => format!("{name} ({})", self.kind.name()),
        }
    }
}

/// The name in `{local, Name}`, `{global, Name}` and `{via, Module, Name}`.
fn given_name(name: &Term) -> Option<&Term> {
    let Term::Tuple(parts) = name else {
        return None;
    };
    match &***parts {
        [Term::Atom(table), name] if matches!(table.name(), "local" | "global") => Some(name),
        [Term::Atom(table), _, name] if table.name() == "via" => Some(name),
        _ => None,
    }
}

impl fmt::Display for Behaviour<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.name();
        match (self.name, self.module) {
            (Some(name), _) => f.write_str(&self.registered(&super::show::term(name))),
            (None, Some(module)) => write!(f, "{} ({kind})", module.name()),
            (None, None) => f.write_str(kind),
        }
    }
}
