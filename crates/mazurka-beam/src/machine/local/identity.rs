//! The identity of a process: its pid, node, group leader, references and flags.

use crate::machine::Flags;
use crate::machine::native::{Context, Local, Row};
use crate::raise::{Class, Raise};
use crate::term::{Atom, Map, Term};

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "self", 0, own_pid),
    ("erlang", "node", 0, node),
    ("erlang", "node", 1, node_of),
    ("erlang", "nodes", 0, nodes),
    ("erlang", "nodes", 1, nodes),
    ("erlang", "group_leader", 0, group_leader),
    ("erlang", "make_ref", 0, make_ref),
    ("erlang", "unique_integer", 0, unique_integer),
    ("erlang", "error", 1, error),
    ("erlang", "exit", 1, exit),
    ("erlang", "throw", 1, throw),
];

fn own_pid(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Pid(context.process.pid))
}

fn node(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::NONODE.into())
}

fn node_of(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    match arguments[0] {
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => Ok(Atom::NONODE.into()),
        _ => Err(Raise::badarg()),
    }
}

fn nodes(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Nil)
}

fn group_leader(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Pid(context.process.leader))
}

fn make_ref(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Reference(context.process.make_reference()))
}

fn unique_integer(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(context.process.make_unique())
}

fn error(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Err(Raise::error(arguments[0].clone()))
}

fn exit(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Err(Raise {
        class: Class::Exit,
        reason: arguments[0].clone(),
    })
}

fn throw(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Err(Raise {
        class: Class::Throw,
        reason: arguments[0].clone(),
    })
}

/// Flags with their initial values. They have no effect here.
const FLAGS: &[(&str, &str)] = &[
    ("priority", "normal"),
    ("message_queue_data", "on_heap"),
    ("error_handler", "error_handler"),
    ("sensitive", "false"),
    ("async_dist", "false"),
];

/// Numeric flags with their initial values. They have no effect here.
const NUMBERS: &[(&str, i64)] = &[
    ("min_heap_size", 233),
    ("min_bin_vheap_size", 46422),
    ("fullsweep_after", 65535),
    ("save_calls", 0),
];

/// The initial value of `max_heap_size`.
fn max_heap_size() -> Map {
    let entries = [
        ("error_logger", Atom::TRUE.into()),
        ("kill", Atom::TRUE.into()),
        ("size", Term::Int(0)),
    ];
    Map::from_iter(entries.map(|(key, value)| (Term::atom(key), value)))
}

/// The value of a flag other than `trap_exit`, if the flag exists.
pub(in crate::machine) fn flag(flags: &Flags, name: &str) -> Option<Term> {
    let key = Term::atom(name);
    let set = flags.others.get(&key).cloned();
    if name == "max_heap_size" {
        let first = max_heap_size();
        return Some(Term::Map(match set {
            Some(Term::Map(set)) => set.iter().fold(first, |map, (key, value)| {
                map.insert(key.clone(), value.clone())
            }),
            Some(size) => first.insert(Term::atom("size"), size),
            None => first,
        }));
    }
    set.or_else(|| {
        let atom = FLAGS.iter().find(|(flag, _)| *flag == name);
        let number = NUMBERS.iter().find(|(flag, _)| *flag == name);
        let atom = atom.map(|(_, value)| Term::atom(value));
        atom.or_else(|| number.map(|(_, value)| Term::Int(*value)))
    })
}

/// `process_flag/2` for all flags except `trap_exit`.
pub(in crate::machine) fn set_flag(
    context: &mut Context<'_>,
    arguments: &[Term],
) -> Result<Term, Raise> {
    let Term::Atom(flag) = arguments[0] else {
        return Err(Raise::badarg());
    };
    let value = &arguments[1];
    let flags = &mut context.process.flags;
    let old = self::flag(flags, flag.name()).ok_or_else(Raise::badarg)?;
    match (&old, value) {
        (Term::Atom(_), Term::Atom(_)) | (Term::Int(_), Term::Int(_)) => {}
        (Term::Map(_), Term::Map(_) | Term::Int(_)) => {}
        _ => return Err(Raise::badarg()),
    }
    flags.others = flags.others.insert(arguments[0].clone(), value.clone());
    Ok(old)
}
