//! One execution along a log, for `trace` and `replay`.

use crate::args::RunArgs;
use crate::files;
use crate::program::Chosen;
use anyhow::{Result, anyhow, bail};
use mazurka_engine::{DriveError, Driven, Options, drive};
use mazurka_trace::Log;
use std::path::Path;

/// Runs a program along the log in a file, if there is one, and on to its end.
pub fn run_along(args: &RunArgs, file: Option<&Path>) -> Result<(Chosen, Driven)> {
    let log = match file {
        Some(file) => files::read_log(file)?,
        None => Log::default(),
    };
    let chosen = Chosen::with_params(&args.program, &log.params)?;
    if let (Some(file), Some(program)) = (file, &log.program)
        && program != chosen.id()
    {
        bail!(
            "{}: this belongs to {program}, not to {}: give that program, or another file",
            file.display(),
            chosen.id()
        );
    }
    let options = Options {
        delivery: args.delivery.or(log.delivery).unwrap_or_default(),
        timeouts: args.timeouts,
        max_depth: Some(usize::try_from(args.max_depth).unwrap_or(usize::MAX)),
        ..Options::default()
    };
    let driven = drive(chosen.actors(), &options, &log, args.seed);
    let mut driven = driven.map_err(|error| explain(error, file))?;
    driven.trace.program = Some(chosen.id().to_owned());
    driven.trace.params = chosen.params().clone();
    Ok((chosen, driven))
}

fn explain(error: DriveError, file: Option<&Path>) -> anyhow::Error {
    match (error, file) {
        (DriveError::Fault(fault), _) => fault.into(),
        (mismatch, Some(file)) => anyhow!(
            "{}: {mismatch} (was it made with other parameters, another delivery model or \
             another timeout setting?)",
            file.display()
        ),
        (mismatch, None) => mismatch.into(),
    }
}
