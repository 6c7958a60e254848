//! What an observer sees of an execution: its trace, and its processes.

use crate::behaviour::{Behaviours, Wait};
use crate::frontend::Frontend;
use crate::graph::{Attention, Cursor, Event, Graph, Message, NONE, Pick, Slot};
use crate::ids::{ObjectKey, PidKind, ValueId};
use crate::message::Class;
use crate::notes::Notes;
use mazurka_trace as trace;
use std::collections::{BTreeMap, BTreeSet};

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
        let mut trace = trace::Trace::new(self.graph.delivery, "P");
        for (slot, process) in (0..).zip(self.graph.processes()) {
            if self.is_uneventful_life(slot) {
                continue;
            }
            let pid = trace::Pid::from(self.name(slot));
            if process.is_object {
                trace.objects.insert(pid.clone());
            }
            let mut events = Vec::new();
            let mut notes = Notes::new(self, slot);
            for &event in &process.events {
                let told = self.event(slot, event);
                notes.note(event, told.is_some(), events.len());
                events.extend(told);
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

    /// For each event of a process, and for its end, how many events its trace tells before it.
    /// The last number counts them all.
    pub(crate) fn told_counts(&self, slot: Slot) -> Vec<usize> {
        let process = self.graph.process(slot);
        let mut counts = vec![0; process.events.len() + 2];
        if self.is_uneventful_life(slot) {
            return counts;
        }
        let mut told = 0;
        for (at, &event) in process.events.iter().enumerate() {
            counts[at] = told;
            told += usize::from(self.event(slot, event).is_some());
            if let Event::Input(step) = event {
                told += usize::from(process.steps[step as usize].publishes);
            }
        }
        counts[process.events.len()] = told;
        counts[process.events.len() + 1] = told + usize::from(self.end(slot).is_some());
        counts
    }

    /// Whether this is a life that nobody asked about and that told nobody: it is there only
    /// because a timeout found all quiet, or because somebody asks in other executions.
    fn is_uneventful_life(&self, slot: Slot) -> bool {
        let process = self.graph.process(slot);
        let PidKind::Object(ObjectKey::Life(of)) = self.behaviours.pids.kind(process.pid) else {
            return false;
        };
        let was_quiet = || {
            let first = process.steps.first();
            first.is_some_and(|step| step.pick == Pick::Start)
        };
        let nobody_asked = || {
            let of_itself = self.graph.slot(of);
            let mut inbox = process.inbox.iter();
            self.graph.is_watched(of) && inbox.all(|message| Some(message.sender) == of_itself)
        };
        process.sends.is_empty() && process.reads.is_empty() && (was_quiet() || nobody_asked())
    }

    /// The name of a process or object.
    pub(crate) fn name(&self, slot: Slot) -> String {
        let b = self.behaviours;
        crate::show::pid(
            &b.frontend,
            &b.pids,
            &b.values,
            self.graph.process(slot).pid,
        )
    }

    /// What a process was started as.
    pub(crate) fn start(&self, slot: Slot) -> Option<String> {
        self.behaviours.show_root(self.graph.process(slot).root)
    }

    /// What a process was started as, and the names that it bears or bore at its end.
    pub(crate) fn role(&self, slot: Slot) -> Option<String> {
        let mut role = self.start(slot).unwrap_or_default();
        for name in self.borne(slot) {
            let separator = if role.is_empty() { "" } else { ", " };
            role += &format!("{separator}registered as {name}");
        }
        (!role.is_empty()).then_some(role)
    }

    /// What to call each process: a name that it bears, or what it was started as.
    pub(crate) fn names(&self) -> BTreeMap<trace::Pid, String> {
        let slots = (0..).zip(self.graph.processes());
        let processes = slots.filter(|(_, process)| !process.is_object);
        let named = processes.filter_map(|(slot, _)| {
            let name = self.borne(slot).next().or_else(|| self.start(slot))?;
            Some((self.name(slot).into(), name))
        });
        named.collect()
    }

    /// The names that a process bears or bore at its end.
    fn borne(&self, slot: Slot) -> impl Iterator<Item = String> {
        let b = self.behaviours;
        let pid = self.graph.process(slot).pid;
        let objects = self.graph.processes().iter();
        objects.filter_map(move |object| {
            let PidKind::Object(ObjectKey::Name(name)) = b.pids.kind(object.pid) else {
                return None;
            };
            let last = object.steps.last()?;
            (b.node(last.node).bearer() == Some(pid)).then(|| self.value(name))
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
                .show_constraint(b.values.constraint(constraint), &b.pids),
            Wait::Answer => "an answer".into(),
            Wait::HandedOver { to, value } => format!(
                "its message {} to {} to be received",
                self.value(value),
                crate::show::pid(&b.frontend, &b.pids, &b.values, to)
            ),
            Wait::Serve => "a request".into(),
            Wait::Choose { of } => format!("a choice of one of {of}"),
            Wait::Read { .. } | Wait::Ended(_) => String::new(),
        }
    }

    fn event(&self, slot: Slot, event: Event) -> Option<trace::Event> {
        let process = self.graph.process(slot);
        match event {
            Event::Spawn(child) => Some(trace::Event::Spawn {
                pid: self.name(child).into(),
            }),
            Event::Send(nth) => {
                let (target, at) = process.sends[nth as usize];
                if target == NONE || self.is_uneventful_life(target) {
                    return None;
                }
                let message = &self.graph.process(target).inbox[at as usize];
                Some(trace::Event::Send {
                    tag: self.tag(message),
                    to: self.name(target).into(),
                    value: match self.acknowledges(slot, message) {
                        true => "receipt".into(),
                        false => self.value(message.value),
                    },
                })
            }
            Event::Input(step) => self.input(slot, step as usize),
        }
    }

    /// Whether this message only tells a sender that its own was received.
    fn acknowledges(&self, sender: Slot, message: &Message) -> bool {
        let class = self.behaviours.values.class(message.value);
        class == Class::Answer && !self.graph.process(sender).is_object
    }

    fn input(&self, slot: Slot, index: usize) -> Option<trace::Event> {
        let process = self.graph.process(slot);
        let step = &process.steps[index];
        let cursor = self.graph.cursor(self.behaviours, slot, index)?;
        match step.pick {
            Pick::Start | Pick::GoOn => None,
            Pick::Timeout | Pick::QuietTimeout => Some(trace::Event::Timeout {
                accepts: self.accepts(slot, &cursor),
                constraint: self.constraint(cursor.wait),
            }),
            Pick::Message { .. } => {
                let tag = self.tag(&process.inbox[step.consumed as usize]);
                Some(match self.behaviours.node(step.node).was_struck() {
                    true => trace::Event::Killed { tag },
                    false => trace::Event::Receive {
                        tag,
                        accepts: self.accepts(slot, &cursor),
                        constraint: self.constraint(cursor.wait),
                    },
                })
            }
            Pick::Choice(chosen) => {
                let Wait::Choose { of } = cursor.wait else {
                    return None;
                };
                Some(trace::Event::Choose { of, chosen })
            }
            Pick::Version(version) => {
                let Wait::Read { object } = cursor.wait else {
                    return None;
                };
                let object = self.graph.slot(object)?;
                Some(trace::Event::Read {
                    object: self.name(object).into(),
                    version: self.changes_before(object, version),
                })
            }
        }
    }

    /// How many changes of an object a version comes after.
    pub(crate) fn changes_before(&self, object: Slot, version: u32) -> u32 {
        let steps = &self.graph.process(object).steps[..version as usize];
        let changes = steps.iter().filter(|step| step.publishes);
        u32::try_from(changes.count()).expect("a short process")
    }

    /// Which messages to this process a demand of it accepts, of all that were ever sent. A
    /// signal that would strike is not accepted: being killed is not a receive.
    pub(crate) fn accepts(&self, slot: Slot, cursor: &Cursor) -> trace::Accepts {
        let b = self.behaviours;
        let accepted = |message: &&Message| match Graph::attention(b, cursor, message.value) {
            Attention::Takes => !b.values.class(message.value).strikes(cursor.trapping),
            Attention::Ignores => false,
            Attention::If(constraint) => b.frontend.matches(
                b.values.payload(message.value),
                b.values.constraint(constraint),
            ),
        };
        let inbox = &self.graph.process(slot).inbox;
        let tags: BTreeSet<_> = inbox
            .iter()
            .filter(accepted)
            .map(|message| self.tag(message))
            .collect();
        if tags.len() == inbox.len() {
            trace::Accepts::All
        } else {
            trace::Accepts::Only(tags)
        }
    }
}
