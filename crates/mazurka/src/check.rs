//! Checks: a program, its settings, and what came of it.

use crate::doomed::{self, Doom};
use crate::host::{TestHost, next_caller};
use crate::pulse::{self, Pulse};
use crate::settings::Settings;
use crate::{Body, Kind, Program, replay};
use mazurka_engine::{Delivery, Place, Sampler, Strategy, Timeouts, Valuations};
use mazurka_lab::{Algorithm, Order};
use mazurka_report::text::models_text;
use mazurka_report::{CheckOptions, End, Exit, Outcome, Subject, Verdict, Voice, compare_models};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Runs a program in every causally different execution.
///
/// # Panics
/// Something goes wrong in one of them. The panic has the report.
#[track_caller]
pub fn check(program: impl Body + Send) -> Checked {
    Check::new().run(program)
}

/// A check with settings. Each can also be set in the environment, which goes before what the
/// code says: `MAZURKA_MAX_DEPTH=500` is `max_depth(500)`.
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

/// Whoever runs longer without waiting will never wait.
const MAX_STEP: Duration = Duration::from_secs(10);

impl Check {
    /// A check as it is commonly used: `mailbox` delivery, the optimal algorithm, timeouts at any
    /// time, up to the first error.
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
                more_models: Vec::new(),
                max_step: MAX_STEP,
                allow_incomplete: false,
                json: false,
                no_logs: false,
                replay: None,
            },
        }
    }

    /// The name of the program in reports and logs; that of the test if not given.
    pub fn name(mut self, name: impl Into<String>) -> Check {
        self.name = Some(name.into());
        self
    }

    /// Which messages a receive may take (`MAZURKA_DELIVERY`). [`Delivery::Mailbox`], the message
    /// that was sent first, if not given: that is how channels and mailboxes within one operating system
    /// process behave. Between machines messages of two senders may overtake each other:
    /// [`Delivery::P2p`].
    pub fn delivery(self, delivery: Delivery) -> Check {
        self.deliveries(&[delivery])
    }

    /// Checks the program under each of these delivery models and reports where they differ
    /// (`MAZURKA_DELIVERY`, a list with commas). The result adds up their numbers, has what was found under
    /// any of them, and passes if all do.
    pub fn deliveries(mut self, models: &[Delivery]) -> Check {
        self.settings.set_models(models);
        self
    }

    /// When timeouts and sleeps may end (`MAZURKA_TIMEOUTS`).
    pub fn timeouts(mut self, timeouts: Timeouts) -> Check {
        self.settings.options.timeouts = timeouts;
        self
    }

    /// How executions are found (`MAZURKA_ALGORITHM`).
    pub fn algorithm(mut self, algorithm: Algorithm) -> Check {
        self.settings.options.algorithm = algorithm;
        self
    }

    /// The order in which the algorithms of the literature try messages (`MAZURKA_ORDER`).
    pub fn order(mut self, order: Order) -> Check {
        self.settings.options.order = Some(order);
        self
    }

    /// Whether dpor, transdpor and naive use sleep sets (`MAZURKA_SLEEP_SETS`).
    pub fn sleep_sets(mut self, on: bool) -> Check {
        self.settings.options.sleep_sets = Some(on);
        self
    }

    /// Whether interleavings avoids blocking (`MAZURKA_BLOCKING_AVOIDANCE`).
    pub fn blocking_avoidance(mut self, on: bool) -> Check {
        self.settings.options.blocking_avoidance = Some(on);
        self
    }

    /// How often interleavings may interrupt a process that could have gone on
    /// (`MAZURKA_PREEMPTION_BOUND`).
    pub fn preemption_bound(mut self, bound: u32) -> Check {
        self.settings.options.preemption_bound = Some(bound);
        self
    }

    /// The order in which the optimal algorithm looks at executions (`MAZURKA_STRATEGY`).
    pub fn strategy(mut self, strategy: Strategy) -> Check {
        self.settings.options.strategy = Some(strategy);
        self
    }

    /// The seed of a random strategy, or of a sample (`MAZURKA_SEED`).
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.options.seed = Some(seed);
        self
    }

    /// Which executions are promising (`MAZURKA_VALUATION`). Without a strategy they imply
    /// `best-first`.
    pub fn valuation(mut self, valuations: impl Into<Valuations>) -> Check {
        self.settings.options.valuations = Some(valuations.into());
        self
    }

    /// The choices that the valuations influence (`MAZURKA_DIRECT`), by default the
    /// [usual places](Place::USUAL).
    pub fn direct(mut self, places: &[Place]) -> Check {
        self.settings.options.direct = places.to_vec();
        self
    }

    /// Lets `best-first` leave an execution when its value is worse than the best known one by more
    /// than this percentage of it (`MAZURKA_THRESHOLD`).
    pub fn threshold(mut self, percent: u32) -> Check {
        self.settings.options.threshold = Some(percent);
        self
    }

    /// Runs several searches in turn until the first error (`MAZURKA_HUNT`).
    pub fn hunt(mut self, on: bool) -> Check {
        self.settings.options.hunt = on;
        self
    }

    /// Runs this many executions, left to chance, instead of exploring (`MAZURKA_SAMPLE`). Nothing
    /// is verified by that, so without an error the check passes only if it may be
    /// [incomplete](Check::allow_incomplete).
    pub fn sample(mut self, executions: u64) -> Check {
        self.settings.options.sample = Some(executions);
        self
    }

    /// How each execution of a sample is chosen (`MAZURKA_SAMPLER`).
    pub fn sampler(mut self, sampler: Sampler) -> Check {
        self.settings.options.sampler = Some(sampler);
        self
    }

    /// How many events must come in a certain order for the errors that [`Sampler::Pct`] looks for
    /// (`MAZURKA_BUG_DEPTH`).
    pub fn bug_depth(mut self, events: u32) -> Check {
        self.settings.options.bug_depth = Some(events);
        self
    }

    /// Cuts executions short after this many steps (`MAZURKA_MAX_DEPTH`).
    pub fn max_depth(mut self, steps: u64) -> Check {
        self.settings.options.max_depth = steps;
        self
    }

    /// Cuts executions short that have more than this many processes
    /// (`MAZURKA_MAX_PROCESSES`).
    pub fn max_processes(mut self, processes: u64) -> Check {
        self.settings.options.max_processes = processes;
        self
    }

    /// Stops after this many executions (`MAZURKA_MAX_EXECUTIONS`).
    pub fn max_executions(mut self, executions: u64) -> Check {
        self.settings.options.max_executions = Some(executions);
        self
    }

    /// Stops after this many seconds (`MAZURKA_MAX_SECONDS`).
    ///
    /// # Panics
    /// It is not a length of time.
    pub fn max_seconds(mut self, seconds: f64) -> Check {
        self.settings.options.max_seconds = Some(time("max_seconds", seconds));
        self
    }

    /// Stops when this much memory, in MiB, is in use (`MAZURKA_MAX_MEMORY`; Linux only).
    pub fn max_memory(mut self, mebibytes: u64) -> Check {
        self.settings.options.max_memory = Some(mebibytes);
        self
    }

    /// How many seconds a process may run without waiting for anything before it is said to
    /// loop for ever; 10 if not given (`MAZURKA_MAX_STEP_SECONDS`).
    ///
    /// # Panics
    /// It is not a length of time.
    pub fn max_step_seconds(mut self, seconds: f64) -> Check {
        self.settings.max_step = time("max_step_seconds", seconds);
        self
    }

    /// Gathers all distinct errors instead of stopping at the first (`MAZURKA_KEEP_GOING`).
    pub fn keep_going(mut self, on: bool) -> Check {
        self.settings.options.keep_going = on;
        self
    }

    /// After an execution with a stuck process and no other error, explores this many more, to look
    /// for errors of other kinds; 10,000 if not given, and 0 stops at the first
    /// (`MAZURKA_AFTER_STUCK`). A process that should have called [`daemon`](crate::daemon) is stuck
    /// in every execution, and must not hide an error that only some have.
    pub fn after_stuck(mut self, executions: u64) -> Check {
        self.settings.options.after_stuck = executions;
        self
    }

    /// Reports every step, the failing and the passing execution side by side, and all counts
    /// (`MAZURKA_VERBOSE`).
    pub fn verbose(mut self, on: bool) -> Check {
        self.settings.options.verbose = on;
        self
    }

    /// Treats a kind of warning as an error; may be called several times (`MAZURKA_ERROR`, a
    /// list with commas).
    pub fn error(mut self, kind: Kind) -> Check {
        self.settings.options.errors.push(kind);
        self
    }

    /// The program is meant to have an error of this kind: the check passes only if it is
    /// found, and nothing else. May be called several times (`MAZURKA_EXPECT`, a list with
    /// commas).
    pub fn expect(mut self, kind: Kind) -> Check {
        self.settings.options.expect.push(kind);
        self
    }

    /// Runs every step of the program twice, not only the first ones, to find out whether it
    /// is deterministic (`MAZURKA_DISTRUST`).
    pub fn distrust(mut self, on: bool) -> Check {
        self.settings.options.distrust = on;
        self
    }

    /// Where the logs of errors go; `mazurka-logs` in cargo's target directory if not given
    /// (`MAZURKA_LOG_DIR`).
    pub fn log_dir(mut self, directory: impl Into<PathBuf>) -> Check {
        self.settings.options.log_dir = Some(directory.into());
        self
    }

    /// Writes no logs of errors (`MAZURKA_NO_LOGS`).
    pub fn no_logs(mut self, on: bool) -> Check {
        self.settings.no_logs = on;
        self
    }

    /// Makes the report one JSON object (`MAZURKA_FORMAT`, `text` or `json`).
    pub fn json(mut self, on: bool) -> Check {
        self.settings.json = on;
        self
    }

    /// Lets a check pass that a bound ended early, or that only samples, if nothing was wrong so far
    /// (`MAZURKA_ALLOW_INCOMPLETE`). That is not a verification, and the report says so.
    pub fn allow_incomplete(mut self, on: bool) -> Check {
        self.settings.allow_incomplete = on;
        self
    }

    /// Runs the program in every causally different execution.
    ///
    /// # Panics
    /// Something goes wrong in one of them, or a bound ended the check early. The panic has the
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

    /// Runs the program in every causally different execution and says what came of it,
    /// whatever that is.
    ///
    /// # Panics
    /// The settings are wrong, a process loops for ever without waiting for anything, or the
    /// profile says `panic = "abort"`.
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
        // Nothing watches a replay: it may stand still in a debugger.
        let max_step = match log {
            Some(_) => Duration::MAX,
            None => settings.max_step,
        };
        let task = move || -> Task {
            let (subject, settings, program) = (subject.clone(), settings.clone(), program.clone());
            let make = move || Program::new(program.clone());
            match log.clone() {
                Some((log, file)) => {
                    Box::new(move || replay::along(&file, &log, subject, &settings, make()))
                }
                None => Box::new(move || explore_here(subject, &settings, Box::new(make))),
            }
        };
        attend(&task, max_step)
    }

    /// Runs a program once more along a log that a failed check with these settings has written,
    /// as [`replay`](crate::replay()) does.
    ///
    /// # Panics
    /// Something goes wrong that was not expected: the panic has the report. Or the log cannot be
    /// read.
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

    /// Runs the program in every causally different execution, prints the report and gives the
    /// exit code of the `mazurka` command: for a `main` of its own.
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

    /// The settings, those of the environment included.
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

fn time(setting: &str, seconds: f64) -> Duration {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => time,
        _ => panic!("{setting}({seconds}): give a number of seconds above 0"),
    }
}

/// What came of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// What it comes to.
    pub verdict: Verdict,
    /// How many executions were run to their ends.
    pub executions: u64,
    /// How many steps were explored.
    pub steps: u64,
    /// How many local histories the processes have: for each, a process ran one step.
    pub histories: u64,
    /// How many steps processes really ran, those that brought a process back to an earlier
    /// history included.
    pub runs: u64,
    /// What is wrong, and what is odd.
    pub found: Vec<Finding>,
    /// The same for people, as the `mazurka` command prints it.
    pub report: String,
    pub(crate) exit: Exit,
    pub(crate) is_replay: bool,
}

/// Something wrong or odd.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// Whether it counts as an error.
    pub is_error: bool,
    /// The process it is about.
    pub process: String,
    /// What that process runs, if known.
    pub role: Option<String>,
    /// What happened, in one line.
    pub message: String,
    /// In how many executions.
    pub count: u64,
    /// The file with the log of the shortest of them.
    pub log: Option<PathBuf>,
    /// The backtrace of a panic.
    pub backtrace: Option<String>,
}

impl Checked {
    /// Whether everything was explored, or enough to find what was expected, and nothing else
    /// is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.exit == Exit::Fine
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter().filter(|finding| finding.is_error)
    }

    /// What came of checks under several delivery models.
    fn of_models(outcomes: &[Outcome], runs: u64, json: bool) -> Checked {
        let exit = Exit::gravest(outcomes.iter().map(Outcome::exit));
        let all: Vec<Checked> = { outcomes.iter() }
            .map(|outcome| Checked::new(outcome, runs, false))
            .collect();
        let sum = |number: fn(&Checked) -> u64| all.iter().map(number).sum();
        let gravest = all.iter().find(|checked| checked.exit == exit);
        Checked {
            verdict: gravest.map_or(Verdict::Verified, |checked| checked.verdict),
            exit,
            is_replay: false,
            executions: sum(|checked| checked.executions),
            steps: sum(|checked| checked.steps),
            histories: sum(|checked| checked.histories),
            runs,
            report: match json {
                true => Outcome::all_to_json(outcomes).unwrap_or_else(|error| error.to_string()),
                false => models_text(outcomes),
            },
            found: all.into_iter().flat_map(|checked| checked.found).collect(),
        }
    }

    fn new(outcome: &Outcome, runs: u64, json: bool) -> Checked {
        let progress = outcome.progress.unwrap_or_default();
        let report = match (&outcome.end, json) {
            (_, true) => outcome.to_json().unwrap_or_else(|error| error.to_string()),
            (End::Fault(fault), false) => {
                format!("{}: {fault}\n", outcome.subject.id)
            }
            (_, false) => outcome.to_text(),
        };
        Checked {
            verdict: outcome.verdict(),
            exit: outcome.exit(),
            is_replay: false,
            executions: progress.executions,
            steps: progress.transitions,
            histories: progress.behaviour_nodes,
            runs,
            found: outcome
                .found
                .iter()
                .map(|kept| Finding {
                    kind: kept.found.finding.kind,
                    is_error: kept.found.is_error,
                    process: kept.found.finding.process.clone(),
                    role: kept.found.finding.role.clone(),
                    message: kept.found.finding.message.clone(),
                    count: kept.found.count,
                    log: kept.file.clone(),
                    backtrace: kept.details.clone(),
                })
                .collect(),
            report,
        }
    }
}

/// Makes the program to check, as often as it is needed.
///
/// What explores it knows nothing else of its type: so the engine is compiled once, with this
/// crate, and not again for every test.
pub(crate) type Make = Box<dyn Fn() -> Program + Send>;

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
    let mut outcomes: Vec<Outcome> = { settings.for_each_model().into_iter() }.map(run).collect();
    let runs = || pulse::runs() - before;
    match &mut outcomes[..] {
        [outcome] => Checked::new(outcome, runs(), settings.json),
        outcomes => {
            compare_models(outcomes);
            Checked::of_models(outcomes, runs(), settings.json)
        }
    }
}

/// A check, or a replay.
type Task = Box<dyn FnOnce() -> Checked + Send>;

/// What a thread that runs a check has to say.
enum Word {
    /// Its result.
    Done(Checked),
    /// The program aborts as soon as the sender is dropped.
    Doomed(Doom, Sender<()>),
}

/// More ways to abort than this are not looked for: the check begins again for each.
const DOOMS_MAX: usize = 20;

/// Runs a check on a thread that can be given up: if the program never waits again, or aborts.
fn attend(task: &dyn Fn() -> Task, max_step: Duration) -> Checked {
    let mut dooms: Vec<Doom> = Vec::new();
    let mut held: Vec<Sender<()>> = Vec::new();
    loop {
        let pulse = Arc::new(Pulse::default());
        let felt = Arc::clone(&pulse);
        let (send, words) = channel();
        let (run, known) = (task(), dooms.clone());
        let thread = new_thread(move || {
            pulse::share(felt);
            let report = send.clone();
            doomed::watch(known, move |doom| {
                let (hold, let_go) = channel();
                let _ = report.send(Word::Doomed(doom, hold));
                let _ = let_go.recv();
            });
            let checked = run();
            // Nobody listens any more if it took too long.
            let _ = send.send(Word::Done(checked));
        });
        match wait(&words, &pulse, max_step) {
            Some(Word::Done(checked)) if held.is_empty() => return checked,
            Some(Word::Done(checked)) => abort(&checked.report, held),
            Some(Word::Doomed(doom, hold)) => {
                held.push(hold);
                let is_new = !dooms.contains(&doom) && dooms.len() < DOOMS_MAX;
                if doom.at.is_none() || !is_new {
                    abort(&doom.message, held);
                }
                dooms.push(doom);
            }
            None => {
                result_of(thread);
                unreachable!("it has sent its result, or panicked")
            }
        }
    }
}

/// Prints the last words of a check whose program has aborted, and lets it abort.
fn abort(last_words: &str, held: Vec<Sender<()>>) -> ! {
    // What a test prints is kept until it ends, which it does not.
    let _ = writeln!(std::io::stderr(), "\n{last_words}");
    drop(held);
    loop {
        std::thread::park();
    }
}

/// A thread named like this one, if it has a name.
fn new_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    /// Processes may need more than a thread usually gets.
    const STACK_BYTES: usize = 64 << 20;
    let mut thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    if let Some(name) = std::thread::current().name() {
        thread = thread.name(name.to_owned());
    }
    match thread.spawn(run) {
        Ok(thread) => thread,
        Err(error) => panic!("cannot start a thread for the check: {error}"),
    }
}

/// Waits for a thread. If it panics, so does this one.
fn result_of<T>(thread: JoinHandle<T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Nothing if the thread has panicked.
fn wait(words: &Receiver<Word>, pulse: &Pulse, max_step: Duration) -> Option<Word> {
    let look_every = (max_step / 10).min(Duration::from_millis(200));
    let mut last = None;
    let mut since = Instant::now();
    loop {
        match words.recv_timeout(look_every) {
            Ok(word) => return Some(word),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let running = pulse.feel();
        if running != last {
            (last, since) = (running, Instant::now());
        }
        if let Some(running) = running
            && since.elapsed() >= max_step
        {
            let process = running.process.map_or("?".into(), |pid| pid.to_string());
            panic!(
                "process {process} has run for {} seconds after {} without waiting for \
                 anything: does it loop for ever? (If it only needs more time, say so: \
                 max_step_seconds(..) or MAZURKA_MAX_STEP_SECONDS.)",
                max_step.as_secs_f64(),
                crate::trouble::inputs_text(running.inputs)
            );
        }
    }
}
