//! Drives programs along changed logs.

use crate::corpus::{self, Subject};
use crate::{Answer, Random, Target};
use mazurka_trace::{Delivery, Log, LogEntry, ProcessName, Tag};

pub(super) struct Drive {
    subjects: Vec<Subject>,
    logs: Vec<Log>,
}

impl Default for Drive {
    fn default() -> Drive {
        Drive {
            subjects: corpus::subjects(),
            logs: corpus::traces().iter().map(|trace| trace.log()).collect(),
        }
    }
}

impl Target for Drive {
    fn name(&self) -> &'static str {
        "drive"
    }

    fn about(&self) -> &'static str {
        "changed logs; programs of the gallery and an Erlang program are driven along them"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let mut log = random.pick(&self.logs).clone();
        for _ in 0..=random.below(4) {
            change(random, &mut log);
        }
        log.to_json().into_bytes()
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let Ok(log) = Log::from_json(&text) else {
            return Answer::Refused;
        };
        let program = log.program.as_deref();
        let mut subjects = self.subjects.iter();
        let Some(subject) = subjects.find(|subject| Some(subject.name.as_str()) == program) else {
            return Answer::Refused;
        };
        let Ok(driven) = subject.follow(&log) else {
            return Answer::Refused;
        };
        driven
            .trace
            .check()
            .expect("the driven execution is a trace");
        let whole = Log {
            timeouts: log.timeouts.clone(),
            ..driven.trace.log()
        };
        let again = subject
            .drive(&whole, None)
            .expect("the log of a trace fits");
        assert_eq!(again.trace, driven.trace);
        Answer::of(driven.departures.is_empty().then_some(()))
    }
}

/// Changes a log into another one that the same program could have.
fn change(random: &mut Random, log: &mut Log) {
    let tags: Vec<Tag> = { log.processes.values().flatten() }
        .filter_map(|entry| match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => Some(tag.clone()),
            _ => None,
        })
        .collect();
    let pids: Vec<ProcessName> = log.processes.keys().cloned().collect();
    if random.once_in(8) {
        log.delivery = Some(*random.pick(&Delivery::ALL));
    }
    if random.once_in(8) {
        let when = random.pick(&["any-time", "when-quiet", "never", "below-50ms"]);
        log.timeouts = Some((*when).to_owned());
    }
    if pids.is_empty() {
        log.processes.insert("P".into(), vec![LogEntry::Timeout]);
        return;
    }
    let pid = random.pick(&pids);
    let other = random.pick(&pids);
    let entry = made(random, &tags, other);
    let entries = log.processes.entry(pid.clone()).or_default();
    let at = random.below(entries.len() + 1);
    match random.below(8) {
        0 => entries.truncate(at),
        1 => entries.insert(at, entry),
        2 | 3 if at < entries.len() => entries[at] = entry,
        4 if at < entries.len() => drop(entries.remove(at)),
        5 => {
            let (one, another) = (at.min(entries.len().saturating_sub(1)), at / 2);
            if !entries.is_empty() {
                entries.swap(one, another);
            }
        }
        6 => drop(log.processes.remove(pid)),
        _ => {
            let moved = log.processes.remove(pid).unwrap_or_default();
            log.processes.insert(other.clone(), moved);
        }
    }
}

fn made(random: &mut Random, tags: &[Tag], object: &ProcessName) -> LogEntry {
    let tag = |random: &mut Random| match tags.is_empty() || random.once_in(8) {
        true => format!("P.{}#{}", random.below(4), random.below(4))
            .as_str()
            .into(),
        false => random.pick(tags).clone(),
    };
    match random.below(8) {
        0 => LogEntry::Timeout,
        1 => LogEntry::Killed {
            tag: tag(random),
            after: random.below(4) as u32,
        },
        2 => LogEntry::Read {
            object: object.clone(),
            version: random.number() as u32,
        },
        3 => LogEntry::Choose {
            of: random.below(4) as u32,
            chosen: random.below(4) as u32,
        },
        _ => LogEntry::Receive(tag(random)),
    }
}
