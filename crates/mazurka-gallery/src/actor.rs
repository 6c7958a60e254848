//! The front-end: processes as plain functions that say what they wait for and what they
//! do then.
//!
//! A process runs up to its next demand and returns it together with a continuation. The
//! continuation *is* the snapshot of the process: it holds what the rest needs and can be
//! called any number of times, so that going back to a local history costs one reference
//! count.

use crate::pattern::Pattern;
use crate::term::Term;
use mazurka_engine::{
    Answer, Demand, Fault, Frontend, Input, Operation, Outcome, Payload, PidTable, Reason,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The stage of a gallery process.
pub type Turn<'a> = mazurka_engine::Turn<'a, Actors>;

/// Why a process fails. Failures are values: `?` ends the process with one.
pub type Failure = Reason<Term>;

/// What a process does next: it waits, or it has failed.
pub type Next = Result<Step, Failure>;

/// What a process runs, given the tuple of its arguments.
pub type Run = fn(&Term, &mut Turn<'_>) -> Next;

/// A program of the gallery, or one written in its manner.
#[derive(Clone, Debug)]
pub struct Actors {
    entry: Start,
}

impl Actors {
    /// The program that begins with this process.
    #[must_use]
    pub fn new(entry: Start) -> Self {
        Actors { entry }
    }
}

/// How a process is started.
///
/// Two starts are equal if name and arguments are. The function is left out because
/// function pointers cannot be compared reliably: the compiler may merge two functions or
/// make one twice. That is sound as long as a name stands for one function in the whole
/// program, which [`start!`](crate::start) sees to: it takes the name from the function.
#[derive(Clone)]
pub struct Start {
    name: &'static str,
    args: Term,
    run: Run,
}

impl Start {
    /// The process that runs `run` with these arguments, a tuple. Within one program a
    /// `name` must always come with the same function; use [`start!`](crate::start).
    #[must_use]
    pub fn new(name: &'static str, args: Term, run: Run) -> Self {
        Start { name, args, run }
    }
}

/// The start of a process: `start!(worker, server, 3)` runs the function `worker` with the
/// tuple `{server, 3}`.
#[macro_export]
macro_rules! start {
    ($run:ident $(, $arg:expr)* $(,)?) => {
        $crate::Start::new(stringify!($run), $crate::tuple![$($arg),*], $run)
    };
}

impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl Eq for Start {}

impl Hash for Start {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.args.hash(state);
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name, self.args)
    }
}

type OnMessage = Rc<dyn Fn(&Term, &mut Turn<'_>) -> Next>;
type OnEither = Rc<dyn Fn(Option<&Term>, &mut Turn<'_>) -> Next>;
type OnAnswer = Rc<dyn Fn(&Answer<Term>, &mut Turn<'_>) -> Next>;

/// A snapshot of a process: what it does with the answer to its demand.
#[derive(Clone)]
pub struct State(Then);

#[derive(Clone)]
enum Then {
    Message(OnMessage),
    /// With nothing if the receive has timed out.
    Either(OnEither),
    Answer(OnAnswer),
    Nothing,
}

/// What a process waits for, and how it goes on.
pub struct Step {
    demand: Demand<Term, Pattern>,
    then: Then,
}

/// Waits for a message.
pub fn receive(pattern: Pattern, then: impl Fn(&Term, &mut Turn<'_>) -> Next + 'static) -> Next {
    Ok(Step {
        demand: Demand::Receive {
            constraint: pattern,
            timeout_ms: None,
        },
        then: Then::Message(Rc::new(then)),
    })
}

/// Waits for a message for so many milliseconds.
pub fn receive_after(
    pattern: Pattern,
    timeout_ms: u64,
    on_message: impl Fn(&Term, &mut Turn<'_>) -> Next + 'static,
    on_timeout: impl Fn(&mut Turn<'_>) -> Next + 'static,
) -> Next {
    Ok(Step {
        demand: Demand::Receive {
            constraint: pattern,
            timeout_ms: Some(timeout_ms),
        },
        then: Then::Either(Rc::new(move |message, turn| match message {
            Some(message) => on_message(message, turn),
            None => on_timeout(turn),
        })),
    })
}

/// Waits for the answer of a shared object.
pub fn ask(
    operation: Operation<Term>,
    then: impl Fn(&Answer<Term>, &mut Turn<'_>) -> Next + 'static,
) -> Next {
    Ok(Step {
        demand: Demand::Ask(operation),
        then: Then::Answer(Rc::new(then)),
    })
}

/// The process has done its work.
pub fn done() -> Next {
    Ok(Step {
        demand: Demand::Exit(Reason::Normal),
        then: Then::Nothing,
    })
}

/// The process ends on purpose, and not normally: those linked to it are told.
pub fn stop(reason: impl Into<Term>) -> Next {
    Err(Reason::Stopped(reason.into()))
}

/// The process fails as an uncaught exception would make it.
pub fn crash(reason: impl Into<Term>) -> Next {
    Err(crash_reason(reason))
}

pub(crate) fn crash_reason(reason: impl Into<Term>) -> Failure {
    Reason::Crash(reason.into())
}

/// Ends the process by a failed assertion unless this holds: `assert_that(ok, "…")?`.
///
/// # Errors
/// It does not hold.
pub fn assert_that(holds: bool, what: &str) -> Result<(), Failure> {
    if holds {
        return Ok(());
    }
    Err(Reason::Assertion(Term::Text(what.into())))
}

/// Ends the process by a failed assertion unless the two numbers are equal.
///
/// # Errors
/// They are not.
pub fn assert_equal(what: &str, found: i64, expected: i64) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    let text = format!("{what} is {found}, not {expected}");
    Err(Reason::Assertion(Term::Text(text.into())))
}

/// The number that an object has answered.
///
/// # Errors
/// It has answered something else.
pub fn number(answer: &Answer<Term>) -> Result<i64, Failure> {
    match answer {
        Answer::Int(number) | Answer::Value(Some(Term::Int(number))) => Ok(*number),
        _ => Err(crash_reason("badarg")),
    }
}

/// Goes on only if the object has done what was asked; otherwise crashes with `badarg`.
///
/// # Errors
/// The object has refused.
pub fn granted(answer: &Answer<Term>) -> Result<(), Failure> {
    match answer {
        Answer::Refused => Err(crash_reason("badarg")),
        _ => Ok(()),
    }
}

fn outcome(next: Next) -> Outcome<Actors> {
    Ok(match next {
        Ok(Step { demand, then }) => (State(then), demand),
        Err(reason) => (State(Then::Nothing), Demand::Exit(reason)),
    })
}

impl Frontend for Actors {
    type Value = Term;
    type Constraint = Pattern;
    type Start = Start;
    type State = State;

    fn entry(&self) -> Start {
        self.entry.clone()
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_>) -> Outcome<Self> {
        outcome((start.run)(&start.args, turn))
    }

    fn answer(&self, state: &State, input: Input<'_, Term>, turn: &mut Turn<'_>) -> Outcome<Self> {
        match (&state.0, input) {
            (Then::Message(then), Input::Message(Payload::User(value))) => {
                outcome(then(value, turn))
            }
            (Then::Either(then), Input::Message(Payload::User(value))) => {
                outcome(then(Some(value), turn))
            }
            (Then::Message(then), Input::Message(news)) => match Term::of_news(news) {
                Some(value) => outcome(then(&value, turn)),
                None => Err(misfit("a receive gets what only shared objects see")),
            },
            (Then::Either(then), Input::Message(news)) => match Term::of_news(news) {
                Some(value) => outcome(then(Some(&value), turn)),
                None => Err(misfit("a receive gets what only shared objects see")),
            },
            (Then::Either(then), Input::Timeout) => outcome(then(None, turn)),
            (Then::Answer(then), Input::Answer(answer)) => outcome(then(answer, turn)),
            _ => Err(misfit("an input does not fit the demand")),
        }
    }

    fn matches(&self, message: &Payload<Term>, constraint: &Pattern) -> bool {
        constraint.matches(message)
    }

    fn show_value(&self, value: &Term, pids: &PidTable) -> String {
        value.show(pids)
    }

    fn show_constraint(&self, constraint: &Pattern, pids: &PidTable) -> String {
        constraint.show(pids)
    }

    fn show_start(&self, start: &Start, pids: &PidTable) -> String {
        let args = start.args.show(pids);
        let args = args
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        format!("{}({})", start.name, args.unwrap_or_default())
    }
}

/// An error of the engine's, never of a program's.
fn misfit(what: &str) -> Fault {
    Fault::Unsupported { what: what.into() }
}
