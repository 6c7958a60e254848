//! Drives a program along a log: one execution.

use crate::diagnosis::{self, IN_FULL, waits_for_ever};
use crate::exit::Exit;
use crate::host::Host;
use crate::options::CheckOptions;
use crate::options_error::OptionsError;
use crate::plan::Plan;
use crate::run::settings;
use crate::subject::Subject;
use crate::verify::{is_alike, is_logged};
use crate::watch::Limits;
use mazurka_engine::{
    Departure, Diagnosis, DriveError, Driven, Fault, Finding, Frontend, Kind, Waiting,
    drive_as_far_as_it_fits,
};
use mazurka_lab::Algorithm;
use mazurka_trace::{At, Event, Log, LoggedError, ProcessName, Trace, is_token};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The log to drive a program along.
#[derive(Clone, Copy, Debug)]
pub struct Along<'l> {
    /// The log.
    pub log: &'l Log,
    /// Where it comes from: a file, or a token.
    pub file: Option<&'l Path>,
    /// Whether all of it must fit.
    pub strict: bool,
}

/// An execution that was driven along a log, with its errors and warnings.
#[derive(Clone, Debug)]
pub struct DriveOutcome {
    /// The program.
    pub subject: Subject,
    /// The trace of the execution.
    pub trace: Trace,
    /// The errors.
    pub errors: Vec<Wrong>,
    /// The warnings.
    pub warnings: Vec<Finding>,
    /// The error that the log records, if any.
    pub logged: Option<LoggedError>,
    /// Where processes departed from their logs, in that order.
    pub departures: Vec<Departure>,
    /// Where a process continued after the end of its log, although the log is that of a whole execution
    /// and no process departs from it.
    pub beyond: Option<Beyond>,
    /// What each process that has not ended waits for.
    pub waiting: BTreeMap<ProcessName, Waiting>,
    /// The command that checks all executions.
    pub check_line: Option<String>,
}

/// An error of an execution that was driven along a log.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The error.
    pub finding: Finding,
    /// Details from the host.
    pub details: Option<String>,
    /// Its diagnosis, if one could be made.
    pub diagnosis: Option<Diagnosis>,
}

/// Where a process continues after the end of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The first event that is not in the log.
    pub at: At,
    /// Its index among the inputs of its process, from 1.
    pub position: usize,
}

/// Whether the error that a log records occurred again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// The log records none.
    Unknown,
    /// It occurred: the error with this index.
    Recurs(usize),
    /// One of the same kind in the same process occurred, with another message: the error with this
    /// index.
    Changed(usize),
    /// It did not occur.
    Gone,
}

impl DriveOutcome {
    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self.errors.is_empty() {
            true => Exit::Fine,
            false => Exit::Bug,
        }
    }

    /// Whether the error that the log records occurred again.
    #[must_use]
    pub fn recurrence(&self) -> Recurrence {
        let Some(logged) = &self.logged else {
            return Recurrence::Unknown;
        };
        let mut errors = self.errors.iter().map(|wrong| &wrong.finding);
        let same = errors.position(|finding| is_logged(logged, finding));
        let mut errors = self.errors.iter().map(|wrong| &wrong.finding);
        let alike = errors.position(|finding| is_alike(logged, finding));
        match (same, alike) {
            (Some(at), _) => Recurrence::Recurs(at),
            (None, Some(at)) => Recurrence::Changed(at),
            (None, None) => Recurrence::Gone,
        }
    }
}

/// Why a program could not be driven along a log.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DriveFailure {
    /// The options cannot be used.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The program cannot continue.
    #[error(transparent)]
    Fault(Fault),
    /// The log is of another program.
    #[error(
        "{}this belongs to {program}, not to {subject}: give that program, or another file",
        place(file.as_deref())
    )]
    OtherProgram {
        /// The file with the log, if it comes from one.
        file: Option<PathBuf>,
        /// The program of the log.
        program: String,
        /// The program to be run.
        subject: String,
    },
    /// The log does not fit.
    #[error(
        "{}{mismatch} (was the program changed, or the log made with other parameters, another \
         delivery model or another timeout setting?)",
        place(file.as_deref())
    )]
    Mismatch {
        /// The file with the log, if it comes from one.
        file: Option<PathBuf>,
        /// The place and the difference.
        mismatch: DriveError,
    },
}

/// Checks that a log is of this program, or names none. A file may be named by another path.
///
/// # Errors
/// It is of another program.
pub fn belongs_to(log: &Log, file: Option<&Path>, subject: &str) -> Result<(), DriveFailure> {
    let name = |program: &str| Path::new(program).file_name().map(ToOwned::to_owned);
    match &log.program {
        Some(program) if name(program) != name(subject) => Err(DriveFailure::OtherProgram {
            file: file.map(Path::to_owned),
            program: program.clone(),
            subject: subject.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn place(file: Option<&Path>) -> String {
    // A token is not readable, so it is not shown as a file name.
    let file = file.filter(|file| !file.to_str().is_some_and(is_token));
    file.map_or_else(String::new, |file| {
        format!("{}: ", mazurka_files::shown(file))
    })
}

/// Drives a program along a log, as far as it fits, and on to the end of the execution. The seed of the
/// options is that of random choices where the log leaves any open.
///
/// # Errors
/// The log is of another program, or does not fit although it must, the options cannot be used, or the
/// program cannot continue.
pub fn drive<F: Frontend>(
    subject: Subject,
    frontend: F,
    along: Along<'_>,
    options: &CheckOptions,
    host: &mut impl Host,
) -> Result<DriveOutcome, DriveFailure> {
    let Along { log, file, strict } = along;
    options.bounds_are_above_zero()?;
    belongs_to(log, file, &subject.id)?;
    let brake = Limits::new(None, None, host.interrupts()).brake();
    let engine = settings(options, &Plan::of(Algorithm::Optimal), brake).explore;
    let again = frontend.fresh_copy();
    let driven = drive_as_far_as_it_fits(frontend, &engine, log, options.seed);
    let driven = driven.map_err(DriveFailure::Fault)?;
    if strict || is_of_quite_another(log, &driven) {
        must_fit(&driven, file)?;
    }
    let mut trace = driven.trace;
    trace.program = Some(subject.id.clone());
    trace.params.clone_from(&subject.params);
    let is_logged_kind = |kind: Kind| {
        let logged = log.error.as_ref();
        logged.is_some_and(|logged| logged.kind == kind.name())
    };
    let is_error = |finding: &Finding| {
        let kind = finding.kind;
        kind.is_error() || options.errors.contains(&kind) || is_logged_kind(kind)
    };
    let (errors, warnings): (Vec<_>, Vec<_>) = driven.findings.into_iter().partition(is_error);
    host.replayed();
    let whole = trace.log();
    let with_details = |(number, finding): (usize, Finding)| Wrong {
        details: host.details(&finding, &trace),
        diagnosis: match number == 0 || (number < IN_FULL && !waits_for_ever(finding.kind)) {
            true => diagnosis::made(&again, &engine, &whole, &finding),
            false => None,
        },
        finding,
    };
    let errors = errors.into_iter().enumerate().map(with_details).collect();
    Ok(DriveOutcome {
        errors,
        warnings,
        beyond: match driven.departures.is_empty() {
            true => beyond(log, &trace),
            false => None,
        },
        logged: log.error.clone(),
        departures: driven.departures,
        waiting: driven.waiting,
        check_line: host.check_line(&subject),
        subject,
        trace,
    })
}

/// Whether a log names neither its program nor any process of this program.
fn is_of_quite_another(log: &Log, driven: &Driven) -> bool {
    let mut departures = driven.departures.iter();
    log.program.is_none()
        && departures.len() == log.processes.len()
        && departures.all(|departure| !departure.exists)
}

fn must_fit(driven: &Driven, file: Option<&Path>) -> Result<(), DriveFailure> {
    match driven.departures.first() {
        None => Ok(()),
        Some(first) => Err(DriveFailure::Mismatch {
            file: file.map(Path::to_owned),
            mismatch: DriveError::Mismatch(Box::new(first.clone())),
        }),
    }
}

/// The first input that is not in the log of a whole execution. A log that records an error is of a
/// whole execution, unless a bound ended that.
fn beyond(log: &Log, trace: &Trace) -> Option<Beyond> {
    let error = log.error.as_ref()?;
    if error.kind == Kind::DepthBound.name() {
        return None;
    }
    let processes = trace.processes.iter();
    let mut processes = processes.filter(|(pid, _)| !trace.objects.contains(*pid));
    processes.find_map(|(pid, events)| {
        let logged = log.processes.get(pid).map_or(0, Vec::len);
        let inputs = events
            .iter()
            .enumerate()
            .filter(|(_, event)| is_input(event));
        let (index, _) = { inputs }.nth(logged)?;
        Some(Beyond {
            at: At::new(pid.clone(), index),
            position: logged + 1,
        })
    })
}

fn is_input(event: &Event) -> bool {
    matches!(
        event,
        Event::Receive { .. }
            | Event::Timeout { .. }
            | Event::Killed { .. }
            | Event::Read { .. }
            | Event::Choose { .. }
    )
}
