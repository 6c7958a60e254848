//! Names of processes and shared objects in reports.
//!
//! A process is named by its registered name or by the function that it runs, without module and
//! arity where that is clear. What stands behind a name in parentheses, as in `counter (gen_server cnt)`,
//! is left out where a report is brief. Processes of the same name are distinguished by the line that spawned
//! them, if they are funs, and by their pids.

use super::shorten;
use mazurka_trace::{Event, ProcessName, Trace};
use std::collections::{BTreeMap, HashMap};

/// Longer names are shortened.
const NAME_MAX: usize = 28;

/// The known names of the processes of an execution.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: BTreeMap<ProcessName, Name>,
    /// Shared objects in words.
    titles: BTreeMap<ProcessName, String>,
}

#[derive(Clone, Debug)]
struct Name {
    text: String,
    /// What the process is, from the parentheses behind the name.
    kind: Option<String>,
    /// Whether no other process has it.
    is_unique: bool,
}

/// The prefix of the front-end's name for a process that runs a fun.
const FUN: &str = "a fun of ";

impl Names {
    /// These names, of the processes of this execution.
    #[must_use]
    pub fn new<'n>(
        given: impl IntoIterator<Item = (&'n ProcessName, &'n str)> + Clone,
        trace: &Trace,
    ) -> Self {
        let mut modules = given
            .clone()
            .into_iter()
            .filter_map(|(_, name)| module_of(name));
        let first = modules.next();
        let module = first.filter(|first| modules.all(|other| other == *first));
        let mut kinds: HashMap<ProcessName, String> = HashMap::new();
        let short = given.into_iter().filter_map(|(pid, name)| {
            let (name, kind) = name_and_kind(name);
            kinds.extend(kind.map(|kind| (pid.clone(), shorten(kind, NAME_MAX))));
            let short = shorten(&short(name, module), NAME_MAX);
            (!short.is_empty()).then(|| (pid.clone(), short))
        });
        let mut names: BTreeMap<ProcessName, String> = short.collect();
        tell_funs_apart(&mut names, trace);
        let mut times: HashMap<String, usize> = HashMap::new();
        for name in names.values() {
            *times.entry(name.clone()).or_default() += 1;
        }
        let named = names.into_iter().map(|(pid, text)| {
            let is_unique = times[&text] == 1;
            let kind = kinds.remove(&pid);
            let name = Name {
                text,
                kind,
                is_unique,
            };
            (pid, name)
        });
        Names {
            names: named.collect(),
            ..Names::none(trace)
        }
    }

    /// No names of processes but pids, and the shared objects of this execution in words.
    #[must_use]
    pub fn none(trace: &Trace) -> Self {
        let titles = trace.objects.iter().filter_map(|object| {
            let note = trace.object_notes.get(object);
            let ended = || Some(format!("the end of {}", object.liveness_of()?));
            let title = note.and_then(|note| note.title.clone()).or_else(ended)?;
            Some((object.clone(), title))
        });
        Names {
            names: BTreeMap::new(),
            titles: titles.collect(),
        }
    }

    /// `server`; `client P.2` if there are several of that name; `P.1` if it has none.
    #[must_use]
    pub fn of(&self, pid: &ProcessName) -> String {
        match self.names.get(pid) {
            Some(name) if name.is_unique => name.text.clone(),
            Some(name) => format!("{} {pid}", name.text),
            None => { self.titles.get(pid) }.map_or_else(|| pid.to_string(), String::clone),
        }
    }

    /// The same, always with the pid, and with what the process is: `server (P.1)`, `client P.2`,
    /// `counter (gen_server cnt, P.1)`.
    #[must_use]
    pub fn with_pid(&self, pid: &ProcessName) -> String {
        match self.names.get(pid) {
            Some(name) if let Some(kind) = &name.kind => format!("{} ({kind}, {pid})", name.text),
            Some(name) if name.is_unique => format!("{} ({pid})", name.text),
            _ => self.of(pid),
        }
    }

    /// The name alone, if it has one.
    #[must_use]
    pub fn alone(&self, pid: &ProcessName) -> Option<&str> {
        self.names.get(pid).map(|name| name.text.as_str())
    }
}

/// `counter` and `gen_server cnt` for `counter (gen_server cnt)`.
fn name_and_kind(name: &str) -> (&str, Option<&str>) {
    let split = name
        .strip_suffix(')')
        .and_then(|rest| rest.split_once(" ("));
    match split {
        Some((name, kind)) => (name, Some(kind)),
        None => (name, None),
    }
}

/// The module of a function: `bank` for `bank:run/1` and for `a fun of bank:run/1`.
fn module_of(name: &str) -> Option<&str> {
    let function = name.strip_prefix(FUN).unwrap_or(name);
    let (module, function) = function.split_once(':')?;
    function.contains('/').then_some(module)
}

/// A name without quotes and arity, and without its module if all functions are of the same one.
fn short(name: &str, module: Option<&str>) -> String {
    let name = name.trim_matches('"');
    let (kind, function) = match name.strip_prefix(FUN) {
        Some(function) => ("fun of ", function),
        None => ("", name),
    };
    let function = match (module_of(name), module) {
        (Some(of), Some(only)) if of == only => &function[only.len() + 1..],
        _ => function,
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let function = match function.rsplit_once('/') {
        Some((name, arity)) if is_number(arity) => name,
        _ => function,
    };
    format!("{kind}{function}")
}

/// Adds to the names of funs of one function the lines of their spawns, if those differ.
fn tell_funs_apart(names: &mut BTreeMap<ProcessName, String>, trace: &Trace) {
    let mut alike: BTreeMap<String, Vec<ProcessName>> = BTreeMap::new();
    for (pid, name) in &*names {
        if name.starts_with("fun of ") {
            alike.entry(name.clone()).or_default().push(pid.clone());
        }
    }
    alike.retain(|_, pids| pids.len() > 1);
    if alike.is_empty() {
        return;
    }
    let mut lines: HashMap<&ProcessName, &str> = HashMap::new();
    for (at, event) in trace.events() {
        if let Event::Spawn { pid } = event
            && let Some((_, line)) = trace.place(&at).and_then(|place| place.rsplit_once(':'))
        {
            lines.insert(pid, line);
        }
    }
    for pids in alike.values() {
        let of_these: Vec<Option<&&str>> = pids.iter().map(|pid| lines.get(pid)).collect();
        if of_these.iter().all(|line| *line == of_these[0]) {
            continue;
        }
        for (pid, line) in pids.iter().zip(of_these) {
            if let (Some(line), Some(name)) = (line, names.get_mut(pid)) {
                *name = format!("fun at line {line}");
            }
        }
    }
}

/// The process whose liveness this object records.
pub(super) fn process_of_liveness(object: &ProcessName) -> Option<ProcessName> {
    object.liveness_of().map(ProcessName::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[(&str, &str)]) -> Names {
        let trace = Trace::from_json(
            r#"{"mazurka": "trace", "version": 1, "processes": {
            "P": [{"spawn": "P.1"}, {"spawn": "P.2"}], "P.1": [], "P.2": []},
            "notes": {"P": [{"at": 0, "place": "a.erl:7"}, {"at": 1, "place": "a.erl:9"}]}}"#,
        )
        .unwrap();
        let given: Vec<(ProcessName, &str)> = { given.iter() }
            .map(|&(pid, name)| (pid.into(), name))
            .collect();
        Names::new(given.iter().map(|(pid, name)| (pid, *name)), &trace)
    }

    #[track_caller]
    fn check(given: &[(&str, &str)], expected: &[&str]) {
        let names = names(given);
        let of: Vec<String> = given
            .iter()
            .map(|(pid, _)| names.of(&(*pid).into()))
            .collect();
        assert_eq!(of, expected);
    }

    #[test]
    fn a_name_that_is_unique_needs_no_pid() {
        check(
            &[
                ("P", "m:main/0"),
                ("P.1", "m:client/2"),
                ("P.2", "m:client/2"),
            ],
            &["main", "client P.1", "client P.2"],
        );
        check(
            &[("P", "a:main/0"), ("P.1", "b:main/0")],
            &["a:main", "b:main"],
        );
        check(&[("P", "\"server\""), ("P.1", "m:f/1")], &["server", "f"]);
        assert_eq!(names(&[("P", "m:f/1")]).with_pid(&"P".into()), "f (P)");
        let named = names(&[("P", "counter (gen_server cnt)")]);
        assert_eq!(named.of(&"P".into()), "counter");
        assert_eq!(named.with_pid(&"P".into()), "counter (gen_server cnt, P)");
        assert_eq!(names(&[]).of(&"P.3".into()), "P.3");
    }

    #[test]
    fn funs_are_told_apart_by_the_line_that_spawned_them() {
        check(
            &[("P.1", "a fun of a:main/0"), ("P.2", "a fun of a:main/0")],
            &["fun at line 7", "fun at line 9"],
        );
        check(&[("P.1", "a fun of a:main/0")], &["fun of main"]);
    }

    #[test]
    fn objects_in_words() {
        let trace = Trace::from_json(
            r#"{"mazurka": "trace", "version": 1, "initial": "P", "processes": {},
            "objects": ["liveness(P.1)", "table(t)[k]", "plain"],
            "object_notes": {"table(t)[k]": {"title": "t[k]"}}}"#,
        )
        .unwrap();
        let names = Names::none(&trace);
        let of = ["liveness(P.1)", "table(t)[k]", "plain"].map(|object| names.of(&object.into()));
        assert_eq!(of, ["the end of P.1", "t[k]", "plain"]);
    }
}
