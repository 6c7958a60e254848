//! What a test adds to a check: its name, backtraces, and how to replay it.

use crate::{Body, Program, failure, stage};
use mazurka_engine::{Finding, Kind, retrace};
use mazurka_report::{
    CheckOptions, Host, LogAt, Params, Setting, Subject, engine_options, shell_word, variable,
};
use mazurka_trace::Trace;
use std::any::type_name;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// How a process of this front-end is marked as a daemon.
const DAEMON_HINT: &str = "call\n`mazurka::daemon()` when the process starts to serve.";

/// The program, named after the test that checks it.
pub(crate) fn caller<B: Body>(name: Option<String>) -> Subject {
    let id = name.unwrap_or_else(|| match test_name() {
        Some(test) => format!("{}::{test}", crate_name()),
        // A closure is named after the function it is in.
        None => type_name::<B>()
            .trim_end_matches("::{{closure}}")
            .to_owned(),
    });
    Subject {
        daemon_hint: DAEMON_HINT.to_owned(),
        ..Subject::new(id, Params::default())
    }
}

/// The same for a new check: the second of one test is `crate::test#2`, so that each has separate
/// logs.
pub(crate) fn next_caller<B: Body>(name: Option<String>) -> Subject {
    static CHECKS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let mut subject = caller::<B>(name);
    let mut checks = CHECKS.lock().unwrap_or_else(PoisonError::into_inner);
    let nth = checks.entry(subject.id.clone()).or_default();
    *nth += 1;
    if *nth > 1 {
        subject.id = format!("{}#{nth}", subject.id);
    }
    subject
}

/// The name of the current test: that of its thread, or else the only one on the command line.
fn test_name() -> Option<String> {
    let thread = std::thread::current();
    if let Some(name) = thread.name().filter(|name| *name != "main") {
        return Some(name.to_owned());
    }
    let mut arguments = std::env::args().skip(1);
    let exact = std::env::args().any(|argument| argument == "--exact");
    arguments.find(|argument| exact && !argument.starts_with('-'))
}

/// The crate of the running executable: `shop` for `deps/shop-0123456789abcdef`.
fn crate_name() -> String {
    let exe = std::env::current_exe().unwrap_or_default();
    let name = exe.file_stem().unwrap_or_default().to_string_lossy();
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|c| c.is_ascii_hexdigit());
    let name = match name.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => &name,
    };
    name.replace('-', "_")
}

/// The directory for logs: in cargo's target directory, or else in the current one.
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
    /// The host of an exploration. It records no backtraces: the execution with the error is run once
    /// more for that.
    pub(crate) fn exploring(make: impl Fn() -> Program + 'static, options: &CheckOptions) -> Self {
        let options = engine_options(options).ok();
        TestHost {
            backtrace: Box::new(move |finding, trace| {
                let options = options.as_ref()?;
                let program = make();
                failure::with_backtraces(true);
                let retraced = retrace(program.clone(), options, &trace.log());
                failure::with_backtraces(false);
                retraced.ok()?;
                program.backtrace(&finding.process)
            }),
        }
    }

    /// The host of a replay, which has recorded backtraces.
    pub(crate) fn replaying(program: Program) -> Self {
        TestHost {
            backtrace: Box::new(move |finding, _| program.backtrace(&finding.process)),
        }
    }
}

impl Host for TestHost {
    fn replayed(&mut self) {
        stage::set_loud(false);
    }

    fn replay_line(
        &self,
        subject: &Subject,
        options: &CheckOptions,
        log: LogAt<'_>,
    ) -> Option<String> {
        let log = match log {
            LogAt::Token(_) => log.word(),
            LogAt::File(file) => {
                let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
                LogAt::File(&file).word()
            }
        };
        // The code of the test has its other settings.
        let given = |setting: &&Setting| options.from_environment.contains(&setting.name);
        let variables = options.beside_log().filter(given).map(|setting| {
            let words = setting.words(options).join(",");
            format!(" {}={}", variable(setting.name), shell_word(&words))
        });
        let variables: String = variables.collect();
        let command = command(&subject.id);
        Some(format!("MAZURKA_REPLAY={log}{variables} {command}"))
    }

    fn check_line(&self, subject: &Subject) -> Option<String> {
        Some(command(&subject.id))
    }

    fn details(&mut self, finding: &Finding, trace: &Trace) -> Option<String> {
        match finding.kind {
            Kind::Crash | Kind::Assertion => (self.backtrace)(finding, trace),
            _ => None,
        }
    }
}

/// The cargo option for the target that contains the tests of a crate, if known, so that cargo need
/// not build others.
fn target(crate_name: &str) -> String {
    let exe = std::env::current_exe().unwrap_or_default();
    let folder = exe.parent();
    if folder.is_some_and(|folder| folder.ends_with("examples")) {
        return format!(" --example {crate_name}");
    }
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let names = [crate_name.to_owned(), crate_name.replace('_', "-")];
    let is_file = |name: &&String| {
        let tests = package.join("tests").join(name.as_str());
        tests.with_extension("rs").is_file() || tests.join("main.rs").is_file()
    };
    let found = names.iter().find(is_file);
    found.map_or(String::new(), |name| format!(" --test {name}"))
}

/// The command that runs only this check again.
fn command(id: &str) -> String {
    let in_main = std::thread::current().name() == Some("main");
    let test = match test_name() {
        Some(test) => test,
        // The test runs the check on a thread that it started.
        None if !in_main => {
            let (program, _) = id.split_once('#').unwrap_or((id, ""));
            let (_, test) = program.split_once("::").unwrap_or(("", program));
            test.to_owned()
        }
        None => {
            let words: Vec<String> = std::env::args().map(|word| shell_word(&word)).collect();
            return words.join(" ");
        }
    };
    let test = shell_word(&test);
    match std::env::var("CARGO_PKG_NAME") {
        Ok(package) => {
            let target = target(&crate_name());
            format!("cargo test -p {package}{target} {test} -- --exact --nocapture")
        }
        Err(_) => format!("cargo test {test} -- --exact --nocapture"),
    }
}
