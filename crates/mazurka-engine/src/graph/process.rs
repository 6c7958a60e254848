//! Processes of a graph: their steps, their inboxes, and the messages that wait there.

use super::step::Step;
use super::{NONE, Slot};
use crate::ids::{ConstraintId, NodeId, PidId, RootId, ValueId};
use std::cell::Cell;

/// A message that was sent to a process.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its value.
    pub value: ValueId,
    /// The process that sent it.
    pub sender: Slot,
    /// The process whose messages it must not overtake: that of its sender, if that is a liveness
    /// object.
    pub(crate) origin: PidId,
    /// Number of messages that its sender had sent before.
    pub seq: u32,
    /// The send among the events of its sender.
    pub(crate) event: u32,
    /// The step of its sender that sent it.
    pub step: u32,
    /// When its send was first added.
    pub(crate) stamp: u32,
    /// Number of events of its sender before the send and everything that is atomic with it.
    pub(crate) events_before: u32,
    /// Whether it is a signal that may end its receiver.
    pub(crate) is_signal: bool,
    /// Whether a courier brought it.
    pub(crate) is_brought: bool,
    /// The step that consumed it.
    pub(crate) consumed_by: u32,
    pub(super) prev: u32,
    pub(super) next: u32,
    /// Its lane, and its neighbours there.
    pub(super) lane: u32,
    pub(super) lane_prev: u32,
    pub(super) lane_next: u32,
    /// Whether it enabled its receiver.
    pub(super) woke: bool,
}

/// The messages of one origin that wait for a process, oldest first.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(super) origin: PidId,
    pub(super) first: u32,
    pub(super) last: u32,
    /// The first messages of the lane that a constraint has refused: they need not be matched with
    /// it again.
    pub(super) refused: Cell<Refused>,
}

/// All messages of a lane up to this one are refused by this constraint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refused {
    pub(super) by: Option<(ConstraintId, bool)>,
    pub(super) upto: u32,
}

/// One event of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The input of this step.
    Input(u32),
    /// The n-th send of the process.
    Send(u32),
    Spawn(Slot),
    /// A change of the process itself: of its trapping of exit signals, or its end.
    Own,
}

/// A read of an object.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The process that reads.
    pub reader: Slot,
    /// The reader's step.
    pub step: u32,
    /// The state that it sees: that after this many steps of the object.
    pub version: u32,
    /// The step reads another object; this one must still have that version then, so that the two
    /// reads are atomic.
    pub(crate) still: bool,
}

/// A process, or an object, of the current graph.
#[derive(Debug)]
pub struct Process {
    /// Its pid.
    pub pid: PidId,
    pub(crate) root: RootId,
    /// Whether it is a shared object.
    pub is_object: bool,
    /// The process whose messages its messages must not overtake: of a liveness object, the process
    /// that it belongs to.
    pub(super) origin: PidId,
    /// The node of an object before its first step.
    pub(super) initial: NodeId,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// All messages sent to it, in the order of the steps of the path that sent them.
    pub inbox: Vec<Message>,
    /// Target, and index in the target's inbox, of every message sent.
    pub sends: Vec<(Slot, u32)>,
    pub(crate) events: Vec<Event>,
    /// Reads of this object, in the order of the path.
    pub reads: Vec<Read>,
    pub(super) first_waiting: u32,
    pub(super) last_waiting: u32,
    /// The messages that wait, by origin.
    pub(super) lanes: Vec<Lane>,
    /// Whether one of its receives may have skipped a message, in this graph or another one.
    pub(super) may_pass_over: bool,
    /// Its spawn: the slot of the parent, its step, and the index of the spawn among its events.
    pub(crate) parent: (Slot, u32, u32),
    /// Of a courier: the slot of the liveness object that it waits for.
    pub(super) awaits: Slot,
    /// Of a courier: the courier whose message comes before.
    pub(super) behind: Slot,
    /// Of a liveness object: the couriers that wait for it.
    pub(super) couriers: Vec<Slot>,
    /// Number of messages in its inbox that couriers brought, consumed or not.
    pub(crate) brought: u32,
    /// The slot of its liveness object, if there is one.
    pub(super) liveness: Slot,
    /// Number of signals in its inbox that may end it, consumed or not.
    pub(crate) signals: u32,
}

impl Process {
    pub(super) fn new(pid: PidId, root: RootId) -> Self {
        Process {
            pid,
            root,
            is_object: false,
            origin: pid,
            initial: NodeId(NONE),
            steps: Vec::new(),
            inbox: Vec::new(),
            sends: Vec::new(),
            events: Vec::new(),
            reads: Vec::new(),
            first_waiting: NONE,
            last_waiting: NONE,
            lanes: Vec::new(),
            may_pass_over: false,
            parent: (NONE, NONE, NONE),
            liveness: NONE,
            awaits: NONE,
            behind: NONE,
            couriers: Vec::new(),
            brought: 0,
            signals: 0,
        }
    }

    /// Whether a message waits in its inbox.
    pub(crate) fn has_unread(&self) -> bool {
        self.first_waiting != NONE
    }

    /// Whether one of its receives may have skipped a message, or one of its checks missed a signal.
    pub(crate) fn may_pass_over(&self) -> bool {
        self.may_pass_over || self.signals > 0
    }

    /// Number of events before the `index`-th step.
    pub(crate) fn events_before(&self, index: usize) -> u32 {
        self.steps.get(index).map_or_else(
            || u32::try_from(self.events.len()).expect("a short process"),
            |step| step.event,
        )
    }

    /// Reuses the memory of a removed process for a new one.
    pub(super) fn reset(&mut self, pid: PidId, root: RootId, parent: (Slot, u32, u32)) {
        self.pid = pid;
        self.root = root;
        self.is_object = false;
        self.origin = pid;
        self.steps.clear();
        self.inbox.clear();
        self.sends.clear();
        self.events.clear();
        self.reads.clear();
        self.first_waiting = NONE;
        self.last_waiting = NONE;
        self.lanes.clear();
        self.may_pass_over = false;
        self.parent = parent;
        self.liveness = NONE;
        self.awaits = NONE;
        self.behind = NONE;
        self.couriers.clear();
        self.brought = 0;
        self.signals = 0;
    }

    /// Appends a message to the inbox, where it waits.
    #[inline(always)]
    pub(super) fn post(&mut self, mut message: Message) {
        let index = u32::try_from(self.inbox.len()).expect("few messages");
        let known = (self.lanes.iter()).position(|lane| lane.origin == message.origin);
        let lane = known.unwrap_or_else(|| {
            self.lanes.push(Lane {
                origin: message.origin,
                first: NONE,
                last: NONE,
                refused: Cell::default(),
            });
            self.lanes.len() - 1
        });
        message.prev = self.last_waiting;
        message.next = NONE;
        message.lane = u32::try_from(lane).expect("few processes");
        message.lane_prev = self.lanes[lane].last;
        message.lane_next = NONE;
        self.signals += u32::from(message.is_signal);
        self.brought += u32::from(message.is_brought);
        self.inbox.push(message);
        self.relink(index);
    }

    /// Takes a message out of the waiting lists; it keeps its neighbours for `relink`.
    pub(super) fn unlink(&mut self, index: u32) {
        let message = &self.inbox[index as usize];
        let (prev, next) = (message.prev, message.next);
        let (lane, lane_prev, lane_next) = (message.lane, message.lane_prev, message.lane_next);
        match prev {
            NONE => self.first_waiting = next,
            prev => self.inbox[prev as usize].next = next,
        }
        match next {
            NONE => self.last_waiting = prev,
            next => self.inbox[next as usize].prev = prev,
        }
        let lane = &mut self.lanes[lane as usize];
        match lane_prev {
            NONE => lane.first = lane_next,
            prev => self.inbox[prev as usize].lane_next = lane_next,
        }
        match lane_next {
            NONE => lane.last = lane_prev,
            next => self.inbox[next as usize].lane_prev = lane_prev,
        }
        if lane.refused.get().upto == index {
            lane.refused.take();
        }
    }

    pub(super) fn relink(&mut self, index: u32) {
        let message = &self.inbox[index as usize];
        let (prev, next) = (message.prev, message.next);
        let (lane, lane_prev, lane_next) = (message.lane, message.lane_prev, message.lane_next);
        match prev {
            NONE => self.first_waiting = index,
            prev => self.inbox[prev as usize].next = index,
        }
        match next {
            NONE => self.last_waiting = index,
            next => self.inbox[next as usize].prev = index,
        }
        let lane = &mut self.lanes[lane as usize];
        match lane_prev {
            NONE => lane.first = index,
            prev => self.inbox[prev as usize].lane_next = index,
        }
        match lane_next {
            NONE => lane.last = index,
            next => self.inbox[next as usize].lane_prev = index,
        }
        // It was not waiting when the later messages were refused.
        if index < lane.refused.get().upto {
            lane.refused.take();
        }
    }

    /// Removes the newest message. Returns whether it had enabled the process.
    pub(super) fn unsend(&mut self) -> bool {
        let index = u32::try_from(self.inbox.len() - 1).expect("few messages");
        debug_assert_eq!(self.last_waiting, index, "the newest message still waits");
        self.unlink(index);
        let message = self.inbox.pop().expect("counted");
        self.signals -= u32::from(message.is_signal);
        self.brought -= u32::from(message.is_brought);
        message.woke
    }
}
