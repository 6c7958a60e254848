//! The order in which moves are tried (Lauterburg, Karmani, Marinov and Agha 2010).

use super::state::Move;
use crate::algorithm::Order;
use mazurka_engine::world::{Graph, Message, Pick, Slot};

/// Sorts moves that are possible now.
pub(super) fn sort(moves: &mut [Move], graph: &Graph, order: Order) {
    moves.sort_by_cached_key(|&mv| {
        let slot = graph.slot(mv.pid).expect("it can move");
        // Processes have their slots in the order in which they were created.
        let by_process = match order {
            Order::Fifo => oldest(graph, slot),
            Order::Eca => (slot, 0, 0),
            Order::Lca => (Slot::MAX - slot, 0, 0),
        };
        (by_process, sent(graph, slot, mv.pick))
    });
}

/// When a message was sent: the transition, and the order within it.
type Time = (u32, Slot, u32);

/// When the oldest waiting message of a process was sent.
fn oldest(graph: &Graph, slot: Slot) -> Time {
    let inbox = &graph.process(slot).inbox;
    let waiting = graph
        .waiting(slot)
        .map(|at| time(graph, &inbox[at as usize]));
    waiting.min().unwrap_or_else(|| since(graph, slot))
}

/// When a message was sent; for another input, when the process made its demand.
fn sent(graph: &Graph, slot: Slot, pick: Pick) -> Time {
    match pick {
        Pick::Message { sender, seq } => {
            let index = graph.find_message(slot, sender, seq).expect("it waits");
            time(graph, &graph.process(slot).inbox[index as usize])
        }
        _ => since(graph, slot),
    }
}

fn time(graph: &Graph, message: &Message) -> Time {
    let sender = graph.process(message.sender);
    let stamp = sender.steps[message.step as usize].stamp;
    (stamp, message.sender, message.seq)
}

fn since(graph: &Graph, slot: Slot) -> Time {
    let last = graph.process(slot).steps.last();
    (last.map_or(0, |step| step.stamp), slot, u32::MAX)
}
