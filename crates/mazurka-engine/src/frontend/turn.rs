//! The actions of one step, as user code does them.

use super::action::{Action, ActionsOf};
use super::run::Frontend;
use crate::ids::{PidId, PidTable};
use crate::message::Reason;

/// What it means if a process waits for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It is stuck.
    #[default]
    Ordinary,
    /// It is a daemon that waits for work, and may do so for ever.
    Idle,
    /// It is a daemon at work, and is stuck. Its timers count as those of a daemon.
    Busy,
    /// It has ended the whole program.
    Halted {
        /// Whether that is an error.
        failed: bool,
    },
}

impl Mode {
    /// Whether it is a daemon, idle or at work.
    #[must_use]
    pub fn is_daemon(self) -> bool {
        matches!(self, Mode::Idle | Mode::Busy)
    }

    /// Whether it may wait for ever where it waits.
    #[must_use]
    pub fn may_wait(self) -> bool {
        matches!(self, Mode::Idle | Mode::Halted { failed: false })
    }

    /// Whether it has ended the whole program.
    #[must_use]
    pub fn has_halted(self) -> bool {
        matches!(self, Mode::Halted { .. })
    }
}

/// Collects the actions of a process from one demand to the next.
pub struct Turn<'a, F: Frontend + ?Sized> {
    me: PidId,
    pids: &'a mut PidTable,
    spawned: u32,
    mode: Mode,
    patient: bool,
    actions: ActionsOf<F>,
}

/// What a process did in a step.
pub struct Turned<F: Frontend + ?Sized> {
    /// Its actions, in order.
    pub actions: ActionsOf<F>,
    /// The number of processes it has spawned since its start.
    pub spawned: u32,
    /// Its mode at the end of the step.
    pub mode: Mode,
    /// Whether the timeout of the receive that ends the step waits until nothing else can happen.
    pub patient: bool,
}

impl<'a, F: Frontend + ?Sized> Turn<'a, F> {
    /// A step of a process that has spawned this many processes before. `actions` is an empty scratch
    /// buffer, reused between steps.
    pub fn new(
        me: PidId,
        pids: &'a mut PidTable,
        spawned: u32,
        mode: Mode,
        actions: ActionsOf<F>,
    ) -> Self {
        Turn {
            me,
            pids,
            spawned,
            mode,
            patient: false,
            actions,
        }
    }

    /// The process that runs.
    #[must_use]
    pub fn me(&self) -> PidId {
        self.me
    }

    /// The names of the pids, for error messages.
    #[must_use]
    pub fn pids(&self) -> &PidTable {
        self.pids
    }

    /// Starts a process.
    pub fn spawn(&mut self, start: F::Start) -> PidId {
        self.spawn_tied(start, false, None)
    }

    /// Starts a process linked to this one.
    pub fn spawn_link(&mut self, start: F::Start) -> PidId {
        self.spawn_tied(start, true, None)
    }

    /// Starts a process that this one monitors.
    pub fn spawn_monitor(&mut self, start: F::Start, reference: u64) -> PidId {
        self.spawn_tied(start, false, Some(reference))
    }

    /// Starts a process that may be linked to this one and monitored by it.
    pub fn spawn_tied(&mut self, start: F::Start, link: bool, monitor: Option<u64>) -> PidId {
        self.spawned += 1;
        let pid = self.pids.child(self.me, self.spawned);
        self.actions.push(Action::Spawn {
            pid,
            start,
            link,
            monitor,
        });
        pid
    }

    /// Sends a message.
    pub fn send(&mut self, to: PidId, value: F::Value) {
        self.actions.push(Action::Send { to, value });
    }

    /// Sends an exit signal.
    pub fn signal(&mut self, to: PidId, reason: Reason<F::Value>) {
        self.actions.push(Action::Signal { to, reason });
    }

    /// Turns the trapping of exit signals on or off. A trapped signal is a message.
    pub fn trap_exit(&mut self, on: bool) {
        self.actions.push(Action::TrapExit(on));
    }

    /// Marks this process as a daemon: it may wait for ever without being reported as stuck. A process
    /// that has halted the program stays halted.
    pub fn daemon(&mut self) {
        if !matches!(self.mode, Mode::Halted { .. }) {
            self.mode = Mode::Idle;
        }
    }

    /// Marks this process as a daemon at work, until the next call of [`daemon`](Turn::daemon). If it
    /// waits for ever, it is reported as stuck.
    pub fn busy_daemon(&mut self) {
        self.mode = Mode::Busy;
    }

    /// Ends the whole program. The process must then demand something that it never gets. Whether this
    /// is an error is `failed`; the demand says what happened. Other processes may come this far and no
    /// further: none of them is stuck, and time does not advance any more.
    pub fn halt(&mut self, failed: bool) {
        self.mode = Mode::Halted { failed };
    }

    /// Makes the timeout of the receive that ends this step wait until nothing else in the program can
    /// happen, however short it is. A poll, a timeout of 0, is not affected.
    pub fn patient(&mut self) {
        self.patient = true;
    }

    /// Ends the step.
    #[must_use]
    pub fn finish(self) -> Turned<F> {
        Turned {
            actions: self.actions,
            spawned: self.spawned,
            mode: self.mode,
            patient: self.patient,
        }
    }
}
