//! Pages to look at: what is in them, and one that no program writes.

#![allow(dead_code, reason = "no test file uses all of it")]

use mazurka_engine::Frontend;
use mazurka_gallery::{Built, find};
use mazurka_report::{CheckOptions, Host, LogAt, Outcome, Params, Subject, files};
use mazurka_trace::{At, Event, Trace};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

/// What is in a page.
pub struct Page {
    data: Value,
    at: HashMap<usize, At>,
}

impl Page {
    /// Reads a page.
    pub fn read(file: &Path) -> Page {
        let text = std::fs::read_to_string(file).unwrap();
        let (_, after) = text.split_once("id=\"data\">").unwrap();
        let (data, _) = after.split_once("</script>").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let execution = &data["runs"][0]["executions"][0];
        let lane = |event: &Value| &execution["lanes"][event["lane"].as_u64().unwrap() as usize];
        let at = |event: &Value| {
            let index = event["at"].as_u64().unwrap() as usize;
            At::new(lane(event)["pid"].as_str().unwrap(), index)
        };
        let events = execution["events"].as_array().into_iter().flatten();
        let at = events
            .enumerate()
            .map(|(id, event)| (id, at(event)))
            .collect();
        Page { data, at }
    }

    /// The first check.
    pub fn run(&self) -> &Value {
        &self.data["runs"][0]
    }

    fn events(&self) -> &[Value] {
        let events = self.run()["executions"][0]["events"].as_array();
        events.map_or(&[], Vec::as_slice)
    }

    /// How many events of the first execution are drawn.
    pub fn drawn(&self) -> usize {
        (0..self.events().len())
            .filter(|id| self.is_drawn(*id))
            .count()
    }

    /// Whether an event is drawn unless asked for.
    pub fn is_drawn(&self, id: usize) -> bool {
        self.events()[id].get("quiet").is_none()
    }

    /// Where an event is, by its number in the page.
    pub fn at(&self, id: &str) -> At {
        self.at[&id.parse().unwrap()].clone()
    }

    /// The number of an event.
    pub fn id(&self, at: &At) -> Option<usize> {
        self.at
            .iter()
            .find(|(_, other)| *other == at)
            .map(|(id, _)| *id)
    }

    /// The number of the event that sends a message.
    pub fn send(&self, tag: &str) -> usize {
        let sends = |event: &&Value| event["kind"] == "send" && event["tag"] == tag;
        self.events()
            .iter()
            .position(|event| sends(&event))
            .unwrap()
    }
}

struct Quiet;

impl Host for Quiet {
    fn replay_line(&self, _: &Subject, _: &CheckOptions, _: LogAt<'_>) -> Option<String> {
        None
    }
}

fn program(name: &str) -> impl Frontend {
    match find(name).unwrap().instantiate(&BTreeMap::new()).unwrap() {
        Built::Rust(program) => program,
        Built::Actors(_) => unreachable!("{name} is on the library"),
    }
}

/// Writes the report of a program of the gallery with an error, changed before.
pub fn report<T>(file: &Path, name: &str, change: impl FnOnce(&mut Outcome) -> T) -> T {
    let subject = Subject::new(format!("gallery:{name}"), Params::default());
    let options = CheckOptions::default();
    let checked = mazurka_report::run(subject, program(name), &options, &mut Quiet);
    let mut outcome = checked.unwrap();
    assert!(outcome.found[0].found.is_error);
    let changed = change(&mut outcome);
    files::write(file, &mazurka_report::html(&[&outcome])).unwrap();
    changed
}

/// Puts a text into every value and message, and into the names of processes.
pub fn rename(outcome: &mut Outcome, text: &str) {
    let kept = &mut outcome.found[0];
    let name = |pid: &str| match pid == kept.found.finding.process {
        true => text.to_owned(),
        false => pid.to_owned(),
    };
    let json = kept.found.trace.to_json();
    let mut trace = Trace::from_json(&json).unwrap();
    trace.initial = name(trace.initial.as_str()).into();
    let processes = std::mem::take(&mut trace.processes);
    trace.processes = processes
        .into_iter()
        .map(|(pid, events)| {
            let events = events.into_iter().map(|event| match event {
                Event::Send { tag, to, .. } => Event::Send {
                    tag,
                    to: name(to.as_str()).into(),
                    value: text.to_owned(),
                },
                Event::Spawn { pid } => Event::Spawn {
                    pid: name(pid.as_str()).into(),
                },
                other => other,
            });
            (name(pid.as_str()).into(), events.collect())
        })
        .collect();
    kept.found.finding.process = text.to_owned();
    kept.found.finding.role = Some(text.to_owned());
    kept.found.finding.message = text.to_owned();
    kept.found.trace = Rc::new(trace);
    let diagnosis = kept.diagnosis.as_mut().unwrap();
    for name in diagnosis.names.values_mut() {
        text.clone_into(name);
    }
}

/// Measures a page that was just opened, in milliseconds: until it was drawn, until a click was
/// answered on the screen, and the longest frame while scrolling from end to end.
pub const MEASURE: &str = "
    const navigation = performance.getEntriesByType('navigation')[0];
    const open_ms = performance.getEntriesByName('drawn')[0].startTime - navigation.startTime;
    const box = document.querySelector('.box');
    const layout = () => box.getBoundingClientRect();
    const time = (work) => { const start = performance.now(); work(); layout(); return performance.now() - start; };
    const rows = () => document.querySelectorAll('.row[data-event]');
    const clicks = [...rows()].slice(0, 10).map((row) => time(() => document.getElementById(row.id)?.click()));
    let scroll_ms = 0;
    for (let top = 0; top < box.scrollHeight; top += box.clientHeight) {
        scroll_ms = Math.max(scroll_ms, time(() => { box.scrollTop = top; box.dispatchEvent(new Event('scroll')); }));
    }
    return { open_ms, click_ms: Math.max(...clicks), scroll_ms, rows: rows().length,
        events: JSON.parse(document.getElementById('data').textContent).runs[0].executions[0].events.length };";
