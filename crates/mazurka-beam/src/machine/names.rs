//! Registered names.
//!
//! A process has at most one name. A table records the last name of each process, so that it can be
//! looked up. The object of the name decides whether the process has, or still has, that name.
//!
//! The real machine registers a process in one step, which takes several steps here. Every execution of
//! the real machine is covered: in it, no other process acts between these steps. Executions in which
//! another process does are additional.

use mazurka_engine::Operation;

use super::ask::Pending;
use super::info::Inquiry;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erlang", "register", 2, register),
    ("erlang", "unregister", 1, unregister),
    ("erlang", "whereis", 1, whereis),
    ("erlang", "registered", 0, registered),
];

/// Names of the built-in processes of the machine.
const MACHINE_PROCESSES: [&str; 2] = ["user", "standard_error"];

/// Names of the processes of the real machine, with its kernel application, that do not exist here.
const ABSENT_PROCESSES: [&str; 22] = [
    "application_controller",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "erts_code_purger",
    "file_server_2",
    "global_group",
    "global_group_check",
    "global_name_server",
    "inet_db",
    "init",
    "kernel_refc",
    "kernel_safe_sup",
    "kernel_sup",
    "logger",
    "logger_handler_watcher",
    "logger_proxy",
    "logger_std_h_default",
    "logger_sup",
    "rex",
    "socket_registry",
    "standard_error_sup",
];

/// Refuses an operation on a process that the real machine has and this one does not.
pub(super) fn refuse_absent(name: Atom) -> Option<Next> {
    let name = name.name();
    let is_absent = ABSENT_PROCESSES.contains(&name);
    is_absent.then(|| Next::Unsupported(format!("the system process {name}")))
}

/// The built-in process with this name.
pub(super) fn machine_process(name: Atom) -> Option<PidTerm> {
    MACHINE_PROCESSES
        .contains(&name.name())
        .then(PidTerm::leader)
}

/// The name of a built-in process.
pub(super) fn machine_process_name(pid: PidTerm) -> Option<Term> {
    (pid == PidTerm::leader()).then(|| Term::atom(MACHINE_PROCESSES[0]))
}

/// The table and key that hold the last name of a process.
fn last_name_entry(pid: PidTerm) -> (Term, Term) {
    (Term::atom("$registered_name"), Term::Pid(pid))
}

fn register(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let (Term::Atom(name), Term::Pid(pid)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    let (name, pid) = (*name, *pid);
    let is_taken = machine_process(name).is_some() || refuse_absent(name).is_some();
    if name == Atom::UNDEFINED || is_taken || pid == PidTerm::leader() {
        return Err(Raise::badarg());
    }
    let (table, key) = last_name_entry(pid);
    let operation = Operation::Get { table, key };
    Ok(Next::Ask(
        operation,
        Pending::RegisterUnlessNamed { name, pid },
    ))
}

/// Registers the process unless its last recorded name, the answer, is still its name.
pub(super) fn register_unless_named(name: Atom, pid: PidTerm, answer: &Answer) -> Next {
    match answer {
        Answer::Value(Some(last)) => Next::Ask(
            Operation::WhereIs { name: last.clone() },
            Pending::RegisterUnlessStillNamed { name, pid },
        ),
        _ => record(name, pid),
    }
}

/// Registers the process unless the answer, the process with its last recorded name, is this one.
pub(super) fn register_unless_still_named(
    name: Atom,
    pid: PidTerm,
    answer: &Answer,
) -> Result<Next, Raise> {
    match answer {
        Answer::Pid(Some(registered)) if *registered == pid => Err(Raise::badarg()),
        _ => Ok(record(name, pid)),
    }
}

/// Records the name before it is registered. A process that looks it up in between finds that it is
/// not registered.
fn record(name: Atom, pid: PidTerm) -> Next {
    let (table, key) = last_name_entry(pid);
    let value = name.into();
    let operation = Operation::Put { table, key, value };
    Next::Ask(operation, Pending::Register { name, pid })
}

pub(super) fn register_recorded(name: Atom, pid: PidTerm) -> Next {
    let name = name.into();
    Next::Ask(Operation::Register { name, pid }, Pending::Granted)
}

fn registered(_: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Ok(Next::Names(Pending::Registered))
}

/// The names that processes have, which is the answer, and those of built-in processes.
pub(super) fn all_names(answer: &Answer) -> Result<Next, Raise> {
    let Answer::Value(Some(names)) = answer else {
        return Err(Raise::badarg());
    };
    let built_in = MACHINE_PROCESSES.iter().map(|name| Term::atom(name));
    let all: Vec<Term> = built_in.chain(names.elements().cloned()).collect();
    Ok(Next::Value(Term::list(all)))
}

fn unregister(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(name) = arguments[0] else {
        return Err(Raise::badarg());
    };
    if machine_process(name).is_some() {
        return Err(Raise::badarg());
    }
    if let Some(refusal) = refuse_absent(name) {
        return Ok(refusal);
    }
    let operation = Operation::Unregister { name: name.into() };
    Ok(Next::Ask(operation, Pending::Granted))
}

fn whereis(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Atom(name) = arguments[0] else {
        return Err(Raise::badarg());
    };
    if let Some(refusal) = refuse_absent(name) {
        return Ok(refusal);
    }
    match machine_process(name) {
        Some(pid) => Ok(Next::Value(Term::Pid(pid))),
        None => Ok(Next::Ask(
            Operation::WhereIs { name: name.into() },
            Pending::WhereIs,
        )),
    }
}

/// Requests the last recorded name of a process, for `process_info`.
pub(super) fn ask_for_name(inquiry: Inquiry) -> Next {
    let (table, key) = last_name_entry(inquiry.of());
    Next::Ask(Operation::Get { table, key }, Pending::LastName(inquiry))
}

/// Continues with the last recorded name of a process.
pub(super) fn last_name(context: &mut Context<'_>, inquiry: Inquiry, answer: &Answer) -> Next {
    match answer {
        Answer::Value(Some(Term::Atom(name))) => {
            let operation = Operation::WhereIs {
                name: (*name).into(),
            };
            let name = *name;
            Next::Ask(operation, Pending::NameIfStillRegistered { name, inquiry })
        }
        _ => inquiry.answer(context, Term::Nil),
    }
}

/// Returns the name if the answer, the process with that name, is the one in the query.
pub(super) fn name_if_still_registered(
    context: &mut Context<'_>,
    name: Atom,
    inquiry: Inquiry,
    answer: &Answer,
) -> Next {
    match answer {
        Answer::Pid(Some(registered)) if *registered == inquiry.of() => {
            inquiry.answer_alive(context, name.into())
        }
        _ => inquiry.answer(context, Term::Nil),
    }
}
