//! Processes: spawning, sending, ending.

use crate::Pid;
use crate::message::{Message, Monitor, Reason, Value};
use crate::stage::{self, Action, Counts, Demand, Effect};
use crate::start::{Body, Start};
use crate::waiting::wait;
use std::any::Any;
use std::panic::Location;

/// Starts a process: an `async` function, or a closure that makes a future.
///
/// Reports name it after its function or, if it runs an `async` block, after the function that contains
/// the block and the line of the `spawn`. [`named`](crate::named) gives it another name.
///
/// ```
/// async fn greet(whom: mazurka::Pid, times: u32) {
///     for n in 0..times {
///         mazurka::send(whom, n);
///     }
/// }
///
/// # mazurka::check(|| async {
/// let me = mazurka::me();
/// mazurka::spawn(move || greet(me, 2));
/// mazurka::spawn(move || async move { mazurka::send(me, 2_u32) });
/// # for _ in 0..3 { mazurka::receive::<u32>().await; }
/// # });
/// ```
#[track_caller]
pub fn spawn(body: impl Body) -> Pid {
    spawn_with("spawn", body, false, None)
}

/// Starts a process that is [linked](crate::link) to this one from the start.
#[track_caller]
pub fn spawn_link(body: impl Body) -> Pid {
    spawn_with("spawn_link", body, true, None)
}

/// Starts a process that this one [monitors](crate::monitor) from the start. The
/// [`Monitor`] has its pid.
#[track_caller]
pub fn spawn_monitor(body: impl Body) -> Monitor {
    let reference = stage::new_monitor();
    let of = spawn_with("spawn_monitor", body, false, Some(reference));
    Monitor { of, reference }
}

#[track_caller]
fn spawn_with<B: Body>(call: &'static str, body: B, link: bool, monitor: Option<u64>) -> Pid {
    struct Spawn<B> {
        body: B,
        at: &'static Location<'static>,
        link: bool,
        monitor: Option<u64>,
    }

    impl<B: Body> Effect for Spawn<B> {
        fn repeats(&self, before: &Action) -> bool {
            matches!(before, Action::Spawn { start, link, monitor, .. }
                if start.runs(&self.body) && (*link, *monitor) == (self.link, self.monitor))
        }

        fn action(self, counts: &mut Counts, me: Pid) -> Action {
            counts.spawned += 1;
            Action::Spawn {
                pid: me.child(counts.spawned),
                start: Start::spawned(self.body, self.at),
                link: self.link,
                monitor: self.monitor,
            }
        }
    }

    let spawn = Spawn {
        body,
        at: Location::caller(),
        link,
        monitor,
    };
    // A spawn that is not recorded, as in a destructor, has no pid. Nothing can observe this one.
    stage::act(call, spawn).unwrap_or_else(Pid::entry)
}

/// Sends a message. It does not wait, and it does not fail: a message to a process that has
/// ended is lost.
pub fn send(to: Pid, message: impl Message) {
    struct Send<T>(Pid, T);

    impl<T: Message> Effect for Send<T> {
        fn repeats(&self, before: &Action) -> bool {
            matches!(before, Action::Send { to, value } if *to == self.0 && value.is(&self.1))
        }

        fn action(self, _: &mut Counts, _: Pid) -> Action {
            Action::Send {
                to: self.0,
                value: Value::new(self.1),
            }
        }
    }

    stage::act("send", Send(to, message));
}

/// Sends a message and waits until it has been received: a rendezvous, like MPI's `MPI_Ssend`. If the
/// message is never received, this process waits for ever.
///
/// The receiver sees an ordinary message. Exit signals can end a process that waits here.
///
/// ```
/// # mazurka::check(|| async {
/// let me = mazurka::me();
/// let friend = mazurka::spawn(move || async move {
///     mazurka::receive::<&str>().await;
///     mazurka::send(me, "from your friend");
/// });
/// mazurka::hand_over(friend, "hello").await;
/// // The friend has received the message; its answer may not have been sent yet.
/// assert_eq!(mazurka::receive::<&str>().await, "from your friend");
/// # });
/// ```
pub async fn hand_over(to: Pid, message: impl Message) {
    let demand = || Demand::HandOver {
        to,
        value: Value::new(message),
    };
    wait("hand_over", demand).await;
}

/// Reports that the process, where it waits next, needs at least this many inputs to reach an
/// assertion or an error. The valuation `distance` of a directed search uses it; it changes nothing
/// else.
///
/// ```
/// # mazurka::check(|| async {
/// # let me = mazurka::me();
/// # for n in 0..2 { mazurka::spawn(move || async move { mazurka::send(me, n) }); }
/// mazurka::distance(2);
/// let first = mazurka::receive::<i32>().await;
/// mazurka::distance(1);
/// let second = mazurka::receive::<i32>().await;
/// assert_ne!(first, second);
/// # });
/// ```
pub fn distance(inputs: u32) {
    stage::distance(inputs);
}

/// Constructing the action costs no more than comparing it.
impl Effect for Action {
    fn repeats(&self, before: &Action) -> bool {
        self == before
    }

    fn action(self, _: &mut Counts, _: Pid) -> Action {
        self
    }
}

/// The pid of the process that calls this.
#[must_use]
pub fn me() -> Pid {
    stage::me("me")
}

/// Ends the process with a reason. That is not a crash, but linked processes get an exit signal and
/// monitoring processes a [`Down`](crate::Down) message. What the destructors of its variables do is
/// not recorded; the same holds for a process that a signal ends.
///
/// The reason is any message, and becomes [`Reason::Stopped`]; or a [`Reason`] itself.
pub async fn exit(reason: impl Message) -> ! {
    wait("exit", || Demand::Exit(reason_of(reason))).await;
    unreachable!("nothing answers the end of a process")
}

/// Sends an exit signal: it ends a process that does not [trap exits](trap_exit).
///
/// Like a message, it arrives after everything that this process sent to `to` earlier, and before
/// everything that it sends later. To explore every moment at which a process may be killed, send the
/// signal from a separate process.
///
/// The reason is any message, and becomes [`Reason::Stopped`]; or a [`Reason`] itself.
/// [`Reason::Kill`] ends even a process that traps exits.
pub fn signal(to: Pid, reason: impl Message) {
    let reason = reason_of(reason);
    stage::act("signal", Action::Signal { to, reason });
}

/// Sets whether exit signals to this process become [`Exit`](crate::Exit) messages, from now on. If
/// not, they end the process.
pub fn trap_exit(on: bool) {
    stage::act("trap_exit", Action::TrapExit(on));
}

/// Marks this process as a daemon: from now on it may wait for ever. It serves others and is not
/// stuck when there is nothing left to do. It may also use timers for ever: once all other processes
/// have ended, its timers do not keep the execution running; while others wait, they do so only for a
/// few timeouts in a row. The report names the daemons that were stopped while their timers ran.
pub fn daemon() {
    stage::act("daemon", Action::Daemon);
}

fn reason_of<T: Message>(reason: T) -> Reason {
    let any: &dyn Any = &reason;
    match any.downcast_ref::<Reason>() {
        Some(reason) => reason.clone(),
        None => Reason::Stopped(Value::new(reason)),
    }
}
