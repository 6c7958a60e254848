//! The program given on the command line.

mod erlang;
mod gallery;

use crate::args::ProgramArgs;
use anyhow::{Result, bail};
use mazurka_engine::{Delivery, Frontend};
use mazurka_files::named;
use mazurka_gallery::Built;
use mazurka_report::{CheckOptions, Params, Subject, shell_word};
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

/// The files that a program is read from, as far as the arguments name them. Outputs must not replace
/// them.
pub fn inputs(args: &ProgramArgs) -> Vec<PathBuf> {
    if args.program.starts_with(gallery::PREFIX) {
        return Vec::new();
    }
    let program = named(&args.program);
    let parts = ["", "src", "ebin"].map(|part| program.join(part));
    let paths = args.paths.iter().map(|path| named(path));
    let files_in = |folder: PathBuf| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    let files = parts.into_iter().chain(paths).flat_map(files_in);
    let mut inputs: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    inputs.push(program);
    inputs
}

/// A program with validated parameters.
pub struct Chosen {
    subject: Subject,
    program: AnyProgram,
    /// The default delivery model.
    delivery: Delivery,
}

/// A program of any front-end. A new front-end adds a variant here; the commands visit a program without
/// knowing its front-end.
enum AnyProgram {
    Gallery(Built),
    /// With its code path, which deletes the temporary folder of compiled modules when it is dropped.
    Erlang(mazurka_beam::Program, Rc<mazurka_beam::source::CodePath>),
}

/// An operation on a program of any front-end. It is compiled once per front-end, so that exploration
/// needs no dynamic dispatch.
pub trait Visitor {
    /// Its result.
    type Output;

    /// Runs it.
    fn visit<F: Frontend>(self, subject: Subject, frontend: F) -> Self::Output;
}

impl Chosen {
    /// The program that the arguments name.
    pub fn new(args: &ProgramArgs) -> Result<Chosen> {
        Chosen::with_params(args, &Params::default())
    }

    /// The program that the arguments name, with the parameters of a log file; arguments take
    /// precedence.
    pub fn with_params(args: &ProgramArgs, from_file: &Params) -> Result<Chosen> {
        let mut all = Chosen::all_with_params(args, from_file)?;
        match (all.pop(), all.len()) {
            (Some(only), 0) => Ok(only),
            (_, more) => bail!(
                "{} has {} tests: choose one with --entry",
                args.program,
                more + 1
            ),
        }
    }

    /// The programs that the arguments name: one, or each test of a module.
    pub fn all(args: &ProgramArgs) -> Result<Vec<Chosen>> {
        Chosen::all_with_params(args, &Params::default())
    }

    fn all_with_params(args: &ProgramArgs, from_file: &Params) -> Result<Vec<Chosen>> {
        match args.program.strip_prefix(gallery::PREFIX) {
            Some(name) => Ok(vec![gallery::choose(name, args, from_file)?]),
            None => erlang::choose(args, from_file.clone()),
        }
    }

    /// Its name on the command line, and all its parameters.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The default delivery model: `mailbox`, or the model of the paper a gallery program comes from.
    pub fn usual_delivery(&self) -> Delivery {
        self.delivery
    }

    /// The program and its parameters as arguments of a command.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = vec![self.subject.id.clone()];
        for (name, value) in self.subject.params.iter() {
            words.extend(match self.program {
                AnyProgram::Gallery(_) => ["--param".to_owned(), format!("{name}={value}")],
                AnyProgram::Erlang(..) => [erlang::flag(name).to_owned(), value.to_owned()],
            });
        }
        words
    }

    /// The command that checks it with the options of a replay. Its seed is for other choices.
    pub fn check_command(&self, options: &CheckOptions) -> String {
        let usual = CheckOptions {
            delivery: vec![self.usual_delivery()],
            seed: options.seed,
            ..CheckOptions::default()
        };
        let mut line = "mazurka check".to_owned();
        for word in { self.arguments().into_iter() }.chain(options.arguments(&usual)) {
            line += &format!(" {}", shell_word(&word));
        }
        line
    }

    /// A fresh copy of the program, for another check.
    pub fn again(&self) -> Chosen {
        Chosen {
            subject: self.subject.clone(),
            program: match &self.program {
                AnyProgram::Gallery(Built::Actors(actors)) => {
                    AnyProgram::Gallery(Built::Actors(actors.fresh_copy()))
                }
                AnyProgram::Gallery(Built::Rust(program)) => {
                    AnyProgram::Gallery(Built::Rust(program.fresh_copy()))
                }
                AnyProgram::Erlang(program, code) => {
                    AnyProgram::Erlang(program.fresh_copy(), Rc::clone(code))
                }
            },
            delivery: self.delivery,
        }
    }

    /// Runs a visitor on it.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self.program {
            AnyProgram::Gallery(Built::Actors(actors)) => visitor.visit(self.subject, actors),
            AnyProgram::Gallery(Built::Rust(program)) => visitor.visit(self.subject, program),
            AnyProgram::Erlang(program, code) => {
                let output = visitor.visit(self.subject, program);
                drop(code);
                output
            }
        }
    }
}
