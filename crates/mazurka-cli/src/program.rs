//! The program that the user names.

use crate::args::ProgramArgs;
use anyhow::{Result, bail};
use mazurka_gallery::{Actors, Program, find};
use std::collections::BTreeMap;

/// A program with its parameters, which fit.
#[derive(Debug)]
pub struct Chosen {
    id: String,
    params: BTreeMap<String, String>,
    actors: Actors,
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
        let actors = match program.instantiate(&params) {
            Ok(actors) => actors,
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
            id: format!("{GALLERY}{}", program.name),
            params,
            actors,
        })
    }

    /// The name under which it is called on the command line.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// All its parameters.
    pub fn params(&self) -> &BTreeMap<String, String> {
        &self.params
    }

    /// The program itself.
    pub fn actors(&self) -> Actors {
        self.actors.clone()
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
