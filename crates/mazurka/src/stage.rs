//! The stage: what the process that runs now has done since its last input.
//!
//! A process is an ordinary future, and its calls of [`send`](crate::send) and the like find
//! their process here. The stage is a variable of the thread; it is open only while a
//! process runs.

use crate::constraint::Constraint;
use crate::failure::{self, Panicked};
use crate::message::{Incoming, Original, Reason, Value};
use crate::runner::{History, inputs_then};
use crate::start::Start;
use crate::{Pid, pulse};
use mazurka_engine::{Answer, Operation};
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
    /// Boxed: a demand should be small, and most are others.
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
    /// A process, if there is one.
    Pid(Option<Pid>),
}

/// What a process is woken with.
#[derive(Debug)]
pub(crate) enum Wake {
    /// Its demand is answered.
    Given(Given),
    /// Only a question: would it take this message?
    Probe(Incoming),
}

/// What a process did wrong in the use of this library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// It waits for two things at once.
    TwoDemands,
    /// It waits for something else.
    Foreign,
}

/// What a process has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub spawned: u32,
    pub monitors: u64,
}

#[derive(Default)]
struct Stage {
    me: Option<Pid>,
    /// Its history, and the input that it gets there; nothing if it begins.
    from: Option<(Rc<History>, Given)>,
    counts: Counts,
    /// What the process did on these inputs before, if this is not the first time.
    before: Option<Rc<History>>,
    /// How many of its actions it has repeated.
    repeated: usize,
    /// What it has done that it did not do before.
    actions: Vec<Action>,
    /// What it has printed, if that is shown: after how many actions, and what.
    output: Vec<(usize, String)>,
    demand: Option<Demand>,
    distance: Option<u32>,
    wake: Option<Wake>,
    verdict: Option<bool>,
    misuse: Option<Misuse>,
}

/// What a process left on the stage.
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
    /// Whether parts of processes are being thrown away: what their destructors do is not
    /// seen by anyone.
    static CURTAIN: Cell<bool> = const { Cell::new(false) };
    /// Whether what the process prints is shown.
    static LOUD: Cell<bool> = const { Cell::new(false) };
}

/// A process that does so much without waiting will never wait.
const ACTIONS_MAX: usize = 100_000;

/// Unwinds a process that did too much.
pub(crate) struct TooMuch;

/// Opens the stage for a process that begins. If it has begun before, it is to do the same again.
pub(crate) fn open(me: Pid, before: Option<Rc<History>>) {
    open_with((me, 0), Counts::default(), None, None, before);
}

/// Opens the stage for the process of a history, which is woken.
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
    // A panic that the program itself has caught.
    failure::heard();
    failure::listen(true);
    pulse::begin(me, inputs);
    STAGE.with_borrow_mut(|stage| {
        stage.me = Some(me);
        stage.from = from;
        stage.counts = counts;
        stage.repeated = 0;
        stage.distance = None;
        stage.before = before;
        stage.wake = wake;
    });
}

/// The process that runs, and the texts of its inputs, if it has not been there before.
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

/// Closes it.
pub(crate) fn close() -> Closed {
    failure::listen(false);
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

/// Whether the process has done the same again, as far as the next demand. If so, `next` says
/// what it did then, and it is woken to do that again.
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

/// Throws something away that may have destructors of the program.
pub(crate) fn discard<T>(thing: T) {
    if std::mem::needs_drop::<T>() {
        // A destructor that panics has no process to crash any more.
        let _ = aside(|| drop(thing));
    }
}

/// Runs code of the program that is not part of a process: what it does is not seen. Its panic, if
/// it panics.
pub(crate) fn aside<R>(code: impl FnOnce() -> R) -> Result<R, Option<Panicked>> {
    let before = CURTAIN.replace(true);
    let listened = failure::listen(true);
    let done = catch_unwind(AssertUnwindSafe(code)).map_err(|_| failure::heard());
    failure::listen(listened);
    CURTAIN.set(before);
    done
}

/// Whether what a process prints from now on is shown.
pub(crate) fn set_loud(loud: bool) -> bool {
    LOUD.replace(loud)
}

/// The process that runs and prints, if its output is shown.
#[doc(hidden)]
#[must_use]
pub fn printing() -> Option<Pid> {
    if !LOUD.get() || CURTAIN.get() {
        return None;
    }
    // What is only done again has been printed.
    STAGE.with_borrow(|stage| stage.me.filter(|_| stage.before.is_none()))
}

/// Prints a line of a process, and keeps it for the report.
#[doc(hidden)]
pub fn print(process: Pid, text: &str) {
    std::println!("{process}: {text}");
    STAGE.with_borrow_mut(|stage| {
        // The daemon mark is an action of ours that the engine does not see as one.
        let seen = |action: &&Action| !matches!(action, Action::Daemon);
        let actions = stage.actions.iter().filter(seen).count();
        stage.output.push((actions, text.to_owned()));
    });
}

/// Uses the stage, which is open: `call` is the function that the program called.
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

/// What a program can do to be seen.
pub(crate) trait Effect {
    /// Whether it is what the process did before.
    fn repeats(&self, before: &Action) -> bool;
    /// It is new.
    fn action(self, counts: &mut Counts, me: Pid) -> Action;
}

/// Does one action. The pid of the process that it spawned, if it spawned one.
pub(crate) fn act(call: &str, effect: impl Effect) -> Option<Pid> {
    if CURTAIN.get() {
        return None;
    }
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
                let effect = effect.take().expect("nobody else has taken it");
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
    // The first time it was kept, so its destructor must not be seen the second time.
    discard(effect);
    if too_much {
        std::panic::resume_unwind(Box::new(TooMuch));
    }
    spawned
}

/// The process that runs.
pub(crate) fn me(call: &str) -> Pid {
    if CURTAIN.get() {
        return Pid::entry();
    }
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
pub(crate) fn demand(call: &str, demand: Demand) {
    with(call, |stage, _| {
        if stage.demand.replace(demand).is_some() {
            stage.misuse = Some(Misuse::TwoDemands);
        }
    });
}

/// Notes how far from an error the process is where it waits next.
pub(crate) fn distance(steps: u32) {
    if !CURTAIN.get() {
        with("distance", |stage, _| stage.distance = Some(steps));
    }
}

/// What the process was woken with; nothing if something else woke it.
pub(crate) fn woken() -> Option<Wake> {
    with("receive", |stage, _| {
        if stage.wake.is_none() {
            stage.misuse.get_or_insert(Misuse::TwoDemands);
        }
        stage.wake.take()
    })
}

/// Answers a question: whether the process would take the message.
pub(crate) fn answer_probe(verdict: bool) {
    with("receive", |stage, _| stage.verdict = Some(verdict));
}
