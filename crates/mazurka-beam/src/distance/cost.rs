//! The visible operations of one instruction or native function.

use crate::code::Mfa;

/// The module that prints and reads. Its messages go to the group leader, which is no process here:
/// neither its sends nor its receives are visible.
const IO: &str = "io";

/// Functions that always ask a table at least once before they return.
const TABLE_FUNCTIONS: [&str; 20] = [
    "new",
    "delete",
    "insert",
    "insert_new",
    "lookup",
    "lookup_element",
    "member",
    "take",
    "delete_object",
    "update_counter",
    "update_element",
    "first",
    "last",
    "next",
    "prev",
    "select_count",
    "select_replace",
    "internal_select_delete",
    "internal_delete_all",
    "rename",
];

/// The least number of visible operations of a native function that returns. Functions that make
/// none for some arguments count as 0: `whereis(user)`, `monitor(process, self())`.
pub(super) fn of_native(mfa: Mfa, is_own: bool) -> u32 {
    let is_visible = match (mfa.module.name(), mfa.name.name(), mfa.arity) {
        ("erlang", "spawn" | "spawn_link", 3) | ("erlang", "spawn_opt", 4) => true,
        ("erlang", "!" | "send", _) => is_own,
        ("erlang", "register", 2) | ("erlang", "unregister", 1) | ("erlang", "registered", 0) => {
            true
        }
        ("persistent_term", "put", 2) | ("persistent_term", "erase", 1) => true,
        ("ets", name, _) => TABLE_FUNCTIONS.contains(&name),
        _ => false,
    };
    u32::from(is_visible)
}

/// The visible operations of the instruction `send`. A library may send to the group leader.
pub(super) fn of_send(is_own: bool) -> u32 {
    u32::from(is_own)
}

/// The visible operations of a receive of a module.
pub(super) fn of_receive(module: &str) -> u32 {
    u32::from(module != IO)
}

/// Functions of OTP that make calls by computed names, but none of the program's functions, unless
/// the program has a [registry of names](OF_REGISTRY) of its own: the least number of their visible
/// operations.
pub(super) fn of_closed(mfa: Mfa) -> Option<u32> {
    match (mfa.module.name(), mfa.name.name(), mfa.arity) {
        // The request and its answer, or the end of the server.
        ("gen", "call", 3 | 4) | ("gen_server" | "gen_statem", "call", 2 | 3) => Some(1),
        ("gen_server" | "gen_statem", "cast", 2) => Some(0),
        _ => None,
    }
}

/// The functions that `{via, Module, Name}` calls in the process that uses the name.
pub(super) const OF_REGISTRY: [(&str, u32); 2] = [("whereis_name", 1), ("send", 2)];
