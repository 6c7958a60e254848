//! What counts as an error.

use crate::behaviour::{Ending, Wait};
use crate::frontend::{Frontend, Mode, StepPart};
use crate::graph::{NONE, Slot};
use crate::ids::PidTable;
use crate::message::Payload;
use crate::named::by_name;
use crate::view::Execution;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Kinds of findings. The last three are warnings unless asked for as errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A process ended by an uncaught failure.
    Crash,
    /// A process ended by a failed assertion.
    Assertion,
    /// At the end the entry process still waits.
    Deadlock,
    /// At the end another process still waits, and is not a daemon.
    Stuck,
    /// A message was never received: at the end its receiver still waits, and is not a daemon, or
    /// ended without receiving it (Vidal 2022: sent and never received).
    Orphan,
    /// A message was sent to a process that had ended: the end happened before the send. If they
    /// are concurrent, the message is an orphan.
    DeadLetter,
    /// An execution was longer than the depth bound.
    DepthBound,
}

impl Kind {
    /// All kinds, errors first.
    pub const ALL: [Kind; 7] = [
        Kind::Crash,
        Kind::Assertion,
        Kind::Deadlock,
        Kind::Stuck,
        Kind::Orphan,
        Kind::DeadLetter,
        Kind::DepthBound,
    ];

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Crash => "crash",
            Kind::Assertion => "assertion",
            Kind::Deadlock => "deadlock",
            Kind::Stuck => "stuck",
            Kind::Orphan => "orphan",
            Kind::DeadLetter => "dead-letter",
            Kind::DepthBound => "depth-bound",
        }
    }

    /// Whether it is an error by default.
    #[must_use]
    pub fn is_error(self) -> bool {
        self <= Kind::Stuck
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("kind of error", text, &Kind::ALL, Kind::name)
    }
}

/// Something wrong, or odd, at the end of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// The process it is about.
    pub process: String,
    /// What that process runs, if known.
    pub role: Option<String>,
    /// What happened, in one line.
    pub message: String,
}

fn join(types: BTreeSet<String>) -> String {
    Vec::from_iter(types).join(", ")
}

/// A daemon with a timer that had not fired when an execution was over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedDaemon {
    /// The process.
    pub process: String,
    /// What it runs, if known.
    pub role: Option<String>,
    /// What it waited for.
    pub waits_for: String,
    /// Where in the program, if known.
    pub place: Option<String>,
}

impl StoppedDaemon {
    /// Whether both are about one process.
    pub(crate) fn is_same_process(&self, other: &StoppedDaemon) -> bool {
        self.process == other.process
    }
}

impl<F: Frontend> Execution<'_, F> {
    /// The daemons with timers that had not fired when it was over.
    pub(crate) fn stopped_daemons(&self) -> impl Iterator<Item = Slot> + '_ {
        let is_over = !self.cut_short;
        self.graph.stopped_daemons().filter(move |_| is_over)
    }

    /// The report on a daemon with such a timer.
    pub(crate) fn stopped_daemon(&self, slot: Slot) -> Option<StoppedDaemon> {
        let step = self.graph.process(slot).steps.last()?;
        let state = self.behaviours.node(step.node).state();
        let place = |state| {
            self.behaviours
                .frontend
                .describe()
                .place(state, StepPart::Demand)
        };
        Some(StoppedDaemon {
            process: self.name(slot),
            role: self.role(slot),
            waits_for: self.constraint(step.wait),
            place: state.and_then(place),
        })
    }

    /// Everything that is wrong or odd about it, errors first.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (slot, process) in (0..).zip(self.graph.processes()) {
            if process.is_object {
                continue;
            }
            if let Some((kind, message)) = self.wrong(slot) {
                findings.push(self.finding(slot, kind, message));
            }
            if !self.cut_short {
                self.unread(slot, &mut findings);
            }
        }
        if self.cut_short {
            let message = format!(
                "not at its end after {} steps of {} processes",
                self.len(),
                self.graph.processes().len()
            );
            findings.push(Finding {
                kind: Kind::DepthBound,
                process: "P".into(),
                role: None,
                message,
            });
        }
        findings.sort_by(|a, b| {
            let key = |finding: &Finding| (finding.kind, finding.process.clone());
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        findings
    }

    /// Whether [`findings`](Self::findings) is not empty. Faster, because no text is made.
    pub(crate) fn is_remarkable(&self) -> bool {
        self.cut_short
            || (0..).zip(self.graph.processes()).any(|(slot, process)| {
                !process.is_object && (process.has_unread() || !self.ended_well(slot))
            })
    }

    fn ended_well(&self, slot: Slot) -> bool {
        let Some(step) = self.graph.process(slot).steps.last() else {
            return false;
        };
        match step.wait {
            Wait::Ended(ending) if !step.mode.has_halted() => ending == Ending::Fine,
            _ => self.may_wait(slot),
        }
    }

    /// Whether a process may wait for ever where it waits. All may if one has halted the program. A
    /// daemon at work may if it was stopped: it waits for a timer, or timers of daemons led to its step
    /// and others of them were left.
    fn may_wait(&self, slot: Slot) -> bool {
        let Some(step) = self.graph.process(slot).steps.last() else {
            return false;
        };
        let was_stopped = || {
            let mut stopped = self.graph.stopped_daemons();
            stopped.any(|daemon| daemon == slot || step.run > 0)
        };
        match step.mode {
            Mode::Idle => true,
            Mode::Halted { failed } => !failed,
            Mode::Busy => was_stopped() || self.has_halted(),
            Mode::Ordinary => self.has_halted(),
        }
    }

    /// Whether a process has ended the whole program.
    fn has_halted(&self) -> bool {
        let processes = self.graph.processes().iter();
        let mut last = processes.filter_map(|process| process.steps.last());
        last.any(|step| step.mode.has_halted())
    }

    fn finding(&self, slot: Slot, kind: Kind, message: String) -> Finding {
        Finding {
            kind,
            process: self.name(slot),
            role: self.role(slot),
            message,
        }
    }

    fn wrong(&self, slot: Slot) -> Option<(Kind, String)> {
        let process = self.graph.process(slot);
        let step = process.steps.last()?;
        if step.mode == (Mode::Halted { failed: true }) {
            // A signal may have ended it since.
            let mut steps = process.steps.iter().rev();
            let halt = steps.find(|step| !matches!(step.wait, Wait::Ended(_)))?;
            let mut message = self.constraint(halt.wait);
            if let Some(state) = self.behaviours.node(halt.node).state()
                && let Some(place) =
                    { self.behaviours.frontend.describe() }.place(state, StepPart::Demand)
            {
                message += &format!(" at {place}");
            }
            return Some((Kind::Crash, message));
        }
        match step.wait {
            Wait::Ended(ending) if !step.looks => {
                let kind = match ending {
                    Ending::Fine => return None,
                    Ending::Crash => Kind::Crash,
                    Ending::Assertion => Kind::Assertion,
                };
                let mut message = self.end(slot)?;
                let state = self.behaviours.node(step.node).state();
                let place = |state| {
                    self.behaviours
                        .frontend
                        .describe()
                        .place(state, StepPart::Failure)
                };
                if let Some(place) = state.and_then(place) {
                    message += &format!(" at {place}");
                }
                Some((kind, message))
            }
            _ if self.cut_short || self.may_wait(slot) => None,
            wait => {
                let kind = match process.pid == PidTable::ENTRY {
                    true => Kind::Deadlock,
                    false => Kind::Stuck,
                };
                let wanted = format!(
                    "{}{}",
                    self.constraint(wait),
                    self.foreign_types(slot, wait)
                );
                let message = match self.stopped_daemons().next() {
                    None if self.behaviours.node(step.node).polls => {
                        format!("polls for ever for {wanted}")
                    }
                    None => format!("waits for ever for {wanted}"),
                    Some(_) => format!("waits for {wanted}; only timers of daemons were left"),
                };
                Some((kind, message))
            }
        }
    }

    /// A hint if messages wait in the mailbox whose types the receive never takes.
    fn foreign_types(&self, slot: Slot, wait: Wait) -> String {
        /// Number of messages that are examined.
        const MESSAGES_MAX: usize = 16;
        let Wait::Receive { constraint, .. } = wait else {
            return String::new();
        };
        let (b, inbox) = (&self.behaviours, &self.graph.process(slot).inbox);
        let type_of = |at: u32| {
            let payload = b.values.payload(inbox[at as usize].value)?;
            b.frontend
                .hints()
                .foreign_type(payload, b.values.constraint(constraint))
        };
        let waiting = self.graph.waiting(slot).take(MESSAGES_MAX);
        let types: BTreeSet<String> = waiting.filter_map(type_of).collect();
        match types.len() {
            0 => String::new(),
            1 => format!("; a message of another type is waiting: {}", join(types)),
            _ => format!("; messages of other types are waiting: {}", join(types)),
        }
    }

    /// Messages of the program that were never received.
    fn unread(&self, slot: Slot, findings: &mut Vec<Finding>) {
        let ended = self.graph.has_ended(slot);
        let process = self.graph.process(slot);
        if !ended && self.may_wait(slot) || self.has_halted() {
            return;
        }
        let last = process.steps.last().filter(|_| !ended);
        let state = last.and_then(|step| self.behaviours.node(step.node).state());
        for at in self.graph.waiting(slot) {
            let message = &process.inbox[at as usize];
            debug_assert_eq!(message.consumed_by, NONE);
            let Some(payload @ Payload::User(_)) = self.behaviours.values.payload(message.value)
            else {
                continue;
            };
            if !self.behaviours.frontend.hints().may_be_lost(payload, state) {
                let text = format!(
                    "{} from {} was never received",
                    self.value(message.value),
                    self.name(message.sender)
                );
                let kind = match ended && self.graph.ended_before(slot, message) {
                    true => Kind::DeadLetter,
                    false => Kind::Orphan,
                };
                findings.push(self.finding(slot, kind, text));
            }
        }
    }
}
