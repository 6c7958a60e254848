//! `next` and `prefer`, on top of a [`Guide`].

use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::{Graph, Pick, Slot};
use crate::guide::{Candidate, Guide, Standing};
use crate::ids::PidTable;
use std::cmp::Ordering;

/// The process that runs next, among the given ones.
pub(crate) fn next<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    guide: &impl Guide,
    slots: impl IntoIterator<Item = Slot> + Clone,
) -> Option<Slot> {
    let standing = |slot| Standing {
        graph,
        behaviours,
        slot,
    };
    let mut all = slots.clone().into_iter();
    let one = all.next()?;
    if all.next().is_none() {
        return Some(one);
    }
    let in_turn = first(graph, behaviours, slots.clone(), |slot| {
        Some(guide.process_key(&standing(slot)))
    })?;
    give_way(graph, behaviours, guide, in_turn, slots)
}

/// The given process, or the one that the guide lets run before it.
#[inline]
pub(crate) fn give_way<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    guide: &impl Guide,
    in_turn: Slot,
    slots: impl IntoIterator<Item = Slot>,
) -> Option<Slot> {
    let standing = |slot| Standing {
        graph,
        behaviours,
        slot,
    };
    match guide.choice_key(&standing(in_turn)) {
        None => Some(in_turn),
        Some(_) => first(graph, behaviours, slots, |slot| {
            guide.choice_key(&standing(slot))
        }),
    }
}

/// The process with the lowest key, among those that have one; of several, the last in the order of
/// pids.
#[inline]
fn first<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    slots: impl IntoIterator<Item = Slot>,
    key: impl Fn(Slot) -> Option<u64>,
) -> Option<Slot> {
    let mut best: Option<(u64, Slot)> = None;
    for slot in slots {
        let Some(key) = key(slot) else { continue };
        let better = best.is_none_or(|(best_key, best_slot)| {
            key.cmp(&best_key)
                .then_with(|| later(graph, behaviours, slot, best_slot))
                == Ordering::Less
        });
        if better {
            best = Some((key, slot));
        }
    }
    best.map(|(_, slot)| slot)
}

/// The order of processes with equal keys: the last in the order of pids first.
#[inline]
pub(crate) fn later<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    a: Slot,
    b: Slot,
) -> Ordering {
    behaviours
        .pids
        .cmp(graph.process(b).pid, graph.process(a).pid)
}

/// A demand or check: the process, the index of the step that will answer it, and the number of
/// events of the process before it.
pub(crate) type Demand = (Slot, usize, u32);

/// The current demand of a process.
pub(crate) fn demand_of(graph: &Graph, slot: Slot) -> Demand {
    let process = graph.process(slot);
    let index = process.steps.len();
    (slot, index, process.events_before(index))
}

/// Sorts the candidates of a demand. `keyed` is a scratch buffer, reused between demands.
pub(crate) fn sort<F: Frontend>(
    graph: &Graph,
    behaviours: &mut Behaviours<F>,
    guide: &impl Guide,
    demand: Demand,
    picks: &mut [Pick],
    keyed: &mut Vec<(u64, Pick)>,
) {
    if let [a, b] = picks {
        let [a_key, b_key] = [*a, *b].map(|pick| key(graph, behaviours, guide, demand, pick));
        if order(&behaviours.pids, (a_key, *a), (b_key, *b)).is_gt() {
            std::mem::swap(a, b);
        }
        return;
    }
    keyed.clear();
    keyed.extend(picks.iter().map(|&pick| {
        let key = key(graph, behaviours, guide, demand, pick);
        (key, pick)
    }));
    keyed.sort_unstable_by(|&a, &b| order(&behaviours.pids, a, b));
    for (pick, (_, sorted)) in picks.iter_mut().zip(keyed) {
        *pick = *sorted;
    }
}

/// Whether none of the candidates of a demand comes before `first`.
pub(crate) fn is_first<F: Frontend>(
    graph: &Graph,
    behaviours: &mut Behaviours<F>,
    guide: &impl Guide,
    demand: Demand,
    first: Pick,
    picks: &[Pick],
) -> bool {
    let first = (key(graph, behaviours, guide, demand, first), first);
    picks.iter().all(|&pick| {
        let key = key(graph, behaviours, guide, demand, pick);
        order(&behaviours.pids, first, (key, pick)).is_le()
    })
}

#[inline]
fn key<F: Frontend>(
    graph: &Graph,
    behaviours: &mut Behaviours<F>,
    guide: &impl Guide,
    (slot, index, events): Demand,
    pick: Pick,
) -> u64 {
    // To be left alone comes before a disturbance, whatever the guide prefers: see `Candidates::list`.
    if let Pick::Choice(chosen) = pick
        && graph.is_disturbance(slot, index)
    {
        return u64::from(chosen);
    }
    guide.candidate_key(&mut Candidate {
        graph,
        behaviours,
        slot,
        index,
        events,
        pick,
    })
}

#[inline]
fn order(pids: &PidTable, (a_key, a): (u64, Pick), (b_key, b): (u64, Pick)) -> Ordering {
    a_key.cmp(&b_key).then_with(|| usual(pids, a, b))
}

/// The order of candidates with the same key.
fn usual(pids: &PidTable, a: Pick, b: Pick) -> Ordering {
    match (a, b) {
        (
            Pick::Message { sender, seq },
            Pick::Message {
                sender: other,
                seq: other_seq,
            },
        ) => pids.cmp(sender, other).then(seq.cmp(&other_seq)),
        (Pick::Version(a), Pick::Version(b)) | (Pick::Choice(a), Pick::Choice(b)) => a.cmp(&b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(pick: Pick) -> u8 {
    match pick {
        Pick::Start => 0,
        Pick::Message { .. } => 1,
        Pick::Version(_) => 2,
        Pick::GoOn => 3,
        Pick::Timeout => 4,
        Pick::QuietTimeout => 5,
        Pick::Choice(_) => 6,
    }
}
