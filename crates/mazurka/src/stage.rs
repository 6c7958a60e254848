//! The stage: records what the process that runs now does.
//!
//! A process is an ordinary future; [`send`](crate::send) and the other functions of this library find
//! the process that called them here. The stage is a thread-local variable. It is open only while a
//! process runs.

use crate::constraint::Constraint;
use crate::failure::{self, Panicked};
use crate::message::{Incoming, Original, Reason, Value};
use crate::runner::{History, inputs_then};
use crate::start::Start;
use crate::{Pid, pulse};
use mazurka_engine::{Answer, Brake, LivenessOperation, Operation};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A visible effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Spawn {
        pid: Pid,
        start: Start,
        link: bool,
        monitor: Option<u64>,
    },
    Send {
        to: Pid,
        value: Value,
    },
    Signal {
        to: Pid,
        reason: Reason,
    },
    TrapExit(bool),
    Daemon,
}

/// What a process waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    Receive {
        constraint: Constraint,
        timeout_ms: Option<u64>,
    },
    Liveness(LivenessOperation<Pid>),
    /// Boxed to keep demands small: most are not of this kind.
    Ask(Box<Operation<Value, Pid>>),
    HandOver {
        to: Pid,
        value: Value,
    },
    Choose(u32),
    Exit(Reason),
}

/// What answers a demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    Message(Incoming),
    Timeout,
    Answer(Answer<Original>),
    /// The process that an operation asked for, if there is one.
    Pid(Option<Pid>),
}

/// What a process is woken with.
#[derive(Debug)]
pub(crate) enum Wake {
    /// Its demand is answered.
    Given(Given),
    /// The question whether it would take this message.
    Probe(Incoming),
}

/// Why a process was not run to its next demand: a mistake in the use of this library, or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// It waits for two things at once.
    TwoDemands,
    /// It waits for something that is not part of this library.
    Foreign,
    /// The brake stopped it when it called this function.
    Interrupted(&'static str),
}

/// Counters of a process, since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub spawned: u32,
    pub monitors: u64,
}

#[derive(Default)]
struct Stage {
    me: Option<Pid>,
    /// Its history, and the input that it gets there; none at its start.
    from: Option<(Rc<History>, Given)>,
    counts: Counts,
    /// In a re-run: what the process did on these inputs before.
    before: Option<Rc<History>>,
    /// The number of those actions that it has repeated.
    repeated: usize,
    /// What it has done that is not a repetition.
    actions: Vec<Action>,
    /// What it has printed, if that is shown: the number of actions before it, and the text.
    output: Vec<(usize, String)>,
    demand: Option<Demand>,
    distance: Option<u32>,
    wake: Option<Wake>,
    verdict: Option<bool>,
    misuse: Option<Misuse>,
    /// Whether the process is only asked about a message. The answer has no place for an
    /// interruption.
    is_probed: bool,
}

/// What was recorded while the stage was open.
pub(crate) struct Closed {
    pub counts: Counts,
    pub repeated: usize,
    pub actions: Vec<Action>,
    pub output: Vec<(usize, String)>,
    pub demand: Option<Demand>,
    pub distance: Option<u32>,
    pub verdict: Option<bool>,
    pub misuse: Option<Misuse>,
}

thread_local! {
    static STAGE: RefCell<Stage> = RefCell::default();
    /// Whether code of the program runs outside a process, for instance a destructor: nothing that
    /// it does is recorded.
    static CURTAIN: Cell<bool> = const { Cell::new(false) };
    /// Whether the output of processes is shown.
    static LOUD: Cell<bool> = const { Cell::new(false) };
    /// The brake of the exploration on this thread.
    static BRAKE: RefCell<Brake> = RefCell::default();
    /// Number of calls at which the brake might have been asked.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// A process that does more actions than this without waiting is assumed to loop for ever.
const ACTIONS_MAX: usize = 100_000;

/// The payload that unwinds a process with too many actions.
pub(crate) struct TooMuch;

/// Unwinds a process that the brake stopped.
struct Interrupted;

/// Sets the brake that library calls on this thread ask from now on.
pub(crate) fn use_brake(brake: Brake) {
    BRAKE.set(brake);
}

/// Asks the brake, and unwinds the process if it must stop. The brake looks at the clock, which takes
/// longer than most calls, so only every 16th one asks.
#[inline]
fn ask_brake(call: &'static str) {
    const CALLS_BETWEEN: u32 = 16;
    let calls = CALLS.get().wrapping_add(1);
    CALLS.set(calls);
    if calls.is_multiple_of(CALLS_BETWEEN) {
        ask_brake_now(call);
    }
}

fn ask_brake_now(call: &'static str) {
    // A destructor must not unwind while the process unwinds: Rust would abort the program.
    if std::thread::panicking() || BRAKE.with_borrow(|brake| brake.allows(0)) {
        return;
    }
    let is_stopped = STAGE.with_borrow_mut(|stage| {
        let is_stopped = stage.me.is_some() && !stage.is_probed;
        if is_stopped {
            stage.misuse = Some(Misuse::Interrupted(call));
        }
        is_stopped
    });
    if is_stopped {
        std::panic::resume_unwind(Box::new(Interrupted));
    }
}

/// Opens the stage for a process that starts. If it was run before, it must repeat what it did then.
pub(crate) fn open(me: Pid, before: Option<Rc<History>>) {
    open_with((me, 0), Counts::default(), None, None, before);
}

/// Opens the stage for the process that waits in a history.
pub(crate) fn open_from(history: &Rc<History>, wake: Wake) {
    let given = match &wake {
        Wake::Given(given) => given.clone(),
        Wake::Probe(message) => Given::Message(message.clone()),
    };
    let inputs = match &wake {
        Wake::Given(_) => history.input_count() + 1,
        Wake::Probe(_) => history.input_count(),
    };
    let from = Some((Rc::clone(history), given));
    open_with(
        (*history.pid(), inputs),
        history.notes().counts,
        Some(wake),
        from,
        None,
    );
}

fn open_with(
    (me, inputs): (Pid, u32),
    counts: Counts,
    wake: Option<Wake>,
    from: Option<(Rc<History>, Given)>,
    before: Option<Rc<History>>,
) {
    // Discards a panic that the program itself has caught.
    failure::take_recorded();
    failure::record_panics(true);
    pulse::begin(me, inputs);
    STAGE.with_borrow_mut(|stage| {
        stage.me = Some(me);
        stage.from = from;
        stage.counts = counts;
        stage.repeated = 0;
        stage.distance = None;
        stage.before = before;
        stage.is_probed = matches!(wake, Some(Wake::Probe(_)));
        stage.wake = wake;
    });
}

/// The process that runs, and the texts of its inputs, unless it is being re-run.
pub(crate) fn here() -> Option<(Pid, Vec<String>)> {
    if CURTAIN.get() {
        return None;
    }
    STAGE.with(|stage| {
        let stage = stage
            .try_borrow()
            .ok()
            .filter(|stage| stage.before.is_none())?;
        let inputs = match &stage.from {
            Some((history, given)) => inputs_then(history, given),
            None => Vec::new(),
        };
        Some((stage.me?, inputs))
    })
}

/// Whether a process runs on this thread.
pub(crate) fn is_open() -> bool {
    STAGE.with_borrow(|stage| stage.me.is_some())
}

/// Closes the stage.
pub(crate) fn close() -> Closed {
    failure::record_panics(false);
    pulse::end();
    STAGE.with_borrow_mut(|stage| {
        stage.me = None;
        stage.from = None;
        stage.wake = None;
        stage.before = None;
        Closed {
            counts: stage.counts,
            repeated: stage.repeated,
            actions: std::mem::take(&mut stage.actions),
            output: std::mem::take(&mut stage.output),
            demand: stage.demand.take(),
            distance: stage.distance.take(),
            verdict: stage.verdict.take(),
            misuse: stage.misuse.take(),
        }
    })
}

/// Whether the process has repeated everything up to its demand. If so, it is woken with the next
/// input, to repeat what it did in the next history.
pub(crate) fn has_repeated(next: Option<(&Given, &Rc<History>)>) -> bool {
    STAGE.with_borrow_mut(|stage| {
        let (Some(before), Some(demand)) = (&stage.before, &stage.demand) else {
            return false;
        };
        let same = stage.repeated == before.actions().len()
            && stage.actions.is_empty()
            && stage.misuse.is_none()
            && before.demand().looks_like(demand);
        if same {
            stage.demand = None;
            if let Some((given, history)) = next {
                pulse::go_on();
                stage.repeated = 0;
                stage.before = Some(Rc::clone(history));
                stage.wake = Some(Wake::Given(given.clone()));
            }
        }
        same
    })
}

/// Drops something that may have destructors of the program.
pub(crate) fn discard<T>(thing: T) {
    if std::mem::needs_drop::<T>() {
        // The process of a destructor that panics has already ended.
        let _ = aside(|| drop(thing));
    }
}

/// Runs code of the program outside a process: nothing that it does is recorded. Fails with its panic,
/// if it panics.
pub(crate) fn aside<R>(code: impl FnOnce() -> R) -> Result<R, Option<Panicked>> {
    let before = CURTAIN.replace(true);
    let recorded = failure::record_panics(true);
    let done = catch_unwind(AssertUnwindSafe(code)).map_err(|_| failure::take_recorded());
    failure::record_panics(recorded);
    CURTAIN.set(before);
    done
}

/// Sets whether the output of processes is shown. Returns the setting before.
pub(crate) fn set_loud(loud: bool) -> bool {
    LOUD.replace(loud)
}

/// The process that runs and prints, if its output is shown.
#[doc(hidden)]
#[must_use]
pub fn printing() -> Option<Pid> {
    if CURTAIN.get() {
        return None;
    }
    ask_brake("println!");
    if !LOUD.get() {
        return None;
    }
    // A re-run prints nothing: its output was printed the first time.
    STAGE.with_borrow(|stage| stage.me.filter(|_| stage.before.is_none()))
}

/// Prints a line of a process, and records it for the report.
#[doc(hidden)]
pub fn print(process: Pid, text: &str) {
    std::println!("{process}: {text}");
    STAGE.with_borrow_mut(|stage| {
        // The daemon mark is an action here, but not in the engine.
        let seen = |action: &&Action| !matches!(action, Action::Daemon);
        let actions = stage.actions.iter().filter(seen).count();
        stage.output.push((actions, text.to_owned()));
    });
}

/// Uses the stage, which must be open; `call` names the function that the program called.
fn with<R>(call: &str, act: impl FnOnce(&mut Stage, Pid) -> R) -> R {
    let done = STAGE.with_borrow_mut(|stage| stage.me.map(|me| act(stage, me)));
    match done {
        Some(result) => result,
        None => panic!(
            "mazurka::{call} was called outside a process: only what `mazurka::check` runs, and \
             what that spawns, may call it"
        ),
    }
}

/// A call that becomes an action.
pub(crate) trait Effect {
    /// Whether a re-run repeats this recorded action with it.
    fn repeats(&self, before: &Action) -> bool;
    /// The action, if it is not a repetition.
    fn action(self, counts: &mut Counts, me: Pid) -> Action;
}

/// Does one action. Returns the pid of the process that it spawned, if it spawned one.
pub(crate) fn act(call: &'static str, effect: impl Effect) -> Option<Pid> {
    if CURTAIN.get() {
        return None;
    }
    ask_brake(call);
    let mut effect = Some(effect);
    let (spawned, too_much) = with(call, |stage, me| {
        let before = stage.before.as_ref().map(|before| before.actions());
        let action = match before.and_then(|before| before.get(stage.repeated)) {
            Some(action)
                if stage.actions.is_empty()
                    && effect.as_ref().is_some_and(|effect| effect.repeats(action)) =>
            {
                stage.repeated += 1;
                stage.counts.spawned += u32::from(matches!(action, Action::Spawn { .. }));
                action
            }
            _ => {
                let effect = effect.take().expect("taken only here");
                let action = effect.action(&mut stage.counts, me);
                stage.actions.push(action);
                stage.actions.last().expect("just pushed")
            }
        };
        let spawned = match action {
            Action::Spawn { pid, .. } => Some(*pid),
            _ => None,
        };
        (spawned, stage.actions.len() > ACTIONS_MAX)
    });
    // A repeated action is not recorded, so nothing that its destructor does may be recorded either.
    discard(effect);
    if too_much && !std::thread::panicking() {
        std::panic::resume_unwind(Box::new(TooMuch));
    }
    spawned
}

/// The process that runs.
pub(crate) fn me(call: &'static str) -> Pid {
    if CURTAIN.get() {
        return Pid::entry();
    }
    ask_brake(call);
    with(call, |_, me| me)
}

/// A number for a new monitor.
pub(crate) fn new_monitor() -> u64 {
    if CURTAIN.get() {
        return 0;
    }
    with("monitor", |stage, _| {
        stage.counts.monitors += 1;
        stage.counts.monitors
    })
}

/// Makes a demand.
pub(crate) fn demand(call: &'static str, demand: Demand) {
    ask_brake(call);
    with(call, |stage, _| {
        if stage.demand.replace(demand).is_some() {
            stage.misuse = Some(Misuse::TwoDemands);
        }
    });
}

/// Records the distance to an error of the next demand.
pub(crate) fn distance(steps: u32) {
    if !CURTAIN.get() {
        ask_brake("distance");
        with("distance", |stage, _| stage.distance = Some(steps));
    }
}

/// What the process was woken with; none if it was polled by something else.
pub(crate) fn woken() -> Option<Wake> {
    with("receive", |stage, _| {
        if stage.wake.is_none() {
            stage.misuse.get_or_insert(Misuse::TwoDemands);
        }
        stage.wake.take()
    })
}

/// Answers the question whether the process would take a message.
pub(crate) fn answer_probe(verdict: bool) {
    with("receive", |stage, _| stage.verdict = Some(verdict));
}
