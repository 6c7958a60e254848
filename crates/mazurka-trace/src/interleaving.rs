//! Interleavings: linear orders of the events of an execution.

use std::collections::BTreeSet;

use crate::{Delivery, Event, ProcessName, Trace};

/// A sequence of events of several processes (Vidal 2022, Def. 1).
///
/// The fields are plain data; [`Interleaving::check`] decides whether such an execution is
/// possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interleaving {
    /// The delivery model of the execution.
    pub delivery: Delivery,
    /// The process that exists from the start.
    pub initial: ProcessName,
    /// The built-in processes (shared objects). They exist from the start, too,
    /// unless they are spawned.
    pub objects: BTreeSet<ProcessName>,
    /// The events in order, each with its process.
    pub events: Vec<(ProcessName, Event)>,
}

impl Interleaving {
    /// `tr(S)` of the paper: the events of each process. Every process of the interleaving gets an
    /// entry, even if it has no events.
    pub fn to_trace(&self) -> Trace {
        let mut trace = Trace::new(self.delivery, self.initial.clone());
        trace.objects = self.objects.clone();
        let known = self.objects.iter().chain([&self.initial]);
        trace
            .processes
            .extend(known.map(|pid| (pid.clone(), Vec::new())));
        for (pid, event) in &self.events {
            if let Event::Spawn { pid: child } = event {
                trace.processes.entry(child.clone()).or_default();
            }
            trace
                .processes
                .entry(pid.clone())
                .or_default()
                .push(event.clone());
        }
        trace
    }

    /// The number of times that the acting process changes.
    pub fn context_switches(&self) -> usize {
        self.events
            .windows(2)
            .filter(|pair| pair[0].0 != pair[1].0)
            .count()
    }

    /// Causal equivalence (Vidal 2022, Def. 3) of two valid interleavings: they have the
    /// same trace, up to deliveries and exits (Vidal 2022, Lemma 2 and Theorems 1 and 2).
    pub fn equivalent(&self, other: &Interleaving) -> bool {
        self.to_trace().equivalent(&other.to_trace())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{example, interleaving};
    use crate::{Count, Delivery};

    /// Vidal 2022, Example 4.
    const PRINTED: &str = "
        p1: spawn p3, spawn p2, spawn p4, spawn p5
        p5: send 1 to p3
        p3: receive 1
        p2: send 2 to p3
        p3: send 3 to p4, receive 2 except 4
        p5: send 4 to p3
        p3: receive 4
        p4: receive 3
        p3: send 5 to p1
        p4: send 6 to p3
        p1: receive 5
        p3: receive 6
        p1: send 7 to p3
        p5: send 8 to p3";

    /// The example without values and constraint texts, which the short form cannot express.
    fn bare_example() -> Trace {
        let mut trace = example();
        for event in trace.processes.values_mut().flatten() {
            if let Event::Send { value: text, .. }
            | Event::Receive {
                constraint: text, ..
            } = event
            {
                text.clear();
            }
        }
        trace
    }

    #[test]
    fn the_example() {
        let printed = interleaving(Delivery::P2p, &[], PRINTED);
        assert_eq!(printed.check(), Ok(()));
        assert_eq!(printed.to_trace(), bare_example());
        assert_eq!(printed.context_switches(), 13);

        let trace = bare_example();
        let causality = trace.check().unwrap();
        assert!(causality.random_linearisation(7).equivalent(&printed));
        let fewest = causality.fewest_switches(10_000);
        assert_eq!((fewest.switches, fewest.exact), (6, true));
        assert_eq!(causality.count_linearisations(1000), Count::MoreThan(1000));
    }

    #[test]
    fn swaps() {
        let run = interleaving(
            Delivery::P2p,
            &[],
            "p: spawn q, send 1 to q\n q: send 2 to p, receive 1\n p: receive 2",
        );
        let same = interleaving(
            Delivery::P2p,
            &[],
            "p: spawn q\n q: send 2 to p\n p: send 1 to q, receive 2, exit\n q: deliver 1, receive 1 of 1",
        );
        assert!(
            run.equivalent(&same),
            "up to deliveries, exits and the form of constraints"
        );
        let other = interleaving(
            Delivery::P2p,
            &[],
            "p: spawn q, send 1 to q\n q: send 2 to p, receive 1",
        );
        assert!(!run.equivalent(&other));
        assert!(other.to_trace().is_subtrace_of(&run.to_trace()));
        assert!(!run.to_trace().is_subtrace_of(&other.to_trace()));
    }

    #[test]
    fn publications_count() {
        let run = |text| interleaving(Delivery::P2p, &["o"], text);
        let (silent, visible) = (
            run("p: send 1 to o\n o: receive 1"),
            run("p: send 1 to o\n o: receive 1, publish"),
        );
        assert!(!silent.equivalent(&visible));
        assert!(silent.to_trace().is_subtrace_of(&visible.to_trace()));
        assert!(!visible.to_trace().is_subtrace_of(&silent.to_trace()));
    }
}
