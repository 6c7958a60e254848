//! The program that the user names.

mod erlang;
mod gallery;

use crate::args::ProgramArgs;
use anyhow::{Result, bail};
use mazurka_engine::{Delivery, Frontend, Timeouts};
use mazurka_files::named;
use mazurka_gallery::Built;
use mazurka_report::{Subject, shell_word};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

/// The files that a program is read from, as far as the user names them: they must not be written.
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

/// A program with its parameters, which fit.
pub struct Chosen {
    subject: Subject,
    program: AnyProgram,
    /// The delivery model if none is given.
    delivery: Delivery,
}

/// A program from anywhere. Another front-end is another variant here: the commands visit a
/// program without knowing which one it has.
enum AnyProgram {
    Gallery(Built),
    /// With all its code, some of which goes when this goes.
    Erlang(mazurka_beam::Program, Rc<mazurka_beam::source::CodePath>),
}

/// What to do with a program, whatever its front-end is. Each front-end gets code of its own,
/// so that nothing is looked up while it is explored.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<F: Frontend>(self, subject: Subject, frontend: F) -> Self::Output;
}

impl Chosen {
    /// The program that the arguments name.
    pub fn new(args: &ProgramArgs) -> Result<Chosen> {
        Chosen::with_params(args, &BTreeMap::new())
    }

    /// The program that the arguments name, with the parameters of a file unless the
    /// arguments say otherwise.
    pub fn with_params(args: &ProgramArgs, from_file: &BTreeMap<String, String>) -> Result<Chosen> {
        let mut all = Chosen::all_with_params(args, from_file)?;
        match (all.pop(), all.len()) {
            (Some(only), 0) => Ok(only),
            (_, more) => bail!(
                "{} has {} tests: say with --entry which one",
                args.program,
                more + 1
            ),
        }
    }

    /// The programs that the arguments name: one, or each test of a module.
    pub fn all(args: &ProgramArgs) -> Result<Vec<Chosen>> {
        Chosen::all_with_params(args, &BTreeMap::new())
    }

    fn all_with_params(
        args: &ProgramArgs,
        from_file: &BTreeMap<String, String>,
    ) -> Result<Vec<Chosen>> {
        let mut params = from_file.clone();
        params.extend(given(args)?);
        match args.program.strip_prefix(gallery::PREFIX) {
            Some(name) => {
                erlang::refuse_flags(args)?;
                Ok(vec![gallery::choose(name, params)?])
            }
            None => erlang::choose(args, params),
        }
    }

    /// Its name on the command line, and all its parameters.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The delivery model if none is given: `mailbox`, or that of the paper it comes from.
    pub fn usual_delivery(&self) -> Delivery {
        self.delivery
    }

    /// The command that checks it. What a log says of timeouts is in the words of the command line.
    pub fn check_command(&self, delivery: Option<Delivery>, timeouts: Option<&str>) -> String {
        let mut line = format!("mazurka check {}", shell_word(&self.subject.id));
        for (name, value) in &self.subject.params {
            line += &match self.program {
                AnyProgram::Gallery(_) => {
                    format!(" --param {}", shell_word(&format!("{name}={value}")))
                }
                AnyProgram::Erlang(..) => erlang::flags_for(name, value),
            };
        }
        if let Some(delivery) = delivery.filter(|&delivery| delivery != self.usual_delivery()) {
            line += &format!(" --delivery {delivery}");
        }
        let usual = Timeouts::default().to_string();
        if let Some(timeouts) = timeouts.filter(|&timeouts| timeouts != usual) {
            line += &format!(" --timeouts {timeouts}");
        }
        line
    }

    /// The same program, for another check.
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

    /// Does something with it.
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

fn given(args: &ProgramArgs) -> Result<BTreeMap<String, String>> {
    let mut params = BTreeMap::new();
    for (name, value) in &args.params {
        if params
            .insert(name.clone(), value.trim().to_owned())
            .is_some()
        {
            bail!("the parameter `{name}` is given twice");
        }
    }
    Ok(params)
}
