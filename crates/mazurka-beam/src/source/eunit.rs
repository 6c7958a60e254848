//! EUnit's test generators. A driver written in Erlang, compiled by the user's compiler, runs their
//! tests.

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

/// A test generator, or a part of one that can be run separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The module.
    pub module: Atom,
    /// The function, which has no arguments.
    pub function: Atom,
    /// The number of the part, from 1; `None` for all tests.
    pub part: Option<u32>,
}

impl Generator {
    /// Whether EUnit treats a function with this name and no arguments as a generator.
    #[must_use]
    pub fn is_named(function: &str) -> bool {
        function.ends_with("_test_")
    }

    /// The function and arguments that run its tests.
    #[must_use]
    pub fn call(&self) -> (Mfa, Vec<Term>) {
        let arguments = vec![
            self.module.into(),
            self.function.into(),
            Term::Int(self.part.unwrap_or(0).into()),
        ];
        (driver("run", arguments.len()), arguments)
    }

    /// Splits the generator into parts that can be run separately. Only a `foreach` fixture has such
    /// parts, because it runs the setup for each of them. All other tests stay together, since one
    /// may depend on the side effects of another.
    ///
    /// This runs the generator. If it does more than compute, it is not split.
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
            clock_us: 0,
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

/// The generator that a process runs, if it was started with the driver's `run` function.
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
