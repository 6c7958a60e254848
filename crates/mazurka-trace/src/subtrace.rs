//! Comparing traces: sub-traces and causal equivalence.

use crate::{Accepts, At, Causality, Event, ProcessName, Trace};

impl Trace {
    /// Whether this is a sub-trace of `of` (Vidal 2022, Def. 6): both have the same initial process,
    /// and the events of each process here are a prefix of its events there.
    ///
    /// Both must be valid. Deliveries and exits are ignored. Two constraints are the same if they
    /// let the receive consume the same messages in this trace. Programs and
    /// delivery models are not compared.
    pub fn is_subtrace_of(&self, of: &Trace) -> bool {
        let Ok(causality) = self.check() else {
            return false;
        };
        let is_prefix = |pid: &ProcessName| {
            let mut whole = causal_events(of.events_of(pid));
            let mut events = causal_events(self.events_of(pid));
            events.all(|(index, event)| {
                let at = At::new(pid.clone(), index);
                whole
                    .next()
                    .is_some_and(|(_, other)| same_event(&causality, &at, event, other))
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
                .flat_map(|events| causal_events(events))
                .count()
        };
        count(self) == count(other) && self.is_subtrace_of(other)
    }
}

fn same_event(causality: &Causality<'_>, at: &At, a: &Event, b: &Event) -> bool {
    let same_choice = |a: &Accepts, b: &Accepts| {
        // A constraint is stored as the set of messages that satisfy it, so the same constraint can
        // be a different set in a longer trace.
        a == b || causality.is_same_choice(at, a, b)
    };
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
        ) => a_tag == b_tag && a_text == b_text && same_choice(a, b),
        (
            Event::Timeout {
                accepts: a,
                constraint: a_text,
            },
            Event::Timeout {
                accepts: b,
                constraint: b_text,
            },
        ) => a_text == b_text && same_choice(a, b),
        _ => a == b,
    }
}

fn causal_events(events: &[Event]) -> impl Iterator<Item = (usize, &Event)> {
    let events = events.iter().enumerate();
    events.filter(|(_, event)| !event.is_recorded_only())
}
