//! The JSON form of a report (`docs/report-format.md`).

use crate::drive::{DriveOutcome, Recurrence};
use crate::logs::log_of;
use crate::models::Dependence;
use crate::outcome::{End, Hunted, Kept, Outcome, Recurs};
use crate::subject::Subject;
use crate::text::{Explained, visible, visible_lines};
use crate::verdict::Verdict;
use mazurka_engine::{
    Clause, Departure, Finding, Kind, NoReturn, Place, Progress, Sampled, Sampler, Sampling,
    StoppedDaemon,
};
use mazurka_lab::Order;
use mazurka_trace::{Log, LoggedError, Params, escape_invisible};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The version of the JSON report.
pub const REPORT_VERSION: u32 = 1;

impl Outcome {
    /// The JSON report (`docs/report-format.md`).
    ///
    /// # Errors
    /// None are known; the result is that of the JSON library.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&self.json()).map(escape_invisible)
    }

    /// The JSON reports of several checks: an array.
    ///
    /// # Errors
    /// None are known; the result is that of the JSON library.
    pub fn all_to_json(outcomes: &[Outcome]) -> serde_json::Result<String> {
        let reports: Vec<Json<'_>> = outcomes.iter().map(Outcome::json).collect();
        serde_json::to_string_pretty(&reports).map(escape_invisible)
    }

    fn json(&self) -> Json<'_> {
        let number = |field: fn(&Progress) -> u64| self.progress.as_ref().map(field);
        Json {
            mazurka: "report",
            version: REPORT_VERSION,
            program: &self.subject.id,
            params: &self.subject.params,
            delivery: self.options.model().name(),
            timeouts: self.options.timeouts.to_string(),
            premises: { self.premises.iter() }
                .map(|premise| (premise.name, premise.value.as_str()))
                .collect(),
            strategy: self.plan.strategy.to_string(),
            seed: self.plan.seed(),
            threshold: self.plan.threshold(),
            valuations: self.plan.direction.valuations.to_string(),
            direct: self.plan.places().into_iter().map(Place::name).collect(),
            hunters: self.hunters.iter().map(JsonHunter::new).collect(),
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
            estimated_fraction_explored: self.fraction_explored(),
            sample: JsonSample::new(self.plan.sampling, self.sampled()),
            expected: self.expected().into_iter().map(Kind::name).collect(),
            as_expected: (!self.options.expect.is_empty())
                .then(|| self.verdict() == Verdict::AsExpected),
            complete: self.end == End::Complete,
            stopped: self.end.name(),
            fault: match &self.end {
                End::Fault(fault) => Some(fault.to_string()),
                _ => None,
            },
            errors: self.json_errors(),
            warnings: { self.warnings() }
                .map(|kept| JsonFound::new(self, kept, None))
                .collect(),
            stopped_daemons: self.stopped_daemons.iter().map(JsonDaemon::new).collect(),
            clauses: self.clauses.iter().map(JsonClause::new).collect(),
            seconds: self.seconds,
            peak_memory_bytes: self.peak_memory,
        }
    }
}

impl Outcome {
    /// Every error with the number of the error that it is a symptom of.
    fn json_errors(&self) -> Vec<JsonFound<'_>> {
        let cases = self.cases();
        let numbered = (1..).zip(&cases);
        let numbers: HashMap<*const Kept, usize> = numbered
            .flat_map(|(number, case)| case.findings().map(move |kept| (kept as *const _, number)))
            .collect();
        let number = |kept: &Kept| numbers.get(&(kept as *const _)).copied();
        self.errors()
            .map(|kept| JsonFound::new(self, kept, number(kept)))
            .collect()
    }
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    program: &'o str,
    params: &'o Params,
    delivery: &'static str,
    timeouts: String,
    /// Each setting of the front-end that the result depends on is a field.
    #[serde(flatten)]
    premises: BTreeMap<&'o str, &'o str>,
    strategy: String,
    seed: Option<u64>,
    /// Only there if it was set, as are the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    valuations: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    direct: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hunters: Vec<JsonHunter>,
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
    /// Only there if it ended before everything was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_fraction_explored: Option<f64>,
    /// Only there if executions were sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<JsonSample>,
    /// Only there if something was expected, as is the next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expected: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_expected: Option<bool>,
    complete: bool,
    stopped: &'static str,
    fault: Option<String>,
    errors: Vec<JsonFound<'o>>,
    warnings: Vec<JsonFound<'o>>,
    /// Only there if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stopped_daemons: Vec<JsonDaemon<'o>>,
    /// Only there if the front-end knows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clauses: Vec<JsonClause<'o>>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct JsonDaemon<'o> {
    process: &'o str,
    role: Option<&'o str>,
    waits_for: &'o str,
    place: Option<&'o str>,
}

impl<'o> JsonDaemon<'o> {
    fn new(daemon: &'o StoppedDaemon) -> Self {
        JsonDaemon {
            process: &daemon.process,
            role: daemon.role.as_deref(),
            waits_for: &daemon.waits_for,
            place: daemon.place.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct JsonHunter {
    strategy: String,
    valuations: String,
    executions: u64,
    transitions: u64,
    ended_it: bool,
}

impl JsonHunter {
    fn new(hunter: &Hunted) -> Self {
        JsonHunter {
            strategy: hunter.plan.strategy.to_string(),
            valuations: hunter.plan.direction.valuations.to_string(),
            executions: hunter.progress.executions,
            transitions: hunter.progress.transitions,
            ended_it: hunter.ended_it,
        }
    }
}

#[derive(Serialize)]
struct JsonSample {
    asked_for: u64,
    sampler: &'static str,
    bug_depth: Option<u32>,
    distinct: Option<u64>,
    traces: Option<f64>,
    traces_at_least: Option<f64>,
    dives: Option<u64>,
}

impl JsonSample {
    fn new(sampling: Option<Sampling>, sampled: Option<Sampled>) -> Option<Self> {
        let sampling = sampling?;
        let traces = sampled.and_then(|sampled| sampled.traces);
        Some(JsonSample {
            asked_for: sampling.executions,
            sampler: sampling.sampler.name(),
            bug_depth: match sampling.sampler {
                Sampler::Pct { bug_depth } => Some(bug_depth),
                Sampler::Uniform | Sampler::Pos => None,
            },
            distinct: sampled.map(|sampled| sampled.distinct),
            traces: traces.map(|estimate| estimate.traces),
            traces_at_least: traces.map(|estimate| estimate.at_least),
            dives: traces.map(|estimate| estimate.dives),
        })
    }
}

#[derive(Serialize)]
struct JsonFound<'o> {
    kind: &'static str,
    process: &'o str,
    role: Option<String>,
    message: String,
    /// The number of the error, from 1, that this one is a symptom of; only errors have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
    count: u64,
    /// Number of other findings that differ from this one only in numbers and are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    not_listed: u64,
    log: Value,
    log_file: Option<String>,
    /// Only of errors that are reported in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<JsonDiagnosis>,
    /// Only of errors that are reported in full, and not under `mailbox`.
    #[serde(skip_serializing_if = "Option::is_none")]
    dependence: Option<JsonDependence>,
    /// Only there if several delivery models were checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found_under: Vec<&'static str>,
    /// The command that replays it; only errors have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'o str>,
    /// Whether it occurred again when it was replayed; only errors are replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduced: Option<bool>,
    /// What the replay showed instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_showed: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'o> JsonFound<'o> {
    fn new(outcome: &'o Outcome, kept: &'o Kept, error: Option<usize>) -> Self {
        let finding = &kept.found.finding;
        JsonFound {
            kind: finding.kind.name(),
            process: &finding.process,
            role: finding.role.as_deref().map(visible),
            message: visible(&finding.message),
            error,
            details: kept.details.as_deref().map(visible_lines),
            count: kept.found.count,
            not_listed: kept.found.not_kept,
            log: json(&log_of(&outcome.subject, &outcome.options, &kept.found)),
            diagnosis: JsonDiagnosis::new(&outcome.subject, kept),
            dependence: kept.dependence.as_ref().map(JsonDependence::new),
            found_under: kept.found_under.iter().map(|model| model.name()).collect(),
            log_file: kept
                .file
                .as_ref()
                .map(|file| file.to_string_lossy().into_owned()),
            replay: kept.replay.as_deref(),
            reproduced: kept.recurs.as_ref().map(|recurs| *recurs == Recurs::Yes),
            replay_showed: match &kept.recurs {
                Some(Recurs::No { instead }) => Some(visible(instead)),
                _ => None,
            },
        }
    }
}

#[derive(Serialize)]
struct JsonDependence {
    possible_under: Vec<&'static str>,
    within_one_node: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox_executions: Option<u64>,
}

impl JsonDependence {
    fn new(dependence: &Dependence) -> Self {
        let models = dependence.possible_under.iter();
        JsonDependence {
            possible_under: models.map(|model| model.name()).collect(),
            within_one_node: dependence.within_one_node.name(),
            mailbox_executions: dependence.within_one_node.executions(),
        }
    }
}

impl DriveOutcome {
    /// The JSON report of a replay (`docs/report-format.md`).
    ///
    /// # Errors
    /// None are known; the result is that of the JSON library.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let finding = |finding, details| JsonFinding::new(finding, details);
        serde_json::to_string_pretty(&JsonReplay {
            mazurka: "replay",
            version: REPORT_VERSION,
            program: &self.subject.id,
            params: &self.subject.params,
            delivery: self.trace.delivery.name(),
            logged: self.logged.as_ref(),
            recurs: match self.recurrence() {
                Recurrence::Unknown => None,
                Recurrence::Recurs(_) => Some("yes"),
                Recurrence::Changed(_) => Some("changed"),
                Recurrence::Gone => Some("no"),
            },
            departures: self.departures.iter().map(JsonDeparture::new).collect(),
            beyond: self.beyond.as_ref().map(|beyond| beyond.at.to_string()),
            errors: { self.errors.iter() }
                .map(|wrong| finding(&wrong.finding, wrong.details.as_deref()))
                .collect(),
            warnings: { self.warnings.iter() }
                .map(|warning| finding(warning, None))
                .collect(),
            // We wrote it, so it reads back.
            trace: serde_json::from_str(&self.trace.to_json()).unwrap_or_default(),
        })
        .map(escape_invisible)
    }
}

#[derive(Serialize)]
struct JsonReplay<'f> {
    mazurka: &'static str,
    version: u32,
    program: &'f str,
    params: &'f Params,
    delivery: &'static str,
    logged: Option<&'f LoggedError>,
    recurs: Option<&'static str>,
    departures: Vec<JsonDeparture<'f>>,
    beyond: Option<String>,
    errors: Vec<JsonFinding<'f>>,
    warnings: Vec<JsonFinding<'f>>,
    trace: Value,
}

#[derive(Serialize)]
struct JsonDeparture<'f> {
    process: &'f str,
    input: usize,
    log_says: &'f str,
    program_did: &'f str,
    place: Option<&'f str>,
}

impl<'f> JsonDeparture<'f> {
    fn new(departure: &'f Departure) -> Self {
        JsonDeparture {
            process: &departure.process,
            input: departure.position,
            log_says: &departure.log_says,
            program_did: &departure.program_did,
            place: departure.place.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct JsonFinding<'f> {
    kind: &'static str,
    process: &'f str,
    role: Option<String>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
}

impl<'f> JsonFinding<'f> {
    fn new(finding: &'f Finding, details: Option<&'f str>) -> Self {
        JsonFinding {
            kind: finding.kind.name(),
            process: &finding.process,
            role: finding.role.as_deref().map(visible),
            message: visible(&finding.message),
            details: details.map(visible_lines),
        }
    }
}

/// A log as it is in files. We wrote it, so it reads back.
fn json(log: &Log) -> Value {
    serde_json::from_str(&log.to_json()).unwrap_or_default()
}

#[derive(Serialize)]
struct JsonDiagnosis {
    no_return: &'static str,
    /// The names of the processes in reports.
    names: BTreeMap<String, String>,
    /// Absent, like all fields below, if no execution without the error is known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    parting: Option<JsonParting>,
}

#[derive(Serialize)]
struct JsonParting {
    process: String,
    event: usize,
    step: Option<usize>,
    failing: String,
    passing: String,
    why: String,
    passing_is_well: bool,
    passing_log: Value,
}

impl JsonDiagnosis {
    fn new(subject: &Subject, kept: &Kept) -> Option<Self> {
        let diagnosis = kept.diagnosis.as_ref()?;
        let explained = Explained::new(kept)?;
        let parting = diagnosis.parting.as_ref().zip(explained.race());
        Some(JsonDiagnosis {
            names: { diagnosis.names.keys() }
                .map(|pid| (pid.to_string(), explained.name(pid)))
                .collect(),
            no_return: match diagnosis.no_return {
                NoReturn::AtParting => "at-parting",
                NoReturn::Unknown => "unknown",
                NoReturn::Always => "always",
            },
            parting: parting.map(|(parting, race)| JsonParting {
                process: parting.at.pid.to_string(),
                event: parting.at.index,
                step: explained.parting_step(),
                failing: race.failing,
                passing: race.passing,
                why: race.why,
                passing_is_well: parting.all_is_well,
                passing_log: json(&Log {
                    program: Some(subject.id.clone()),
                    params: subject.params.clone(),
                    ..parting.passing.log()
                }),
            }),
        })
    }
}

#[derive(Serialize)]
struct JsonClause<'o> {
    place: &'o str,
    function: &'o str,
    taken: u64,
}

impl<'o> JsonClause<'o> {
    fn new(clause: &'o Clause) -> Self {
        JsonClause {
            place: &clause.place,
            function: &clause.function,
            taken: clause.taken,
        }
    }
}
