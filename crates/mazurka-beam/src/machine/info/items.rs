//! The items of `process_info`.

use crate::code::Library;
use crate::machine::Process;
use crate::machine::local;
use crate::machine::native::Context;
use crate::term::{Atom, PidTerm, Term};

/// All that can be asked for, and since which release of OTP.
const KNOWN: &[(&str, u32)] = &[
    ("async_dist", 26),
    ("backtrace", 0),
    ("binary", 0),
    ("catchlevel", 0),
    ("current_function", 0),
    ("current_location", 0),
    ("current_stacktrace", 0),
    ("dictionary", 0),
    ("error_handler", 0),
    ("fullsweep_after", 0),
    ("garbage_collection", 0),
    ("garbage_collection_info", 0),
    ("group_leader", 0),
    ("heap_size", 0),
    ("initial_call", 0),
    ("label", 27),
    ("last_calls", 0),
    ("links", 0),
    ("magic_ref", 0),
    ("max_heap_size", 0),
    ("memory", 0),
    ("message_queue_data", 0),
    ("message_queue_len", 0),
    ("messages", 0),
    ("min_bin_vheap_size", 0),
    ("min_heap_size", 0),
    ("monitored_by", 0),
    ("monitors", 0),
    ("parent", 25),
    ("priority", 0),
    ("reductions", 0),
    ("registered_name", 0),
    ("sequential_trace_token", 0),
    ("stack_size", 0),
    ("status", 0),
    ("suspending", 0),
    ("total_heap_size", 0),
    ("trace", 0),
    ("trap_exit", 0),
];

/// The first release that can be asked for one key of the dictionary.
const KEYS_SINCE: u32 = 26;

/// What `process_info/1` tells.
const USUAL: &[&str] = &[
    "registered_name",
    "current_function",
    "initial_call",
    "status",
    "message_queue_len",
    "links",
    "dictionary",
    "trap_exit",
    "error_handler",
    "priority",
    "group_leader",
    "total_heap_size",
    "heap_size",
    "stack_size",
    "reductions",
    "garbage_collection",
    "suspending",
];

/// What the real machine says of a process that does nothing special, and a program can do nothing
/// with.
const CONSTANTS: &[(&str, i64)] = &[
    ("reductions", 0),
    ("memory", 2_640),
    ("heap_size", 233),
    ("total_heap_size", 233),
    ("stack_size", 0),
];

/// What `process_info/1` tells.
pub(super) fn usual() -> Vec<Term> {
    USUAL.iter().map(|name| Term::atom(name)).collect()
}

/// The name of an item; that of all items that have a key as well, if it has one.
pub(super) fn name(item: &Term) -> &'static str {
    match item {
        Term::Atom(name) => name.name(),
        Term::Tuple(tuple) => match tuple.first() {
            Some(Term::Atom(name)) => name.name(),
            _ => "",
        },
        _ => "",
    }
}

/// Whether this can be asked for.
pub(super) fn is_known(item: &Term, library: &Library) -> bool {
    let release = library.release();
    match item {
        Term::Atom(item) => {
            let mut known = KNOWN.iter();
            known.any(|(name, since)| *name == item.name() && release >= *since)
        }
        item => key(item).is_some() && release >= KEYS_SINCE,
    }
}

/// The key in `{dictionary, Key}`.
fn key(item: &Term) -> Option<&Term> {
    match item {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Atom(name), key] if name.name() == "dictionary" => Some(key),
            _ => None,
        },
        _ => None,
    }
}

/// What is the same for all processes.
pub(super) fn constant(name: &str) -> Option<Term> {
    let constant = CONSTANTS.iter().find(|(item, _)| *item == name);
    constant.map(|(_, value)| Term::Int(*value))
}

/// What a process knows of itself. Nothing if that is not modelled.
pub(super) fn own(context: &Context<'_>, item: &Term, calls: &Term) -> Option<Term> {
    let process = &*context.process;
    if let Some(key) = key(item) {
        return Some(entry(process, key));
    }
    let name = name(item);
    if let Some(value) = constant(name).or_else(|| local::flag(&process.flags, name)) {
        return Some(value);
    }
    Some(match name {
        "dictionary" => {
            let entries = process.dictionary.iter();
            let pairs = entries.map(|(key, value)| Term::tuple([key.clone(), value.clone()]));
            Term::list(pairs.collect::<Vec<_>>())
        }
        "trap_exit" => Atom::bool(process.flags.trap_exit).into(),
        "group_leader" => Term::Pid(process.leader),
        "status" => Term::atom("running"),
        "initial_call" => {
            let initial = process.initial;
            Term::tuple([
                initial.module.into(),
                initial.name.into(),
                Term::Int(initial.arity.into()),
            ])
        }
        "current_stacktrace" => calls.clone(),
        "current_location" => calls.elements().next()?.clone(),
        "current_function" => match calls.elements().next()? {
            Term::Tuple(call) => Term::tuple(call.iter().take(3).cloned().collect::<Vec<_>>()),
            _ => return None,
        },
        "monitors" => monitors(process),
        "garbage_collection" => garbage_collection(process),
        "catchlevel" => Term::Int(process.handlers.len() as i64),
        "last_calls" if local::flag(&process.flags, "save_calls") == Some(Term::Int(0)) => {
            Atom::FALSE.into()
        }
        "label" => entry(process, &Term::atom("$process_label")),
        "parent" => match process.pid == PidTerm::entry() {
            true => Atom::UNDEFINED.into(),
            false => Term::Pid(process.pid.parent()?),
        },
        "binary" | "sequential_trace_token" | "suspending" => Term::Nil,
        "trace" => Term::Int(0),
        _ => return None,
    })
}

/// An entry of its dictionary.
fn entry(process: &Process, key: &Term) -> Term {
    let value = process.dictionary.get(key).cloned();
    value.unwrap_or(Atom::UNDEFINED.into())
}

fn monitors(process: &Process) -> Term {
    let watched = process.watches.iter().filter_map(|watch| {
        let whom = match watch.name {
            Some(name) => Term::tuple([name.into(), Atom::NONODE.into()]),
            None => Term::Pid(watch.pid?),
        };
        Some(Term::tuple([Term::atom("process"), whom]))
    });
    Term::list(watched.collect::<Vec<_>>())
}

fn garbage_collection(process: &Process) -> Term {
    let settings = [
        "max_heap_size",
        "min_bin_vheap_size",
        "min_heap_size",
        "fullsweep_after",
    ];
    let settings = settings.into_iter().filter_map(|name| {
        let value = local::flag(&process.flags, name)?;
        Some(Term::tuple([Term::atom(name), value]))
    });
    let none_yet = Term::tuple([Term::atom("minor_gcs"), Term::Int(0)]);
    Term::list(settings.chain([none_yet]).collect::<Vec<_>>())
}
