//! A trace whose names are replaced by small numbers, and whose structure is checked: which event
//! spawns each process and which event consumes each message.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::{At, Event, ProcessName, Tag, Trace, TraceError, Usage};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(u32);

        impl $name {
            pub(crate) fn new(number: usize) -> Self {
                $name(u32::try_from(number).expect("a trace has fewer than 2^32 events"))
            }

            pub(crate) fn ix(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A process. Processes are numbered in the order of their names.
    ProcessId
}
id! {
    /// An event. Events are numbered process by process, so the events of one process are adjacent.
    EventId
}
id! {
    /// A message. Messages are numbered in the order of the event numbers of their sends.
    MessageId
}

pub(crate) struct Message<'t> {
    pub(crate) tag: &'t Tag,
    pub(crate) send: EventId,
    target: &'t ProcessName,
    /// The target's number; `None` if the trace has no such process.
    pub(crate) to: Option<ProcessId>,
    /// The index of the message in the target's inbox.
    pub(crate) slot: usize,
    /// The event that consumes it.
    pub(crate) consumed: Option<EventId>,
    delivered: Option<EventId>,
}

/// All messages sent to one process.
#[derive(Default)]
pub(crate) struct Inbox {
    /// In the order of the senders' names, and for each sender in the order of its sends.
    pub(crate) messages: Vec<MessageId>,
    /// The slots of each sender.
    pub(crate) senders: Vec<Range<usize>>,
}

impl Inbox {
    /// The index in `senders` of the process that sent the message in this slot.
    pub(crate) fn sender_of(&self, slot: usize) -> usize {
        self.senders.partition_point(|sender| sender.end <= slot)
    }
}

pub(crate) struct Index<'t> {
    pids: Vec<&'t ProcessName>,
    processes: HashMap<&'t ProcessName, ProcessId>,
    /// The events of process `p` have the numbers `starts[p]..starts[p + 1]`.
    starts: Vec<usize>,
    events: Vec<&'t Event>,
    owners: Vec<ProcessId>,
    /// The spawn of each process; `None` for those that exist from the start.
    spawns: Vec<Option<EventId>>,
    messages: Vec<Message<'t>>,
    /// The message that each event consumes.
    consumes: Vec<Option<MessageId>>,
    tags: HashMap<&'t Tag, MessageId>,
    inboxes: Vec<Inbox>,
}

impl<'t> Index<'t> {
    /// Fails if the trace breaks a rule that does not depend on the order of events: pids and tags
    /// are unique; every process descends from one that exists from the start; each message is
    /// used only by its target, once, and by a receive that accepts it; each version that is read
    /// exists; only objects publish.
    pub(crate) fn new(trace: &'t Trace) -> Result<Index<'t>, TraceError> {
        let mut index = Index::layout(trace);
        index.find_spawns(trace)?;
        index.check_ancestors(trace)?;
        index.find_messages()?;
        index.find_uses()?;
        index.check_publications(trace)?;
        index.check_choices()?;
        index.check_reads(trace)?;
        Ok(index)
    }

    fn layout(trace: &'t Trace) -> Index<'t> {
        let spawned = trace.processes.values().flatten().filter_map(Event::spawns);
        let pids: BTreeSet<&ProcessName> = trace
            .processes
            .keys()
            .chain(&trace.objects)
            .chain([&trace.initial])
            .chain(spawned)
            .collect();
        let pids: Vec<&ProcessName> = pids.into_iter().collect();
        let mut index = Index {
            processes: pids
                .iter()
                .enumerate()
                .map(|(p, pid)| (*pid, ProcessId::new(p)))
                .collect(),
            starts: vec![0],
            events: Vec::new(),
            owners: Vec::new(),
            spawns: vec![None; pids.len()],
            messages: Vec::new(),
            consumes: Vec::new(),
            tags: HashMap::new(),
            inboxes: pids.iter().map(|_| Inbox::default()).collect(),
            pids,
        };
        for (p, pid) in index.pids.iter().enumerate() {
            index.events.extend(trace.events_of(pid));
            index.owners.resize(index.events.len(), ProcessId::new(p));
            index.starts.push(index.events.len());
        }
        index.consumes = vec![None; index.events.len()];
        index
    }

    fn find_spawns(&mut self, trace: &Trace) -> Result<(), TraceError> {
        for e in self.all() {
            let Some(pid) = self.event(e).spawns() else {
                continue;
            };
            let at = self.at(e);
            if *pid == trace.initial {
                return Err(TraceError::SpawnsExisting {
                    pid: pid.clone(),
                    at,
                });
            }
            let child = self.processes[pid];
            if let Some(first) = self.spawns[child.ix()].replace(e) {
                let first = self.at(first);
                return Err(TraceError::SpawnedTwice {
                    pid: pid.clone(),
                    first,
                    second: at,
                });
            }
        }
        Ok(())
    }

    /// Checks that every process descends from one that exists from the start.
    fn check_ancestors(&self, trace: &Trace) -> Result<(), TraceError> {
        if trace.objects.contains(&trace.initial) {
            return Err(TraceError::InitialIsObject {
                pid: trace.initial.clone(),
            });
        }
        // 0: not seen yet; otherwise the number of the walk that saw it, from 1.
        let mut seen = vec![0; self.pids.len()];
        for start in 0..self.pids.len() {
            let mut p = start;
            while seen[p] == 0 {
                seen[p] = start + 1;
                match self.spawns[p] {
                    Some(spawn) => p = self.owner(spawn).ix(),
                    None if *self.pids[p] == trace.initial
                        || trace.objects.contains(self.pids[p]) =>
                    {
                        break;
                    }
                    None => {
                        return Err(TraceError::NotSpawned {
                            pid: self.pids[p].clone(),
                        });
                    }
                }
            }
            // The walk reached a process that it had seen itself: a cycle, unless the walk ended at
            // a process that exists from the start.
            if seen[p] == start + 1 && self.spawns[p].is_some() {
                return Err(TraceError::SpawnCycle {
                    pids: self.spawn_cycle(p),
                });
            }
        }
        Ok(())
    }

    fn spawn_cycle(&self, start: usize) -> Vec<ProcessName> {
        let mut pids = vec![self.pids[start].clone()];
        let mut p = start;
        while let Some(spawn) = self.spawns[p] {
            p = self.owner(spawn).ix();
            if p == start {
                break;
            }
            pids.push(self.pids[p].clone());
        }
        // The walk went from child to parent.
        pids.reverse();
        pids
    }

    fn find_messages(&mut self) -> Result<(), TraceError> {
        for send in self.all() {
            let Some((tag, to)) = self.event(send).sends() else {
                continue;
            };
            let id = MessageId::new(self.messages.len());
            if let Some(first) = self.tags.insert(tag, id) {
                let first = self.at(self.messages[first.ix()].send);
                return Err(TraceError::TagReused {
                    tag: tag.clone(),
                    first,
                    second: self.at(send),
                });
            }
            let sender = self.owner(send);
            let target = to;
            let to = self.processes.get(target).copied();
            let slot = to.map_or(0, |to| self.add_to_inbox(id, sender, to));
            self.messages.push(Message {
                tag,
                send,
                target,
                to,
                slot,
                consumed: None,
                delivered: None,
            });
        }
        Ok(())
    }

    fn add_to_inbox(&mut self, id: MessageId, sender: ProcessId, to: ProcessId) -> usize {
        let inbox = &mut self.inboxes[to.ix()];
        let slot = inbox.messages.len();
        let last = inbox
            .messages
            .last()
            .map(|last| self.messages[last.ix()].send);
        match inbox.senders.last_mut() {
            Some(range) if last.is_some_and(|last| self.owners[last.ix()] == sender) => {
                range.end += 1
            }
            _ => inbox.senders.push(slot..slot + 1),
        }
        inbox.messages.push(id);
        slot
    }

    fn find_uses(&mut self) -> Result<(), TraceError> {
        for e in self.all() {
            let (tag, usage) = match self.event(e) {
                Event::Receive { tag, .. } => (tag, Usage::Receives),
                Event::Killed { tag } => (tag, Usage::KilledBy),
                Event::Deliver { tag } => (tag, Usage::Delivers),
                _ => continue,
            };
            self.check_use(e, tag, usage)?;
        }
        Ok(())
    }

    fn check_use(&mut self, e: EventId, tag: &Tag, usage: Usage) -> Result<(), TraceError> {
        let at = self.at(e);
        let Some(&id) = self.tags.get(tag) else {
            return Err(TraceError::NotSent {
                tag: tag.clone(),
                at,
                usage,
            });
        };
        let message = &self.messages[id.ix()];
        if message.to != Some(self.owner(e)) {
            let sent = self.at(message.send);
            let to = message.target.clone();
            return Err(TraceError::WrongTarget {
                tag: tag.clone(),
                at,
                usage,
                sent,
                to,
            });
        }
        let earlier = if usage == Usage::Delivers {
            message.delivered
        } else {
            message.consumed
        };
        if let Some(first) = earlier {
            let first = self.at(first);
            return Err(TraceError::UsedTwice {
                tag: tag.clone(),
                usage,
                first,
                second: at,
            });
        }
        if usage == Usage::Delivers {
            if let Some(consumed) = message.consumed {
                let consumed = self.at(consumed);
                return Err(TraceError::DeliveredLate {
                    tag: tag.clone(),
                    at,
                    consumed,
                });
            }
            self.messages[id.ix()].delivered = Some(e);
            return Ok(());
        }
        if self
            .event(e)
            .accepts()
            .is_some_and(|accepts| !accepts.accepts(tag))
        {
            return Err(TraceError::NotAccepted {
                tag: tag.clone(),
                at,
            });
        }
        self.messages[id.ix()].consumed = Some(e);
        self.consumes[e.ix()] = Some(id);
        Ok(())
    }

    fn check_publications(&self, trace: &Trace) -> Result<(), TraceError> {
        let mut publications = self.all().filter(|e| *self.event(*e) == Event::Publish);
        match publications.find(|e| !trace.objects.contains(self.pid(self.owner(*e)))) {
            Some(e) => Err(TraceError::PublisherNotAnObject { at: self.at(e) }),
            None => Ok(()),
        }
    }

    fn check_choices(&self) -> Result<(), TraceError> {
        for e in self.all() {
            if let Event::Choose { of, chosen } = *self.event(e)
                && chosen >= of
            {
                let at = self.at(e);
                return Err(TraceError::NoSuchAlternative { chosen, of, at });
            }
        }
        Ok(())
    }

    fn check_reads(&self, trace: &Trace) -> Result<(), TraceError> {
        let versions = self.versions();
        for e in self.all() {
            let Event::Read { object, version } = self.event(e) else {
                continue;
            };
            if !trace.objects.contains(object) {
                return Err(TraceError::NotAnObject {
                    object: object.clone(),
                    at: self.at(e),
                });
            }
            let last = u32::try_from(versions[&self.processes[object]].len()).unwrap_or(u32::MAX);
            if *version > last {
                let (object, version, at) = (object.clone(), *version, self.at(e));
                return Err(TraceError::NoSuchVersion {
                    object,
                    version,
                    last,
                    at,
                });
            }
        }
        Ok(())
    }

    /// The publications of every object that some event reads. Each publication creates a version.
    pub(crate) fn versions(&self) -> HashMap<ProcessId, Vec<EventId>> {
        let read = self.events.iter().filter_map(|event| match event {
            Event::Read { object, .. } => self.process(object),
            _ => None,
        });
        let read: BTreeSet<ProcessId> = read.collect();
        let publishes = |e: &EventId| *self.event(*e) == Event::Publish;
        read.into_iter()
            .map(|p| (p, self.events_of(p).filter(publishes).collect()))
            .collect()
    }

    pub(crate) fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.pids.len()).map(ProcessId::new)
    }

    pub(crate) fn process_count(&self) -> usize {
        self.pids.len()
    }

    pub(crate) fn pid(&self, p: ProcessId) -> &'t ProcessName {
        self.pids[p.ix()]
    }

    pub(crate) fn process(&self, pid: &ProcessName) -> Option<ProcessId> {
        self.processes.get(pid).copied()
    }

    /// Every event, process by process.
    pub(crate) fn all(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len()).map(EventId::new)
    }

    pub(crate) fn event_count(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn events_of(
        &self,
        p: ProcessId,
    ) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (self.starts[p.ix()]..self.starts[p.ix() + 1]).map(EventId::new)
    }

    /// The events after this one in the same process.
    pub(crate) fn events_after(&self, e: EventId) -> impl Iterator<Item = EventId> + use<> {
        (e.ix() + 1..self.starts[self.owner(e).ix() + 1]).map(EventId::new)
    }

    /// The event of `p` with this index, if there is one.
    pub(crate) fn nth(&self, p: ProcessId, index: usize) -> Option<EventId> {
        let e = self.starts[p.ix()].checked_add(index)?;
        (e < self.starts[p.ix() + 1]).then(|| EventId::new(e))
    }

    pub(crate) fn event(&self, e: EventId) -> &'t Event {
        self.events[e.ix()]
    }

    pub(crate) fn owner(&self, e: EventId) -> ProcessId {
        self.owners[e.ix()]
    }

    /// The index of the event in its process.
    pub(crate) fn position(&self, e: EventId) -> usize {
        e.ix() - self.starts[self.owner(e).ix()]
    }

    /// The next event of the same process.
    pub(crate) fn next(&self, e: EventId) -> Option<EventId> {
        self.nth(self.owner(e), self.position(e) + 1)
    }

    /// The previous event of the same process.
    pub(crate) fn previous(&self, e: EventId) -> Option<EventId> {
        self.nth(self.owner(e), self.position(e).checked_sub(1)?)
    }

    pub(crate) fn at(&self, e: EventId) -> At {
        At {
            pid: self.pid(self.owner(e)).clone(),
            index: self.position(e),
        }
    }

    pub(crate) fn find(&self, at: &At) -> Option<EventId> {
        self.nth(self.process(&at.pid)?, at.index)
    }

    /// The spawn of `p`; `None` if it exists from the start.
    pub(crate) fn spawn(&self, p: ProcessId) -> Option<EventId> {
        self.spawns[p.ix()]
    }

    pub(crate) fn inbox(&self, p: ProcessId) -> &Inbox {
        &self.inboxes[p.ix()]
    }

    pub(crate) fn message(&self, id: MessageId) -> &Message<'t> {
        &self.messages[id.ix()]
    }

    /// The message that the event consumes.
    pub(crate) fn consumed(&self, e: EventId) -> Option<&Message<'t>> {
        self.consumes[e.ix()].map(|id| self.message(id))
    }

    /// The message with this tag, if some event sends it.
    pub(crate) fn find_message(&self, tag: &Tag) -> Option<&Message<'t>> {
        self.tags.get(tag).map(|id| self.message(*id))
    }
}
