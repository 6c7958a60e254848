//! Builds the rows of a diagram from a trace.

mod decision;

use super::{Diagram, DrawError, Flight, Lane, Mark, Row, What};
use crate::text::{EVENTS_MAX, Messages, Names, in_order, names, placed, shorten};
use decision::Decision;
use mazurka_engine::{Diagnosis, Finding, Kind};
use mazurka_trace::{At, Event, ProcessName, Tag, Trace};
use std::collections::{HashMap, HashSet};

/// Longer values are cut, to keep the picture readable.
const TEXT_MAX: usize = 200;

impl Diagram {
    /// The execution of `trace`, which has these findings. If there is a diagnosis, only the events
    /// that lead to the error, in the order of the diagnosis.
    ///
    /// # Errors
    /// The trace is too long, or it is not the trace of an execution.
    pub fn new(
        trace: &Trace,
        findings: &[&Finding],
        diagnosis: Option<&Diagnosis>,
    ) -> Result<Diagram, DrawError> {
        let events = trace.event_count();
        if events > EVENTS_MAX {
            return Err(DrawError::TooLong(events));
        }
        let causality = trace.check().map_err(DrawError::Invalid)?;
        let parting = diagnosis.and_then(|diagnosis| diagnosis.parting.as_ref());
        let names = names(trace, diagnosis, findings.iter().copied());
        let decision = parting.map(|parting| Decision::new(trace, &names, parting));
        let order: Vec<At> = match diagnosis {
            Some(diagnosis) => diagnosis.order.clone(),
            None => placed(&in_order(&causality)).map(|(at, _)| at).collect(),
        };
        let mut builder = Builder::new(trace, names, decision);
        let shown = builder.shown(&order);
        builder.write(&shown, findings);
        Ok(builder.finish())
    }
}

struct Builder<'t> {
    trace: &'t Trace,
    messages: Messages<'t>,
    names: Names,
    /// The receive of each message that is received.
    consumers: HashMap<&'t Tag, At>,
    decision: Option<Decision>,
    /// In order of appearance.
    lanes: Vec<ProcessName>,
    by_pid: HashMap<ProcessName, usize>,
    spawned: HashSet<usize>,
    ids: HashMap<&'t Tag, usize>,
    rows: Vec<Row>,
}

impl<'t> Builder<'t> {
    fn new(trace: &'t Trace, names: Names, decision: Option<Decision>) -> Self {
        let mut consumers = HashMap::new();
        for (at, event) in trace.events() {
            if let Some(tag) = event.consumes() {
                consumers.insert(tag, at);
            }
        }
        Builder {
            trace,
            messages: Messages::new(trace),
            names,
            consumers,
            decision,
            lanes: Vec::new(),
            by_pid: HashMap::new(),
            spawned: HashSet::new(),
            ids: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// The events that are drawn, alone or together with others in one row.
    fn shown(&self, order: &[At]) -> Vec<(At, &'t Event)> {
        let events = order.iter().filter_map(|at| {
            let event = self.trace.event(at)?;
            let is_shown = self.is_decision(at) || self.is_shown(at, event);
            is_shown.then(|| (at.clone(), event))
        });
        events.collect()
    }

    fn is_decision(&self, at: &At) -> bool {
        self.decision
            .as_ref()
            .is_some_and(|decision| decision.at == *at)
    }

    /// Whether an event is worth showing.
    fn is_shown(&self, at: &At, event: &Event) -> bool {
        if self.trace.is_bookkeeping(at.pid.as_str()) || self.trace.outside(at) == Some("") {
            return false;
        }
        match event {
            Event::Publish | Event::Deliver { .. } => false,
            Event::Spawn { pid } => pid.liveness_of().is_none(),
            Event::Send { tag, to, .. } => {
                // Signals that no process consumes are not shown.
                let is_consumed =
                    at.pid.liveness_of().is_none() || self.consumers.contains_key(tag);
                is_consumed
                    && !self.trace.is_bookkeeping(to.as_str())
                    && !self.is_acknowledgement(&at.pid, to, tag)
            }
            Event::Receive { tag, .. } | Event::Killed { tag } => {
                let sender = ProcessName::from(self.messages.sender(tag));
                !self.trace.is_bookkeeping(sender.as_str())
                    && !self.is_acknowledgement(&sender, &at.pid, tag)
            }
            Event::Read { object, .. } => {
                !self.trace.is_bookkeeping(object.as_str()) && object.liveness_of().is_none()
            }
            _ => true,
        }
    }

    /// Whether this is only an object's answer `ok`, or a process's report of its end to its own
    /// liveness object.
    fn is_acknowledgement(&self, from: &ProcessName, to: &ProcessName, tag: &Tag) -> bool {
        let says_ok = || ["ok", "true"].contains(&self.messages.value(tag));
        self.trace.objects.contains(from) && says_ok() || to.liveness_of() == Some(from.as_str())
    }

    fn lane(&mut self, pid: &ProcessName) -> usize {
        let pid = match pid.liveness_of() {
            Some(of) => ProcessName::from(of),
            None => pid.clone(),
        };
        let next = self.lanes.len();
        let lanes = &mut self.lanes;
        *self.by_pid.entry(pid.clone()).or_insert_with(|| {
            lanes.push(pid);
            next
        })
    }

    fn write(&mut self, shown: &[(At, &'t Event)], findings: &[&Finding]) {
        self.lane(&self.trace.initial);
        let at_once = self.taken_at_once(shown);
        for (at, event) in shown {
            self.write_event(at, event, &at_once, findings);
        }
        for finding in findings {
            self.write_finding(finding);
        }
        fold(&mut self.rows);
    }

    /// The messages whose receive can be drawn in the row of their send: their receivers have no event
    /// in between.
    fn taken_at_once(&self, shown: &[(At, &'t Event)]) -> HashSet<&'t Tag> {
        let mut sent: HashMap<&Tag, usize> = HashMap::new();
        // The row of the last event of each process, after these moves.
        let mut last: HashMap<&ProcessName, usize> = HashMap::new();
        // The row in which an object was last read.
        let mut read: HashMap<&ProcessName, usize> = HashMap::new();
        let mut at_once = HashSet::new();
        for (place, (at, event)) in shown.iter().enumerate() {
            let mut stands = place;
            match event {
                Event::Send { tag, .. } => {
                    sent.insert(tag, place);
                }
                Event::Read { object, .. } => {
                    read.insert(object, place);
                }
                Event::Receive { tag, .. } if !self.is_decision(at) => {
                    let free = |sent: &usize| {
                        let after = |last: Option<&usize>| last.is_none_or(|last| last < sent);
                        after(last.get(&at.pid)) && after(read.get(&at.pid))
                    };
                    if let Some(&sent) = sent.get(tag).filter(|sent| free(sent)) {
                        at_once.insert(tag);
                        stands = sent;
                    }
                }
                _ => {}
            }
            last.insert(&at.pid, stands);
        }
        at_once
    }

    fn write_event(
        &mut self,
        at: &At,
        event: &'t Event,
        at_once: &HashSet<&'t Tag>,
        findings: &[&Finding],
    ) {
        let lane = self.lane(&at.pid);
        let is_decision = self.is_decision(at);
        let (what, text) = match event {
            Event::Spawn { pid } => {
                let to = self.lane(pid);
                self.spawned.insert(to);
                (What::Spawn { to: vec![to] }, String::new())
            }
            Event::Send { tag, to, .. } => {
                let taken = at_once.contains(tag);
                let is_liveness = to.liveness_of().is_some();
                let to = self.lane(to);
                let end = match self.consumers.get(tag) {
                    None => Flight::Never,
                    Some(_) if taken || is_liveness => Flight::Taken,
                    Some(_) => Flight::Later,
                };
                let id = self.id(tag);
                (What::Send { to, id, end }, self.value(tag))
            }
            Event::Receive { tag, .. } if at_once.contains(tag) => return,
            Event::Receive { .. } if at.pid.liveness_of().is_some() && !is_decision => return,
            Event::Receive { tag, .. } => (self.take(tag), format!("takes {}", self.value(tag))),
            Event::Killed { tag } => (self.take(tag), format!("killed by {}", self.value(tag))),
            Event::Exit { reason } if reason == "normal" => {
                // The end of the lane shows it.
                if let Some(last) = self.rows.last_mut() {
                    last.ends.push(lane);
                }
                return;
            }
            other => match self.trace.outside(at) {
                Some(what) => (What::Step, format!("{what} from outside")),
                None => (What::Step, self.step(other)),
            },
        };
        let failing = match event {
            Event::Exit { .. } => findings.iter().find(|finding| fails_by_exit(finding, at)),
            _ => None,
        };
        let mark = match event {
            _ if failing.is_some() => Mark::Failing,
            _ if is_decision => Mark::Took,
            Event::Send { tag, .. } => self.mark_of(tag),
            _ => Mark::Plain,
        };
        let text = match (failing, &self.decision) {
            (Some(finding), _) => finding.message.clone(),
            (_, Some(decision)) if is_decision => format!("{text}{}", decision.remark),
            _ => text,
        };
        self.rows.push(Row {
            lane,
            what,
            text: shorten(&text, TEXT_MAX),
            mark,
            place: self.trace.place(at).map(str::to_owned),
            ends: match event {
                Event::Exit { .. } => vec![lane],
                _ => Vec::new(),
            },
        });
    }

    fn take(&mut self, tag: &'t Tag) -> What {
        let sent = self.messages.sent(tag).map(|sent| sent.pid.clone());
        let from = sent.map(|pid| self.lane(&pid));
        let id = self.id(tag);
        What::Take { from, id }
    }

    fn id(&mut self, tag: &'t Tag) -> usize {
        let next = self.ids.len();
        *self.ids.entry(tag).or_insert(next)
    }

    fn mark_of(&self, tag: &Tag) -> Mark {
        match &self.decision {
            Some(decision) if decision.took.as_ref() == Some(tag) => Mark::Took,
            Some(decision) if decision.instead.contains(tag) => Mark::Instead,
            _ => Mark::Plain,
        }
    }

    /// The value of a message, or its tag if it has none.
    fn value(&self, tag: &Tag) -> String {
        match self.messages.value(tag) {
            "a message" => format!("message {tag}"),
            value => shorten(value, TEXT_MAX),
        }
    }

    fn step(&self, event: &Event) -> String {
        match event {
            Event::Timeout { constraint, .. } if constraint.is_empty() => "timeout".to_owned(),
            Event::Timeout { constraint, .. } if constraint == "nothing" => "wakes up".to_owned(),
            Event::Timeout { constraint, .. } => format!("timeout of receive {constraint}"),
            Event::Read { object, version } => {
                let seen = self.messages.after_change(&self.names, object, *version);
                format!("reads {} {seen}", self.names.of(object))
            }
            Event::Choose { of, chosen } => format!("chooses {chosen} of {of}"),
            Event::Exit { reason } if reason.starts_with("exit ") => reason.clone(),
            Event::Exit { reason } => format!("exit {reason}"),
            other => other.to_string(),
        }
    }

    /// Adds a row for a finding that no event shows.
    fn write_finding(&mut self, finding: &Finding) {
        let pid = ProcessName::from(finding.process.as_str());
        let lane = self.lane(&pid);
        let is_shown = |row: &Row| row.lane == lane && row.mark == Mark::Failing;
        let by_exit = matches!(finding.kind, Kind::Crash | Kind::Assertion);
        if by_exit && self.rows.iter().any(is_shown) {
            return;
        }
        self.rows.push(Row {
            lane,
            what: What::Step,
            text: shorten(&finding.message, TEXT_MAX),
            mark: Mark::Failing,
            place: None,
            ends: Vec::new(),
        });
    }

    /// Sorts the lanes: processes first, then shared objects.
    fn finish(self) -> Diagram {
        let is_object = |lane: &usize| self.trace.objects.contains(&self.lanes[*lane]);
        let mut order: Vec<usize> = (0..self.lanes.len()).collect();
        order.sort_by_key(|lane| (is_object(lane), *lane));
        let mut new = vec![0; order.len()];
        for (place, &lane) in order.iter().enumerate() {
            new[lane] = place;
        }
        let lanes = order.iter().map(|&lane| {
            let pid = &self.lanes[lane];
            let name = self.names.alone(pid);
            Lane {
                name: match name {
                    Some(name) => name.to_owned(),
                    None => shorten(&self.names.of(pid), TEXT_MAX),
                },
                pid: name.map(|_| pid.to_string()),
                from_start: !self.spawned.contains(&lane),
                is_crowd: false,
            }
        });
        let mut diagram = Diagram {
            lanes: lanes.collect(),
            rows: self.rows,
        };
        diagram.rows.iter_mut().for_each(|row| row.renumber(&new));
        diagram
    }
}

impl Row {
    /// Replaces lane numbers: `new` is indexed by the old ones.
    pub(super) fn renumber(&mut self, new: &[usize]) {
        self.lane = new[self.lane];
        self.ends.iter_mut().for_each(|lane| *lane = new[*lane]);
        match &mut self.what {
            What::Spawn { to } => {
                to.iter_mut().for_each(|lane| *lane = new[*lane]);
                to.sort_unstable();
                to.dedup();
            }
            What::Send { to, .. } => *to = new[*to],
            What::Take { from, .. } => *from = from.map(|from| new[from]),
            What::Step | What::Gap { .. } => {}
        }
    }
}

/// Whether this event is the exit that the finding is about.
fn fails_by_exit(finding: &Finding, at: &At) -> bool {
    let by_exit = matches!(finding.kind, Kind::Crash | Kind::Assertion);
    by_exit && finding.process == at.pid.as_str()
}

/// Joins rows: spawns of one process in succession, and local steps of one process in succession.
fn fold(rows: &mut Vec<Row>) {
    let mut folded: Vec<Row> = Vec::new();
    let mut steps = 0;
    for row in rows.drain(..) {
        let Some(last) = folded.last_mut() else {
            folded.push(row);
            continue;
        };
        let same = last.lane == row.lane;
        let is_plain = last.mark == Mark::Plain && row.mark == Mark::Plain;
        match (&mut last.what, &row.what) {
            (What::Spawn { to }, What::Spawn { to: more }) if same => to.extend(more),
            (What::Step, What::Step) if same && is_plain => {
                steps += 1;
                last.text = match steps {
                    1 => format!("{}; {}", last.text, row.text),
                    _ => format!("{} local steps", steps + 1),
                };
            }
            _ => {
                steps = 0;
                folded.push(row);
                continue;
            }
        }
        last.ends.extend(row.ends);
    }
    *rows = folded;
}

#[cfg(test)]
mod tests;
