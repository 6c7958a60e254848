//! The program that the user names.

use crate::args::ProgramArgs;
use anyhow::{Result, bail};
use mazurka_engine::Frontend;
use mazurka_gallery::{Built, Program, find};
use mazurka_report::Subject;
use std::collections::BTreeMap;

/// A program with its parameters, which fit.
#[derive(Debug)]
pub struct Chosen {
    subject: Subject,
    program: AnyProgram,
}

/// A program from anywhere. Another front-end is another variant here: the commands visit a
/// program without knowing which one it has.
#[derive(Debug)]
enum AnyProgram {
    Gallery(Built),
}

/// What to do with a program, whatever its front-end is. Each front-end gets code of its own,
/// so that nothing is looked up while it is explored.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<F: Frontend>(self, subject: Subject, frontend: F) -> Self::Output;
}

const GALLERY: &str = "gallery:";

impl Chosen {
    /// The program that the arguments name.
    pub fn new(args: &ProgramArgs) -> Result<Chosen> {
        Chosen::with_params(args, &BTreeMap::new())
    }

    /// The program that the arguments name, with the parameters of a file unless the
    /// arguments say otherwise.
    pub fn with_params(args: &ProgramArgs, from_file: &BTreeMap<String, String>) -> Result<Chosen> {
        let program = program(&args.program)?;
        let mut params = from_file.clone();
        params.extend(given(args)?);
        let built = match program.instantiate(&params) {
            Ok(built) => built,
            Err(error) => bail!(
                "{error} (`mazurka gallery {}` describes its parameters)",
                program.name
            ),
        };
        for parameter in program.parameters {
            params
                .entry(parameter.name.to_owned())
                .or_insert_with(|| parameter.default.to_string());
        }
        Ok(Chosen {
            subject: Subject::new(format!("{GALLERY}{}", program.name), params),
            program: AnyProgram::Gallery(built),
        })
    }

    /// Its name on the command line, and all its parameters.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Does something with it.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self.program {
            AnyProgram::Gallery(Built::Actors(actors)) => visitor.visit(self.subject, actors),
            AnyProgram::Gallery(Built::Rust(program)) => visitor.visit(self.subject, program),
        }
    }
}

fn program(id: &str) -> Result<&'static Program> {
    let Some(name) = id.strip_prefix(GALLERY) else {
        let hint = match find(id) {
            Ok(_) => format!("write {GALLERY}{id}"),
            Err(_) => "`mazurka gallery` lists what there is".to_owned(),
        };
        bail!(
            "unknown program `{id}`: so far only the programs of the gallery, {GALLERY}NAME, can be run; {hint}"
        );
    };
    match find(name) {
        Ok(program) => Ok(program),
        Err(error) => bail!("{error} (`mazurka gallery` lists what there is)"),
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
