//! `mazurka replay`

use super::drive::{Drive, drive};
use crate::args::{Format, Replay};
use crate::exit::after_writing;
use crate::program::inputs;
use anyhow::{Context, Result, bail};
use mazurka_report::{DriveOutcome, Exit};
use std::io::Write;

/// Drives a program along a log or trace and reports the execution.
pub fn run(args: &Replay) -> Result<Exit> {
    if args.format == Format::Github {
        bail!(
            "--format github works with `mazurka check` only: leave it out, or use --format json"
        );
    }
    let mut read = inputs(&args.run.program);
    read.push(args.log.clone());
    let outputs = args.pictures.check(None, read)?;
    let along = Drive {
        log: Some(&args.log),
        errors: args.errors.options()?.errors,
        strict: args.strict,
    };
    let driven = drive(&args.run, &along)?;
    if let Some(stop) = &args.stop_at {
        driven.can_stop(stop).context("--stop-at")?;
    }
    let exit = after_writing(driven.exit(), write(&driven, args))?;
    Ok(args.pictures.write(&outputs, &[driven.picture()], "", exit))
}

fn write(driven: &DriveOutcome, args: &Replay) -> Result<()> {
    let mut out = super::stdout();
    match (&args.stop_at, args.format) {
        (Some(stop), _) => driven.write_text_up_to(&mut out, stop)??,
        (None, Format::Text | Format::Github) => {
            driven.write_text(&mut out)?;
            if args.pictures.diagram {
                writeln!(out)?;
                driven.write_diagram(&mut out)?;
            }
        }
        (None, Format::Json) => writeln!(out, "{}", driven.to_json()?)?,
    }
    out.flush()?;
    Ok(())
}
