//! Measures checks, each in its own process, so that time and memory are its own and a check that does
//! not stop can be killed.

use crate::watch::{interrupted, terminal_bar};
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use mazurka_report::{CheckOptions, Exit, Plan};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fs::File;
use std::io::{Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A check to measure.
#[derive(Clone, Debug)]
pub struct Run {
    /// The program and its parameters, as on the command line.
    pub program: Vec<String>,
    /// How to explore.
    pub plan: Plan,
    /// The other settings.
    pub options: CheckOptions,
}

/// The result of a measured check.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// How it ended.
    pub end: Ended,
    /// Its figures, if it wrote a report.
    pub figures: Option<Figures>,
}

/// The figures of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Complete executions.
    pub paths: u64,
    /// Executions started and given up.
    pub blocked: u64,
    /// Steps, without starts of processes.
    pub transitions: u64,
    /// Distinct errors.
    pub errors: u64,
    /// How long it took.
    pub seconds: f64,
    /// Peak memory in bytes, if the system reports it.
    pub memory: Option<u64>,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything was explored.
    Complete,
    /// At the first error, as asked.
    FirstError,
    /// Early; the reason is named as in the report of a check.
    Early(String),
    /// The program is not deterministic; with a description.
    Nondeterministic(String),
    /// The program uses something that is not modelled.
    NotModelled(String),
    /// Without a report; with the reason.
    Failed(String),
}

impl Ended {
    /// The word in JSON.
    pub fn name(&self) -> &str {
        match self {
            Ended::Complete => "complete",
            Ended::FirstError => "first-error",
            Ended::Early(by) => by,
            Ended::Nondeterministic(_) => "nondeterminism",
            Ended::NotModelled(_) => "not-modelled",
            Ended::Failed(_) => "failed",
        }
    }

    /// The words in a table.
    pub fn text(&self) -> String {
        match self {
            Ended::Complete => "complete".to_owned(),
            Ended::FirstError => "first error".to_owned(),
            Ended::Early(by) => format!("stopped: {}", stopped_by(by)),
            Ended::Nondeterministic(_) => "not deterministic".to_owned(),
            Ended::NotModelled(_) => "not modelled".to_owned(),
            Ended::Failed(_) => "failed".to_owned(),
        }
    }

    /// The fault of the check itself, as opposed to errors of the program.
    pub fn trouble(&self) -> Option<&str> {
        match self {
            Ended::Nondeterministic(what) | Ended::NotModelled(what) | Ended::Failed(what) => {
                Some(what)
            }
            _ => None,
        }
    }

    /// Whether a longer run could give higher figures.
    pub fn is_early(&self) -> bool {
        !matches!(self, Ended::Complete | Ended::FirstError)
    }
}

/// A note on checks that had to be killed.
pub const KILLED: &str = "What was stopped and shows no figures did not stop by itself and was \
                          killed: how far it came is not known.";

/// What stopped a check, as an option of the command where there is one.
fn stopped_by(name: &str) -> &str {
    match name {
        "depth-bound" => "--max-depth",
        "execution-bound" => "--max-executions",
        "preemption-bound" => "--preemption-bound",
        "time-bound" => "--max-seconds",
        "memory-bound" => "--max-memory",
        "interrupted" => "Ctrl-C",
        other => other,
    }
}

impl Measured {
    /// Whether the figures are lower bounds.
    pub fn is_lower_bound(&self) -> bool {
        self.figures.is_some() && self.end.is_early()
    }

    /// Whether it was killed and so has no figures.
    pub fn was_killed(&self) -> bool {
        self.figures.is_none() && matches!(self.end, Ended::Early(_))
    }

    /// The exit code of a check with this result.
    pub fn exit(&self) -> Exit {
        match &self.end {
            _ if self.figures.is_some_and(|figures| figures.errors > 0) => Exit::Bug,
            Ended::Nondeterministic(_) => Exit::Nondeterministic,
            Ended::NotModelled(_) => Exit::NotModelled,
            Ended::Complete => Exit::Fine,
            Ended::FirstError | Ended::Early(_) | Ended::Failed(_) => Exit::Stopped,
        }
    }
}

/// Runs checks one after the other and shows the current one on a terminal.
pub struct Measurer {
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
}

impl Measurer {
    /// For this many checks.
    pub fn new(total: usize) -> Measurer {
        Measurer {
            bar: terminal_bar(),
            total,
            done: 0,
        }
    }

    /// Runs one and waits for it.
    pub fn run(&mut self, run: &Run) -> Result<Measured> {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.set_message(format!(
                "{} of {}: {}, {}",
                self.done, self.total, run.program[0], run.plan
            ));
        }
        measure(run, self.bar.as_ref())
    }

    /// Counts a check that is not run.
    pub fn skip(&mut self) {
        self.done += 1;
    }
}

impl Drop for Measurer {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn measure(run: &Run, bar: Option<&ProgressBar>) -> Result<Measured> {
    let program = std::env::current_exe().context("cannot find the mazurka command itself")?;
    // Files, not pipes, so that they need not be read while the check runs.
    let mut stdout = tempfile::tempfile().context("cannot make a temporary file")?;
    let mut stderr = tempfile::tempfile().context("cannot make a temporary file")?;
    let mut child = Command::new(&program)
        .args(arguments(run))
        .env("NO_COLOR", "1")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let waited = wait(&mut child, run.options.max_seconds, bar);
    if waited.is_err() {
        // The child must not outlive this command.
        let _ = child.kill();
    }
    let measured = match waited? {
        Waited::Ended(status) => read(&text(&mut stdout)?, &text(&mut stderr)?, status),
        Waited::Killed(by) => Measured {
            end: Ended::Early(by.to_owned()),
            figures: None,
        },
    };
    Ok(measured)
}

fn arguments(run: &Run) -> Vec<String> {
    let mut words = vec!["check".to_owned()];
    words.extend_from_slice(&run.program);
    words.extend(["--format", "json", "--no-logs"].map(str::to_owned));
    // The usual delivery model depends on the program.
    let usual = CheckOptions {
        delivery: Vec::new(),
        ..CheckOptions::default()
    };
    words.extend(run.options.arguments(&usual));
    let plan = run.plan.options();
    words.extend(plan.arguments(&CheckOptions::default()));
    words
}

/// How waiting for a process ended.
enum Waited {
    Ended(ExitStatus),
    /// It did not stop in time; with what should have stopped it.
    Killed(&'static str),
}

/// How long a check may take to stop and report after its time is over.
const GRACE: Duration = Duration::from_secs(5);

/// Waits for a process, and kills it if it does not stop in time.
fn wait(child: &mut Child, max: Option<Duration>, bar: Option<&ProgressBar>) -> Result<Waited> {
    const LONGEST_NAP: Duration = Duration::from_millis(50);
    let started = Instant::now();
    let mut interrupt: Option<Instant> = None;
    let mut nap = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Waited::Ended(status));
        }
        // Ctrl-C at a terminal reaches the child too, so the check stops by itself.
        if interrupted() && interrupt.is_none() {
            interrupt = Some(Instant::now());
        }
        let late = if interrupt.is_some_and(|at| at.elapsed() >= GRACE / 4) {
            Some("interrupted")
        } else if max.is_some_and(|max| started.elapsed() >= max.saturating_add(GRACE)) {
            Some("time-bound")
        } else {
            None
        };
        if let Some(by) = late {
            child.kill()?;
            child.wait()?;
            return Ok(Waited::Killed(by));
        }
        if let Some(bar) = bar {
            bar.tick();
        }
        thread::sleep(nap);
        nap = (nap * 2).min(LONGEST_NAP);
    }
}

fn text(file: &mut File) -> Result<String> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// The fields of the JSON report that are used here.
#[derive(Deserialize)]
struct Report {
    executions: Option<u64>,
    blocked: Option<u64>,
    transitions: Option<u64>,
    starts: Option<u64>,
    stopped: String,
    fault: Option<String>,
    errors: Vec<IgnoredAny>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

fn read(stdout: &str, stderr: &str, status: ExitStatus) -> Measured {
    let Ok(report) = serde_json::from_str::<Report>(stdout) else {
        let details = match stderr.trim() {
            "" => String::new(),
            text => format!(": {text}"),
        };
        return Measured {
            end: Ended::Failed(format!(
                "the check ended without a report ({status}){details}"
            )),
            figures: None,
        };
    };
    let fault = report.fault.unwrap_or_default();
    let end = match &report.stopped[..] {
        "complete" => Ended::Complete,
        "first-error" => Ended::FirstError,
        "nondeterminism" => Ended::Nondeterministic(fault),
        "not-modelled" => Ended::NotModelled(fault),
        by => Ended::Early(by.to_owned()),
    };
    let figures = report.executions.map(|paths| Figures {
        paths,
        blocked: report.blocked.unwrap_or_default(),
        transitions: report
            .transitions
            .unwrap_or_default()
            .saturating_sub(report.starts.unwrap_or_default()),
        errors: report.errors.len() as u64,
        seconds: report.seconds,
        memory: report.peak_memory_bytes,
    });
    Measured { end, figures }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(stopped: &str, errors: &str) -> Measured {
        let stdout = format!(
            r#"{{"executions": 5, "blocked": 1, "transitions": 30, "starts": 10,
                 "stopped": "{stopped}", "fault": null, "errors": {errors},
                 "seconds": 0.5, "peak_memory_bytes": null, "something": "new"}}"#
        );
        read(&stdout, "", ExitStatus::default())
    }

    #[test]
    fn reads_a_report() {
        let complete = measured("complete", "[]");
        assert_eq!(complete.end, Ended::Complete);
        assert_eq!(complete.exit(), Exit::Fine);
        let figures = complete.figures.unwrap();
        assert_eq!((figures.paths, figures.transitions), (5, 20));
        let stopped = measured("time-bound", "[]");
        assert_eq!(stopped.end.text(), "stopped: --max-seconds");
        assert!(stopped.end.is_early());
        assert_eq!(stopped.exit(), Exit::Stopped);
        assert_eq!(measured("time-bound", "[{}]").exit(), Exit::Bug);
        assert!(stopped.is_lower_bound() && !stopped.was_killed());
        let interrupted = measured("interrupted", "[]");
        assert_eq!(interrupted.end.text(), "stopped: Ctrl-C");
    }

    #[test]
    fn a_check_may_have_to_be_killed() {
        let killed = Measured {
            end: Ended::Early("time-bound".to_owned()),
            figures: None,
        };
        assert!(killed.was_killed() && !killed.is_lower_bound());
        assert_eq!(killed.exit(), Exit::Stopped);
    }

    #[test]
    fn what_stopped_it_is_named_by_its_option() {
        let text = |by: &str| Ended::Early(by.to_owned()).text();
        assert_eq!(text("execution-bound"), "stopped: --max-executions");
        assert_eq!(text("depth-bound"), "stopped: --max-depth");
        assert_eq!(text("preemption-bound"), "stopped: --preemption-bound");
        assert_eq!(text("memory-bound"), "stopped: --max-memory");
    }

    #[test]
    fn a_check_may_die() {
        let dead = read("", "error: out of luck\n", ExitStatus::default());
        assert_eq!(dead.end.text(), "failed");
        assert_eq!(dead.exit(), Exit::Stopped);
        assert!(
            dead.end
                .trouble()
                .unwrap()
                .ends_with(": error: out of luck")
        );
    }
}
