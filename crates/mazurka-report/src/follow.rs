//! One execution along a log.

use crate::exit::Exit;
use crate::host::Host;
use crate::options::CheckOptions;
use crate::subject::Subject;
use mazurka_engine::{
    Delivery, DriveError, Fault, Finding, Frontend, Kind, Options, Timeouts, drive,
};
use mazurka_trace::{Log, Trace};
use std::path::{Path, PathBuf};

/// How to run one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowOptions {
    /// Which messages a receive may take; that of the log, or the usual one, if not given.
    pub delivery: Option<Delivery>,
    /// When timeouts may fire.
    pub timeouts: Timeouts,
    /// Steps after which it is cut short.
    pub max_depth: u64,
    /// Processes beyond which it is cut short.
    pub max_processes: u64,
    /// Makes choices at random where the log leaves any.
    pub seed: Option<u64>,
    /// Warnings to treat as errors.
    pub errors: Vec<Kind>,
}

impl Default for FollowOptions {
    fn default() -> Self {
        FollowOptions {
            delivery: None,
            timeouts: Timeouts::default(),
            max_depth: CheckOptions::MAX_DEPTH,
            max_processes: CheckOptions::MAX_PROCESSES,
            seed: None,
            errors: Vec::new(),
        }
    }
}

/// An execution that was run along a log, and what is wrong or odd about it.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The program.
    pub subject: Subject,
    /// What happened.
    pub trace: Trace,
    /// What is wrong, each with what the host knows about it.
    pub errors: Vec<(Finding, Option<String>)>,
    /// What is odd.
    pub warnings: Vec<Finding>,
}

impl Followed {
    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self.errors.is_empty() {
            true => Exit::Fine,
            false => Exit::Bug,
        }
    }
}

/// Why a program could not be run along a log.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FollowError {
    /// The program cannot be run on.
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
        /// The program that was to be run.
        subject: String,
    },
    /// The log does not fit.
    #[error(
        "{}{mismatch} (was it made with other parameters, another delivery model or another \
         timeout setting?)",
        place(file.as_deref())
    )]
    Mismatch {
        /// The file with the log, if it comes from one.
        file: Option<PathBuf>,
        /// Where and how.
        mismatch: DriveError,
    },
}

/// Whether a log is of this program, or says nothing about that. A file may be named by another
/// path.
///
/// # Errors
/// It is of another one.
pub fn belongs_to(log: &Log, file: Option<&Path>, subject: &str) -> Result<(), FollowError> {
    let name = |program: &str| Path::new(program).file_name().map(ToOwned::to_owned);
    match &log.program {
        Some(program) if name(program) != name(subject) => Err(FollowError::OtherProgram {
            file: file.map(Path::to_owned),
            program: program.clone(),
            subject: subject.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn place(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |file| format!("{}: ", file.display()))
}

/// Runs a program along a log, as far as that goes, and on to its end. `file` is where the log
/// comes from.
///
/// # Errors
/// The log is of another program or does not fit, or the program cannot be run on.
pub fn follow<F: Frontend>(
    subject: Subject,
    frontend: F,
    log: &Log,
    file: Option<&Path>,
    options: &FollowOptions,
    host: &mut impl Host,
) -> Result<Followed, FollowError> {
    belongs_to(log, file, &subject.id)?;
    let engine = Options {
        delivery: options.delivery.or(log.delivery).unwrap_or_default(),
        timeouts: options.timeouts,
        max_depth: Some(usize::try_from(options.max_depth).unwrap_or(usize::MAX)),
        max_processes: Some(usize::try_from(options.max_processes).unwrap_or(usize::MAX)),
        ..Options::default()
    };
    let driven = drive(frontend, &engine, log, options.seed).map_err(|error| match error {
        DriveError::Fault(fault) => FollowError::Fault(fault),
        mismatch => FollowError::Mismatch {
            file: file.map(Path::to_owned),
            mismatch,
        },
    })?;
    let mut trace = driven.trace;
    trace.program = Some(subject.id.clone());
    trace.params.clone_from(&subject.params);
    let is_error =
        |finding: &Finding| finding.kind.is_error() || options.errors.contains(&finding.kind);
    let (errors, warnings): (Vec<_>, Vec<_>) = driven.findings.into_iter().partition(is_error);
    let with_details = |finding: Finding| {
        let details = host.details(&finding, &trace);
        (finding, details)
    };
    Ok(Followed {
        errors: errors.into_iter().map(with_details).collect(),
        subject,
        trace,
        warnings,
    })
}
