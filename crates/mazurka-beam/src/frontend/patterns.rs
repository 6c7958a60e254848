//! Patterns that name processes on the command line.

use std::fmt;

use mazurka_engine::Fault;

use super::{Program, Rules, show};
use crate::code::{Address, Library, Mfa};
use crate::machine::{Process, Start};
use crate::objects::{Known, Learned};
use crate::term::{Atom, PidTerm, Term};

/// Which processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every child of an OTP supervisor.
    Supervised,
    /// Those with this registered name, and those that run this module: that of the function they
    /// were started with or, for OTP's behaviours, the callback module.
    Word(String),
    /// Those started with this function, or with a fun that it made.
    Function(Mfa),
}

impl Pattern {
    /// Whether a process that has run to its first stop matches.
    fn matches(&self, library: &Library, known: &Known, start: &Start, process: &Process) -> bool {
        let initial_call = initial_call(process);
        match self {
            Pattern::Supervised => known.is_supervised(process.pid),
            Pattern::Function(function) => {
                *function == start.mfa()
                    || *function == show::role(library, start).0
                    || initial_call == Some(*function)
            }
            Pattern::Word(word) => {
                let is_module = |mfa: Mfa| mfa.module.name() == word;
                // A supervisor has {supervisor, Callback, 1}.
                let is_callback = |mfa: Mfa| {
                    is_module(mfa) || mfa.module.name() == SUPERVISOR && mfa.name.name() == word
                };
                is_module(start.mfa())
                    || is_module(show::role(library, start).0)
                    || initial_call.is_some_and(is_callback)
                    || known.is_named(process.pid, Atom::new(word))
            }
        }
    }

    /// Whether this is a name that a process registers.
    fn is_name(&self, name: Atom) -> bool {
        matches!(self, Pattern::Word(word) if name.name() == word)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Supervised => f.write_str("supervised"),
            Pattern::Word(word) => f.write_str(word),
            Pattern::Function(function) => write!(f, "{function}"),
        }
    }
}

impl Program {
    /// Marks a process that has run to its first stop: whether it may be killed, and whether it is
    /// ignored.
    pub(super) fn mark(&self, start: &Start, process: &mut Process) {
        let rules = &self.0.rules;
        let has_patterns = !rules.kills.victims.is_empty() || !rules.ignored.is_empty();
        if !has_patterns || process.is_timer() {
            return;
        }
        let known = self.0.known.borrow();
        let is_one = |patterns: &[Pattern]| {
            { patterns.iter() }
                .any(|pattern| pattern.matches(self.library(), &known, start, process))
        };
        let (may_be_killed, is_ignored) = (is_one(&rules.kills.victims), is_one(&rules.ignored));
        process.may_be_killed = may_be_killed;
        process.is_ignored = is_ignored;
    }

    /// Marks a process that has registered itself under a name.
    pub(super) fn mark_named(&self, name: Atom, process: &mut Process) {
        let rules = &self.0.rules;
        let is_one = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_name(name));
        process.may_be_killed |= is_one(&rules.kills.victims);
        process.is_ignored |= is_one(&rules.ignored);
    }

    /// Records that a process starts another one: patterns name the children of supervisors.
    pub(super) fn note_child(&self, parent: &Process, child: PidTerm) {
        let Rules { kills, ignored, .. } = &self.0.rules;
        let mut patterns = kills.victims.iter().chain(ignored);
        if patterns.any(|pattern| *pattern == Pattern::Supervised) && is_supervisor(parent) {
            self.0.known.borrow_mut().add_supervised(child);
        }
    }

    /// Records that a process requests a name for a process. Returns the name if a pattern has it and
    /// the process requests it for itself.
    pub(super) fn note_name(
        &self,
        process: &Process,
        name: &Term,
        pid: PidTerm,
    ) -> Result<Option<Atom>, Fault> {
        let Rules { kills, ignored, .. } = &self.0.rules;
        let mut patterns = kills.victims.iter().chain(ignored);
        match name {
            Term::Atom(name) if patterns.any(|pattern| pattern.is_name(*name)) => {
                if pid == process.pid {
                    return Ok(Some(*name));
                }
                match self.0.known.borrow_mut().add_named(pid, *name) {
                    Learned::MissingKey => Err(Fault::Again),
                    Learned::Nothing => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether the timeout of the receive at which a process waits is one that waits until nothing else
    /// can happen: the receive is in one of those modules, or is called from one.
    pub(super) fn is_patient(&self, process: &Process) -> bool {
        let modules = &self.0.rules.patient;
        let is_one = |at: Address| modules.iter().any(|module| at.module.name() == module);
        !modules.is_empty()
            && (process.receive_place().is_some_and(is_one)
                || process.place(self.library()).is_some_and(is_one))
    }
}

const SUPERVISOR: &str = "supervisor";

/// The function that `proc_lib` records for a process: `{Module, init, 1}` for a `gen_server`.
fn initial_call(process: &Process) -> Option<Mfa> {
    let call = process.dictionary.get(&Term::atom("$initial_call"))?;
    let Term::Tuple(call) = call else { return None };
    match &***call {
        [Term::Atom(module), Term::Atom(name), Term::Int(arity)] => Some(Mfa {
            module: *module,
            name: *name,
            arity: u32::try_from(*arity).ok()?,
        }),
        _ => None,
    }
}

/// Whether a process runs OTP's `supervisor`.
fn is_supervisor(process: &Process) -> bool {
    initial_call(process).is_some_and(|mfa| mfa.module.name() == SUPERVISOR)
}
