//! Runs a check.

use crate::diagnosis;
use crate::dot::TREE_NODES_MAX;
use crate::host::{Host, LogAt};
use crate::hunt;
use crate::logs::{LogFiles, log_of};
use crate::memory;
use crate::models;
use crate::options::CheckOptions;
use crate::options_error::OptionsError;
use crate::outcome::{End, Hunted, Kept, Outcome};
use crate::plan::Plan;
use crate::subject::Subject;
use crate::verify;
use crate::watch::{Limits, Watch};
use mazurka_engine::{
    Brake, Directed, Fault, Found, Frontend, Options, Progress, Report, SendersFirst, Settings,
    Timeouts, Valuation, Watcher, reports_distances,
};
use mazurka_lab::check_with;
use mazurka_trace::Log;
use std::ops::ControlFlow;
use std::time::Duration;

/// Explores every execution of a program, and keeps errors and warnings with their logs.
///
/// # Errors
/// The options cannot be combined, or are not supported here.
pub fn run<F: Frontend>(
    subject: Subject,
    frontend: F,
    options: &CheckOptions,
    host: &mut impl Host,
) -> Result<Outcome, OptionsError> {
    let plan = Plan::new(options)?;
    check_support(&frontend, options, &plan)?;
    let again = frontend.fresh_copy();
    let watch = Watch::new(options, host);
    let brake = watch.brake();
    let mut watching = Watching {
        watch,
        logs: LogFiles::new(&subject, options),
        host,
    };
    let mut explored = explore(frontend, options, &plan, brake, &mut watching);
    let Watching {
        watch,
        mut logs,
        host,
    } = watching;
    let (plan, hunters) = match &mut explored {
        Ok(explored) => (explored.plan, std::mem::take(&mut explored.hunters)),
        Err(_) => (plan, Vec::new()),
    };
    let report = explored.map(|explored| explored.report);
    let end = End::new(&report, watch.stopped());
    let stopped_in = match &report {
        Ok(report) => report.interrupted.clone(),
        Err(Fault::Interrupted { what }) => Some(what.clone()),
        Err(_) => None,
    };
    let seconds = watch.elapsed().as_secs_f64();
    let (progress, found, stopped_daemons, tree, repeats) = match report {
        Ok(Report {
            progress,
            found,
            stopped_daemons,
            tree,
            repeats,
            ..
        }) => (Some(progress), found, stopped_daemons, tree, repeats),
        Err(_) => (None, Vec::new(), Vec::new(), None, None),
    };
    let is_unfinished = !matches!(end, End::Complete | End::FirstError);
    let kept = found.into_iter().map(|found| keep(found, &mut logs, host));
    let kept = kept.collect();
    let unwritten = logs.error();
    let mut outcome = Outcome {
        subject,
        options: options.clone(),
        plan,
        hunters,
        end,
        stopped_in,
        progress,
        found: kept,
        stopped_daemons,
        clauses: again.hints().clauses(),
        premises: again.hints().premises(),
        tree,
        repeats: repeats.filter(|_| is_unfinished),
        unwritten,
        seconds,
        peak_memory: memory::peak(),
    };
    explain(&again, &mut outcome, host);
    Ok(outcome)
}

/// Refuses options that this system or this program does not support.
fn check_support<F: Frontend>(
    frontend: &F,
    options: &CheckOptions,
    plan: &Plan,
) -> Result<(), OptionsError> {
    if options.max_memory.is_some() && memory::in_use().is_none() {
        let setting = options.name("max-memory");
        return Err(OptionsError::MemoryUnknown { setting });
    }
    let distance = Valuation::Distance;
    if plan.direction.valuations.weight(distance) > 0 {
        let engine = settings(options, plan, Brake::default()).explore;
        // If the program cannot be run, its fault is reported by the exploration.
        if let Ok(false) = reports_distances(frontend, &engine) {
            return Err(OptionsError::NoDistances {
                setting: options.name("valuation"),
                valuation: distance,
            });
        }
    }
    Ok(())
}

/// Replays and explains the errors, even after the time limit.
fn explain<F: Frontend>(again: &F, outcome: &mut Outcome, host: &mut impl Host) {
    add_replay_lines(outcome, host);
    let explain_max = match outcome.stopped_in {
        Some(_) => EXPLAIN_AFTER_STOP_MAX,
        None => EXPLAIN_MAX,
    };
    let max_memory = outcome.options.max_memory;
    let limits = Limits::new(Some(explain_max), max_memory, host.interrupts());
    let engine = settings(&outcome.options, &outcome.plan, limits.brake()).explore;
    verify::replay_errors(again, &engine, &mut outcome.found, host);
    diagnosis::add(again, &engine, &mut outcome.found);
    models::add(again, outcome, host);
}

/// What happens while a program is explored: bounds, progress, logs of errors.
struct Watching<'c, 'h, H> {
    watch: Watch,
    logs: LogFiles<'c>,
    host: &'h mut H,
}

impl<H: Host> Watcher for &mut Watching<'_, '_, H> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.watch.look(progress, self.host)
    }

    fn error(&mut self, found: &Found) {
        self.logs.write(found);
    }
}

/// The result of an exploration or a hunt.
struct Explored {
    plan: Plan,
    hunters: Vec<Hunted>,
    report: Report,
}

fn explore<F: Frontend>(
    frontend: F,
    options: &CheckOptions,
    plan: &Plan,
    brake: Brake,
    mut watching: &mut Watching<'_, '_, impl Host>,
) -> Result<Explored, Fault> {
    let settings = settings(options, plan, brake);
    if options.hunt {
        let plans = hunt::plans(options);
        let hunters: Vec<_> = plans.iter().map(hunt::hunter).collect();
        // The first error ends a hunt, so there are no earlier errors whose logs could be lost.
        let look = |progress: &Progress| watching.progress(progress);
        let hunt = mazurka_engine::hunt(&frontend, &hunters, &settings, look)?;
        let is_over = hunt.report.is_complete() || hunt.report.errors().next().is_some();
        let hunted = (0..).zip(plans.iter().zip(hunt.progress));
        return Ok(Explored {
            plan: plans[hunt.by],
            hunters: hunted
                .map(|(at, (&plan, progress))| Hunted {
                    plan,
                    progress,
                    ended_it: is_over && at == hunt.by,
                })
                .collect(),
            report: hunt.report,
        });
    }
    let by = plan.algorithm_options();
    let report = match plan.direction.valuations.is_empty() {
        true => check_with(frontend, SendersFirst, &by, &settings, watching)?,
        false => {
            let guide = Directed::new(&plan.direction);
            check_with(frontend, guide, &by, &settings, watching)?
        }
    };
    Ok(Explored {
        plan: *plan,
        hunters: Vec::new(),
        report,
    })
}

/// The engine's options for a check, for a host that runs one of its executions again.
///
/// # Errors
/// The options cannot be combined.
pub fn engine_options(options: &CheckOptions) -> Result<Options, OptionsError> {
    let plan = Plan::new(options)?;
    Ok(settings(options, &plan, Brake::default()).explore)
}

/// Maximum time for replaying errors and for explaining them, if steps check the brake. It is less than
/// the library allows for one step: an explanation runs other executions, and if one of them does not
/// end, the error must still be reported.
const EXPLAIN_MAX: Duration = Duration::from_secs(8);
/// The same after a step was interrupted: the explanation may reach the same step.
const EXPLAIN_AFTER_STOP_MAX: Duration = Duration::from_secs(2);

pub(crate) fn settings(options: &CheckOptions, plan: &Plan, brake: Brake) -> Settings {
    let mut explore = Options {
        delivery: options.model(),
        timeouts: options.timeouts,
        max_depth: Some(usize::try_from(options.max_depth).unwrap_or(usize::MAX)),
        max_processes: Some(usize::try_from(options.max_processes).unwrap_or(usize::MAX)),
        max_executions: options.max_executions,
        distrust: options.distrust,
        brake,
        ..Options::default()
    };
    plan.set_up(&mut explore);
    if let Some(mib) = options.max_memory {
        // Behaviour nodes can be evicted, so they should not fill the whole memory limit.
        let quarter = usize::try_from(mib.saturating_mul((1 << 20) / 4)).unwrap_or(usize::MAX);
        explore.node_memory = explore.node_memory.min(quarter);
    }
    Settings {
        explore,
        keep_going: options.keep_going,
        after_stuck: options.after_stuck,
        errors: options.errors.clone(),
        expected: options.expect.clone(),
        tree: options.tree.then_some(TREE_NODES_MAX),
    }
}

/// Adds to a finding the file of its log, if it is an error, and details from the host.
fn keep(found: Found, logs: &mut LogFiles<'_>, host: &mut impl Host) -> Kept {
    let is_error = found.is_error;
    Kept {
        file: is_error.then(|| logs.write(&found)).flatten(),
        details: match is_error {
            true => host.details(&found.finding, &found.trace),
            false => None,
        },
        found,
        diagnosis: None,
        dependence: None,
        found_under: Vec::new(),
        replay: None,
        recurs: None,
    }
}

/// Adds to each error the command that replays it.
fn add_replay_lines(outcome: &mut Outcome, host: &mut impl Host) {
    let (subject, options) = (&outcome.subject, &outcome.options);
    for kept in { outcome.found.iter_mut() }.filter(|kept| kept.found.is_error) {
        let log = log_of(subject, options, &kept.found);
        let inputs: usize = log.processes.values().map(Vec::len).sum();
        let token = (inputs <= TOKEN_INPUTS_MAX).then(|| token(log));
        let at = match (&kept.file, &token) {
            (_, Some(token)) if token.len() <= TOKEN_MAX => LogAt::Token(token),
            (Some(file), _) => LogAt::File(file),
            (None, Some(token)) if token.len() <= TOKEN_ALONE_MAX => LogAt::Token(token),
            (None, _) => continue,
        };
        kept.replay = host.replay_line(subject, options, at);
    }
}

/// Maximum length of a token if there is a file with the log; a longer token is inconvenient on a
/// command line. Without a file, the limit is `TOKEN_ALONE_MAX`.
const TOKEN_MAX: usize = 200;
const TOKEN_ALONE_MAX: usize = 2_000;
/// A log with more inputs has a token that is too long: each input takes at least half a character.
const TOKEN_INPUTS_MAX: usize = 2 * TOKEN_ALONE_MAX;

/// A log as a token. Of the error, it keeps only what is needed to recognise it.
fn token(mut log: Log) -> String {
    const MESSAGE_MAX: usize = 30;
    if let Some(error) = &mut log.error {
        let mut rest = error.message.char_indices().skip(MESSAGE_MAX);
        if let Some((at, _)) = rest.next().filter(|_| rest.next().is_some()) {
            error.message.truncate(at);
            error.message.push('…');
        }
    }
    let usual = Timeouts::default().to_string();
    log.timeouts = log.timeouts.filter(|timeouts| *timeouts != usual);
    log.to_token()
}
