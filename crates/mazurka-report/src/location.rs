//! Places in the source, for tools that open them.

use crate::subject::Subject;
use crate::text::{file_of, place_in};
use mazurka_engine::Finding;
use mazurka_trace::{At, ProcessName, Trace};
use std::path::Path;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The path of the file, with slashes; relative to the current directory where it can be.
    pub file: String,
    pub line: usize,
    pub column: Option<usize>,
}

impl Location {
    /// `file:line` or `file:line:column`, of a program.
    pub fn new(subject: &Subject, place: &str) -> Option<Location> {
        let (before, last) = place.rsplit_once(':')?;
        let last: usize = last.parse().ok()?;
        let inner = before.rsplit_once(':');
        let inner = inner.and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let (file, line, column) = match inner {
            Some((file, line)) => (file, line, Some(last)),
            None => (before, last, None),
        };
        if file.is_empty() {
            return None;
        }
        let known = file_of(&subject.sources, file);
        let file = known.map_or_else(|| Path::new(file), |known| known.as_path());
        let here = std::env::current_dir().unwrap_or_default();
        let file = file.strip_prefix(&here).unwrap_or(file);
        let file = file.strip_prefix(".").unwrap_or(file);
        let file = file.to_string_lossy().replace('\\', "/");
        (!file.is_empty() && line > 0).then_some(Location { file, line, column })
    }

    /// The place of a finding: the one in its message, or the last known place of its process.
    pub fn of_finding(subject: &Subject, trace: &Trace, finding: &Finding) -> Option<Location> {
        let place = place_in(&finding.message);
        let in_message = place.and_then(|place| Location::new(subject, &place));
        in_message.or_else(|| {
            let pid = ProcessName::from(finding.process.as_str());
            let events = trace.events_of(&pid).len();
            let at = |index| At::new(pid.clone(), index);
            let places = (0..events)
                .rev()
                .filter_map(|index| trace.place(&at(index)).map(str::to_owned));
            places
                .filter_map(|place| Location::new(subject, &place))
                .next()
        })
    }
}

/// The message of a finding without the place at its end, which changes with every line added
/// above.
pub(crate) fn without_place(message: &str) -> &str {
    match place_in(message) {
        Some(place) => message[..message.len() - place.len()].trim_end_matches(" at "),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_trace::Params;

    #[test]
    fn places() {
        let subject = Subject {
            sources: vec!["src/bank.erl".into()],
            ..Subject::new("bank", Params::default())
        };
        let check = |place: &str, expected: Option<(&str, usize, Option<usize>)>| {
            let found = Location::new(&subject, place);
            let found = found
                .as_ref()
                .map(|at| (at.file.as_str(), at.line, at.column));
            assert_eq!(found, expected, "{place}");
        };
        check("bank.erl:12", Some(("src/bank.erl", 12, None)));
        check("a/b.rs:50:5", Some(("a/b.rs", 50, Some(5))));
        check("./c.rs:1", Some(("c.rs", 1, None)));
        check("bank.erl", None);
        check("bank.erl:0", None);
        check(":3", None);
        assert_eq!(without_place("badarg at src/b.erl:3"), "badarg");
        assert_eq!(without_place("stands at noon"), "stands at noon");
    }
}
