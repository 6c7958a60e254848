//! Runs a check.

use crate::files::{self, FileError};
use crate::host::Host;
use crate::memory;
use crate::options::{CheckOptions, OptionsError};
use crate::outcome::{End, Kept, Outcome};
use crate::plan::Plan;
use crate::subject::Subject;
use crate::watch::Watch;
use mazurka_engine::{Found, Frontend, Options, Report, SendersFirst, Settings, check};
use mazurka_trace::Log;
use std::collections::BTreeMap;
use std::path::Path;

/// Explores every execution of a program and keeps what goes wrong, with its logs.
///
/// # Errors
/// The options do not go together, or cannot be honoured here.
pub fn run<F: Frontend>(
    subject: Subject,
    frontend: F,
    options: &CheckOptions,
    host: &mut impl Host,
) -> Result<Outcome, OptionsError> {
    let plan = Plan::new(options)?;
    options.bounds_are_above_zero()?;
    if options.max_memory.is_some() && memory::in_use().is_none() {
        let setting = options.voice.name("max-memory");
        return Err(OptionsError::MemoryUnknown { setting });
    }
    let settings = settings(options, &plan);
    let mut watch = Watch::new(options);
    let report = check(frontend, SendersFirst, &settings, |progress| {
        watch.look(progress, host)
    });
    let end = End::new(&report, watch.stopped());
    let seconds = watch.elapsed().as_secs_f64();
    let (progress, found) = match report {
        Ok(Report {
            progress, found, ..
        }) => (Some(progress), found),
        Err(_) => (None, Vec::new()),
    };
    let mut outcome = Outcome {
        subject,
        options: options.clone(),
        plan,
        end,
        progress,
        found: Vec::new(),
        unwritten: None,
        seconds,
        peak_memory: memory::peak(),
    };
    keep(&mut outcome, found, host);
    Ok(outcome)
}

fn settings(options: &CheckOptions, plan: &Plan) -> Settings {
    let mut explore = Options {
        delivery: options.delivery,
        timeouts: options.timeouts,
        max_depth: Some(usize::try_from(options.max_depth).unwrap_or(usize::MAX)),
        max_processes: Some(usize::try_from(options.max_processes).unwrap_or(usize::MAX)),
        max_executions: options.max_executions,
        distrust: options.distrust,
        ..Options::default()
    };
    plan.set_up(&mut explore);
    if let Some(mib) = options.max_memory {
        // What can be dropped and made again should not fill the memory allowed.
        let quarter = usize::try_from(mib.saturating_mul((1 << 20) / 4)).unwrap_or(usize::MAX);
        explore.node_memory = explore.node_memory.min(quarter);
    }
    Settings {
        explore,
        keep_going: options.keep_going,
        errors: options.errors.clone(),
        expected: options.expect.clone(),
    }
}

/// Puts the log of each finding with it, those of errors into files, and what the host knows.
fn keep(outcome: &mut Outcome, found: Vec<Found>, host: &mut impl Host) {
    let subject = &outcome.subject;
    let mut with_log = |found: Found| Kept {
        log: Log {
            program: Some(subject.id.clone()),
            params: subject.params.clone(),
            ..found.trace.log()
        },
        details: match found.is_error {
            true => host.details(&found.finding, &found.trace),
            false => None,
        },
        found,
        file: None,
        replay: None,
    };
    let mut kept: Vec<Kept> = found.into_iter().map(&mut with_log).collect();
    if let Some(directory) = &outcome.options.log_dir {
        // What was found is worth more than its files, so the report goes on without.
        outcome.unwritten = write_logs(subject, directory, &mut kept).err();
    }
    for kept in &mut kept {
        let line = |log: &_| host.replay_line(subject, &outcome.options, &kept.found.finding, log);
        kept.replay = kept.file.as_deref().and_then(line);
    }
    outcome.found = kept;
}

fn write_logs(subject: &Subject, directory: &Path, kept: &mut [Kept]) -> Result<(), FileError> {
    let mut numbers: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut names = files::Names::default();
    for kept in kept.iter_mut().filter(|kept| kept.found.is_error) {
        files::make_directory(directory)?;
        let kind = kept.found.finding.kind.name();
        let number = numbers.entry(kind).or_default();
        *number += 1;
        let stem = format!("{}-{kind}-{number}", subject.id);
        let path = names.json(directory, &stem);
        files::write(&path, &kept.log.to_json())?;
        kept.file = Some(path);
    }
    Ok(())
}
