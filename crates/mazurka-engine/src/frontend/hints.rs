//! What a front-end knows about its programs beyond how to run them.

use super::run::Frontend;
use crate::coverage::Clause;
use crate::message::Payload;

/// Optional knowledge of a front-end. Nothing here changes which executions there are: hints order
/// a search, bound memory and enrich reports.
pub trait Hints<F: Frontend + ?Sized> {
    /// The least number of visible operations, inputs and actions, that a process in this state needs
    /// to reach an assertion or an error, if known. A directed search prefers small distances. It asks
    /// only if it uses them.
    fn distance(&self, _: &F::State) -> Option<u32> {
        None
    }

    /// An estimate of the memory that a state owns, in bytes, beyond its own size and what it shares
    /// with other states. States that the current execution does not use are dropped when together
    /// they take more than [`Options::node_memory`](crate::Options::node_memory), and made again
    /// when needed.
    fn state_bytes(&self, _: &F::State) -> usize {
        STATE_BYTES
    }

    /// Whether a receive with this constraint takes messages from any sender.
    fn takes_from_anyone(&self, _: &F::Constraint) -> bool {
        true
    }

    /// What a message must contain to satisfy this constraint, if there is such a thing: a part with
    /// a certain hash. The engine does not match messages that have another
    /// [part](Hints::part) there, so that a receive finds its message quickly among many.
    fn required_part(&self, _: &F::Constraint) -> Option<RequiredPart> {
        None
    }

    /// The hash of the part of a message at this place. `None` if it is not known; such messages
    /// are always matched. A message without such a part has any hash.
    fn part(&self, _: &Payload<F::Value>, _place: u32) -> Option<u64> {
        None
    }

    /// The type of a message, if messages have types and a receive with this constraint takes none
    /// of that type: the sender may have used the wrong type.
    fn foreign_type(&self, _: &Payload<F::Value>, _: &F::Constraint) -> Option<String> {
        None
    }

    /// Whether a message that was never received is lost on purpose, so that it is neither an orphan nor
    /// a dead letter. `receiver` is the state in which its receiver still waits; `None` if that has
    /// ended.
    fn may_be_lost(&self, _: &Payload<F::Value>, _receiver: Option<&F::State>) -> bool {
        false
    }

    /// The clauses of the program's receives, and how many messages each has taken since this
    /// front-end was made, in it or in a [fresh copy](Frontend::fresh_copy).
    fn clauses(&self) -> Vec<Clause> {
        Vec::new()
    }

    /// The settings of this front-end that the executions so far depend on, of it and its
    /// [fresh copies](Frontend::fresh_copy). A verdict states them.
    fn premises(&self) -> Vec<Premise> {
        Vec::new()
    }
}

/// A setting of a front-end that a result depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Its name, as on the command line without the dashes.
    pub name: &'static str,
    /// Its value, as on the command line.
    pub value: String,
    /// What the value means: `a clock for each process`.
    pub means: String,
    /// What is verified if nothing goes wrong: `each process with its own clock`.
    pub verified: String,
}

/// A part that a message must have: one with this hash at this place. The front-end chooses the
/// numbers of places, for example the indices of the elements of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredPart {
    /// Where in the message it is.
    pub place: u32,
    /// Its hash. Equal parts must have equal hashes.
    pub hash: u64,
}

/// The memory of a state if its front-end gives no estimate. Rather large: the budget is about
/// orders of magnitude.
pub(crate) const STATE_BYTES: usize = 96;

/// The hints of a front-end that has none of its own.
pub(super) struct NoHints;

impl<F: Frontend + ?Sized> Hints<F> for NoHints {}
