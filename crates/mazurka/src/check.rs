//! Checks: a program and its settings.

mod settings;

use crate::checked::Checked;
use crate::host::{TestHost, next_caller};
use crate::settings::Settings;
use crate::supervise::{Task, supervise};
use crate::{Body, Program, pulse, replay};
use mazurka_engine::Timeouts;
use mazurka_report::{CheckOptions, Outcome, Subject, Verdict, Voice, compare_models};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

/// Runs a program in every causally different execution.
///
/// # Panics
/// If one of them has an error. The panic message is the report.
#[track_caller]
pub fn check(program: impl Body + Send) -> Checked {
    Check::new().run(program)
}

/// A check with settings. Environment variables override the settings in the code:
/// `MAZURKA_MAX_DEPTH=500` stands for `max_depth(500)`.
#[derive(Clone, Debug)]
#[must_use = "a check does nothing before `run`"]
pub struct Check {
    name: Option<String>,
    settings: Settings,
}

impl Default for Check {
    fn default() -> Self {
        Check::new()
    }
}

/// The default of [`Check::max_step_seconds`]: a process that runs longer without waiting is assumed
/// to loop for ever.
const MAX_STEP: Duration = Duration::from_secs(10);

impl Check {
    /// A check with the default settings: `mailbox` delivery, the optimal algorithm, timeouts at any
    /// time, stop at the first error.
    pub fn new() -> Check {
        Check {
            name: None,
            settings: Settings {
                options: CheckOptions {
                    voice: Voice::Library,
                    timeouts: Timeouts::AnyTime,
                    log_dir: Some(crate::host::log_dir()),
                    ..CheckOptions::default()
                },
                max_step: MAX_STEP,
                allow_incomplete: false,
                json: false,
                no_logs: false,
                replay: None,
            },
        }
    }

    /// Runs the program in every causally different execution.
    ///
    /// # Panics
    /// If one of them has an error, or a bound ended the check early. The panic message is the
    /// report.
    #[track_caller]
    pub fn run(self, program: impl Body + Send) -> Checked {
        let allow_incomplete = self.with_environment().allow_incomplete;
        let checked = self.explore(program);
        let incomplete = checked.verdict == Verdict::Stopped && allow_incomplete;
        if incomplete || (checked.is_replay && checked.passed()) {
            std::println!("{}", checked.report);
        } else if !checked.passed() {
            std::panic::panic_any(format!("\n{}", checked.report));
        }
        checked
    }

    /// Runs the program in every causally different execution and returns the result, even if
    /// there are errors.
    ///
    /// # Panics
    /// If the settings are invalid, a process loops for ever without waiting for anything, or the
    /// profile has `panic = "abort"`.
    #[track_caller]
    pub fn explore<B: Body + Send>(self, program: B) -> Checked {
        if cfg!(panic = "abort") {
            panic!(
                "panic = \"abort\" is set in the profile: then a process that panics ends \
                 everything, and nothing can be reported"
            );
        }
        let settings = self.with_environment();
        let subject = next_caller::<B>(self.name);
        let file = settings.replay.clone();
        let log = file.and_then(|file| Some((replay::log_of(&file, &subject)?, file)));
        // A replay has no limit on the time of a step: it may be stopped in a debugger.
        let max_step = match log {
            Some(_) => Duration::MAX,
            None => settings.max_step,
        };
        let task = move || -> Task {
            let (subject, settings, program) = (subject.clone(), settings.clone(), program.clone());
            let make = move || Program::new(program.clone());
            match log.clone() {
                Some((log, file)) => {
                    Box::new(move || replay::drive(&file, &log, subject, &settings, make()))
                }
                None => Box::new(move || explore_here(subject, &settings, Box::new(make))),
            }
        };
        supervise(&task, max_step)
    }

    /// Runs a program once more along a log that a failed check with these settings has written,
    /// as [`replay`](crate::replay()) does.
    ///
    /// # Panics
    /// If the execution has an error that was not expected: the panic message is the report. Or if
    /// the log cannot be read.
    #[track_caller]
    pub fn replay<B: Body>(self, log: impl AsRef<Path>, program: B) -> Checked {
        let settings = self.with_environment();
        let checked = replay::here::<B>(log.as_ref(), self.name, &settings, program);
        match checked.passed() {
            true => std::println!("{}", checked.report),
            false => std::panic::panic_any(format!("\n{}", checked.report)),
        }
        checked
    }

    /// Runs the program in every causally different execution, prints the report and returns the
    /// exit code of the `mazurka` command: for programs that check themselves in `main`.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     mazurka::Check::new().main(|| async { /* the program */ })
    /// }
    /// ```
    #[track_caller]
    pub fn main(self, program: impl Body + Send) -> ExitCode {
        let checked = self.explore(program);
        std::print!("{}", checked.report);
        ExitCode::from(checked.exit as u8)
    }

    /// The settings, including those of the environment.
    #[track_caller]
    pub(crate) fn with_environment(&self) -> Settings {
        let mut settings = self.settings.clone();
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        if let Err(mistake) = settings.override_by(environment) {
            panic!("{mistake}");
        }
        if settings.no_logs {
            settings.options.log_dir = None;
        }
        settings
    }
}

/// Makes the program to check, any number of times.
///
/// A `dyn` type, so that the engine is compiled once, with this crate, and not again for every
/// test.
pub(crate) type Make = Box<dyn Fn() -> Program + Send>;

/// Explores a program on this thread.
fn explore_here(subject: Subject, settings: &Settings, make: Make) -> Checked {
    let before = pulse::runs();
    let make = Rc::new(make);
    let run = |options: CheckOptions| {
        let program = make();
        let again = Rc::clone(&make);
        let mut host = TestHost::exploring(move || again(), &options);
        match mazurka_report::run(subject.clone(), program, &options, &mut host) {
            Ok(outcome) => outcome,
            Err(mistake) => panic!("{mistake}"),
        }
    };
    let mut outcomes: Vec<Outcome> = { settings.options.for_each_model().into_iter() }
        .map(run)
        .collect();
    let runs = || pulse::runs() - before;
    match &mut outcomes[..] {
        [outcome] => Checked::new(outcome, runs(), settings.json),
        outcomes => {
            compare_models(outcomes);
            Checked::of_models(outcomes, runs(), settings.json)
        }
    }
}
