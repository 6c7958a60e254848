//! Drives a program along a log, for `trace` and `replay`.

use crate::args::RunArgs;
use crate::program::{Chosen, Visitor};
use crate::watch::Terminal;
use anyhow::Result;
use mazurka_engine::{Frontend, Kind};
use mazurka_report::files::read_log;
use mazurka_report::{Along, CheckOptions, DriveFailure, DriveOutcome, Subject, belongs_to};
use mazurka_trace::Log;
use std::path::Path;

/// The log to drive along, and how strictly.
pub struct Drive<'a> {
    /// A file or a token. Without one the program makes its own choices from the start.
    pub log: Option<&'a Path>,
    /// Kinds of warnings that count as errors.
    pub errors: Vec<Kind>,
    /// Whether a log that does not fit the program is an error.
    pub strict: bool,
}

/// Drives a program along a log and then on to its end.
pub fn drive(args: &RunArgs, along: &Drive<'_>) -> Result<DriveOutcome> {
    let file = along.log;
    let log = match file {
        Some(file) => read_log(file)?,
        None => Log::default(),
    };
    // Refused here: the parameters of another program would give misleading errors below.
    belongs_to(&log, file, &args.program.program)?;
    let chosen = Chosen::with_params(&args.program, &log.params)?;
    let usual = CheckOptions {
        delivery: vec![chosen.usual_delivery()],
        errors: along.errors.clone(),
        ..CheckOptions::default()
    };
    let options = args.settings.onto(usual.of_log(&log))?;
    let driver = Driver {
        along: Along {
            log: &log,
            file,
            strict: along.strict,
        },
        options: &options,
        check_line: chosen.check_command(&options),
    };
    Ok(chosen.visit(driver)?)
}

struct Driver<'f> {
    along: Along<'f>,
    options: &'f CheckOptions,
    check_line: String,
}

impl Visitor for Driver<'_> {
    type Output = Result<DriveOutcome, DriveFailure>;

    fn visit<F: Frontend>(self, subject: Subject, frontend: F) -> Self::Output {
        let host = &mut Terminal::replaying(self.check_line);
        mazurka_report::drive(subject, frontend, self.along, self.options, host)
    }
}
