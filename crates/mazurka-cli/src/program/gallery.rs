//! The programs of the gallery.

use super::{AnyProgram, Chosen};
use anyhow::{Result, bail};
use mazurka_gallery::find;
use mazurka_report::Subject;
use std::collections::BTreeMap;

/// What stands before the name of a program of the gallery.
pub const PREFIX: &str = "gallery:";

/// The program of this name.
pub fn choose(name: &str, mut params: BTreeMap<String, String>) -> Result<Chosen> {
    let program = match find(name) {
        Ok(program) => program,
        Err(error) => bail!("{error} (`mazurka gallery` lists what there is)"),
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
        subject: Subject::new(format!("{PREFIX}{}", program.name), params),
        program: AnyProgram::Gallery(built),
    })
}

/// Whether there is a program of this name.
pub fn has(name: &str) -> bool {
    find(name).is_ok()
}
