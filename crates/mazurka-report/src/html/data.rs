//! The data of the page, as JSON. Only the page's own scripts read it.

use mazurka_trace::{LogEntry, Params};
use serde::Serialize;
use std::collections::BTreeMap;

/// Index of an event in [`Execution::events`].
pub(super) type EventId = usize;
/// Index of a process or a shared object in [`Execution::lanes`].
pub(super) type LaneId = usize;

#[derive(Serialize)]
pub(super) struct Page {
    /// The version of Mazurka.
    pub version: &'static str,
    pub runs: Vec<Run>,
}

/// A table of names and values.
pub(super) type Rows = Vec<(&'static str, String)>;

/// One check.
#[derive(Serialize)]
pub(super) struct Run {
    pub name: String,
    /// The program as a command names it.
    pub program: String,
    pub params: Params,
    /// `good`, `bad` or `unclear`.
    pub tone: &'static str,
    pub headline: String,
    pub left_out: Option<String>,
    /// The options about timeouts that the replay command needs to run the same executions.
    pub replay_flags: String,
    pub counts: Rows,
    pub options: Rows,
    pub environment: Rows,
    pub executions: Vec<Execution>,
    pub errors: Vec<Failure>,
    pub warnings: Vec<Warning>,
    pub clauses: Vec<Clause>,
    /// The lines of the source that events point to, by place.
    pub sources: BTreeMap<String, String>,
}

/// One error.
#[derive(Serialize)]
pub(super) struct Failure {
    pub kind: &'static str,
    /// What fails, in one line.
    pub title: String,
    /// Its place in the source, if known.
    pub place: Option<String>,
    pub process: String,
    pub message: String,
    pub expected: bool,
    /// `3 executions`
    pub found_in: String,
    pub explanation: String,
    pub replay: Option<String>,
    pub log_file: Option<String>,
    /// The failing execution; `None` if it is not in the page.
    pub execution: Option<usize>,
    /// Why it is not in the page.
    pub not_shown: Option<String>,
    /// The event that fails.
    pub fails: Option<EventId>,
    /// Processes that wait for ever, where no event fails: first the one of this error, then those of
    /// other errors in the same execution.
    pub ends: Vec<(LaneId, String)>,
    /// The number of events, from the first, that lead to the error, if known.
    pub past: Option<usize>,
    /// The decisive event, which could have had another outcome.
    pub decided: Option<EventId>,
    pub parting: Option<Parting>,
}

/// Where the failing execution departs from a passing one.
#[derive(Serialize)]
pub(super) struct Parting {
    /// The passing execution.
    pub execution: usize,
    /// The length of the common prefix of both, in events.
    pub common: usize,
    /// Whether the passing execution has no other error.
    pub all_is_well: bool,
    /// The event of the passing one at the same place; `None` if it waits there for ever.
    pub instead: Option<EventId>,
}

#[derive(Serialize)]
pub(super) struct Warning {
    pub kind: &'static str,
    pub process: String,
    pub message: String,
    pub found_in: String,
}

#[derive(Serialize)]
pub(super) struct Clause {
    pub place: String,
    pub function: String,
    pub taken: u64,
}

/// One execution, its events in the order shown.
#[derive(Serialize)]
pub(super) struct Execution {
    pub delivery: &'static str,
    pub lanes: Vec<Lane>,
    pub events: Vec<Event>,
    /// What processes printed after their last events.
    pub last_output: Vec<(LaneId, String)>,
}

#[derive(Serialize)]
pub(super) struct Lane {
    /// As logs name it.
    pub pid: String,
    /// As the text report names it.
    pub name: String,
    /// The name without the pid, where it has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub object: bool,
    /// Whether it is internal to a front-end.
    #[serde(skip_serializing_if = "is_false")]
    pub quiet: bool,
}

#[derive(Default, Serialize)]
pub(super) struct Event {
    pub lane: LaneId,
    /// Its index among the events of its process, from 0.
    pub at: usize,
    /// Its number in the text report, if it is shown there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    pub kind: &'static str,
    /// The events of other processes that caused it directly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<EventId>,
    /// The value sent, the reason of an exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The other lane: the one that it sends to, starts or reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<LaneId>,
    /// What a receive waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// The version read, or the alternative chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The number of alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What the process printed right before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The sends of the messages that it could have taken instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub race: Vec<EventId>,
    /// The versions that it could have read instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<u32>,
    /// The sends of messages in the mailbox that it does not accept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<EventId>,
    /// Its entry in a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<LogEntry>,
    /// Whether it is internal to a front-end; not shown by default.
    #[serde(skip_serializing_if = "is_false")]
    pub quiet: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(value: &bool) -> bool {
    !value
}
