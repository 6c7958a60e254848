//! What came of a check, and its JSON form (`docs/report-format.md`).

use crate::args::Check;
use crate::exit::Exit;
use crate::plan::Plan;
use crate::program::Chosen;
use crate::watch::Stop;
use mazurka_engine::{
    Algorithm, Fault, Found, Kind, Order, Progress, Report, Stopped, Strategy, Timeouts,
};
use mazurka_trace::Log;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The version of the JSON report.
pub const REPORT_VERSION: u32 = 1;

/// A check that is over.
pub struct Outcome<'c> {
    /// How it was asked for.
    pub args: &'c Check,
    /// How it was explored.
    pub plan: Plan,
    /// The program.
    pub chosen: &'c Chosen,
    /// Why it ended.
    pub end: End,
    /// How far it came; nothing if the program could not be run on.
    pub progress: Option<Progress>,
    /// What it found, errors first.
    pub found: Vec<Kept>,
    /// How long it took.
    pub seconds: f64,
    /// The most memory in use, where the system tells.
    pub peak_memory: Option<u64>,
}

/// Something found, and where its log is.
pub struct Kept {
    /// What was found.
    pub found: Found,
    /// The log of its shortest execution.
    pub log: Log,
    /// The file with that log; only errors have one.
    pub file: Option<PathBuf>,
}

/// Why a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was explored.
    Complete,
    /// An error was found.
    FirstError,
    /// Executions were cut short.
    DepthBound,
    /// The bound on executions.
    ExecutionBound,
    /// The bound on preemptions.
    PreemptionBound,
    /// The bound on seconds.
    TimeBound,
    /// The bound on memory.
    MemoryBound,
    /// Ctrl-C.
    Interrupted,
    /// The program could not be run on.
    Fault(Fault),
}

impl End {
    /// Why the engine stopped, or why we stopped it.
    pub fn new(report: &Result<Report, Fault>, stop: Option<Stop>) -> End {
        match (report, stop) {
            (Err(fault), _) => End::Fault(fault.clone()),
            (Ok(report), stop) => match (report.stopped, stop) {
                (Stopped::Complete, _) => End::Complete,
                (Stopped::DepthBound, _) => End::DepthBound,
                (Stopped::ExecutionBound, _) => End::ExecutionBound,
                (Stopped::PreemptionBound, _) => End::PreemptionBound,
                (Stopped::Observer, None) => End::FirstError,
                (Stopped::Observer, Some(Stop::Time)) => End::TimeBound,
                (Stopped::Observer, Some(Stop::Memory)) => End::MemoryBound,
                (Stopped::Observer, Some(Stop::Interrupt)) => End::Interrupted,
            },
        }
    }

    /// The word in the JSON report.
    pub fn name(&self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::FirstError => "first-error",
            End::DepthBound => "depth-bound",
            End::ExecutionBound => "execution-bound",
            End::PreemptionBound => "preemption-bound",
            End::TimeBound => "time-bound",
            End::MemoryBound => "memory-bound",
            End::Interrupted => "interrupted",
            End::Fault(Fault::Nondeterminism { .. }) => "nondeterminism",
            End::Fault(Fault::Unsupported { .. }) => "not-modelled",
        }
    }
}

impl Outcome<'_> {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Kept> {
        self.found.iter().filter(|kept| kept.found.is_error)
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Kept> {
        self.found.iter().filter(|kept| !kept.found.is_error)
    }

    /// Beginnings of executions that were not looked at. Only the optimal algorithm knows them.
    pub fn unexplored(&self) -> Option<u64> {
        let progress = self.progress.as_ref()?;
        (self.plan.algorithm == Algorithm::Optimal).then_some(progress.frontier as u64)
    }

    /// The exit code. A bug stays a bug, whatever stopped us.
    pub fn exit(&self) -> Exit {
        match &self.end {
            _ if self.errors().next().is_some() => Exit::Bug,
            End::Fault(fault) => Exit::of_fault(fault),
            End::Complete => Exit::Fine,
            _ => Exit::Stopped,
        }
    }

    /// The command that shows an error again.
    pub fn replay_line(&self, kept: &Kept) -> Option<String> {
        let file = kept.file.as_ref()?;
        let mut line = format!(
            "mazurka replay {} {}",
            self.chosen.id(),
            quoted(&file.to_string_lossy())
        );
        let kind = kept.found.finding.kind;
        if self.args.target.timeouts != Timeouts::default() {
            line += &format!(" --timeouts {}", self.args.target.timeouts);
        }
        if !kind.is_error() {
            line += &format!(" --error {kind}");
        }
        if kind == Kind::DepthBound {
            line += &format!(" --max-depth {}", self.args.max_depth);
        }
        Some(line)
    }

    /// The JSON report.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&self.json())
    }

    fn json(&self) -> Json<'_> {
        let number = |field: fn(&Progress) -> u64| self.progress.as_ref().map(field);
        Json {
            mazurka: "report",
            version: REPORT_VERSION,
            program: self.chosen.id(),
            params: self.chosen.params(),
            delivery: self.args.target.delivery.name(),
            timeouts: self.args.target.timeouts.to_string(),
            strategy: self.plan.strategy.to_string(),
            seed: match self.plan.strategy {
                Strategy::Random { seed } => Some(seed),
                _ => None,
            },
            algorithm: self.plan.algorithm.name(),
            order: self.plan.order.map(Order::name),
            sleep_sets: self.plan.sleep_sets,
            blocking_avoidance: self.plan.blocking_avoidance,
            preemption_bound: self.plan.preemption_bound,
            executions: number(|p| p.executions),
            cut_short: number(|p| p.cut_short),
            blocked: number(|p| p.blocked),
            transitions: number(|p| p.transitions),
            starts: number(|p| p.starts),
            behaviour_nodes: number(|p| p.behaviour_nodes),
            unexplored: self.unexplored(),
            complete: self.end == End::Complete,
            stopped: self.end.name(),
            fault: match &self.end {
                End::Fault(fault) => Some(fault.to_string()),
                _ => None,
            },
            errors: self.errors().map(JsonFound::new).collect(),
            warnings: self.warnings().map(JsonFound::new).collect(),
            seconds: self.seconds,
            peak_memory_bytes: self.peak_memory,
        }
    }
}

/// A word for a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+,=:@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    program: &'o str,
    params: &'o BTreeMap<String, String>,
    delivery: &'static str,
    timeouts: String,
    strategy: String,
    seed: Option<u64>,
    algorithm: &'static str,
    order: Option<&'static str>,
    sleep_sets: Option<bool>,
    blocking_avoidance: Option<bool>,
    preemption_bound: Option<u32>,
    executions: Option<u64>,
    cut_short: Option<u64>,
    blocked: Option<u64>,
    transitions: Option<u64>,
    starts: Option<u64>,
    behaviour_nodes: Option<u64>,
    unexplored: Option<u64>,
    complete: bool,
    stopped: &'static str,
    fault: Option<String>,
    errors: Vec<JsonFound<'o>>,
    warnings: Vec<JsonFound<'o>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct JsonFound<'o> {
    kind: &'static str,
    process: &'o str,
    role: Option<&'o str>,
    message: &'o str,
    count: u64,
    log: Value,
    log_file: Option<String>,
}

impl<'o> JsonFound<'o> {
    fn new(kept: &'o Kept) -> Self {
        let finding = &kept.found.finding;
        JsonFound {
            kind: finding.kind.name(),
            process: &finding.process,
            role: finding.role.as_deref(),
            message: &finding.message,
            count: kept.found.count,
            // We wrote it, so it reads back.
            log: serde_json::from_str(&kept.log.to_json()).unwrap_or_default(),
            log_file: kept
                .file
                .as_ref()
                .map(|file| file.to_string_lossy().into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_for_the_shell() {
        assert_eq!(quoted("mazurka-logs/a-1.json"), "mazurka-logs/a-1.json");
        assert_eq!(quoted("my logs/it's.json"), r"'my logs/it'\''s.json'");
        assert_eq!(quoted(""), "''");
    }
}
