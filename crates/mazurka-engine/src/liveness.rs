//! Liveness: whether a process has ended, and the links and monitors that depend on it. It is the one
//! shared object that is built into the engine.
//!
//! Only the end of a process changes its liveness. A link, a monitor and a liveness check *read* it, so
//! they commute with each other and are ordered only with the end. What a process has linked to and
//! monitors is stored in the process itself ([`Ties`]).
//!
//! A [`Courier`] brings the exit signal or the `Down` message of one link or monitor: a small object
//! that waits for the end, and whose only step sends that message. So the messages that one end
//! causes are sent independently of each other, as on a real machine, except that an exit signal comes before
//! a `Down` message to the same process. To unlink or to stop
//! monitoring is local: from then on the process ignores the message of that courier.

use crate::ids::PidId;
use crate::message::{Payload, Reason};

/// An operation on the liveness of a process. Front-ends may use their own type of pids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LivenessOperation<P = PidId> {
    /// Link the asker to a process: if one ends abnormally, the other gets an exit signal.
    Link(P),
    /// Undo a link. An exit signal of it that has not arrived has no effect any more. One that a process
    /// that traps exits has got as a message stays in its mailbox.
    Unlink(P),
    /// The processes that the asker is linked to. First the links that it made, or has had since its
    /// spawn, in that order; then the links that others made, in the order of their pids.
    /// Processes that have ended are included.
    Links,
    /// Monitor a process: the asker gets a `Down` message when it ends.
    Monitor {
        /// The process to monitor.
        pid: P,
        /// Comes back in the `Down` message; unique per asker.
        reference: u64,
    },
    /// Get a `Down` message when a process ends, or now if it has. Unlike a monitor it does not depend on
    /// whether the process has ended: the message has the reason of the end in both cases.
    Notify {
        /// The process that ends.
        pid: P,
        /// Comes back in the `Down` message; unique per asker.
        reference: u64,
    },
    /// Undo a monitor. Answers true if no `Down` message has arrived; then none will. One that has
    /// arrived stays in the mailbox.
    Demonitor {
        /// The process that is monitored.
        pid: P,
        /// The reference it was made with.
        reference: u64,
    },
    /// Undo a monitor and remove its `Down` message, if it has arrived.
    Flush {
        /// The process that is monitored.
        pid: P,
        /// The reference it was made with.
        reference: u64,
    },
    /// Whether this process has not ended yet.
    IsAlive(P),
}

impl<P> LivenessOperation<P> {
    /// The same operation in terms of other pids.
    ///
    /// # Errors
    /// `map` does not know a pid.
    pub fn map_pids<Q, E>(
        self,
        map: impl Fn(P) -> Result<Q, E>,
    ) -> Result<LivenessOperation<Q>, E> {
        Ok(match self {
            LivenessOperation::Link(pid) => LivenessOperation::Link(map(pid)?),
            LivenessOperation::Unlink(pid) => LivenessOperation::Unlink(map(pid)?),
            LivenessOperation::Links => LivenessOperation::Links,
            LivenessOperation::Monitor { pid, reference } => LivenessOperation::Monitor {
                pid: map(pid)?,
                reference,
            },
            LivenessOperation::Notify { pid, reference } => LivenessOperation::Notify {
                pid: map(pid)?,
                reference,
            },
            LivenessOperation::Demonitor { pid, reference } => LivenessOperation::Demonitor {
                pid: map(pid)?,
                reference,
            },
            LivenessOperation::Flush { pid, reference } => LivenessOperation::Flush {
                pid: map(pid)?,
                reference,
            },
            LivenessOperation::IsAlive(pid) => LivenessOperation::IsAlive(map(pid)?),
        })
    }
}

/// The end of a process, as it is sent to its liveness object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct End<V> {
    /// Why it ended.
    pub reason: Reason<V>,
    /// The processes that it linked to, or was linked to at its spawn.
    pub links: Vec<PidId>,
    /// The processes that it has unlinked from.
    pub undone: Vec<PidId>,
    /// The processes that have monitored it since its spawn, each with its reference.
    pub watchers: Vec<(PidId, u64)>,
}

/// What makes the end of one process known to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tie {
    /// A link that the ended process made, or had since its spawn.
    Linked,
    /// A monitor since the spawn of the ended process, with its reference.
    Spawned(u64),
    /// The `nth` link that the receiver made, to a process that had ended or not.
    Link { nth: u32, noproc: bool },
    /// A monitor that the receiver made, of a process that had ended or not, after its link with the
    /// number `link`; 0 if there was none.
    Monitor {
        reference: u64,
        noproc: bool,
        link: u32,
    },
}

impl Tie {
    /// Whether it is a link and not a monitor.
    pub(crate) fn is_link(self) -> bool {
        matches!(self, Tie::Linked | Tie::Link { .. })
    }
}

/// Brings the message about an end to one process because of one tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Courier {
    /// The process that ends.
    pub(crate) of: PidId,
    /// The process that gets the message.
    pub(crate) to: PidId,
    pub(crate) tie: Tie,
}

impl Courier {
    /// The couriers that a process knows at its end: those of its own links, and of its monitors since
    /// its spawn.
    pub(crate) fn known_at_end<V>(of: PidId, end: &End<V>) -> impl Iterator<Item = Courier> + '_ {
        let courier = move |to: PidId, tie: Tie| Courier { of, to, tie };
        let links = end.links.iter().map(move |&to| courier(to, Tie::Linked));
        let watchers = end.watchers.iter();
        links.chain(watchers.map(move |&(to, reference)| courier(to, Tie::Spawned(reference))))
    }

    /// The courier whose message comes before: a process that is linked to another and monitors it gets
    /// the exit signal before the `Down` message. `is_linked`: the ended process was linked to it.
    pub(crate) fn behind(&self, is_linked: bool) -> Option<Courier> {
        let tie = match self.tie {
            Tie::Linked | Tie::Link { .. } => return None,
            _ if is_linked => Tie::Linked,
            Tie::Spawned(_) | Tie::Monitor { link: 0, .. } => return None,
            Tie::Monitor { link: nth, .. } => Tie::Link { nth, noproc: false },
        };
        Some(Courier { tie, ..*self })
    }

    /// What it brings: nothing if the ended process had undone the link, or if another courier brings
    /// the same.
    pub(crate) fn message<V: Clone>(&self, end: &End<V>) -> Option<Payload<V>> {
        let from = self.of;
        let reason = |noproc: bool| match noproc {
            true => Reason::NoProcess,
            false => end.reason.clone(),
        };
        let exit = |reason| Payload::Exit { from, reason };
        match self.tie {
            Tie::Linked => end.links.contains(&self.to).then(|| exit(reason(false))),
            Tie::Link { noproc, .. } => {
                let is_void = end.links.contains(&self.to) || end.undone.contains(&self.to);
                (noproc || !is_void).then(|| exit(reason(noproc)))
            }
            Tie::Spawned(reference) => Some(Payload::Down {
                reference,
                from,
                reason: reason(false),
            }),
            Tie::Monitor {
                reference, noproc, ..
            } => Some(Payload::Down {
                reference,
                from,
                reason: reason(noproc),
            }),
        }
    }
}

/// The links and monitors that a process knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Ties {
    /// The processes that it linked to, or was linked to at its spawn, each with the number of the link
    /// among those that it made; 0 since its spawn.
    links: Vec<(PidId, u32)>,
    /// Number of links that it has made.
    made: u32,
    /// The processes that it has unlinked from. A link that one side undoes and the other makes again
    /// later counts as undone.
    undone: Vec<PidId>,
    /// The processes whose links have no effect on it any more.
    ignored: Vec<PidId>,
    /// The ties that it made and whose messages it can receive.
    expected: Vec<(PidId, Tie)>,
    /// Number of times that it has undone a link or a monitor, or has linked again. While that stays the
    /// same, it accepts the same messages of couriers.
    changes: u32,
    /// The processes that have monitored it since its spawn, each with its reference.
    watchers: Vec<(PidId, u64)>,
}

impl Ties {
    /// Those of a new process that `parent` links to, or monitors.
    pub(crate) fn at_spawn(parent: PidId, link: bool, monitor: Option<u64>) -> Self {
        Ties {
            links: link.then_some((parent, 0)).into_iter().collect(),
            watchers: monitor
                .map(|reference| (parent, reference))
                .into_iter()
                .collect(),
            ..Ties::default()
        }
    }

    /// It has spawned a process, linked or monitored.
    pub(crate) fn spawned(&mut self, child: PidId, link: bool, monitor: Option<u64>) {
        if link {
            self.links.push((child, 0));
        }
        let spawned = monitor.map(|reference| (child, Tie::Spawned(reference)));
        self.expected.extend(spawned);
    }

    /// Whether nothing can learn of its end but by reading its liveness.
    pub(crate) fn are_none(&self) -> bool {
        self.links.is_empty() && self.watchers.is_empty()
    }

    pub(crate) fn is_linked(&self, with: PidId) -> bool {
        self.links.iter().any(|&(pid, _)| pid == with)
    }

    /// The processes that it linked to, or was linked to at its spawn.
    pub(crate) fn linked(&self) -> impl Iterator<Item = PidId> + '_ {
        self.links.iter().map(|&(pid, _)| pid)
    }

    pub(crate) fn has_undone(&self, link: PidId) -> bool {
        self.undone.contains(&link)
    }

    /// It links to a process that is alive, or not.
    pub(crate) fn link(&mut self, with: PidId, alive: bool) -> Tie {
        self.made += 1;
        let tie = Tie::Link {
            nth: self.made,
            noproc: !alive,
        };
        self.expected.push((with, tie));
        if alive {
            self.changes += u32::from(self.ignored.contains(&with));
            self.links.push((with, self.made));
            self.undone.retain(|&pid| pid != with);
            self.ignored.retain(|&pid| pid != with);
        }
        tie
    }

    /// It unlinks from a process. `ignore`: the exit signal has not arrived, and will have no effect.
    pub(crate) fn unlink(&mut self, from: PidId, ignore: bool) {
        let tie = self.link_tie(from);
        self.links.retain(|&(pid, _)| pid != from);
        add(&mut self.undone, from);
        if ignore {
            self.changes += 1;
            self.expected.retain(|&known| known != (from, tie));
            add(&mut self.ignored, from);
        }
    }

    /// It unlinks from a process and does not trap exits: no link to that process has an effect any
    /// more, one to a process that had ended included.
    pub(crate) fn cut(&mut self, from: PidId) {
        self.unlink(from, true);
        self.expected
            .retain(|&(pid, tie)| pid != from || !tie.is_link());
    }

    /// The tie by which it would learn of the end of a linked process.
    pub(crate) fn link_tie(&self, with: PidId) -> Tie {
        let own = self
            .links
            .iter()
            .find(|&&(pid, nth)| pid == with && nth > 0);
        own.map_or(Tie::Linked, |&(_, nth)| Tie::Link { nth, noproc: false })
    }

    /// It monitors a process that is alive, or not.
    pub(crate) fn monitor(&mut self, of: PidId, reference: u64, alive: bool) -> Tie {
        let link = self.links.iter().find(|&&(pid, _)| pid == of);
        let tie = Tie::Monitor {
            reference,
            noproc: !alive,
            link: link.map_or(0, |&(_, nth)| nth),
        };
        self.expected.push((of, tie));
        tie
    }

    /// The monitor with this reference, unless its message was received or will not be.
    pub(crate) fn monitor_tie(&self, of: PidId, reference: u64) -> Option<Tie> {
        let is_it = |tie: Tie| match tie {
            Tie::Spawned(known) => known == reference,
            Tie::Monitor {
                reference: known, ..
            } => known == reference,
            Tie::Linked | Tie::Link { .. } => false,
        };
        let mut ties = self.expected.iter();
        let found = ties.find(|&&(pid, tie)| pid == of && is_it(tie));
        found.map(|&(_, tie)| tie)
    }

    /// It has received the message of a tie.
    pub(crate) fn received(&mut self, of: PidId, tie: Tie) {
        self.expected.retain(|&known| known != (of, tie));
    }

    /// It ignores the message of a tie from now on.
    pub(crate) fn ignore(&mut self, of: PidId, tie: Tie) {
        self.changes += 1;
        self.received(of, tie);
    }

    /// How often the set of messages of couriers that it accepts has changed.
    pub(crate) fn changes(&self) -> u32 {
        self.changes
    }

    /// Whether the message of a tie has an effect on it.
    pub(crate) fn expect(&self, of: PidId, tie: Tie) -> bool {
        match tie {
            Tie::Linked => !self.ignored.contains(&of),
            tie => self.expected.contains(&(of, tie)),
        }
    }

    /// Whether a receive with the same constraint accepts the same messages.
    pub(crate) fn accept_same(&self, other: &Ties) -> bool {
        self.ignored == other.ignored && self.expected == other.expected
    }

    /// What an end for this reason makes known.
    pub(crate) fn end<V>(&self, reason: Reason<V>) -> End<V> {
        End {
            reason,
            links: self.linked().collect(),
            undone: self.undone.clone(),
            watchers: self.watchers.clone(),
        }
    }
}

fn add(pids: &mut Vec<PidId>, pid: PidId) {
    if !pids.contains(&pid) {
        pids.push(pid);
    }
}
