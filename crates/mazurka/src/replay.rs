//! Replay: one execution again, on this thread, with its output.

use crate::checked::{Checked, Finding};
use crate::host::{TestHost, caller};
use crate::settings::Settings;
use crate::{Body, Check, Program, failure, pulse, stage};
use mazurka_report::{
    Along, CheckOptions, DriveFailure, DriveOutcome, Exit, Subject, Verdict, files,
};
use mazurka_trace::Log;
use std::path::Path;

/// Runs a program once more along a log that a failed check has written, on this thread, and shows
/// what it prints by [`println!`](crate::println!): for a debugger, or to see what happens. The log
/// is a file, or a token from a report. [`Check::replay`] is for a check with other settings.
///
/// A program that has changed since is driven along the log as far as the log fits; the report names
/// the place where it departs from the log, and whether the error is gone.
///
/// # Panics
/// If the execution has an error: the panic message is the report. Or if the log cannot be read.
#[track_caller]
pub fn replay<B: Body>(log: impl AsRef<Path>, program: B) -> Checked {
    Check::new().replay(log, program)
}

/// Drives a program along the log in a file, on this thread, whichever program the log names.
#[track_caller]
pub(crate) fn here<B: Body>(
    file: &Path,
    name: Option<String>,
    settings: &Settings,
    program: B,
) -> Checked {
    let log = read(file);
    let subject = caller::<B>(name);
    let subject = Subject {
        id: log.program.clone().unwrap_or(subject.id),
        ..subject
    };
    drive(file, &log, subject, settings, Program::new(program))
}

/// The log in a file, if it is of this program.
#[track_caller]
pub(crate) fn log_of(file: &Path, subject: &Subject) -> Option<Log> {
    let log = read(file);
    (log.program.as_deref() == Some(&subject.id)).then_some(log)
}

#[track_caller]
fn read(file: &Path) -> Log {
    match files::read_log(file) {
        Ok(log) => log,
        Err(mistake) => panic!("{mistake}"),
    }
}

/// Drives a program along a log.
pub(crate) fn drive(
    file: &Path,
    log: &Log,
    subject: Subject,
    settings: &Settings,
    program: Program,
) -> Checked {
    let asked = &settings.options;
    let options = CheckOptions {
        // What was expected counts as an error, as it does in a check.
        errors: [asked.errors.as_slice(), asked.expect.as_slice()].concat(),
        // The log has every choice.
        seed: None,
        ..asked.clone().of_log(log)
    };
    let along = Along {
        log,
        file: Some(file),
        strict: false,
    };
    assert!(!stage::is_open(), "mazurka::replay was called in a process");
    let before = pulse::runs();
    let mut host = TestHost::replaying(program.clone());
    let quiet = stage::set_loud(true);
    failure::with_backtraces(true);
    let driven = mazurka_report::drive(subject, program, along, &options, &mut host);
    failure::with_backtraces(false);
    stage::set_loud(quiet);
    match driven {
        Ok(driven) => of(&driven, pulse::runs() - before, settings),
        Err(DriveFailure::Fault(fault)) => panic!("{fault}"),
        Err(mistake) => panic!("{mistake}"),
    }
}

fn of(driven: &DriveOutcome, runs: u64, settings: &Settings) -> Checked {
    let finding = |finding: &mazurka_engine::Finding, is_error, backtrace| Finding {
        kind: finding.kind,
        is_error,
        process: finding.process.clone(),
        role: finding.role.clone(),
        message: finding.message.clone(),
        count: 1,
        log: None,
        backtrace,
    };
    let errors = driven.errors.iter();
    let errors = errors.map(|wrong| finding(&wrong.finding, true, wrong.details.clone()));
    let warnings = driven.warnings.iter();
    let warnings = warnings.map(|warning| finding(warning, false, None));
    let expected = &settings.options.expect;
    let is_expected = |finding: &mazurka_engine::Finding| expected.contains(&finding.kind);
    let (verdict, exit) = match driven.exit() {
        // One execution proves nothing.
        Exit::Fine => (Verdict::Stopped, Exit::Fine),
        _ if { driven.errors.iter() }.all(|wrong| is_expected(&wrong.finding)) => {
            (Verdict::AsExpected, Exit::Fine)
        }
        exit => (Verdict::Wrong, exit),
    };
    Checked {
        verdict,
        exit,
        is_replay: true,
        executions: 1,
        steps: runs,
        histories: runs,
        runs,
        found: errors.chain(warnings).collect(),
        report: match settings.json {
            true => { driven.to_json() }.unwrap_or_else(|error| error.to_string()),
            false => driven.to_text(),
        },
    }
}
