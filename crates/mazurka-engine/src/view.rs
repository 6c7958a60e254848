//! What an observer sees of an execution: its trace and its processes.

use crate::accepts::{Accepted, MATCHES_PER_RECEIVE, Past};
use crate::behaviour::{Behaviours, Wait};
use crate::frontend::{Frontend, SharedObjects};
use crate::graph::{Event, Graph, Message, NONE, Pick, Slot, Step};
use crate::ids::{ObjectKey, PidId, PidKind, ValueId};
use crate::message::Class;
use crate::notes::Notes;
use mazurka_trace as trace;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A complete execution, or one that was cut short.
pub struct Execution<'e, F: Frontend> {
    pub(crate) graph: &'e Graph,
    pub(crate) behaviours: &'e Behaviours<F>,
    /// Whether the depth bound ended it.
    pub cut_short: bool,
}

impl<F: Frontend> Execution<'_, F> {
    /// How many steps it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.path().len()
    }

    /// Whether nothing has happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.graph.path().is_empty()
    }

    /// Its trace: what each process did, and what it consumed.
    #[must_use]
    pub fn trace(&self) -> trace::Trace {
        self.trace_with(MATCHES_PER_RECEIVE)
    }

    /// The same. For receives with more messages than this number on average, the trace has only
    /// the accepted messages on which races depend.
    pub(crate) fn trace_with(&self, matches_per_receive: usize) -> trace::Trace {
        let builder = TraceBuilder::new(self);
        let past = Past::new(self.graph);
        let mut trace = trace::Trace::new(self.graph.delivery, "P");
        for (slot, process) in (0..).zip(self.graph.processes()) {
            if builder.uneventful[slot as usize] {
                continue;
            }
            let pid = builder.name(slot);
            if process.is_object {
                trace.objects.insert(pid.clone());
                if let Some(note) = self.object_note(process.pid, pid.as_str()) {
                    trace.object_notes.insert(pid.clone(), note);
                }
            }
            let tags = &builder.tags[slot as usize];
            let accepted = Accepted::new(self, slot, tags, &past, matches_per_receive);
            let mut events = Vec::new();
            let mut notes = Notes::new(self, slot);
            for &event in &process.events {
                let recorded = builder.event(slot, event, &accepted);
                notes.note(event, recorded.is_some(), events.len());
                events.extend(recorded);
                if let Event::Input(step) = event
                    && process.steps[step as usize].publishes
                {
                    events.push(trace::Event::Publish);
                }
            }
            let notes = notes.finish(events.len());
            if !notes.is_empty() {
                trace.notes.insert(pid.clone(), notes);
            }
            if let Some(reason) = self.end(slot) {
                events.push(trace::Event::Exit { reason });
            }
            trace.processes.insert(pid, events);
        }
        trace
    }

    /// How an object of the front-end is shown, if not by its name.
    fn object_note(&self, object: PidId, name: &str) -> Option<trace::ObjectNote> {
        let b = self.behaviours;
        let key = b.key_of(object)?;
        let title = crate::show::with(&b.frontend, &b.pids, |show| F::Objects::title(key, show));
        let note = trace::ObjectNote {
            title: (title != name).then_some(title),
            bookkeeping: b.frontend.describe().is_bookkeeping(key),
        };
        (note != trace::ObjectNote::default()).then_some(note)
    }

    /// For each event of a process, and for its end, the number of events before it that the trace
    /// records. The last number counts them all.
    pub(crate) fn recorded_counts(&self, slot: Slot) -> Vec<usize> {
        let process = self.graph.process(slot);
        let mut counts = vec![0; process.events.len() + 2];
        if self.is_uneventful_liveness(slot) {
            return counts;
        }
        let mut recorded = 0;
        for (at, &event) in process.events.iter().enumerate() {
            counts[at] = recorded;
            recorded += usize::from(self.is_recorded(slot, event));
            if let Event::Input(step) = event {
                recorded += usize::from(process.steps[step as usize].publishes);
            }
        }
        counts[process.events.len()] = recorded;
        counts[process.events.len() + 1] = recorded + usize::from(self.end(slot).is_some());
        counts
    }

    /// Whether this is a liveness object that no process has used and that has sent nothing. It
    /// exists only because ends were published before a quiet timeout, or because processes use it
    /// in other executions.
    fn is_uneventful_liveness(&self, slot: Slot) -> bool {
        let process = self.graph.process(slot);
        let PidKind::Object(ObjectKey::Liveness(of)) = self.behaviours.pids.kind(process.pid)
        else {
            return false;
        };
        let was_quiet = || {
            let first = process.steps.first();
            first.is_some_and(|step| step.pick == Pick::Start)
        };
        let is_unused = || {
            let of_itself = self.graph.slot(of);
            let mut inbox = process.inbox.iter();
            self.graph.has_liveness_at_start(of)
                && inbox.all(|message| Some(message.sender) == of_itself)
        };
        process.sends.is_empty()
            && process.reads.is_empty()
            && self.graph.has_no_couriers(slot)
            && (was_quiet() || is_unused())
    }

    /// The name of a process or object.
    pub(crate) fn name(&self, slot: Slot) -> String {
        let b = self.behaviours;
        crate::show::pid(&b.pids, self.graph.process(slot).pid)
    }

    /// What a process was started as.
    pub(crate) fn start(&self, slot: Slot) -> Option<String> {
        let process = self.graph.process(slot);
        let first = process.steps.first().map(|step| step.node);
        self.behaviours.show_root(process.root, first)
    }

    /// The name that a process has given itself.
    fn label(&self, slot: Slot) -> Option<String> {
        let b = self.behaviours;
        let mut steps = self.graph.process(slot).steps.iter().rev();
        let state = steps.find_map(|step| b.node(step.node).state())?;
        b.frontend.describe().label(state)
    }

    /// What a process was started as, and the names that it has, or had at its end.
    pub(crate) fn role(&self, slot: Slot) -> Option<String> {
        let label = self.label(slot);
        let mut role = label.or_else(|| self.start(slot)).unwrap_or_default();
        for name in self.borne(slot) {
            let separator = if role.is_empty() { "" } else { ", " };
            role += &format!("{separator}registered as {name}");
        }
        (!role.is_empty()).then_some(role)
    }

    /// What to call each process: a registered name, or what it was started as.
    pub(crate) fn names(&self) -> BTreeMap<trace::ProcessName, String> {
        let mut borne: FxHashMap<PidId, String> = FxHashMap::default();
        for (bearer, name) in self.all_borne() {
            borne.entry(bearer).or_insert(name);
        }
        let slots = (0..).zip(self.graph.processes());
        let processes = slots.filter(|(_, process)| !process.is_object);
        let named = processes.filter_map(|(slot, process)| {
            let name = match borne.get(&process.pid) {
                Some(name) => Some(self.behaviours.show_registered(process.root, name)),
                None => self.label(slot).or_else(|| self.start(slot)),
            };
            Some((self.name(slot).into(), name?))
        });
        named.collect()
    }

    /// The names that a process has, or had at its end.
    fn borne(&self, slot: Slot) -> impl Iterator<Item = String> {
        let pid = self.graph.process(slot).pid;
        let all = self.all_borne();
        all.filter(move |(bearer, _)| *bearer == pid)
            .map(|(_, name)| name)
    }

    /// The names in use, each with its process.
    fn all_borne(&self) -> impl Iterator<Item = (PidId, String)> {
        let b = self.behaviours;
        self.graph.processes().iter().filter_map(move |object| {
            let key = b.key_of(object.pid)?;
            let state = b.node(object.steps.last()?.node).object_state()?;
            crate::show::with(&b.frontend, &b.pids, |show| {
                F::Objects::named_process(key, state, show)
            })
        })
    }

    /// Why a process ended, if it has.
    pub(crate) fn end(&self, slot: Slot) -> Option<String> {
        if !self.graph.has_ended(slot) {
            return None;
        }
        let b = self.behaviours;
        let node = self.graph.process(slot).steps.last()?.node;
        let reason = b.node(node).end()?;
        Some(crate::show::reason(&b.frontend, &b.pids, reason))
    }

    pub(crate) fn value(&self, value: ValueId) -> String {
        let b = self.behaviours;
        b.values.show(&b.frontend, &b.pids, value)
    }

    pub(crate) fn tag(&self, message: &Message) -> trace::Tag {
        format!("{}#{}", self.name(message.sender), message.seq).into()
    }

    /// What a waiting process accepts, as text.
    pub(crate) fn constraint(&self, wait: Wait) -> String {
        let b = self.behaviours;
        match wait {
            Wait::Receive { constraint, .. } => b
                .frontend
                .describe()
                .constraint(b.values.constraint(constraint), &b.pids),
            Wait::Answer => "an answer".into(),
            Wait::HandedOver { to, value } => format!(
                "its message {} to {} to be received",
                self.value(value),
                crate::show::pid(&b.pids, to)
            ),
            Wait::Serve => "a request".into(),
            Wait::Choose { of, .. } => format!("a choice of one of {of}"),
            Wait::Read { .. } | Wait::Ended(_) => String::new(),
        }
    }

    /// Whether the trace records an event.
    fn is_recorded(&self, slot: Slot, event: Event) -> bool {
        let process = self.graph.process(slot);
        match event {
            Event::Spawn(_) => true,
            Event::Own => false,
            Event::Send(nth) => {
                let (target, _) = process.sends[nth as usize];
                target != NONE && !self.is_uneventful_liveness(target)
            }
            Event::Input(step) => {
                let pick = process.steps[step as usize].pick;
                !matches!(pick, Pick::Start | Pick::GoOn)
            }
        }
    }

    /// Whether this message is only the receipt for a message of its target.
    fn acknowledges(&self, sender: Slot, message: &Message) -> bool {
        let class = self.behaviours.values.class(message.value);
        class == Class::Answer && !self.graph.process(sender).is_object
    }

    /// Number of changes of an object before a version.
    pub(crate) fn changes_before(&self, object: Slot, version: u32) -> u32 {
        let steps = &self.graph.process(object).steps[..version as usize];
        let changes = steps.iter().filter(|step| step.publishes);
        u32::try_from(changes.count()).expect("a short process")
    }
}

/// Builds the trace of an execution. Names and tags, which are used many times, are made once.
struct TraceBuilder<'e, F: Frontend> {
    execution: &'e Execution<'e, F>,
    names: Vec<trace::ProcessName>,
    /// The tags of the messages to each process.
    tags: Vec<Vec<trace::Tag>>,
    /// By slot: liveness objects that the trace leaves out.
    uneventful: Vec<bool>,
    /// For each object, the number of changes before each of its versions.
    changes: Vec<Vec<u32>>,
}

impl<'e, F: Frontend> TraceBuilder<'e, F> {
    fn new(execution: &'e Execution<'e, F>) -> Self {
        let processes = execution.graph.processes();
        let slots = (0..).zip(processes).map(|(slot, _)| slot);
        let names: Vec<trace::ProcessName> = { slots.clone() }
            .map(|slot| execution.name(slot).into())
            .collect();
        let tag = |message: &Message| {
            let sender = &names[message.sender as usize];
            format!("{sender}#{}", message.seq).into()
        };
        let tags = processes
            .iter()
            .map(|to| to.inbox.iter().map(tag).collect());
        let changes = processes.iter().map(|process| match process.is_object {
            true => changes(&process.steps),
            false => Vec::new(),
        });
        TraceBuilder {
            execution,
            tags: tags.collect(),
            uneventful: slots
                .map(|slot| execution.is_uneventful_liveness(slot))
                .collect(),
            changes: changes.collect(),
            names,
        }
    }

    fn name(&self, slot: Slot) -> trace::ProcessName {
        self.names[slot as usize].clone()
    }

    fn event(&self, slot: Slot, event: Event, accepted: &Accepted) -> Option<trace::Event> {
        let process = self.execution.graph.process(slot);
        match event {
            Event::Own => None,
            Event::Spawn(child) => Some(trace::Event::Spawn {
                pid: self.name(child),
            }),
            Event::Send(nth) => {
                let (target, at) = process.sends[nth as usize];
                if target == NONE || self.uneventful[target as usize] {
                    return None;
                }
                let message = &self.execution.graph.process(target).inbox[at as usize];
                Some(trace::Event::Send {
                    tag: self.tags[target as usize][at as usize].clone(),
                    to: self.name(target),
                    value: match self.execution.acknowledges(slot, message) {
                        true => "receipt".into(),
                        false => self.execution.value(message.value),
                    },
                })
            }
            Event::Input(step) => self.input(slot, step as usize, accepted),
        }
    }

    fn input(&self, slot: Slot, index: usize, accepted: &Accepted) -> Option<trace::Event> {
        let Execution {
            graph, behaviours, ..
        } = self.execution;
        let step = &graph.process(slot).steps[index];
        let wait = graph.cursor(behaviours, slot, index)?.wait;
        match step.pick {
            Pick::Start | Pick::GoOn => None,
            Pick::Timeout | Pick::QuietTimeout => {
                let (accepts, constraint) = accepted.of_step(index)?;
                Some(trace::Event::Timeout {
                    accepts,
                    constraint,
                })
            }
            Pick::Message { .. } => {
                let tag = self.tags[slot as usize][step.consumed as usize].clone();
                if behaviours.node(step.node).was_killed() {
                    return Some(trace::Event::Killed { tag });
                }
                let (accepts, constraint) = accepted.of_step(index)?;
                Some(trace::Event::Receive {
                    tag,
                    accepts,
                    constraint,
                })
            }
            Pick::Choice(chosen) => {
                let Wait::Choose { of, .. } = wait else {
                    return None;
                };
                Some(trace::Event::Choose { of, chosen })
            }
            Pick::Version(version) => {
                let Wait::Read { object } = wait else {
                    return None;
                };
                let object = graph.slot(object)?;
                Some(trace::Event::Read {
                    object: self.name(object),
                    version: self.changes[object as usize][version as usize],
                })
            }
        }
    }
}

/// The number of changes before each version.
fn changes(steps: &[Step]) -> Vec<u32> {
    let mut changes = vec![0];
    let mut so_far = 0;
    for step in steps {
        so_far += u32::from(step.publishes);
        changes.push(so_far);
    }
    changes
}
