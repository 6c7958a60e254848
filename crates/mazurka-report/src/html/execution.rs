//! The lanes and events of one execution.

use super::data::{Event, EventId, Execution, Lane, LaneId};
use super::sources::Sources;
use crate::text::{Names, shorten, shown, visible_lines};
use mazurka_trace::{At, Causality, Event as Happening, LogEntry, ProcessName, Tag, Trace};
use std::collections::{BTreeMap, HashMap};

/// Values are cut here; the log has them in full.
const VALUE_MAX: usize = 2_000;
/// The maximum number of messages of a mailbox that are examined and shown.
const MAILBOX_MAX: usize = 50;

/// An execution, and the index of each of its events.
pub(super) struct Drawn {
    pub execution: Execution,
    pub ids: HashMap<At, EventId>,
    pub lanes: HashMap<ProcessName, LaneId>,
}

/// Puts the events of an execution into this order. `names` has the names of processes.
pub(super) fn draw(
    causality: &Causality<'_>,
    order: &[At],
    names: &Names,
    sources: &mut Sources<'_>,
) -> Drawn {
    let trace = causality.trace();
    let pids = lanes(trace, order);
    let lane_ids: HashMap<ProcessName, LaneId> = pids.iter().cloned().zip(0..).collect();
    let ids: HashMap<At, EventId> = order.iter().cloned().zip(0..).collect();
    let mut drawing = Drawing {
        trace,
        ids: &ids,
        lanes: &lane_ids,
        is_quiet: pids
            .iter()
            .map(|pid| trace.is_bookkeeping(pid.as_str()))
            .collect(),
        sends: sends(trace, &ids),
        inputs: inputs(trace),
        notes: Notes::new(trace),
        steps: shown(trace, order).into_iter().zip(1..).collect(),
    };
    let mut events: Vec<Event> = order.iter().map(|at| drawing.event(at)).collect();
    drawing.add_causes(&mut events);
    drawing.add_races(causality, &mut events);
    drawing.add_skips(order, &mut events);
    events
        .iter()
        .filter_map(|event| event.place.as_deref())
        .for_each(|place| sources.keep(place));
    let last_output = drawing.notes.last_output(&lane_ids);
    let execution = Execution {
        delivery: trace.delivery.name(),
        lanes: pids.iter().map(|pid| lane(trace, pid, names)).collect(),
        events,
        last_output,
    };
    Drawn {
        execution,
        ids,
        lanes: lane_ids,
    }
}

fn lane(trace: &Trace, pid: &ProcessName, names: &Names) -> Lane {
    Lane {
        pid: pid.to_string(),
        name: shorten(&names.of(pid), VALUE_MAX),
        alone: names.alone(pid).map(|name| shorten(name, VALUE_MAX)),
        object: trace.objects.contains(pid),
        quiet: trace.is_bookkeeping(pid.as_str()),
    }
}

/// The lanes: processes in order of appearance, then shared objects.
fn lanes(trace: &Trace, order: &[At]) -> Vec<ProcessName> {
    let mut pids = vec![&trace.initial];
    for at in order {
        pids.push(&at.pid);
        match trace.event(at) {
            Some(Happening::Spawn { pid }) => pids.push(pid),
            Some(Happening::Send { to, .. }) => pids.push(to),
            Some(Happening::Read { object, .. }) => pids.push(object),
            _ => {}
        }
    }
    pids.extend(trace.processes.keys());
    let mut known = std::collections::HashSet::new();
    pids.retain(|pid| known.insert(*pid));
    // The sort is stable.
    pids.sort_by_key(|pid| {
        (
            trace.is_bookkeeping(pid.as_str()),
            trace.objects.contains(*pid),
        )
    });
    pids.into_iter().cloned().collect()
}

fn sends<'t>(trace: &'t Trace, ids: &HashMap<At, EventId>) -> HashMap<&'t Tag, EventId> {
    let send = |(at, event): (At, &'t Happening)| Some((event.sends()?.0, *ids.get(&at)?));
    trace.events().filter_map(send).collect()
}

/// The log entry of each input of the trace.
fn inputs(trace: &Trace) -> HashMap<At, LogEntry> {
    let log = trace.log();
    let inputs = log.processes.into_iter().flat_map(|(pid, entries)| {
        let events = trace.events_of(&pid).iter().enumerate();
        let inputs = events.filter(|(_, event)| event.is_input());
        let at = inputs.map(move |(index, _)| At::new(pid.clone(), index));
        at.zip(entries).collect::<Vec<_>>()
    });
    inputs.collect()
}

/// Places and output by event. A trace has them in lists, which are slow to search.
struct Notes<'t> {
    places: HashMap<(&'t ProcessName, usize), &'t str>,
    output: BTreeMap<(&'t ProcessName, usize), String>,
}

impl<'t> Notes<'t> {
    fn new(trace: &'t Trace) -> Self {
        let (mut places, mut output) = (HashMap::new(), BTreeMap::<_, String>::new());
        for (pid, notes) in &trace.notes {
            for note in notes {
                if let Some(place) = &note.place {
                    places.entry((pid, note.at)).or_insert(place.as_str());
                }
                if let Some(text) = &note.output {
                    *output.entry((pid, note.at)).or_default() += text;
                }
            }
        }
        Notes { places, output }
    }

    /// What was printed after the last event of a process.
    fn last_output(mut self, lanes: &HashMap<ProcessName, LaneId>) -> Vec<(LaneId, String)> {
        let late = std::mem::take(&mut self.output).into_iter();
        late.filter_map(|((pid, _), text)| Some((*lanes.get(pid)?, cut(&text))))
            .collect()
    }
}

struct Drawing<'d> {
    trace: &'d Trace,
    ids: &'d HashMap<At, EventId>,
    lanes: &'d HashMap<ProcessName, LaneId>,
    /// Which lanes are internal to a front-end.
    is_quiet: Vec<bool>,
    sends: HashMap<&'d Tag, EventId>,
    inputs: HashMap<At, LogEntry>,
    notes: Notes<'d>,
    /// The numbers of the text report.
    steps: HashMap<At, usize>,
}

impl<'d> Drawing<'d> {
    fn event(&mut self, at: &'d At) -> Event {
        let mut drawn = Event {
            lane: self.lanes[&at.pid],
            at: at.index,
            step: self.steps.get(at).copied(),
            input: self.inputs.remove(at),
            place: self
                .notes
                .places
                .get(&(&at.pid, at.index))
                .map(|place| (*place).to_owned()),
            // Entries that remain at the end were printed after the last events.
            output: self
                .notes
                .output
                .remove(&(&at.pid, at.index))
                .map(|text| cut(&text)),
            ..Event::default()
        };
        if let Some(event) = self.trace.event(at) {
            self.describe(event, &mut drawn);
        }
        let outside = self.trace.outside(at);
        drawn.value = outside.map(str::to_owned).or(drawn.value);
        drawn.quiet = self.is_quiet[drawn.lane]
            || drawn.to.is_some_and(|to| self.is_quiet[to])
            || outside == Some("");
        drawn
    }

    /// Sets what depends on the kind of the event.
    fn describe(&self, event: &Happening, drawn: &mut Event) {
        drawn.kind = kind(event);
        match event {
            Happening::Spawn { pid } => drawn.to = self.lane(pid),
            Happening::Send { tag, to, value } => {
                drawn.to = self.lane(to);
                drawn.value = Some(cut(value));
                drawn.tag = Some(tag.to_string());
            }
            Happening::Receive {
                tag, constraint, ..
            } => {
                drawn.tag = Some(tag.to_string());
                drawn.constraint = non_empty(constraint);
            }
            Happening::Timeout { constraint, .. } => drawn.constraint = non_empty(constraint),
            Happening::Killed { tag } | Happening::Deliver { tag } => {
                drawn.tag = Some(tag.to_string());
            }
            Happening::Read { object, version } => {
                drawn.to = self.lane(object);
                drawn.number = Some(*version);
            }
            Happening::Choose { of, chosen } => {
                (drawn.of, drawn.number) = (Some(*of), Some(*chosen));
            }
            Happening::Exit { reason } => drawn.value = Some(cut(reason)),
            Happening::Publish => {}
        }
    }

    fn lane(&self, pid: &ProcessName) -> Option<LaneId> {
        self.lanes.get(pid).copied()
    }

    /// Adds the direct causes beyond program order, as the kernel defines them: the spawn for the first
    /// event of a process, the send of a consumed message, the version that is read.
    fn add_causes(&self, events: &mut [Event]) {
        let mut publications: HashMap<&ProcessName, Vec<EventId>> = HashMap::new();
        for object in &self.trace.objects {
            let all = self.trace.events_of(object).iter().enumerate();
            let publishes = all.filter(|(_, event)| **event == Happening::Publish);
            let ids = publishes.filter_map(|(at, _)| self.id(object, at));
            publications.insert(object, ids.collect());
        }
        for (at, event) in self.trace.events() {
            let Some(&id) = self.ids.get(&at) else {
                continue;
            };
            if let Happening::Spawn { pid } = event
                && let Some(first) = self.id(pid, 0)
            {
                events[first].causes.push(id);
            }
            let cause = match event {
                Happening::Read { object, version } => {
                    let made = (*version as usize).checked_sub(1);
                    let of_object = publications.get(object);
                    made.and_then(|made| of_object?.get(made)).copied()
                }
                _ => event
                    .consumes()
                    .and_then(|tag| self.sends.get(tag))
                    .copied(),
            };
            events[id].causes.extend(cause);
        }
        // Receives from internal objects of a front-end are internal, too.
        let quiet: Vec<EventId> = (0..events.len())
            .filter(|&id| {
                let is_answer = events[id].kind == "receive";
                let mut causes = events[id].causes.iter();
                is_answer
                    && causes.any(|&cause| events[cause].kind == "send" && events[cause].quiet)
            })
            .collect();
        quiet.into_iter().for_each(|id| events[id].quiet = true);
    }

    fn id(&self, pid: &ProcessName, index: usize) -> Option<EventId> {
        self.ids.get(&At::new(pid.clone(), index)).copied()
    }

    fn add_races(&self, causality: &Causality<'_>, events: &mut [Event]) {
        for race in causality.races() {
            if let Some(&id) = self.ids.get(&race.at) {
                let sends = race.others.iter().filter_map(|tag| self.sends.get(tag));
                events[id].race = sends.copied().collect();
                events[id].race.sort_unstable();
            }
        }
        for choice in causality.read_choices() {
            if let Some(&id) = self.ids.get(&choice.at) {
                events[id].versions = choice.others;
            }
        }
    }

    /// Adds to each receive the messages in the mailbox that it does not accept. The page computes the
    /// contents of the mailbox itself.
    fn add_skips(&self, order: &[At], events: &mut [Event]) {
        let mut mailboxes: HashMap<LaneId, BTreeMap<EventId, &Tag>> = HashMap::new();
        for (id, at) in order.iter().enumerate() {
            let Some(event) = self.trace.event(at) else {
                continue;
            };
            if let Some(accepts) = event.accepts() {
                let waiting = mailboxes.get(&events[id].lane).into_iter().flatten();
                let skipped = waiting.take(MAILBOX_MAX);
                let skipped = skipped.filter(|(_, tag)| !accepts.accepts(tag));
                events[id].skips = skipped.map(|(send, _)| *send).collect();
            }
            if let Some(send) = event.consumes().and_then(|tag| self.sends.get(tag))
                && let Some(mailbox) = mailboxes.get_mut(&events[id].lane)
            {
                mailbox.remove(send);
            }
            if let Some((tag, to)) = event.sends()
                && let Some(lane) = self.lane(to)
            {
                mailboxes.entry(lane).or_default().insert(id, tag);
            }
        }
    }
}

fn kind(event: &Happening) -> &'static str {
    match event {
        Happening::Spawn { .. } => "spawn",
        Happening::Send { .. } => "send",
        Happening::Receive { .. } => "receive",
        Happening::Timeout { .. } => "timeout",
        Happening::Killed { .. } => "killed",
        Happening::Read { .. } => "read",
        Happening::Choose { .. } => "choose",
        Happening::Publish => "publish",
        Happening::Deliver { .. } => "deliver",
        Happening::Exit { .. } => "exit",
    }
}

/// A text, cut; `None` if it is empty.
fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| cut(text))
}

/// A text, cut to a maximum length; line breaks are kept.
fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => visible_lines(&text[..end]) + "…",
        None => visible_lines(text),
    }
}
