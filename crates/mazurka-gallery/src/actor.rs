//! A front-end for measuring the engine: processes as plain functions in continuation-passing style.
//!
//! A process runs up to its next demand and returns it together with a continuation. The
//! continuation *is* the snapshot of the process: it holds what the rest needs and can be
//! called any number of times, so returning to a local history costs one reference
//! count, and measurements show the cost of the engine alone. Programs that are not for measuring
//! are written with the `mazurka` library.

use crate::pattern::Pattern;
use crate::term::Term;
use mazurka_engine::{
    Demand, Describe, Fault, Frontend, Hints, Input, NoObjects, Outcome, Payload, PidTable, Reason,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Collects the actions of a step.
pub type Turn<'a> = mazurka_engine::Turn<'a, Actors>;

/// The reason why a process fails. Failures are values: `?` ends the process with one.
pub type Failure = Reason<Term>;

/// The next demand of a process, or its failure.
pub type Next = Result<Step, Failure>;

/// The function of a process. Its argument is the tuple of the process's arguments.
pub type Run = fn(&Term, &mut Turn<'_>) -> Next;

/// A program in continuation-passing style.
#[derive(Clone, Debug)]
pub struct Actors {
    entry: Start,
}

impl Actors {
    /// The program with this entry process.
    #[must_use]
    pub fn new(entry: Start) -> Self {
        Actors { entry }
    }
}

/// The function and arguments of a new process.
///
/// Two starts are equal if their names and arguments are. The function is not compared because
/// function pointers cannot be compared reliably: the compiler may merge two functions or duplicate
/// one. This is sound as long as a name refers to one function in the whole program.
/// [`start!`](crate::start) ensures that: it takes the name from the function.
#[derive(Clone)]
pub struct Start {
    name: &'static str,
    args: Term,
    run: Run,
}

impl Start {
    /// A process that runs `run` with these arguments, a tuple. Within one program, a `name` must
    /// always have the same function; use [`start!`](crate::start).
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

/// A snapshot of a process: its continuation, which handles the next message.
#[derive(Clone)]
pub struct State(Option<Then>);

type Then = Rc<dyn Fn(&Term, &mut Turn<'_>) -> Next>;

/// The demand of a process and its continuation.
pub struct Step {
    demand: Demand<Term, Pattern>,
    then: Option<Then>,
}

/// Waits for a message.
pub fn receive(pattern: Pattern, then: impl Fn(&Term, &mut Turn<'_>) -> Next + 'static) -> Next {
    Ok(Step {
        demand: Demand::Receive {
            constraint: pattern,
            timeout_ms: None,
        },
        then: Some(Rc::new(then)),
    })
}

/// Ends the process.
pub fn done() -> Next {
    Ok(Step {
        demand: Demand::Exit(Reason::Normal),
        then: None,
    })
}

fn outcome(next: Next) -> Outcome<Actors> {
    Ok(match next {
        Ok(Step { demand, then }) => (State(then), demand),
        Err(reason) => (State(None), Demand::Exit(reason)),
    })
}

impl Frontend for Actors {
    type Value = Term;
    type Constraint = Pattern;
    type Start = Start;
    type State = State;
    type Objects = NoObjects;

    fn fresh_copy(&self) -> Self {
        self.clone()
    }

    fn entry(&self) -> Start {
        self.entry.clone()
    }

    fn start(&self, start: &Start, turn: &mut Turn<'_>) -> Outcome<Self> {
        outcome((start.run)(&start.args, turn))
    }

    fn answer(&self, state: &State, input: Input<'_, Term>, turn: &mut Turn<'_>) -> Outcome<Self> {
        match (&state.0, input) {
            (Some(then), Input::Message(Payload::User(value))) => outcome(then(value, turn)),
            // This would be a bug in the engine, not in a program.
            _ => Err(Fault::Unsupported {
                what: "an input does not fit the demand".into(),
            }),
        }
    }

    fn matches(&self, message: &Payload<Term>, constraint: &Pattern) -> Result<bool, Fault> {
        Ok(matches!(message, Payload::User(value) if constraint.takes(value)))
    }

    fn describe(&self) -> &dyn Describe<Self> {
        self
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}

impl Hints<Actors> for Actors {
    fn takes_from_anyone(&self, pattern: &Pattern) -> bool {
        pattern.is_from_anyone()
    }
}

impl Describe<Actors> for Actors {
    fn value(&self, value: &Term, pids: &PidTable) -> String {
        value.show(pids)
    }

    fn constraint(&self, constraint: &Pattern, pids: &PidTable) -> String {
        constraint.show(pids)
    }

    fn start(&self, start: &Start, pids: &PidTable) -> String {
        let args = start.args.show(pids);
        let args = args
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        format!("{}({})", start.name, args.unwrap_or_default())
    }
}
