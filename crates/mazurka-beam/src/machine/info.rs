//! What processes can be asked about themselves and each other.

use mazurka_engine::Operation;

use super::ask::Pending;
use super::constraint::Constraint;
use super::names;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, Pid, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "process_info", 2, process_info),
    ("erts_internal", "group_leader", 2, set_group_leader),
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

fn process_info(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Pid(pid) = arguments[0] else {
        return Err(Raise::badarg());
    };
    match &arguments[1] {
        Term::Atom(item) if item.name() == "registered_name" => Ok(names::ask_for_name(pid)),
        Term::Atom(item) => about(context, pid, *item),
        items => {
            // Only what the process knows of itself can be told in one step.
            let mut told = Vec::new();
            let mut items = items.elements();
            for item in items.by_ref() {
                let Term::Atom(item) = item else {
                    return Err(Raise::badarg());
                };
                match about(context, pid, *item)? {
                    Next::Value(value) => told.push(value),
                    _ => return Ok(unsupported(*item)),
                }
            }
            match items.rest() {
                Term::Nil => Ok(Next::Value(Term::list(told))),
                _ => Err(Raise::badarg()),
            }
        }
    }
}

fn unsupported(item: Atom) -> Next {
    Next::Unsupported(format!("process_info of {}", item.name()))
}

fn about(context: &mut Context<'_>, pid: Pid, item: Atom) -> Result<Next, Raise> {
    let process = &context.process;
    let constant = CONSTANTS.iter().find(|(name, _)| *name == item.name());
    if let Some((_, constant)) = constant {
        let value = pair(item, Term::Int(*constant));
        return Ok(match pid == process.pid {
            true => Next::Value(value),
            false => Next::Ask(Operation::IsAlive(pid), Pending::IfAlive(value)),
        });
    }
    if pid != process.pid {
        return Ok(unsupported(item));
    }
    let value = match item.name() {
        "dictionary" => {
            let entries = process.dictionary.iter();
            let pairs = entries.map(|(key, value)| Term::tuple([key.clone(), value.clone()]));
            Term::list(pairs.collect::<Vec<_>>())
        }
        "trap_exit" => Atom::bool(process.flags.trap_exit).into(),
        "group_leader" => Term::Pid(process.leader),
        "status" => Term::atom("running"),
        "priority" => Term::atom("normal"),
        "error_handler" => Term::atom("error_handler"),
        "initial_call" => {
            let initial = process.initial;
            Term::tuple([
                initial.module.into(),
                initial.name.into(),
                Term::Int(initial.arity.into()),
            ])
        }
        "monitors" => {
            let watches = process.watches.iter();
            let watched = watches.filter_map(|watch| {
                let whom = match watch.name {
                    Some(name) => Term::tuple([name.into(), Atom::NONODE.into()]),
                    None => Term::Pid(watch.pid?),
                };
                Some(Term::tuple([Term::atom("process"), whom]))
            });
            Term::list(watched.collect::<Vec<_>>())
        }
        "message_queue_len" | "messages" => return Ok(messages_come(item)),
        "links"
        | "monitored_by"
        | "current_function"
        | "current_location"
        | "current_stacktrace"
        | "backtrace"
        | "binary"
        | "garbage_collection"
        | "garbage_collection_info"
        | "message_queue_data"
        | "min_heap_size"
        | "catchlevel"
        | "last_calls"
        | "sequential_trace_token"
        | "suspending"
        | "parent"
        | "label" => return Ok(unsupported(item)),
        _ => return Err(Raise::badarg()),
    };
    Ok(Next::Value(pair(item, value)))
}

fn pair(item: Atom, value: Term) -> Term {
    Term::tuple([item.into(), value])
}

/// What was asked about a process that may have ended.
pub(super) fn if_alive(value: Term, answer: &Answer) -> Next {
    Next::Value(match answer {
        Answer::Bool(true) => value,
        _ => Atom::UNDEFINED.into(),
    })
}

fn set_group_leader(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (Term::Pid(leader), Term::Pid(of)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    if *of != context.process.pid {
        return Ok(Next::Unsupported(
            "setting the group leader of another process".to_owned(),
        ));
    }
    context.process.leader = *leader;
    Ok(Next::Value(Atom::TRUE.into()))
}

/// Takes all messages that have come out of the mailbox. They stay before all others, in order.
fn messages_come(item: Atom) -> Next {
    Next::Receive {
        constraint: Constraint::Mailbox,
        timeout_ms: Some(0),
        pending: Pending::Messages(item),
    }
}

/// One has come, or no more.
pub(super) fn message_came(context: &mut Context<'_>, item: Atom, answer: Answer) -> Next {
    if let Answer::Message(message) = answer {
        context.process.replies.push(message);
        return messages_come(item);
    }
    let messages = &context.process.replies;
    let value = match item.name() {
        "messages" => Term::list(messages.iter().cloned()),
        _ => Term::Int(messages.len() as i64),
    };
    Next::Value(pair(item, value))
}
