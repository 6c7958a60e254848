//! What a front-end implements: start a process, answer a demand, match a message.

use crate::brake::Brake;
use crate::coverage::Clause;
use crate::ids::{Pid, PidTable};
use crate::message::{Payload, Reason};
use crate::operation::{Answer, Operation};
use std::fmt;
use std::hash::Hash;

/// One kind of program: it turns user code into demands and actions.
///
/// A process must be a deterministic function of the inputs it has consumed. The engine
/// calls [`start`](Frontend::start) and [`answer`](Frontend::answer) once for every local
/// history, and again only if it has dropped that history to save memory, or to find out
/// whether it is deterministic.
pub trait Frontend {
    /// What the program sends. A message may be replaced by an equal one, so equality must see
    /// everything that the program can observe.
    type Value: Clone + Eq + Hash + fmt::Debug;
    /// Which messages a receive takes.
    type Constraint: Clone + Eq + Hash + fmt::Debug;
    /// How a process is started. Equal starts behave equally.
    type Start: Clone + Eq + Hash + fmt::Debug;
    /// A snapshot of a process that makes a demand.
    type State: Clone;

    /// The same program for another exploration, which knows nothing of this one.
    #[must_use]
    fn afresh(&self) -> Self
    where
        Self: Sized;

    /// The start of the entry process.
    fn entry(&self) -> Self::Start;

    /// Runs a new process up to its first demand.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    fn start(&self, start: &Self::Start, turn: &mut Turn<'_, Self>) -> Outcome<Self>;

    /// Runs a process from a demand, answered by `input`, up to its next demand.
    ///
    /// # Errors
    /// The program uses something that is not modelled, or is not deterministic.
    fn answer(
        &self,
        state: &Self::State,
        input: Input<'_, Self::Value>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self>;

    /// Whether a receive with this constraint takes this message.
    fn matches(&self, message: &Payload<Self::Value>, constraint: &Self::Constraint) -> bool;

    /// The type of a message, if messages have types and a receive with this constraint takes none
    /// of that type: then the sender may have chosen the wrong one.
    fn foreign_type(&self, _: &Payload<Self::Value>, _: &Self::Constraint) -> Option<String> {
        None
    }

    /// Roughly how much memory a state takes, in bytes, beyond its own size: what it points to
    /// and does not share with other states. States that no execution needs are dropped when
    /// they take more than [`Options::node_memory`](crate::Options::node_memory) together, and
    /// made again when they are needed.
    fn state_bytes(&self, _: &Self::State) -> usize {
        STATE_BYTES
    }

    /// Whether a receive with this constraint takes messages whoever sends them: it does not name
    /// those that it takes them from.
    fn takes_from_anyone(&self, _: &Self::Constraint) -> bool {
        true
    }

    /// The clauses of the receives of the program, as far as the front-end knows them, with how
    /// often each took a message since this front-end was made, there or in one made
    /// [afresh](Self::afresh) of the same program.
    fn clauses(&self) -> Vec<Clause> {
        Vec::new()
    }

    /// A value as the user would write it.
    fn show_value(&self, value: &Self::Value, pids: &PidTable) -> String;

    /// A constraint as the user would write it.
    fn show_constraint(&self, constraint: &Self::Constraint, pids: &PidTable) -> String;

    /// What kind of process this start makes, for reports: a function's name, say.
    fn show_start(&self, start: &Self::Start, pids: &PidTable) -> String;

    /// What to call a process that was started so, given the state of its first demand. A fun says
    /// little; the function in which it waits says more.
    fn show_process(
        &self,
        start: &Self::Start,
        _first: Option<&Self::State>,
        pids: &PidTable,
    ) -> String {
        self.show_start(start, pids)
    }

    /// A failure as the user would say it: the value of [`Reason::Crash`] or
    /// [`Reason::Assertion`](Reason::Assertion).
    fn show_failure(&self, value: &Self::Value, pids: &PidTable) -> String {
        self.show_value(value, pids)
    }

    /// Whether [`place`](Frontend::place) or [`output`](Frontend::output) have anything to say about
    /// the way to the state in which a process ended. If not, the state is dropped at once.
    fn tells(&self, _: &Self::State) -> bool {
        false
    }

    /// Where in its source, `file:line`, a process did something on its way to this state, or
    /// demands what it waits for.
    fn place(&self, _: &Self::State, _: Doing) -> Option<String> {
        None
    }

    /// What a process printed on its way to this state: after how many actions, and what.
    fn output<'s>(&self, _: &'s Self::State) -> &'s [(usize, String)] {
        &[]
    }

    /// How many steps a process in this state needs at least to come to an assertion or an error,
    /// if that is known. A search may go where errors are near.
    fn distance(&self, _: &Self::State) -> Option<u32> {
        None
    }

    /// Asks the front-end to run every step twice and to compare. Whether it does; if not, the
    /// engine does, by the equality of actions and demands.
    fn distrust(&self) -> bool {
        false
    }

    /// Gives the front-end the brake that it must ask inside steps that take long.
    fn use_brake(&self, _: Brake) {}

    /// Asked when all is done, or has failed.
    ///
    /// # Errors
    /// Something that came up when it could not be told: in [`matches`](Frontend::matches).
    fn late_fault(&self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Something that a process does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// The action of this number, from 0.
    Action(usize),
    /// The demand that ends the step.
    Demand,
    /// Its failure, if what is shown of that does not say where it was.
    Failure,
}

/// What a state takes if its front-end does not say. A guess on the large side; the budget is
/// about orders of magnitude.
pub(crate) const STATE_BYTES: usize = 96;

/// What running user code gives: where the process is now, and what it waits for.
pub type Outcome<F> = Result<(<F as Frontend>::State, DemandOf<F>), Fault>;

/// A demand of a front-end's processes.
pub type DemandOf<F> = Demand<<F as Frontend>::Value, <F as Frontend>::Constraint>;

/// Actions of a front-end's processes.
pub type ActionsOf<F> = Vec<Action<<F as Frontend>::Value, <F as Frontend>::Start>>;

/// What a process waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand<V, C> {
    /// A message that satisfies the constraint, or the timeout in milliseconds.
    Receive {
        /// Which messages it takes.
        constraint: C,
        /// After how long it gives up.
        timeout_ms: Option<u64>,
    },
    /// The answer of a shared object.
    Ask(Operation<V>),
    /// That a message which it sends here has been received: a rendezvous. The answer is
    /// [`Answer::Ok`]. The receiver cannot tell the message from one that nobody waits for.
    HandOver {
        /// To whom.
        to: Pid,
        /// What.
        value: V,
    },
    /// One of so many ways to go on, at least one: every one is explored. The answer is
    /// [`Answer::Int`] with a number from 0 up to, but not including, this one.
    Choose(u32),
    /// Nothing: it has ended.
    Exit(Reason<V>),
}

/// What answers a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a, V> {
    /// The message consumed by a receive.
    Message(&'a Payload<V>),
    /// The receive's timeout fired.
    Timeout,
    /// What the object answered, that a message was received, or which way was chosen.
    Answer(&'a Answer<V>),
}

/// Why user code could not be run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It uses something that the front-end does not model.
    #[error("not modelled: {what}")]
    Unsupported {
        /// What, where, and what to do about it.
        what: String,
    },
    /// The [`Brake`] stopped it inside a step.
    #[error("stopped inside a step: {what}")]
    Interrupted {
        /// Which process, and where.
        what: String,
    },
    /// It acted differently on the same inputs.
    #[error("not deterministic: {what}")]
    Nondeterminism {
        /// Which process, after which inputs, and both behaviours.
        what: String,
    },
}

/// A visible effect of a process, in the words of the front-end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<V, S> {
    /// A new process.
    Spawn {
        /// Its pid.
        pid: Pid,
        /// What it runs.
        start: S,
        /// Whether it is linked to its parent from the start.
        link: bool,
        /// The reference of the parent's monitor, if it has one from the start.
        monitor: Option<u64>,
    },
    /// A message.
    Send {
        /// To whom.
        to: Pid,
        /// What.
        value: V,
    },
    /// An exit signal.
    Signal {
        /// To whom.
        to: Pid,
        /// With which reason.
        reason: Reason<V>,
    },
    /// From now on exit signals are messages, or no longer.
    TrapExit(bool),
}

/// The stage on which user code runs from one demand to the next: it collects the
/// actions.
pub struct Turn<'a, F: Frontend + ?Sized> {
    me: Pid,
    pids: &'a mut PidTable,
    spawned: u32,
    daemon: bool,
    actions: ActionsOf<F>,
}

/// What user code did on its turn.
pub struct Turned<F: Frontend + ?Sized> {
    /// Its actions, in order.
    pub actions: ActionsOf<F>,
    /// How many processes it has spawned so far.
    pub spawned: u32,
    /// Whether it is a daemon.
    pub daemon: bool,
}

impl<'a, F: Frontend + ?Sized> Turn<'a, F> {
    /// A turn of a process that has spawned this many processes before. `actions` is an empty buffer.
    pub fn new(
        me: Pid,
        pids: &'a mut PidTable,
        spawned: u32,
        daemon: bool,
        actions: ActionsOf<F>,
    ) -> Self {
        Turn {
            me,
            pids,
            spawned,
            daemon,
            actions,
        }
    }

    /// The process that runs.
    #[must_use]
    pub fn me(&self) -> Pid {
        self.me
    }

    /// The names of the pids, for messages to people.
    #[must_use]
    pub fn pids(&self) -> &PidTable {
        self.pids
    }

    /// Starts a process.
    pub fn spawn(&mut self, start: F::Start) -> Pid {
        self.spawn_with(start, false, None)
    }

    /// Starts a process linked to this one.
    pub fn spawn_link(&mut self, start: F::Start) -> Pid {
        self.spawn_with(start, true, None)
    }

    /// Starts a process that this one monitors.
    pub fn spawn_monitor(&mut self, start: F::Start, reference: u64) -> Pid {
        self.spawn_with(start, false, Some(reference))
    }

    /// Starts a process with any ties to this one.
    pub fn spawn_tied(&mut self, start: F::Start, link: bool, monitor: Option<u64>) -> Pid {
        self.spawn_with(start, link, monitor)
    }

    /// Sends a message.
    pub fn send(&mut self, to: Pid, value: F::Value) {
        self.actions.push(Action::Send { to, value });
    }

    /// Sends an exit signal.
    pub fn signal(&mut self, to: Pid, reason: Reason<F::Value>) {
        self.actions.push(Action::Signal { to, reason });
    }

    /// Makes exit signals messages, or deadly again.
    pub fn trap_exit(&mut self, on: bool) {
        self.actions.push(Action::TrapExit(on));
    }

    /// From now on this process may wait for ever without being called stuck.
    pub fn daemon(&mut self) {
        self.daemon = true;
    }

    fn spawn_with(&mut self, start: F::Start, link: bool, monitor: Option<u64>) -> Pid {
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

    /// Ends the turn.
    #[must_use]
    pub fn finish(self) -> Turned<F> {
        Turned {
            actions: self.actions,
            spawned: self.spawned,
            daemon: self.daemon,
        }
    }
}
