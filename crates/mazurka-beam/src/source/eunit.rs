//! EUnit's test generators. A driver in Erlang runs their tests, compiled by the user's compiler.

use std::fs;
use std::path::Path;

use super::SourceError;
use super::compile::compile;
use crate::code::{Library, Mfa};
use crate::machine::{Effect, End, Machine, Process, Start, Stop};
use crate::term::{Atom, PidTerm, Term};

/// The module that runs generators.
const DRIVER: &str = "mazurka_eunit";
const DRIVER_SOURCE: &str = include_str!("mazurka_eunit.erl");

/// A function that describes tests, or the part of one that can be run apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The module.
    pub module: Atom,
    /// The function, which has no arguments.
    pub function: Atom,
    /// Number of the part, from 1; all tests without one.
    pub part: Option<u32>,
}

impl Generator {
    /// Whether EUnit takes a function without arguments for a generator.
    #[must_use]
    pub fn is_named(function: &str) -> bool {
        function.ends_with("_test_")
    }

    /// The call that runs its tests.
    #[must_use]
    pub fn call(&self) -> (Mfa, Vec<Term>) {
        let arguments = vec![
            self.module.into(),
            self.function.into(),
            Term::Int(self.part.unwrap_or(0).into()),
        ];
        (driver("run", arguments.len()), arguments)
    }

    /// The tests of the whole generator as parts that can be run apart, which only a `foreach`
    /// fixture has: it sets up each of them anew. All other tests stay together, since one may
    /// depend on what another left behind.
    ///
    /// The generator is run for that, as far as it only computes; one that does not stays whole.
    #[must_use]
    pub fn parts(self, library: &Library) -> Vec<Generator> {
        let (module, function) = (self.module, self.function);
        let arguments = vec![module.into(), function.into()];
        let Mfa { module, name, .. } = driver("parts", arguments.len());
        let start = Start {
            module,
            name,
            arguments,
            leader: PidTerm::leader(),
        };
        let mut effects: Vec<Effect> = Vec::new();
        let mut process = Process::new(PidTerm::entry(), &start);
        let stop = Machine::new().run(library, &mut process, &mut effects);
        match stop {
            Stop::Exit(End::Returned {
                value: Term::Int(parts @ 1..),
            }) if effects.is_empty() => {
                let parts = 1..=u32::try_from(parts).unwrap_or(u32::MAX);
                let part = |part| Generator {
                    part: Some(part),
                    ..self
                };
                parts.map(part).collect()
            }
            _ => vec![self],
        }
    }
}

/// The generator that a process runs, by the function and the arguments that it began with.
pub(crate) fn run_by(start: &Start) -> Option<Mfa> {
    match &start.arguments[..] {
        [Term::Atom(module), Term::Atom(name), Term::Int(_)]
            if start.mfa() == driver("run", start.arguments.len()) =>
        {
            Some(Mfa {
                module: *module,
                name: *name,
                arity: 0,
            })
        }
        _ => None,
    }
}

fn driver(function: &str, arity: usize) -> Mfa {
    Mfa {
        module: Atom::new(DRIVER),
        name: Atom::new(function),
        arity: arity as u32,
    }
}

/// Compiles the driver into a folder.
pub(super) fn compile_driver(compiler: &Path, folder: &Path) -> Result<(), SourceError> {
    let source = folder.join(DRIVER).with_extension("erl");
    fs::write(&source, DRIVER_SOURCE).map_err(|error| SourceError::Unreadable {
        path: source.clone(),
        error: error.into(),
    })?;
    compile(compiler, &[source], &[], folder).map(drop)
}
