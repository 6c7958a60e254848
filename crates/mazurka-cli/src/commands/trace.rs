//! `mazurka trace`

use super::drive::{Drive, drive};
use super::output::Named;
use crate::args::Trace;
use crate::program::inputs;
use anyhow::Result;
use mazurka_report::Exit;
use mazurka_report::files::Kind;
use std::io::Write;

/// Runs a program once and writes its trace.
pub fn run(args: &Trace) -> Result<Exit> {
    let is_file = args.output.as_os_str() != "-";
    let mut read = inputs(&args.run.program);
    read.extend(args.log.clone());
    let output = is_file.then_some(Named {
        option: "--output",
        kind: Kind::Execution,
        file: &args.output,
    });
    let outputs = args.pictures.check(output, read)?;
    let along = Drive {
        log: args.log.as_deref(),
        errors: Vec::new(),
        strict: true,
    };
    let driven = drive(&args.run, &along)?;
    let json = driven.trace.to_json();
    if is_file {
        outputs.write(&args.output, Kind::Execution, &json)?;
    } else {
        let mut out = super::stdout();
        out.write_all(json.as_bytes())?;
        out.flush()?;
    }
    if args.pictures.diagram {
        // The diagram must not mix with a trace on the standard output.
        match is_file {
            true => driven.write_diagram(&mut super::stdout())?,
            false => driven.write_diagram(&mut anstream::stderr().lock())?,
        }
    }
    let picture = [driven.picture()];
    Ok(args.pictures.write(&outputs, &picture, "", Exit::Fine))
}
