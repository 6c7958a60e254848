//! Replays every error once before it is reported.
//!
//! If the error does not occur again, the program acts differently on the same inputs, and that is
//! reported instead.

use crate::host::Host;
use crate::outcome::{Kept, Recurs};
use mazurka_engine::{DriveError, Fault, Finding, Found, Frontend, Kind, Options, drive};
use mazurka_trace::LoggedError;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The maximum time for replays. A check may find thousands of errors in long executions; those that
/// remain are reported without a replay.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Replays each error along its log and records whether it occurs again. `program` must not have been
/// explored yet.
pub(crate) fn replay_errors<F: Frontend>(
    program: &F,
    options: &Options,
    found: &mut [Kept],
    host: &impl Host,
) {
    let started = Instant::now();
    // Errors of one execution are replayed together.
    let mut last: Option<(Rc<_>, Replayed)> = None;
    for kept in found.iter_mut().filter(|kept| kept.found.is_error) {
        let trace = &kept.found.trace;
        let replayed = match last.take() {
            Some((same, replayed)) if Rc::ptr_eq(&same, trace) => replayed,
            _ if started.elapsed() > TIME_MAX || host.interrupted() => return,
            _ => match replay(program, options, &kept.found) {
                Some(replayed) => replayed,
                None => return,
            },
        };
        kept.recurs = Some(recurs(&kept.found.finding, &replayed));
        last = Some((Rc::clone(trace), replayed));
    }
}

/// The findings of an execution, or why the program does not fit the log.
type Replayed = Result<Vec<Finding>, String>;

/// Replays one error. `None` if the replay was stopped early, so that its result is unknown.
fn replay<F: Frontend>(program: &F, options: &Options, found: &Found) -> Option<Replayed> {
    match drive(program.fresh_copy(), options, &found.trace.log(), None) {
        Ok(driven) => Some(Ok(driven.findings)),
        Err(DriveError::Fault(Fault::Interrupted { .. })) => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

fn recurs(finding: &Finding, replayed: &Replayed) -> Recurs {
    let instead = match replayed {
        Err(error) => format!("it went another way: {error}"),
        Ok(findings) if findings.iter().any(|other| is_same(finding, other)) => return Recurs::Yes,
        Ok(findings) => match findings.iter().find(|other| other.kind.is_error()) {
            None => "nothing went wrong".to_owned(),
            Some(Finding {
                kind,
                process,
                message,
                ..
            }) => format!("there was another error: {kind} in process {process}: {message}"),
        },
    };
    Recurs::No { instead }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    let is_cut = one.kind == Kind::DepthBound;
    // Of executions that were cut short only the kind is compared: where they are cut may differ.
    one.kind == other.kind
        && (is_cut || (one.process == other.process && one.message == other.message))
}

/// Whether this is the error that a log records. Its line numbers may have changed since.
pub(crate) fn is_logged(logged: &LoggedError, finding: &Finding) -> bool {
    let has_message = || {
        let remembered = LoggedError {
            message: without_lines(&logged.message),
            ..logged.clone()
        };
        remembered.has_message(&without_lines(&finding.message))
    };
    is_alike(logged, finding) && (finding.kind == Kind::DepthBound || has_message())
}

/// A message without the numbers of `file:line` and `file:line:column`.
fn without_lines(message: &str) -> String {
    let mut rest = message.chars().peekable();
    let mut text = String::new();
    while let Some(next) = rest.next() {
        text.push(next);
        while next == ':' && rest.next_if(char::is_ascii_digit).is_some() {}
    }
    text
}

/// Whether it is one of the same kind in the same process.
pub(crate) fn is_alike(logged: &LoggedError, finding: &Finding) -> bool {
    logged.kind == finding.kind.name() && logged.process.as_str() == finding.process
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_the_same_when_its_line_has_moved() {
        let finding = |message: &str| Finding {
            kind: Kind::Crash,
            process: "P".to_owned(),
            role: None,
            message: message.to_owned(),
        };
        let is_same = |logged: &str, seen: &str| {
            let logged = LoggedError {
                kind: "crash".to_owned(),
                process: "P".into(),
                message: logged.to_owned(),
            };
            is_logged(&logged, &finding(seen))
        };
        assert!(is_same(
            "{badmatch, 2} at a.erl:10",
            "{badmatch, 2} at a.erl:9"
        ));
        assert!(is_same("boom at src/a.rs:10:5", "boom at src/a.rs:7:12"));
        assert!(is_same("boom at src/a.rs:1…", "boom at src/a.rs:21:12"));
        assert!(!is_same(
            "{badmatch, 2} at a.erl:10",
            "{badmatch, 3} at a.erl:10"
        ));
        assert!(!is_same("boom…", "bang at src/a.rs:21:12"));
    }
}
