//! What to call processes.

use super::shorten;
use mazurka_trace::Pid;
use std::collections::BTreeMap;

/// Longer names are shortened.
const NAME_MAX: usize = 28;

/// The names of the processes of an execution, as far as they have any.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    names: Option<&'n BTreeMap<Pid, String>>,
    /// The module of all functions that processes are named after.
    module: Option<&'n str>,
}

/// `bank` of `bank:run/1` and of `a fun of bank:run/1`.
fn module_of(name: &str) -> Option<&str> {
    let function = name.strip_prefix("a fun of ").unwrap_or(name);
    let (module, function) = function.split_once(':')?;
    function.contains('/').then_some(module)
}

impl<'n> Names<'n> {
    /// These names.
    #[must_use]
    pub fn new(names: &'n BTreeMap<Pid, String>) -> Self {
        let mut modules = names.values().filter_map(|name| module_of(name));
        let first = modules.next();
        Names {
            names: Some(names),
            module: first.filter(|first| modules.all(|other| other == *first)),
        }
    }

    /// No names but pids.
    #[must_use]
    pub fn none() -> Self {
        Names {
            names: None,
            module: None,
        }
    }

    /// `server P.1`, or `P.1` if it has no name.
    #[must_use]
    pub fn of(&self, pid: &Pid) -> String {
        match self.names.and_then(|names| names.get(pid)) {
            Some(name) => format!("{} {pid}", shorten(&self.short(name), NAME_MAX)),
            None => pid.to_string(),
        }
    }

    /// A name without quotes, and without its module if all functions are of one.
    fn short(&self, name: &str) -> String {
        let name = name.trim_matches('"');
        let (kind, function) = match name.strip_prefix("a fun of ") {
            Some(function) => ("fun of ", function),
            None => ("", name),
        };
        match (module_of(name), self.module) {
            (Some(of), Some(only)) if of == only => {
                format!("{kind}{}", &function[only.len() + 1..])
            }
            _ => format!("{kind}{function}"),
        }
    }
}
