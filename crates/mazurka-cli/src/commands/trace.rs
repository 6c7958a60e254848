//! `mazurka trace`

use super::along::{Along, run_along};
use crate::args::Trace;
use anyhow::Result;
use mazurka_report::{Exit, files};
use std::io::Write;

/// Runs a program once and writes its trace.
pub fn run(args: &Trace) -> Result<Exit> {
    args.pictures.check()?;
    let along = Along {
        log: args.log.as_deref(),
        errors: &[],
        strict: true,
    };
    let followed = run_along(&args.run, &along)?;
    let json = followed.trace.to_json();
    if args.output.as_os_str() == "-" {
        let mut out = super::stdout();
        out.write_all(json.as_bytes())?;
        out.flush()?;
    } else {
        files::write(&args.output, &json)?;
    }
    if args.pictures.diagram {
        // Not into the trace.
        match args.output.as_os_str() == "-" {
            true => followed.write_diagram(&mut anstream::stderr().lock())?,
            false => followed.write_diagram(&mut super::stdout())?,
        }
    }
    Ok(args.pictures.write(&[followed.picture()], "", Exit::Fine))
}
