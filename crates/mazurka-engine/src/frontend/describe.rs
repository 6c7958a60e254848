//! Values, processes, places and output as text.

use super::objects::{KeyOf, SharedObjects};
use super::run::Frontend;
use crate::bounded::Bounded;
use crate::ids::PidTable;

/// How the text of a constraint begins if the receive is one of the front-end, not of the program.
pub const INTERNAL: &str = "(internal) ";

/// How a front-end's values, processes, places and output are shown to the user.
///
/// Every method has a default, which uses the `Debug` form of what is shown.
pub trait Describe<F: Frontend + ?Sized> {
    /// A value as the user would write it.
    fn value(&self, value: &F::Value, _: &PidTable) -> String {
        Bounded::debug(value)
    }

    /// A constraint as the user would write it. That of a receive which the front-end makes on its own
    /// begins with [`INTERNAL`]; an explanation leaves out that it times out.
    fn constraint(&self, constraint: &F::Constraint, _: &PidTable) -> String {
        Bounded::debug(constraint)
    }

    /// What a process runs, for instance the name of a function and its arguments.
    fn start(&self, start: &F::Start, _: &PidTable) -> String {
        Bounded::debug(start)
    }

    /// The name of a process in reports, given its start and the state of its first demand. If the
    /// start is an anonymous function, the function in which it first waits is a better name.
    fn process(&self, start: &F::Start, _first: Option<&F::State>, pids: &PidTable) -> String {
        self.start(start, pids)
    }

    /// The name of a process that is registered under `name`, given its start: the name, or
    /// `name (what it is)`. Reports leave out the part in parentheses where they are brief.
    fn registered(&self, name: String, _: &F::Start, _: &PidTable) -> String {
        name
    }

    /// The name that a process has given itself, as far as this state shows it. It is used if the
    /// process is not registered.
    fn label(&self, _: &F::State) -> Option<String> {
        None
    }

    /// The value of a [`Reason::Crash`](crate::Reason::Crash) or
    /// [`Reason::Assertion`](crate::Reason::Assertion), as a message.
    fn failure(&self, value: &F::Value, pids: &PidTable) -> String {
        self.value(value, pids)
    }

    /// Whether a shared object is internal to the front-end, so that reports leave it out unless
    /// everything is asked for. By default the object decides.
    fn is_bookkeeping(&self, key: &KeyOf<F>) -> bool {
        F::Objects::is_bookkeeping(key)
    }

    /// Whether [`place`](Describe::place) or [`output`](Describe::output) have anything for the
    /// state in which a process ended. If not, the engine drops that state at once.
    fn has_notes(&self, _: &F::State) -> bool {
        false
    }

    /// Where in its source, `file:line`, a process did a part of the step that led to this state.
    fn place(&self, _: &F::State, _: StepPart) -> Option<String> {
        None
    }

    /// What happens from outside to a process in this state if this alternative is chosen: `kill`.
    /// Empty if nothing happens, so that reports leave it out; `None` if the process itself chooses.
    fn outside(&self, _: &F::State, _chosen: u32) -> Option<&'static str> {
        None
    }

    /// What a process printed in the step that led to this state: the number of actions before it,
    /// and the text.
    fn output<'s>(&self, _: &'s F::State) -> &'s [(usize, String)] {
        &[]
    }
}

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPart {
    /// The action with this index, from 0.
    Action(usize),
    /// The demand that ends the step.
    Demand,
    /// The failure that ends the process, if its text does not name the place.
    Failure,
}

/// The description of a front-end that has none of its own.
pub(super) struct Plain;

impl<F: Frontend + ?Sized> Describe<F> for Plain {}
