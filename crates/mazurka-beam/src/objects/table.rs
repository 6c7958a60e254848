//! Tables as shared objects: one for each key, one for the existence of the table, and one for its name.
//! So operations on different keys commute.
//!
//! A table exists as long as its owner is alive. The end of a process deletes its tables without
//! changing any object, because every operation on a table also reads its owner's liveness.
//!
//! An operation on a key reads the table and its owner's liveness before the key. If the table changes in
//! between, the operation is equivalent to one that came before the change: nothing else can be seen of
//! it, because its process waits for the answer.

use std::rc::Rc;

use mazurka_engine::{Answer, PidId, Reading, Served, Source};

use crate::ets::{Change, KeyCall, Options, Protection, Request, Row, TableId, What};
use crate::term::{Atom, PidTerm, Term};

/// A process, as the program and as the engine name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Party {
    /// The machine's pid.
    pub ours: PidTerm,
    /// The engine's.
    pub theirs: PidId,
}

/// Which part of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TableKey {
    /// Its existence, options and owner.
    Table(TableId),
    /// A name of tables.
    Name(Atom),
    /// The objects with one key.
    Cell(TableId, Term),
}

/// The state of a part of a table.
#[derive(Clone, Debug)]
pub enum TableState {
    /// The table, if it exists.
    Table(Option<Rc<Life>>),
    /// The table that had the name last.
    Name(Option<TableId>),
    /// The objects with one key.
    Cell {
        /// The objects.
        row: Row,
        /// Whether there have ever been any.
        existed: bool,
    },
}

/// What can change in a table that exists.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    options: Options,
    owner: Party,
    heir: Option<(Party, Term)>,
}

type ServedTable = Served<TableKey, TableState, Term>;

pub(super) fn key(request: &Request<Party>) -> TableKey {
    match &request.what {
        What::Bind { name, .. } | What::Unbind { name } | What::Resolve { name } => {
            TableKey::Name(*name)
        }
        What::Key { table, key, call } if !call.is_read() => TableKey::Cell(*table, key.clone()),
        What::Key { table, .. }
        | What::Whole { table, .. }
        | What::Create { table, .. }
        | What::Exists { table }
        | What::Describe { table }
        | What::Delete { table }
        | What::Change { table, .. } => TableKey::Table(*table),
    }
}

pub(super) fn is_read(request: &Request<Party>) -> bool {
    match &request.what {
        What::Key { call, .. } => call.is_read(),
        What::Resolve { .. } | What::Exists { .. } | What::Describe { .. } | What::Whole { .. } => {
            true
        }
        What::Create { .. }
        | What::Bind { .. }
        | What::Unbind { .. }
        | What::Delete { .. }
        | What::Change { .. } => false,
    }
}

pub(super) fn initial(key: &TableKey) -> TableState {
    match key {
        TableKey::Table(_) => TableState::Table(None),
        TableKey::Name(_) => TableState::Name(None),
        TableKey::Cell(..) => TableState::Cell {
            row: Row::new(),
            existed: false,
        },
    }
}

pub(super) fn serve(
    state: &TableState,
    request: &Request<Party>,
    seen: &[Answer<Term>],
) -> ServedTable {
    match (state, &request.what) {
        (TableState::Table(_), What::Create { options, heir, .. }) => {
            let life = Life {
                options: Options::clone(options),
                owner: request.by,
                heir: heir.clone(),
            };
            changed(TableState::Table(Some(Rc::new(life))), Answer::Ok)
        }
        (TableState::Table(life), What::Delete { .. } | What::Change { .. }) => {
            match life.as_ref().filter(|life| life.allows(request)) {
                None => refused(state),
                Some(life) => serve_life(state, life, request, seen),
            }
        }
        (TableState::Name(old), What::Bind { table, .. }) => match (old, seen) {
            (Some(old), []) => Served::Read(Source::Object(TableKey::Table(*old))),
            (_, [Answer::Pid(Some(owner))]) if *owner == request.by.theirs => refused(state),
            (_, [Answer::Pid(Some(owner))]) => Served::Read(Source::Liveness(*owner)),
            (_, [.., Answer::Bool(true)]) => refused(state),
            _ => changed(TableState::Name(Some(*table)), Answer::Ok),
        },
        (TableState::Name(_), What::Unbind { .. }) => changed(TableState::Name(None), Answer::Ok),
        (TableState::Cell { row, existed }, What::Key { table, key, call }) => {
            match access(*table, request, seen) {
                Access::Read(source) => Served::Read(source),
                Access::Refused => refused(state),
                Access::Granted(_) => serve_cell(state, (row, *existed), *table, key, call),
            }
        }
        (_, what) => unreachable!("not a request to this part of a table: {what:?}"),
    }
}

/// Deletes or changes a table that exists.
fn serve_life(
    state: &TableState,
    life: &Life,
    request: &Request<Party>,
    seen: &[Answer<Term>],
) -> ServedTable {
    // The owner and a new owner must be alive; the owner that asks is.
    let is_own = life.owner == request.by;
    let mut seen = seen.iter();
    if !is_own {
        match seen.next() {
            None => return Served::Read(Source::Liveness(life.owner.theirs)),
            Some(Answer::Bool(true)) => {}
            Some(_) => return refused(state),
        }
    }
    let mut life = life.clone();
    match &request.what {
        What::Change { table, change } => match change {
            Change::Name(name) => life.options.name = *name,
            Change::Options { protection, heir } => {
                life.options.protection = protection.unwrap_or(life.options.protection);
                if let Some(heir) = heir {
                    life.heir = heir.clone();
                }
            }
            Change::Owner(to) => match seen.next() {
                _ if *to == life.owner => return refused(state),
                None => return Served::Read(Source::Liveness(to.theirs)),
                Some(Answer::Bool(true)) => life.owner = *to,
                Some(_) => return refused(state),
            },
            Change::Inherit => match (&life.heir, seen.next()) {
                (Some((heir, _)), _) if *heir == life.owner => return refused(state),
                (Some((heir, _)), None) => return Served::Read(Source::Liveness(heir.theirs)),
                (Some((heir, data)), Some(Answer::Bool(true))) => {
                    let name = match life.options.is_named {
                        true => life.options.name.into(),
                        false => table.term(),
                    };
                    let message = Term::tuple([Term::Pid(heir.ours), name, data.clone()]);
                    life.owner = *heir;
                    life.heir = None;
                    let state = TableState::Table(Some(Rc::new(life)));
                    return changed(state, Answer::Value(Some(message)));
                }
                _ => return refused(state),
            },
        },
        _ => return changed(TableState::Table(None), Answer::Ok),
    }
    changed(TableState::Table(Some(Rc::new(life))), Answer::Ok)
}

fn serve_cell(
    state: &TableState,
    (row, existed): (&Row, bool),
    table: TableId,
    key: &Term,
    call: &KeyCall,
) -> ServedTable {
    match call.apply(table.shape(), key, row) {
        Err(_) => refused(state),
        Ok((value, None)) => Served::Done {
            state: state.clone(),
            answer: Answer::Value(Some(value)),
            publishes: false,
        },
        Ok((value, Some(row))) => {
            let existed = existed || !row.is_empty();
            changed(
                TableState::Cell { row, existed },
                Answer::Value(Some(value)),
            )
        }
    }
}

pub(super) fn look(state: &TableState, request: &Request<Party>) -> Answer<Term> {
    match (state, &request.what) {
        (TableState::Table(Some(life)), What::Describe { .. }) => {
            Answer::Value(Some(describe(life)))
        }
        (TableState::Table(Some(life)), _) if life.allows(request) => {
            Answer::Pid(Some(life.owner.theirs))
        }
        (TableState::Table(_), _) => Answer::Refused,
        (TableState::Name(table), _) => Answer::Value(table.map(TableId::term)),
        (TableState::Cell { row, .. }, What::Key { table, key, call }) => {
            match call.apply(table.shape(), key, row) {
                Ok((value, _)) => Answer::Value(Some(value)),
                Err(_) => Answer::Refused,
            }
        }
        (TableState::Cell { row, existed }, _) => {
            let objects = Term::list(row.iter().cloned());
            Answer::Value(existed.then_some(objects))
        }
    }
}

pub(super) fn read(request: &Request<Party>, seen: &[Answer<Term>]) -> Reading<TableKey, Term> {
    let (table, cells) = match &request.what {
        What::Exists { table } => (*table, &[][..]),
        What::Key { table, key, .. } => (*table, std::slice::from_ref(key)),
        What::Whole { table, keys, .. } => (*table, &keys[..]),
        _ => {
            return match seen.last() {
                None => Reading::Read(Source::Object(key(request))),
                Some(answer) => Reading::Done(answer.clone()),
            };
        }
    };
    let read = match access(table, request, seen) {
        Access::Read(source) => return Reading::Read(source),
        Access::Refused => return Reading::Done(Answer::Refused),
        Access::Granted(read) => read,
    };
    match (&request.what, cells.get(read.len())) {
        (_, Some(key)) => Reading::Read(Source::Object(TableKey::Cell(table, key.clone()))),
        (What::Key { .. }, None) => Reading::Done(read[0].clone()),
        (What::Whole { .. }, None) => {
            let rows = cells
                .iter()
                .zip(read)
                .filter_map(|(key, answer)| match answer {
                    Answer::Value(Some(objects)) => {
                        Some(Term::tuple([key.clone(), objects.clone()]))
                    }
                    _ => None,
                });
            let rows: Vec<Term> = rows.collect();
            Reading::Done(Answer::Value(Some(Term::list(rows))))
        }
        _ => Reading::Done(Answer::Ok),
    }
}

/// Whether an operation on a key may go on.
enum Access<'s> {
    /// It must read this first.
    Read(Source<TableKey>),
    Refused,
    /// It may, and has seen this after.
    Granted(&'s [Answer<Term>]),
}

/// Reads the table and the liveness of its owner, unless the owner asks.
fn access<'s>(table: TableId, request: &Request<Party>, seen: &'s [Answer<Term>]) -> Access<'s> {
    match seen {
        [] => Access::Read(Source::Object(TableKey::Table(table))),
        [Answer::Pid(Some(owner)), rest @ ..] if *owner == request.by.theirs => {
            Access::Granted(rest)
        }
        [Answer::Pid(Some(owner))] => Access::Read(Source::Liveness(*owner)),
        [Answer::Pid(Some(_)), Answer::Bool(true), rest @ ..] => Access::Granted(rest),
        _ => Access::Refused,
    }
}

impl Life {
    /// Whether the table's protection allows the request.
    fn allows(&self, request: &Request<Party>) -> bool {
        let protection = self.options.protection;
        let may_write = protection == Protection::Public;
        let may_read = protection != Protection::Private;
        let is_own = self.owner == request.by;
        is_own
            || match &request.what {
                What::Exists { .. } | What::Describe { .. } | What::Bind { .. } => true,
                What::Key { call, .. } if call.is_read() => may_read,
                What::Whole { to_count, .. } => may_read || *to_count,
                What::Key { .. } | What::Delete { .. } => may_write,
                What::Change {
                    change: Change::Name(_),
                    ..
                } => may_write,
                _ => false,
            }
    }
}

/// The options and owner of a table, as `ets:info/1` lists them: those before and after its size.
fn describe(life: &Life) -> Term {
    let Life {
        options,
        owner,
        heir,
    } = life;
    let pair = |name, value: Term| Term::tuple([Term::atom(name), value]);
    let truth = |value| Term::Atom(Atom::bool(value));
    let heir = match heir {
        Some((heir, _)) => Term::Pid(heir.ours),
        None => Atom::NONE.into(),
    };
    let position = i64::try_from(options.shape.key_index + 1).unwrap_or(i64::MAX);
    let tuning = options.tuning;
    Term::list([
        pair(
            "decentralized_counters",
            truth(tuning.decentralized_counters),
        ),
        pair("read_concurrency", truth(tuning.read_concurrency)),
        pair("write_concurrency", tuning.write_concurrency.into()),
        pair("compressed", truth(tuning.compressed)),
        pair("owner", Term::Pid(owner.ours)),
        pair("heir", heir),
        pair("name", options.name.into()),
        pair("node", Atom::NONODE.into()),
        pair("named_table", truth(options.is_named)),
        pair("type", Term::atom(options.shape.kind.name())),
        pair("keypos", Term::Int(position)),
        pair("protection", Term::atom(options.protection.name())),
    ])
}

fn changed(state: TableState, answer: Answer<Term>) -> ServedTable {
    Served::Done {
        state,
        answer,
        publishes: true,
    }
}

fn refused(state: &TableState) -> ServedTable {
    Served::Done {
        state: state.clone(),
        answer: Answer::Refused,
        publishes: false,
    }
}
