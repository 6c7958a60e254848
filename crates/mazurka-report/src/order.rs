//! The order in which the events of an execution are shown.

use mazurka_trace::{At, Causality, Interleaving, ProcessName};
use std::collections::{HashMap, HashSet};

/// Orders events: those in `first` come first if possible, then all others, with few switches between
/// processes. The order respects happened-before.
pub(crate) fn order(causality: &Causality<'_>, first: &[At], budget: usize) -> Vec<At> {
    let usual = places(&causality.fewest_switches(budget).interleaving);
    let begins: HashSet<&At> = first.iter().collect();
    if begins.is_empty() || !is_prefix(causality, first, &usual) {
        return usual;
    }
    let rest = usual.iter().filter(|at| !begins.contains(at));
    first.iter().chain(rest).cloned().collect()
}

/// Whether these events, in this order, can come before all others.
fn is_prefix(causality: &Causality<'_>, first: &[At], all: &[At]) -> bool {
    let mut done: HashMap<&ProcessName, usize> = HashMap::new();
    for at in first {
        let next = done.entry(&at.pid).or_default();
        if at.index != *next || causality.trace().event(at).is_none() {
            return false;
        }
        *next += 1;
    }
    let is_done = |at: &At| done.get(&at.pid).is_some_and(|&done| at.index < done);
    // The events are in program order, so the last one of each process stands for all before it.
    let missing: Vec<&At> = all.iter().filter(|at| !is_done(at)).collect();
    let mut firsts: HashMap<&ProcessName, &At> = HashMap::new();
    for &at in &missing {
        let first = firsts.entry(&at.pid).or_insert(at);
        if at.index < first.index {
            *first = at;
        }
    }
    let lasts = done
        .iter()
        .filter(|(_, done)| **done > 0)
        .map(|(pid, done)| At::new((*pid).clone(), done - 1));
    let closed = lasts.into_iter().all(|last| {
        let mut firsts = firsts.values();
        !firsts.any(|missing| causality.happened_before(missing, &last))
    });
    closed && is_in_order(causality, first)
}

/// Whether the order respects happened-before. Each event is compared with the last event of each
/// process before it, whose causal past includes those of the earlier ones.
fn is_in_order(causality: &Causality<'_>, events: &[At]) -> bool {
    let mut lasts: HashMap<&ProcessName, &At> = HashMap::new();
    for at in events {
        let mut lasts_before = lasts.values();
        if lasts_before.any(|last| causality.happened_before(at, last)) {
            return false;
        }
        lasts.insert(&at.pid, at);
    }
    true
}

fn places(events: &Interleaving) -> Vec<At> {
    let mut done: HashMap<&ProcessName, usize> = HashMap::new();
    let mut place = |pid| {
        let next = done.entry(pid).or_default();
        *next += 1;
        At::new(pid.clone(), *next - 1)
    };
    events.events.iter().map(|(pid, _)| place(pid)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_trace::Trace;

    fn at(text: &str) -> At {
        let (pid, index) = text.split_once(':').unwrap();
        At::new(pid, index.parse().unwrap())
    }

    fn check(first: &str, expected: &str) {
        let trace = Trace::from_json(
            r#"{ "mazurka": "trace", "version": 1, "processes": {
              "m": [ {"spawn": "a"}, {"spawn": "b"}, {"receive": "1"}, {"receive": "2"} ],
              "a": [ {"send": "1", "to": "m"} ], "b": [ {"send": "2", "to": "m"} ] } }"#,
        )
        .unwrap();
        let causality = trace.check().unwrap();
        let first: Vec<At> = first.split_whitespace().map(at).collect();
        let found = order(&causality, &first, 1000);
        let expected: Vec<At> = expected.split_whitespace().map(at).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn begins_as_asked_where_that_is_possible() {
        let usual = "m:0 m:1 a:0 b:0 m:2 m:3";
        check("", usual);
        check("m:0 m:1 b:0", "m:0 m:1 b:0 a:0 m:2 m:3");
        check("m:0 a:0 m:1 m:2", "m:0 a:0 m:1 m:2 b:0 m:3");
        // These cannot come first: an event in their causal past is missing, or comes later.
        check("m:1", usual);
        check("m:0 b:0", usual);
        check("m:0 m:1 m:2 a:0", usual);
        check("m:0 m:1 m:2", usual);
        check("m:0 z:0", usual);
    }
}
