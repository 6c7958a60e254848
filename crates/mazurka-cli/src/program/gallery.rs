//! The programs of the gallery.

use super::{AnyProgram, Chosen, erlang};
use crate::args::ProgramArgs;
use anyhow::{Result, bail};
use mazurka_gallery::{find, nearest};
use mazurka_report::{Params, Subject};
use std::collections::BTreeMap;

/// The prefix of gallery programs on the command line.
pub const PREFIX: &str = "gallery:";

/// The program with this name, with the parameters of the arguments or else of a log.
pub fn choose(name: &str, args: &ProgramArgs, logged: &Params) -> Result<Chosen> {
    erlang::refuse_flags(args)?;
    let mut given = BTreeMap::new();
    for (name, value) in &args.params {
        if given
            .insert(name.clone(), value.trim().to_owned())
            .is_some()
        {
            bail!("the parameter `{name}` is given twice");
        }
    }
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut params: BTreeMap<String, String> = logged.iter().map(owned).collect();
    params.extend(given);
    let program = match find(name) {
        Ok(program) => program,
        Err(error) => bail!("{error} (`mazurka gallery` lists all programs)"),
    };
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
        subject: Subject::new(
            format!("{PREFIX}{}", program.name),
            params.into_iter().collect(),
        ),
        program: AnyProgram::Gallery(built),
        delivery: program.delivery,
    })
}

/// The gallery program that a mistyped name probably means.
pub fn meant(name: &str) -> Option<String> {
    let kind = PREFIX.trim_end_matches(':');
    let program = match name.split_once(':') {
        None => find(name).ok()?.name,
        Some((near, program)) => {
            nearest(near, [kind]).first()?;
            match find(program) {
                Ok(program) => program.name,
                Err(unknown) => unknown.nearest.first().copied().unwrap_or("NAME"),
            }
        }
    };
    Some(format!("{PREFIX}{program}"))
}
