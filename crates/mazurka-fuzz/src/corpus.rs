//! The real files and programs from which inputs are generated.

use crate::beam_file::BeamFile;
use mazurka_beam::code::{Library, Mfa};
use mazurka_beam::loader::Module;
use mazurka_beam::term::Atom;
use mazurka_beam::{Program, Rules};
use mazurka_engine::{DriveError, Driven, Options, drive, drive_as_far_as_it_fits};
use mazurka_gallery::{Built, find};
use mazurka_trace::{Delivery, Log, Trace};
use std::collections::BTreeMap;

/// A module with many kinds of instructions.
const FIXTURE: &[u8] = include_bytes!("../../mazurka-beam/tests/fixture.beam");
/// A program whose processes use many features, with its abstract code.
const ACTORS: &[u8] = include_bytes!("../corpus/actors.beam");

/// The name of [`ACTORS`] in logs.
const ERLANG: &str = "actors.beam";

/// Programs of the gallery whose executions are short: receives, timeouts, choices, links, names,
/// shared objects, crashes, rendezvous.
const GALLERY: [&str; 10] = [
    "fan-in",
    "selective",
    "bank",
    "lost-update",
    "philosophers",
    "retry-timeout",
    "name-race",
    "two-phase-commit",
    "registry",
    "hidden-race",
];

pub(crate) fn beam_files() -> [BeamFile; 2] {
    [BeamFile::new(FIXTURE), BeamFile::new(ACTORS)]
}

/// The file with abstract code.
pub(crate) fn with_debug_info() -> BeamFile {
    BeamFile::new(ACTORS)
}

/// A program that logs are driven against.
pub(crate) struct Subject {
    /// Its name in logs.
    pub(crate) name: String,
    program: AnyProgram,
}

enum AnyProgram {
    Gallery(Built),
    Erlang(Program),
}

/// All programs that logs are driven against.
pub(crate) fn subjects() -> Vec<Subject> {
    let of_gallery = |name: &str| {
        let program = find(name).ok()?;
        Some(Subject {
            name: format!("gallery:{name}"),
            program: AnyProgram::Gallery(program.instantiate(&BTreeMap::new()).ok()?),
        })
    };
    let mut subjects: Vec<Subject> = GALLERY.into_iter().filter_map(of_gallery).collect();
    subjects.push(Subject {
        name: ERLANG.to_owned(),
        program: AnyProgram::Erlang(actors()),
    });
    subjects
}

fn actors() -> Program {
    let library = Library::new([]);
    let module = Module::parse(ERLANG, ACTORS).expect("our own file is intact");
    library.add(module).expect("our own file can be run");
    let entry = Mfa {
        module: Atom::new("actors"),
        name: Atom::new("main"),
        arity: 0,
    };
    Program::new(library, entry, Vec::new(), Rules::default())
}

impl Subject {
    /// Drives the program along a log that must fit.
    pub(crate) fn drive(&self, log: &Log, seed: Option<u64>) -> Result<Driven, DriveError> {
        let options = &options(log);
        match &self.program {
            AnyProgram::Gallery(Built::Actors(program)) => {
                drive(program.clone(), options, log, seed)
            }
            AnyProgram::Gallery(Built::Rust(program)) => drive(program.clone(), options, log, seed),
            AnyProgram::Erlang(program) => drive(program.clone(), options, log, seed),
        }
    }

    /// Drives the program along a log as far as it fits.
    pub(crate) fn follow(&self, log: &Log) -> Result<Driven, DriveError> {
        let options = &options(log);
        let driven = match &self.program {
            AnyProgram::Gallery(Built::Actors(program)) => {
                drive_as_far_as_it_fits(program.clone(), options, log, None)
            }
            AnyProgram::Gallery(Built::Rust(program)) => {
                drive_as_far_as_it_fits(program.clone(), options, log, None)
            }
            AnyProgram::Erlang(program) => {
                drive_as_far_as_it_fits(program.clone(), options, log, None)
            }
        };
        Ok(driven?)
    }

    /// A random execution with this seed, under each delivery model.
    pub(crate) fn traces(&self, seed: u64) -> impl Iterator<Item = Trace> + '_ {
        Delivery::ALL.into_iter().filter_map(move |delivery| {
            let log = Log {
                delivery: Some(delivery),
                ..Log::default()
            };
            let mut trace = self.drive(&log, Some(seed)).ok()?.trace;
            trace.program = Some(self.name.clone());
            Some(trace)
        })
    }
}

fn options(log: &Log) -> Options {
    Options {
        delivery: log.delivery.unwrap_or_default(),
        timeouts: { log.timeouts.as_ref() }
            .and_then(|timeouts| timeouts.parse().ok())
            .unwrap_or_default(),
        max_depth: Some(300),
        max_processes: Some(100),
        ..Options::default()
    }
}

/// A few executions of each program.
pub(crate) fn traces() -> Vec<Trace> {
    let subjects = subjects();
    let some = |subject: &Subject| {
        subject
            .traces(1)
            .chain(subject.traces(2))
            .collect::<Vec<_>>()
    };
    subjects.iter().flat_map(some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_runs() {
        let subjects = subjects();
        assert_eq!(subjects.len(), GALLERY.len() + 1);
        for subject in &subjects {
            assert_eq!(
                subject.traces(1).count(),
                Delivery::ALL.len(),
                "{}",
                subject.name
            );
        }
    }
}
