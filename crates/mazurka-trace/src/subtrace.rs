//! Comparing traces: sub-traces and causal equivalence.

use crate::{Accepts, Event, Pid, Trace};

impl Trace {
    /// Whether this is a sub-trace of `of` (Vidal 2022, Def. 6): the same initial process,
    /// and what each process did here is the beginning of what it did there.
    ///
    /// Both must be valid. Deliveries and exits do not count. Two constraints are the same
    /// if they accept the same among the messages sent to the process in this trace.
    /// Programs and delivery models are not compared.
    pub fn is_subtrace_of(&self, of: &Trace) -> bool {
        let is_prefix = |pid: &Pid| {
            let mut whole = substance(of.events_of(pid));
            substance(self.events_of(pid)).all(|event| {
                whole
                    .next()
                    .is_some_and(|other| self.same_event(pid, event, other))
            })
        };
        self.initial == of.initial && self.processes.keys().all(is_prefix)
    }

    /// Causal equivalence of valid traces: equality up to deliveries and exits, in the
    /// sense of [`is_subtrace_of`](Trace::is_subtrace_of).
    pub fn equivalent(&self, other: &Trace) -> bool {
        let count = |trace: &Trace| {
            trace
                .processes
                .values()
                .flat_map(|events| substance(events))
                .count()
        };
        count(self) == count(other) && self.is_subtrace_of(other)
    }

    fn same_event(&self, pid: &Pid, a: &Event, b: &Event) -> bool {
        if a == b {
            return true;
        }
        match (a, b) {
            (
                Event::Receive {
                    tag: a_tag,
                    accepts: a,
                    constraint: a_text,
                },
                Event::Receive {
                    tag: b_tag,
                    accepts: b,
                    constraint: b_text,
                },
            ) => a_tag == b_tag && a_text == b_text && self.same_choice(pid, a, b),
            (
                Event::Timeout {
                    accepts: a,
                    constraint: a_text,
                },
                Event::Timeout {
                    accepts: b,
                    constraint: b_text,
                },
            ) => a_text == b_text && self.same_choice(pid, a, b),
            _ => false,
        }
    }

    /// A constraint is recorded as the messages that satisfy it, so in a longer trace the
    /// same constraint may look different.
    fn same_choice(&self, pid: &Pid, a: &Accepts, b: &Accepts) -> bool {
        let mut sends = self.processes.values().flatten().filter_map(Event::sends);
        a == b || sends.all(|(tag, to)| to != pid || a.accepts(tag) == b.accepts(tag))
    }
}

fn substance(events: &[Event]) -> impl Iterator<Item = &Event> {
    events.iter().filter(|event| !event.is_recorded_only())
}
