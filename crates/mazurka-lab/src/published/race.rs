//! Races: which transitions of the path could have come in another order.
//!
//! Two transitions race if they depend on each other and neither had to wait for the other. In most
//! cases a process consumed one message and could have consumed another. Reads and changes of shared
//! objects race as well. Under `mailbox` a receive restricts the order of sends, and so may disable a
//! receive of another process: that is a race, too.

use super::state::{Made, Move, Prefix, State, place};
use super::trail::Trail;
use mazurka_engine::Frontend;
use mazurka_engine::world::Bits;
use mazurka_engine::world::{NONE, Pick, Slot};
use mazurka_trace::Delivery;

/// A move that could have come before a transition of the path.
#[derive(Clone, Debug)]
pub(super) struct Race {
    /// The index of that transition in the path.
    pub at: u32,
    pub mv: Move,
    /// The indices of the transitions that must come before the move.
    pub needs: Bits,
    /// Whether it is the last transition that this move races with.
    pub is_last: bool,
    /// Whether one process makes both.
    pub is_of_one_process: bool,
}

impl Race {
    /// The first move of a sequence that reverses the race: the first transition that the move needs, or
    /// the move itself.
    pub(super) fn first<F: Frontend>(&self, state: &State<F>) -> Move {
        let needed = self.needs.iter().find(|&place| place >= self.at);
        needed.map_or(self.mv, |place| state.path[place as usize].made.mv)
    }
}

/// All races of the last transition of the path.
pub(super) fn all_of_last<F: Frontend, N>(state: &mut State<F>, trail: &Trail<N>) -> Vec<Race> {
    let mut races = instead_of_last(state, trail);
    races.extend(of_last(state, trail));
    races
}

/// The races of the last transition of the path and of the messages that it sent, except those with
/// other inputs of the same process.
pub(super) fn of_last<F: Frontend, N>(state: &mut State<F>, trail: &Trail<N>) -> Vec<Race> {
    let last = state.path.len() - 1;
    let mut races = Vec::new();
    if last == 0 {
        return races;
    }
    for (target, index) in state.sent_by(last) {
        for_sent(state, target, index, last, &mut races);
    }
    over_objects(state, last, &mut races);
    of_reader(state, last, &mut races);
    if state.graph().delivery == Delivery::Mailbox {
        ruled_out(state, trail, last, &mut races);
    }
    races
}

/// The other inputs that the process could have consumed in the last transition.
fn instead_of_last<F: Frontend, N>(state: &State<F>, trail: &Trail<N>) -> Vec<Race> {
    let last = state.path.len() - 1;
    let Some(before) = last.checked_sub(1) else {
        return Vec::new();
    };
    let others = trail[before].instead_of(state.path[last].made.mv);
    others
        .map(|mv| Race {
            at: place(last),
            mv,
            needs: Bits::default(),
            is_last: true,
            is_of_one_process: true,
        })
        .collect()
}

/// Races of a sent message with earlier receives that could have consumed it.
fn for_sent<F: Frontend>(
    state: &mut State<F>,
    slot: Slot,
    index: u32,
    last: usize,
    races: &mut Vec<Race>,
) {
    let sent = &state.path[last];
    let mut past = sent.past.clone();
    past.set(place(last), true);
    let message = &state.graph().process(slot).inbox[index as usize];
    let (value, pick) = (message.value, state.graph().pick_of(message));
    let mv = Move {
        pid: state.graph().process(slot).pid,
        pick,
    };
    let mut is_last = true;
    for demand in (0..state.graph().process(slot).steps.len()).rev() {
        let at = state.graph().process(slot).steps[demand].stamp;
        if past.has(at) {
            break;
        }
        let Some(cursor) = state.world.cursor(slot, demand) else {
            break;
        };
        if !state.world.wants(&cursor, value) {
            continue;
        }
        let needs = state.needs(slot, demand, &past);
        // Under `mailbox` a transition before that receive may disable it.
        if let Some(found) = latest(state, (slot, demand), mv.pick, &needs, at) {
            races.push(Race {
                at: found,
                mv,
                needs,
                is_last,
                is_of_one_process: found == at,
            });
            is_last = false;
        }
    }
}

/// The last index, at most `from`, before which `pick` could have answered the demand.
fn latest<F: Frontend>(
    state: &mut State<F>,
    (slot, demand): (Slot, usize),
    pick: Pick,
    needs: &Bits,
    from: u32,
) -> Option<u32> {
    // Only under `mailbox` can one process disable a receive of another.
    let least = match state.graph().delivery {
        Delivery::Mailbox => 1,
        _ => from,
    };
    (least..=from).rev().find(|&before| {
        let cut = Prefix { before, and: needs };
        let candidates = &mut state.candidates;
        state.world.list_in(&cut, (slot, demand), candidates);
        candidates.picks.contains(&pick)
    })
}

/// Races of reads and changes of objects.
fn over_objects<F: Frontend>(state: &State<F>, last: usize, races: &mut Vec<Race>) {
    let transition = &state.path[last];
    for &cause in &transition.causes {
        let other = &state.path[cause as usize];
        let over_object = other.made.mv.pid != transition.made.mv.pid
            && !state.sent_by(cause as usize).iter().any(|&(slot, index)| {
                let message = &state.graph().process(slot).inbox[index as usize];
                state.graph().process(slot).pid == transition.made.mv.pid
                    && state.graph().pick_of(message) == transition.made.mv.pick
            })
            && transition.made.depends_on(&other.made);
        if !over_object {
            continue;
        }
        let needs = state.needs_without(last, |other| other == cause);
        if !needs.has(cause) {
            races.push(Race {
                at: cause,
                mv: transition.made.mv,
                needs,
                is_last: true,
                is_of_one_process: false,
            });
        }
    }
}

/// Races of an object that consumed a message and read other objects. It could have consumed the message
/// before other messages, but after the same changes of the objects that it read.
fn of_reader<F: Frontend>(state: &State<F>, last: usize, races: &mut Vec<Race>) {
    let Made { mv, reads, .. } = &state.path[last].made;
    let slot = state.graph().slot(mv.pid).expect("it has moved");
    let process = state.graph().process(slot);
    if reads.is_empty() || !process.is_object {
        return;
    }
    let own = |place: u32| state.path[place as usize].made.mv.pid == mv.pid;
    let needs = state.needs_without(last, own);
    let before = process.steps.iter().rev().map(|step| step.stamp);
    let before = before.skip_while(|&at| at == place(last));
    if let Some(at) = before.take_while(|&at| !needs.has(at)).next() {
        races.push(Race {
            at,
            mv: *mv,
            needs,
            is_last: true,
            is_of_one_process: false,
        });
    }
}

/// `mailbox`: races of moves that match the current demands but that other transitions disable.
fn ruled_out<F: Frontend, N>(
    state: &mut State<F>,
    trail: &Trail<N>,
    last: usize,
    races: &mut Vec<Race>,
) {
    let (before, now) = (&trail[last - 1].enabled, &trail[last].enabled);
    let mover = state.path[last].made.mv.pid;
    // Disabled by the last transition.
    let gone = before
        .iter()
        .filter(|mv| mv.pid != mover && !now.contains(mv));
    races.extend(gone.map(|&mv| Race {
        at: place(last),
        mv,
        needs: Bits::default(),
        is_last: true,
        is_of_one_process: false,
    }));
    // Disabled by earlier transitions: the demand or the message is new.
    let mut added: Vec<(Slot, Pick, Bits)> = Vec::new();
    for (slot, index) in state.sent_by(last) {
        let mut past = state.path[last].past.clone();
        past.set(place(last), true);
        let message = &state.graph().process(slot).inbox[index as usize];
        added.push((slot, state.graph().pick_of(message), past));
    }
    let slot = state.graph().slot(mover).expect("it has moved");
    for index in state.graph().waiting(slot) {
        let message = &state.graph().process(slot).inbox[index as usize];
        let past = state.past_of_send(slot, index);
        added.push((slot, state.graph().pick_of(message), past));
    }
    if let Some(step) = state.graph().process(slot).steps.last() {
        let pick = match step.wait {
            _ if step.looks => Some(Pick::GoOn),
            _ if state.graph().any_time(step) => Some(Pick::Timeout),
            _ => None,
        };
        added.extend(pick.map(|pick| (slot, pick, Bits::default())));
    }
    for (slot, pick, past) in added {
        let process = state.graph().process(slot);
        let mv = Move {
            pid: process.pid,
            pick,
        };
        if process.is_object || now.contains(&mv) || !state.would_match(slot, pick) {
            continue;
        }
        let demand = state.graph().process(slot).steps.len();
        let needs = state.needs(slot, demand, &past);
        if let Some(at) = latest(state, (slot, demand), pick, &needs, place(last)) {
            races.push(Race {
                at,
                mv,
                needs,
                is_last: true,
                is_of_one_process: false,
            });
        }
    }
}

impl<F: Frontend> State<F> {
    /// The messages that a transition sent: the slots of the receivers, and the indices in their inboxes.
    fn sent_by(&self, place: usize) -> Vec<(Slot, u32)> {
        let mut sent = Vec::new();
        for placed in self.steps_of(place) {
            let process = self.graph().process(placed.slot);
            let index = placed.index as usize;
            let from = process.steps[index].sends_before as usize;
            let upto = process
                .steps
                .get(index + 1)
                .map_or(process.sends.len(), |next| next.sends_before as usize);
            let sends = process.sends[from..upto].iter().copied();
            sent.extend(sends.filter(|&(target, _)| target != NONE));
        }
        sent
    }

    /// The indices of the transitions that happened before a send, and of the send.
    fn past_of_send(&self, slot: Slot, index: u32) -> Bits {
        let message = &self.graph().process(slot).inbox[index as usize];
        let sender = self.graph().process(message.sender);
        self.past_and(sender.steps[message.step as usize].stamp)
    }

    fn past_and(&self, place: u32) -> Bits {
        let mut past = self.path[place as usize].past.clone();
        past.set(place, true);
        past
    }

    /// The causal past of a transition by its direct causes, except those for which `without` holds.
    fn needs_without(&self, place: usize, without: impl Fn(u32) -> bool) -> Bits {
        let mut needs = Bits::default();
        let causes = self.path[place].causes.iter();
        for &cause in causes.filter(|&&cause| !without(cause)) {
            needs.add_all(&self.path[cause as usize].past);
            needs.set(cause, true);
        }
        needs
    }

    /// The transitions that must come before a demand is answered by an input with this causal past.
    fn needs(&self, slot: Slot, demand: usize, past: &Bits) -> Bits {
        let mut needs = past.clone();
        if let Some(before) = demand.checked_sub(1) {
            let step = &self.graph().process(slot).steps[before];
            needs.add_all(&self.past_and(step.stamp));
        }
        needs
    }

    /// Whether the input matches the current demand of the process, whether it is disabled or not.
    fn would_match(&mut self, slot: Slot, pick: Pick) -> bool {
        let process = self.graph().process(slot);
        let Pick::Message { sender, seq } = pick else {
            return true;
        };
        let steps = process.steps.len();
        let Some(cursor) = self.world.cursor(slot, steps) else {
            return false;
        };
        let Some(index) = self.graph().find_message(slot, sender, seq) else {
            return false;
        };
        let value = process.inbox[index as usize].value;
        self.world.wants(&cursor, value)
    }
}
