//! Native functions that read or change their own process, or have an effect but do not wait for an
//! answer.

mod dictionary;
mod function;
mod identity;
mod spawn;
mod system;

use super::logging;
use super::native::{Asking, Local, Row, row};

use crate::code::Mfa;
pub(super) use identity::{flag, set_flag};

const TABLES: &[&[Row<Local>]] = &[
    dictionary::TABLE,
    function::TABLE,
    identity::TABLE,
    logging::TABLE,
    spawn::TABLE,
    system::TABLE,
];

/// Functions that do not wait either, but refuse some of their arguments as not modelled.
pub(super) const ASKING: &[Row<Asking>] = &[
    ("erlang", "spawn_opt", 4, spawn::spawn_opt),
    ("erts_internal", "spawn_request", 4, spawn::spawn_request),
    (
        "erlang",
        "spawn_request_abandon",
        1,
        spawn::spawn_request_abandon,
    ),
    ("erlang", "system_info", 1, system::system_info),
];

/// Looks up a function by name and arity.
pub(super) fn find(mfa: Mfa) -> Option<Local> {
    TABLES.iter().find_map(|table| row(table, mfa))
}
