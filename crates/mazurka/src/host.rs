//! What a test adds to a check: its name, backtraces, and how to replay it.

use crate::check::Make;
use crate::{Body, Program, failure};
use mazurka_engine::{Finding, Kind, Options, drive};
use mazurka_report::{CheckOptions, Host, Subject, shell_word};
use mazurka_trace::Trace;
use std::any::type_name;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How a process of this front-end is marked as a daemon.
const DAEMON_HINT: &str = "call\n`mazurka::daemon()` when the process starts to serve.";

/// The program, named after the test that checks it.
pub(crate) fn caller<B: Body>(name: Option<String>) -> Subject {
    let body = type_name::<B>();
    let id = name.unwrap_or_else(|| {
        // A closure is named after the function it is in.
        let function = body.trim_end_matches("::{{closure}}");
        let test = std::thread::current().name().map(str::to_owned);
        match test {
            Some(test) if function == body && test != "main" => {
                let crate_name = body.split("::").next().unwrap_or_default();
                format!("{crate_name}::{test}")
            }
            _ => function.to_owned(),
        }
    });
    Subject {
        daemon_hint: DAEMON_HINT.to_owned(),
        ..Subject::new(id, BTreeMap::new())
    }
}

/// A directory in cargo's, or else here.
pub(crate) fn log_dir() -> PathBuf {
    const NAME: &str = "mazurka-logs";
    let exe = std::env::current_exe().unwrap_or_default();
    let target = exe
        .ancestors()
        .find(|above| above.join("CACHEDIR.TAG").is_file());
    target.map_or_else(|| PathBuf::from(NAME), |target| target.join(NAME))
}

/// The host of a check in a test.
pub(crate) struct TestHost {
    backtrace: Box<Backtrace>,
}

/// The backtrace of the panic that a finding is about.
type Backtrace = dyn FnMut(&Finding, &Trace) -> Option<String>;

impl TestHost {
    /// An exploration notes no backtraces: it runs the execution that has the error once more.
    pub(crate) fn exploring(make: Make, options: &CheckOptions) -> Self {
        let options = Options {
            delivery: options.delivery,
            timeouts: options.timeouts,
            ..Options::default()
        };
        TestHost {
            backtrace: Box::new(move |finding, trace| {
                let program = make();
                failure::with_backtraces(true);
                let driven = drive(program.clone(), &options, &trace.log(), None);
                failure::with_backtraces(false);
                driven.ok()?;
                program.backtrace(&finding.process)
            }),
        }
    }

    /// A replay has noted them.
    pub(crate) fn replaying(program: Program) -> Self {
        TestHost {
            backtrace: Box::new(move |finding, _| program.backtrace(&finding.process)),
        }
    }
}

impl Host for TestHost {
    fn replay_line(
        &self,
        subject: &Subject,
        _: &CheckOptions,
        _: &Finding,
        log: &Path,
    ) -> Option<String> {
        let log = std::path::absolute(log).unwrap_or_else(|_| log.to_owned());
        let log = shell_word(&log.to_string_lossy());
        Some(format!("MAZURKA_REPLAY={log} {}", command(&subject.id)))
    }

    fn details(&mut self, finding: &Finding, trace: &Trace) -> Option<String> {
        match finding.kind {
            Kind::Crash | Kind::Assertion => (self.backtrace)(finding, trace),
            _ => None,
        }
    }
}

/// Which of the package's targets the tests of a crate are in. Others need not be built.
fn target(package: &str, crate_name: &str) -> String {
    let exe = std::env::current_exe().unwrap_or_default();
    let is_example = exe
        .parent()
        .is_some_and(|folder| folder.ends_with("examples"));
    match is_example {
        true => format!(" --example {crate_name}"),
        false if crate_name.is_empty() || crate_name == package.replace('-', "_") => String::new(),
        false => format!(" --test {crate_name}"),
    }
}

/// The command that runs this check again and nothing else.
fn command(id: &str) -> String {
    let arguments: Vec<String> = std::env::args().collect();
    let in_test = std::thread::current().name() != Some("main")
        || arguments.iter().any(|argument| argument == "--exact");
    let (crate_name, test) = id.split_once("::").unwrap_or(("", id));
    match std::env::var("CARGO_PKG_NAME") {
        Ok(package) if in_test => {
            let target = target(&package, crate_name);
            format!("cargo test -p {package}{target} {test} -- --exact --nocapture")
        }
        _ if in_test => format!("cargo test {test} -- --exact --nocapture"),
        _ => {
            let words: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
            words.join(" ")
        }
    }
}
