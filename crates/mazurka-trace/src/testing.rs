//! Generators and oracles for the tests of this crate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::random::Random;
use crate::{Accepts, Delivery, Event, Interleaving, ProcessName, Tag, Trace};

/// The trace of Vidal 2022, Examples 4 to 6.
pub(crate) const EXAMPLE: &str = include_str!("../../../examples/traces/race-variant.json");

pub(crate) fn example() -> Trace {
    Trace::from_json(EXAMPLE).unwrap()
}

/// A trace in a short form: a process per line, `p: spawn q, send 1 to q, receive 2,
/// receive 3 of 3 4, receive 3 except 4, timeout, timeout of 3, killed 5, read o 1,
/// choose 1 of 3, publish, deliver 2, exit`. The first process is the initial one; those in brackets are objects.
pub(crate) fn trace(delivery: Delivery, text: &str) -> Trace {
    let mut trace = Trace::new(delivery, "");
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, events) = line.split_once(':').unwrap();
        let pid = ProcessName::from(name.trim_matches(['[', ']']));
        if name.starts_with('[') {
            trace.objects.insert(pid.clone());
        } else if trace.initial.as_str().is_empty() {
            trace.initial = pid.clone();
        }
        let events = events.split(',').filter(|event| !event.trim().is_empty());
        trace.processes.insert(pid, events.map(event).collect());
    }
    trace
}

/// An event in the form described at [`trace`].
pub(crate) fn event(text: &str) -> Event {
    let words: Vec<&str> = text.split_whitespace().collect();
    let tags = |words: &[&str]| Arc::new(words.iter().map(|tag| Tag::from(*tag)).collect());
    let accepts = |words: &[&str]| match words {
        [] => Accepts::All,
        ["of", rest @ ..] => Accepts::Only(tags(rest)),
        ["except", rest @ ..] => Accepts::Except(tags(rest)),
        _ => panic!("not a constraint: {words:?}"),
    };
    match words[..] {
        ["spawn", pid] => Event::Spawn { pid: pid.into() },
        ["send", tag, "to", to] => Event::Send {
            tag: tag.into(),
            to: to.into(),
            value: String::new(),
        },
        ["receive", tag, ref rest @ ..] => Event::Receive {
            tag: tag.into(),
            accepts: accepts(rest),
            constraint: String::new(),
        },
        ["timeout", ref rest @ ..] => Event::Timeout {
            accepts: accepts(rest),
            constraint: String::new(),
        },
        ["killed", tag] => Event::Killed { tag: tag.into() },
        ["read", object, version] => Event::Read {
            object: object.into(),
            version: version.parse().unwrap(),
        },
        ["choose", chosen, "of", of] => Event::Choose {
            of: of.parse().unwrap(),
            chosen: chosen.parse().unwrap(),
        },
        ["publish"] => Event::Publish,
        ["deliver", tag] => Event::Deliver { tag: tag.into() },
        ["exit"] => Event::Exit {
            reason: "normal".into(),
        },
        _ => panic!("not an event: {text}"),
    }
}

/// An interleaving: `p: event` per line, the rest as in [`trace`].
pub(crate) fn interleaving(delivery: Delivery, objects: &[&str], text: &str) -> Interleaving {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let steps = lines.flat_map(|line| {
        let (pid, events) = line.split_once(':').unwrap();
        events
            .split(',')
            .map(move |text| (ProcessName::from(pid), event(text)))
    });
    let events: Vec<(ProcessName, Event)> = steps.collect();
    Interleaving {
        delivery,
        initial: events[0].0.clone(),
        objects: objects
            .iter()
            .map(|object| ProcessName::from(*object))
            .collect(),
        events,
    }
}

pub(crate) fn any_delivery() -> impl Strategy<Value = Delivery> {
    proptest::sample::select(Delivery::ALL.to_vec())
}

/// Random valid interleavings of up to `steps` events. Each event has its own seed, so shrinking
/// removes events.
pub(crate) fn valid_interleaving(
    delivery: impl Strategy<Value = Delivery>,
    steps: usize,
) -> impl Strategy<Value = Interleaving> {
    (delivery, vec(any::<u64>(), 0..=steps))
        .prop_map(|(delivery, seeds)| simulate(delivery, &seeds))
}

/// Proposes up to four events for each seed and keeps the first one that is possible.
fn simulate(delivery: Delivery, seeds: &[u64]) -> Interleaving {
    let mut run = Interleaving {
        delivery,
        initial: "p0".into(),
        objects: BTreeSet::from(["o".into()]),
        events: Vec::new(),
    };
    for seed in seeds {
        let mut random = Random::new(*seed);
        for _ in 0..4 {
            let step = propose(&run, &mut random);
            run.events.push(step);
            if run.check().is_ok() {
                break;
            }
            run.events.pop();
        }
    }
    run
}

fn propose(run: &Interleaving, random: &mut Random) -> (ProcessName, Event) {
    let trace = run.to_trace();
    let pids: Vec<&ProcessName> = trace.processes.keys().collect();
    let pid = pids[random.below(pids.len())].clone();
    let sends: Vec<(&Tag, &ProcessName)> = run
        .events
        .iter()
        .filter_map(|(_, event)| event.sends())
        .collect();
    let consumed: BTreeSet<&Tag> = run
        .events
        .iter()
        .filter_map(|(_, event)| event.consumes())
        .collect();
    let waiting: Vec<&Tag> = sends
        .iter()
        .filter(|(tag, to)| **to == pid && !consumed.contains(tag))
        .map(|(tag, _)| *tag)
        .collect();
    let any_waiting = |random: &mut Random| match waiting.len() {
        0 => Tag::from("none"),
        length => waiting[random.below(length)].clone(),
    };
    let event = match random.below(19) {
        0..2 => Event::Spawn {
            pid: format!("p{}", pids.len() - 1).into(),
        },
        2..7 => Event::Send {
            tag: sends.len().to_string().into(),
            to: pids[random.below(pids.len())].clone(),
            value: String::new(),
        },
        7..12 => {
            let tag = any_waiting(random);
            let accepts = choose_accepts(random, Some(&tag));
            Event::Receive {
                tag,
                accepts,
                constraint: String::new(),
            }
        }
        12 => Event::Timeout {
            accepts: choose_accepts(random, None),
            constraint: String::new(),
        },
        13 => Event::Killed {
            tag: any_waiting(random),
        },
        14..16 => {
            let publishes = |event: &&Event| **event == Event::Publish;
            let version = trace.processes["o"].iter().filter(publishes).count();
            Event::Read {
                object: "o".into(),
                version: version as u32,
            }
        }
        // Only objects publish.
        16 => return ("o".into(), Event::Publish),
        17 => Event::Choose {
            of: 2,
            chosen: random.below(3) as u32,
        },
        _ if random.below(2) == 0 => Event::Deliver {
            tag: any_waiting(random),
        },
        _ => Event::Exit {
            reason: "normal".into(),
        },
    };
    (pid, event)
}

/// A random set of the first tags, in one of the three forms, that accepts `tag`.
fn choose_accepts(random: &mut Random, tag: Option<&Tag>) -> Accepts {
    let kind = random.below(3);
    let mut tags: BTreeSet<Tag> = BTreeSet::new();
    for number in 0..12 {
        if random.below(2) == 0 {
            tags.insert(number.to_string().into());
        }
    }
    match kind {
        0 => Accepts::All,
        1 => {
            tags.extend(tag.cloned());
            Accepts::Only(Arc::new(tags))
        }
        _ => {
            tag.map(|tag| tags.remove(tag));
            Accepts::Except(Arc::new(tags))
        }
    }
}

/// Every valid interleaving of the trace's events, found by trying all merges.
pub(crate) fn brute_linearisations(trace: &Trace) -> Vec<Interleaving> {
    let mut run = Interleaving {
        delivery: trace.delivery,
        initial: trace.initial.clone(),
        objects: trace.objects.clone(),
        events: Vec::new(),
    };
    let mut all = Vec::new();
    let mut done = trace.processes.keys().map(|pid| (pid, 0)).collect();
    merge(trace, &mut run, &mut done, &mut all);
    all
}

fn merge<'t>(
    trace: &'t Trace,
    run: &mut Interleaving,
    done: &mut BTreeMap<&'t ProcessName, usize>,
    all: &mut Vec<Interleaving>,
) {
    // Every prefix of a valid interleaving is valid.
    if run.check().is_err() {
        return;
    }
    if run.events.len() == trace.event_count() {
        all.push(run.clone());
    }
    for pid in trace.processes.keys() {
        if let Some(event) = trace.events_of(pid).get(done[pid]) {
            run.events.push((pid.clone(), event.clone()));
            *done.get_mut(pid).unwrap() += 1;
            merge(trace, run, done, all);
            *done.get_mut(pid).unwrap() -= 1;
            run.events.pop();
        }
    }
}

/// Every combination of prefixes of the trace's processes, valid or not.
pub(crate) fn prefixes(trace: &Trace) -> Vec<Trace> {
    let mut all = vec![Trace {
        processes: BTreeMap::new(),
        ..trace.clone()
    }];
    for (pid, events) in &trace.processes {
        let longer = |shorter: &Trace| {
            let mut longer = vec![shorter.clone()];
            for length in 1..=events.len() {
                let mut prefix = shorter.clone();
                prefix
                    .processes
                    .insert(pid.clone(), events[..length].to_vec());
                longer.push(prefix);
            }
            longer
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
