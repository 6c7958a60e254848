//! Properties of random executions, and comparisons with literal implementations of the
//! definitions.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::random::Random;
use crate::testing::{any_delivery, brute_linearisations, prefixes, valid_interleaving};
use crate::{At, Count, Delivery, Event, Interleaving, Log, ProcessName, Tag, Trace};

proptest! {
    /// The trace of a valid interleaving is valid. Its linearisations are valid, too, and have the
    /// same trace.
    #[test]
    fn linearisations_are_valid(run in valid_interleaving(any_delivery(), 40), seed: u64) {
        let trace = run.to_trace();
        let causality = trace.check().map_err(|error| TestCaseError::fail(error.to_string()))?;
        let few = causality.fewest_switches(200);
        prop_assert_eq!(few.switches, few.interleaving.context_switches());
        let some = causality.linearisations().take(20);
        for linearisation in some.chain([causality.random_linearisation(seed), few.interleaving]) {
            prop_assert_eq!(linearisation.check(), Ok(()));
            prop_assert_eq!(&linearisation.to_trace(), &trace);
            prop_assert!(linearisation.equivalent(&run));
        }
    }

    /// The linearisations are exactly the valid merges; their count and the fewest switches are
    /// correct.
    #[test]
    fn linearisations_are_complete(run in valid_interleaving(any_delivery(), 9)) {
        let trace = run.to_trace();
        let causality = trace.check().unwrap();
        let all: Vec<Interleaving> = causality.linearisations().collect();
        prop_assert_eq!(&all, &brute_linearisations(&trace));

        let count = all.len() as u64;
        prop_assert_eq!(causality.count_linearisations(1_000_000), Count::Exactly(count));
        prop_assert_eq!(causality.count_linearisations(count), Count::Exactly(count));
        if count > 1 {
            prop_assert_eq!(causality.count_linearisations(count - 1), Count::MoreThan(count - 1));
        }

        let fewest = all.iter().map(Interleaving::context_switches).min().unwrap();
        let exact = causality.fewest_switches(100_000);
        prop_assert!(exact.exact);
        prop_assert_eq!(exact.switches, fewest);
        let greedy = causality.fewest_switches(0);
        prop_assert!(greedy.switches >= fewest);
        prop_assert_eq!(greedy.interleaving.check(), Ok(()));
    }

    /// A trace is valid if and only if it has a valid linearisation (Vidal 2022, Def. 4).
    #[test]
    fn valid_means_linearisable(
        run in valid_interleaving(any_delivery(), 8),
        delivery in any_delivery(),
        changes in 0..3,
        seed: u64,
    ) {
        let mut trace = run.to_trace();
        trace.delivery = delivery;
        let mut random = Random::new(seed);
        for _ in 0..changes {
            change(&mut trace, &mut random);
        }
        // An interleaving does not contain processes without events, so it cannot detect that one is
        // never spawned.
        trace.processes.retain(|_, events| !events.is_empty());
        let valid = !brute_linearisations(&trace).is_empty();
        let checked = trace.check().map(|_| ());
        prop_assert_eq!(checked.is_ok(), valid, "{:?}", checked);
    }

    /// `a` happened before `b` if and only if `a` precedes `b` in all linearisations, provided that
    /// only causality restricts the linearisations.
    #[test]
    fn happened_before_holds_in_all_linearisations(run in valid_interleaving(Just(Delivery::P2p), 9)) {
        let mut trace = run.to_trace();
        for events in trace.processes.values_mut() {
            events.retain(|event| !matches!(event, Event::Read { .. } | Event::Deliver { .. }));
        }
        let causality = trace.check().unwrap();
        let all: Vec<Vec<At>> = causality.linearisations().map(|run| positions(&run)).collect();
        for (a, _) in trace.events() {
            for (b, _) in trace.events() {
                let order = |run: &Vec<At>| run.iter().position(|at| *at == a) < run.iter().position(|at| *at == b);
                prop_assert_eq!(causality.happened_before(&a, &b), all.iter().all(order));
                let free = a != b && all.iter().any(order) && !all.iter().all(order);
                prop_assert_eq!(causality.concurrent(&a, &b), free);
            }
        }
    }

    /// Race sets agree with the declarative definition (Vidal 2022, Def. 7): some sub-trace extended
    /// by the other receive is a trace. Under `mailbox` race sets may be smaller.
    #[test]
    fn races_match_the_declarative_definition(run in valid_interleaving(any_delivery(), 10)) {
        let mut trace = run.to_trace();
        for events in trace.processes.values_mut() {
            events.retain(|event| !matches!(event, Event::Deliver { .. }));
        }
        trace.processes.retain(|_, events| !events.is_empty());
        let causality = trace.check().unwrap();
        for (at, _) in trace.events() {
            let computed = causality.race_set(&at);
            let declared = declared(&trace, &at);
            prop_assert!(computed.is_subset(&declared));
            if trace.delivery != Delivery::Mailbox {
                prop_assert_eq!(computed, declared, "{}", at);
            }
        }
    }

    /// Race sets contain exactly the messages for which the largest such sub-trace is a trace.
    #[test]
    fn races_have_variants(run in valid_interleaving(prop_oneof![any_delivery(), Just(Delivery::Mailbox)], 50)) {
        let trace = run.to_trace();
        let causality = trace.check().unwrap();
        for (at, _) in trace.events() {
            prop_assert_eq!(causality.race_set(&at), by_largest_subtrace(&trace, &at), "{}", at);
        }
    }

    /// Variants are valid traces that differ from the trace in one receive. Their logs can be
    /// written and read back.
    #[test]
    fn variants_are_valid(run in valid_interleaving(any_delivery(), 40)) {
        let trace = run.to_trace();
        let causality = trace.check().unwrap();
        for race in causality.races() {
            prop_assert_eq!(&race.others, &causality.race_set(&race.at));
            for other in &race.others {
                let variant = causality.variant(&race.at, other).unwrap();
                prop_assert_eq!(variant.check().map(|_| ()).map_err(|error| error.to_string()), Ok(()));
                prop_assert!(!variant.is_subtrace_of(&trace));
                let receive = &variant.processes[&race.at.pid];
                prop_assert_eq!(receive.last().and_then(Event::consumes), Some(other));

                let mut rest = variant.clone();
                rest.processes.get_mut(&race.at.pid).unwrap().pop();
                prop_assert!(rest.is_subtrace_of(&trace));

                prop_assert_eq!(Trace::from_json(&variant.to_json()).unwrap(), variant.clone());
                let log = variant.log();
                prop_assert_eq!(Log::from_json(&log.to_json()).unwrap(), log);
            }
        }
    }

    #[test]
    fn json_round_trip(run in valid_interleaving(any_delivery(), 40), text: String) {
        let mut trace = run.to_trace();
        trace.program = Some(text.clone());
        trace.params.set(text.clone(), vec![text.clone(), String::new()]);
        for event in trace.processes.values_mut().flatten() {
            if let Event::Send { value, .. } = event {
                value.clone_from(&text);
            }
        }
        prop_assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace.clone());
        let log = trace.log();
        prop_assert_eq!(Log::from_json(&log.to_json()).unwrap(), log);
    }

    /// Reading a damaged file gives a trace, a log or an error.
    #[test]
    fn reading_never_panics(run in valid_interleaving(any_delivery(), 20), seed: u64, changes in 1..6) {
        let mut random = Random::new(seed);
        let trace = run.to_trace();
        for text in [trace.to_json(), trace.log().to_json()] {
            let mut bytes = text.into_bytes();
            for _ in 0..changes {
                corrupt(&mut bytes, &mut random);
            }
            let text = String::from_utf8_lossy(&bytes);
            match Trace::from_json(&text) {
                Ok(trace) => prop_assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
            match Log::from_json(&text) {
                Ok(log) => prop_assert_eq!(Log::from_json(&log.to_json()).unwrap(), log),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// The position of each step of the interleaving.
fn positions(run: &Interleaving) -> Vec<At> {
    let mut counts: BTreeMap<ProcessName, usize> = BTreeMap::new();
    let mut positions = Vec::new();
    for (pid, _) in &run.events {
        let count = counts.entry(pid.clone()).or_default();
        positions.push(At {
            pid: pid.clone(),
            index: *count,
        });
        *count += 1;
    }
    positions
}

/// The messages for which some sub-trace of `trace` that ends just before `at`, extended by a
/// receive of the message, is a trace.
fn declared(trace: &Trace, at: &At) -> BTreeSet<Tag> {
    let ends_there =
        |prefix: &Trace| prefix.events_of(&at.pid).len() == at.index && prefix.check().is_ok();
    let prefixes: Vec<Trace> = prefixes(trace).into_iter().filter(ends_there).collect();
    let is_race = |receive: &Event| {
        let mut extended = prefixes.iter().map(|prefix| extend(prefix, at, receive));
        extended.any(|extended| extended.check().is_ok())
    };
    other_receives(trace, at)
        .into_iter()
        .filter(|(_, receive)| is_race(receive))
        .map(|(tag, _)| tag)
        .collect()
}

/// The messages for which the sub-trace of all events that do not depend on `at`, extended by a
/// receive of the message, is a trace.
fn by_largest_subtrace(trace: &Trace, at: &At) -> BTreeSet<Tag> {
    let causality = trace.check().unwrap();
    let mut kept = Trace {
        processes: BTreeMap::new(),
        ..trace.clone()
    };
    for (other, event) in trace.events() {
        let stays = other != *at && !causality.happened_before(at, &other);
        if stays && !matches!(event, Event::Deliver { .. }) {
            kept.processes
                .entry(other.pid)
                .or_default()
                .push(event.clone());
        }
    }
    let is_race = |receive: &Event| extend(&kept, at, receive).check().is_ok();
    other_receives(trace, at)
        .into_iter()
        .filter(|(_, receive)| is_race(receive))
        .map(|(tag, _)| tag)
        .collect()
}

/// For every other message, the receive that would consume it at `at`, possible or not.
fn other_receives(trace: &Trace, at: &At) -> Vec<(Tag, Event)> {
    let event = trace.event(at).unwrap();
    let Some(accepts) = event.accepts() else {
        return Vec::new();
    };
    let sends = trace
        .events()
        .filter_map(|(_, event)| event.sends().map(|(tag, _)| tag.clone()));
    let receive = |tag: Tag| {
        let (accepts, constraint) = (accepts.clone(), String::new());
        (
            tag.clone(),
            Event::Receive {
                tag,
                accepts,
                constraint,
            },
        )
    };
    sends
        .filter(|tag| event.consumes() != Some(tag))
        .map(receive)
        .collect()
}

fn extend(prefix: &Trace, at: &At, receive: &Event) -> Trace {
    let mut extended = prefix.clone();
    extended
        .processes
        .entry(at.pid.clone())
        .or_default()
        .push(receive.clone());
    extended
}

/// Makes a random change that may or may not leave the trace valid.
fn change(trace: &mut Trace, random: &mut Random) {
    let places: Vec<At> = trace.events().map(|(at, _)| at).collect();
    if places.is_empty() {
        return;
    }
    let at = &places[random.below(places.len())];
    let other = &places[random.below(places.len())];
    let number = random.below(4);
    let events = trace.processes.get_mut(&at.pid).unwrap();
    match random.below(5) {
        0 => {
            let last = events.len() - 1;
            events.swap(at.index, (at.index + 1).min(last));
        }
        1 => {
            let event = events.remove(at.index);
            let events = trace.processes.get_mut(&other.pid).unwrap();
            events.insert(other.index.min(events.len()), event);
        }
        2 => {
            events.remove(at.index);
        }
        3 => events.insert(at.index, Event::Publish),
        _ => match &mut events[at.index] {
            Event::Spawn { pid } => *pid = format!("p{number}").into(),
            Event::Send { to, .. } => *to = format!("p{number}").into(),
            Event::Receive { tag, .. } | Event::Killed { tag } | Event::Deliver { tag } => {
                *tag = number.to_string().into();
            }
            Event::Read { version, .. } => *version = number as u32,
            Event::Choose { chosen, .. } => *chosen = number as u32,
            _ => {}
        },
    }
}

/// Damages a few bytes of a JSON text.
fn corrupt(bytes: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(bytes.len() + 1);
    let to = (from + random.below(12)).min(bytes.len());
    let pieces: [&[u8]; 12] = [
        b"",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b",",
        b":",
        b"null",
        b"-1e999",
        b"\"version\": 1",
        b"\xff\\u",
    ];
    match random.below(3) {
        0 => drop(bytes.splice(from..to, pieces[random.below(pieces.len())].iter().copied())),
        1 => {
            let piece = bytes[from..to].to_vec();
            let place = random.below(bytes.len() + 1);
            drop(bytes.splice(place..place, piece));
        }
        _ => bytes.truncate(from),
    }
}
