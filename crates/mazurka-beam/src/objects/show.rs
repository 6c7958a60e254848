//! How tables and operations on them are shown.

use mazurka_engine::Show;
use mazurka_engine::objects::Key as StandardKey;

use super::table::{Party, TableKey};
use crate::ets::{KeyCall, Request, TableId, What};
use crate::machine::global_name;
use crate::term::Term;

/// The name of a part of a table. Different parts have different names.
pub(super) fn name(key: &TableKey, show: &Show<'_, Term>) -> String {
    let table = |id: &TableId| {
        let (creator, count) = id.origin();
        format!("{}:{count}", show.value(&Term::Pid(creator)))
    };
    match key {
        TableKey::Table(id) => format!("ets({})", table(id)),
        TableKey::Name(name) => format!("ets_name({})", show.value(&(*name).into())),
        TableKey::Cell(id, key) => format!("ets({})[{}]", table(id), show.value(key)),
    }
}

/// The global name that an object is.
pub(super) fn global(key: &StandardKey<Term>) -> Option<&Term> {
    match key {
        StandardKey::Name(name) => global_name(name),
        _ => None,
    }
}

/// Whether this is the name of a key of a table.
pub(super) fn is_cell(name: &str) -> bool {
    name.starts_with("ets(") && name.ends_with(']')
}

/// An operation; the part of the table is shown beside it.
pub(super) fn operation(request: &Request<Party>, show: &Show<'_, Term>) -> String {
    match &request.what {
        What::Create { options, .. } => format!("new({})", show.value(&options.name.into())),
        What::Bind { .. } => "name".into(),
        What::Unbind { .. } => "unname".into(),
        What::Resolve { .. } => "whereis".into(),
        What::Exists { .. } => "exists".into(),
        What::Describe { .. } => "info".into(),
        What::Key { call, .. } => key_call(call, show),
        What::Whole { .. } => "read all".into(),
        What::Delete { .. } => "delete".into(),
        What::Change { .. } => "setopts".into(),
    }
}

fn key_call(call: &KeyCall, show: &Show<'_, Term>) -> String {
    match call {
        KeyCall::Lookup => "lookup".into(),
        KeyCall::LookupElement(index, _) => format!("lookup_element({})", index + 1),
        KeyCall::Member => "member".into(),
        KeyCall::Insert(object) => format!("insert({})", show.value(object)),
        KeyCall::InsertNew(object) => format!("insert_new({})", show.value(object)),
        KeyCall::Delete => "delete".into(),
        KeyCall::DeleteObject(object) => format!("delete_object({})", show.value(object)),
        KeyCall::Take => "take".into(),
        KeyCall::UpdateCounter(_) => "update_counter".into(),
        KeyCall::Replace(_, object) => format!("replace({})", show.value(object)),
        KeyCall::Search(_) => "select".into(),
        KeyCall::UpdateElement(_) => "update_element".into(),
    }
}
