//! Running processes and matching messages: the part of a front-end that must be implemented.

use super::demand::{DemandOf, Input};
use super::describe::{Describe, Plain};
use super::fault::Fault;
use super::hints::{Hints, NoHints};
use super::objects::SharedObjects;
use super::turn::Turn;
use crate::brake::Brake;
use crate::message::Payload;
use std::fmt;
use std::hash::Hash;

/// One kind of program: turns user code into demands and actions.
///
/// A process must be a deterministic function of the inputs it has consumed. The engine calls
/// [`start`](Frontend::start) and [`answer`](Frontend::answer) once for every local history, and
/// again only if it has dropped that history to save memory, or to check that the process is
/// deterministic.
///
/// The methods up to [`matches`](Frontend::matches) are enough to explore a program, to report its
/// errors and to replay them. A front-end whose values read better than their `Debug` form overrides
/// [`describe`](Frontend::describe); one that knows more about its programs overrides
/// [`hints`](Frontend::hints).
pub trait Frontend {
    /// What the program sends. A message may be replaced by an equal one, so equality must cover
    /// everything that the program can observe.
    type Value: Clone + Eq + Hash + fmt::Debug;
    /// Which messages a receive takes.
    type Constraint: Clone + Eq + Hash + fmt::Debug;
    /// How a process is started. Equal starts behave equally.
    type Start: Clone + Eq + Hash + fmt::Debug;
    /// A snapshot of a process that makes a demand.
    type State: Clone;
    /// The shared objects of its programs; [`NoObjects`](crate::NoObjects) if they have none.
    type Objects: SharedObjects<Self::Value>;

    /// Whether [`is_same_state`](Frontend::is_same_state) ever returns true.
    const COMPARES_STATES: bool = false;

    /// Whether a process acts alike in both states on all inputs. If a process has done nothing and is in
    /// the same state after a timeout as before, the timeout is left out: polling a mailbox in a loop is
    /// like waiting. `false` is always right.
    fn is_same_state(&self, _: &Self::State, _: &Self::State) -> bool {
        false
    }

    /// The same program for another exploration, without anything learned in this one.
    #[must_use]
    fn fresh_copy(&self) -> Self
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
    ///
    /// # Errors
    /// As [`answer`](Frontend::answer): to match a message may take user code.
    fn matches(
        &self,
        message: &Payload<Self::Value>,
        constraint: &Self::Constraint,
    ) -> Result<bool, Fault>;

    /// Sets the brake that the front-end must ask inside steps that take long.
    fn set_brake(&self, _: Brake) {}

    /// Asks the front-end to run every step twice and to compare. Returns whether it will; if not,
    /// the engine does it, and compares actions and demands by their equality.
    fn check_determinism(&self) -> bool {
        false
    }

    /// How values, processes and places are shown. By default in their `Debug` form.
    fn describe(&self) -> &dyn Describe<Self> {
        &Plain
    }

    /// What the front-end knows about its programs beyond how to run them. By default nothing.
    fn hints(&self) -> &dyn Hints<Self> {
        &NoHints
    }
}

/// The result of running user code: the state in which the process stopped, and its demand there.
pub type Outcome<F> = Result<(<F as Frontend>::State, DemandOf<F>), Fault>;
