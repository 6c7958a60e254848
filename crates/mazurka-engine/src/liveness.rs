//! Liveness: whether a process has ended, and the links and monitors that depend on it. It is the one
//! shared object that is built into the engine.
//!
//! A link or monitor is stored in two places: in the process that made it, which passes it on with
//! its end and when it asks for its links, and in the liveness object of the other process. Undoing
//! it is stored in the same two places. A link that one side undoes and the other makes again later
//! counts as undone.

use crate::answer::Answer;
use crate::ids::Pid;
use crate::message::{Payload, Reason};

/// An operation on the liveness of a process. Front-ends may use their own type of pids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LivenessOperation<P = Pid> {
    /// Link the asker to a process: if one ends abnormally, the other gets an exit signal.
    Link(P),
    /// Undo a link.
    Unlink(P),
    /// The processes that the asker is linked to. First the links that it made, or has had since its
    /// spawn, in that order; then the links that others made, in the order of their requests.
    /// Processes that have ended are included.
    Links,
    /// Monitor a process: the asker gets a `Down` message when it ends.
    Monitor {
        /// The process to monitor.
        pid: P,
        /// Comes back in the `Down` message; unique per asker.
        reference: u64,
    },
    /// Undo a monitor. Answers true if the process has not ended: no `Down` message has been sent or
    /// will be.
    Demonitor {
        /// The process that is monitored.
        pid: P,
        /// The reference it was made with.
        reference: u64,
    },
    /// Whether this process has not ended yet.
    IsAlive(P),
}

impl<P> LivenessOperation<P> {
    /// Whether it changes nothing: then it picks a published version of its object and
    /// commutes with every other read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self, LivenessOperation::IsAlive(_))
    }

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
            LivenessOperation::Demonitor { pid, reference } => LivenessOperation::Demonitor {
                pid: map(pid)?,
                reference,
            },
            LivenessOperation::IsAlive(pid) => LivenessOperation::IsAlive(map(pid)?),
        })
    }
}

impl LivenessOperation {
    /// The process whose liveness serves this operation of `asker`.
    #[must_use]
    pub fn target(&self, asker: Pid) -> Pid {
        match *self {
            LivenessOperation::Link(pid)
            | LivenessOperation::Unlink(pid)
            | LivenessOperation::Monitor { pid, .. }
            | LivenessOperation::Demonitor { pid, .. }
            | LivenessOperation::IsAlive(pid) => pid,
            LivenessOperation::Links => asker,
        }
    }
}

/// A request to a liveness object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LivenessRequest<V> {
    /// An operation that changes it.
    Operation(LivenessOperation),
    /// The links of its process.
    Links(OwnLinks),
    /// Its process has ended.
    Die(End<V>),
}

/// The links that a process has stored itself; its liveness object has the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct OwnLinks {
    /// The processes that it linked to, or was linked to at its spawn.
    pub made: Vec<Pid>,
    /// The processes that it has unlinked from.
    pub undone: Vec<Pid>,
}

/// The end of a process, as it is sent to its liveness object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct End<V> {
    /// Why it ended.
    pub reason: Reason<V>,
    /// The links that it has stored itself.
    pub links: OwnLinks,
    /// The processes that have monitored it since its spawn, each with its reference.
    pub watchers: Vec<(Pid, u64)>,
}

/// The state of a liveness object.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct LivenessState {
    dead: bool,
    /// The processes that have linked to this one, and those that have unlinked.
    links: Vec<Pid>,
    unlinked: Vec<Pid>,
    /// The processes that monitor it, and those that have stopped, each with its reference.
    watchers: Vec<(Pid, u64)>,
    unwatched: Vec<(Pid, u64)>,
}

/// What a liveness object does with a request, besides changing its state.
#[derive(Debug)]
pub(crate) struct LivenessServed<V> {
    /// The answer to the process that asked, sent before the messages.
    pub answer: Option<Answer<V>>,
    /// Messages to send, in this order.
    pub sends: Vec<(Pid, Payload<V>)>,
    /// Whether the process has ended: readers see a new version.
    pub publishes: bool,
}

impl LivenessState {
    pub(crate) fn is_alive(&self) -> bool {
        !self.dead
    }

    /// Serves a request of `from` to the liveness of `me`.
    pub(crate) fn serve<V: Clone>(
        &mut self,
        me: Pid,
        from: Pid,
        request: &LivenessRequest<V>,
    ) -> LivenessServed<V> {
        let publishes = matches!(request, LivenessRequest::Die(_));
        let (answer, sends) = match request {
            LivenessRequest::Operation(operation) => {
                let (answer, too_late) = self.tie(me, from, *operation);
                (Some(answer), too_late.into_iter().collect())
            }
            LivenessRequest::Links(own) => (Some(Answer::Pids(self.links(own))), Vec::new()),
            LivenessRequest::Die(end) => (None, self.die(me, end)),
        };
        LivenessServed {
            answer,
            sends,
            publishes,
        }
    }

    /// The links of the process; `own` is what the process itself has stored.
    fn links(&self, own: &OwnLinks) -> Vec<Pid> {
        let mut linked = Vec::new();
        let made = own.made.iter().filter(|link| !self.unlinked.contains(link));
        let others = self.links.iter().filter(|link| !own.undone.contains(link));
        for &link in made.chain(others) {
            if !linked.contains(&link) {
                linked.push(link);
            }
        }
        linked
    }

    /// Records that the process has ended. Returns exit signals to its links and `Down` messages to
    /// its monitors.
    fn die<V: Clone>(&mut self, me: Pid, end: &End<V>) -> Vec<(Pid, Payload<V>)> {
        // Links before monitors: a process that has both gets them in this order in Erlang, too.
        let exits = self.links(&end.links).into_iter().map(|link| {
            let reason = end.reason.clone();
            (link, Payload::Exit { from: me, reason })
        });
        self.dead = true;
        let since_spawn = end.watchers.iter();
        let watchers = since_spawn
            .filter(|watcher| !self.unwatched.contains(watcher))
            .chain(&self.watchers);
        let downs = watchers.map(|&(to, reference)| {
            let down = Payload::Down {
                reference,
                from: me,
                reason: end.reason.clone(),
            };
            (to, down)
        });
        exits.chain(downs).collect()
    }

    /// `from` links to the process, monitors it, or undoes that. If the process has ended, the answer
    /// is sent first: `from` may continue before the `NoProcess` message arrives.
    fn tie<V>(
        &mut self,
        me: Pid,
        from: Pid,
        operation: LivenessOperation,
    ) -> (Answer<V>, Option<(Pid, Payload<V>)>) {
        let reason = Reason::NoProcess;
        let mut answer = Answer::Ok;
        let mut too_late = None;
        match operation {
            LivenessOperation::Link(_) if self.dead => {
                too_late = Some(Payload::Exit { from: me, reason });
            }
            LivenessOperation::Link(_) => {
                self.unlinked.retain(|link| *link != from);
                if !self.links.contains(&from) {
                    self.links.push(from);
                }
            }
            LivenessOperation::Unlink(_) => {
                self.links.retain(|link| *link != from);
                if !self.unlinked.contains(&from) {
                    self.unlinked.push(from);
                }
            }
            LivenessOperation::Monitor { reference, .. } if self.dead => {
                too_late = Some(Payload::Down {
                    reference,
                    from: me,
                    reason,
                });
            }
            LivenessOperation::Monitor { reference, .. } => self.watchers.push((from, reference)),
            LivenessOperation::Demonitor { reference, .. } => {
                self.watchers
                    .retain(|watcher| *watcher != (from, reference));
                self.unwatched.push((from, reference));
                answer = Answer::Bool(!self.dead);
            }
            LivenessOperation::Links | LivenessOperation::IsAlive(_) => {
                unreachable!("`Links` is a request of its own, `IsAlive` is a read")
            }
        }
        (answer, too_late.map(|payload| (from, payload)))
    }
}
