//! `next` and `prefer`, on top of a [`Guide`].

use crate::behaviour::{Behaviours, Wait};
use crate::frontend::Frontend;
use crate::graph::{Graph, Pick, Process, Slot};
use crate::guide::{DemandKind, Guide};
use crate::ids::PidTable;
use std::cmp::Ordering;

/// Of the processes that may go next, the one that does.
pub(crate) fn next<F: Frontend>(
    graph: &Graph,
    behaviours: &Behaviours<F>,
    guide: &impl Guide,
    slots: impl IntoIterator<Item = Slot>,
) -> Option<Slot> {
    let mut best: Option<(u64, Slot)> = None;
    for slot in slots {
        let process = graph.process(slot);
        let demand = demand_kind(graph, process);
        let key = guide.process_key(process.pid, demand, process.steps.len());
        let better = best.is_none_or(|(best_key, best_slot)| {
            key.cmp(&best_key).then_with(|| {
                let best_pid = graph.process(best_slot).pid;
                behaviours.pids.cmp(best_pid, process.pid)
            }) == Ordering::Less
        });
        if better {
            best = Some((key, slot));
        }
    }
    best.map(|(_, slot)| slot)
}

fn demand_kind(graph: &Graph, process: &Process) -> DemandKind {
    let Some(step) = process.steps.last() else {
        return match process.is_object {
            true => DemandKind::Serve,
            false => DemandKind::Start,
        };
    };
    match step.wait {
        _ if step.looks => DemandKind::GoOn,
        Wait::Receive {
            timeout_ms: Some(timeout_ms),
            ..
        } if graph.timeouts.any_time(timeout_ms) => DemandKind::ReceiveOrTimeout,
        Wait::Receive { .. } => DemandKind::Receive,
        Wait::Answer | Wait::HandedOver { .. } => DemandKind::Answer,
        Wait::Read { .. } => DemandKind::Read,
        Wait::Choose { .. } => DemandKind::Choose,
        Wait::Serve | Wait::Ended(_) => DemandKind::Serve,
    }
}

/// The order of the candidates of one demand.
pub(crate) fn prefer(
    pids: &PidTable,
    guide: &impl Guide,
    receiver: crate::ids::Pid,
    a: Pick,
    b: Pick,
) -> Ordering {
    let keys = guide
        .candidate_key(receiver, a)
        .cmp(&guide.candidate_key(receiver, b));
    keys.then_with(|| match (a, b) {
        (
            Pick::Message { sender, seq },
            Pick::Message {
                sender: other,
                seq: other_seq,
            },
        ) => pids.cmp(sender, other).then(seq.cmp(&other_seq)),
        (Pick::Version(a), Pick::Version(b)) | (Pick::Choice(a), Pick::Choice(b)) => a.cmp(&b),
        _ => rank(a).cmp(&rank(b)),
    })
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
