//! What a step repeats that does not end.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Done, show};
use crate::code::{Address, Library};
use crate::machine::{Effect, Process};
use crate::term::PidTerm;

/// The number of different actions that a message lists.
const ACTIONS_MAX: usize = 3;

/// A step without visible actions that reached the limit on instructions.
pub(super) fn without_effects(place: &str) -> String {
    format!(
        "a loop that runs for ever, or very long, without a visible operation, in {place}: \
         it neither sends to another process nor receives from one"
    )
}

/// A step that reached the limit on instructions while it printed at this place.
pub(super) fn printing(library: &Library, place: Address) -> String {
    let place = show::place(library, place).unwrap_or_default();
    format!("a loop that runs for ever, or very long, without waiting: it prints at {place}")
}

/// A step that reached the limit on instructions: what it does again and again, and where.
pub(super) fn describe(
    library: &Library,
    process: &Process,
    effects: &[Effect],
    places: &[Address],
    done: &Done,
    place: &str,
) -> String {
    // Few addresses have many effects: look up each place once.
    let mut by_address: FxHashMap<(&str, Address), u64> = FxHashMap::default();
    for (effect, &at) in effects.iter().zip(places) {
        *by_address.entry((action(effect, process), at)).or_default() += 1;
    }
    let mut times: BTreeMap<(&str, Option<String>), u64> = BTreeMap::new();
    for ((action, at), count) in by_address {
        *times.entry((action, show::place(library, at))).or_default() += count;
    }
    let mut times: Vec<_> = times.into_iter().filter(|(_, count)| *count > 1).collect();
    times.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    times.truncate(ACTIONS_MAX);
    let actions = times.into_iter().map(|((action, at), count)| {
        let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
        format!("{action}{at} ({count} times)")
    });
    let mut actions: Vec<String> = actions.collect();
    if actions.is_empty() && !done.output.is_empty() {
        actions.push("prints".to_owned());
    }
    match actions.is_empty() {
        true => without_effects(place),
        false => format!(
            "a loop that runs for ever, or very long, without waiting, in {place}: it {}",
            actions.join(", ")
        ),
    }
}

fn action(effect: &Effect, process: &Process) -> &'static str {
    match effect {
        Effect::Spawn { .. } => "spawns a process",
        Effect::Send { to, .. } if *to == process.pid => "sends to itself",
        Effect::Send { to, .. } if *to == PidTerm::leader() => "prints",
        Effect::Send { .. } | Effect::SendToAlias { .. } | Effect::Fire { .. } => {
            "sends to another process"
        }
        Effect::Signal { .. } => "sends an exit signal",
        Effect::TrapExit(_) => "sets trap_exit",
        Effect::Output(_) | Effect::Log { .. } => "prints",
    }
}
