//! The functions of `ets` that the real machine implements itself.
//!
//! A call becomes a [`Plan`]: first the name of the table is resolved, if it has one, then the plan is
//! carried out by requests to shared objects. Operations on one key are one request. Operations on many
//! keys read all of them at one moment, and compute their result from what they have read; those that
//! change keys then change one after the other, as `select_delete` of the real machine does.

use std::rc::Rc;

use super::effect::Effect;
use super::native::{Answer, Asking, Context, Next, Row};
use super::{Input, Pending, Process};
use crate::ets::{
    Action, Change, Direction, KeyCall, Options, Protection, Search, Table, TableCall, TableId,
    UpdateCounter, What, compiled, compiled_term, elements, end_of_table, normal_key,
};
use crate::match_spec::{Dialect, Spec};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("ets", "new", 2, new),
    ("ets", "delete", 1, delete),
    ("ets", "insert", 2, insert),
    ("ets", "insert_new", 2, insert_new),
    ("ets", "lookup", 2, lookup),
    ("ets", "lookup_element", 3, lookup_element),
    ("ets", "lookup_element", 4, lookup_element),
    ("ets", "member", 2, member),
    ("ets", "take", 2, take),
    ("ets", "delete", 2, delete_key),
    ("ets", "delete_object", 2, delete_object),
    ("ets", "update_counter", 3, update_counter),
    ("ets", "update_counter", 4, update_counter),
    ("ets", "update_element", 3, update_element),
    ("ets", "first", 1, first),
    ("ets", "last", 1, last),
    ("ets", "next", 2, next),
    ("ets", "prev", 2, prev),
    ("ets", "slot", 2, slot),
    ("ets", "select", 1, select_on),
    ("ets", "select", 2, select),
    ("ets", "select", 3, select),
    ("ets", "select_reverse", 1, select_on),
    ("ets", "select_reverse", 2, select_reverse),
    ("ets", "select_reverse", 3, select_reverse),
    ("ets", "match", 1, select_on),
    ("ets", "match", 2, match_all),
    ("ets", "match", 3, match_all),
    ("ets", "match_object", 1, select_on),
    ("ets", "match_object", 2, match_object),
    ("ets", "match_object", 3, match_object),
    ("ets", "select_count", 2, select_count),
    ("ets", "select_replace", 2, select_replace),
    ("ets", "internal_select_delete", 2, select_delete),
    ("ets", "internal_delete_all", 2, delete_all),
    ("ets", "info", 1, info),
    ("ets", "info", 2, info),
    ("ets", "whereis", 1, whereis),
    ("ets", "rename", 2, rename),
    ("ets", "setopts", 2, setopts),
    ("ets", "give_away", 3, give_away),
    ("ets", "safe_fixtable", 2, safe_fixtable),
    ("ets", "all", 0, all),
    ("ets", "internal_request_all", 0, all),
    ("ets", "match_spec_compile", 1, match_spec_compile),
    ("ets", "match_spec_run_r", 3, match_spec_run_r),
    ("ets", "is_compiled_ms", 1, is_compiled_ms),
    ("erlang", "match_spec_test", 3, match_spec_test),
];

/// What to do with a table.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Insert objects.
    Insert {
        /// The objects.
        objects: Vec<Term>,
        /// Whether none of their keys may be there.
        is_new: bool,
    },
    /// An operation on one key.
    Key(Term, KeyCall),
    /// Delete an object.
    DeleteObject(Term),
    /// An operation on many keys.
    Whole(TableCall),
    /// All information about the table, or one item.
    Info(Option<Atom>),
    /// Return the table's identifier.
    WhereIs,
    /// Fix or release the table.
    Fix(bool),
    /// Delete the table.
    Delete,
    /// Rename the table.
    Rename(Atom),
    /// Change options.
    Change(Change<PidTerm>),
    /// Give the table to another process, with the data for its message.
    GiveAway(PidTerm, Term),
}

/// What to do with the answer of a table.
#[derive(Clone, Debug)]
pub enum Step {
    /// It is the table with the name in the call.
    Resolved(Term, Plan),
    /// It is the result.
    Value,
    /// Return this, unless the request was refused.
    Return(Term),
    /// It is all objects of the table.
    Whole(TableId, TableCall),
    /// An operation on one key is done. Do these, the last one first, and return the value.
    Each(TableId, Vec<(Term, KeyCall)>, Term),
    /// The table has been created.
    Created(TableId, Rc<Options>),
    /// It is whether the table exists.
    Exists(TableId, Plan),
    /// It is the table's options.
    Described(TableId, Plan),
    /// It is all objects of the table, whose options are these.
    Counted(TableId, Option<Atom>, Term),
    /// The table has got its new name. The old one, if it had one, is this.
    Bound(TableId, Atom, Atom),
    /// The table has been renamed.
    Renamed(Atom, Atom),
    /// The table has another owner.
    GivenAway(Term, PidTerm, Term),
}

type Called = Result<Next, Raise>;

/// Asks a table.
fn ask(what: What<PidTerm>, step: Step) -> Next {
    Next::Table(what, Pending::Table(Box::new(step)))
}

/// Named tables of the real machine, with its kernel application, that do not exist here.
const SYSTEM_TABLES: [&str; 12] = [
    "ac_tab",
    "cookies",
    "file_io_servers",
    "global_locks",
    "global_lost_connections",
    "global_names",
    "global_names_ext",
    "global_pid_ids",
    "global_pid_names",
    "inet_db",
    "logger",
    "sys_dist",
];

/// Carries out a plan on the table that an argument names.
fn on(context: &mut Context<'_>, table: &Term, plan: Plan) -> Called {
    match table {
        Term::Atom(name) if SYSTEM_TABLES.contains(&name.name()) => {
            let name = name.name();
            Ok(Next::Unsupported(format!("the system table {name}")))
        }
        Term::Atom(name) => Ok(ask(
            What::Resolve { name: *name },
            Step::Resolved(table.clone(), plan),
        )),
        table => match TableId::of(table) {
            Some(id) => start(context, id, table, plan),
            None => Err(Raise::badarg()),
        },
    }
}

fn start(context: &mut Context<'_>, table: TableId, name: &Term, plan: Plan) -> Called {
    let shape = table.shape();
    Ok(match plan {
        Plan::Insert { objects, is_new } => {
            if objects.iter().any(|object| shape.key(object).is_none()) {
                return Err(Raise::badarg());
            }
            match (&objects[..], is_new) {
                ([object], _) => {
                    let key = shape.key(object).ok_or_else(Raise::badarg)?;
                    let call = match is_new {
                        true => KeyCall::InsertNew(object.clone()),
                        false => KeyCall::Insert(object.clone()),
                    };
                    on_key(table, key, call, Step::Value)
                }
                (_, true) => whole(table, TableCall::InsertNew(objects)),
                (_, false) => {
                    let call = TableCall::Insert(objects);
                    let (value, calls) = call.split(&Table::new(shape))?;
                    // Whether the process may write is checked with the first object.
                    match calls.is_empty() {
                        true => ask(What::Exists { table }, Step::Return(value)),
                        false => each(table, calls, value),
                    }
                }
            }
        }
        Plan::Key(key, call) => on_key(table, &key, call, Step::Value),
        Plan::DeleteObject(object) => {
            let key = shape.key(&object).ok_or_else(Raise::badarg)?.clone();
            on_key(table, &key, KeyCall::DeleteObject(object), Step::Value)
        }
        Plan::Whole(TableCall::Search(search)) => match search.key(shape) {
            Some(key) => {
                let key = key.clone();
                on_key(table, &key, KeyCall::Search(search), Step::Value)
            }
            None => whole(table, TableCall::Search(search)),
        },
        Plan::Whole(call) => whole(table, call),
        Plan::Delete => ask(What::Delete { table }, Step::Return(Atom::TRUE.into())),
        Plan::Change(change) => {
            if let Change::Options {
                heir: Some(Some(_)),
                ..
            } = change
            {
                inherit_at_end(context.process, table);
            }
            ask(
                What::Change { table, change },
                Step::Return(Atom::TRUE.into()),
            )
        }
        Plan::GiveAway(to, data) => ask(
            What::Change {
                table,
                change: Change::Owner(to),
            },
            Step::GivenAway(name.clone(), to, data),
        ),
        plan @ (Plan::Info(_) | Plan::WhereIs | Plan::Fix(_) | Plan::Rename(_)) => {
            ask(What::Exists { table }, Step::Exists(table, plan))
        }
    })
}

fn on_key(table: TableId, key: &Term, call: KeyCall, step: Step) -> Next {
    let key = normal_key(table.shape(), key);
    ask(What::Key { table, key, call }, step)
}

/// Reads the whole table.
fn whole(table: TableId, call: TableCall) -> Next {
    let what = What::Whole {
        table,
        keys: Rc::new([]),
        to_count: false,
    };
    ask(what, Step::Whole(table, call))
}

/// Does operations on single keys, in their order.
fn each(table: TableId, mut calls: Vec<(Term, KeyCall)>, value: Term) -> Next {
    calls.reverse();
    next_of_each(table, calls, value)
}

fn next_of_each(table: TableId, mut calls: Vec<(Term, KeyCall)>, value: Term) -> Next {
    match calls.pop() {
        Some((key, call)) => on_key(table, &key, call, Step::Each(table, calls, value)),
        None => Next::Value(value),
    }
}

/// Records that a table may have an heir, which must get it when the process ends.
fn inherit_at_end(process: &mut Process, table: TableId) {
    if !process.bequests.contains(&table) {
        process.bequests.push(table);
    }
}

impl Step {
    /// Continues with the answer.
    pub(super) fn resume(self, context: &mut Context<'_>, answer: Answer) -> Called {
        match (self, answer) {
            (Step::Resolved(name, plan), Answer::Value(Some(table))) => {
                let table = TableId::of(&table).ok_or_else(Raise::badarg)?;
                start(context, table, &name, plan)
            }
            (Step::Resolved(_, Plan::Info(_) | Plan::WhereIs), _)
            | (Step::Exists(_, Plan::Info(_) | Plan::WhereIs), Answer::Refused) => {
                Ok(Next::Value(Atom::UNDEFINED.into()))
            }
            (_, Answer::Refused) => Err(Raise::badarg()),
            (Step::Value, Answer::Value(Some(value))) => Ok(Next::Value(value)),
            (Step::Return(value), _) => Ok(Next::Value(value)),
            (Step::Whole(table, call), Answer::Value(Some(rows))) => {
                let is_fixed = context.process.fixes.iter().any(|(id, _)| *id == table);
                let mut rows = Table::of_rows(table.shape(), &rows, is_fixed);
                match call.is_read() {
                    true => Ok(Next::Value(call.apply(&mut rows)?.0)),
                    false => {
                        let (value, calls) = call.split(&rows)?;
                        Ok(each(table, calls, value))
                    }
                }
            }
            (Step::Each(table, calls, value), _) => Ok(next_of_each(table, calls, value)),
            (Step::Created(table, options), _) => Ok(match options.is_named {
                true => {
                    let name = options.name;
                    let step = Step::Return(name.into());
                    ask(What::Bind { name, table }, step)
                }
                false => Next::Value(table.term()),
            }),
            (Step::Exists(table, plan), _) => exists(context, table, plan),
            (Step::Described(table, Plan::Info(item)), Answer::Value(Some(options))) => {
                described(context, table, item, options)
            }
            (Step::Described(table, Plan::Rename(name)), Answer::Value(Some(options))) => {
                let named = property(&options, "named_table") == Some(Atom::TRUE.into());
                match (named, property(&options, "name")) {
                    (true, Some(Term::Atom(old))) => Ok(ask(
                        What::Bind { name, table },
                        Step::Bound(table, name, old),
                    )),
                    _ => {
                        let change = Change::Name(name);
                        let step = Step::Return(table.term());
                        Ok(ask(What::Change { table, change }, step))
                    }
                }
            }
            (Step::Counted(table, item, options), Answer::Value(Some(rows))) => {
                let rows = Table::of_rows(table.shape(), &rows, false);
                Ok(Next::Value(counted(table, item, &options, rows.len())))
            }
            (Step::Bound(table, name, old), _) => {
                let change = Change::Name(name);
                Ok(ask(
                    What::Change { table, change },
                    Step::Renamed(name, old),
                ))
            }
            (Step::Renamed(name, old), _) => {
                Ok(ask(What::Unbind { name: old }, Step::Return(name.into())))
            }
            (Step::GivenAway(table, to, data), _) => {
                let value = transfer_message(table, context.process.pid, data);
                context.effects.push(Effect::Send { to, value });
                Ok(Next::Value(Atom::TRUE.into()))
            }
            (Step::Value | Step::Resolved(..) | Step::Whole(..), _)
            | (Step::Described(..) | Step::Counted(..), _) => Err(Raise::badarg()),
        }
    }
}

/// The message to the heir of a table whose owner has ended. The input is the heir, the table and the data
/// for the message, if the heir has got the table.
pub(super) fn transfer(from: PidTerm, input: &Input) -> Option<Effect> {
    let Input::Answer(Answer::Value(Some(Term::Tuple(parts)))) = input else {
        return None;
    };
    let [Term::Pid(to), table, data] = &***parts else {
        return None;
    };
    let value = transfer_message(table.clone(), from, data.clone());
    Some(Effect::Send { to: *to, value })
}

fn transfer_message(table: Term, from: PidTerm, data: Term) -> Term {
    Term::tuple([Term::atom("ETS-TRANSFER"), table, Term::Pid(from), data])
}

fn new(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let options = Options::parse(&arguments[0], &arguments[1]).ok_or_else(Raise::badarg)?;
    let reference = context.process.make_reference();
    let Some(table) = TableId::new(reference, options.shape) else {
        let what = format!(
            "an ets table with key position {}",
            options.shape.key_index + 1
        );
        return Ok(Next::Unsupported(what));
    };
    let heir = options.heir.clone();
    if heir.is_some() {
        inherit_at_end(context.process, table);
    }
    let options = Rc::new(Options {
        heir: None,
        ..options
    });
    let what = What::Create {
        table,
        options: Rc::clone(&options),
        heir,
    };
    Ok(ask(what, Step::Created(table, options)))
}

fn delete(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on(context, &arguments[0], Plan::Delete)
}

fn insert(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    insert_objects(context, arguments, false)
}

fn insert_new(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    insert_objects(context, arguments, true)
}

fn insert_objects(context: &mut Context<'_>, arguments: &[Term], is_new: bool) -> Called {
    let objects = match &arguments[1] {
        object @ Term::Tuple(_) => vec![object.clone()],
        list @ (Term::Nil | Term::Cons(_)) => {
            let mut objects = list.elements();
            let all: Vec<Term> = objects.by_ref().cloned().collect();
            meter::work(all.len())?;
            if !matches!(objects.rest(), Term::Nil) {
                return Err(Raise::badarg());
            }
            all
        }
        _ => return Err(Raise::badarg()),
    };
    on(context, &arguments[0], Plan::Insert { objects, is_new })
}

fn on_argument(context: &mut Context<'_>, arguments: &[Term], call: KeyCall) -> Called {
    let plan = Plan::Key(arguments[1].clone(), call);
    on(context, &arguments[0], plan)
}

fn lookup(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on_argument(context, arguments, KeyCall::Lookup)
}

fn lookup_element(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let Term::Int(position @ 1..) = arguments[2] else {
        return Err(Raise::badarg());
    };
    let index = usize::try_from(position - 1).map_err(|_| Raise::badarg())?;
    let call = KeyCall::LookupElement(index, arguments.get(3).cloned());
    on_argument(context, arguments, call)
}

fn member(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on_argument(context, arguments, KeyCall::Member)
}

fn take(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on_argument(context, arguments, KeyCall::Take)
}

fn delete_key(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on_argument(context, arguments, KeyCall::Delete)
}

fn delete_object(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on(
        context,
        &arguments[0],
        Plan::DeleteObject(arguments[1].clone()),
    )
}

fn update_counter(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let default = arguments.get(3).cloned();
    if default
        .as_ref()
        .is_some_and(|default| !matches!(default, Term::Tuple(_)))
    {
        return Err(Raise::badarg());
    }
    let update = UpdateCounter::parse(&arguments[1], &arguments[2], default);
    let update = update.ok_or_else(Raise::badarg)?;
    on_argument(context, arguments, KeyCall::UpdateCounter(update))
}

fn update_element(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let elements = elements(&arguments[2]).ok_or_else(Raise::badarg)?;
    on_argument(context, arguments, KeyCall::UpdateElement(elements))
}

fn first(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let plan = Plan::Whole(TableCall::First(Direction::Up));
    on(context, &arguments[0], plan)
}

fn last(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let plan = Plan::Whole(TableCall::First(Direction::Down));
    on(context, &arguments[0], plan)
}

fn next(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let plan = Plan::Whole(TableCall::Next(arguments[1].clone(), Direction::Up));
    on(context, &arguments[0], plan)
}

fn prev(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let plan = Plan::Whole(TableCall::Next(arguments[1].clone(), Direction::Down));
    on(context, &arguments[0], plan)
}

fn slot(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let Term::Int(index @ 0..) = arguments[1] else {
        return Err(Raise::badarg());
    };
    let index = usize::try_from(index).map_err(|_| Raise::badarg())?;
    on(context, &arguments[0], Plan::Whole(TableCall::Slot(index)))
}

/// The process and the release, which decide how specifications are run.
fn caller(context: &Context<'_>) -> (PidTerm, u32) {
    (context.process.pid, context.library.release())
}

fn search(context: &mut Context<'_>, arguments: &[Term], spec: &Term, action: Action) -> Called {
    let caller = caller(context);
    let search = Search::new(&arguments[0], spec, action, caller)?;
    searched(context, arguments, search)
}

fn searched(context: &mut Context<'_>, arguments: &[Term], search: Search) -> Called {
    let search = match arguments.get(2) {
        Some(limit) => search.limited(limit)?,
        None => search,
    };
    let plan = Plan::Whole(TableCall::Search(search));
    on(context, &arguments[0], plan)
}

fn select(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    search(context, arguments, &arguments[1], Action::Collect)
}

fn select_reverse(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let caller = caller(context);
    let search = Search::new(&arguments[0], &arguments[1], Action::Collect, caller)?;
    searched(context, arguments, search.reversed())
}

/// `[{Pattern, [], [Result]}]`
fn of_pattern(pattern: &Term, result: &str) -> Term {
    let body = Term::list([Term::atom(result)]);
    Term::list([Term::tuple([pattern.clone(), Term::Nil, body])])
}

fn match_all(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let spec = of_pattern(&arguments[1], "$$");
    search(context, arguments, &spec, Action::Collect)
}

fn match_object(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let spec = of_pattern(&arguments[1], "$_");
    search(context, arguments, &spec, Action::Collect)
}

/// `select/1`, `match/1`, `match_object/1` and `select_reverse/1` with a continuation.
fn select_on(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    if arguments[0] == end_of_table() {
        return Ok(Next::Value(end_of_table()));
    }
    let (table, search) = Search::continued(&arguments[0], caller(context))?;
    on(context, &table, Plan::Whole(TableCall::Search(search)))
}

fn select_count(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    search(context, arguments, &arguments[1], Action::Count)
}

fn select_replace(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    search(context, arguments, &arguments[1], Action::Replace)
}

fn select_delete(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    search(context, arguments, &arguments[1], Action::Delete)
}

fn delete_all(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    on(context, &arguments[0], Plan::Whole(TableCall::Clear))
}

fn whereis(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    match arguments[0] {
        Term::Atom(_) => on(context, &arguments[0], Plan::WhereIs),
        _ => Err(Raise::badarg()),
    }
}

fn info(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let item = match arguments.get(1) {
        None => None,
        Some(Term::Atom(item)) => Some(*item),
        Some(_) => return Err(Raise::badarg()),
    };
    on(context, &arguments[0], Plan::Info(item))
}

fn exists(context: &mut Context<'_>, table: TableId, plan: Plan) -> Called {
    Ok(match plan {
        Plan::WhereIs => Next::Value(table.term()),
        Plan::Fix(on) => {
            fix(&mut context.process.fixes, table, on);
            Next::Value(Atom::TRUE.into())
        }
        plan => ask(What::Describe { table }, Step::Described(table, plan)),
    })
}

fn fix(fixes: &mut Vec<(TableId, u32)>, table: TableId, on: bool) {
    match (fixes.iter_mut().find(|(id, _)| *id == table), on) {
        (Some((_, count)), true) => *count += 1,
        (Some((_, count)), false) => *count -= 1,
        (None, true) => fixes.push((table, 1)),
        (None, false) => {}
    }
    fixes.retain(|(_, count)| *count > 0);
}

fn described(
    context: &mut Context<'_>,
    table: TableId,
    item: Option<Atom>,
    options: Term,
) -> Called {
    let name = item.map(Atom::name);
    if matches!(name, None | Some("size" | "memory")) {
        let what = What::Whole {
            table,
            keys: Rc::new([]),
            to_count: true,
        };
        return Ok(ask(what, Step::Counted(table, item, options)));
    }
    let name = name.unwrap_or_default();
    let fixes = &context.process.fixes;
    let fix = fixes.iter().find(|(id, _)| *id == table);
    Ok(Next::Value(match name {
        "id" => table.term(),
        "fixed" => Atom::bool(fix.is_some()).into(),
        "safe_fixed" | "safe_fixed_monotonic_time" => match fix {
            None => Atom::FALSE.into(),
            Some((_, count)) => {
                let me = Term::Pid(context.process.pid);
                let fixer = Term::tuple([me, Term::Int(i64::from(*count))]);
                // The time of the fixation is not modelled.
                let time = match name {
                    "safe_fixed" => Term::tuple([0, 0, 0].map(Term::Int)),
                    _ => Term::Int(0),
                };
                Term::tuple([time, Term::list([fixer])])
            }
        },
        "binary" => Term::Nil,
        "stats" => return Ok(Next::Unsupported("ets:info(_, stats)".into())),
        name => property(&options, name).ok_or_else(Raise::badarg)?,
    }))
}

/// The value of an item in the options of a table.
fn property(options: &Term, name: &str) -> Option<Term> {
    options.elements().find_map(|option| match option {
        Term::Tuple(pair) => match &***pair {
            [Term::Atom(item), value] if item.name() == name => Some(value.clone()),
            _ => None,
        },
        _ => None,
    })
}

/// Words of memory of an empty table, and of an object. Both are only examples.
const MEMORY: (usize, usize) = (305, 8);

/// One item, or all information about a table of this size.
fn counted(table: TableId, item: Option<Atom>, options: &Term, size: usize) -> Term {
    let int = |count: usize| Term::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let memory = int(MEMORY.0 + size * MEMORY.1);
    let pair = |name: &str, value: Term| Term::tuple([Term::atom(name), value]);
    match item.map(Atom::name) {
        Some("size") => int(size),
        Some(_) => memory,
        None => {
            let mut all = vec![pair("id", table.term())];
            for option in options.elements() {
                if matches!(option, Term::Tuple(pair) if pair[0] == Term::atom("owner")) {
                    all.push(pair("memory", memory.clone()));
                }
                if matches!(option, Term::Tuple(pair) if pair[0] == Term::atom("node")) {
                    all.push(pair("size", int(size)));
                }
                all.push(option.clone());
            }
            Term::list(all)
        }
    }
}

fn rename(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    match arguments[1] {
        Term::Atom(name) => on(context, &arguments[0], Plan::Rename(name)),
        _ => Err(Raise::badarg()),
    }
}

fn setopts(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let mut protection = None;
    let mut heir = None;
    let mut option = |option: &Term| {
        let Term::Tuple(parts) = option else {
            return false;
        };
        match &***parts {
            [Term::Atom(name), Term::Atom(value)] if name.name() == "protection" => {
                protection = Protection::parse(value.name());
                protection.is_some()
            }
            [Term::Atom(name), Term::Atom(Atom::NONE)] if name.name() == "heir" => {
                heir = Some(None);
                true
            }
            [Term::Atom(name), Term::Pid(pid), data] if name.name() == "heir" => {
                heir = Some(Some((*pid, data.clone())));
                true
            }
            _ => false,
        }
    };
    let is_valid = match &arguments[1] {
        list @ (Term::Nil | Term::Cons(_)) => {
            let mut options = list.elements();
            options.by_ref().all(&mut option) && matches!(options.rest(), Term::Nil)
        }
        one => option(one),
    };
    if !is_valid {
        return Err(Raise::badarg());
    }
    let change = Change::Options { protection, heir };
    on(context, &arguments[0], Plan::Change(change))
}

fn give_away(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    match arguments[1] {
        Term::Pid(to) => {
            let plan = Plan::GiveAway(to, arguments[2].clone());
            on(context, &arguments[0], plan)
        }
        _ => Err(Raise::badarg()),
    }
}

fn safe_fixtable(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    match arguments[1] {
        Term::Atom(Atom::TRUE) => on(context, &arguments[0], Plan::Fix(true)),
        Term::Atom(Atom::FALSE) => on(context, &arguments[0], Plan::Fix(false)),
        _ => Err(Raise::badarg()),
    }
}

fn all(_: &mut Context<'_>, _: &[Term]) -> Called {
    Ok(Next::Unsupported("ets:all/0".to_owned()))
}

fn match_spec_compile(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    match Spec::compile(&arguments[0], Dialect::Table, context.library.release()) {
        Ok(spec) => Ok(Next::Value(compiled_term(spec.source()))),
        Err(_) => Err(Raise::badarg()),
    }
}

fn is_compiled_ms(_: &mut Context<'_>, arguments: &[Term]) -> Called {
    let is_compiled = compiled(&arguments[0]).is_some();
    Ok(Next::Value(Atom::bool(is_compiled).into()))
}

fn match_spec_run_r(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let source = compiled(&arguments[1]).ok_or_else(Raise::badarg)?;
    let (me, release) = caller(context);
    let spec = Spec::compile(source, Dialect::Table, release).map_err(|_| Raise::badarg())?;
    let mut results = arguments[2].clone();
    let mut terms = arguments[0].elements();
    for term in terms.by_ref() {
        meter::work(1)?;
        if let Some(matched) = spec.run(term, me) {
            results = Term::cons(matched.value, results);
        }
    }
    match terms.rest() {
        Term::Nil => Ok(Next::Value(results)),
        _ => Err(Raise::badarg()),
    }
}

/// `erlang:match_spec_test/3`
fn match_spec_test(context: &mut Context<'_>, arguments: &[Term]) -> Called {
    let dialect = match &arguments[2] {
        Term::Atom(name) if name.name() == "table" => Dialect::Table,
        Term::Atom(name) if name.name() == "trace" => Dialect::Trace,
        _ => return Err(Raise::badarg()),
    };
    let (me, release) = caller(context);
    Ok(Next::Value(
        match Spec::compile(&arguments[1], dialect, release) {
            Err(error) => {
                let text = error.chars().map(|c| Term::Int(i64::from(u32::from(c))));
                let text = Term::list(text.collect::<Vec<_>>());
                let error = Term::tuple([Atom::ERROR.into(), text]);
                Term::tuple([Atom::ERROR.into(), Term::list([error])])
            }
            Ok(spec) => {
                let (value, flags) = match spec.run(&arguments[0], me) {
                    None => (Atom::FALSE.into(), Term::Nil),
                    Some(matched) => {
                        let flags = matched.flags.iter().map(|flag| Term::atom(flag));
                        (matched.value, Term::list(flags.collect::<Vec<_>>()))
                    }
                };
                Term::tuple([Atom::OK.into(), value, flags, Term::Nil])
            }
        },
    ))
}
